"""Reading files: ours against pandas' C parser and scikit-learn's load_svmlight_file, in one run, answers compared first.

Usage: read.py [--gigabytes G] [--repeats R] [--program BENCH_READ]
  --gigabytes      of the CSV file that is made for it, in a temporary folder (1)
  --repeats        of every measurement; the least time counts (3)
Every reader runs in a process of its own; memory is the most that it held at once beyond what the
process held before, over the size of the matrix.
news20 comes from the folder ELLZERO_DATA (default ../shared/data beside the project); without it that part is left out.
"""

import argparse
import bz2
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent.parent
DATA = Path(os.environ.get("ELLZERO_DATA", ROOT.parent / "shared" / "data"))

PANDAS = """
import json, resource, sys, time
import numpy, pandas
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
start = time.perf_counter()
frame = pandas.read_csv(sys.argv[1])
seconds = time.perf_counter() - start
peak = 1024 * (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before)
X = frame.to_numpy()[:, :-1]
total = float((X.sum(axis=1) * numpy.arange(1, len(X) + 1)).sum())
print(json.dumps({"seconds": seconds, "rows": X.shape[0], "columns": X.shape[1], "peak_bytes": peak, "sum": total}))
"""

SKLEARN = """
import json, resource, sys, time
import numpy
from sklearn.datasets import load_svmlight_file
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
start = time.perf_counter()
X, y = load_svmlight_file(sys.argv[1])
seconds = time.perf_counter() - start
peak = 1024 * (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before)
total = float(X.T @ numpy.arange(1, X.shape[0] + 1) @ numpy.ones(X.shape[1]))
print(json.dumps({"seconds": seconds, "rows": X.shape[0], "columns": X.shape[1], "peak_bytes": peak, "sum": total}))
"""


def make_csv(path, gigabytes):
    """Normal numbers with all their digits; a block of 20,000 rows is repeated, which no parser can tell."""
    import numpy

    X = numpy.random.default_rng(0).normal(size=(20000, 50))
    block = "\n".join(",".join(map(repr, map(float, row))) for row in X) + "\n"
    with path.open("w") as file:
        file.write(",".join([f"x{j}" for j in range(49)] + ["target"]) + "\n")
        while file.tell() < gigabytes * 1e9:
            file.write(block)


def measure(commands, repeats):
    """The quickest run of each; contenders take turns."""
    best = {}
    for _ in range(repeats):
        for name, command in commands.items():
            done = subprocess.run(list(map(str, command)), capture_output=True, text=True, check=True)
            run = json.loads(done.stdout)
            if name not in best or run["seconds"] < best[name]["seconds"]:
                best[name] = run
    return best


def compare(title, commands, repeats):
    runs = measure(commands, repeats)
    ours = runs["ellzero"]
    size = ours["matrix_bytes"]
    print(f"{title}: {ours['rows']} x {ours['columns']}, matrix of {size / 1e6:.1f} MB")
    for name, run in runs.items():
        same = run["rows"] == ours["rows"] and run["columns"] == ours["columns"]
        same = same and abs(run["sum"] - ours["sum"]) <= 1e-9 * abs(ours["sum"])
        print(
            f"  {name:<20} {run['seconds']:8.3f} s  {run['seconds'] / ours['seconds']:6.2f} times ours"
            f"  {run['peak_bytes'] / size:6.2f} matrices of memory  {'same numbers' if same else 'OTHER NUMBERS'}"
        )
        if not same:
            sys.exit(1)


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--gigabytes", type=float, default=1)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--program", type=Path, default=ROOT / "build" / "bench" / "bin" / "bench_read")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "big.csv"
        make_csv(path, options.gigabytes)
        peer = [sys.executable, "-c", PANDAS, path]
        compare(f"CSV of {options.gigabytes:g} GB", {"ellzero": [options.program, path], "pandas": peer}, options.repeats)
        path.unlink()
        text = DATA / "text" / "news20.bz2"
        if not text.exists():
            print(f"news20: left out, {text} is not there")
            return
        plain = Path(folder) / "news20.svm"
        plain.write_bytes(bz2.decompress(text.read_bytes()))
        for title, path in (("news20, text", plain), ("news20, bzip2", text)):
            ours = [options.program, path, "libsvm"]
            peer = [sys.executable, "-c", SKLEARN, path]
            compare(title, {"ellzero": ours, "scikit-learn": peer}, options.repeats)


if __name__ == "__main__":
    main()
