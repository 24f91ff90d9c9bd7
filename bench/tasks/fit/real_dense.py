"""A large dense matrix, 800 MB: the root bound and a whole fit in sweeps, and memory beyond the matrix.

Wanted: a fit within 20 sweeps, less than 10 % of memory beyond the matrix.
"""

import by_ellzero
import cost_table
from instances import make
from storage import store_dense

SPEC = "syn:n=1000,p=100000,rho=0.5"


def run(program, folder):
    X, y, _, lambdas = make(SPEC)
    stored = store_dense(folder / "dense", X, y)
    for title, what, columns in (
        ("Large and dense, root bound alone", "root", cost_table.ROOT),
        ("Large and dense", "fit", cost_table.FIT),
    ):
        cost_table.head(title, columns)
        cost_table.row(SPEC, by_ellzero.call(program, stored, what, lambdas), columns)
