"""Sparse sweep per stored entry: ellzero against scipy's X.T @ v on the same matrices, answers compared first.

Usage: sparse_sweep.py PROGRAM     (PROGRAM = the built bench_sparse_sweep)
Real text is used when ELLZERO_DATA (default ../shared/data) has it; random matrices are always run.
"""

import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
import scipy.sparse as sp

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "reference"))
import word_counts  # noqa: E402


def random_matrix(rows, cols, density):
    rng = np.random.default_rng(1)
    count = int(rows * cols * density)
    places = (rng.integers(rows, size=count), rng.integers(cols, size=count))
    return sp.csc_matrix((rng.standard_normal(count), places), shape=(rows, cols))


def median_seconds(f, repeats=15):
    f()
    times = []
    for _ in range(repeats):
        start = time.perf_counter()
        f()
        times.append(time.perf_counter() - start)
    return statistics.median(times)


def compare(program, name, X):
    v = np.random.default_rng(0).standard_normal(X.shape[0])
    with tempfile.TemporaryDirectory() as folder:
        for part, array in (
            ("indptr", X.indptr.astype(np.int32)),
            ("indices", X.indices.astype(np.int32)),
            ("values", X.data.astype(np.float64)),
            ("v", v),
        ):
            array.tofile(f"{folder}/{part}")
        seconds = float(subprocess.check_output([program, folder, str(X.shape[0])]))
        tau = np.fromfile(f"{folder}/tau")
    expected = X.T @ v
    scale = np.sqrt(X.multiply(X).sum(axis=0)).A1 * np.linalg.norm(v)
    assert np.all(np.abs(tau - expected) <= 1e-12 * scale), "the answers differ"
    peer = median_seconds(lambda: X.T @ v)
    print(
        f"sparse sweep, {name}: {X.shape[0]} x {X.shape[1]}, {X.nnz} entries: "
        f"{1e9 * seconds / X.nnz:.2f} ns per entry, scipy {1e9 * peer / X.nnz:.2f} ns: {peer / seconds:.2f}x"
    )


def main():
    program = sys.argv[1]
    compare(program, "random 1%", random_matrix(10_000, 20_000, 0.01))
    compare(program, "random 0.1%", random_matrix(100_000, 50_000, 0.001))
    if (news := word_counts.load("news20")) is not None:
        compare(program, "news20", news[0])
    else:
        print("sparse sweep, news20: left out, ELLZERO_DATA does not have it")


if __name__ == "__main__":
    main()
