"""The problem of section 3, digit for digit: samples of positive weight, columns, and the objective of coefficients."""
import math
from dataclasses import dataclass
from fractions import Fraction
from operator import mul

from .arithmetic import (FINE_BITS, TOLERANCE, UNIT, Vector, difference, dot, down, exact, log_one_plus_exp_up,
                         units, up)
from .data import Data
from .model import Model
from .values import Refusal

ROOT_BITS = 160  # of s_j

Slopes = dict[int, tuple[int, int]]  # c_j, what column j is multiplied by, as a whole number and a shift


@dataclass
class Column:
    x: Vector
    total: int  # sum_i w_i x_ij, in the whole numbers of both; 0 without an intercept
    square: int  # of sum_i w_i (x_ij - m_j)^2 = square / below
    below: int
    s: tuple[int, int, int] = (1, 1, 0)  # s_j lies between the first and the second, over 2^third
    norm: tuple[int, int] = (1, 1)  # 1/s_j^2, a fraction
    lo: int | None = None  # -lo_j and hi_j, not below them; None is infinite
    hi: int | None = None

    @property
    def constant(self) -> bool:
        return self.square == 0

    def reach(self, tau: int) -> int | None:
        """M of (3.1): how far a coefficient may go that a tau of this sign moves; 0 is a sign that is not known."""
        if tau != 0:
            return self.hi if tau < 0 else self.lo
        return None if self.lo is None or self.hi is None else max(self.lo, self.hi)


class Problem:
    def __init__(self, data: Data, model: Model) -> None:
        self.model, n = model, len(data.y)
        weights = data.weights or [1.0] * n
        kept = [i for i, w in enumerate(weights) if w > 0]
        if min(weights, default=0) < 0 or not kept or not data.columns:
            raise Refusal("DATA: expected weights that are not negative, and something that has weight")
        samples = {"target": data.y, "weights": weights, "offset": data.offset or [0.0] * n}
        parts = samples | {f"column {j}": column for j, column in enumerate(data.columns)}
        for name, values in parts.items():
            check_size(values if name in samples else [values[i] for i in kept], name)
        vectors = [exact(values[i] for i in kept) for values in parts.values()]
        self.y, self.w, self.o = vectors[:3]
        self.classes = model.loss != "squared"
        if self.classes and {data.y[i] for i in kept} != {0.0 if model.loss == "logistic" else -1.0, 1.0}:
            raise Refusal(f"target: expected the two targets of {model.loss} loss, and both of them")
        self.t = difference(self.y, self.o)
        self.side = [-1 if y > 0 else 1 for y in self.y.values]  # F of a class is 0 <= side alpha <= w
        self.mass = sum(self.w.values) if model.intercept else 1  # what sums are divided by to become means
        self.columns = [self._column(x, model.lower[j], model.upper[j]) for j, x in enumerate(vectors[3:])]
        self.grams: dict[tuple[int, int], int] = {}

    def _column(self, x: Vector, lower: float | None, upper: float | None) -> Column:
        weighted = self.weighted(x)
        total = sum(weighted) if self.model.intercept else 0
        square = self.mass * dot(weighted, x.values) - total**2
        column = Column(x, total, square, self.mass << (self.w.shift + 2 * x.shift))
        if self.model.standardize and not column.constant:
            column.norm = square, column.below
            bits = max(0, ROOT_BITS - (column.below.bit_length() - square.bit_length()) // 2)
            root = math.isqrt((column.below << 2 * bits) // square)
            column.s = root, root + 1, bits
        column.lo, column.hi = (None if end is None else -(-(abs(units(end)) << column.s[2]) // column.s[0])
                                for end in (lower, upper))
        return column

    def weighted(self, v: Vector) -> list[int]:
        return list(map(mul, self.w.values, v.values))

    def gram(self, j: int, k: int) -> int:
        """The product of the centred columns j and k, weighted, times mass and powers of two."""
        if (j, k) not in self.grams:
            a, b = self.columns[j], self.columns[k]
            self.grams[j, k] = self.mass * dot(self.weighted(a.x), b.x.values) - a.total * b.total
        return self.grams[j, k]

    def fit(self, slopes: Slopes) -> Vector:
        """sum_j x_ij c_j"""
        shift = max((self.columns[j].x.shift + bits for j, (_, bits) in slopes.items()), default=0)
        values = [0] * len(self.y.values)
        for j, (c, bits) in slopes.items():
            x = self.columns[j].x
            factor = c << shift - x.shift - bits
            values = [value + factor * entry for value, entry in zip(values, x.values)]
        return Vector(values, shift)

    def predictor(self, b0: int, slopes: Slopes) -> Vector:
        """u_i = o_i + b0 + sum_j x_ij c_j, with b0 in units. (1.1)"""
        u = difference(self.fit(slopes), Vector([-o for o in self.o.values], self.o.shift))
        return difference(u, Vector([-b0] * len(u.values), UNIT)) if b0 else u

    def slopes(self) -> Slopes:
        """The model's coefficients."""
        return {j: (units(b), UNIT) for j, b in self.model.beta.items() if b != 0}

    def objective(self) -> tuple[int, int]:
        """(1.1) of the model's coefficients lies between these two."""
        model = self.model
        total = model.lambda0 * len(model.used)
        for j, (b, _) in self.slopes().items():
            column = self.columns[j]
            total += up(model.lambda1 * abs(b) << column.s[2], 2 * UNIT, column.s[0])
            total += up(model.lambda2 * b**2 * column.norm[0], 3 * UNIT, column.norm[1])
        u = self.predictor(units(model.b0), self.slopes())
        total += sum(self.loss(i, value, u.shift) for i, value in enumerate(u.values))
        terms = len(u.values) + 2 * len(self.slopes())  # each is above by less than a relative 2^-100 and 3 units
        return max(0, total - (total >> 100) - 3 * terms), total

    @staticmethod
    def allowed(objective: int) -> int:
        """How far from it a claim may be: a share of it, and what doubles lose below the normal numbers."""
        return math.floor(objective * TOLERANCE + Fraction(1e-280) * 2**UNIT)

    def square(self, v: Vector) -> tuple[int, int, int]:
        """|v|^2, weighted and centred, as top / 2^shift / bottom."""
        weighted = self.weighted(v)
        total = sum(weighted) if self.model.intercept else 0
        return self.mass * dot(weighted, v.values) - total**2, self.w.shift + 2 * v.shift, self.mass

    def loss(self, i: int, u: int, shift: int) -> int:
        """w_i l(u_i, y_i), not below it: section 2 of docs/math.md."""
        w, below, c = self.w.values[i], self.w.shift + shift, self.model.width
        if self.model.loss == "squared":
            residual = difference(Vector([u], shift), Vector([self.y.values[i]], self.y.shift))
            return up(w * residual.values[0] ** 2, self.w.shift + 2 * residual.shift + 1)
        v, one = self.side[i] * u, 1 << shift
        if self.model.loss == "logistic":  # log(1 + e^v) = max(v, 0) + log(1 + e^-|v|)
            rest = log_one_plus_exp_up(abs(v), one)
            return up(w * ((max(v, 0) << FINE_BITS) + (rest << shift)), below + FINE_BITS)
        short = one + v  # 1 - y u
        if short <= 0:
            return 0
        if short * c.denominator >= c.numerator * one:
            return up(w * (2 * short * c.denominator - c.numerator * one), below + 1, c.denominator)
        return up(w * short**2 * c.denominator, below + shift + 1, c.numerator)


def check_size(values: list[float], name: str) -> None:
    """Section 2: of targets, weights and offset in all rows, of columns in those that are left."""
    largest = max(map(abs, values))
    if largest != 0 and not 1e-60 <= largest <= 1e60:
        raise Refusal(f"{name}: largest magnitude is {largest:g}; expected 1e-60 to 1e60, or 0 only")
