"""What an answer is and how it is judged: by its support alone, with the best coefficients on it."""

import sys
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from storage import store_dense

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "reference"))
from instances import make, objective  # noqa: E402


@dataclass
class Instance:
    spec: str
    X: np.ndarray
    y: np.ndarray
    lambdas: tuple
    folder: Path  # holds X.npy and y.npy
    smallest: float = np.inf  # the best objective of any answer so far
    best_nonzeros: int = 0


@dataclass
class Answer:
    contender: str
    coefficients: np.ndarray
    seconds: float
    status: str = ""
    numbers: dict = field(default_factory=dict)  # whatever else the contender tells of itself
    objective: float = np.nan  # after refitting; set by judge()
    claimed: float = np.nan  # of the coefficients as they came


def prepare(spec, folder):
    """The instance of a spec string, its arrays also on disk for bench_fit."""
    X, y, _, lambdas = make(spec)
    return store(Instance(spec, X, y, lambdas, Path(folder)))


def store(instance):
    store_dense(instance.folder, instance.X, instance.y)
    return instance


def judge(instance, answer):
    """Fills in the answer's objectives, by the same function on the same data for every contender."""
    b = refit(instance, np.flatnonzero(answer.coefficients))
    answer.claimed = objective(instance.X, instance.y, answer.coefficients, instance.lambdas)
    answer.objective = objective(instance.X, instance.y, b, instance.lambdas)
    if answer.objective > answer.claimed * (1 + 1e-12):
        raise ArithmeticError(f"{answer.contender} on {instance.spec}: refitting made its answer worse")
    if answer.objective < instance.smallest:
        instance.smallest, instance.best_nonzeros = answer.objective, np.count_nonzero(b)
    return answer


def refit(instance, support):
    """The convex elastic net on the support, by coordinate descent until no coefficient moves by 1e-13."""
    _, lambda1, lambda2 = instance.lambdas
    X = instance.X[:, support]
    gram = X.T @ X + 2 * lambda2 * np.eye(len(support))
    product = X.T @ instance.y
    b = np.linalg.lstsq(gram, product, rcond=None)[0]
    for _ in range(100_000):
        largest_step = 0.0
        for j, curvature in enumerate(gram.diagonal()):
            c = product[j] - gram[j] @ b + curvature * b[j]
            step = np.sign(c) * max(abs(c) - lambda1, 0.0) / curvature - b[j]
            b[j] += step
            largest_step = max(largest_step, abs(step))
        if largest_step <= 1e-13 * max(1.0, np.abs(b).max(initial=0)):
            break
    whole = np.zeros(instance.X.shape[1])
    whole[support] = b
    return whole
