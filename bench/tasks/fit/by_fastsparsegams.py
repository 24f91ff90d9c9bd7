"""Contender fastsparsegams: CDPSI at lambda0 alone and along 30 values of lambda0 that end there.

It divides y by |y| and every column by its norm c, so it is handed lambda0 / |y|^2 and lambda1 / (c |y|):
exact only where all columns have the same norm. It has no ridge beside lambda1: that comes as rows of the
data, which it takes faster in compressed columns than as an array full of zeros; both are timed.
"""

import fastsparsegams
import numpy as np
import with_ridge_rows
from judge import Answer
from stopwatch import timed

GRIDS = {"single": 1, "grid": 30}


def solve(instance, grid, storage):
    X, y = getattr(with_ridge_rows, storage)(instance)
    lambda0, lambda1, _ = instance.lambdas
    gamma = lambda1 / (common_norm(X) * np.linalg.norm(y))
    values = np.geomspace(30 * lambda0, lambda0, GRIDS[grid]) if GRIDS[grid] > 1 else np.array([lambda0])
    model, seconds = timed(lambda: path(X, y, values / (y @ y), gamma))
    last = model.coeff(lambda_0=model.lambda_0[0][-1], gamma=model.gamma[0], include_intercept=False)
    if len(model.lambda_0[0]) != len(values):
        raise RuntimeError("fastsparsegams stopped before it came to the last lambda0")
    return Answer(f"fastsparsegams {grid}, {storage}", np.asarray(last.todense()).ravel(), seconds)


def path(X, y, lambda0_values, gamma):
    return fastsparsegams.fit(
        X,
        y,
        loss="SquaredError",
        penalty="L0L1",
        algorithm="CDPSI",
        lambda_grid=[list(lambda0_values)],
        num_lambda=None,
        num_gamma=None,
        gamma_min=gamma,
        gamma_max=gamma,
        intercept=False,
        max_support_size=X.shape[1],
    )


def common_norm(X):
    squares = np.asarray((X.multiply(X) if hasattr(X, "multiply") else X * X).sum(axis=0)).ravel()
    if np.ptp(squares) > 1e-9 * squares.max():
        raise ValueError("fastsparsegams can be handed lambda1 only when all columns have the same norm")
    return np.sqrt(squares[0])
