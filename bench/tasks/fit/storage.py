"""Arrays on disk as bench_fit maps them: one folder per data set."""

import numpy as np


def store_dense(folder, X, y):
    folder.mkdir(exist_ok=True)
    np.save(folder / "X.npy", np.asfortranarray(X))
    np.save(folder / "y.npy", y)
    return folder


def store_sparse(folder, X, y):
    """X in compressed columns, sorted and without repeated entries: bench_fit then uses it in place."""
    folder.mkdir(exist_ok=True)
    for name, array in (("indptr", X.indptr), ("indices", X.indices), ("values", X.data)):
        array.astype(np.float64 if name == "values" else np.int32).tofile(folder / name)
    np.save(folder / "y.npy", y)
    return folder
