"""L0RegressorCV against scikit-learn's and celer's LassoCV and abess with cross-validation, on data of their usual size.

Usage: cross_validation.py [--n 1000] [--p 5000] [--values 100] [--folds 5] [--seeds 1]
Prints, for each contender: seconds, features, true ones among them, error of the coefficients, error on fresh samples.
"""
import argparse
import time
import warnings

import numpy as np


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


def make(n, p, seed, features=20, rho=0.5):
    """Columns with correlation rho^|i-j|, equally spread true features, signal to noise 5."""
    random = np.random.default_rng(seed)
    X = random.normal(size=(2 * n, p))
    for j in range(1, p):
        X[:, j] = rho * X[:, j - 1] + np.sqrt(1 - rho**2) * X[:, j]
    beta = np.zeros(p)
    beta[:: p // features][:features] = random.choice([-1.0, 1.0], features)
    signal = X @ beta
    y = signal + np.std(signal) / np.sqrt(5) * random.normal(size=2 * n)
    return np.asfortranarray(X[:n]), y[:n], np.asfortranarray(X[n:]), signal[n:], beta


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name, value in (("n", 1000), ("p", 5000), ("values", 100), ("folds", 5), ("seeds", 1)):
        parser.add_argument(f"--{name}", type=int, default=value)
    options = parser.parse_args()
    print(f"{'contender':<24}{'seconds':>9}{'features':>10}{'true':>6}{'error of b':>12}{'fresh error':>13}")
    for seed in range(options.seeds):
        X, y, fresh, signal, beta = make(options.n, options.p, seed)
        for name, contender in CONTENDERS.items():
            start = time.perf_counter()
            try:
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore")
                    model = contender(X, y, options)
            except Exception as error:  # a peer that is missing or fails is a line of its own
                print(f"{name:<24}  {type(error).__name__}: {error}")
                continue
            seconds = time.perf_counter() - start
            coef = np.ravel(model.coef_)
            found = np.flatnonzero(np.abs(coef) > 1e-10)
            error = np.linalg.norm(coef - beta) / np.linalg.norm(beta)
            fresh_error = np.mean((model.predict(fresh) - signal) ** 2) / np.var(signal)
            print(f"{name:<24}{seconds:9.2f}{len(found):10}{np.isin(found, np.flatnonzero(beta)).sum():6}"
                  f"{error:12.3f}{fresh_error:13.4f}", flush=True)


if __name__ == "__main__":
    main()
