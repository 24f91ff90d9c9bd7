"""prove() against exact peers: answers and bounds compared first, then times and gaps.

Usage: prove.py [--only PART ...] [--seeds N] [--limit SECONDS] [--instances TEXT] [--without CONTENDER ...]
                [--program BENCH_FIT] [--out FOLDER]
  --only       sim, snr20, syn, small, syn10k, text, classes (default: all); SCIP takes part in small alone
  --seeds      seeds 0 .. N-1 (default 5)
  --limit      seconds for each proof, in place of the part's own (60, syn10k 120)
  --instances  only the instances whose spec contains TEXT, such as n=200 or snr=5
  --without    leave out el0ps, l0bnb or scip
One thread everywhere, one run. A proof that is not done at the limit counts as the limit, which flatters it.
The table goes to the screen and, as results.csv, to FOLDER (build/bench/prove).
"""

import parts  # finds the modules beside it; first

import one_thread  # noqa: F401, I001 (before numpy)

import argparse
import csv
import importlib
import statistics
import sys
import tempfile
from pathlib import Path

import ellzero_proof
import numpy as np
from answers import disagreements, judge
from instances import ROOT, data_folder
from storage import store_dense

PEERS = ("el0ps", "l0bnb", "scip")


def prove(instance, part, limit, program, peers):
    """-> one judged proof for each contender, ellzero's first: it is what peers are started or scaled by"""
    proofs = [judge(instance, ellzero_proof.solve(program, instance, part.gap, limit))]
    for name in peers:
        solve = importlib.import_module(f"{name}_proof").solve
        proofs.append(judge(instance, solve(instance, proofs[0], part.gap, limit)))
    return proofs


def row_of(name, instance, part, limit, proof):
    done = proof.gap <= part.gap * (1 + 1e-6)
    return {
        "part": name,
        "instance": instance.spec,
        "contender": proof.contender,
        "objective": proof.objective,
        "lower_bound": proof.lower_bound,
        "gap": proof.gap,
        "nonzeros": np.count_nonzero(proof.coefficients),
        "nodes": proof.nodes,
        "seconds": proof.seconds,
        "done": done,
        "counted": proof.seconds if done else max(limit, proof.seconds),
        "status": proof.status,
        "note": proof.note,
    }


def show(rows, told):
    print(f"\n{rows[0]['instance']}")
    for row in rows:
        print(
            f"  {row['contender']:8} {row['objective']:14.8f}  bound {row['lower_bound']:14.8f}  "
            f"gap {row['gap']:8.1e}  {row['nonzeros']:4} nonzeros {row['nodes']:9} nodes "
            f"{row['seconds']:9.3f} s  {row['status']} {row['note']}"
        )
    for sentence in told:
        print(f"  DISAGREES  {sentence}")
    sys.stdout.flush()


def summary(rows):
    """For each part and peer: how many proofs were done, and the ratio of times or the gaps that are left."""
    print(
        "\nmedians        instances   done: ellzero, peer   peer's time / ellzero's, least   gap: ellzero, peer"
    )
    for name in dict.fromkeys(row["part"] for row in rows):
        for peer in PEERS:
            tables = [
                {row["instance"]: row for row in rows if (row["part"], row["contender"]) == (name, contender)}
                for contender in ("ellzero", peer)
            ]
            if tables[1]:
                print(f"{name:8} {peer:8} {comparison(*tables, parts.PARTS[name].settle)}")


def comparison(ours, theirs, settle):
    ratios = [row["counted"] / ours[spec]["counted"] for spec, row in theirs.items()]
    done = [sum(table[spec]["done"] for spec in theirs) for table in (ours, theirs)]
    left = [statistics.median(table[spec]["gap"] for spec in theirs) for table in (ours, theirs)]
    times = f"{statistics.median(ratios):20.1f}x, {min(ratios):8.2f}x" if settle else f"{'-':>32}"
    return f"{len(theirs):7} {done[0]:15}, {done[1]:4} {times}   {left[0]:10.1e}, {left[1]:.1e}"


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
    parser.add_argument("--only", nargs="*", default=list(parts.PARTS), choices=list(parts.PARTS))
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--limit", type=float)
    parser.add_argument("--instances", default="", metavar="TEXT")
    parser.add_argument("--without", nargs="*", default=[], choices=PEERS)
    parser.add_argument("--program", type=Path, default=ROOT / "build" / "bench" / "bin" / "bench_fit")
    parser.add_argument("--out", type=Path, default=ROOT / "build" / "bench" / "prove")
    return parser.parse_args()


def warm_up(options, folder):
    """Peers compile on their first call; a failing one is found before hours have passed."""
    for kind in ("syn:n=40,p=30,k=3,seed=0", "classes:n=60,p=30,seed=0"):
        instance = parts.instance_of(kind, folder)
        store_dense(folder, instance.X, instance.y)
        part = parts.Part([], 1e-4, 20, ())
        squared = instance.loss == "squared"
        wanted = {peer for name in options.only for peer in parts.PARTS[name].contenders} - set(
            options.without
        )
        peers = [peer for peer in PEERS if peer in wanted and (squared or peer == "el0ps")]
        told = disagreements(prove(instance, part, 20, options.program, peers), part.gap)
        if told:
            print("warm-up:", *told, sep="\n  ")


def main():
    options = arguments()
    rows = []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        warm_up(options, folder)
        for name in options.only:
            part = parts.PARTS[name]
            limit = options.limit or part.limit
            specs = [spec.format(seed=seed) for spec in part.specs for seed in range(options.seeds)]
            for spec in [spec for spec in specs if options.instances in spec]:
                if spec.startswith("text:") and not data_folder().exists():
                    print(f"{spec}: left out, as there is no folder {data_folder()}")
                    continue
                instance = parts.instance_of(spec, folder)
                store_dense(folder, instance.X, instance.y)
                peers = [peer for peer in part.contenders if peer not in options.without]
                proofs = prove(instance, part, limit, options.program, peers)
                new = [row_of(name, instance, part, limit, proof) for proof in proofs]
                show(new, disagreements(proofs, part.gap))
                rows += new
                save(rows, options.out)
    if not rows:
        sys.exit(f"no instance of {options.only} contains {options.instances!r}")
    summary(rows)


if __name__ == "__main__":
    main()
