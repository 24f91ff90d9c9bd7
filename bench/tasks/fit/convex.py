"""lambda0 = 0, where the problem is convex: lasso and elastic net against celer and skglm.

Usage: convex.py [--program BENCH_FIT]
The peers run to a tolerance of 1e-14; ellzero as it is. Their objective is divided by n and halves the ridge:
alpha l1_ratio = lambda1 / n, alpha (1 - l1_ratio) = 2 lambda2 / n.
"""

import one_thread  # noqa: F401, I001 (first: numpy reads what it sets)

import argparse
import tempfile
import warnings
from pathlib import Path

import by_ellzero
import celer
import numpy as np
import riboflavin
import skglm
from judge import Answer, Instance, store
from stopwatch import timed
from instances import ROOT, make, objective

SHARES = (0.5, 0.1)  # lambda1 as a share of the smallest one that makes every coefficient 0
TOLERANCE = 1e-8


def problems(folder):
    """Instances with lambda0 = 0: each data set with a lasso and an elastic net for every share."""
    data = {
        f"sim snr={snr} n={n}": make(f"sim:snr={snr},n={n},seed=0")[:2] for snr in (20, 2) for n in (200, 600)
    }
    if (genes := riboflavin.load()) is not None:
        data["riboflavin"] = genes
    for name, (X, y) in data.items():
        largest = np.abs(X.T @ y).max()
        for share in SHARES:
            for lambda2 in (0.0, 0.01 if name == "riboflavin" else 1.0):
                lambdas = (0.0, share * largest, lambda2)
                yield store(Instance(f"{name} lambda1={share}max lambda2={lambda2}", X, y, lambdas, folder))


def peer(package, instance):
    model = make_model(package, instance)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # both warn that 1e-14 is beyond rounding
        fitted, seconds = timed(lambda: model.fit(instance.X, instance.y))
    return Answer(package.__name__, fitted.coef_, seconds)


def make_model(package, instance):
    n = len(instance.y)
    _, lambda1, lambda2 = instance.lambdas
    limits = dict(tol=1e-14, max_iter=500, max_epochs=100_000, fit_intercept=False)
    if lambda2 == 0:
        return package.Lasso(alpha=lambda1 / n, **limits)
    both = lambda1 + 2 * lambda2
    return package.ElasticNet(alpha=both / n, l1_ratio=lambda1 / both, **limits)


def compare(program, instance):
    """Prints the three answers. -> relative excess of ellzero over the better peer"""
    answers = [by_ellzero.solve(program, instance, "default"), peer(celer, instance), peer(skglm, instance)]
    values = [objective(instance.X, instance.y, answer.coefficients, instance.lambdas) for answer in answers]
    best = min(values)
    bound = answers[0].numbers["lower_bound"]
    print(f"{instance.spec}: gap of ellzero {(values[0] - bound) / values[0]:.1e}, {answers[0].status}")
    for answer, value in zip(answers, values):
        nonzeros = f"{np.count_nonzero(answer.coefficients):5} nonzeros"
        excess = f"+{value / best - 1:.1e}"
        print(
            f"  {answer.contender:16} {value:.10f} {excess} {nonzeros} {1e3 * answer.seconds:10.2f} ms",
            flush=True,
        )
    if bound > best * (1 + 1e-12):
        print(f"  short: the lower bound {bound} is above an answer")
    return values[0] / min(values[1:]) - 1


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--program", type=Path, default=ROOT / "build" / "bench" / "bin" / "bench_fit")
    program = parser.parse_args().program
    with tempfile.TemporaryDirectory() as folder:
        warm_up = Instance("warm-up", *make("sim:snr=5,n=20,p=40,seed=0")[:2], (0.0, 0.1, 1.0), Path(folder))
        peer(celer, warm_up), peer(skglm, warm_up)
        excess = {instance.spec: compare(program, instance) for instance in problems(Path(folder))}
    short = [spec for spec, e in excess.items() if e > TOLERANCE]
    print(f"\nRequirement: objective within {TOLERANCE:.0e} (relative) of the better peer")
    print(f"  {'short' if short else 'met'}: worst {max(excess.values()):+.1e} of {len(excess)} problems")
    for spec in short:
        print(f"  short on {spec}: {excess[spec]:+.1e}")


if __name__ == "__main__":
    main()
