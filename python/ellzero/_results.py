"""What the functions of the package return: a model with its proof, a path of models, a choice among them."""
from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Iterator, NamedTuple, Sequence, overload

import numpy as np
from scipy import sparse

from ellzero import _core, _data

if TYPE_CHECKING:
    import pandas

VERDICTS = np.array(["undecided", "always", "never"])


class Progress(NamedTuple):
    """How far a computation is; callbacks get one many times a second.

    Attributes
    ----------
    stage : str
        ``"relaxation"``, ``"search"``, ``"path"``, ``"cross-validation"``, ``"proof"``, ``"method"``.
    seconds : float
        Since the computation began.
    objective, lower_bound : float
        The best so far; nan while there is none.
    nonzeros : int
        Features of the best model so far.
    nodes, open : int
        Nodes of the proof that are done and that wait.
    point, points : int
        Models of a path, or folds, that are done and that there are in all; 0 where that is unknown.
    """

    stage: str
    seconds: float
    objective: float
    lower_bound: float
    nonzeros: int
    nodes: int
    open: int
    point: int = 0
    points: int = 0

    @property
    def gap(self) -> float:
        """objective - lower_bound"""
        return self.objective - self.lower_bound


@dataclass(frozen=True, eq=False)
class Result:
    """One model, and what is proved about it.

    Attributes
    ----------
    status : str
        How the computation ended: ``"optimal"`` (the relative gap is within ``gap``), ``"swap_optimal"``,
        ``"coordinate_optimal"``, ``"stationary"``, or the limit that ended it.
    objective, lower_bound : float
        Of this model; no other model has an objective below the bound.
    gap, relative_gap : float
        objective - lower_bound, and the same relative to the objective.
    intercept : float
        In the units of the data, like the coefficients.
    support : ndarray of int
        The features with a nonzero coefficient, ascending.
    coefficients : ndarray of float
        One for each of `support`; `coef` has one for each feature.
    relax : float
        The share of a refit without penalty in intercept and coefficients.
    penalised : tuple or None
        Where there is such a share, intercept and coefficients of the solution itself, which objective, bound and gap are about.
    k, lambda0, lambda1, lambda2, loss
        What was asked for; lambda0 is None with a budget k.
    n, p : int
        Samples of positive weight, features.
    seconds, sweeps, iterations, nodes, threads
        What it took.
    notes : tuple of str
        What a user should know: constant columns, bounds that bind, separation.
    selection : Selection or None
        The choice that the model is from, where neither lambda0 nor k was set.
    classes : ndarray or None
        The lower and the upper label, for losses of two classes.
    feature_names : ndarray or None
        The columns' names, where X was a frame.
    settings : dict
        What was set, as given.
    """

    status: str
    objective: float
    lower_bound: float
    gap: float
    relative_gap: float
    intercept: float
    support: np.ndarray
    coefficients: np.ndarray
    relax: float
    penalised: tuple[float, np.ndarray] | None = field(repr=False)
    verdict_codes: np.ndarray = field(repr=False)
    k: int | None
    lambda0: float | None
    lambda1: float
    lambda2: float
    loss: str
    n: int
    p: int
    seconds: float
    sweeps: int
    iterations: int
    nodes: int
    threads: int
    notes: tuple[str, ...]
    selection: Selection | None = field(default=None, repr=False)
    classes: np.ndarray | None = None
    feature_names: np.ndarray | None = field(default=None, repr=False)
    settings: dict[str, Any] = field(default_factory=dict, repr=False)

    @property
    def coef(self) -> np.ndarray:
        """One coefficient for each feature."""
        dense = np.zeros(self.p)
        dense[self.support] = self.coefficients
        return dense

    @property
    def nonzeros(self) -> int:
        """The number of features that the model uses."""
        return len(self.support)

    @property
    def verdicts(self) -> np.ndarray:
        """For each feature: in every optimal model (always), in none (never), or undecided."""
        return VERDICTS[self.verdict_codes]

    def linear_predictor(self, X: Any) -> np.ndarray:
        """x'b + intercept for each row of X; only the columns of the support are looked at."""
        if _data.is_source(X):
            return _core.predict(_data.source(X), claim_of(self))
        if sparse.issparse(X):
            columns = _data.compressed(X)[:, self.support]
        elif self.feature_names is not None and hasattr(X, "columns"):
            columns = X[self.feature_names[self.support]]
        else:
            columns = np.asarray(X)[:, self.support]
        return _data.product(columns, self.coefficients).reshape(-1) + self.intercept

    def __str__(self) -> str:
        price = f"k = {self.k}" if self.lambda0 is None else f"lambda0 = {self.lambda0:g}"
        return (f"{self.nonzeros} of {self.p} features, {price}: objective {self.objective:.6g}, "
                f"at least {self.lower_bound:.6g} (gap {100 * self.relative_gap:.2g} %), {self.status}")


def claim_of(result: Result) -> dict[str, Any]:
    """What the extension takes of a result."""
    names = "objective lower_bound intercept support coefficients relax k lambda0 lambda1 lambda2".split()
    arrays: dict[str, Any] = {"support": np.ascontiguousarray(result.support, np.int64),
              "coefficients": np.ascontiguousarray(result.coefficients, np.float64), "penalised": None}
    if result.penalised is not None:
        intercept, coefficients = result.penalised
        arrays["penalised"] = float(intercept), np.ascontiguousarray(coefficients, np.float64)
    return {**{name: getattr(result, name) for name in names}, **arrays}


class Path(Sequence[Result]):
    """A family of models: indexable, ``len()``, slices are paths again.

    Attributes
    ----------
    status : str
        Of the model that fared worst; a limit leaves the rest of the grid out.
    """

    def __init__(self, models: Sequence[Result], status: str) -> None:
        self._models = tuple(models)
        self.status = status

    def __len__(self) -> int:
        return len(self._models)

    def __iter__(self) -> Iterator[Result]:
        return iter(self._models)

    @overload
    def __getitem__(self, index: int) -> Result: ...
    @overload
    def __getitem__(self, index: slice) -> Path: ...
    def __getitem__(self, index: int | slice) -> Result | Path:
        return Path(self._models[index], self.status) if isinstance(index, slice) else self._models[index]

    def __repr__(self) -> str:
        sizes = [model.nonzeros for model in self]
        span = f", {min(sizes)} to {max(sizes)} features" if sizes else ""
        return f"<{type(self).__name__}: {len(self)} model{'s' if len(self) != 1 else ''}{span}, {self.status}>"

    @property
    def lambda0s(self) -> np.ndarray:
        """The price per feature of each model; nan for a path over budgets."""
        return np.array([np.nan if model.lambda0 is None else model.lambda0 for model in self])

    @property
    def coef(self) -> np.ndarray:
        """One row of coefficients for each model."""
        return np.array([model.coef for model in self])

    @property
    def intercepts(self) -> np.ndarray:
        return np.array([model.intercept for model in self])

    def to_frame(self) -> pandas.DataFrame:
        """One row for each model, as a pandas frame."""
        import pandas

        columns = ("lambda0 lambda1 lambda2 k nonzeros objective lower_bound gap relative_gap intercept status "
                   "seconds nodes").split()
        return pandas.DataFrame([[getattr(model, name) for name in columns] for model in self], columns=columns)


class Pool(Path):
    """Sets of features that are about as good as the best, best first, each with its best coefficients.

    The lower bound of a model is one for all sets but those listed before it: a closed gap proves its rank.

    Attributes
    ----------
    status : str
        ``"optimal"``: all ranks are proved, and the list is complete or cut.
    complete : bool
        Every set within the margin is listed.
    cut : bool
        ``size`` left out others within the margin.
    beyond : float
        No set that is not listed has an objective below this.
    """

    def __init__(self, models: Sequence[Result], status: str, complete: bool, cut: bool, beyond: float) -> None:
        super().__init__(models, status)
        self.complete, self.cut, self.beyond = complete, cut, beyond


@dataclass(frozen=True, eq=False)
class Selection:
    """A path, a score for each of its models, and the one that was chosen.

    Attributes
    ----------
    path : Path
        Fitted to all samples.
    by, metric : str
        What chose, and what was measured.
    score : ndarray
        One for each model; smaller is better but for accuracy and auc.
    standard_error : ndarray
        Of the scores over the folds; empty for criteria.
    relax : ndarray
        One for each model: the share of its refit without penalty that scores best, and that its score is of.
    best, one_error, as_good : int
        The model of the best score, the sparsest within one standard error of it, and the sparsest that paired differences cannot tell from
        it: those of the rules ``"min"``, ``"1se"`` and ``"auto"``.
    repeats : int
        How often cross-validation was repeated with other folds.
    folds : int
        How many parts each repeat left out in turn.
    least : float
        Of a criterion, where nothing is shrunk: what that of any subset is at least; NaN where nothing is known.
    proved : bool
        No subset has a better criterion than the chosen model, to within a relative 1e-4 of its misfit.
    chosen : int
        The model that the rule chose.
    status : str
        How the choice ended: a limit or an interrupt leaves models or folds out.
    """

    path: Path
    by: str
    metric: str
    score: np.ndarray
    standard_error: np.ndarray
    relax: np.ndarray
    best: int
    one_error: int
    as_good: int
    repeats: int
    folds: int
    least: float
    proved: bool
    chosen: int
    status: str

    @property
    def model(self) -> Result:
        """The chosen model."""
        return self.path[self.chosen]

    def by_rule(self, rule: str) -> Result:
        """The model that a rule of cross-validation names, ``"auto"``, ``"min"`` or ``"1se"``: all three are here."""
        places = {"auto": self.as_good, "min": self.best, "1se": self.one_error}
        if self.by != "cv":
            raise ValueError(f"rule: value is {rule!r:.60}; expected none, as {self.by} chose and has one best model")
        if rule not in places:
            raise ValueError(f"rule: value is {rule!r:.60}; expected {', '.join(places)}")
        return self.path[places[rule]]


@dataclass(frozen=True)
class Verification:
    """What a check from scratch has found; it raises where a claim does not hold.

    Attributes
    ----------
    objective, lower_bound : float
        As found: the bound is that of the proof, of one that was made anew, or what the coefficients alone prove.
    claimed_objective, claimed_lower_bound : float
        What the result says.
    nodes, points : int or None
        Of the proof that the bound is from; None where the coefficients alone prove it.
    confirmed : bool
        The bound that was found is as high as the one that is claimed, or none is claimed. If not, neither the claimed
        bound nor the status ``"optimal"`` is checked: a proof, or more time, would do that.
    verdicts_right, verdicts_not_checked : int
        Of features that are said to be in every optimum or in none: how many of these verdicts are proved, and how many
        are not.
    """

    objective: float
    lower_bound: float
    claimed_objective: float
    claimed_lower_bound: float
    nodes: int | None
    points: int | None
    confirmed: bool
    verdicts_right: int
    verdicts_not_checked: int
