"""Seeded data that the tests of the Python package share, and the enumeration they compare with."""
import itertools

import numpy as np
from scipy.optimize import lsq_linear


def regression(n=60, p=12, features=3, noise=0.5, seed=0):
    """X, y and the true coefficients."""
    random = np.random.default_rng(seed)
    X = random.normal(size=(n, p))
    beta = np.zeros(p)
    beta[random.choice(p, features, replace=False)] = random.choice([-2.0, -1.0, 1.0, 2.0], features)
    return X, X @ beta + noise * random.normal(size=n), beta


def labels(n=120, p=8, seed=0):
    """Two classes that two features tell apart, not quite."""
    random = np.random.default_rng(seed)
    X = random.normal(size=(n, p))
    return X, (X[:, 1] - X[:, 4] + 0.7 * random.normal(size=n) > 0).astype(int)


def hard(n=80, p=300, seed=5):
    """Many features that look alike: no proof within minutes at lambda0=60, lambda2=0.005."""
    random = np.random.default_rng(seed)
    X = 0.5 * random.normal(size=(n, 1)) + random.normal(size=(n, p))
    return X, X[:, :20].sum(axis=1) + 5 * random.normal(size=n)


def ridge(X, y, w, support, lambda2):
    """The best coefficients of a support for squared loss without intercept, and their objective without lambda0."""
    A = X[:, support]
    b = np.linalg.solve(A.T @ (w[:, None] * A) + 2 * lambda2 * np.eye(len(support)), A.T @ (w * y)) if support else []
    r = y - A @ b if support else y
    return 0.5 * np.sum(w * r * r) + lambda2 * np.sum(np.square(b)), b


def ridge_in_box(X, y, w, support, lambda2, lower, upper):
    """The same with bounds on the coefficients, by scipy's exact method for bounded least squares."""
    if not support:
        return ridge(X, y, w, support, lambda2)
    A = np.vstack([np.sqrt(w)[:, None] * X[:, support], np.sqrt(2 * lambda2) * np.eye(len(support))])
    b = lsq_linear(A, np.r_[np.sqrt(w) * y, np.zeros(len(support))], (lower[support], upper[support]), method="bvls").x
    r = y - X[:, support] @ b
    return 0.5 * np.sum(w * r * r) + lambda2 * np.sum(np.square(b)), b


def supports(p, most=None):
    """All sets of at most so many features."""
    sizes = range((p if most is None else most) + 1)
    return map(list, itertools.chain.from_iterable(itertools.combinations(range(p), size) for size in sizes))


def best_by_enumeration(X, y, w, lambda0, lambda2):
    """The smallest objective over all supports, by trying them."""
    return min(ridge(X, y, w, support, lambda2)[0] + lambda0 * len(support) for support in supports(X.shape[1]))
