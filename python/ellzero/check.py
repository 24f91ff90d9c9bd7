"""Checks a model and its proof against the data in exact arithmetic, by the rules of docs/proofs.md and nothing else.

    python -m ellzero.check MODEL DATA [PROOF]

Only the standard library is used, and nothing of ellzero. "Section" is one of docs/proofs.md; names, and numbers like (3.1),
are those of docs/math.md. In this order: numbers, data, model, problem, dual vectors, diagonals, proof, claims, command line.

A vector of doubles is a list of whole numbers over a power of two, so that sums of products are exact. Prices, q and bounds
are whole numbers of units, 2^-1100; every double is one. What does not come out even is rounded so that the bound gets
smaller: `down` and `up` say which way. None is infinite.
"""
from __future__ import annotations

import argparse
import bz2
import csv
import decimal
import gzip
import io
import json
import math
import re
import struct
import sys
import zlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from operator import mul
from typing import Any, NamedTuple

UNIT = 1100  # bits behind the point
EMPTY = 1 << 9999  # the bound of a set without solutions
TOLERANCE = Fraction(1, 10**9)  # of claims, relative
ROOT_BITS, ALPHA_BITS, LOG_BITS = 160, 128, 128  # of s_j, of the largest alpha_i, behind the point of a logarithm
MOST_COLUMNS = 10**6  # more would take more memory than there is
FREE, IN, OUT = 0, 1, 2


class Refusal(Exception):
    """A file that cannot be checked: exit code 3."""


class Wrong(Exception):
    """A proof that says what is not true: exit code 5."""


# ---- Numbers ----


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


# Decimal.exp and Decimal.ln are correctly rounded, here to 50 digits. Their arguments are off by a relative 1e-49 and logarithms
# are below 1e4, so that results are off by less than 1e-44: far less than 2^-LOG_BITS = 3e-39, two of which are added. Operators
# would round to the digits of another context: only methods of this one are used.
DECIMAL = decimal.Context(prec=50, Emin=decimal.MIN_EMIN, Emax=decimal.MAX_EMAX)


def quotient(top: int, bottom: int) -> decimal.Decimal:
    return DECIMAL.divide(decimal.Decimal(top), decimal.Decimal(bottom))


def fixed(number: decimal.Decimal) -> int:
    return int(DECIMAL.multiply(number, decimal.Decimal(1 << LOG_BITS)))


def entropy_up(top: int, bottom: int) -> int:
    """m log m + (1 - m) log(1 - m) at m = top/bottom in [0, 1], in 2^-LOG_BITS and not below it."""
    parts = [quotient(part, bottom) for part in (top, bottom - top) if part > 0]
    return sum(fixed(DECIMAL.multiply(m, DECIMAL.ln(m))) for m in parts) + 2


def log_one_plus_exp(top: int, bottom: int) -> int:
    """log(1 + e^-t) at t = top/bottom >= 0, in 2^-LOG_BITS and off by less than 2 of them, as e^-200 is."""
    t = min(decimal.Decimal(200), quotient(top, bottom))
    return fixed(DECIMAL.ln(DECIMAL.add(1, DECIMAL.exp(DECIMAL.minus(t)))))


# ---- Data ----

MASK = 2**64 - 1
NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?", re.ASCII)


@dataclass
class Data:
    """Columns and the loss's targets; weights and offset may be None, names and classes empty."""

    columns: list[list[float]]
    y: list[float]
    weights: list[float] | None = None
    offset: list[float] | None = None
    names: list[str] = field(default_factory=list)
    classes: list[str] = field(default_factory=list)

    @cached_property
    def hash(self) -> int:
        """That of the section on model files."""
        n = len(self.y)
        rows, h = [mix(i) for i in range(n)], mix(n)
        for column in [*self.columns, self.y, self.weights or [1.0] * n, self.offset or [0.0] * n]:
            bits = struct.unpack(f"<{n}Q", struct.pack(f"<{n}d", *column))
            h = mix(h ^ sum(mix(b ^ row) for b, row, x in zip(bits, rows, column) if x != 0) & MASK)
        return h


def mix(x: int) -> int:
    x = (x + 0x9E3779B97F4A7C15) & MASK
    x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9 & MASK
    x = (x ^ x >> 27) * 0x94D049BB133111EB & MASK
    return x ^ x >> 31


def read_bytes(path: str) -> bytes:
    with open(path, "rb") as file:
        content = file.read()
    try:
        if content[:2] == b"\x1f\x8b":
            return gzip.decompress(content)
        return bz2.decompress(content) if content[:3] == b"BZh" else content
    except (OSError, EOFError, ValueError, zlib.error) as error:
        raise Refusal(f"{path}: is damaged: {error}") from error


def number_of(text: str, place: str) -> float:
    if not NUMBER.fullmatch(text) or not math.isfinite(float(text)):
        raise Refusal(f"{place}: value is {text[:50]!r}; expected a finite number (this checker reads numbers only)")
    return float(text)


def read_data(path: str, model: dict[str, Any], roles: dict[str, str | None]) -> Data:
    """DATA as the model says it was read; `roles` are columns that the command line names."""
    said = part(model, "data", dict)
    if said.get("levels") or said.get("missing", "refuse") != "refuse":
        raise Refusal(f"{path}: was read with words or missing cells; this checker reads numbers only")
    text = read_bytes(path).decode("utf-8", "surrogateescape").removeprefix("\ufeff")
    form = str(said.get("format") or re.sub(r"\.(gz|bz2)$", "", path.lower()).rpartition(".")[2])
    if form in ("svm", "libsvm", "svmlight"):
        data, labels = read_libsvm(path, text)
    elif form in ("csv", "tsv", "tab"):
        named = {role: str(roles.get(role) or said.get(role) or "") for role in ("target", "weights", "offset")}
        separator = said.get("separator") or ("," if form == "csv" else "\t")
        try:
            rows = [row for row in csv.reader(io.StringIO(text, newline="\n"), delimiter=separator, skipinitialspace=True) if row]
        except (csv.Error, TypeError) as error:
            raise Refusal(f"{path}: cannot be cut into cells: {error}") from error
        data, labels = read_csv(path, rows, named, said.get("header") not in (False, "no"))
    else:
        raise Refusal(f"{path}: is of a format that this checker does not read; expected CSV, TSV or LIBSVM text")
    set_targets(data, labels, part(model, "settings", dict).get("loss", "squared"))
    return data


def read_csv(path: str, rows: list[list[str]], named: dict[str, str], header: bool) -> tuple[Data, list[str]]:
    """Without a header columns are x0, x1, ... by their position."""
    lines = [[cell.strip(" ") for cell in row] for row in rows]
    if not lines or any(len(row) != len(lines[0]) for row in lines):
        raise Refusal(f"{path}: is empty, or its lines have different numbers of cells")
    names = lines.pop(0) if header else [f"x{c}" for c in range(len(lines[0]))]
    at = {}
    for role, name in named.items():
        wanted = f"x{name}" if name.isdecimal() and not header else name
        wanted = wanted or (("target" if "target" in names else names[-1]) if role == "target" else "")
        if wanted and names.count(wanted) != 1:
            raise Refusal(f"{path}: has {names.count(wanted)} columns {wanted!r}; expected one, the {role}")
        if wanted:
            at[role] = names.index(wanted)
    columns = {c: [number_of(row[c], f"{path}: column {name!r}") for row in lines]
               for c, name in enumerate(names) if c != at["target"]}
    weights, offset = (columns[at[role]] if role in at else None for role in ("weights", "offset"))
    features = [c for c in range(len(names)) if c not in at.values()]
    data = Data([columns[c] for c in features], [], weights, offset, [names[c] for c in features])
    return data, [row[at["target"]] for row in lines]


def read_libsvm(path: str, text: str) -> tuple[Data, list[str]]:
    """A label and index:value on each line, indices from 1; entries that come twice add up."""
    rows = [cells for line in text.split("\n") if (cells := line.partition("#")[0].split())]
    entries = [(i, *cell.partition(":")) for i, row in enumerate(rows) for cell in row[1:]]
    if any(not index.isdecimal() or not 0 < int(index) <= MOST_COLUMNS for _, index, _, _ in entries):
        raise Refusal(f"{path}: has a cell that is no index:value with an index from 1 to {MOST_COLUMNS}")
    columns = [[0.0] * len(rows) for _ in range(max((int(entry[1]) for entry in entries), default=0))]
    for i, index, _, value in entries:
        columns[int(index) - 1][i] += number_of(value, path)
    return Data(columns, []), [row[0] for row in rows]


def set_targets(data: Data, labels: list[str], loss: str) -> None:
    """Squared loss: numbers. Otherwise two classes; numbers are sorted as numbers, words as words."""
    if loss == "squared":
        data.y = [number_of(label, "target") for label in labels]
        return
    numbers = all(map(NUMBER.fullmatch, labels))
    values: list[Any] = [float(label) if numbers else label.encode("utf-8", "surrogateescape") for label in labels]
    classes = sorted({v for v, w in zip(values, data.weights or [1.0] * len(values)) if w != 0})
    if len(classes) != 2:
        raise Refusal(f"target: has {len(classes)} classes; expected 2 for {loss} loss")
    data.y = [(0.0 if loss == "logistic" else -1.0) if v == classes[0] else 1.0 for v in values]
    data.classes = [str(c) if numbers else c.decode("utf-8", "replace") for c in classes]


# ---- Model: section 2 ----

# The settings that are the question: default, lowest and highest value, or words. Those of the search are no claim.
NUMBERS: dict[str, tuple[float | None, float, float]] = {
    "hinge_width": (1.0, 1e-12, 1e12), "lambda0": (None, 0, 1e60), "lambda1": (0.0, 0, 1e60), "lambda2": (None, 0, 1e60),
    "gap": (1e-4, 0, 1)}
BOUNDS = {"lower": (-math.inf, 0.0), "upper": (0.0, math.inf)}
WORDS = {"loss": ("squared", "logistic", "smoothed-hinge"), "intercept": (True, False), "standardize": (True, False)}
SEARCH = set("""effort time_limit node_limit memory_limit seed threads method step add_factor tolerance max_iterations
    screening adding lambda0_grid lambda1_grid lambda2_grid grid_size max_nonzeros select rule metric folds repeats""".split())


def part(value: Any, key: str, kind: type) -> Any:
    if not isinstance(value, dict) or not isinstance(value.get(key), kind):
        raise Refusal(f"{key}: is missing, or not of the type {kind.__name__}")
    return value[key]


def real(value: Any, name: str, lowest: float = -math.inf, highest: float = math.inf) -> float:
    if type(value) in (int, float) and abs(value) <= sys.float_info.max and lowest <= value <= highest:
        return float(value)
    raise Refusal(f"{name}: value is {str(value)[:50]}; expected a finite number from {lowest:g} to {highest:g}")


def whole(value: Any, name: str, most: int = 2**62) -> int:
    if type(value) is int and 0 <= value <= most:
        return value
    raise Refusal(f"{name}: value is {str(value)[:50]}; expected a whole number from 0 to {most}")


def ascending(features: list[Any], p: int, name: str) -> list[int]:
    found = [whole(j, name, p - 1) for j in features]
    if any(a >= b for a, b in zip(found, found[1:])):
        raise Refusal(f"{name}: features are {str(found)[:50]}; expected ascending ones")
    return found


class Model:
    """What the model file says, as checked values."""

    def __init__(self, said: dict[str, Any]) -> None:
        if not re.fullmatch(r"ellzero\.model/1(\..*)?", str(said.get("schema"))):
            raise Refusal(f"schema: value is {str(said.get('schema'))[:50]}; expected ellzero.model/1")
        about = part(said, "data", dict)
        self.rows, self.p = whole(about.get("rows"), "rows"), whole(about.get("columns"), "columns", MOST_COLUMNS)
        self.names, self.hash = part(about, "names", list), part(about, "hash", str)
        self.classes = part(said, "classes", list)
        self._read_settings(part(said, "settings", dict))
        self.b0 = real(said.get("intercept"), "intercept")
        entries = part(said, "coefficients", list)
        listed = ascending([part(entry, "index", int) for entry in entries], self.p, "coefficients")
        self.beta = {j: real(entry.get("value"), f"feature {j}") for j, entry in zip(listed, entries)}
        if any(entry.get("feature") != (self.names[j] if j < len(self.names) else f"x{j}") for j, entry in zip(listed, entries)):
            raise Refusal("coefficients: a feature has not the name that it has in data.names")
        claimed = part(said, "certificate", dict)
        self.status, self.objective = part(claimed, "status", str), real(claimed.get("objective"), "objective")
        self.lower_bound, self.gap, self.relative_gap = (
            None if claimed.get(key) is None else real(claimed[key], key) for key in ("lower_bound", "gap", "relative_gap"))
        self.verdicts: tuple[list[int], list[int]] | None = None  # in every optimum, in none
        if "verdicts" in said:
            given = part(said, "verdicts", dict)
            always, undecided = (ascending(part(given, key, list), self.p, key) for key in ("always", "undecided"))
            never = sorted(set(range(self.p)) - set(always) - set(undecided))
            if set(always) & set(undecided) or given.get("never") != len(never):
                raise Refusal(f"verdicts: lists that overlap, or a number of others that is not {len(never)}")
            self.verdicts = always, never

    def _read_settings(self, given: dict[str, Any]) -> None:
        if unknown := given.keys() - NUMBERS.keys() - BOUNDS.keys() - WORDS.keys() - SEARCH - {"k", "always"}:
            raise Refusal(f"settings: has {sorted(unknown)[0]!r}, which is none")
        words = {name: given.get(name, choices[0]) for name, choices in WORDS.items()}
        if wrong := [name for name, value in words.items() if (type(value), value) not in [(type(c), c) for c in WORDS[name]]]:
            raise Refusal(f"{wrong[0]}: value is {words[wrong[0]]!r}; expected one of {WORDS[wrong[0]]}")
        self.loss, self.intercept, self.standardize = words["loss"], words["intercept"], words["standardize"]
        value = {name: None if (found := given.get(name, default)) is default is None else real(found, name, low, high)
                 for name, (default, low, high) in NUMBERS.items()}
        self.width, self.gap_wanted = Fraction(value["hinge_width"] or 1), value["gap"] or 0.0
        self.lambda0, self.lambda1, self.lambda2 = (units(value[name] or 0.0) for name in ("lambda0", "lambda1", "lambda2"))
        self.k = None if given.get("k") is None else whole(given["k"], "k")
        if (value["lambda0"] is None) == (self.k is None) or value["lambda2"] is None:
            raise Refusal("settings: expected lambda2, and one of lambda0 and k")
        ends = {name: [None if end is None else real(end, name, low, high) for end in part({name: [], **given}, name, list)]
                for name, (low, high) in BOUNDS.items()}
        if any(len(found) not in (0, 1, self.p) for found in ends.values()):
            raise Refusal(f"lower, upper: expected no, one or {self.p} numbers")
        self.lower, self.upper = (found if len(found) == self.p else (found or [None]) * self.p for found in ends.values())
        always = sorted(whole(j, "always") for j in part({"always": [], **given}, "always", list))
        self.always = set(ascending(always, self.p, "always"))
        if self.k is not None and len(self.always) > self.k:
            raise Refusal(f"always: has {len(self.always)} features; expected at most k, {self.k}")


# ---- Problem: section 3 ----

Slopes = dict[int, tuple[int, int]]  # c_j, what column j is multiplied by, as a whole number and a shift


@dataclass
class Column:
    x: Vector
    total: int  # sum_i w_i x_ij, in the whole numbers of both; 0 without an intercept
    square: int  # of sum_i w_i (x_ij - m_j)^2 = square / below
    below: int
    s: tuple[int, int, int] = (1, 1, 0)  # s_j lies between the first and the second, over 2^third
    norm: tuple[int, int] = (1, 1)  # 1/s_j^2, a fraction
    lo: int | None = None  # -lo_j and hi_j, not below them
    hi: int | None = None

    @property
    def constant(self) -> bool:
        return self.square == 0

    def reach(self, tau: int) -> int | None:
        """M of (3.1): how far a coefficient may go that a tau of this sign moves; 0 is a sign that is not known."""
        ends = [self.hi] * (tau <= 0) + [self.lo] * (tau >= 0)
        return None if None in ends else max(end for end in ends if end is not None)

    @property
    def length(self) -> float:
        return math.sqrt(self.square / self.below)


class Problem:
    """The samples of positive weight, digit for digit."""

    def __init__(self, data: Data, model: Model) -> None:
        self.model, n = model, len(data.y)
        weights = data.weights or [1.0] * n
        keep = [i for i, w in enumerate(weights) if w > 0]
        if min(weights, default=0) < 0 or not keep or not data.columns:
            raise Refusal("DATA: expected weights that are not negative, and something that has weight")
        vectors = [[values[i] for i in keep] for values in (data.y, weights, data.offset or [0.0] * n, *data.columns)]
        for c, values in enumerate(vectors):
            if (largest := max(map(abs, values))) != 0 and not 1e-60 <= largest <= 1e60:
                name = ("target", "weights", "offset")[c] if c < 3 else f"column {c - 3}"
                raise Refusal(f"{name}: largest magnitude is {largest:g}; expected 1e-60 to 1e60, or 0 only")
        self.classes = model.loss != "squared"
        if self.classes and not set(vectors[0]) <= ({0.0, 1.0} if model.loss == "logistic" else {-1.0, 1.0}):
            raise Refusal(f"target: expected the two targets of {model.loss} loss")
        if self.classes and model.intercept and len(set(vectors[0])) < 2:
            raise Refusal("target: has one class; expected both, as there is an intercept")
        self.y, self.w, self.o = map(exact, vectors[:3])
        self.t = difference(self.y, self.o)
        self.side = [-1 if y > 0 else 1 for y in self.y.values]  # F of a class is 0 <= side alpha <= w
        self.mass = sum(self.w.values) if model.intercept else 1  # what sums are divided by to become means
        self.columns = [self._column(exact(values), model.lower[j], model.upper[j]) for j, values in enumerate(vectors[3:])]
        self.grams: dict[tuple[int, int], int] = {}

    def _column(self, x: Vector, lower: float | None, upper: float | None) -> Column:
        weighted = self.weighted(x)
        total = sum(weighted) if self.model.intercept else 0
        column = Column(x, total, self.mass * dot(weighted, x.values) - total**2, self.mass << (self.w.shift + 2 * x.shift))
        if self.model.standardize and not column.constant:
            column.norm = column.square, column.below
            bits = max(0, ROOT_BITS - (column.below.bit_length() - column.square.bit_length()) // 2)
            root = math.isqrt((column.below << 2 * bits) // column.square)
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
        factors = [(self.columns[j].x, c << shift - self.columns[j].x.shift - bits) for j, (c, bits) in slopes.items()]
        return Vector([sum(factor * x.values[i] for x, factor in factors) for i in range(len(self.y.values))], shift)

    def predictor(self, b0: int, slopes: Slopes) -> Vector:
        """u_i = o_i + b0 + sum_j x_ij c_j, with b0 in units. (1.1)"""
        u = difference(self.fit(slopes), Vector([-o for o in self.o.values], self.o.shift))
        return difference(u, Vector([-b0] * len(u.values), UNIT)) if b0 else u

    def objective(self) -> tuple[int, int]:
        """(1.1) of the model's coefficients lies between these two."""
        model = self.model
        beta = {j: b for j, b in model.beta.items() if b != 0}
        ends = []
        for rounded, root in ((down, 1), (up, 0)):
            total = model.lambda0 * len(model.always | beta.keys())
            for j, b in beta.items():
                column, size = self.columns[j], abs(units(b))
                total += rounded(model.lambda1 * size << column.s[2], 2 * UNIT, column.s[root])
                total += rounded(model.lambda2 * size**2 * column.norm[0], 3 * UNIT, column.norm[1])
            ends.append(total)
        u = self.predictor(units(model.b0), {j: (units(b), UNIT) for j, b in beta.items()})
        for top, shift, bottom, error in self._losses(u):
            ends = [ends[0] + down(top - error, shift, bottom), ends[1] + up(top + error, shift, bottom)]
        return ends[0], ends[1]

    def _losses(self, u: Vector) -> Iterator[tuple[int, int, int, int]]:
        """w_i l(u_i, y_i) as top / 2^shift / bottom, and an error of top: section 2 of docs/math.md."""
        residual, c, one = difference(u, self.y), self.model.width, 1 << u.shift
        for i, (w, value) in enumerate(zip(self.w.values, u.values)):
            if self.model.loss == "squared":
                yield w * residual.values[i] ** 2, self.w.shift + 2 * residual.shift + 1, 1, 0
            elif self.model.loss == "logistic":  # log(1 + e^v) = max(v, 0) + log(1 + e^-|v|)
                v = self.side[i] * value
                rest = log_one_plus_exp(abs(v), one)
                yield w * ((max(v, 0) << LOG_BITS) + (rest << u.shift)), self.w.shift + u.shift + LOG_BITS, 1, 2 * w << u.shift
            elif (short := one + self.side[i] * value) <= 0:  # 1 - y u
                yield 0, 0, 1, 0
            elif short * c.denominator >= c.numerator * one:
                yield w * (2 * short * c.denominator - c.numerator * one), self.w.shift + u.shift + 1, c.denominator, 0
            else:
                yield w * short**2 * c.denominator, self.w.shift + 2 * u.shift + 1, c.numerator, 0


# ---- Dual vectors: section 4, without a diagonal ----


class Dual:
    """Makes dual vectors of points, and says what they prove."""

    def __init__(self, problem: Problem) -> None:
        self.problem, self.model = problem, problem.model

    def vector(self, b0: int, slopes: Slopes) -> Vector:
        """alpha_i = w_i l'(u_i), then made feasible. (3.7)"""
        u, w, side = self.problem.predictor(b0, slopes), self.problem.w, self.problem.side
        if self.model.loss == "squared":
            residual = difference(u, self.problem.y)
            return self.feasible(self.problem.weighted(residual), 1 << w.shift + residual.shift)
        if self.model.loss == "smoothed-hinge":  # side (1 - y u) / c, before F cuts it off
            c, one = self.model.width, 1 << u.shift
            slope = Vector([a * (one + a * value) * c.denominator for a, value in zip(side, u.values)], u.shift)
            return self.feasible(self.problem.weighted(slope), c.numerator << w.shift + u.shift)
        far = 700 << u.shift  # any number in [0, 1] will do as a slope, so that floating point may propose it
        v = [max(-far, min(far, a * value)) / (1 << u.shift) for a, value in zip(side, u.values)]
        slope = exact(1 / (1 + math.exp(-value)) for value in v)
        return self.feasible([a * x for a, x in zip(side, self.problem.weighted(slope))], 1 << w.shift + slope.shift)

    def feasible(self, tops: list[int], bottom: int) -> Vector:
        """alpha = tops/bottom moved into F, then to a sum of 0 where there is an intercept, and rounded to ALPHA_BITS."""
        w = self.problem.w
        if self.problem.classes:
            tops = [a * max(0, min(a * top, weight * bottom >> w.shift))
                    for a, top, weight in zip(self.problem.side, tops, w.values)]
        if self.model.intercept and not self.problem.classes:
            tops, bottom = self.centred(tops, bottom)
        elif self.model.intercept:
            plus, minus = sum(top for top in tops if top > 0), -sum(top for top in tops if top < 0)
            less, more = min(plus, minus), max(plus, minus, 1)
            tops = [top * (less if (top > 0) == (plus > minus) else more) for top in tops]
            bottom *= more
        shift = max(0, ALPHA_BITS + bottom.bit_length() - max(map(abs, tops)).bit_length())
        alpha = [(top << shift) // bottom if top > 0 else -((-top << shift) // bottom) for top in tops]  # towards 0
        excess = sum(alpha) if self.model.intercept else 0
        for i, a in enumerate(alpha):
            if a * excess > 0:  # what rounding has left is taken off entries of its own sign
                take = min(a, excess) if a > 0 else max(a, excess)
                alpha[i], excess = a - take, excess - take
        return Vector(alpha, shift)

    def centred(self, tops: list[int], bottom: int) -> tuple[list[int], int]:
        """Less the weighted mean."""
        total, mass = sum(tops), self.problem.mass
        return [top * mass - weight * total for top, weight in zip(tops, self.problem.w.values)], bottom * mass

    def is_feasible(self, alpha: Vector) -> bool:
        """Whatever has made alpha: its sum is 0, and every entry is in F."""
        w, values = self.problem.w, alpha.values
        inside = (0 <= a * x << w.shift <= weight << alpha.shift for a, x, weight in zip(self.problem.side, values, w.values))
        return (not self.problem.classes or all(inside)) and (not self.model.intercept or sum(values) == 0)

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

    def products(self, alpha: Vector, live: Iterable[int]) -> dict[int, int]:
        """x_j' alpha. Where there is an intercept it is (x_j - m_j)' alpha, as the sum of alpha is 0."""
        return {j: dot(self.problem.columns[j].x.values, alpha.values) for j in live}

    def tau(self, j: int, product: int, shift: int) -> int:
        """|tau_j|, not below it."""
        column = self.problem.columns[j]
        return up(abs(product) * column.s[1], column.x.shift + shift + column.s[2])

    def endless(self, j: int, product: int) -> bool:
        """Whether q_j is infinite where |tau_j| > lambda1, for a tau_j of this sign. (3.8)"""
        return self.model.lambda2 == 0 and product != 0 and self.problem.columns[j].reach(product) is None

    def bound(self, alpha: Vector, live: Iterable[int]) -> tuple[int | None, dict[int, int], bool]:
        """The loss's part, q of the live features, and whether alpha had to be scaled back. (3.1), (3.8)"""
        if not self.is_feasible(alpha):
            return None, {}, False
        lambda1, products = self.model.lambda1, self.products(alpha, live)
        endless = [(j, product) for j, product in products.items() if self.endless(j, product)]
        worst = max((self.tau(j, product, alpha.shift) for j, product in endless), default=0)
        if worst > lambda1:
            factor = (lambda1 << ROOT_BITS) // worst
            alpha = Vector([a * factor for a in alpha.values], alpha.shift + ROOT_BITS)
            products = {j: product * factor for j, product in products.items()}
        columns, twice = self.problem.columns, 2 * self.model.lambda2
        q = {j: conjugate(self.tau(j, product, alpha.shift) - lambda1, columns[j].reach(product), twice)
             for j, product in products.items()}
        return *with_finite(self.loss_part(alpha), q), worst > lambda1 > 0

    def nearer(self, alpha: Vector, live: Sequence[int]) -> Vector:
        """The small step towards |tau_j| <= lambda1: least squares on the columns beyond it, proposed by floating point."""
        problem, held = self.problem, dict[int, float]()
        for _ in range(10):
            for j, product in self.products(alpha, live).items():
                column = problem.columns[j]
                tau = down(product * column.s[0], column.x.shift + alpha.shift + column.s[2])
                room = self.model.lambda1 - self.model.lambda1 // 10**9
                excess = nearest(tau - max(-room, min(room, tau))) / (1 if self.model.standardize else column.length)
                if j in held or (excess and self.endless(j, product)):
                    held[j] = excess
            if not any(held.values()) or len(held) > 300:
                break
            squares = [problem.columns[j].square for j in held]
            matrix = [[problem.gram(j, k) / math.isqrt(a * b) for k, b in zip(held, squares)] for j, a in zip(held, squares)]
            tops = [a * problem.mass for a in alpha.values]
            for j, size in zip(held, solve(matrix, list(held.values()))):
                column = problem.columns[j]
                top, bottom = (size / column.length).as_integer_ratio()
                bits = alpha.shift - problem.w.shift - column.x.shift - (bottom.bit_length() - 1)
                tops = [a - moved(top * weight * (problem.mass * x - column.total), bits)
                        for a, weight, x in zip(tops, problem.w.values, column.x.values)]
            alpha = self.feasible(tops, problem.mass << alpha.shift)
        return alpha


def solve(matrix: list[list[float]], right: list[float]) -> list[float]:
    """By Cholesky's factorisation; nearly so where columns are nearly alike."""
    rows: list[list[float]] = []
    for i, line in enumerate(matrix):
        row: list[float] = []
        for k in range(i):
            row.append((line[k] - math.fsum(map(mul, row, rows[k]))) / rows[k][k])
        rows.append([*row, math.sqrt(max(line[i] + 1e-12 - math.fsum(map(mul, row, row)), 1e-12))])
    result: list[float] = []
    for value, row in zip(right, rows):
        result.append((value - math.fsum(map(mul, row, result))) / row[-1])
    for i in reversed(range(len(rows))):
        result[i] = (result[i] - math.fsum(rows[k][i] * result[k] for k in range(i + 1, len(rows)))) / rows[i][i]
    return result


def conjugate(a: int, most: int | None, twice: int) -> int | None:
    """q of (3.1), not below it: a = |tau| - lambda1, `most` is M, `twice` is 2 lambda2."""
    if a <= 0 or most == 0:
        return 0
    if most is not None and twice * most <= a << UNIT:
        return up(most * ((2 * a << UNIT) - twice * most), 3 * UNIT + 1)
    return None if twice == 0 else -(-a * a // (2 * twice))


def with_finite(loss_part: int, q: dict[int, int | None]) -> tuple[int | None, dict[int, int]]:
    """Nothing is proved by a point with an infinite q."""
    finite = {j: value for j, value in q.items() if value is not None}
    return (loss_part, finite) if len(finite) == len(q) else (None, {})


class Proved:
    """What a point proves: for its node, and for each side of a free feature. Section 4, (7.1), (7.2)"""

    def __init__(self, model: Model, states: Sequence[int], loss_part: int | None, q: dict[int, int]) -> None:
        self.q, self.lambda0, self.left = q, model.lambda0, EMPTY if model.k is None else model.k - states.count(IN)
        self.floor = self.node = self.dual = model.lambda0 * states.count(IN)
        self.inside = self.outside = self.lambda0  # q that a feature must have to be used, and to be missed
        free = sorted((q.get(j, 0) for j, state in enumerate(states) if state == FREE), reverse=True)
        if model.k is not None:
            self.inside = free[self.left - 1] if 0 < self.left <= len(free) else 0
            self.outside = free[self.left] if 0 <= self.left < len(free) else 0
        if self.left < 0:
            self.node = EMPTY
        if self.left < 0 or loss_part is None:
            self.q, self.inside, self.outside = {}, 0, 0
            return
        self.dual = loss_part + sum(model.lambda0 - q.get(j, 0) for j, state in enumerate(states) if state == IN)
        self.dual += sum(min(0, model.lambda0 - value) for value in (free if model.k is None else free[: self.left]))
        self.node = max(self.floor, self.dual)

    def use(self, j: int) -> int:
        """Solutions that use the free feature j. (6.1), (6.4)"""
        if self.left <= 0:
            return EMPTY
        return max(self.node, self.floor + self.lambda0, self.dual + max(0, self.inside - self.q.get(j, 0)))

    def leave(self, j: int) -> int:
        """Solutions that do not. (6.2), (6.4)"""
        return max(self.node, self.dual + max(0, self.q.get(j, 0) - self.outside))


# ---- Diagonals: (7.3) and section 5 ----


class Diagonals:
    def __init__(self, problem: Problem) -> None:
        self.problem, self.model = problem, problem.model

    def check(self, d: dict[int, int], name: str) -> None:
        if self.model.loss != "squared":
            raise Wrong(f"{name}: expected none, as the loss is not squared")
        if any(value < -2 * self.model.lambda2 for value in d.values()):
            raise Wrong(f"{name}: has a number below -2 lambda2")
        if any(value > 0 for value in d.values()) and not self.is_semidefinite(d):
            raise Wrong(f"{name}: what it leaves of Z'Z is not positive semidefinite")

    def is_semidefinite(self, d: dict[int, int]) -> bool:
        """Z'Z - diag(d), by an LDL' factorisation of the weighted X'X - diag(d_j / s_j^2), times mass and powers of two.

        Entries are rounded to whole numbers, where the diagonal begins with 200 bits. A symmetric matrix of m rows whose
        entries are below 1 is at most m times the identity. So m is taken off the diagonal whenever entries are rounded: the
        matrix is never above the exact one, and positive pivots prove both.
        """
        columns = self.problem.columns
        features = [j for j in d if not columns[j].constant]
        if any(d[j] > 0 and columns[j].constant for j in d):
            return False
        m, rows = len(features), []
        bits = {j: 100 - columns[j].square.bit_length() // 2 for j in features}
        for i, j in enumerate(features):
            top, bottom = columns[j].norm
            less = (d[j] * top * columns[j].below << 2 * max(0, bits[j])) // (bottom << UNIT + 2 * max(0, -bits[j])) + 1
            rows.append([moved(self.problem.gram(j, k), bits[j] + bits[k]) for k in features[:i]])
            rows[i].append(moved(columns[j].square, 2 * bits[j]) - less - m)
        while rows:
            pivots = [row[0] for row in rows]
            if pivots[0] <= 0:
                return False
            rows = [[a - first * second // pivots[0] for a, second in zip(row[1:], pivots[1:])]
                    for row, first in zip(rows[1:], pivots[1:])]
            for row in rows:
                row[-1] -= m
        return True

    def bound(self, slopes: Slopes, d: dict[int, int], live: Iterable[int]) -> tuple[int | None, dict[int, int]]:
        """The loss's part of (7.3), and q. With c_j = b_j s_j all is a fraction: b_j^2 = c_j^2 / s_j^2,
        tau_j = s_j (x_j' alpha - d_j c_j / s_j^2)."""
        problem = self.problem
        fit = problem.fit(slopes)
        residual = difference(fit, problem.t)
        tops, bottom = problem.weighted(residual), 1 << problem.w.shift + residual.shift
        if self.model.intercept:
            tops, bottom = Dual(problem).centred(tops, bottom)
        loss_part = down(*self.half_square(problem.t)) - up(*self.half_square(fit))
        for j, (c, bits) in slopes.items():
            loss_part += down(d[j] * c * c * problem.columns[j].norm[0], UNIT + 2 * bits + 1, problem.columns[j].norm[1])
        q: dict[int, int | None] = {}
        for j in live:
            column, (c, bits) = problem.columns[j], slopes.get(j, (0, 0))
            product = down(dot(column.x.values, tops), column.x.shift, bottom)
            product -= down(d[j] * c * column.norm[0], UNIT + bits, column.norm[1])  # each is off by less than 1
            a = up((abs(product) + 2) * column.s[1], UNIT + column.s[2]) - self.model.lambda1
            q[j] = conjugate(a, column.reach(product if abs(product) > 2 else 0), 2 * self.model.lambda2 + d[j])
        return with_finite(loss_part, q)

    def half_square(self, v: Vector) -> tuple[int, int, int]:
        """|v|^2/2, weighted and centred, as top / 2^shift / bottom."""
        weighted = self.problem.weighted(v)
        total = sum(weighted) if self.model.intercept else 0
        return self.problem.mass * dot(weighted, v.values) - total**2, self.problem.w.shift + 2 * v.shift + 1, self.problem.mass


# ---- Proof: sections 6 and 7, and the section on proof files ----


class Reader:
    """The bytes of a proof, one after the other."""

    def __init__(self, content: bytes) -> None:
        self.content, self.at = content, 0

    def take(self, count: int) -> bytes:
        if self.at + count > len(self.content):
            raise Refusal("proof: a record is cut short")
        self.at += count
        return self.content[self.at - count : self.at]

    def whole(self, most: int = 2**63 - 1) -> int:
        value = 0
        for shift in range(0, 70, 7):
            byte = self.take(1)[0]
            value |= (byte & 127) << shift
            if byte < 128:
                return whole(value, "proof", most)
        raise Refusal("proof: has a whole number of more than 70 bits")

    def real(self, largest: float = 1e100) -> float:
        return real(struct.unpack("<d", self.take(8))[0], "proof", -largest, largest)

    def features(self, p: int) -> list[int]:
        last, found = 0, []
        for _ in range(self.whole(p)):
            step = self.whole(MASK)
            last += (step >> 1) ^ -(step & 1)
            found.append(last)
        return ascending(found, p, "proof")


@dataclass
class Node:
    bound: int
    states: list[int]
    closed: bool = False
    split: bool = False


class Tree:
    """The nodes of a proof, and what is proved of them."""

    def __init__(self, problem: Problem) -> None:
        self.problem, self.model, self.p = problem, problem.model, len(problem.columns)
        self.dual, self.rules, self.diagonals = Dual(problem), Diagonals(problem), dict[int, dict[int, int]]()
        states = [IN if j in self.model.always else OUT if column.constant else FREE for j, column in enumerate(problem.columns)]
        self.nodes = {0: Node(self.model.lambda0 * len(self.model.always), states)}
        self.other_sides = {True: EMPTY, False: EMPTY}  # the least bound of one, for decisions at node 0 and elsewhere
        self.using = [EMPTY if state == OUT else 0 for state in states]  # section 7: of solutions that use a feature,
        self.leaving = [EMPTY if state == IN else 0 for state in states]  # and of those that do not

    def lower_bound(self) -> int:
        return min(*self.other_sides.values(), *(node.bound for node in self.nodes.values() if not node.split))

    def open_node(self, number: int) -> Node:
        node = self.nodes.get(number)
        if node is None or node.closed or node.split:
            raise Refusal(f"proof: node {number}: is not there, or is closed or split")
        return node

    def add_point(self, number: int, diagonal: int, b0: int, slopes: Slopes, closes: bool, decided: list[tuple[int, int]]) -> None:
        """b0 is that of the columns as they are, `decided` has features and IN or OUT."""
        node = self.open_node(number)
        proved = self.prove(node.states, diagonal, b0, slopes)
        node.bound, node.closed = max(node.bound, proved.node), closes
        for j in [j for j, state in enumerate(node.states) if number == 0 and state == FREE]:
            self.using[j] = max(self.using[j], min(proved.use(j), self.other_sides[True]))
            self.leaving[j] = max(self.leaving[j], min(proved.leave(j), self.other_sides[True]))
        for j, state in decided:
            if node.states[j] != FREE:
                raise Refusal(f"proof: node {number}: decides feature {j}, which is not free")
            node.states[j] = state
            other = proved.leave(j) if state == IN else proved.use(j)
            self.other_sides[number == 0] = min(self.other_sides[number == 0], other)

    def prove(self, states: list[int], diagonal: int, b0: int, slopes: Slopes) -> Proved:
        if self.model.k is not None and states.count(IN) >= self.model.k:
            states = [OUT if state == FREE else state for state in states]
        live = [j for j, state in enumerate(states) if state != OUT and not self.problem.columns[j].constant]
        if diagonal >= 0:
            d = self.diagonals.get(diagonal, {})
            if missing := [j for j in [*slopes, *live] if j not in d]:
                raise Refusal(f"proof: diagonal {diagonal}: is not there, or without feature {missing[0]}")
            return Proved(self.model, states, *self.rules.bound(slopes, d, live))
        alpha = self.dual.vector(b0, slopes)
        loss_part, q, scaled = self.dual.bound(alpha, live)
        proved = Proved(self.model, states, loss_part, q)
        if not scaled:
            return proved
        other = Proved(self.model, states, *self.dual.bound(self.dual.nearer(alpha, live), live)[:2])
        return max(proved, other, key=lambda one: one.node)

    def add_split(self, number: int, feature: int, with_it: int, without: int) -> None:
        node = self.open_node(number)
        if feature >= self.p or node.states[feature] != FREE:
            raise Refusal(f"proof: node {number}: is split on feature {feature}, which is not free")
        if with_it == without or with_it in self.nodes or without in self.nodes:
            raise Refusal(f"proof: node {number}: is split into nodes that are not new")
        node.split = True
        for child, state in ((with_it, IN), (without, OUT)):
            self.nodes[child] = Node(node.bound, [*node.states[:feature], state, *node.states[feature + 1 :]])

    def read(self, content: bytes, data: Data) -> float:
        """Every record of a proof file. Returns the bound that its end claims."""
        checksum = 0xCBF29CE484222325
        for byte in content[:-8]:
            checksum = (checksum ^ byte) * 0x100000001B3 & MASK
        if content[:8] != b"\x89EZPROOF" or len(content) < 41 or content[-8:] != checksum.to_bytes(8, "little"):
            raise Refusal("proof: is cut short or damaged, or no proof of ellzero")
        reader = Reader(content[:-33])
        reader.take(8)
        if (version := reader.whole()) != 1:
            raise Refusal(f"proof: is of version {version}; expected 1")
        if (reader.whole(), reader.whole(), int.from_bytes(reader.take(8), "little")) != (len(data.y), self.p, data.hash):
            raise Wrong("proof: is that of other data")
        records = 0
        while reader.at < len(reader.content):
            self.read_record(reader)
            records += 1
        tag, count, objective, lower_bound = struct.unpack("<BQdd", content[-33:-8])
        if tag != 0xE5 or count != records or objective != self.model.objective or not lower_bound < math.inf:
            raise Refusal("proof: its end has not the number of records, the model's objective and a bound")
        return float(lower_bound)

    def read_record(self, reader: Reader) -> None:
        tag = reader.take(1)[0]
        if tag in (1, 2):
            number, diagonal, b0 = reader.whole(), reader.whole() - 1, reader.real()
            point = self.raw(b0, {j: reader.real() for j in reader.features(self.p)})
            decided = [(j, state) for state in (IN, OUT) for j in reader.features(self.p)]
            self.add_point(number, diagonal, *point, tag == 2, decided)
        elif tag == 3:
            self.add_split(reader.whole(), reader.whole(), reader.whole(), reader.whole())
        elif tag == 4:
            number = reader.whole()
            d = {j: units(reader.real()) for j in reader.features(self.p)}
            if number in self.diagonals:
                raise Refusal(f"proof: diagonal {number}: is there twice")
            self.rules.check(d, f"proof: diagonal {number}")
            self.diagonals[number] = d
        else:
            raise Refusal(f"proof: has a record of kind {tag}, which is none")

    def raw(self, b0: float, b: dict[int, float]) -> tuple[int, Slopes]:
        """A point in terms of the columns as they are: c_j = b_j s_j, and b0 - sum_j c_j m_j. Near enough, as any point will do."""
        intercept, slopes = units(b0), Slopes()
        for j, value in b.items():
            column, (top, bottom) = self.problem.columns[j], value.as_integer_ratio()
            if not column.constant:
                c, bits = slopes[j] = top * column.s[0], bottom.bit_length() - 1 + column.s[2]
                intercept -= down(c * column.total, bits + column.x.shift, self.problem.mass)
        return intercept, slopes


# ---- Claims: section 1 ----

CLAIMS = ("data", "classes", "settings", "coefficients", "objective", "lower_bound", "gap", "status", "verdicts")


@dataclass
class Outcome:
    """`verdict` is right, wrong, refused or not reached; each claim is "right", "wrong: ..." or "not checked"."""

    verdict: str = "right"
    objective: float | None = None
    lower_bound: float | None = None
    claims: dict[str, str] = field(default_factory=lambda: dict.fromkeys(CLAIMS, "not checked"))
    message: str = ""

    @property
    def code(self) -> int:
        return {"right": 0, "wrong": 5, "refused": 3, "not reached": 4}[self.verdict]


def check(model: dict[str, Any], data: Data, proof: bytes | None = None) -> Outcome:
    """Checks the JSON of a model, and the bytes of a proof, against data."""
    claims = Claims(data)
    try:
        claims.check(Model(model), proof)
    except Wrong as error:
        claims.say("lower_bound", str(error))
    except Refusal as error:
        claims.outcome.verdict, claims.outcome.message = "refused", str(error)
    return claims.outcome


class Claims:
    def __init__(self, data: Data) -> None:
        self.data, self.outcome = data, Outcome()

    def say(self, claim: str, *reasons: str | bool) -> bool:
        """Right, or wrong for the first of the reasons that is one."""
        wrong = [reason for reason in reasons if reason]
        self.outcome.claims[claim] = f"wrong: {wrong[0]}" if wrong else "right"
        if wrong:
            self.outcome.verdict = "wrong"
        return not wrong

    def check(self, model: Model, proof: bytes | None) -> None:
        data = self.data
        if not self.say("data", (model.rows, model.p) != (len(data.y), len(data.columns)) and "DATA has other rows or columns",
                        model.hash != f"{data.hash:016x}" and f"DATA has the hash {data.hash:016x}",
                        [] != model.names != data.names != [] and "DATA has other names"):
            return
        self.say("classes", not self.same_classes(model) and f"they are {model.classes}; DATA has {data.classes}")
        problem = Problem(data, model)
        self.say("settings")
        if not self.say("coefficients", *wrong_coefficients(problem)):
            return
        low, high = problem.objective()
        self.outcome.objective = nearest((low + high) // 2)
        self.say("objective", not low - low * TOLERANCE <= units(model.objective) <= high + high * TOLERANCE
                 and f"{model.objective!r} is claimed; the coefficients have {self.outcome.objective!r}")
        self.check_gap(model)
        self.check_bound(problem, proof, high)

    def same_classes(self, model: Model) -> bool:
        """Numbers may be printed in several ways."""
        found, claimed = self.data.classes, model.classes
        if all(isinstance(label, str) and NUMBER.fullmatch(label) for label in [*found, *claimed]):
            return not found or list(map(float, found)) == list(map(float, claimed))
        return not found or found == claimed

    def check_gap(self, model: Model) -> None:
        """gap = objective - lower_bound, relative_gap = gap / |objective|; null claims nothing."""
        if model.lower_bound is None:
            self.say("gap", (model.gap, model.relative_gap) != (None, None) and "it is claimed without a bound")
            self.say("status", model.status == "optimal" and "it is optimal without a bound")
            return
        objective, bound = Fraction(model.objective), Fraction(model.lower_bound)
        allowed, gap = TOLERANCE * (abs(objective) + abs(bound)), objective - bound
        relative = math.inf if model.relative_gap is None else model.relative_gap
        wrong = model.gap is None or abs(Fraction(model.gap) - gap) > allowed
        wrong_relative = relative == math.inf or abs(Fraction(relative) * abs(objective) - gap) > allowed
        self.say("gap", wrong and "it is not objective - lower_bound", wrong_relative and "relative_gap is not gap / objective")
        if model.status == "optimal":
            self.say("status", relative > model.gap_wanted and f"it is optimal with a relative gap of {relative!r}")

    def check_bound(self, problem: Problem, proof: bytes | None, objective: int) -> None:
        model, tree = problem.model, Tree(problem)
        claimed = -EMPTY if model.lower_bound is None else units(model.lower_bound)
        if proof is None:  # the coefficients as a point at node 0
            tree.add_point(0, -1, units(model.b0), {j: (units(b), UNIT) for j, b in model.beta.items() if b != 0}, False, [])
        elif (end := tree.read(proof, self.data)) > -math.inf:
            claimed = max(claimed, units(end))
        proved = tree.lower_bound()
        self.outcome.lower_bound = nearest(proved)
        text = f"{model.lower_bound!r} is claimed; {self.outcome.lower_bound!r} is proved"
        above = claimed > objective + objective * TOLERANCE
        if above or proof is not None or proved >= claimed - abs(claimed) * TOLERANCE:
            self.say("lower_bound", above and "it is above the objective", proved < claimed - abs(claimed) * TOLERANCE and text)
        elif self.outcome.verdict == "right":
            self.outcome.verdict, self.outcome.message = "not reached", f"lower_bound: {text} by the coefficients alone"
        always, never = model.verdicts or ([], [])
        used = model.always | {j for j, b in model.beta.items() if b != 0}
        wrong = [j for j in always if j not in used] + [j for j in never if j in used]
        if wrong or all(tree.leaving[j] > objective for j in always) and all(tree.using[j] > objective for j in never):
            self.say("verdicts", bool(wrong) and f"that on feature {wrong[0]} is not what the coefficients say")


def wrong_coefficients(problem: Problem) -> Iterator[str]:
    model = problem.model
    for j, b in model.beta.items():
        low, high = model.lower[j], model.upper[j]
        if (low is not None and b < low) or (high is not None and b > high):
            yield f"that of feature {j} is {b!r}, outside its bounds"
        if b != 0 and problem.columns[j].constant:
            yield f"that of feature {j} is {b!r}; expected 0 for a constant column"
    if model.b0 != 0 and not model.intercept:
        yield f"the intercept is {model.b0!r}; expected 0, as there is none"
    for j in sorted(model.always - model.beta.keys()):
        yield f"feature {j} is always in, and not there"
    used = model.always | {j for j, b in model.beta.items() if b != 0}
    if model.k is not None and len(used) > model.k:
        yield f"{len(used)} features are used; expected at most {model.k}"


# ---- Command line ----


def parse_model(content: bytes, name: str) -> dict[str, Any]:
    def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        if len(result := dict(pairs)) < len(pairs):
            raise Refusal(f"{name}: has a key twice")
        return result

    def constant(text: str) -> None:
        raise Refusal(f"{name}: has the number {text}; expected finite ones")

    def depth(value: Any) -> int:
        parts = value.values() if isinstance(value, dict) else value
        return 1 + max(map(depth, parts), default=0) if isinstance(value, (dict, list)) else 0

    try:
        model = json.loads(content.decode("utf-8"), object_pairs_hook=once, parse_constant=constant)
        if not isinstance(model, dict) or depth(model) > 8:
            raise Refusal(f"{name}: is no object, or nests deeper than 8 levels")
    except (ValueError, RecursionError) as error:
        raise Refusal(f"{name}: is no JSON: {str(error)[:100]}") from error
    return model


def as_text(outcome: Outcome, form: str) -> str:
    if form == "json":
        found = {key: None if value == math.inf else value for key, value in vars(outcome).items()}
        return json.dumps({"schema": "ellzero.check/1", **found}, indent=1)
    lines = [f"  {claim.replace('_', ' '):13} {text}" for claim, text in outcome.claims.items()]
    numbers = {"objective": outcome.objective, "bound": outcome.lower_bound}
    lines += [f"  found: {name} {number!r}" for name, number in numbers.items() if number is not None]
    return "\n".join([*lines, outcome.verdict + (f": {outcome.message}" if outcome.message else "")])


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="ellzero.check", description="Check a model, and its proof, in exact arithmetic.")
    parser.add_argument("model", metavar="MODEL", help="what -o has written")
    parser.add_argument("data", metavar="DATA", help="its data: CSV, TSV or LIBSVM text of numbers, also .gz, .bz2")
    parser.add_argument("proof", metavar="PROOF", nargs="?", help="what prove has written with --proof")
    parser.add_argument("--format", choices=("text", "json"), default="text", help="what to print (default text)")
    for role in ("target", "weights", "offset"):
        parser.add_argument(f"--{role}", metavar="NAME", help="its column, if not the one that the model names")
    options = parser.parse_args(arguments)
    try:
        outcome = check_files(options.model, options.data, options.proof, vars(options))
        print(as_text(outcome, options.format), flush=True)
    except OSError as error:
        print(f"ellzero.check: {error}", file=sys.stderr)
        return 6
    return outcome.code


def check_files(model_path: str, data_path: str, proof_path: str | None, roles: dict[str, str | None]) -> Outcome:
    try:
        model = parse_model(read_bytes(model_path), model_path)
        data = read_data(data_path, model, roles)
        return check(model, data, None if proof_path is None else read_bytes(proof_path))
    except Refusal as error:
        return Outcome("refused", message=str(error))


if __name__ == "__main__":
    sys.exit(main())
