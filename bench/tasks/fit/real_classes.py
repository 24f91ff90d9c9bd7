"""Two classes: logistic and smoothed hinge on genes, and on the first ten newsgroups against the last ten.

With intercept and standardising, as a user would call it.
"""

import by_ellzero
import cost_table
import genes
import numpy as np
import word_counts
from storage import store_dense, store_sparse

OTHER_CLASS = {"logistic": 0.0, "smoothed-hinge": -1.0}  # loss -> what it calls the class that is not 1
GENES = (("golub", 1.0, 0.1), ("colon", 1.0, 0.1))  # name, lambda0, lambda2
NEWSGROUPS = 20.0  # lambda0
LIMIT = 50


def measure(program, name, lambdas, store):
    """`store` is handed a loss's name of the other class and stores the data with it. -> their folder"""
    for loss, other in OTHER_CLASS.items():
        told = by_ellzero.call(
            program, store(other), "fit", lambdas, loss=loss, intercept=True, standardize=True, time_limit=LIMIT
        )
        cost_table.row(f"{name}, {loss}", told, cost_table.FIT)


def run(program, folder):
    cost_table.head(f"Two classes, at most {LIMIT} s", cost_table.FIT)
    for name, lambda0, lambda2 in GENES:
        if (data := genes.load(name)) is not None:
            X, y = data
            measure(
                program,
                f"{name} lambda0={lambda0} lambda2={lambda2}",
                (lambda0, 0.0, lambda2),
                lambda other: store_dense(folder / name, X, np.where(y > 0, 1.0, other)),
            )
    if (data := word_counts.load("news20")) is not None:
        X, labels = data
        measure(
            program,
            f"news20 halves lambda0={NEWSGROUPS}",
            (NEWSGROUPS, 0.0, None),
            lambda other: store_sparse(folder / "news20", X, np.where(labels > 10, 1.0, other)),
        )
