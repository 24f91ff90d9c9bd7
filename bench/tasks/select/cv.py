#!/usr/bin/env python3
"""Times cross-validation against the one path that it cross-validates, by the program, reading not counted.

Usage: cv.py [--program build/release/bin/ellzero] [--data ../shared/data] [--values 50] [--folds 5] [--runs 3]
"""
import argparse
import json
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
    """Of the computation: the whole run but for reading, and how many models there were."""
    start = time.perf_counter()
    run = subprocess.run([program, command, data, *arguments, "--format", "json", "-q"], capture_output=True, check=True)
    models = json.loads(run.stdout)["models"]
    return time.perf_counter() - start - models[0]["read_seconds"], len(models)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--program", default=ROOT / "build" / "release" / "bin" / "ellzero")
    parser.add_argument("--data", type=Path, default=ROOT.parent / "shared" / "data")
    parser.add_argument("--values", type=int, default=50)
    parser.add_argument("--folds", type=int, default=5)
    parser.add_argument("--runs", type=int, default=3)
    options = parser.parse_args()
    grid = ["--grid-size", str(options.values)]
    with tempfile.TemporaryDirectory() as folder:
        tasks = [("diabetes 442 x 10", ROOT / "examples" / "diabetes.csv", []),
                 ("sim 500 x 1000", simulated(Path(folder), 500, 1000), []),
                 ("riboflavin 71 x 4088", options.data / "genes" / "riboflavin.csv.gz", []),
                 ("golub 72 x 7129, logistic", options.data / "genes" / "golub.csv.gz", ["--loss", "logistic"])]
        print("| data | threads | models | path | cv | cv / path |\n|---|---|---|---|---|---|")
        for name, data, extra in tasks:
            if not data.exists():
                print(f"| {name} | no {data} |")
                continue
            for threads in ("1", "2"):
                arguments = [*grid, *extra, "--threads", threads]
                path, models = min(seconds(options.program, "path", data, arguments) for _ in range(options.runs))
                folds = ["--folds", str(options.folds)]
                cv, _ = min(seconds(options.program, "cv", data, arguments + folds) for _ in range(options.runs))
                print(f"| {name} | {threads} | {models} | {path:.3g} s | {cv:.3g} s | {cv / path:.2f} |", flush=True)


if __name__ == "__main__":
    main()
