"""Gene expression tables: few rows, thousands of columns, the target in the column of that name."""

import gzip

import numpy as np
from instances import data_folder


def load(name):
    """-> X (column-major), y, as they are in the file; None where ELLZERO_DATA has no such file"""
    path = data_folder() / "genes" / f"{name}.csv.gz"
    if not path.exists():
        return None
    with gzip.open(path, "rt") as file:
        names = file.readline().strip().split(",")
        table = np.loadtxt(file, delimiter=",")
    target = names.index("target")
    return np.asfortranarray(np.delete(table, target, axis=1)), table[:, target]
