"""The model file, as checked values: what is claimed, and of which question. Section 2."""
import json
import math
import re
from fractions import Fraction
from typing import Any, NamedTuple

from .arithmetic import units
from .values import CONTROL, MOST_COLUMNS, Refusal, ascending, part, real, real_or_null, texts, whole

# The settings that are the question: default, lowest and highest value, or words.
NUMBERS: dict[str, tuple[float | None, float, float]] = {
    "hinge_width": (1.0, 1e-12, 1e12),
    "lambda0": (None, 0, 1e60),
    "lambda1": (0.0, 0, 1e60),
    "lambda2": (None, 0, 1e60),
    "gap": (1e-4, 0, 1),
}
BOUNDS = {"lower": (-math.inf, 0.0), "upper": (0.0, math.inf)}
WORDS = {"loss": ("squared", "logistic", "smoothed-hinge"), "intercept": (True, False), "standardize": (True, False)}


class Range(NamedTuple):
    """Of a setting of the search, which is no claim, but in its range all the same."""

    low: float
    high: float
    whole: bool = True
    unset: bool = False  # whether it may be null
    many: bool = False  # whether it is a list


SEARCH: dict[str, Range | tuple[Any, ...]] = {
    "effort": ("quick", "default", "thorough"),
    "time_limit": Range(0, 1e9, whole=False, unset=True),
    "node_limit": Range(0, 2**62, unset=True),
    "memory_limit": Range(0, 1e9, whole=False, unset=True),
    "seed": Range(0, 2**31 - 1),
    "threads": Range(0, 1024),
    "method": ("engine", "primal-dual", "dual-ascent", "dual-iht", "cdss"),
    "step": Range(1e-12, 1e12, whole=False, unset=True),
    "add_factor": Range(0, 1e6, whole=False),
    "tolerance": Range(0, 1e60, whole=False),
    "max_iterations": Range(1, 2**31 - 1),
    "screening": ("safe", "heuristic", "none"),
    "adding": (True, False),
    "lambda0_grid": Range(0, 1e60, whole=False, many=True),
    "lambda1_grid": Range(0, 1e60, whole=False, many=True),
    "lambda2_grid": Range(0, 1e60, whole=False, many=True),
    "grid_size": Range(1, 10**6),
    "max_nonzeros": Range(0, 2**62, unset=True),
    "select": ("cv", "aic", "bic", "ebic", "gic"),
    "rule": ("auto", "min", "1se"),
    "metric": ("auto", "mse", "mae", "deviance", "accuracy", "auc"),
    "folds": Range(2, 10**6, unset=True),
    "repeats": Range(1, 10**6, unset=True),
    "relax": Range(0, 1, whole=False, unset=True),
}
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

    def number(text: str) -> int | float:
        if not math.isfinite(float(text)):
            constant(text)
        return int(text) if text.lstrip("-").isdecimal() and text != "-0" else float(text)  # -0 is no whole number

    try:
        model = json.loads(content.decode("utf-8-sig"), object_pairs_hook=once, parse_constant=constant,
                           parse_int=number, parse_float=number)
        json.dumps(model, ensure_ascii=False).encode("utf-8")  # halves of characters are no text
        if not isinstance(model, dict) or depth(model) > DEEPEST:
            raise Refusal(f"{name}: is no object, or nests deeper than {DEEPEST} levels")
    except (ValueError, RecursionError) as error:
        raise Refusal(f"{name}: is no JSON: {str(error)[:100]}") from error
    return model


def status_of(said: dict[str, Any]) -> str:
    status: str = part(said, "status", str)
    if status not in STATUSES:
        raise Refusal(f"status: value is {status[:50]!r}; expected a status, like optimal or time_limit")
    return status


def word_of(given: dict[str, Any], name: str, choices: tuple[Any, ...]) -> Any:
    value = given.get(name, choices[0])
    if not any(type(value) is type(choice) and value == choice for choice in choices):
        raise Refusal(f"{name}: value is {str(value)[:50]}; expected one of {choices}")
    return value


def check_search(given: dict[str, Any], name: str) -> None:
    allowed, value = SEARCH[name], given[name]
    if not isinstance(allowed, Range):
        word_of(given, name, allowed)
        return
    if value is None and allowed.unset:
        return
    for one in part(given, name, list) if allowed.many else [value]:
        if allowed.whole:
            whole(one, name)
        real(one, name, allowed.low, allowed.high)


def check_selection(said: dict[str, Any], p: int) -> None:
    """How the model was chosen is no claim, but of its kind: words of the settings, and models with their scores."""
    by, metric, rule = (part(said, key, str) for key in ("by", "metric", "rule"))
    words = {"select": by, "rule": rule, "metric": metric if by == "cv" else "auto"}
    for name in words:
        check_search(words, name)
    if by not in ("cv", metric):
        raise Refusal(f"metric: value is {metric[:50]!r}; expected {by}")
    models = part(said, "models", list)
    for one in models:
        status_of(one)
        for key in ("objective", "intercept", "lambda1", "lambda2"):
            real(part(one, key, object), key)
        for key in ("lower_bound", "relative_gap", "lambda0", "score", "standard_error"):
            real_or_null(one, key)
        if part(one, "k", object) is not None:
            whole(one["k"], "k")
        real(one.get("relax", 0), "relax")
        entries = part(one, "coefficients", list)
        ascending([part(entry, "index", int) for entry in entries], p, "coefficients")
        for entry in entries:
            real(entry.get("value"), "value")
    for key in {"best", "chosen"} | {"one_error", "as_good"} & said.keys():
        whole(said.get(key), key, len(models) - 1)
    for key in ("repeats", "folds"):
        whole(said.get(key, 0), key)
    real_or_null({"least": None, **said}, "least")
    part({"proved": False, **said}, "proved", bool)


def check_course(said: list[Any]) -> None:
    """The moments of a proof: times that never fall, the best objective and bound that were known, and nodes."""
    last = 0.0
    for moment in said:
        last = real(part(moment, "seconds", object), "seconds", last)
        for key in ("objective", "lower_bound"):
            real_or_null(moment, key)
        whole(moment.get("nodes"), "nodes")


class Model:
    """What the model file says."""

    def __init__(self, said: dict[str, Any]) -> None:
        if not re.fullmatch(r"ellzero\.model/1(\..*)?", str(said.get("schema")), re.DOTALL):
            raise Refusal(f"schema: value is {str(said.get('schema'))[:50]}; expected ellzero.model/1")
        about = part(said, "data", dict)
        self._read_words(said, about)
        self.rows = whole(about.get("rows"), "rows")
        self.p = whole(about.get("columns"), "columns", MOST_COLUMNS)
        self.hash = self._hash(part(about, "hash", str))
        self.names, self.classes = texts(about, "names"), texts(said, "classes")
        if any(map(CONTROL.search, self.classes)):
            raise Refusal(f"classes: value is {str(self.classes)[:50]}; expected words without control characters")
        self.fills = about.get("missing") == "mean"  # cells that are missing, with means that the model has then
        if self.names and len(self.names) != self.p:
            raise Refusal(f"names: there are {len(self.names)}; expected {self.p}, one for each column, or none")
        self._read_question(part(said, "settings", dict))
        self.b0 = real(said.get("intercept"), "intercept")
        self._read_coefficients(part(said, "coefficients", list))
        if "relax" in said or "penalised" in said:
            self._read_penalised(said)
        claimed = part(said, "certificate", dict)
        self.status, self.objective = status_of(claimed), real(claimed.get("objective"), "objective")
        self.lower_bound, self.gap, self.relative_gap = (
            real_or_null(claimed, key) for key in ("lower_bound", "gap", "relative_gap"))
        self.in_every: list[int] = []  # optimum, by the verdicts
        self.in_none: list[int] = []
        if "verdicts" in said:
            self._read_verdicts(part(said, "verdicts", dict))
        if "selection" in said:
            check_selection(part(said, "selection", dict), self.p)
        if "course" in said:
            check_course(part(said, "course", list))
        self.unchecked = [key for key in ("selection", "course", "version", "relax") if key in said]

    @staticmethod
    def _read_words(said: dict[str, Any], about: dict[str, Any]) -> None:
        """What is not checked is at least of its kind."""
        part(said, "version", str)
        for key in ("target", "weights", "offset", "format"):
            part(about, key, str)
        if "folds" in about:
            part(about, "folds", str)
        for key, words in (("header", ("yes", "no")), ("missing", ("refuse", "drop", "mean")),
                           ("categorical", ("refuse", "onehot"))):
            if key in about and about[key] not in words:
                raise Refusal(f"{key}: value is {str(about[key])[:50]}; expected one of {words}")

    @staticmethod
    def _hash(text: str) -> int:
        if not re.fullmatch("[0-9a-fA-F]{16}", text):
            raise Refusal(f"hash: value is {text[:50]!r}; expected 16 hexadecimal digits")
        return int(text, 16)

    def _read_question(self, given: dict[str, Any]) -> None:
        unknown = given.keys() - NUMBERS.keys() - BOUNDS.keys() - WORDS.keys() - SEARCH.keys() - {"k", "always"}
        if unknown:
            raise Refusal(f"settings: has {sorted(unknown)[0]!r}, which is none")
        self.loss, self.intercept, self.standardize = (word_of(given, name, WORDS[name]) for name in WORDS)
        for name in SEARCH.keys() & given.keys():
            check_search(given, name)
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

    def _read_penalised(self, said: dict[str, Any]) -> None:
        """The coefficients that predict are mixed with a refit: the solution is beside them, and is what is checked."""
        if real(said.get("relax"), "relax", 0, 1) == 0:
            raise Refusal("relax: value is 0; expected a number above 0, up to 1")
        solution = part(said, "penalised", dict)
        values = part(solution, "coefficients", list)
        if len(values) != len(self.beta):
            raise Refusal(f"penalised: has {len(values)} coefficients; expected {len(self.beta)}")
        self.b0 = real(solution.get("intercept"), "intercept")
        self.beta = {j: real(value, f"feature {j}") for j, value in zip(self.beta, values)}
        self.used = self.always | {j for j, b in self.beta.items() if b != 0}

    def _read_verdicts(self, given: dict[str, Any]) -> None:
        self.in_every, undecided = (ascending(part(given, key, list), self.p, key) for key in ("always", "undecided"))
        self.in_none = sorted(set(range(self.p)) - set(self.in_every) - set(undecided))
        if set(self.in_every) & set(undecided) or whole(given.get("never"), "never") != len(self.in_none):
            raise Refusal(f"verdicts: lists that overlap, or a number of others that is not {len(self.in_none)}")
