"""Contender l0bnb: started from ellzero's answer; lambda1 = 0 only, and its bound holds only within its box.

It is older than numpy 2, which has dropped a name it uses. The box is 1.5 times the largest coefficient of that
answer. The gap it is asked for is the task's, not its default of 1%.
"""

import numpy as np
from answers import Proof
from stopwatch import once

np.Inf = np.inf
from l0bnb import BNBTree  # noqa: E402


def solve(instance, known, gap, limit):
    lambda0, lambda1, lambda2 = instance.lambdas
    if lambda1 != 0:
        raise ValueError("l0bnb knows no lambda1")
    box = 1.5 * np.abs(known.coefficients).max()

    def run():
        tree = BNBTree(instance.X, instance.y)
        start = known.coefficients.copy()
        answer = tree.solve(lambda0, lambda2, box, gap_tol=gap, warm_start=start, time_limit=limit)
        return answer, tree.number_of_nodes

    (answer, nodes), seconds = once(run)
    # A tree that is exhausted leaves the gap as it was; everything was then pruned at the cost.
    exhausted = answer.gap > gap and seconds < limit
    bound = answer.cost * (1 - (0 if exhausted else min(answer.gap, 1)))
    status = "optimal" if exhausted or answer.gap <= gap else "time_limit"
    return Proof("l0bnb", answer.beta, bound, seconds, nodes, status, f"within |b| <= {box:.3g}")
