#!/usr/bin/env python3
"""Times cross-validation against the one path that it cross-validates, by the program: processor time, which a busy
machine does not stretch, and time on the clock. What a path of one empty model takes, mostly reading, is not counted.

Usage: cv.py [--program build/release/bin/ellzero] [--data ../shared/data] [--values 50] [--folds 5] [--runs 3]
"""
import argparse
import json
import os
import random
import subprocess
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]


def simulated(folder, n, p, seed=0):
    """n x p, neighbours correlated by a half, ten features with a signal."""
    numbers = random.Random(seed)
    lines = [",".join([f"f{j}" for j in range(p)] + ["target"])]
    for _ in range(n):
        x = [numbers.gauss(0, 1)]
        for _ in range(p - 1):
            x.append(0.5 * x[-1] + 0.75**0.5 * numbers.gauss(0, 1))
        y = sum(x[j * p // 10] for j in range(10)) + 3 * numbers.gauss(0, 1)
        lines.append(",".join(f"{value:.4f}" for value in x + [y]))
    path = folder / f"sim_{n}_{p}.csv"
    path.write_text("\n".join(lines) + "\n")
    return path


def seconds(program, command, data, arguments):
    """(processor, clock, models) of a run."""
    with tempfile.TemporaryFile() as out:
        start = time.perf_counter()
        process = subprocess.Popen([program, command, data, *arguments, "--format", "json", "-q"], stdout=out)
        _, status, usage = os.wait4(process.pid, 0)
        clock = time.perf_counter() - start
        if status != 0:
            raise SystemExit(f"{command} {data}: exit status {status}")
        out.seek(0)
        models = json.load(out)["models"]
    return usage.ru_utime + usage.ru_stime, clock, len(models)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--program", default=ROOT / "build" / "release" / "bin" / "ellzero")
    parser.add_argument("--data", type=Path, default=ROOT.parent / "shared" / "data")
    parser.add_argument("--values", type=int, default=50)
    parser.add_argument("--folds", type=int, default=5)
    parser.add_argument("--runs", type=int, default=3)
    options = parser.parse_args()
    grid = ["--grid-size", str(options.values), "--max-nonzeros", "30"]  # the same models for both
    with tempfile.TemporaryDirectory() as folder:
        tasks = [("diabetes 442 x 10", ROOT / "examples" / "diabetes.csv", []),
                 ("sim 200 x 1000", simulated(Path(folder), 200, 1000), []),
                 ("riboflavin 71 x 4088", options.data / "genes" / "riboflavin.csv.gz", []),
                 ("golub 72 x 7129, logistic", options.data / "genes" / "golub.csv.gz", ["--loss", "logistic"])]
        print("| data | models | threads | path | cv | work of cv / path | clock of cv / path |\n|---|---|---|---|---|---|---|")
        for name, data, extra in tasks:
            if not data.exists():
                print(f"| {name} | no {data} |")
                continue
            for threads in ("1", "2"):
                arguments = [*grid, *extra, "--threads", threads]
                best = lambda *words: min(seconds(options.program, *words) for _ in range(options.runs))
                empty = best("path", data, [*extra, "--threads", threads, "--lambda0-grid", "1e30"])
                path = best("path", data, arguments)
                cv = best("cv", data, arguments + ["--folds", str(options.folds)])
                work, clock = ([run[i] - empty[i] for run in (path, cv)] for i in (0, 1))
                print(f"| {name} | {path[2]} | {threads} | {work[0]:.3g} s | {work[1]:.3g} s | {work[1] / work[0]:.2f} "
                      f"| {clock[1] / clock[0]:.2f} |", flush=True)


if __name__ == "__main__":
    main()
