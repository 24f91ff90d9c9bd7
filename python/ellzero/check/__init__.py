"""Checks a model and its proof against the data in exact arithmetic, by the rules of docs/proofs.md and nothing else.

    python -m ellzero.check MODEL DATA [PROOF]

Only the standard library is used, and nothing of ellzero: a copy of this folder works anywhere, as python -m check.
"Section" is one of docs/proofs.md; names, and numbers like (3.1), are those of docs/math.md. To be read in this order:

    values      what a file may say, and the two ways to say no
    arithmetic  exact sums, and roundings that are known to go one way
    data        the samples
    model       the claims, and the question that they answer       section 2
    problem     columns, and the objective of coefficients          section 3
    rules       what a point proves                                 sections 4 and 5
    tree        what a proof proves                                 sections 6 and 7
    claims      right, wrong or not checked                         section 1
"""
from .claims import CLAIMS, Outcome, check
from .data import Data, read_data
from .model import parse_model
from .values import Refusal

__all__ = ["CLAIMS", "Data", "Outcome", "Refusal", "check", "parse_model", "read_data"]
