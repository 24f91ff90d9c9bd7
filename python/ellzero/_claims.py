"""What a result says of itself, before and beside its objective and its bound: types, data, gaps, status, verdicts."""
from __future__ import annotations

import math
import numbers
from typing import Any, Iterable, Sequence

import numpy as np

from ellzero import _core
from ellzero._results import VERDICTS, Result
from ellzero._settings import ROWS

TOLERANCE = 1e-9  # of claims, relative: that of the command line
REALS = ("objective", "lower_bound", "gap", "relative_gap", "intercept", "lambda1", "lambda2")
WHOLES = ("n", "p")
MAY_BE_UNSET = {"k": numbers.Integral, "lambda0": numbers.Real}
ARRAYS = {"support": "iu", "coefficients": "f", "verdict_codes": "iu"}  # and the kinds of their numbers


def wrong(name: str, value: Any, expected: str) -> _core.NumericalError:
    return _core.NumericalError(f"{name}: value is {value!r:.80}; expected {expected}")


def check_types(result: Any) -> None:
    """A result may have been changed by hand: whatever is in it is looked at before it is used."""
    if not isinstance(result, Result):
        raise TypeError(f"result: type is {type(result).__name__}; expected Result")
    kinds: dict[str, Any] = {**dict.fromkeys(REALS, numbers.Real), **dict.fromkeys(WHOLES, numbers.Integral)}
    kinds |= {name: kind for name, kind in MAY_BE_UNSET.items() if getattr(result, name) is not None}
    for name, kind in {**kinds, "settings": dict, "status": str, "loss": str}.items():
        value = getattr(result, name)
        if isinstance(value, (bool, np.bool_)) or not isinstance(value, kind):
            words = {numbers.Real: "a number", numbers.Integral: "a whole number", dict: "a dict", str: "a word"}
            raise TypeError(f"result.{name}: value is {value!r:.80}; expected {words[kind]}")
    for name, letters in ARRAYS.items():
        value = getattr(result, name)
        if not isinstance(value, np.ndarray) or value.ndim != 1 or value.dtype.kind not in letters:
            raise TypeError(f"result.{name}: value is {value!r:.80}; expected an array of one dimension, of "
                            f"{'whole numbers' if letters == 'iu' else 'numbers'}")
    if result.status not in _core.statuses:
        raise ValueError(f"result.status: value is {result.status!r}; expected one of {', '.join(_core.statuses)}")


def check_data(result: Result, n: int, p: int, classes: np.ndarray | None) -> None:
    """`n` counts samples of positive weight."""
    if result.n != n:
        raise wrong("n", result.n, f"{n}, the samples of positive weight")
    if result.p != p:
        raise wrong("p", result.p, f"{p}, the columns of X")
    loss = result.settings.get("loss", ROWS["loss"]["default"])
    if result.loss != loss:
        raise wrong("loss", result.loss, f"{loss!r}, as it is in the settings")
    if classes is not None and not np.array_equal(classes, result.classes if result.classes is not None else ()):
        raise wrong("classes", result.classes, f"those of y, {list(classes[:5])}")


def check_certificate(result: Result) -> None:
    """gap = objective - lower_bound, relative_gap = gap / |objective|, and "optimal" is what was asked for."""
    if not math.isfinite(result.lower_bound):
        if result.status == "optimal":
            raise wrong("status", result.status, "another without a lower bound")
        if math.isfinite(result.gap) or math.isfinite(result.relative_gap):
            raise wrong("gap", result.gap, "none without a lower bound")
        return
    gap, size = result.objective - result.lower_bound, abs(result.objective)
    allowed = TOLERANCE * (size + abs(result.lower_bound))
    if not abs(result.gap - gap) <= allowed:
        raise wrong("gap", result.gap, f"objective - lower_bound, {gap}")
    if not abs(result.relative_gap * size - gap) <= allowed:
        raise wrong("relative_gap", result.relative_gap, f"gap / objective, {gap / size if size else gap}")
    asked = result.settings.get("gap", ROWS["gap"]["default"])
    if result.status == "optimal" and not result.relative_gap <= max(asked, TOLERANCE):
        raise wrong("status", result.status, f"that of a relative gap of {result.relative_gap}, where {asked} was asked for")


def check_verdicts(result: Result, always: Iterable[int]) -> None:
    """A verdict that the coefficients speak against is wrong."""
    codes = result.verdict_codes
    if len(codes) != result.p or np.any(codes < 0) or np.any(codes >= len(VERDICTS)):
        raise wrong("verdict_codes", codes, f"{result.p} numbers from 0 to {len(VERDICTS) - 1}")
    used, kept = result.coef != 0, np.zeros(result.p, dtype=bool)
    kept[list(always)] = True
    verdicts = result.verdicts
    for j in np.flatnonzero(((verdicts == "never") & used) | ((verdicts == "always") & ~used & ~kept)):
        raise wrong(f"verdicts[{j}]", str(verdicts[j]), f"another, as the coefficient is {result.coef[j]}")


def count_verdicts(result: Result, proved: Sequence[int]) -> dict[str, int]:
    """How many of the verdicts that are more than "undecided" are proved; `proved` has one for each feature."""
    stated = result.verdicts != "undecided"
    right = stated & (np.asarray(VERDICTS)[np.asarray(proved)] == result.verdicts)
    return {"verdicts_right": int(right.sum()), "verdicts_not_checked": int(stated.sum() - right.sum())}


def is_reached(bound: float, claimed: float) -> bool:
    return not math.isfinite(claimed) or bound >= claimed - TOLERANCE * abs(claimed)
