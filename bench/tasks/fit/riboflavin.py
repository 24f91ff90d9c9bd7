"""The riboflavin data (71 x 4088) as the benchmarks use it: all centred, columns scaled to norm 1."""

import gzip

import numpy as np
from instances import data_folder


def load():
    """-> X (column-major), y; None where ELLZERO_DATA has no such file"""
    path = data_folder() / "genes" / "riboflavin.csv.gz"
    if not path.exists():
        return None
    with gzip.open(path, "rt") as file:
        names = file.readline().strip().split(",")
        table = np.loadtxt(file, delimiter=",")
    target = names.index("target")
    X = np.delete(table, target, axis=1)
    X -= X.mean(axis=0)
    y = table[:, target] - table[:, target].mean()
    return np.asfortranarray(X / np.linalg.norm(X, axis=0)), y
