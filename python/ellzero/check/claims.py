"""Each claim of a model, section 1: right, wrong or not checked."""
import math
from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from .arithmetic import TOLERANCE, nearest, units
from .data import Data
from .model import Model
from .problem import Problem
from .rules import EMPTY
from .tree import Tree
from .values import LARGEST_VALUE, Refusal, Wrong

CLAIMS = ("data", "names", "classes", "settings", "coefficients",
          "objective", "lower_bound", "gap", "status", "verdicts")


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

    def say(self, claim: str, *reasons: str | bool) -> bool:
        """Right, or wrong for the first of the reasons that is one."""
        wrong = [reason for reason in reasons if reason]
        self.claims[claim] = f"wrong: {wrong[0]}" if wrong else "right"
        if wrong:
            self.verdict = "wrong"
        return not wrong


def check(model: dict[str, Any], data: Data, proof: bytes | None = None) -> Outcome:
    """Checks the JSON of a model, and the bytes of a proof, against data."""
    outcome = Outcome()
    try:
        check_all(outcome, Model(model), data, proof)
    except Wrong as error:
        outcome.say("lower_bound", str(error))
    except Refusal as error:
        outcome.verdict, outcome.message = "refused", str(error)
    return outcome


def check_all(outcome: Outcome, model: Model, data: Data, proof: bytes | None) -> None:
    outcome.claims |= dict.fromkeys(model.unchecked, "not checked")
    if not outcome.say(
            "data",
            (model.rows, model.p) != (len(data.y), len(data.columns)) and "DATA has other rows or columns",
            model.hash != data.hash and f"DATA has the hash {data.hash:016x}",
            model.fills and "missing cells are filled with means, and the model has none"):
        return
    if model.names and data.names:
        outcome.say("names", model.names != data.names and "DATA has others")
    outcome.say("classes", model.classes != data.classes and f"they are {model.classes}; DATA has {data.classes}")
    problem = Problem(data, model)
    outcome.say("settings")
    if not outcome.say("coefficients", *wrong_coefficients(problem)):
        return
    low, high = problem.objective()
    outcome.objective, allowed = nearest(high), problem.allowed(low)
    outcome.say("objective", not high - allowed <= units(model.objective) <= low + allowed
                and f"{model.objective!r} is claimed; the coefficients have {outcome.objective!r}")
    check_gap(outcome, model)
    tree = Tree(problem)
    check_bound(outcome, tree, data, proof, low + allowed)
    check_verdicts(outcome, tree, high)


def wrong_coefficients(problem: Problem) -> Iterator[str]:
    model = problem.model
    for j, b in model.beta.items():
        low, high = model.lower[j], model.upper[j]
        if abs(b) > LARGEST_VALUE:
            yield f"that of feature {j} is {b!r}; expected at most {LARGEST_VALUE:g}"
        if (low is not None and b < low) or (high is not None and b > high):
            yield f"that of feature {j} is {b!r}, outside its bounds"
        if b != 0 and problem.columns[j].constant:
            yield f"that of feature {j} is {b!r}; expected 0 for a constant column"
    if abs(model.b0) > LARGEST_VALUE:
        yield f"the intercept is {model.b0!r}; expected at most {LARGEST_VALUE:g}"
    if model.b0 != 0 and not model.intercept:
        yield f"the intercept is {model.b0!r}; expected 0, as there is none"
    for j in sorted(model.always - model.beta.keys()):
        if not problem.columns[j].constant:
            yield f"feature {j} is always in, and not there"
    if model.k is not None and len(model.used) > model.k:
        yield f"{len(model.used)} features are used; expected at most {model.k}"


def check_gap(outcome: Outcome, model: Model) -> None:
    """gap = objective - lower_bound, relative_gap = gap / |objective|; without a bound there is none, and no optimum."""
    if model.lower_bound is None:
        outcome.say("gap", (model.gap, model.relative_gap) != (None, None) and "it is claimed without a bound")
    else:
        objective, bound = Fraction(model.objective), Fraction(model.lower_bound)
        allowed, gap = TOLERANCE * (abs(objective) + abs(bound)), objective - bound
        outcome.say(
            "gap",
            (model.gap is None or abs(Fraction(model.gap) - gap) > allowed) and "it is not objective - lower_bound",
            (model.relative_gap is None or abs(Fraction(model.relative_gap) * abs(objective) - gap) > allowed)
            and "relative_gap is not gap / objective")
    if model.status == "optimal":
        relative = math.inf if model.relative_gap is None or model.lower_bound is None else model.relative_gap
        allowed = max(Fraction(model.gap_wanted), TOLERANCE)
        outcome.say("status", relative > allowed and f"it is optimal with a relative gap of {relative!r}")


def check_bound(outcome: Outcome, tree: Tree, data: Data, proof: bytes | None, most: int) -> None:
    """`most` is what no bound is above."""
    model = tree.model
    claimed = -EMPTY if model.lower_bound is None else units(model.lower_bound)
    if proof is None:  # the coefficients as a point at node 0
        point = tree.prove(tree.states(0), -1, units(model.b0), tree.problem.slopes())
        tree.add_point(0, point, [])
    else:
        end = tree.read(proof, data)
        claimed = max(claimed, -EMPTY if end == -math.inf else units(end))
    proved = tree.lower_bound()
    outcome.lower_bound = nearest(proved)
    above, reached = claimed > most, proved >= claimed - abs(claimed) * TOLERANCE
    text = f"{model.lower_bound!r} is claimed; {outcome.lower_bound!r} is proved"
    if above or reached or proof is not None:
        outcome.say("lower_bound", above and "it is above the objective", not reached and text)
    elif outcome.verdict == "right":
        outcome.verdict, outcome.message = "not reached", f"lower_bound: {text} by the coefficients alone"


def check_verdicts(outcome: Outcome, tree: Tree, objective: int) -> None:
    model = tree.model
    wrong = [j for j in model.in_every if j not in model.used] + [j for j in model.in_none if model.beta.get(j, 0)]
    proved = all(tree.leaving[j] > objective for j in model.in_every)
    proved = proved and all(tree.using[j] > objective for j in model.in_none)
    if wrong or proved:
        outcome.say("verdicts", bool(wrong) and f"that on feature {wrong[0]} is not what the coefficients say")
