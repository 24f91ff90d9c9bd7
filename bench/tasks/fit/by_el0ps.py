"""Contender el0ps: branch and bound under a time limit, with the very objective of ellzero.

It asks for mpi4py, which cannot be imported where no MPI library is installed, and which one process does
not need: mpi4py is hidden from it, and its tree search is told that there is none.
"""

import functools
import sys

sys.modules["mpi4py"] = None  # an import of it now fails the way an absent package does

import pybnb  # noqa: E402

pybnb.Solver = functools.partial(pybnb.Solver, comm=None)

from el0ps.datafit import Leastsquares  # noqa: E402
from el0ps.penalty import L1L2norm  # noqa: E402
from el0ps.solver import BnbSolver  # noqa: E402
from judge import Answer  # noqa: E402
from stopwatch import timed  # noqa: E402

SECONDS = 20


def solve(instance, seconds=SECONDS):
    lambda0, lambda1, lambda2 = instance.lambdas
    datafit, penalty = Leastsquares(instance.y), L1L2norm(lambda1, lambda2)
    solver = BnbSolver(time_limit=seconds)
    result, elapsed = timed(lambda: solver.solve(datafit, penalty, instance.X, lambda0))
    return Answer("el0ps", result.x, elapsed, str(result.status))
