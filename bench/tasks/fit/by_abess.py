"""Contender abess: the best subset of a given size, with the ridge as rows of the data or as its own alpha.

It knows no lambda1, so the objective it minimises is another one; only its support is judged.
alpha = 2 lambda2 is the same ridge only when the columns are left as they are (is_normal=False).
"""

import abess
import with_ridge_rows
from judge import Answer
from stopwatch import timed


def solve(instance, ridge):
    if ridge == "rows":
        X, y = with_ridge_rows.dense(instance)
        alpha = 0
    else:
        X, y, alpha = instance.X, instance.y, 2 * instance.lambdas[2]
    size = instance.best_nonzeros
    model, seconds = timed(lambda: fit(X, y, size, alpha))
    return Answer(f"abess {ridge}", model.coef_, seconds, f"k={size}")


def fit(X, y, size, alpha):
    model = abess.LinearRegression(support_size=[size], alpha=alpha, fit_intercept=False, thread=1)
    return model.fit(X, y, is_normal=False)
