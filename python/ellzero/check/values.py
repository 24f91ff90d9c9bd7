"""What a file may say, section 2: values that are checked before they are used, and the two ways to say no."""
import math
import re
from collections.abc import Sequence
from typing import Any

MOST_COLUMNS = 10**6  # more would take more memory than there is
LARGEST_VALUE = 1e100  # of coefficients and intercepts
LARGEST_DIAGONAL = 1e200
CONTROL = re.compile("[\x00-\x1f\x7f-\x9f]")  # no letter, but a command


class Refusal(Exception):
    """A file that cannot be read as a model, data or records: exit code 3."""


class Wrong(Exception):
    """Records that are not allowed where they stand, or say what is not true: exit code 5."""


def part(value: Any, key: str, kind: type) -> Any:
    if not isinstance(value, dict) or key not in value or not isinstance(value[key], kind):
        raise Refusal(f"{key}: is missing, or not of the type {kind.__name__}")
    return value[key]


def texts(value: Any, key: str) -> list[str]:
    found: list[str] = part(value, key, list)
    if not all(isinstance(text, str) for text in found):
        raise Refusal(f"{key}: value is {str(found)[:50]}; expected a list of texts")
    return found


def real(value: Any, name: str, lowest: float = -math.inf, highest: float = math.inf) -> float:
    if type(value) in (int, float) and abs(value) < 2**1024 - 2**970:  # rounds to a finite double
        number = float(value)
        if math.isfinite(number) and lowest <= number <= highest:
            return number
    raise Refusal(f"{name}: value is {str(value)[:50]}; expected a finite number from {lowest:g} to {highest:g}")


def real_or_null(value: Any, key: str) -> float | None:
    """A number, or null; the key is there."""
    number = part(value, key, object)
    return None if number is None else real(number, key)


def whole(value: Any, name: str, most: int = 2**63 - 1) -> int:
    if type(value) is int and 0 <= value <= most:
        return value
    raise Refusal(f"{name}: value is {str(value)[:50]}; expected a whole number from 0 to {most}")


def ascending(features: Sequence[Any], p: int, name: str) -> list[int]:
    found = [whole(j, name, p - 1) for j in features]
    if any(a >= b for a, b in zip(found, found[1:])):
        raise Refusal(f"{name}: features are {str(found)[:50]}; expected ascending ones")
    return found
