"""fit() against its peers on the simulated instances: answers first, then times, then the requirements.

Usage: sim.py [--quick] [--instances TEXT] [--without CONTENDER ...] [--program BENCH_FIT] [--out FOLDER]
  --quick          seed 0 only (9 instances instead of 45)
  --instances      only the instances whose spec contains TEXT, such as snr=20 or n=200,seed=3
  --without        leave out fastsparsegams, abess or el0ps (el0ps alone takes up to 20 s an instance)
One thread everywhere, one run. The table goes to the screen and, as results.csv, to FOLDER (build/bench/fit).
"""

import one_thread  # noqa: F401, I001 (first: numpy reads what it sets)

import argparse
import csv
import importlib
import sys
import tempfile
from pathlib import Path

import by_ellzero
import numpy as np
import verdict
from judge import judge, prepare
from instances import ROOT

EFFORTS = ("quick", "default", "thorough")


def specs(quick, text):
    seeds = range(1 if quick else 5)
    every = [f"sim:snr={snr},n={n},seed={s}" for snr in (20, 5, 2) for n in (200, 400, 600) for s in seeds]
    return [spec for spec in every if text in spec]


def contenders(program, without):
    """Calls that make an answer; abess comes last, because it is told the size of the best answer so far."""
    calls = [lambda instance, e=effort: by_ellzero.solve(program, instance, e) for effort in EFFORTS]
    if "fastsparsegams" not in without:
        peer = importlib.import_module("by_fastsparsegams")
        for grid in peer.GRIDS:
            for storage in ("sparse", "dense"):
                calls.append(lambda instance, g=grid, s=storage: peer.solve(instance, g, s))
    if "el0ps" not in without:
        calls.append(importlib.import_module("by_el0ps").solve)
    if "abess" not in without:
        solve = importlib.import_module("by_abess").solve
        calls += [lambda instance, r=ridge: solve(instance, r) for ridge in ("alpha", "rows")]
    return calls


def row(instance, answer):
    return {
        "instance": instance.spec,
        "contender": answer.contender,
        "objective": answer.objective,
        "claimed": answer.claimed,
        "nonzeros": np.count_nonzero(answer.coefficients),
        "seconds": answer.seconds,
        "status": answer.status,
    } | {key: answer.numbers.get(key) for key in ("sweeps", "sweep_seconds", "lower_bound")}


def compare(instance, calls):
    rows = [row(instance, judge(instance, call(instance))) for call in calls]
    for one in rows:
        one["excess"] = one["objective"] / instance.smallest - 1
    return rows


def show(rows):
    print(f"\n{rows[0]['instance']}")
    for one in rows:
        sweeps = f"{one['seconds'] / one['sweep_seconds']:9.0f} sweeps" if one["sweep_seconds"] else ""
        print(
            f"  {one['contender']:30} {one['objective']:12.8f}  +{one['excess']:.1e}  "
            f"{one['nonzeros']:4} nonzeros {1e3 * one['seconds']:10.2f} ms {one['status']:18} {sweeps}",
            flush=True,
        )


def save(rows, folder):
    folder.mkdir(parents=True, exist_ok=True)
    with open(folder / "results.csv", "w", newline="") as file:
        writer = csv.DictWriter(file, rows[0])
        writer.writeheader()
        writer.writerows(rows)


def arguments():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--instances", default="", metavar="TEXT")
    parser.add_argument("--without", nargs="*", default=[], choices=["fastsparsegams", "abess", "el0ps"])
    parser.add_argument("--program", type=Path, default=ROOT / "build" / "bench" / "bin" / "bench_fit")
    parser.add_argument("--out", type=Path, default=ROOT / "build" / "bench" / "fit")
    return parser.parse_args()


def main():
    options = arguments()
    chosen = specs(options.quick, options.instances)
    if not chosen:
        sys.exit(f"no instance contains {options.instances!r}")
    calls = contenders(options.program, options.without)
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        warm_up = prepare("sim:snr=5,n=20,p=40,seed=0", folder)
        for call in calls:
            judge(warm_up, call(warm_up))
        for spec in chosen:
            rows += compare(prepare(spec, folder), calls)
            show([one for one in rows if one["instance"] == spec])
            save(rows, options.out)
    verdict.report(rows)


if __name__ == "__main__":
    main()
