"""Exact sums, and roundings that are known to go one way.

A vector of doubles is a list of whole numbers over a power of two, so that sums of products are exact. Prices, q and
bounds are whole numbers of units, 2^-1100; every double is one. What does not come out even is rounded so that the
bound gets smaller: `down` and `up` say which way.
"""
import decimal
import math
from collections.abc import Iterable
from fractions import Fraction
from operator import mul
from typing import NamedTuple

UNIT = 1100  # bits behind the point
LOG_BITS = 128  # behind the point of an entropy
FINE_BITS = UNIT + 256  # of a logistic loss: times the largest weight, one of its last bits is less than a unit
TOLERANCE = Fraction(1e-9)  # of claims, relative: the double, as `settings.gap` may be that


class Vector(NamedTuple):
    """Entry i is values[i] / 2^shift."""

    values: list[int]
    shift: int


def exact(numbers: Iterable[float]) -> Vector:
    ratios = [number.as_integer_ratio() for number in numbers]
    shift = max(bottom.bit_length() - 1 for _, bottom in ratios)
    return Vector([top << (shift + 1 - bottom.bit_length()) for top, bottom in ratios], shift)


def difference(a: Vector, b: Vector) -> Vector:
    shift = max(a.shift, b.shift)
    return Vector([(x << shift - a.shift) - (y << shift - b.shift) for x, y in zip(a.values, b.values)], shift)


def dot(a: Iterable[int], b: Iterable[int]) -> int:
    return sum(map(mul, a, b))


def moved(value: int, bits: int) -> int:
    """value 2^bits, rounded down."""
    return value << bits if bits >= 0 else value >> -bits


def down(top: int, shift: int, bottom: int = 1) -> int:
    """top / 2^shift / bottom in units, rounded down."""
    return (top << UNIT - shift) // bottom if shift <= UNIT else top // (bottom << shift - UNIT)


def up(top: int, shift: int, bottom: int = 1) -> int:
    return -down(-top, shift, bottom)


def units(number: float) -> int:
    top, bottom = number.as_integer_ratio()
    return down(top, bottom.bit_length() - 1)


def nearest(bound: int) -> float:
    try:
        return bound / (1 << UNIT)
    except OverflowError:
        return math.inf


# Decimal.exp and Decimal.ln are correctly rounded, here to 50 digits. Their arguments are off by a relative 1e-49 and
# logarithms are below 1e4, so that results are off by less than 1e-44: far less than 2^-LOG_BITS = 3e-39, two of which
# are added. Operators would round to the digits of another context: only methods of this one are used.
DECIMAL = decimal.Context(prec=50, Emin=decimal.MIN_EMIN, Emax=decimal.MAX_EMAX)
ABOVE = decimal.Decimal("1." + 30 * "0" + "1")


def quotient(top: int, bottom: int) -> decimal.Decimal:
    return DECIMAL.divide(decimal.Decimal(top), decimal.Decimal(bottom))


def fixed(number: decimal.Decimal, bits: int) -> int:
    return int(DECIMAL.multiply(number, decimal.Decimal(1 << bits)))


def entropy_up(top: int, bottom: int) -> int:
    """m log m + (1 - m) log(1 - m) at m = top/bottom in [0, 1], in 2^-LOG_BITS and not below it."""
    parts = [quotient(part, bottom) for part in (top, bottom - top) if part > 0]
    return sum(fixed(DECIMAL.multiply(m, DECIMAL.ln(m)), LOG_BITS) for m in parts) + 2


def log_one_plus_exp_up(top: int, bottom: int) -> int:
    """log(1 + e^-t) at t = top/bottom >= 0, in 2^-FINE_BITS, not below it, and above by a relative 2e-31 and 2 at most.

    e^-10000 is less than one of them. log(1 + e) = e - e^2/2 is off by a relative e^2/3, and the logarithm of a sum that
    is rounded to 50 digits by a relative 1e-49/e: both are below 1e-31.
    """
    e = DECIMAL.exp(DECIMAL.minus(min(decimal.Decimal(10000), quotient(top, bottom))))
    if e < decimal.Decimal("1e-16"):
        log = DECIMAL.subtract(e, DECIMAL.divide(DECIMAL.multiply(e, e), 2))
    else:
        log = DECIMAL.ln(DECIMAL.add(1, e))
    return fixed(DECIMAL.multiply(log, ABOVE), FINE_BITS) + 2
