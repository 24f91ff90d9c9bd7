"""The functions of the package: fit, prove, path, choose, every_k, pool and verify."""
from __future__ import annotations

import numbers
import os
import sys
import tempfile
import time
from dataclasses import replace
from typing import Any, Callable

import numpy as np

from ellzero import _claims, _core, _data, _files
from ellzero._results import Path, Pool, Progress, Result, Selection, Verification, claim_of
from ellzero._settings import CHOICE, GRID, METHOD, MODEL, SEARCH, checked, takes, without
from ellzero._splits import Splits, splits_of, with_folds

Callback = Callable[[Progress], Any]
WITHOUT_PROOF = without(SEARCH, "node_limit", "memory_limit")


class Job:
    """Data and settings as the extension takes them, and what its answers need to become results."""

    def __init__(self, X: Any, y: Any, weights: Any, offset: Any, settings: dict[str, Any], callback: Callback | None,
                 classes: np.ndarray | None = None, names: np.ndarray | None = None) -> None:
        self.started = time.monotonic()
        self.names = _data.feature_names(X) if names is None else names
        self.settings = settings
        if "always" in settings:
            self.settings = {**settings, "always": _data.feature_indices(settings["always"], self.names)}
        self.classes = classes
        sample_weight = _data.optional_vector(weights, "sample_weight")
        matrix = _data.matrix(X)
        target = self._target(y, sample_weight)
        self.arguments = (matrix, target, sample_weight, _data.optional_vector(offset, "offset"))
        if callback is not None and not callable(callback):
            raise TypeError(f"callback: value is {callback!r}; expected a function of one argument, or None")
        self.callback = None if callback is None else lambda *event: callback(Progress(*event))
        self.splits: Splits = []

    def _target(self, y: Any, weights: np.ndarray | None) -> np.ndarray:
        loss = self.settings.get("loss", "squared")
        if loss not in _data.TARGETS:
            return _data.vector(y, "y")
        if self.classes is None:
            self.classes = _data.labels(y, weights)
        else:
            _data.label_array(y)
        if len(self.classes) != 2:
            found = ", ".join(str(label) for label in self.classes[:5])
            raise ValueError(f"y: has {len(self.classes)} classes ({found}); expected 2 for {loss} loss")
        return _data.targets(y, loss, self.classes)

    def run(self, function: Callable[..., Any], *more: Any, **changed: Any) -> Any:
        return function(*self.arguments, {**self.settings, **changed}, self.callback, *more)

    def result(self, found: dict[str, Any]) -> Result:
        found["support"] = found["support"].view(np.intp)  # numpy's own name for 64 bits
        if found["selection"] is not None:
            found["selection"] = self.selection(found["selection"])
        return Result(**found, classes=self.classes, feature_names=self.names, settings=self.settings)

    def path(self, found: tuple[list[dict[str, Any]], str]) -> Path:
        return Path([self.result(model) for model in found[0]], found[1])

    def choose(self) -> Selection:
        return self.selection(self.run(_core.choose, self.splits))

    def selection(self, found: dict[str, Any]) -> Selection:
        return Selection(**{**found, "path": self.path(found["path"])})

    def pool(self, found: dict[str, Any]) -> Pool:
        models = self.path(found.pop("path"))
        return Pool(models, models.status, **found)

    def prove(self, proof: str | None = None) -> Result:
        return self.result(self.run(_core.prove, proof))

    def verified(self, result: Result, proof: str | None) -> dict[str, Any]:
        found: dict[str, Any] = _core.verify(*self.arguments, self.settings, claim_of(result), proof)
        return found

    @property
    def columns(self) -> int:
        matrix = self.arguments[0]
        return int(matrix[1] if isinstance(matrix, tuple) else matrix.shape[1])

    def solve(self, certify: bool) -> Result:
        """One model; with neither a price nor a budget, the one of a path that `select` chooses."""
        refuse_no_truth(certify)
        if certify:
            return self.prove()
        if "lambda0" in self.settings or "k" in self.settings:
            return self.result(self.run(_core.fit))
        selection = self.choose()
        return replace(self.take(selection, selection.chosen, certify), selection=selection)

    def take(self, selection: Selection, place: int, certify: bool) -> Result:
        """A model of the path, proved in what is left of the time unless the choice was cut short already."""
        refuse_no_truth(certify)
        chosen = selection.path[place]
        if selection.status in ("time_limit", "interrupted"):
            return replace(chosen, status=selection.status)
        if not certify:
            return chosen
        changed = {}
        if self.settings.get("time_limit") is not None:
            changed["time_limit"] = max(0.0, self.settings["time_limit"] - (time.monotonic() - self.started))
        return self.result(self.run(_core.prove_chosen, claim_of(chosen), **changed))


def refuse_no_truth(certify: Any) -> None:
    if not isinstance(certify, (bool, np.bool_)):  # "no" would count as True
        raise TypeError(f"certify: value is {certify!r:.80}; expected True or False")


@takes(*MODEL, *SEARCH, *METHOD, *GRID, *CHOICE)
def fit(X: Any, y: Any, *, sample_weight: Any = None, offset: Any = None, certify: bool = False,
        callback: Callback | None = None, **settings: Any) -> Result:
    """The best subset of features that can be found quickly, with a bound that says how good it is.

    Minimises ``sum of losses + lambda0 |b|_0 + lambda1 |b|_1 + lambda2 |b|_2^2``, or the same with at most k features
    in place of lambda0. With neither, a path over lambda0 is walked and `select` chooses.

    Parameters
    ----------
    X : array-like, sparse matrix or source of shape (n, p)
        numpy in any order and stride, float64 and float32 without conversion; scipy's sparse matrices and arrays;
        pandas frames. Column-major arrays and CSC are used in place. A `sources.FeatureSource` makes its columns when
        it is asked.
    y : array-like of shape (n,)
        Numbers, or two kinds of labels for the losses of two classes.
    sample_weight : array-like of shape (n,), default=None
        A sample of weight 0 is left out, one of weight 2 counts twice.
    offset : array-like of shape (n,), default=None
        Added to the linear predictor.
    certify : bool, default=False
        Go on by branch and bound until the relative gap is within `gap`, as `prove` does.
    callback : callable, default=None
        Called with a `Progress` many times a second. A true answer ends the computation with the best so far.
    <settings>

    Returns
    -------
    Result

    Examples
    --------
    >>> import numpy as np, ellzero
    >>> X = np.random.default_rng(0).normal(size=(100, 20))
    >>> y = 3 * X[:, 2] - 2 * X[:, 7] + 0.1 * X[:, 11]
    >>> result = ellzero.fit(X, y, k=2)
    >>> result.support
    array([2, 7])
    >>> result.lower_bound <= result.objective
    True
    """
    refuse_no_truth(certify)
    walks = settings.get("lambda0") is None and settings.get("k") is None
    given = checked(fit, settings, walks=walks, proves=bool(certify))
    return Job(X, y, sample_weight, offset, given, callback).solve(certify)


@takes(*MODEL, *SEARCH, *GRID, *CHOICE)
def prove(X: Any, y: Any, *, sample_weight: Any = None, offset: Any = None, callback: Callback | None = None,
          proof: str | bytes | os.PathLike[Any] | None = None, **settings: Any) -> Result:
    """`fit`, then branch and bound until the relative gap is within `gap` or a limit is reached.

    A model that a criterion chose, where nothing is shrunk, is compared with all subsets as well: see
    `Selection.proved`.

    Parameters
    ----------
    X, y, sample_weight, offset, callback
        As for `fit`.
    proof : path, default=None
        A file for the proof, other than those that X, y, sample_weight or offset are mapped from; `verify` and
        ``ellzero verify`` check it step by step.
    <settings>

    Returns
    -------
    Result

    Examples
    --------
    >>> import numpy as np, ellzero
    >>> X = np.random.default_rng(0).normal(size=(60, 15))
    >>> y = X[:, 0] + X[:, 1] + np.random.default_rng(1).normal(size=60)
    >>> ellzero.prove(X, y, lambda0=3).status
    'optimal'
    """
    if proof is not None:
        proof = _files.output_name(proof, X=X, y=y, sample_weight=sample_weight, offset=offset)
    walks = settings.get("lambda0") is None and settings.get("k") is None
    return Job(X, y, sample_weight, offset, checked(prove, settings, walks=walks, proves=True), callback).prove(proof)


@takes(*without(MODEL, "lambda0"), *WITHOUT_PROOF, *GRID)
def path(X: Any, y: Any, *, sample_weight: Any = None, offset: Any = None, callback: Callback | None = None,
         **settings: Any) -> Path:
    """A model for each value of a grid of lambda0 or, with k, for each budget from 0 to k.

    Parameters
    ----------
    X, y, sample_weight, offset, callback
        As for `fit`.
    <settings>

    Returns
    -------
    Path

    Examples
    --------
    >>> import numpy as np, ellzero
    >>> X = np.random.default_rng(0).normal(size=(60, 15))
    >>> y = 2 * X[:, 0] + X[:, 1] + np.random.default_rng(1).normal(size=60)
    >>> path = ellzero.path(X, y, k=3)
    >>> [model.nonzeros for model in path]
    [0, 1, 2, 3]
    >>> path[2].support
    array([0, 1])
    """
    job = Job(X, y, sample_weight, offset, checked(path, settings, walks=True), callback)
    return job.path(job.run(_core.path))


@takes(*without(MODEL, "lambda0"), *WITHOUT_PROOF, *GRID, *CHOICE)
def choose(X: Any, y: Any, *, sample_weight: Any = None, offset: Any = None, callback: Callback | None = None,
           cv: Any = None, groups: Any = None, **settings: Any) -> Selection:
    """One model of a path, by cross-validation or by a criterion.

    Parameters
    ----------
    X, y, sample_weight, offset, callback
        As for `fit`.
    cv : int, splitter or iterable, default=None
        The number of folds; or what to leave out in turn: a splitter of scikit-learn, or pairs of rows to fit to and rows to judge by.
        None: `folds` that are dealt at random, until the choice has settled.
    groups : array-like of shape (n,), default=None
        Handed to a splitter that keeps groups together.
    <settings>

    Returns
    -------
    Selection

    Examples
    --------
    >>> import numpy as np, ellzero
    >>> X = np.random.default_rng(0).normal(size=(60, 15))
    >>> y = 2 * X[:, 0] + X[:, 1] + np.random.default_rng(1).normal(size=60)
    >>> ellzero.choose(X, y, select="bic", grid_size=20).model.support
    array([0, 1])
    """
    job = Job(X, y, sample_weight, offset, checked(choose, with_folds(settings, cv), walks=True), callback)
    job.splits = splits_of(cv, X, y, groups, settings)
    return job.choose()


@takes(*without(MODEL, "loss", "hinge_width", "lambda0"), "gap", "time_limit", "node_limit")
def every_k(X: Any, y: Any, *, sample_weight: Any = None, offset: Any = None, callback: Callback | None = None,
            **settings: Any) -> Path:
    """The proved best model of every size at once, for squared loss and a few dozen features.

    Parameters
    ----------
    X, y, sample_weight, offset, callback
        As for `fit`; at most 64 features, and time grows fast beyond 40.
    <settings>

    Returns
    -------
    Path
        A model for each size, up to `k` features or to all.

    Examples
    --------
    >>> import numpy as np, ellzero
    >>> X = np.random.default_rng(0).normal(size=(60, 15))
    >>> y = 2 * X[:, 0] + X[:, 1] + np.random.default_rng(1).normal(size=60)
    >>> best = ellzero.every_k(X, y)
    >>> len(best), best.status, best[2].support.tolist()
    (16, 'optimal', [0, 1])
    """
    job = Job(X, y, sample_weight, offset, checked(every_k, settings, proves=True), callback)
    return job.path(job.run(_core.every_k))


@takes(*MODEL, *SEARCH)
def pool(X: Any, y: Any, *, margin: float = 0.01, size: int = 100, sample_weight: Any = None, offset: Any = None,
         callback: Callback | None = None, **settings: Any) -> Pool:
    """Every set of features that is about as good as the best one, complete and proved.

    Parameters
    ----------
    X, y, sample_weight, offset, callback
        As for `fit`.
    margin : float, default=0.01
        How much worse than the best, relative to its objective.
    size : int, default=100
        The best so many, if more are as good as that.
    <settings>

    Returns
    -------
    Pool

    Examples
    --------
    >>> import numpy as np, ellzero
    >>> X = np.random.default_rng(0).normal(size=(60, 15))
    >>> X[:, 5] = X[:, 0] + 0.01 * X[:, 5]
    >>> y = 2 * X[:, 0] + X[:, 1] + np.random.default_rng(1).normal(size=60)
    >>> found = ellzero.pool(X, y, k=2, margin=0.05)
    >>> sorted(model.support.tolist() for model in found)
    [[0, 1], [1, 5]]
    >>> found.complete
    True
    """
    if isinstance(margin, bool) or not isinstance(margin, numbers.Real):
        raise TypeError(f"margin: value is {margin!r}; expected number")
    if abs(margin) > sys.float_info.max:
        raise ValueError(f"margin: value is {margin!r:.80}; expected a finite number")
    if isinstance(size, bool) or not isinstance(size, numbers.Integral):
        raise TypeError(f"size: value is {size!r}; expected whole number")
    job = Job(X, y, sample_weight, offset, checked(pool, settings, proves=True), callback)
    return job.pool(job.run(_core.pool, float(margin), min(int(size), sys.maxsize)))


def verify(result: Result, X: Any, y: Any, *, sample_weight: Any = None, offset: Any = None,
           proof: str | bytes | os.PathLike[Any] | None = None, time_limit: float = 10.0) -> Verification:
    """Checks a result against its data, from scratch and with code that shares nothing with the search.

    The objective is worked out anew from the coefficients, which must keep to the settings. Gaps, the status
    ``"optimal"``, n, p, loss and classes must fit to it and to the data, and verdicts to the coefficients. The lower
    bound is checked by the proof, if there is one. Otherwise it is what the coefficients prove alone; if that is less
    than what is claimed, the bound is proved anew, as far as that goes in `time_limit`.

    Verdicts are counted: those that the records prove are right, others are not checked.

    Not checked are a status other than ``"optimal"``, and what is said of the course: seconds, sweeps, iterations,
    nodes, threads, notes. A bound of a `Pool` is not one for all models, and is wrong here.

    Parameters
    ----------
    result : Result
        Of `fit`, `prove` or a path.
    X, y, sample_weight, offset
        What it was fitted to.
    proof : path, default=None
        What `prove` wrote: the lower bound is then checked leaf by leaf.
    time_limit : float, default=10.0
        Seconds to prove the bound anew without a proof; with 0 that is left out.

    Returns
    -------
    Verification
        `confirmed` says whether the claimed bound was reached. Without a proof it may be right and not be reached.

    Raises
    ------
    NumericalError
        If a claim does not hold.

    Examples
    --------
    >>> import numpy as np, ellzero
    >>> X = np.random.default_rng(0).normal(size=(30, 5))
    >>> result = ellzero.fit(X, X[:, 0], lambda0=0.1)
    >>> found = ellzero.verify(result, X, X[:, 0])
    >>> abs(found.objective - result.objective) < 1e-9, found.confirmed
    (True, True)
    """
    _claims.check_types(result)
    if isinstance(time_limit, bool) or not isinstance(time_limit, numbers.Real) or not time_limit >= 0:
        raise ValueError(f"time_limit: value is {time_limit!r}; expected a number of seconds, 0 or above")
    name = None if proof is None else _files.name_of(proof)
    used = {name: value for name, value in result.settings.items() if name in (*MODEL, "gap")}
    used.update(k=result.k, lambda0=result.lambda0, lambda1=result.lambda1, lambda2=result.lambda2)
    used = {name: value for name, value in used.items() if value is not None}
    job = Job(X, y, sample_weight, offset, used, None)
    weights = job.arguments[2]
    n = len(job.arguments[1]) if weights is None else int(np.count_nonzero(weights))
    _claims.check_data(result, n, job.columns, job.classes)
    found = job.verified(result, name)
    _claims.check_certificate(result)
    _claims.check_verdicts(result, job.settings.get("always", []))
    if name is None and time_limit > 0 and not _claims.is_reached(found["lower_bound"], result.lower_bound):
        anew = proved_anew(job, result, float(time_limit))
        found = found if found["lower_bound"] >= anew["lower_bound"] else {**anew, "objective": found["objective"]}
    confirmed = _claims.is_reached(found["lower_bound"], result.lower_bound)
    counts = _claims.count_verdicts(result, found.pop("verdict_codes"))
    return Verification(**found, **counts, claimed_objective=result.objective, claimed_lower_bound=result.lower_bound,
                        confirmed=confirmed)


def proved_anew(job: Job, result: Result, seconds: float) -> dict[str, Any]:
    """The search proposes a proof, and the check says what it proves. Better coefficients than the claimed bound allows
    prove that wrong."""
    gap = min(1.0, max(0.0, result.relative_gap)) if np.isfinite(result.relative_gap) else 1.0
    with tempfile.TemporaryDirectory() as folder:
        file = os.path.join(folder, "proof.ez")
        other = job.result(job.run(_core.prove, file, gap=gap, time_limit=seconds))
        found: dict[str, Any] = job.verified(other, file)
    if not _claims.is_reached(found["objective"], result.lower_bound):
        raise _claims.wrong("lower_bound", result.lower_bound, f"at most {found['objective']}, that of other coefficients")
    return found
