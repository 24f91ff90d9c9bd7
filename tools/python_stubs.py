#!/usr/bin/env python3
"""Writes the type stubs of the Python package from the signatures that the table of settings implies.

Usage: python_stubs.py [--check]     (with the built package on PYTHONPATH; --check writes nothing and exits 1 if one is old)
"""
import inspect
import sys
from pathlib import Path

import ellzero

PACKAGE = Path(__file__).resolve().parent.parent / "python" / "ellzero"
HEAD = """# Written by tools/python_stubs.py from the table of settings.
import os
from typing import Any, Callable, Literal

import numpy as np
from numpy.typing import ArrayLike
"""
SOLVE = """
from ellzero._results import Path, Pool, Progress, Result, Selection, Verification

Callback = Callable[[Progress], Any]
"""
ESTIMATORS = """from sklearn.base import BaseEstimator, ClassifierMixin, RegressorMixin
from sklearn.feature_selection import SelectorMixin

from ellzero._results import Result, Selection

class _L0(SelectorMixin, BaseEstimator):
    intercept_: Any
    coef_: np.ndarray
    support_: np.ndarray
    objective_: float
    lower_bound_: float
    gap_: float
    relative_gap_: float
    status_: str
    verdicts_: np.ndarray
    n_iter_: int
    n_features_in_: int
    results_: list[Result]
    def set_callbacks(self, *callbacks: Any) -> Any: ...

class _Chosen(_L0):
    lambda0s_: Any
    coef_path_: Any
    nonzeros_path_: Any
    cv_mean_: Any
    cv_se_: Any
    cv_std_: Any
    metric_: str
    selections_: list[Selection]
    lambda0_min_: Any
    lambda0_1se_: Any
    lambda0_auto_: Any
    def with_rule(self, rule: Literal["auto", "min", "1se"]) -> Any: ...

class _Regression(RegressorMixin, _L0):
    def fit(self, X: Any, y: ArrayLike, sample_weight: ArrayLike | None = None) -> Any: ...
    def predict(self, X: Any) -> np.ndarray: ...

class _Classification(ClassifierMixin, _L0):
    classes_: np.ndarray
    def fit(self, X: Any, y: ArrayLike, sample_weight: ArrayLike | None = None) -> Any: ...
    def decision_function(self, X: Any) -> np.ndarray: ...
    def predict(self, X: Any) -> np.ndarray: ...
    def predict_proba(self, X: Any) -> np.ndarray: ...
    def predict_log_proba(self, X: Any) -> np.ndarray: ...
"""


def definition(name, function, indent=""):
    """`def name(...) -> ...: ...`, one parameter in a line."""
    signature = inspect.signature(function)
    lines, keywords = [], False
    for parameter in signature.parameters.values():
        if parameter.kind is parameter.KEYWORD_ONLY and not keywords:
            lines.append("*,")
            keywords = True
        text = parameter.name
        if parameter.annotation is not parameter.empty:
            text += f": {parameter.annotation}"
        if parameter.default is not parameter.empty:
            text += f" = {parameter.default!r}".replace("'", '"')
        lines.append(text + ",")
    answer = "None" if signature.return_annotation is signature.empty else signature.return_annotation
    body = "".join(f"{indent}    {line}\n" for line in lines)
    return f"{indent}def {name}(\n{body}{indent}) -> {answer}: ...\n"


def stubs():
    solve = "".join(definition(name, getattr(ellzero, name)) for name in ("fit", "prove", "path", "choose", "every_k", "pool", "verify"))
    classes = ""
    for name in ("L0Regressor", "L0Classifier", "L0RegressorCV", "L0ClassifierCV"):
        cls = getattr(ellzero, name)
        bases = ", ".join(base.__name__ for base in cls.__bases__)
        classes += f"\nclass {name}({bases}):\n" + definition("__init__", cls.__init__, "    ")
    return {"_solve.pyi": HEAD + SOLVE + "\n" + solve,
            "_estimators.pyi": HEAD.replace("import os\n", "").replace("Callable, ", "") + ESTIMATORS + classes}


def main():
    old = [name for name, text in stubs().items()
           if not (PACKAGE / name).is_file() or (PACKAGE / name).read_text(encoding="utf-8") != text]
    if "--check" in sys.argv:
        for name in old:
            print(f"{PACKAGE / name}: is old; run tools/python_stubs.py")
        return 1 if old else 0
    for name in old:
        (PACKAGE / name).write_text(stubs()[name], encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
