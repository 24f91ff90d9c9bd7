"""What a proof is worth: its answer's objective by one formula, its bound against everybody's best answer."""

from dataclasses import dataclass

import numpy as np
import parts  # noqa: F401 (finds instances.py)
from instances import objective


@dataclass
class Proof:
    contender: str
    coefficients: np.ndarray
    lower_bound: float
    seconds: float
    nodes: int
    status: str
    note: str = ""
    objective: float = np.nan  # set by judge()
    gap: float = np.nan  # relative; of this objective and this bound


def judge(instance, proof):
    """Objective and gap from the coefficients as they came, by the same function for every contender."""
    b = proof.coefficients
    if instance.loss == "squared":
        proof.objective = objective(instance.X, instance.y, b, instance.lambdas)
    else:
        u = instance.X @ b
        smooth = objective(np.zeros((1, len(b))), np.zeros(1), b, instance.lambdas)
        proof.objective = float(np.sum(np.logaddexp(0, u) - instance.y * u) + smooth)
    proof.gap = (proof.objective - proof.lower_bound) / proof.objective
    return proof


def disagreements(proofs, gap):
    """Sentences about bounds above a known answer, and about answers that were proved and are not the best."""
    best = min(proof.objective for proof in proofs)
    told = []
    for proof in proofs:
        if proof.lower_bound > best * (1 + 1e-9):
            told.append(
                f"{proof.contender}: its bound {proof.lower_bound:.10g} is above the answer {best:.10g}"
            )
        elif proof.gap <= gap and proof.objective > best * (1 + 1.01 * gap):
            told.append(f"{proof.contender}: says it is done at {proof.objective:.10g}; {best:.10g} is known")
    return told
