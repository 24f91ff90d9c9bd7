#!/usr/bin/env python3
"""Judges the models that are chosen by default: their risk on fresh samples, true and false features, and the time of the choice.

Usage: choose.py [--seeds 0-4] [--only WORD ...] [--contenders NAME ...] [--results FILE] [--again NAME ...]

Problems are those of bench/reference/choosing.py. Contenders take turns on each, in one process, with all threads. FILE keeps what was
measured, a line for each; what is there is not measured anew, unless --again names its contender.
"""
import argparse
import json
import os
import sys
import time
import warnings
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parents[3]
sys.path[:0] = [str(ROOT / "bench" / "reference"), str(Path(__file__).resolve().parent)]
os.environ.setdefault("ELLZERO_DATA", str(ROOT.parent / "shared" / "data"))
import choosing
import contenders

NAMES = ["ellzero", "lasso", "elastic_net", "relaxed_lasso", "abess", "fastsparsegams"]
RIVALS = NAMES[1:]


def measure(name, spec, seed):
    X, y, X_new, y_new, beta = choosing.make(spec, seed)
    begun = time.perf_counter()
    intercept, b = getattr(contenders, name)(X, y)
    seconds = time.perf_counter() - begun
    squares = (X_new @ b + intercept - y_new)**2
    used = np.abs(b) > 0
    line = {"contender": name, "spec": spec, "seed": seed, "risk": float(squares.mean() / y_new.var()),
            "error": float(squares.std() / np.sqrt(len(squares)) / y_new.var()), "seconds": seconds, "features": int(used.sum())}
    if beta is not None:
        line |= {"true": int((used & (beta != 0)).sum()), "false": int((used & (beta == 0)).sum())}
    return line


def measured(options):
    known = {}
    if options.results and options.results.exists():
        for text in options.results.read_text().splitlines():
            line = json.loads(text)
            known[line["contender"], line["spec"], line["seed"]] = line
    kept = {key: line for key, line in known.items() if key[0] not in options.again}
    for spec in options.specs:
        for seed in options.seeds:
            for name in options.contenders:
                key = name, spec, seed
                if key not in kept:
                    with warnings.catch_warnings():
                        warnings.simplefilter("ignore")
                        kept[key] = measure(*key)
                    if options.results:
                        with options.results.open("a") as out:
                            out.write(json.dumps(kept[key]) + "\n")
    return kept


def geometric(values):
    return float(np.exp(np.mean(np.log(np.maximum(list(values), 1e-12)))))


def report(lines, options):
    specs = options.specs
    of = lambda name, spec, field: [lines[name, spec, seed][field] for seed in options.seeds]
    present = [name for name in options.contenders if all((name, spec, seed) in lines for spec in specs for seed in options.seeds)]
    if "lasso" not in present:
        raise SystemExit("ratios are to the Lasso's: it has to be among the contenders")
    judged = [spec for spec in specs if spec != "dominant"]
    print("| contender | risk / Lasso | within 10 % of the best rival | false / Lasso | more false | seconds / Lasso |\n|---|---|---|---|---|---|")
    for name in present:
        risk = geometric(a / b for s in judged for a, b in zip(of(name, s, "risk"), of("lasso", s, "risk")))
        near = [np.mean(of(name, s, "risk")) <= 1.1 * min(np.mean(of(r, s, "risk")) for r in present if r in RIVALS) for s in judged]
        truth = [s for s in judged if "false" in lines[name, s, options.seeds[0]]]
        false, others = ([np.mean(of(who, s, "false")) for s in truth] for who in (name, "lasso"))
        more = sum(a > b for a, b in zip(false, others))
        seconds = geometric(a / b for s in judged for a, b in zip(of(name, s, "seconds"), of("lasso", s, "seconds")))
        print(f"| {name} | {risk:.3f} | {100 * np.mean(near):.0f} % | {np.mean(false) / np.mean(others):.3f} | {more} of {len(truth)} | {seconds:.2f} |")
    if options.each:
        print("\n| problem | " + " | ".join(f"{name}: risk, true/false, s" for name in present) + " |\n" + "|---" * (len(present) + 1) + "|")
        for s in specs:
            cells = []
            for name in present:
                found = "/".join(f"{np.mean(of(name, s, field)):.1f}" for field in ("true", "false") if field in lines[name, s, options.seeds[0]])
                cells.append(f"{np.mean(of(name, s, 'risk')):.4f} {found or np.mean(of(name, s, 'features'))} {np.mean(of(name, s, 'seconds')):.2f}")
            print(f"| {s} | " + " | ".join(cells) + " |")
    for s in specs:
        for name in ("ellzero",):
            if name in present and s == "dominant":
                print(f"\ndominant: {np.mean(of(name, s, 'true'))} of 16 true features, {np.mean(of(name, s, 'false'))} false")
            if name in present and s.startswith("real:"):
                gap = np.mean(of(name, s, "risk")) - np.mean(of("lasso", s, "risk"))
                print(f"{s}: risk above the Lasso's by {gap / np.mean(of('lasso', s, 'error')):.2f} standard errors")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    span = lambda text: list(range(int(text.split("-")[0]), int(text.split("-")[-1]) + 1))
    parser.add_argument("--seeds", type=span, default=span("0-4"))
    parser.add_argument("--only", nargs="+", default=[])
    parser.add_argument("--contenders", nargs="+", default=NAMES)
    parser.add_argument("--results", type=Path)
    parser.add_argument("--again", nargs="+", default=[])
    parser.add_argument("--each", action="store_true", help="a line for each problem")
    options = parser.parse_args()
    options.specs = [spec for spec in choosing.SPECS if not options.only or any(word in spec for word in options.only)]
    report(measured(options), options)


if __name__ == "__main__":
    main()
