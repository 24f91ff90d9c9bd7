"""The root bound alone: what the relaxation costs before any search, on genes, text and simulated data.

Wanted: at most 12 sweeps, and a relative gap of the relaxation of at most 1e-8.
"""

import by_ellzero
import cost_table
import riboflavin
import scipy.sparse as sp
from instances import data_folder, make
from storage import store_dense, store_sparse

RIBOFLAVIN = {"lambda0": (0.02, 0.05, 0.1, 0.2, 0.5), "lambda2": (0.1, 0.01)}
TEXT = ("text:file=news20,n=600,p=4000,seed=0", "text:file=news20,n=600,p=4000,seed=0,norm=1")
SIMULATED = [f"sim:snr={snr},n={n},seed=0" for snr in (20, 5, 2) for n in (200, 400, 600)]
SIMULATED.append("syn:n=1000,p=10000,rho=0.5")


def measure(program, folder, name, lambdas):
    cost_table.row(name, by_ellzero.call(program, folder, "root", lambdas), cost_table.ROOT)


def run(program, folder):
    cost_table.head("Root bound alone", cost_table.ROOT)
    if (data := riboflavin.load()) is not None:
        stored = store_dense(folder / "riboflavin", *data)
        for lambda2 in RIBOFLAVIN["lambda2"]:
            for lambda0 in RIBOFLAVIN["lambda0"]:
                name = f"riboflavin lambda0={lambda0} lambda2={lambda2}"
                measure(program, stored, name, (lambda0, 0.0, lambda2))
    if (data_folder() / "text" / "news20.bz2").exists():
        for spec in TEXT:
            X, y, _, lambdas = make(spec)
            stored = store_sparse(folder / "text", sp.csc_matrix(X), y)
            measure(program, stored, f"{spec}, sparse", lambdas)
    for spec in SIMULATED:
        X, y, _, lambdas = make(spec)
        measure(program, store_dense(folder / "simulated", X, y), spec, lambdas)
