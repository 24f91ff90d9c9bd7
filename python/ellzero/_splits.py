"""What cross-validation leaves out in turn, in the words of scikit-learn."""
from __future__ import annotations

import numbers
from typing import Any

import numpy as np

Splits = list[tuple[list[int], list[int]]]  # rows to fit to, rows to judge by


def is_count(cv: Any) -> bool:
    return isinstance(cv, numbers.Integral) and not isinstance(cv, bool)


def with_folds(settings: dict[str, Any], cv: Any) -> dict[str, Any]:
    """A number in `cv` is that of folds."""
    if cv is not None and settings.get("folds") is not None:
        raise ValueError(f"cv and folds: values are {cv!r:.60} and {settings['folds']!r}; expected one of them")
    return {**settings, "folds": int(cv)} if is_count(cv) else settings


def splits_of(cv: Any, X: Any, y: Any, groups: Any, settings: dict[str, Any]) -> Splits:
    """The rows that a splitter, or the user, wants to fit to and to judge by; none where folds are dealt."""
    if cv is None or is_count(cv):
        if groups is not None:
            raise ValueError("groups: is set; expected None, or a splitter in cv that keeps groups together")
        return []
    for name in ("repeats", "seed"):
        if settings.get(name):
            raise ValueError(f"{name}: value is {settings[name]!r}; expected none beside the splits of cv")
    if settings.get("select", "cv") != "cv" or isinstance(cv, (str, bytes, bool)):
        raise ValueError(f"cv: value is {cv!r:.60}; expected a number of folds, a splitter or pairs of rows, and select='cv'")
    pairs = cv.split(X, y, groups) if hasattr(cv, "split") else cv
    samples = np.shape(y)[0]
    try:
        found = [(row_list(train, samples), row_list(test, samples)) for train, test in pairs]
    except (TypeError, ValueError) as error:
        raise ValueError(f"cv: {error}; expected a number of folds, a splitter or pairs of rows") from error
    if not found:
        raise ValueError("cv: makes no splits; expected at least 1")
    return found


def row_list(rows: Any, samples: int) -> list[int]:
    found = np.asarray(rows)
    if found.dtype == bool:
        if found.shape != (samples,):
            raise ValueError(f"a mask of shape {found.shape} for {samples} samples")
        found = np.flatnonzero(found)
    if found.ndim != 1 or (found.size and found.dtype.kind not in "iu"):
        raise ValueError(f"rows {rows!r:.60}")
    if found.size and found.max() >= 2**63:  # no number of a row; others are refused where they are used
        raise ValueError(f"row {found.max()} of {samples} samples")
    listed: list[int] = found.tolist()
    return listed
