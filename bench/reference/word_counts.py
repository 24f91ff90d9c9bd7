"""Word counts in LIBSVM format: all of news20 or imdb_train, from the folder ELLZERO_DATA, in compressed columns."""

import bz2

import numpy as np
import scipy.sparse as sp
from instances import data_folder


def load(name):
    """-> X (csc), labels; None where ELLZERO_DATA has no such file"""
    path = data_folder() / "text" / f"{name}.bz2"
    if not path.exists():
        return None
    with bz2.open(path, "rb") as file:
        lines = file.read().splitlines()
    labels = np.array([float(line.split(None, 1)[0]) for line in lines])
    entries = [line.count(b":") for line in lines]
    # Without labels, "index:value index:value" is one long list of numbers.
    numbers = b" ".join(line.partition(b" ")[2] for line in lines).replace(b":", b" ").split()
    pairs = np.array(numbers, dtype=float).reshape(-1, 2)
    rows = np.repeat(np.arange(len(lines)), entries)
    return sp.csc_matrix((pairs[:, 1], (rows, pairs[:, 0].astype(int) - 1))), labels
