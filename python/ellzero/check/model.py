"""The model file, as checked values: what is claimed, and of which question. Section 2."""
import json
import math
import re
from fractions import Fraction
from typing import Any

from .arithmetic import units
from .values import MOST_COLUMNS, Refusal, ascending, part, real, whole

# The settings that are the question: default, lowest and highest value, or words. Those of the search are no claim.
NUMBERS: dict[str, tuple[float | None, float, float]] = {
    "hinge_width": (1.0, 1e-12, 1e12),
    "lambda0": (None, 0, 1e60),
    "lambda1": (0.0, 0, 1e60),
    "lambda2": (None, 0, 1e60),
    "gap": (1e-4, 0, 1),
}
BOUNDS = {"lower": (-math.inf, 0.0), "upper": (0.0, math.inf)}
WORDS = {"loss": ("squared", "logistic", "smoothed-hinge"), "intercept": (True, False), "standardize": (True, False)}
SEARCH = set("""effort time_limit node_limit memory_limit seed threads method step add_factor tolerance max_iterations
    screening adding lambda0_grid lambda1_grid lambda2_grid grid_size max_nonzeros select rule metric folds
    repeats""".split())
STATUSES = set("""optimal swap_optimal coordinate_optimal stationary time_limit node_limit memory_limit iteration_limit
    interrupted""".split())
DEEPEST = 8


def parse_model(content: bytes, name: str) -> dict[str, Any]:
    def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        result = dict(pairs)
        if len(result) < len(pairs):
            raise Refusal(f"{name}: has a key twice")
        return result

    def constant(text: str) -> None:
        raise Refusal(f"{name}: has the number {text}; expected finite ones")

    def depth(value: Any) -> int:
        parts = value.values() if isinstance(value, dict) else value
        return 1 + max(map(depth, parts), default=0) if isinstance(value, (dict, list)) else 0

    try:
        model = json.loads(content.decode("utf-8"), object_pairs_hook=once, parse_constant=constant)
        if not isinstance(model, dict) or depth(model) > DEEPEST:
            raise Refusal(f"{name}: is no object, or nests deeper than {DEEPEST} levels")
    except (ValueError, RecursionError) as error:
        raise Refusal(f"{name}: is no JSON: {str(error)[:100]}") from error
    return model


class Model:
    """What the model file says."""

    def __init__(self, said: dict[str, Any]) -> None:
        if not re.fullmatch(r"ellzero\.model/1(\..*)?", str(said.get("schema"))):
            raise Refusal(f"schema: value is {str(said.get('schema'))[:50]}; expected ellzero.model/1")
        about = part(said, "data", dict)
        self.rows, self.hash = whole(about.get("rows"), "rows"), part(about, "hash", str)
        self.p = whole(about.get("columns"), "columns", MOST_COLUMNS)
        self.names, self.classes = part(about, "names", list), part(said, "classes", list)
        self._read_question(part(said, "settings", dict))
        self.b0 = real(said.get("intercept"), "intercept")
        self._read_coefficients(part(said, "coefficients", list))
        claimed = part(said, "certificate", dict)
        self.status, self.objective = part(claimed, "status", str), real(claimed.get("objective"), "objective")
        if self.status not in STATUSES:
            raise Refusal(f"status: value is {self.status[:50]!r}; expected a status, like optimal or time_limit")
        self.lower_bound, self.gap, self.relative_gap = (
            None if claimed.get(key) is None else real(claimed[key], key)
            for key in ("lower_bound", "gap", "relative_gap"))
        self.in_every: list[int] = []  # optimum, by the verdicts
        self.in_none: list[int] = []
        if "verdicts" in said:
            self._read_verdicts(part(said, "verdicts", dict))
        self.unchecked = [key for key in ("selection", "course", "version") if key in said]

    def _read_question(self, given: dict[str, Any]) -> None:
        unknown = given.keys() - NUMBERS.keys() - BOUNDS.keys() - WORDS.keys() - SEARCH - {"k", "always"}
        if unknown:
            raise Refusal(f"settings: has {sorted(unknown)[0]!r}, which is none")
        self.loss, self.intercept, self.standardize = (self._word(given, name) for name in WORDS)
        self.width = Fraction(self._number(given, "hinge_width"))
        self.lambda0, self.lambda1, self.lambda2 = (
            units(self._number(given, name)) for name in ("lambda0", "lambda1", "lambda2"))
        self.gap_wanted = self._number(given, "gap")
        self.k = None if given.get("k") is None else whole(given["k"], "k", self.p)
        if (given.get("lambda0") is None) == (self.k is None) or given.get("lambda2") is None:
            raise Refusal("settings: expected lambda2, and one of lambda0 and k")
        self.lower, self.upper = self._bounds(given, "lower"), self._bounds(given, "upper")
        self.always = {whole(j, "always", self.p - 1) for j in part({"always": [], **given}, "always", list)}
        if self.k is not None and len(self.always) > self.k:
            raise Refusal(f"always: has {len(self.always)} features; expected at most k, {self.k}")

    def _word(self, given: dict[str, Any], name: str) -> Any:
        value, choices = given.get(name, WORDS[name][0]), WORDS[name]
        if not any(type(value) is type(choice) and value == choice for choice in choices):
            raise Refusal(f"{name}: value is {str(value)[:50]}; expected one of {choices}")
        return value

    def _number(self, given: dict[str, Any], name: str) -> float:
        """0 for a price that is not set."""
        default, low, high = NUMBERS[name]
        value = given.get(name, default)
        return 0.0 if value is None and default is None else real(value, name, low, high)

    def _bounds(self, given: dict[str, Any], name: str) -> list[float | None]:
        """One for each feature; None is infinite."""
        said = part({name: [], **given}, name, list)
        ends = [None if end is None else real(end, name, *BOUNDS[name]) for end in said]
        if len(ends) not in (0, 1, self.p):
            raise Refusal(f"{name}: has {len(ends)} numbers; expected none, one or {self.p}")
        return ends if len(ends) == self.p else (ends or [None]) * self.p

    def _read_coefficients(self, entries: list[Any]) -> None:
        listed = ascending([part(entry, "index", int) for entry in entries], self.p, "coefficients")
        self.beta = {j: real(entry.get("value"), f"feature {j}") for j, entry in zip(listed, entries)}
        self.used = self.always | {j for j, b in self.beta.items() if b != 0}
        for j, entry in zip(listed, entries):
            if entry.get("feature") != (self.names[j] if j < len(self.names) else f"x{j}"):
                raise Refusal(f"coefficients: feature {j} has not the name that it has in data.names")

    def _read_verdicts(self, given: dict[str, Any]) -> None:
        self.in_every, undecided = (ascending(part(given, key, list), self.p, key) for key in ("always", "undecided"))
        self.in_none = sorted(set(range(self.p)) - set(self.in_every) - set(undecided))
        if set(self.in_every) & set(undecided) or given.get("never") != len(self.in_none):
            raise Refusal(f"verdicts: lists that overlap, or a number of others that is not {len(self.in_none)}")
