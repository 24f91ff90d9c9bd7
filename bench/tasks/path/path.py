"""path() against fastsparsegams along the same prices: every point's objective first, then times.

Usage: path.py [--instances TEXT] [--seeds N] [--values M] [--program BENCH_FIT] [--out FOLDER]
  --instances  only the instances whose spec contains TEXT, such as snr=5 or riboflavin
  --seeds      seeds 0 .. N-1 of the simulated ones (default 1; a path of the peer takes up to a minute)
  --values     prices of the path (default 100)
Prices fall by equal factors from the highest at which some feature is worth its own to a tenth of it; riboflavin's to a
hundredth. One thread everywhere, one run. Both answers are judged by the same function on their supports. A row for
each price goes to FOLDER/results.csv (build/bench/path).
"""

import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent / "fit"), str(HERE.parents[1] / "reference")]

import one_thread  # noqa: E402, F401, I001 (before numpy)

import argparse  # noqa: E402
import csv  # noqa: E402
import tempfile  # noqa: E402
from dataclasses import replace  # noqa: E402

import by_fastsparsegams  # noqa: E402
import numpy as np  # noqa: E402
import riboflavin  # noqa: E402
import with_ridge_rows  # noqa: E402
from by_ellzero import call  # noqa: E402
from instances import ROOT, objective  # noqa: E402
from judge import Instance, prepare, refit, store  # noqa: E402
from stopwatch import timed  # noqa: E402


def instances(seeds, text, folder):
    for spec in [f"sim:snr={snr},n=400,seed={seed}" for snr in (5, 20) for seed in range(seeds)]:
        if text in spec:
            yield prepare(spec, folder), 0.1
    if text in "riboflavin":
        data = riboflavin.load()
        if data is None:
            print("riboflavin: left out, ELLZERO_DATA has no such file")
        else:
            yield store(Instance("riboflavin", *data, (0.1, 0.0, 0.1), Path(folder))), 0.01


def prices(instance, lowest, count):
    """From what the best single feature is worth down to a share of it."""
    _, lambda1, lambda2 = instance.lambdas
    squares = (instance.X**2).sum(axis=0)
    gains = np.maximum(np.abs(instance.X.T @ instance.y) - lambda1, 0) ** 2 / (2 * (squares + 2 * lambda2))
    return np.geomspace(gains.max(), lowest * gains.max(), count)


def by_ellzero(program, instance, grid):
    """-> supports, bounds, seconds"""
    values = ",".join(repr(float(value)) for value in grid)
    told = call(program, instance.folder, "path", (None, *instance.lambdas[1:]), lambda0_grid=values)
    models = told["models"]
    if len(models) != len(grid):
        raise RuntimeError(f"ellzero has {len(models)} models for {len(grid)} prices: {told['status']}")
    return [m["support"] for m in models], [m["lower_bound"] for m in models], told["seconds"]


def by_peer(instance, grid):
    """-> supports, seconds; the ridge comes as sparse rows, which it takes faster than dense ones"""
    X, y = with_ridge_rows.sparse(instance)
    gamma = instance.lambdas[1] / (by_fastsparsegams.common_norm(X) * np.linalg.norm(y))
    model, seconds = timed(lambda: by_fastsparsegams.path(X, y, grid / (y @ y), gamma))
    told = model.lambda_0[0]
    if len(told) != len(grid):
        raise RuntimeError("fastsparsegams stopped before it came to the last price")
    columns = [model.coeff(lambda_0=v, gamma=model.gamma[0], include_intercept=False) for v in told]
    return [np.flatnonzero(np.asarray(column.todense()).ravel()) for column in columns], seconds


def cost(instance, support, lambda0):
    lambdas = (lambda0, *instance.lambdas[1:])
    return objective(instance.X, instance.y, refit(replace(instance, lambdas=lambdas), support), lambdas)


def compare(program, instance, grid):
    ours, bounds, our_seconds = by_ellzero(program, instance, grid)
    theirs, their_seconds = by_peer(instance, grid)
    rows = []
    for lambda0, our, bound, their in zip(grid, ours, bounds, theirs):
        mine, peer = cost(instance, our, lambda0), cost(instance, their, lambda0)
        row = {"instance": instance.spec, "lambda0": lambda0, "ellzero": mine, "lower_bound": bound}
        rows.append(row | {"fastsparsegams": peer, "nonzeros": len(our), "peer_nonzeros": len(their)})
    excess = np.array([row["ellzero"] / row["fastsparsegams"] - 1 for row in rows])
    gaps = np.array([1 - row["lower_bound"] / row["ellzero"] for row in rows])
    print(
        f"{instance.spec}: {len(grid)} prices, {len(ours[-1])} nonzeros at the last\n"
        f"  objective: worse than fastsparsegams' at {np.sum(excess > 1e-9)} points, better at "
        f"{np.sum(excess < -1e-9)} (by {-excess.min():.2%} at most); gaps {np.median(gaps):.2%} in the median, "
        f"{gaps.max():.2%} at most\n"
        f"  ellzero {our_seconds:.3f} s, fastsparsegams {their_seconds:.3f} s: {their_seconds / our_seconds:.1f} times",
        flush=True,
    )
    return rows


def arguments():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--instances", default="", metavar="TEXT")
    parser.add_argument("--seeds", type=int, default=1)
    parser.add_argument("--values", type=int, default=100)
    parser.add_argument("--program", type=Path, default=ROOT / "build" / "bench" / "bin" / "bench_fit")
    parser.add_argument("--out", type=Path, default=ROOT / "build" / "bench" / "path")
    return parser.parse_args()


def main():
    options = arguments()
    options.out.mkdir(parents=True, exist_ok=True)
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        for instance, lowest in instances(options.seeds, options.instances, folder):
            rows += compare(options.program, instance, prices(instance, lowest, options.values))
    if not rows:
        sys.exit(f"no instance contains {options.instances!r}")
    with open(options.out / "results.csv", "w", newline="") as file:
        writer = csv.DictWriter(file, rows[0])
        writer.writeheader()
        writer.writerows(rows)


if __name__ == "__main__":
    main()
