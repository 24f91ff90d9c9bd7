"""L0RegressorCV against scikit-learn's and celer's LassoCV and abess with cross-validation, on data of their usual size.

Usage: cross_validation.py [--n 1000] [--p 5000] [--values 100] [--folds 5] [--seeds 1] [--instances TEXT]
  --instances      only those whose spec contains TEXT, such as syn or snr=20
Instances are those of bench/reference/instances.py with twice the samples: half to fit, half fresh ones to predict. All
contenders may use all cores. Prints for each: seconds, features, true ones among them and false ones, error of the
coefficients relative to their size, error of what it predicts for fresh samples relative to the signal (noise left out).
"""
import argparse
import sys
import time
import warnings
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "reference"))
from instances import make  # noqa: E402

KINDS = ("sim:snr=20,n={n},p={p},seed={seed}", "sim:snr=5,n={n},p={p},seed={seed}",
         "syn:k=20,rho=0.5,snr=5,n={n},p={p},seed={seed}")


def by_ellzero(X, y, options):
    from ellzero import L0RegressorCV

    return L0RegressorCV(grid_size=options.values, folds=options.folds).fit(X, y)


def by_sklearn(X, y, options):
    from sklearn.linear_model import LassoCV

    return LassoCV(alphas=options.values, cv=options.folds, n_jobs=-1).fit(X, y)


def by_celer(X, y, options):
    from celer import LassoCV

    return LassoCV(n_alphas=options.values, cv=options.folds, n_jobs=-1).fit(X, y)


def by_abess(X, y, options):
    from abess import LinearRegression

    return LinearRegression(support_size=range(options.values), cv=options.folds, thread=0).fit(X, y)


CONTENDERS = {"ellzero L0RegressorCV": by_ellzero, "scikit-learn LassoCV": by_sklearn, "celer LassoCV": by_celer,
              "abess, cv": by_abess}


def halves(kind, n, p, seed):
    """X and y to fit, fresh X and its signal, true coefficients."""
    X, y, beta, _ = make(kind.format(n=2 * n, p=p, seed=seed))
    return np.asfortranarray(X[:n]), y[:n], np.asfortranarray(X[n:]), X[n:] @ beta, beta


def row(name, model, seconds, fresh, signal, beta):
    coef = np.ravel(model.coef_)
    found = np.abs(coef) > 1e-10 * np.abs(coef).max(initial=1e-300)
    error = np.linalg.norm(coef - beta) / np.linalg.norm(beta)
    fresh_error = np.mean((np.ravel(model.predict(fresh)) - signal) ** 2) / np.var(signal)
    return (f"{name:<24}{seconds:9.2f}{found.sum():10}{(found & (beta != 0)).sum():6}{(found & (beta == 0)).sum():7}"
            f"{error:12.3f}{fresh_error:13.4f}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name, value in (("n", 1000), ("p", 5000), ("values", 100), ("folds", 5), ("seeds", 1)):
        parser.add_argument(f"--{name}", type=int, default=value)
    parser.add_argument("--instances", default="", metavar="TEXT")
    options = parser.parse_args()
    for kind in KINDS:
        for seed in range(options.seeds):
            spec = kind.format(n=options.n, p=options.p, seed=seed)
            if options.instances not in spec:
                continue
            X, y, fresh, signal, beta = halves(kind, options.n, options.p, seed)
            print(f"\n{spec}: {np.count_nonzero(beta)} true features, {options.values} values, {options.folds} folds\n"
                  f"{'contender':<24}{'seconds':>9}{'features':>10}{'true':>6}{'false':>7}{'error of b':>12}"
                  f"{'fresh error':>13}", flush=True)
            for name, contender in CONTENDERS.items():
                start = time.perf_counter()
                try:
                    with warnings.catch_warnings():
                        warnings.simplefilter("ignore")
                        model = contender(X, y, options)
                except Exception as error:  # a peer that is missing or fails is a line of its own
                    print(f"{name:<24}  {type(error).__name__}: {error}", flush=True)
                    continue
                print(row(name, model, time.perf_counter() - start, fresh, signal, beta), flush=True)


if __name__ == "__main__":
    main()
