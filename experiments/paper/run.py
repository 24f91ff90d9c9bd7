#!/usr/bin/env python3
"""Runs the paper's experiments; what is done already is read from OUT/results/*.csv and not done again.

Usage: run.py [--full] [--only NAME ...] [--columns LABEL ...] [--replications R] [--processes N]
              [--method-limit 60] [--proof-limit 5] [--no-figures] [--out build/paper]
  --full            the paper's replications (hours) instead of a few (minutes)
  --only            some of: simulation simulation_raw news20 news20_unit imdb e2006 ablation
  --columns         only these columns of plots, like "SNR 5"
  --out             folder for results/ and figures/; those that docs/paper.md shows are in experiments/paper
  --method-limit    seconds that one run of a method may take; --proof-limit: the same for the proof
E2006 itself is run when the environment variable ELLZERO_E2006 names its LIBSVM file.
"""

import argparse
import csv
import sys
import time
from concurrent.futures import ProcessPoolExecutor, as_completed
from pathlib import Path

import protocol


def done_already(path):
    """(column, n, replication) -> the methods that have a row"""
    done = {}
    if path.exists():
        with open(path, newline="") as file:
            for row in csv.DictReader(file):
                done.setdefault((row["column"], int(row["n"]), int(row["replication"])), set()).add(row["method"])
    return done


def append(path, rows):
    is_new = not path.exists()
    with open(path, "a", newline="") as file:
        writer = csv.DictWriter(file, protocol.FIELDS, lineterminator="\n")
        if is_new:
            writer.writeheader()
        writer.writerows(rows)


def show_progress(name, done, total, start):
    filled = 30 * done // max(1, total)
    seconds = time.monotonic() - start
    left = f", about {seconds / done * (total - done) / 60:.0f} min left" if done else ""
    end = "\n" if done == total or not sys.stderr.isatty() else "\r"
    if sys.stderr.isatty() or done == total or done % max(1, total // 20) == 0:
        print(f"{name:<16}[{'#' * filled}{'.' * (30 - filled)}] {done}/{total}{left}   ", end=end, file=sys.stderr, flush=True)


def run(experiment, options):
    path = options.out / "results" / f"{experiment.name}.csv"
    done = done_already(path)
    work = []
    for cell in experiment.cells(options.full, options.replications):
        if options.columns and cell[0] not in options.columns:
            continue
        wanted = [m for m in experiment.methods if m not in done.get(cell[:3], ())]
        if wanted:
            work.append((cell, wanted))
    limits = {"method": options.method_limit, "proof": options.proof_limit}
    start = time.monotonic()
    with ProcessPoolExecutor(options.processes) as pool:
        jobs = [pool.submit(protocol.run_cell, experiment, cell, wanted, limits) for cell, wanted in work]
        try:
            for count, job in enumerate(as_completed(jobs), 1):
                append(path, job.result())
                show_progress(experiment.name, count, len(jobs), start)
        except BaseException:
            pool.shutdown(cancel_futures=True)
            raise


def main():
    names = [experiment.name for experiment in protocol.EXPERIMENTS]
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--full", action="store_true")
    parser.add_argument("--only", nargs="+", choices=names, default=names)
    parser.add_argument("--columns", nargs="+")
    parser.add_argument("--replications", type=int)
    parser.add_argument("--processes", type=int)
    parser.add_argument("--method-limit", type=float, default=60)
    parser.add_argument("--proof-limit", type=float, default=5)
    parser.add_argument("--no-figures", action="store_true")
    parser.add_argument("--out", type=Path, default=protocol.ROOT / "build" / "paper")
    options = parser.parse_args()
    options.processes = options.processes or (2 if options.full else 1)
    (options.out / "results").mkdir(parents=True, exist_ok=True)
    for experiment in protocol.EXPERIMENTS:
        if experiment.name not in options.only:
            continue
        if reason := protocol.missing(experiment):
            print(f"{experiment.name:<16}skipped: {reason}", file=sys.stderr)
        else:
            run(experiment, options)
    if not options.no_figures:
        import figures

        figures.draw_all(options.out)


if __name__ == "__main__":
    main()
