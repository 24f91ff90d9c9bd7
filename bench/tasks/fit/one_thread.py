"""Keeps every peer on one thread: imported before numpy, whose libraries read these variables on loading."""

import os

for library in ("OMP", "OPENBLAS", "MKL", "NUMBA", "BLIS"):
    os.environ[f"{library}_NUM_THREADS"] = "1"
