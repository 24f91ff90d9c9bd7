"""Best subset selection with proof: models of few features, each with a bound on how much better any other could be."""
import importlib
from typing import Any

from ellzero import sources
from ellzero._core import NumericalError
from ellzero._core import version as __version__
from ellzero._estimators import L0Classifier, L0ClassifierCV, L0Regressor, L0RegressorCV
from ellzero._progress import History, ProgressBar
from ellzero._results import Path, Pool, Progress, Result, Selection, Verification
from ellzero._solve import choose, every_k, fit, path, pool, prove, verify

__all__ = [
    "History",
    "L0Classifier",
    "L0ClassifierCV",
    "L0Regressor",
    "L0RegressorCV",
    "NumericalError",
    "Path",
    "Pool",
    "Progress",
    "ProgressBar",
    "Result",
    "Selection",
    "Verification",
    "choose",
    "every_k",
    "fit",
    "path",
    "plot",
    "pool",
    "prove",
    "sources",
    "verify",
]


def __getattr__(name: str) -> Any:
    if name == "plot":  # only when it is wanted: it needs matplotlib
        return importlib.import_module("ellzero.plot")
    raise AttributeError(f"module 'ellzero' has no attribute '{name}'")
