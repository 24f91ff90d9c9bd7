"""Contender el0ps: its branch and bound with the very objective of ellzero, started from nothing.

Its own gap divides by max(1, |P|): it is asked for gap min(1, P), where P is the objective of `known`.
"""

import numpy as np
from answers import Proof
from by_el0ps import BnbSolver, L1L2norm, Leastsquares
from el0ps.datafit import Logistic
from stopwatch import once


class Solver(BnbSolver):
    """Keeps the bound, which el0ps itself does not return."""

    def package_results(self, problem, results):
        self.bound = results.bound
        return super().package_results(problem, results)


def solve(instance, known, gap, limit):
    lambda0, lambda1, lambda2 = instance.lambdas
    signs = 2 * instance.y - 1
    datafit = Leastsquares(instance.y) if instance.loss == "squared" else Logistic(signs)
    solver = Solver(time_limit=limit, relative_gap=gap * min(1, known.objective))
    result, seconds = once(lambda: solver.solve(datafit, L1L2norm(lambda1, lambda2), instance.X, lambda0))
    status = str(result.status).rpartition(".")[2].lower()
    return Proof("el0ps", np.asarray(result.x), solver.bound, seconds, result.iter_count, status)
