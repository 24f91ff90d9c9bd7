"""Checks a model and its proof against the data, in exact arithmetic: the rules of docs/proofs.md and nothing else.

    python -m ellzero.check MODEL DATA [PROOF]

Only the standard library is used, and nothing of ellzero. "Section" means one of docs/proofs.md; letters and numbers like (3.1) are
those of docs/math.md. In the order of the file: numbers, data, model, problem, points, diagonals, proof, claims, command line.

A vector of doubles is a list of whole numbers over one power of two, so that sums of products are exact. Prices, q and bounds are
whole numbers of units of 2^-1100; every double is one. What does not come out even is rounded to the side that makes the bound
smaller: `down` and `up` say which. Infinite is None.
"""
from __future__ import annotations

import argparse
import bz2
import csv
import decimal
import gzip
import json
import math
import re
import struct
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from operator import mul
from typing import Any, NamedTuple

UNIT = 1100  # bits behind the point
EMPTY = 1 << 9999  # the bound of a set without solutions, in units
TOLERANCE = Fraction(1, 10**9)  # of claims, relative
ROOT_BITS = 160  # of s_j
ALPHA_BITS = 128  # of the largest entry of a dual vector
LOG_BITS = 128  # of a logarithm
IN, OUT, FREE = 1, 2, 0


class Refusal(Exception):
    """A file that cannot be checked: exit code 3."""


class Wrong(Exception):
    """A claim of the proof that does not hold: exit code 5."""


# ---- Numbers ----


class Vector(NamedTuple):
    """Its entries are values[i] / 2^shift."""

    values: list[int]
    shift: int


def exact(numbers: Iterable[float]) -> Vector:
    ratios = [number.as_integer_ratio() for number in numbers]
    shift = max((bottom.bit_length() - 1 for _, bottom in ratios), default=0)
    return Vector([top << (shift + 1 - bottom.bit_length()) for top, bottom in ratios], shift)


def difference(a: Vector, b: Vector) -> Vector:
    shift = max(a.shift, b.shift)
    return Vector([(x << shift - a.shift) - (y << shift - b.shift) for x, y in zip(a.values, b.values)], shift)


def dot(a: Sequence[int], b: Sequence[int]) -> int:
    return sum(map(mul, a, b))


def moved(value: int, bits: int) -> int:
    return value << bits if bits >= 0 else value >> -bits


def down(top: int, shift: int, bottom: int = 1) -> int:
    """top / 2^shift / bottom in units, rounded down."""
    more = UNIT - shift
    return (top << more) // bottom if more >= 0 else top // (bottom << -more)


def up(top: int, shift: int, bottom: int = 1) -> int:
    return -down(-top, shift, bottom)


def units(number: float) -> int:
    top, bottom = number.as_integer_ratio()
    return down(top, bottom.bit_length() - 1)


def nearest(bound: int) -> float:
    return float(Fraction(bound, 1 << UNIT))


# Decimal.exp and Decimal.ln are correctly rounded, here to 50 digits. Arguments are quotients that are off by a relative 1e-49,
# logarithms are below 1e4: results are off by less than 1e-44, far below the unit of 2^-LOG_BITS = 3e-39 that is added.
DECIMAL = decimal.Context(prec=50, Emin=-decimal.MAX_EMAX, Emax=decimal.MAX_EMAX)
LOG_UNIT = decimal.Decimal(2**LOG_BITS)


def entropy_up(top: int, bottom: int) -> int:
    """m log m + (1 - m) log(1 - m) at m = top/bottom in [0, 1], not below it, in 2^-LOG_BITS."""
    total = decimal.Decimal(0)
    for part in (top, bottom - top):
        if part > 0:
            m = DECIMAL.divide(decimal.Decimal(part), decimal.Decimal(bottom))
            total = DECIMAL.add(total, DECIMAL.multiply(m, DECIMAL.ln(m)))
    return int(DECIMAL.multiply(total, LOG_UNIT)) + 2


def log_one_plus_exp(top: int, shift: int) -> int:
    """log(1 + e^-t) at t = top/2^shift >= 0, to 2 units of 2^-LOG_BITS; e^-200 is far below one."""
    t = min(decimal.Decimal(200), DECIMAL.divide(decimal.Decimal(top), decimal.Decimal(1 << shift)))
    return int(DECIMAL.multiply(DECIMAL.ln(DECIMAL.add(1, DECIMAL.exp(-t))), LOG_UNIT))


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
        """The hash of the section on model files."""
        n = len(self.y)
        rows = [mix(i) for i in range(n)]
        h = mix(n)
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
    except (OSError, EOFError, ValueError) as error:
        raise Refusal(f"{path}: is damaged: {error}") from error


def number_of(text: str, place: str) -> float:
    if not NUMBER.fullmatch(text) or not math.isfinite(float(text)):
        raise Refusal(f"{place}: value is {text!r}; expected a finite number (this checker reads numbers only)")
    return float(text)


def read_data(path: str, model: dict[str, Any], roles: dict[str, str | None]) -> Data:
    """DATA as the model says it is to be read; `roles` are the names of columns that the command line gives."""
    said = model.get("data", {}) if isinstance(model.get("data"), dict) else {}
    if said.get("levels") or said.get("means") or said.get("missing", "refuse") not in ("", "refuse"):
        raise Refusal(f"{path}: was read with words or missing cells; this checker reads numbers only")
    text = read_bytes(path).decode("utf-8", "surrogateescape").removeprefix("\ufeff")
    ending = re.sub(r"\.(gz|bz2)$", "", path.lower()).rpartition(".")[2]
    form = str(said.get("format") or ending)
    if form in ("svm", "libsvm", "svmlight"):
        data, labels = read_libsvm(path, text)
    elif form in ("csv", "tsv", "tab"):
        named = {role: str(roles.get(role) or said.get(role) or "") for role in ("target", "weights", "offset")}
        separator = str(said.get("separator") or ("," if form == "csv" else "\t"))
        data, labels = read_csv(path, text, separator, named, said.get("header") is not False)
    else:
        raise Refusal(f"{path}: is of a format that this checker does not read; expected CSV, TSV or LIBSVM text")
    set_targets(data, labels, model.get("settings", {}).get("loss", "squared"))
    return data


def read_csv(path: str, text: str, separator: str, named: dict[str, str], header: bool) -> tuple[Data, list[str]]:
    lines = [[cell.strip(" ") for cell in row] for row in csv.reader(text.splitlines(True), delimiter=separator, skipinitialspace=True) if row]
    if not lines or not lines[0] or any(len(row) != len(lines[0]) for row in lines):
        raise Refusal(f"{path}: is empty, or its lines have different numbers of cells")
    width = len(lines[0])
    names = lines.pop(0) if header else [f"x{c}" for c in range(width)]
    at: dict[str, int] = {}
    for role, name in named.items():
        wanted = name or ("target" if role == "target" and "target" in names else "")
        if wanted and names.count(wanted) != 1:
            raise Refusal(f"{path}: has {names.count(wanted)} columns {wanted!r}; expected one, the {role}")
        if wanted or role == "target":
            at[role] = names.index(wanted) if wanted else width - 1
    features = [c for c in range(width) if c not in at.values()]
    values = {c: [number_of(row[c], f"{path}: column {names[c]!r}") for row in lines]
              for c in [*features, *(at[role] for role in at if role != "target")]}
    data = Data([values[c] for c in features], [], names=[names[c] for c in features] if header else [])
    data.weights = values[at["weights"]] if "weights" in at else None
    data.offset = values[at["offset"]] if "offset" in at else None
    return data, [row[at["target"]] for row in lines]


def read_libsvm(path: str, text: str) -> tuple[Data, list[str]]:
    """Labels and index:value, indices from 1; entries that come twice add up."""
    rows = [line.partition("#")[0].split() for line in text.split("\n")]
    entries = [(i, *cell.partition(":")) for i, row in enumerate(filter(None, rows)) for cell in row[1:]]
    if any(not index.isdecimal() or not 0 < int(index) <= 10**7 for _, index, _, _ in entries):
        raise Refusal(f"{path}: has a cell that is no index:value with an index from 1")
    labels = [row[0] for row in rows if row]
    columns = [[0.0] * len(labels) for _ in range(max((int(entry[1]) for entry in entries), default=0))]
    for i, index, _, value in entries:
        columns[int(index) - 1][i] += number_of(value, path)
    return Data(columns, []), labels


def set_targets(data: Data, labels: list[str], loss: str) -> None:
    """Squared loss: numbers. Otherwise two classes, numbers sorted as numbers and words as words."""
    if loss == "squared":
        data.y = [number_of(label, "target") for label in labels]
        return
    numbers = all(map(NUMBER.fullmatch, labels))
    values: list[Any] = [float(label) for label in labels] if numbers else [label.encode("utf-8", "surrogateescape") for label in labels]
    counted = [v for v, w in zip(values, data.weights or [1.0] * len(values)) if w != 0]
    classes = sorted(set(counted))
    if len(classes) != 2:
        raise Refusal(f"target: has {len(classes)} classes; expected 2 for {loss} loss")
    data.y = [(0.0 if loss == "logistic" else -1.0) if v == classes[0] else 1.0 for v in values]
    data.classes = [repr(c) if numbers else c.decode("utf-8", "replace") for c in classes]


# ---- Model: section 2 ----

# The settings that are the question: default, lowest, highest. Those of the search are no claim.
QUESTION: dict[str, tuple[Any, float, float]] = {
    "hinge_width": (1.0, 1e-12, 1e12), "lambda0": (None, 0, 1e60), "lambda1": (0.0, 0, 1e60), "lambda2": (None, 0, 1e60),
    "k": (None, 0, 2**62), "gap": (1e-4, 0, 1),
}
LISTS: dict[str, tuple[float, float]] = {"lower": (-math.inf, 0), "upper": (0, math.inf), "always": (0, 2**62)}
WORDS = {"loss": ("squared", "logistic", "smoothed-hinge"), "intercept": (True, False), "standardize": (True, False)}
SEARCH = set("""effort time_limit node_limit memory_limit seed threads method step add_factor tolerance max_iterations screening adding
    lambda0_grid lambda1_grid lambda2_grid grid_size max_nonzeros select rule metric folds repeats""".split())


def real(value: Any, name: str, lowest: float = -math.inf, highest: float = math.inf) -> float:
    try:
        if type(value) in (int, float) and math.isfinite(value) and lowest <= value <= highest:
            return float(value)
    except OverflowError:  # a whole number beyond all doubles
        pass
    raise Refusal(f"{name}: value is {str(value)[:50]}; expected a finite number from {lowest:g} to {highest:g}")


def whole(value: Any, name: str, most: int) -> int:
    if type(value) is int and 0 <= value <= most:
        return value
    raise Refusal(f"{name}: value is {str(value)[:50]}; expected a whole number from 0 to {most}")


def ascending(values: Sequence[int], p: int, name: str) -> Sequence[int]:
    if any(not 0 <= j < p for j in values) or any(a >= b for a, b in zip(values, values[1:])):
        raise Refusal(f"{name}: features are {str(values)[:50]}; expected ascending ones from 0 to {p - 1}")
    return values


def part(value: Any, key: str, kind: type) -> Any:
    if not isinstance(value, dict) or not isinstance(value.get(key), kind):
        raise Refusal(f"{key}: is missing or of another kind; expected {kind.__name__}")
    return value[key]


class Model:
    """What the model file says, as checked values."""

    def __init__(self, json_model: dict[str, Any]) -> None:
        if not re.fullmatch(r"ellzero\.model/1(\..*)?", str(json_model.get("schema"))):
            raise Refusal(f"schema: value is {str(json_model.get('schema'))[:50]}; expected ellzero.model/1")
        self.about = part(json_model, "data", dict)
        self.rows, self.columns = (whole(self.about.get(key), f"data.{key}", 2**62) for key in ("rows", "columns"))
        self.names = part(self.about, "names", list)
        self.hash = part(self.about, "hash", str)
        self.classes = part(json_model, "classes", list)
        self._read_settings(part(json_model, "settings", dict))
        self.b0 = real(json_model.get("intercept"), "intercept")
        entries = part(json_model, "coefficients", list)
        listed = [whole(part(entry, "index", int), "index", self.columns) for entry in entries]
        values = [real(entry.get("value"), "value") for entry in entries]
        self.beta = dict(zip(ascending(listed, self.columns, "coefficients"), values))
        for entry, j in zip(entries, listed):
            if entry.get("feature") != (self.names[j] if j < len(self.names) else f"x{j}"):
                raise Refusal(f"coefficients: feature {j} is called {entry.get('feature')!r}, which is not its name")
        claimed = part(json_model, "certificate", dict)
        self.status = part(claimed, "status", str)
        self.objective = real(claimed.get("objective"), "objective")
        self.lower_bound, self.gap, self.relative_gap = (None if claimed.get(key) is None else real(claimed[key], key)
                                                         for key in ("lower_bound", "gap", "relative_gap"))
        self.verdicts: tuple[list[int], list[int]] | None = None
        if "verdicts" in json_model:
            self._read_verdicts(part(json_model, "verdicts", dict))

    def _read_settings(self, given: dict[str, Any]) -> None:
        if unknown := given.keys() - QUESTION.keys() - LISTS.keys() - WORDS.keys() - SEARCH:
            raise Refusal(f"settings: has {sorted(unknown)}, which this checker does not know")
        for name, words in WORDS.items():
            value = given.get(name, words[0])
            if type(value) is not type(words[0]) or value not in words:
                raise Refusal(f"settings.{name}: value is {value!r}; expected one of {words}")
        found = {name: None if given.get(name, default) is None and default is None else real(given.get(name, default), name, low, high)
                 for name, (default, low, high) in QUESTION.items()}
        lists = {name: [(low if name == "lower" else high) if value is None and name != "always" else
                        value if value == low == -math.inf else real(value, name, low, high) for value in part({name: [], **given}, name, list)]
                 for name, (low, high) in LISTS.items()}
        if (found["lambda0"] is None) == (found["k"] is None) or found["lambda2"] is None:
            raise Refusal("settings: expected lambda2 and one of lambda0 and k")
        self.loss: str = given.get("loss", "squared")
        self.intercept: bool = given.get("intercept", True)
        self.standardize: bool = given.get("standardize", True)
        self.width, self.gap_wanted = found["hinge_width"] or 1.0, found["gap"] or 0.0
        self.k = None if found["k"] is None else whole(given["k"], "k", 2**62)
        self.lambda0, self.lambda1, self.lambda2 = (units(found[name] or 0.0) for name in ("lambda0", "lambda1", "lambda2"))
        p = self.columns
        if any(len(lists[name]) not in (0, 1, p) for name in ("lower", "upper")):
            raise Refusal(f"lower, upper: expected no, one or {p} numbers")
        self.lower = (lists["lower"] or [-math.inf]) * (1 if len(lists["lower"]) == p else p)
        self.upper = (lists["upper"] or [math.inf]) * (1 if len(lists["upper"]) == p else p)
        self.always = set(ascending(sorted(whole(j, "always", p - 1) for j in given.get("always", [])), p, "always"))
        if self.k is not None and len(self.always) > self.k:
            raise Refusal(f"always: has {len(self.always)} features; expected at most k = {self.k}")

    def _read_verdicts(self, given: dict[str, Any]) -> None:
        always, undecided = (ascending([whole(j, key, self.columns) for j in part(given, key, list)], self.columns, key)
                             for key in ("always", "undecided"))
        never = [j for j in range(self.columns) if j not in set(always) | set(undecided)]
        if set(always) & set(undecided) or given.get("never") != len(never):
            raise Refusal(f"verdicts: lists that overlap, or a count that is not {len(never)}")
        self.verdicts = (list(always), never)


# ---- Problem: section 3 ----


@dataclass
class Column:
    """Column j of the samples, and what is made of it."""

    x: Vector
    total: int  # sum_i w_i x_ij, as whole numbers of weights and entries
    square: int  # sum_i w_i (x_ij - m_j)^2 is square / (mass 2^square_shift)
    s: tuple[int, int, int] = (1, 1, 0)  # s_j lies between the first and the second, over 2^third
    norm: tuple[int, int] = (1, 1)  # 1/s_j^2, a fraction
    lo: int | None = None  # -lo_j and hi_j in the solver's units, rounded up
    hi: int | None = None

    @property
    def constant(self) -> bool:
        return self.square == 0


class Problem:
    """The samples of positive weight, exactly as DATA has them."""

    def __init__(self, data: Data, model: Model) -> None:
        self.model = model
        weights = data.weights or [1.0] * len(data.y)
        keep = [i for i, w in enumerate(weights) if w > 0]
        offset = data.offset or [0.0] * len(data.y)
        vectors = [[values[i] for i in keep] for values in (data.y, weights, offset, *data.columns)]
        for name, values in zip(["target", "weights", "offset"] + [f"column {j}" for j in range(len(data.columns))], vectors):
            if (largest := max(map(abs, values), default=0.0)) != 0 and not 1e-60 <= largest <= 1e60:
                raise Refusal(f"{name}: largest magnitude is {largest:g}; expected 1e-60 to 1e60, or only zeros")
        if min(weights, default=-1) < 0 or not keep:
            raise Refusal("weights: expected none below 0 and some above")
        self.classes = model.loss != "squared"
        if self.classes and not set(vectors[0]) <= ({0.0, 1.0} if model.loss == "logistic" else {-1.0, 1.0}):
            raise Refusal(f"target: expected the two targets of {model.loss} loss")
        if self.classes and model.intercept and len(set(vectors[0])) < 2:
            raise Refusal("target: has one class; expected both, as there is an intercept")
        self.y, self.w, self.o = (exact(values) for values in vectors[:3])
        self.side = [-1 if y > 0 else 1 for y in self.y.values]  # F of a class: 0 <= side alpha <= w
        self.t = difference(self.y, self.o)
        self.mass = sum(self.w.values) if model.intercept else 1  # what means are divided by
        self.columns = [self._column(exact(values), model.lower[j], model.upper[j]) for j, values in enumerate(vectors[3:])]
        self.grams: dict[tuple[int, int], int] = {}

    def _column(self, x: Vector, lower: float, upper: float) -> Column:
        weighted = list(map(mul, self.w.values, x.values))
        total = sum(weighted) if self.model.intercept else 0
        column = Column(x, total, self.mass * dot(weighted, x.values) - total * total)
        if column.constant:
            return column
        if self.model.standardize:
            bottom = self.mass << (self.w.shift + 2 * x.shift)
            column.norm = (column.square, bottom)
            bits = max(0, ROOT_BITS - (bottom.bit_length() - column.square.bit_length()) // 2)
            root = math.isqrt((bottom << 2 * bits) // column.square)
            column.s = (root, root + 1, bits)
        column.lo, column.hi = (None if math.isinf(end) else up(abs(units(end)) << column.s[2], UNIT, column.s[0]) for end in (lower, upper))
        return column

    def gram(self, j: int, k: int) -> int:
        """mass 2^... times the product of the centred columns j and k, weighted."""
        if (j, k) not in self.grams:
            a, b = self.columns[j], self.columns[k]
            self.grams[j, k] = self.mass * dot(list(map(mul, self.w.values, a.x.values)), b.x.values) - a.total * b.total
        return self.grams[j, k]

    def linear(self, slopes: dict[int, tuple[int, int]]) -> Vector:
        """sum_j x_ij c_j, where c_j is a whole number over a power of two."""
        shift = max((self.columns[j].x.shift + bits for j, (_, bits) in slopes.items()), default=0)
        total = [0] * len(self.y.values)
        for j, (c, bits) in slopes.items():
            x = self.columns[j].x
            factor = c << (shift - x.shift - bits)
            total = [t + factor * value for t, value in zip(total, x.values)]
        return Vector(total, shift)

    def raw_intercept(self, b0: int, slopes: dict[int, tuple[int, int]]) -> int:
        """b0 less what centring takes off, in units; near enough for a dual vector."""
        return b0 - sum(down(c * self.columns[j].total, bits + self.columns[j].x.shift, self.mass) for j, (c, bits) in slopes.items())

    def predictor(self, b0: int, slopes: dict[int, tuple[int, int]]) -> Vector:
        """u_i = o_i + b0 + sum_j x_ij c_j, with b0 in units. (1.1)"""
        u = difference(self.linear(slopes), Vector([-x for x in self.o.values], self.o.shift))
        return difference(u, Vector([-b0] * len(u.values), UNIT)) if b0 else u

    def objective(self) -> tuple[int, int]:
        """(1.1) of the model's coefficients lies between these."""
        model, slopes = self.model, {}
        low = high = model.lambda0 * sum(1 for j in model.always | model.beta.keys() if j in model.always or model.beta[j] != 0)
        for j, b in model.beta.items():
            column, value = self.columns[j], abs(units(b))
            if b == 0 or column.constant:
                continue
            slopes[j] = (units(b), UNIT)
            root_low, root_high, bits = column.s
            low += down(model.lambda1 * value << bits, 2 * UNIT, root_high) + down(model.lambda2 * value**2 * column.norm[0], 3 * UNIT, column.norm[1])
            high += up(model.lambda1 * value << bits, 2 * UNIT, root_low) + up(model.lambda2 * value**2 * column.norm[0], 3 * UNIT, column.norm[1])
        for loss_low, loss_high in self._losses(self.predictor(units(model.b0), slopes)):
            low, high = low + loss_low, high + loss_high
        return low, high

    def _losses(self, u: Vector) -> Iterable[tuple[int, int]]:
        """w_i l(u_i, y_i), each between two numbers. (Section 2 of docs/math.md)"""
        residual = difference(u, self.y)
        c, one = Fraction(self.model.width), 1 << u.shift
        for i, (w, value) in enumerate(zip(self.w.values, u.values)):
            if self.model.loss == "squared":
                top, shift, bottom = w * residual.values[i] ** 2, self.w.shift + 2 * residual.shift + 1, 1
            elif self.model.loss == "logistic":
                v = self.side[i] * value  # l = log(1 + e^v)
                rest = log_one_plus_exp(abs(v), u.shift)
                first = w * max(v, 0), self.w.shift + u.shift
                yield (down(*first) + down(w * (rest - 2), self.w.shift + LOG_BITS), up(*first) + up(w * (rest + 2), self.w.shift + LOG_BITS))
                continue
            else:
                short = one + self.side[i] * value  # 1 - y u
                if short <= 0:
                    top, shift, bottom = 0, 0, 1
                elif short * c.denominator >= c.numerator * one:
                    top, shift, bottom = w * (2 * short * c.denominator - c.numerator * one), self.w.shift + u.shift + 1, c.denominator
                else:
                    top, shift, bottom = w * short**2 * c.denominator, self.w.shift + 2 * u.shift + 1, c.numerator
            yield down(top, shift, bottom), up(top, shift, bottom)


# ---- Points: section 4 ----


class Dual:
    """Makes dual vectors, and says what they prove. (3.7), (3.8)"""

    def __init__(self, problem: Problem) -> None:
        self.problem, self.model = problem, problem.model

    def vector(self, b0: int, slopes: dict[int, tuple[int, int]]) -> Vector:
        """alpha_i = w_i l'(u_i), then inside F and with a sum of 0."""
        problem = self.problem
        u = problem.predictor(b0, slopes)
        w, shift = problem.w, problem.w.shift + u.shift
        if self.model.loss == "squared":
            residual = difference(u, problem.y)
            return self.feasible(list(map(mul, w.values, residual.values)), 1 << (w.shift + residual.shift))
        if self.model.loss == "smoothed-hinge":
            c = Fraction(self.model.width)
            short = [(1 << u.shift) + side * value for side, value in zip(problem.side, u.values)]  # 1 - y u
            return self.feasible([side * weight * value * c.denominator for side, weight, value in zip(problem.side, w.values, short)],
                                 c.numerator << shift)
        far = 700 << u.shift
        v = [max(-far, min(far, side * value)) / (1 << u.shift) for side, value in zip(problem.side, u.values)]
        slope = exact(1 / (1 + math.exp(-x)) for x in v)  # any number in [0, 1] may be taken
        return self.feasible([side * weight * value for side, weight, value in zip(problem.side, w.values, slope.values)],
                             1 << (w.shift + slope.shift))

    def feasible(self, tops: list[int], bottom: int) -> Vector:
        """alpha = tops/bottom moved into F, to a sum of 0 where there is an intercept, and to ALPHA_BITS."""
        w = self.problem.w
        if self.problem.classes:
            tops = [side * max(0, min(side * a, weight * bottom >> w.shift)) for side, a, weight in zip(self.problem.side, tops, w.values)]
        if self.model.intercept and not self.problem.classes:
            tops, bottom = self.centred(tops, bottom)
        elif self.model.intercept:
            plus, minus = sum(a for a in tops if a > 0), -sum(a for a in tops if a < 0)
            less, more = min(plus, minus), max(plus, minus, 1)
            tops = [a * (less if (a > 0) == (plus > minus) else more) for a in tops]
            bottom *= more
        largest = max(map(abs, tops))
        shift = max(0, ALPHA_BITS + bottom.bit_length() - largest.bit_length())
        alpha = [(a << shift) // bottom if a > 0 else -((-a << shift) // bottom) for a in tops]  # towards 0
        excess = sum(alpha) if self.model.intercept else 0
        for i, a in enumerate(alpha):
            if a * excess > 0:  # rounding has left this; entries of its own sign give it back
                take = min(abs(a), abs(excess)) * (1 if a > 0 else -1)
                alpha[i], excess = a - take, excess - take
        return Vector(alpha, shift)

    def centred(self, tops: list[int], bottom: int) -> tuple[list[int], int]:
        """A weighted vector less its weighted mean."""
        total, mass = sum(tops), self.problem.mass
        return [a * mass - weight * total for a, weight in zip(tops, self.problem.w.values)], bottom * mass

    def is_feasible(self, alpha: Vector) -> bool:
        w = self.problem.w
        inside = not self.problem.classes or all(
            0 <= side * a << w.shift <= weight << alpha.shift for side, a, weight in zip(self.problem.side, alpha.values, w.values))
        return inside and (not self.model.intercept or sum(alpha.values) == 0)

    def value(self, alpha: Vector) -> int:
        """sum_i (alpha_i o_i - l_i*(alpha_i)), not above it. (3.3)"""
        w, o = self.problem.w, self.problem.o
        if self.model.loss == "logistic":
            entropy = sum(weight * entropy_up(abs(a) << w.shift, weight << alpha.shift) for weight, a in zip(w.values, alpha.values))
            return down(dot(alpha.values, o.values), alpha.shift + o.shift) - up(entropy, w.shift + LOG_BITS)
        c = Fraction(self.model.width if self.problem.classes else 1)
        squares = sum(up(c.numerator * a * a << w.shift, 2 * alpha.shift + 1, weight * c.denominator)
                      for weight, a in zip(w.values, alpha.values))
        return -up(dot(alpha.values, self.problem.t.values), alpha.shift + self.problem.t.shift) - squares

    def products(self, alpha: Vector, live: Iterable[int]) -> dict[int, int]:
        """x_j' alpha for each column: where there is an intercept means drop out, as the sum of alpha is 0."""
        return {j: dot(self.problem.columns[j].x.values, alpha.values) for j in live}

    def bound(self, alpha: Vector, live: Sequence[int]) -> tuple[int | None, dict[int, int], bool]:
        """The loss's part and q of the live features; and whether alpha had to be scaled. (3.1), (3.8)"""
        if not self.is_feasible(alpha):
            return None, {}, False
        columns, lambda1 = self.problem.columns, self.model.lambda1
        raw = self.products(alpha, live)

        def tau(j: int) -> int:
            column = columns[j]
            return up(abs(raw[j]) * column.s[1], column.x.shift + alpha.shift + column.s[2])

        worst = max((tau(j) for j in live if self.endless(j, raw[j])), default=0)
        scaled = worst > lambda1
        if scaled:
            factor = (lambda1 << ROOT_BITS) // worst
            alpha = Vector([a * factor for a in alpha.values], alpha.shift + ROOT_BITS)
            raw = {j: value * factor for j, value in raw.items()}
        q = {j: conjugate(tau(j) - lambda1, columns[j].hi if raw[j] < 0 else columns[j].lo, 2 * self.model.lambda2) for j in live}
        return self.value(alpha), {j: value or 0 for j, value in q.items()}, scaled and lambda1 > 0

    def endless(self, j: int, tau: int) -> bool:
        """Whether q_j is infinite for a tau of this sign beyond lambda1."""
        return self.model.lambda2 == 0 and tau != 0 and (self.problem.columns[j].hi if tau < 0 else self.problem.columns[j].lo) is None

    def nearer(self, alpha: Vector, live: Sequence[int]) -> Vector:
        """A small step towards |tau_j| <= lambda1: least squares on the columns beyond it, proposed in floating point."""
        problem, room = self.problem, self.model.lambda1 - self.model.lambda1 // 10**9
        held: list[int] = []
        for _ in range(10):
            raw = self.products(alpha, live)
            moves: list[float] = []
            held += [j for j in live if j not in held and self.endless(j, raw[j]) and self.beyond(j, raw[j], alpha.shift, room) != 0]
            moves = [self.beyond(j, raw[j], alpha.shift, room) for j in held]
            if not any(moves) or len(held) > 300:
                break
            step = solve([[problem.gram(j, k) / math.isqrt(problem.columns[j].square * problem.columns[k].square) for k in held] for j in held], moves)
            tops, bottom = alpha.values, problem.mass
            tops = [a * bottom for a in tops]
            for j, size in zip(held, step):
                column = problem.columns[j]
                top, under = (size / self.length(j)).as_integer_ratio()
                bits = alpha.shift - problem.w.shift - column.x.shift - (under.bit_length() - 1)
                tops = [a - moved(top * weight * (problem.mass * x - column.total), bits) for a, weight, x in zip(tops, problem.w.values, column.x.values)]
            alpha = self.feasible(tops, bottom << alpha.shift)
        return alpha

    def length(self, j: int) -> float:
        """The norm of the centred column."""
        column = self.problem.columns[j]
        return math.sqrt(Fraction(column.square, self.problem.mass << (self.problem.w.shift + 2 * column.x.shift)))

    def beyond(self, j: int, raw: int, shift: int, room: int) -> float:
        """How far tau_j is beyond lambda1, for a column of norm 1."""
        column = self.problem.columns[j]
        tau = down(raw * column.s[0], column.x.shift + shift + column.s[2])
        s = Fraction(column.s[0], 1 << column.s[2])
        return float(Fraction(tau - max(-room, min(room, tau)), 1 << UNIT) / s) / self.length(j)


def solve(matrix: list[list[float]], right: list[float]) -> list[float]:
    """By Cholesky's factorisation; nearly so where rows are nearly equal."""
    rows: list[list[float]] = []
    for i, line in enumerate(matrix):
        row: list[float] = []
        for k in range(i):
            row.append((line[k] - math.fsum(map(mul, row, rows[k]))) / rows[k][k])
        row.append(math.sqrt(max(line[i] + 1e-12 - math.fsum(x * x for x in row), 1e-12)))
        rows.append(row)
    result: list[float] = []
    for i, row in enumerate(rows):
        result.append((right[i] - math.fsum(map(mul, row, result))) / row[i])
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


class Proved:
    """What a point proves at a node: for the node, and for each side of a free feature. Section 4, (7.1), (7.2)"""

    def __init__(self, model: Model, states: Sequence[int], loss_part: int | None, q: dict[int, int]) -> None:
        inside = [j for j, state in enumerate(states) if state == IN]
        self.q, self.lambda0, self.budget = q, model.lambda0, model.k is not None
        self.floor = model.lambda0 * len(inside)
        self.left = (model.k or 0) - len(inside)  # of the budget
        self.valued = loss_part is not None
        self.node = self.floor
        self.last_inside = self.first_outside = 0
        if self.budget and self.left < 0:
            self.node = EMPTY
            return
        if loss_part is None:
            return
        free = [q.get(j, 0) for j, state in enumerate(states) if state == FREE]
        dual = loss_part + sum(model.lambda0 - q.get(j, 0) for j in inside)
        if self.budget:
            free.sort(reverse=True)
            dual -= sum(free[: self.left])
            self.last_inside = free[self.left - 1] if 0 < self.left <= len(free) else 0
            self.first_outside = free[self.left] if self.left < len(free) else 0
        else:
            dual += sum(min(0, model.lambda0 - value) for value in free)
        self.dual, self.node = dual, max(self.floor, dual)

    def use(self, j: int) -> int:
        """Solutions that use the free feature j. (6.1), (6.4)"""
        if self.budget and self.left <= 0:
            return EMPTY
        more = self.last_inside if self.budget else self.lambda0
        floor = max(self.node, self.floor + self.lambda0)
        return max(floor, self.dual + max(0, more - self.q.get(j, 0))) if self.valued else floor

    def leave(self, j: int) -> int:
        """Solutions that do not. (6.2), (6.4)"""
        if not self.valued or (self.budget and self.left <= 0):
            return self.node
        less = self.first_outside if self.budget else self.lambda0
        return max(self.node, self.dual + max(0, self.q.get(j, 0) - less))


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
        """Z'Z - diag(d) on its features, as the integers mass 2^.. (X'WX - diag(d_j / s_j^2)), scaled by powers of two.

        The factorisation rounds every entry to a whole number, where diagonals begin with 200 bits. A symmetric matrix of m rows with entries
        below 1 is below m times the identity, so that taking m off the diagonal pays for the rounding: what is factorised is
        never above the exact matrix, and if all pivots are above 0, neither is negative."""
        columns, mass, w_shift = self.problem.columns, self.problem.mass, self.problem.w.shift
        if any(value > 0 for j, value in d.items() if columns[j].constant):
            return False
        features = [j for j in d if not columns[j].constant]
        m = len(features)
        bits = {j: 100 - columns[j].square.bit_length() // 2 for j in features}
        rows: list[list[int]] = []
        for i, j in enumerate(features):
            row = [moved(self.problem.gram(j, k), bits[j] + bits[k]) for k in features[:i]]
            norm, shift = columns[j].norm, w_shift + 2 * columns[j].x.shift
            less = Fraction(d[j] * norm[0] * mass << shift, norm[1] << UNIT)
            rows.append([*row, math.floor((columns[j].square - less) * Fraction(2) ** (2 * bits[j])) - m])
        while rows:
            pivot_row = [row[0] for row in rows]
            pivot = pivot_row[0]
            if pivot <= 0:
                return False
            rows = [[a - pivot_row[i + 1] * pivot_row[k + 1] // pivot for k, a in enumerate(row[1:])] for i, row in enumerate(rows[1:])]
            for row in rows:
                row[-1] -= m
        return True

    def bound(self, slopes: dict[int, tuple[int, int]], d: dict[int, int], live: Iterable[int]) -> tuple[int | None, dict[int, int]]:
        """The loss's part of (7.3) and q. With c_j = b_j s_j, a number, b_j^2 is c_j^2 / s_j^2, and tau_j = s_j (x_j' alpha - d_j c_j / s_j^2)."""
        problem = self.problem
        fit = problem.linear(slopes)
        residual = difference(fit, problem.t)
        tops, bottom = list(map(mul, problem.w.values, residual.values)), 1 << (problem.w.shift + residual.shift)
        if self.model.intercept:
            tops, bottom = Dual(problem).centred(tops, bottom)
        base = self.half_square(problem.t, down) - self.half_square(fit, up)
        for j, (c, bits) in slopes.items():
            norm = problem.columns[j].norm
            base += down(d[j] * c * c * norm[0], UNIT + 2 * bits + 1, norm[1])
        q: dict[int, int] = {}
        for j in live:
            column, (c, bits) = problem.columns[j], slopes.get(j, (0, 0))
            product = down(dot(column.x.values, tops), column.x.shift, bottom)
            product -= down(d[j] * c * column.norm[0], UNIT + bits, column.norm[1])
            a = up((abs(product) + 2) * column.s[1], UNIT + column.s[2]) - self.model.lambda1  # both parts are off by less than a unit
            sides = [column.hi] * (product <= 2) + [column.lo] * (product >= -2)
            values = [conjugate(a, most, 2 * self.model.lambda2 + d[j]) for most in sides]
            if None in values:
                return None, {}
            q[j] = max(value for value in values if value is not None)
        return base, q

    def half_square(self, v: Vector, rounded: Any) -> int:
        """|v|^2/2, weighted and centred."""
        weighted = list(map(mul, self.problem.w.values, v.values))
        total = sum(weighted) if self.model.intercept else 0
        return int(rounded(self.problem.mass * dot(weighted, v.values) - total * total, self.problem.w.shift + 2 * v.shift + 1, self.problem.mass))


# ---- Proof: sections 6 and 7 ----


class Reader:
    """The bytes of a proof, each once."""

    def __init__(self, content: bytes) -> None:
        self.content, self.at = content, 0

    def take(self, count: int) -> bytes:
        if self.at + count > len(self.content):
            raise Refusal("proof: is cut short")
        self.at += count
        return self.content[self.at - count : self.at]

    def whole(self, most: int = 2**63 - 1) -> int:
        value = 0
        for shift in range(0, 70, 7):
            byte = self.take(1)[0]
            value |= (byte & 127) << shift
            if byte < 128:
                break
        if byte >= 128 or value > most:
            raise Refusal("proof: has a whole number that is too large")
        return value

    def real(self, largest: float) -> float:
        return real(struct.unpack("<d", self.take(8))[0], "proof", -largest, largest)

    def features(self, p: int) -> list[int]:
        last, found = 0, []
        for _ in range(self.whole(p)):
            step = self.whole(MASK)
            last += (step >> 1) ^ -(step & 1)
            found.append(last)
        return list(ascending(found, p, "proof"))


@dataclass
class Node:
    bound: int
    states: list[int]
    closed: bool = False
    split: bool = False


class Tree:
    """The nodes of a proof and what is proved of them."""

    def __init__(self, problem: Problem) -> None:
        self.problem, self.model = problem, problem.model
        self.dual, self.diagonal_rules = Dual(problem), Diagonals(problem)
        states = [IN if j in self.model.always else OUT if column.constant else FREE for j, column in enumerate(problem.columns)]
        self.nodes = {0: Node(self.model.lambda0 * len(self.model.always), states)}
        self.diagonals: dict[int, dict[int, int]] = {}
        self.other_sides = EMPTY  # the least bound of the other side of a decision,
        self.other_sides_of_root = EMPTY  # and of one at node 0
        self.using = [0 if state != OUT else EMPTY for state in states]  # section 7: solutions that use j,
        self.leaving = [0 if state != IN else EMPTY for state in states]  # and those that do not
        self.points = 0

    def open_node(self, number: int) -> Node:
        node = self.nodes.get(number)
        if node is None or node.closed or node.split:
            raise Refusal(f"proof: node {number}: is not there, closed or split")
        return node

    def add_point(self, number: int, diagonal: int, b0: int, slopes: dict[int, tuple[int, int]], closes: bool,
                  inside: Sequence[int] = (), outside: Sequence[int] = ()) -> None:
        node = self.open_node(number)
        proved = self.prove(node.states, diagonal, b0, slopes)
        self.points += 1
        node.bound, node.closed = max(node.bound, proved.node), closes
        if number == 0:
            self.note_verdicts(node, proved)
        for j, state in [*((j, IN) for j in inside), *((j, OUT) for j in outside)]:
            if node.states[j] != FREE:
                raise Refusal(f"proof: node {number}: decides feature {j}, which is decided already")
            other = proved.leave(j) if state == IN else proved.use(j)
            self.other_sides = min(self.other_sides, other)
            if number == 0:
                self.other_sides_of_root = min(self.other_sides_of_root, other)
            node.states[j] = state

    def prove(self, states: Sequence[int], diagonal: int, b0: int, slopes: dict[int, tuple[int, int]]) -> Proved:
        model, columns = self.model, self.problem.columns
        full = model.k is not None and states.count(IN) >= model.k
        live = [j for j, state in enumerate(states) if not columns[j].constant and (state == IN or (state == FREE and not full))]
        seen = [OUT if full and state == FREE else state for state in states]
        if diagonal >= 0:
            d = self.diagonals.get(diagonal)
            if d is None:
                raise Refusal(f"proof: diagonal {diagonal}: is not there")
            if missing := [j for j in [*slopes, *(j for j, state in enumerate(states) if state != OUT and not columns[j].constant)] if j not in d]:
                raise Refusal(f"proof: diagonal {diagonal}: lacks feature {missing[0]}")
            return Proved(model, seen, *self.diagonal_rules.bound(slopes, d, live))
        alpha = self.dual.vector(b0, slopes)
        base, q, scaled = self.dual.bound(alpha, live)
        proved = Proved(model, seen, base, q)
        if scaled:
            base, q, _ = self.dual.bound(self.dual.nearer(alpha, live), live)
            other = Proved(model, seen, base, q)
            proved = other if other.node > proved.node else proved
        return proved

    def note_verdicts(self, node: Node, proved: Proved) -> None:
        for j, state in enumerate(node.states):
            if state == FREE:
                self.using[j] = max(self.using[j], min(proved.use(j), self.other_sides_of_root))
                self.leaving[j] = max(self.leaving[j], min(proved.leave(j), self.other_sides_of_root))

    def add_split(self, number: int, feature: int, with_it: int, without: int) -> None:
        node = self.open_node(number)
        if not 0 <= feature < len(node.states) or node.states[feature] != FREE:
            raise Refusal(f"proof: node {number}: is split on feature {feature}, which is not free")
        if with_it == without or with_it in self.nodes or without in self.nodes:
            raise Refusal(f"proof: node {number}: is split into nodes that are there already")
        node.split = True
        for child, state in ((with_it, IN), (without, OUT)):
            self.nodes[child] = Node(node.bound, [*node.states[:feature], state, *node.states[feature + 1 :]])
        node.states = []

    def add_diagonal(self, number: int, d: dict[int, int]) -> None:
        if number in self.diagonals:
            raise Refusal(f"proof: diagonal {number}: is there twice")
        self.diagonal_rules.check(d, f"proof: diagonal {number}")
        self.diagonals[number] = d

    def lower_bound(self) -> int:
        return min([self.other_sides, *(node.bound for node in self.nodes.values() if not node.split)])

    def read(self, content: bytes, data: Data) -> float:
        """Every record of a proof file; the bound that its end claims."""
        model, p = self.model, len(self.problem.columns)
        checksum = 0xCBF29CE484222325
        for byte in content[:-8]:
            checksum = (checksum ^ byte) * 0x100000001B3 & MASK
        if content[:8] != b"\x89EZPROOF" or len(content) < 41 or content[-8:] != checksum.to_bytes(8, "little"):
            raise Refusal("proof: is cut short, damaged, or no proof of ellzero")
        bytes_ = Reader(content[:-33])
        bytes_.take(8)
        if (version := bytes_.whole()) != 1:
            raise Refusal(f"proof: is of version {version}; expected 1")
        if (bytes_.whole(), bytes_.whole(), int.from_bytes(bytes_.take(8), "little")) != (len(data.y), p, data.hash):
            raise Wrong("proof: is the proof of other data")
        records = 0
        while bytes_.at < len(bytes_.content):
            self.read_record(bytes_, p)
            records += 1
        tag, count, objective, lower_bound = struct.unpack("<BQdd", content[-33:-8])
        if tag != 0xE5 or count != records or objective != model.objective or not lower_bound < math.inf:
            raise Refusal("proof: its end has another number of records, another objective than the model, or no bound")
        return float(lower_bound)

    def read_record(self, bytes_: Reader, p: int) -> None:
        tag = bytes_.take(1)[0]
        if tag in (1, 2):
            node, diagonal, b0 = bytes_.whole(), bytes_.whole() - 1, bytes_.real(1e100)
            support = bytes_.features(p)
            slopes = {j: slope for j in support if (slope := self.slope(j, bytes_.real(1e100))) is not None}
            inside, outside = bytes_.features(p), bytes_.features(p)
            raw = self.problem.raw_intercept(units(b0), slopes)
            self.add_point(node, diagonal, raw, slopes, tag == 2, inside, outside)
        elif tag == 3:
            self.add_split(bytes_.whole(), bytes_.whole(), bytes_.whole(), bytes_.whole())
        elif tag == 4:
            number, features = bytes_.whole(), bytes_.features(p)
            self.add_diagonal(number, {j: units(bytes_.real(1e100)) for j in features})
        else:
            raise Refusal(f"proof: has a record of kind {tag}, which is none")

    def slope(self, j: int, b: float) -> tuple[int, int] | None:
        """c_j = b_j s_j; a constant column has none."""
        column = self.problem.columns[j]
        top, bottom = b.as_integer_ratio()
        return None if column.constant else (top * column.s[0], bottom.bit_length() - 1 + column.s[2])


# ---- Claims: section 1 ----


@dataclass
class Outcome:
    """What was found; `claims` has "right", "wrong: ..." or "not checked" for each."""

    verdict: str  # right, wrong, refused, not reached
    objective: float | None = None
    lower_bound: float | None = None
    claims: dict[str, str] = field(default_factory=dict)
    message: str = ""

    @property
    def code(self) -> int:
        return {"right": 0, "wrong": 5, "refused": 3, "not reached": 4}[self.verdict]


CLAIMS = ("data", "classes", "settings", "coefficients", "objective", "lower_bound", "gap", "status", "verdicts")


def check(model: dict[str, Any], data: Data, proof: bytes | None = None) -> Outcome:
    """Checks the parsed JSON of a model, and the bytes of a proof, against data."""
    outcome = Outcome("right", claims=dict.fromkeys(CLAIMS, "not checked"))
    try:
        Claims(Model(model), data, outcome).check(proof)
        if any(claim.startswith("wrong") for claim in outcome.claims.values()):
            outcome.verdict = "wrong"
    except Wrong as error:
        outcome.verdict, outcome.message = "wrong", str(error)
        outcome.claims["lower_bound"] = f"wrong: {error}"
    except Refusal as error:
        outcome.verdict, outcome.message = "refused", str(error)
    return outcome


class Claims:
    def __init__(self, model: Model, data: Data, outcome: Outcome) -> None:
        self.model, self.data, self.outcome = model, data, outcome

    def say(self, claim: str, *wrong: str | bool) -> bool:
        """Right, unless one of the reasons is a text."""
        reasons = [reason for reason in wrong if reason]
        self.outcome.claims[claim] = f"wrong: {reasons[0]}" if reasons else "right"
        return not reasons

    def check(self, proof: bytes | None) -> None:
        model, data = self.model, self.data
        if not self.say("data", (model.rows, model.columns) != (len(data.y), len(data.columns)) and "DATA has other rows or columns",
                        model.hash != f"{data.hash:016x}" and f"DATA has the hash {data.hash:016x}, not {model.hash}",
                        bool(model.names and data.names and model.names != data.names) and "DATA has other names"):
            return
        self.say("classes", not self.same_classes() and f"they are {model.classes}; DATA has {data.classes}")
        problem = Problem(data, model)
        self.say("settings")
        if not self.say("coefficients", self.wrong_coefficients(problem)):
            return
        low, high = problem.objective()
        self.outcome.objective = nearest((low + high) // 2)
        claimed = units(model.objective)
        self.say("objective", not low - low * TOLERANCE <= claimed <= high + high * TOLERANCE
                 and f"{model.objective!r} is claimed; the coefficients have {self.outcome.objective!r}")
        self.check_certificate()
        self.check_bound(problem, proof, high)

    def same_classes(self) -> bool:
        """Numbers may be printed in several ways."""
        if self.model.loss == "squared" or not self.data.classes:
            return True
        claimed = self.model.classes
        if all(isinstance(label, str) and NUMBER.fullmatch(label) for label in [*claimed, *self.data.classes]):
            return [float(label) for label in claimed] == [float(label) for label in self.data.classes]
        return claimed == self.data.classes

    def wrong_coefficients(self, problem: Problem) -> str:
        model = self.model
        for j, b in model.beta.items():
            if not model.lower[j] <= b <= model.upper[j]:
                return f"that of feature {j} is {b!r}, outside its bounds"
            if b != 0 and problem.columns[j].constant:
                return f"that of feature {j} is {b!r}; expected 0 for a constant column"
        if not model.intercept and model.b0 != 0:
            return f"the intercept is {model.b0!r}; expected 0, as there is none"
        if missing := [j for j in sorted(model.always) if j not in model.beta and not problem.columns[j].constant]:
            return f"feature {missing[0]} is always in, and not there"
        used = model.always | {j for j, b in model.beta.items() if b != 0}
        return f"{len(used)} features are used; expected at most {model.k}" if model.k is not None and len(used) > model.k else ""

    def check_certificate(self) -> None:
        """gap = objective - lower bound, relative_gap = gap / |objective|; what is null is not claimed."""
        model = self.model
        if model.lower_bound is None:
            self.say("gap", (model.gap, model.relative_gap) != (None, None) and "a gap is claimed without a bound")
            self.say("status", model.status == "optimal" and "it is optimal without a bound")
            return
        objective, bound = Fraction(model.objective), Fraction(model.lower_bound)
        allowed = TOLERANCE * (abs(objective) + abs(bound))
        self.say("gap", (model.gap is None or abs(Fraction(model.gap) - (objective - bound)) > allowed) and "it is not objective - lower_bound",
                 (model.relative_gap is None or abs(Fraction(model.relative_gap) * abs(objective) - (objective - bound)) > allowed)
                 and "the relative one is not gap / objective")
        if model.status == "optimal":
            self.say("status", not (model.relative_gap is not None and model.relative_gap <= model.gap_wanted)
                     and f"it is optimal with a relative gap of {model.relative_gap!r}; {model.gap_wanted!r} was asked for")

    def check_bound(self, problem: Problem, proof: bytes | None, objective: int) -> None:
        model, tree = self.model, Tree(problem)
        claimed = -EMPTY if model.lower_bound is None else units(model.lower_bound)
        if proof is None:
            tree.add_point(0, -1, units(model.b0), {j: (units(b), UNIT) for j, b in model.beta.items() if b != 0}, False)
        elif math.isfinite(end := tree.read(proof, self.data)):
            claimed = max(claimed, units(end))
        proved = tree.lower_bound()
        self.outcome.lower_bound = nearest(proved)
        reached = proved >= claimed - abs(claimed) * TOLERANCE
        above = claimed > objective + objective * TOLERANCE
        text = f"{model.lower_bound!r} is claimed; {self.outcome.lower_bound!r} is proved"
        if above or reached or proof is not None:
            self.say("lower_bound", above and f"{model.lower_bound!r} is above the objective", not reached and text)
        else:
            self.outcome.verdict, self.outcome.message = "not reached", f"lower_bound: {text} by the coefficients alone"
        if model.verdicts is not None:
            self.check_verdicts(tree, objective, *model.verdicts)

    def check_verdicts(self, tree: Tree, objective: int, always: list[int], never: list[int]) -> None:
        model = self.model
        used = {j for j, b in model.beta.items() if b != 0}
        wrong = [j for j in always if j not in used | model.always] + [j for j in never if j in used]
        proved = all(tree.leaving[j] > objective for j in always) and all(tree.using[j] > objective for j in never)
        if wrong:
            self.say("verdicts", f"that on feature {wrong[0]} is not what the coefficients say")
        elif proved:
            self.say("verdicts")


# ---- Command line ----


def parse_model(content: bytes, name: str) -> dict[str, Any]:
    def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        if len(result := dict(pairs)) < len(pairs):
            raise Refusal(f"{name}: has a key twice")
        return result

    def constant(text: str) -> None:
        raise Refusal(f"{name}: has the number {text}; expected finite ones")

    def depth(value: Any) -> int:
        parts = value.values() if isinstance(value, dict) else value if isinstance(value, list) else None
        return 0 if parts is None else 1 + max(map(depth, parts), default=0)

    try:
        model = json.loads(content.decode("utf-8"), object_pairs_hook=once, parse_constant=constant)
        if not isinstance(model, dict) or depth(model) > 8:
            raise Refusal(f"{name}: is no object, or nests deeper than 8 levels")
    except (ValueError, RecursionError) as error:
        raise Refusal(f"{name}: is no JSON: {str(error)[:100]}") from error
    return model


def shown(outcome: Outcome, form: str) -> str:
    if form == "json":
        return json.dumps({"schema": "ellzero.check/1", "verdict": outcome.verdict, "objective": outcome.objective,
                           "lower_bound": outcome.lower_bound, "claims": outcome.claims, "message": outcome.message}, indent=1)
    lines = [f"  {claim.replace('_', ' '):13} {found}" for claim, found in outcome.claims.items()]
    for name, value in (("objective", outcome.objective), ("bound", outcome.lower_bound)):
        lines += [] if value is None else [f"  {name + ' found':13} {value!r}"]
    return "\n".join([*lines, f"{outcome.verdict}: {outcome.message}" if outcome.message else outcome.verdict])


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="ellzero.check", description="Check a model, and its proof, in exact arithmetic.")
    parser.add_argument("model", metavar="MODEL", help="what -o has written")
    parser.add_argument("data", metavar="DATA", help="the data of the model: CSV, TSV or LIBSVM text of numbers, also .gz or .bz2")
    parser.add_argument("proof", metavar="PROOF", nargs="?", help="what prove has written with --proof")
    parser.add_argument("--format", choices=("text", "json"), default="text")
    for role in ("target", "weights", "offset"):
        parser.add_argument(f"--{role}", metavar="NAME", help="the column, where it is not the one that the model names")
    options = parser.parse_args(arguments)
    try:
        model = parse_model(read_bytes(options.model), options.model)
        data = read_data(options.data, model, vars(options))
        outcome = check(model, data, None if options.proof is None else read_bytes(options.proof))
    except Refusal as error:
        outcome = Outcome("refused", message=str(error))
    except OSError as error:
        print(f"ellzero.check: {error}", file=sys.stderr)
        return 6
    print(shown(outcome, options.format))
    return outcome.code


if __name__ == "__main__":
    sys.exit(main())
