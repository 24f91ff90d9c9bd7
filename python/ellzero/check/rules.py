"""What a point proves, section 4: by a dual vector, or with a diagonal, which must be one of section 5."""
import contextlib
import math
from collections.abc import Iterable, Sequence
from fractions import Fraction

from .arithmetic import (LOG_BITS, UNIT, Vector, difference, dot, down, entropy_up, exact, moved, nearest, up)
from .model import Model
from .problem import ROOT_BITS, Problem, Slopes
from .values import Wrong

EMPTY = 1 << 9999  # the bound of a set without solutions
ALPHA_BITS = 128  # of the largest alpha_i
MOST_BITS = 4 * UNIT  # behind the point of any: what is less counts nowhere, and steps would ask for more and more
SWEEPS = 50  # over the columns, for a vector that is nearly good enough
FREE, IN, OUT = 0, 1, 2

Parts = tuple[int | None, dict[int, int]]  # of a bound: the loss's, and q. None: some q is infinite, nothing is proved


class Proved:
    """What a point proves: for its node, and for each side of a free feature. (7.1), (7.2)"""

    def __init__(self, model: Model, states: Sequence[int], loss_part: int | None, q: dict[int, int]) -> None:
        inside, self.lambda0 = states.count(IN), model.lambda0
        self.left = EMPTY if model.k is None else model.k - inside
        self.floor = self.node = self.dual = model.lambda0 * inside
        self.q, self.to_use, self.to_miss = q, model.lambda0, model.lambda0  # the q from which on using, missing costs
        if self.left < 0:
            self.node = EMPTY
        if self.left < 0 or loss_part is None:
            self.q, self.to_use, self.to_miss = {}, 0, 0
            return
        free = sorted((q.get(j, 0) for j, state in enumerate(states) if state == FREE), reverse=True)
        self.dual = loss_part + sum(model.lambda0 - q.get(j, 0) for j, state in enumerate(states) if state == IN)
        if model.k is None:
            self.dual += sum(min(0, model.lambda0 - value) for value in free)
        else:
            self.dual -= sum(free[: self.left])
            self.to_use = free[self.left - 1] if 0 < self.left <= len(free) else 0
            self.to_miss = free[self.left] if self.left < len(free) else 0
        self.node = max(self.floor, self.dual)

    def use(self, j: int) -> int:
        """Solutions that use the free feature j. (6.1), (6.4)"""
        if self.left <= 0:
            return EMPTY
        return max(self.node, self.floor + self.lambda0, self.dual + max(0, self.to_use - self.q.get(j, 0)))

    def leave(self, j: int) -> int:
        """Solutions that do not. (6.2), (6.4)"""
        return max(self.node, self.dual + max(0, self.q.get(j, 0) - self.to_miss))


def conjugate(a: int, most: int | None, twice: int) -> int | None:
    """q of (3.1), not below it: a = |tau| - lambda1, `most` is M, `twice` is 2 lambda2. None is infinite."""
    if a <= 0 or most == 0:
        return 0
    if most is not None and twice * most <= a << UNIT:
        return up(most * ((2 * a << UNIT) - twice * most), 3 * UNIT + 1)
    return None if twice == 0 else -(-a * a // (2 * twice))


def parts_of(loss_part: int, q: dict[int, int | None]) -> Parts:
    finite = {j: value for j, value in q.items() if value is not None}
    return (loss_part, finite) if len(finite) == len(q) else (None, {})


class Best:
    """The best of what several vectors of a point prove, for its node and for each side of a feature."""

    def __init__(self, found: Sequence[Proved]) -> None:
        self.found, self.node = found, max(one.node for one in found)

    def use(self, j: int) -> int:
        return max(one.use(j) for one in self.found)

    def leave(self, j: int) -> int:
        return max(one.leave(j) for one in self.found)


class Dual:
    """Makes dual vectors of points, and says what they prove."""

    def __init__(self, problem: Problem) -> None:
        self.problem, self.model = problem, problem.model

    def parts(self, b0: int, slopes: Slopes, states: Sequence[int], live: Sequence[int]) -> list[Parts]:
        """Of the point's vector, of that with a finer intercept where there is one, and of what is a small step away."""
        u = self.problem.predictor(b0, slopes)
        found = self.parts_near(self.vector(u), slopes, states, live)
        if self.problem.classes and self.model.intercept and (closer := self.finer(u, b0)) != u:
            found += self.parts_near(self.vector(closer), slopes, states, live)
        return found

    def parts_near(self, alpha: Vector, slopes: Slopes, states: Sequence[int], live: Sequence[int]) -> list[Parts]:
        """Of alpha, and of a vector a small step away if that had to be scaled back, or if digits matter."""
        found, scaled = self.parts_at(alpha, live)
        if scaled:
            return [found, self.parts_at(self.nearer(alpha, live), live)[0]]
        wanted = wanted_products(self.problem, slopes, states) if found[0] is not None else {}
        if not wanted or cost_of_digits(self.problem, slopes) <= 1e-11 * abs(nearest(found[0] or 0)):
            return [found]
        return [found, self.parts_at(self.towards(alpha, wanted), live)[0]]

    def vector(self, u: Vector) -> Vector:
        """alpha_i = w_i l'(u_i), then made feasible. (3.7)"""
        w, side = self.problem.w, self.problem.side
        if self.model.loss == "squared":
            slope, bottom = difference(u, self.problem.y), 1
        elif self.model.loss == "smoothed-hinge":  # side (1 - y u) / c, before F cuts it off
            c, one = self.model.width, 1 << u.shift
            slope = Vector([a * (one + a * value) * c.denominator for a, value in zip(side, u.values)], u.shift)
            bottom = c.numerator
        else:  # any number in [0, 1] will do as a slope, so that floating point may propose it
            far, bottom = 700 << u.shift, 1
            v = [max(-far, min(far, a * value)) / (1 << u.shift) for a, value in zip(side, u.values)]
            slope = exact(a / (1 + math.exp(-value)) for a, value in zip(side, v))
        return self.feasible(self.problem.weighted(slope), bottom << w.shift + slope.shift)

    def finer(self, u: Vector, b0: int) -> Vector:
        """u with its intercept moved, within its last digits, to where the sum of alpha is 0.

        Where means of columns are large, so is the intercept, and its digits are coarser than those of the point: what
        is moved may prove less."""
        far = max(abs(nearest(b0)), *(abs(o) / (1 << self.problem.o.shift) for o in self.problem.o.values))
        digit, side = 64 * 2.0**-53 * far, self.problem.side
        weights = [weight / (1 << self.problem.w.shift) for weight in self.problem.w.values]
        numbers, c = [value / (1 << u.shift) for value in u.values], float(self.model.width)

        def slope(v: float) -> float:  # of a sample whose side times u is v
            if self.model.loss == "logistic":
                return 1 / (1 + math.exp(-max(-700.0, min(700.0, v))))
            return min(1.0, max(0.0, (1 + v) / c))

        def total(more: float) -> float:
            return sum(weight * a * slope(a * (value + more)) for weight, a, value in zip(weights, side, numbers))

        if digit < 1e-12 or not total(-digit) < 0 < total(digit):
            return u
        low, high = -digit, digit
        for _ in range(60):
            middle = (low + high) / 2
            low, high = (middle, high) if total(middle) < 0 else (low, middle)
        return difference(u, exact([-low] * len(u.values)))

    def feasible(self, tops: list[int], bottom: int) -> Vector:
        """alpha = tops/bottom moved into F, then to a sum of 0 where there is an intercept, rounded to ALPHA_BITS."""
        w = self.problem.w
        if self.problem.classes:
            tops = [a * max(0, min(a * top, weight * bottom >> w.shift))
                    for a, top, weight in zip(self.problem.side, tops, w.values)]
        if self.model.intercept and self.problem.classes:
            plus, minus = sum(top for top in tops if top > 0), -sum(top for top in tops if top < 0)
            less, more = min(plus, minus), max(plus, minus, 1)
            tops = [top * (less if (top > 0) == (plus > minus) else more) for top in tops]
            bottom *= more
        elif self.model.intercept:
            tops, bottom = centred(self.problem, tops, bottom)
        if not any(tops):
            return Vector([0] * len(tops), UNIT)
        shift = min(MOST_BITS, max(0, ALPHA_BITS + bottom.bit_length() - max(map(abs, tops)).bit_length()))
        alpha = [(top << shift) // bottom if top > 0 else -((-top << shift) // bottom) for top in tops]  # towards 0
        excess = sum(alpha) if self.model.intercept else 0
        for i, a in enumerate(alpha):
            if a * excess > 0:  # what rounding has left is taken off entries of its own sign
                take = min(a, excess) if a > 0 else max(a, excess)
                alpha[i], excess = a - take, excess - take
        return Vector(alpha, shift)

    def is_feasible(self, alpha: Vector) -> bool:
        """Whatever has made alpha: its sum is 0, and every entry is in F."""
        if self.model.intercept and sum(alpha.values) != 0:
            return False
        w, side = self.problem.w, self.problem.side
        inside = (0 <= a * value << w.shift <= weight << alpha.shift
                  for a, value, weight in zip(side, alpha.values, w.values))
        return not self.problem.classes or all(inside)

    def loss_part(self, alpha: Vector) -> int:
        """sum_i (alpha_i o_i - l_i*(alpha_i)), not above it. (3.3)"""
        w, o, t = self.problem.w, self.problem.o, self.problem.t
        if self.model.loss == "logistic":
            entropy = sum(weight * entropy_up(abs(a) << w.shift, weight << alpha.shift)
                          for weight, a in zip(w.values, alpha.values))
            return down(dot(alpha.values, o.values), alpha.shift + o.shift) - up(entropy, w.shift + LOG_BITS)
        c = self.model.width if self.problem.classes else Fraction(1)
        squares = sum(up(c.numerator * a * a << w.shift, 2 * alpha.shift + 1, weight * c.denominator)
                      for weight, a in zip(w.values, alpha.values))
        return -up(dot(alpha.values, t.values), alpha.shift + t.shift) - squares

    def product(self, j: int, alpha: Vector) -> int:
        """x_j' alpha. Where there is an intercept it is (x_j - m_j)' alpha, as the sum of alpha is 0."""
        return dot(self.problem.columns[j].x.values, alpha.values)

    def tau(self, j: int, product: int, shift: int) -> int:
        """|tau_j|, not below it."""
        column = self.problem.columns[j]
        return up(abs(product) * column.s[1], column.x.shift + shift + column.s[2])

    def endless(self, j: int, product: int) -> bool:
        """Whether q_j is infinite where |tau_j| > lambda1, for a tau_j of this sign. (3.8)"""
        return self.model.lambda2 == 0 and product != 0 and self.problem.columns[j].reach(product) is None

    def parts_at(self, alpha: Vector, live: Iterable[int]) -> tuple[Parts, bool]:
        """Also whether alpha had to be scaled back, but not to 0. (3.1), (3.8)"""
        if not self.is_feasible(alpha):
            return (None, {}), False
        lambda1, products = self.model.lambda1, {j: self.product(j, alpha) for j in live}
        endless = [(j, product) for j, product in products.items() if self.endless(j, product)]
        worst = max((self.tau(j, product, alpha.shift) for j, product in endless), default=0)
        if worst > lambda1:
            factor = (lambda1 << ROOT_BITS) // worst
            alpha = Vector([a * factor for a in alpha.values], alpha.shift + ROOT_BITS)
            products = {j: product * factor for j, product in products.items()}
        q = {}
        for j, product in products.items():
            a, reach = self.tau(j, product, alpha.shift) - lambda1, self.problem.columns[j].reach(product)
            q[j] = conjugate(a, reach, 2 * self.model.lambda2)
        return parts_of(self.loss_part(alpha), q), worst > lambda1 > 0

    def towards(self, alpha: Vector, wanted: dict[int, float]) -> Vector:
        """Steps along one column after the other to where x_j' alpha is what is wanted, larger where l'' is."""
        problem, w = self.problem, self.problem.w
        shares = [min(1.0, abs(a) / (1 << alpha.shift) / (v / (1 << w.shift))) for a, v in zip(alpha.values, w.values)]
        curved = [s * (1 - s) if self.model.loss == "logistic" else float(0 < s < 1) for s in shares]
        weights = [v * int(c * 2**60) for v, c in zip(w.values, curved if problem.classes else [1.0] * len(curved))]
        mass = sum(weights) if self.model.intercept else 1
        for _ in range(SWEEPS):
            before = alpha
            for j, target in wanted.items():
                x = problem.columns[j].x
                total = dot(weights, x.values) if self.model.intercept else 0
                line = [weight * (mass * value - total) for weight, value in zip(weights, x.values)]
                top, bottom = target.as_integer_ratio()
                excess, square = self.product(j, alpha) - (top << x.shift + alpha.shift) // bottom, dot(line, x.values)
                if square > 0:
                    alpha = Vector([a - excess * d // square for a, d in zip(alpha.values, line)], alpha.shift)
            alpha = self.feasible(alpha.values, 1 << alpha.shift)
            if alpha == before or not any(alpha.values):
                break
        return alpha

    def nearer(self, alpha: Vector, live: Sequence[int]) -> Vector:
        """A step towards |tau_j| <= lambda1, along one column after the other. What is left of it is scaled back."""
        problem, room = self.problem, self.model.lambda1 - self.model.lambda1 // 10**9
        for _ in range(SWEEPS):
            before = alpha
            for j in live:
                column, product = problem.columns[j], self.product(j, alpha)
                tau = down(product * column.s[0], column.x.shift + alpha.shift + column.s[2])
                excess = tau - max(-room, min(room, tau))
                if excess == 0 or not self.endless(j, product):
                    continue  # else alpha_i is lowered by w_i (x_ij - m_j) excess / (s_j sum_i w_i (x_ij - m_j)^2)
                top = moved(excess, column.s[2] + alpha.shift - UNIT + column.x.shift)
                centred_column = [problem.mass * x - column.total for x in column.x.values]
                steps = [top * w * x // (column.square * column.s[0]) for w, x in zip(problem.w.values, centred_column)]
                alpha = Vector([a - step for a, step in zip(alpha.values, steps)], alpha.shift)
            if alpha == before:
                break
            alpha = self.feasible(alpha.values, 1 << alpha.shift)
        return alpha


def norms(problem: Problem, j: int) -> tuple[float, float]:
    """sqrt(sum_i w_i (x_ij - m_j)^2) and s_j, nearly: they propose a step, and prove nothing."""
    column = problem.columns[j]
    return math.sqrt(Fraction(column.square, column.below)), column.s[0] / 2 ** column.s[2]


def coefficients(problem: Problem, slopes: Slopes) -> dict[int, float]:
    """b_j = c_j / s_j, without constant columns. c_j itself may be beyond doubles; a quotient that is proposes nothing."""
    found = dict[int, float]()
    for j, (c, bits) in slopes.items():
        column = problem.columns[j]
        if not column.constant:
            with contextlib.suppress(OverflowError):
                found[j] = (c << column.s[2]) / (column.s[0] << bits)
    return found


def cost_of_digits(problem: Problem, slopes: Slopes) -> float:
    """What the last digits of coefficients may cost a bound, roughly."""
    b, sizes = coefficients(problem, slopes), {j: math.prod(norms(problem, j)) for j in slopes}
    tau = 2.0**-53 * sum(abs(value) * sizes[j] for j, value in b.items()) * max(sizes.values(), default=0)
    return tau * max(map(abs, b.values()), default=0) + tau * tau / (4 * nearest(problem.model.lambda2))


def wanted_products(problem: Problem, slopes: Slopes, states: Sequence[int]) -> dict[int, float]:
    """x_j' alpha at an optimum with these coefficients, for those that are not at a bound. (3.1)"""
    model, wanted = problem.model, {}
    lambda1, lambda2 = nearest(model.lambda1), nearest(model.lambda2)
    b = coefficients(problem, slopes) if lambda2 > 0 else {}
    knee = math.sqrt(nearest(model.lambda0) / lambda2) if lambda2 > 0 else 0.0
    if model.k is not None:  # where sum_j min(1, |b_j| / knee) over free features is what is left of the budget
        free = sorted((abs(value) for j, value in b.items() if states[j] == FREE and value), reverse=True)
        left = model.k - states.count(IN)
        full = next((m for m in range(left) if m < len(free) and free[m] * (left - m) <= sum(free[m:])), left)
        knee = sum(free[full:]) / (left - full) if full < left else 0.0
    for j, value in b.items():
        reach = problem.columns[j].reach(-1 if value > 0 else 1)
        most = math.inf if reach is None else nearest(reach)
        if value == 0 or states[j] == OUT or abs(value) >= most * (1 - 1e-9):
            continue
        own = knee if states[j] == FREE else 0.0
        tau = lambda1 + 2 * lambda2 * max(abs(value), own)
        if own > most:
            tau = lambda1 + lambda2 * own * own / most + lambda2 * most
        if math.isfinite(tau / norms(problem, j)[1]):
            wanted[j] = math.copysign(tau / norms(problem, j)[1], -value)
    return wanted


def centred(problem: Problem, tops: list[int], bottom: int) -> tuple[list[int], int]:
    """Less the weighted mean."""
    total, mass = sum(tops), problem.mass
    return [top * mass - weight * total for top, weight in zip(tops, problem.w.values)], bottom * mass


class Diagonals:
    """Diagonals d, in units: whether they are fit, and what a point proves with one."""

    def __init__(self, problem: Problem) -> None:
        self.problem, self.model = problem, problem.model

    def check(self, d: dict[int, int], name: str) -> None:
        if self.model.loss != "squared":
            raise Wrong(f"{name}: expected none, as the loss is not squared")
        if any(value < -2 * self.model.lambda2 for value in d.values()):
            raise Wrong(f"{name}: has a number below -2 lambda2")
        d = {j: value for j, value in d.items() if not self.problem.columns[j].constant}
        if any(value > 0 for value in d.values()) and not self.is_semidefinite(d):
            raise Wrong(f"{name}: what it leaves of Z'Z is not positive semidefinite")

    def is_semidefinite(self, d: dict[int, int]) -> bool:
        """Z'Z - diag(d): an LDL' factorisation of the weighted X'X - diag(d_j / s_j^2), times mass and powers of two.

        Entries are rounded to whole numbers, where the diagonal begins with 200 bits. A symmetric matrix of m rows
        whose entries are below 1 is at most m times the identity. So m is taken off the diagonal whenever entries are
        rounded: the matrix is never above the exact one, and positive pivots prove both.
        """
        columns, m, rows = self.problem.columns, len(d), list[list[int]]()
        bits = {j: 100 - columns[j].square.bit_length() // 2 for j in d}
        for j in d:
            top, bottom = columns[j].norm
            bottom <<= UNIT + 2 * max(0, -bits[j])
            less = (d[j] * top * columns[j].below << 2 * max(0, bits[j])) // bottom + 1
            rows.append([moved(self.problem.gram(j, k), bits[j] + bits[k]) for k in list(d)[: len(rows)]])
            rows[-1].append(moved(columns[j].square, 2 * bits[j]) - less - m)
        while rows:
            pivots = [row[0] for row in rows]
            if pivots[0] <= 0:
                return False
            rows = [[a - first * second // pivots[0] for a, second in zip(row[1:], pivots[1:])]
                    for row, first in zip(rows[1:], pivots[1:])]
            for row in rows:
                row[-1] -= m
        return True

    def parts(self, slopes: Slopes, d: dict[int, int], live: Iterable[int]) -> Parts:
        """(7.3), where c_j = b_j s_j: b_j^2 = c_j^2 / s_j^2 and tau_j = s_j (x_j' alpha - d_j c_j / s_j^2)."""
        problem = self.problem
        slopes = {j: slope for j, slope in slopes.items() if not problem.columns[j].constant}
        fit = problem.fit(slopes)
        residual = difference(fit, problem.t)
        tops, bottom = problem.weighted(residual), 1 << problem.w.shift + residual.shift
        if self.model.intercept:
            tops, bottom = centred(problem, tops, bottom)
        (top, shift, mass), (fit_top, fit_shift, _) = problem.square(problem.t), problem.square(fit)
        loss_part = down(top, shift + 1, mass) - up(fit_top, fit_shift + 1, mass)
        for j, (c, bits) in slopes.items():
            norm = problem.columns[j].norm
            loss_part += down(d[j] * c * c * norm[0], UNIT + 2 * bits + 1, norm[1])
        q: dict[int, int | None] = {}
        for j in live:
            column, (c, bits) = problem.columns[j], slopes.get(j, (0, 0))
            product = down(dot(column.x.values, tops), column.x.shift, bottom)
            product -= down(d[j] * c * column.norm[0], UNIT + bits, column.norm[1])  # each is off by less than 1
            a = up((abs(product) + 2) * column.s[1], UNIT + column.s[2]) - self.model.lambda1
            q[j] = conjugate(a, column.reach(product if abs(product) > 2 else 0), 2 * self.model.lambda2 + d[j])
        return parts_of(loss_part, q)
