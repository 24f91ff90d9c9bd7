"""What a call from Python costs: time around fit() beyond what the library itself took, and how fast Ctrl-C ends a proof.

Usage: overhead.py     (with the package on PYTHONPATH or installed)
"""
import os
import signal
import statistics
import threading
import time

import ellzero
import numpy as np
from scipy import sparse


def overhead(X, y, repeats=30, **settings):
    """Median milliseconds of a call that are not the library's own."""
    extra = []
    for _ in range(repeats):
        start = time.perf_counter()
        result = ellzero.fit(X, y, **settings)
        extra.append(time.perf_counter() - start - result.seconds)
    return 1e3 * statistics.median(extra)


def interrupt_delay():
    """Milliseconds from a signal to the exception, in a proof that would take hours."""
    random = np.random.default_rng(5)
    X = 0.5 * random.normal(size=(80, 1)) + random.normal(size=(80, 300))
    y = X[:, :20].sum(axis=1) + 5 * random.normal(size=80)
    signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's background jobs ignore it
    sent = []

    def send():
        sent.append(time.perf_counter())
        os.kill(os.getpid(), signal.SIGINT)

    threading.Timer(1.0, send).start()
    try:
        ellzero.prove(X, y, lambda0=60, lambda2=0.005, gap=0, time_limit=30)
    except KeyboardInterrupt:
        return 1e3 * (time.perf_counter() - sent[0])
    return float("nan")


def main():
    random = np.random.default_rng(0)
    n, p = 500, 3000
    X = np.asfortranarray(random.normal(size=(n, p)))
    y = X[:, :20].sum(axis=1) + random.normal(size=n)
    print(f"n = {n}, p = {p}: milliseconds of a call beyond the library's own (median of 30)")
    for name, matrix in (("float64, Fortran order", X), ("float32, Fortran order", X.astype(np.float32, order="F")),
                         ("CSC", sparse.csc_array(np.where(np.abs(X) > 2, X, 0)))):
        print(f"  {name:<24}{overhead(matrix, y, lambda0=20.0, effort='quick'):8.3f}")
    delays = sorted(interrupt_delay() for _ in range(5))
    print(f"Ctrl-C during a proof: {delays[2]:.0f} ms in the median of 5, {delays[-1]:.0f} ms at most")


if __name__ == "__main__":
    main()
