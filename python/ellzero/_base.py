"""What the estimators share: constructors made from the table of settings, checks, runs, attributes, predictions."""
from __future__ import annotations

import copy
import inspect
from numbers import Number
from typing import Any, Callable, TypeVar

import numpy as np
from scipy import sparse
from sklearn.base import BaseEstimator, ClassifierMixin, RegressorMixin
from sklearn.feature_selection import SelectorMixin
from sklearn.utils.metaestimators import available_if
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import _check_sample_weight, check_is_fitted, validate_data

from ellzero import _core, _data
from ellzero._results import Progress, Result, Selection
from ellzero._settings import document, parameters, rows_of, without
from ellzero._solve import Job
from ellzero._splits import splits_of, with_folds

try:
    from sklearn.callback import CallbackSupportMixin, with_callbacks
except ImportError:  # before scikit-learn 1.9

    class CallbackSupportMixin:  # type: ignore[no-redef]
        pass

    def with_callbacks(method: Any) -> Any:
        return method


Estimator = TypeVar("Estimator", bound=type)
CV = inspect.Parameter("cv", inspect.Parameter.KEYWORD_ONLY, default=None, annotation="Any")
CERTIFY = inspect.Parameter("certify", inspect.Parameter.KEYWORD_ONLY, default=False, annotation="bool")
SPARSE = ("csc", "csr", "coo", "bsr")
TINY = np.finfo(float).tiny


def estimator(*names: str, **changes: dict[str, Any]) -> Callable[[Estimator], Estimator]:
    """Gives a class the constructor and the docstring that the table of settings implies, but for `changes` of it."""
    rows = rows_of(without(names, "cv"), changes)
    taken = [*parameters(rows), *([CV] if "cv" in names else []), CERTIFY]

    def decorate(cls: Estimator) -> Estimator:
        def __init__(self: Any, **given: Any) -> None:
            bound = signature.bind(self, **given)
            for parameter in taken:
                setattr(self, parameter.name, bound.arguments.get(parameter.name, parameter.default))

        myself = inspect.Parameter("self", inspect.Parameter.POSITIONAL_ONLY)
        signature = inspect.Signature([myself, *taken])
        __init__.__signature__ = signature  # type: ignore[attr-defined]
        __init__.__qualname__ = f"{cls.__name__}.__init__"
        cls.__init__ = __init__  # type: ignore[misc]
        cls.__doc__ = document(cls.__doc__ or "", rows)
        return cls

    return decorate


def refuse_source(X: Any) -> None:
    """scikit-learn cuts X by rows and copies it, which no source of columns can do."""
    if _data.is_source(X):
        raise TypeError(f"X: is a source of features ({type(X).__name__}); expected an array or a sparse matrix: for "
                        "sources use ellzero.fit, ellzero.choose and Result.linear_predictor")


class _L0(CallbackSupportMixin, SelectorMixin, BaseEstimator):
    """What the four have in common: checks, the run, the attributes."""

    _fixed: dict[str, Any] = {}  # settings that are no parameters of this estimator
    _least_samples = 1

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        return tags

    def _checked(self, X: Any, **options: Any) -> Any:
        """X, and y where there is one, as scikit-learn checks them."""
        refuse_source(X)
        return validate_data(self, X, accept_sparse=SPARSE, dtype=[np.float64, np.float32], **options)

    def _weights(self, weights: Any, X: Any) -> Any:
        if weights is None:
            return None
        if not isinstance(weights, Number):
            _data.numbers(weights, "sample_weight")  # in words that name the sample
        return _check_sample_weight(weights, X, dtype=np.float64)

    def _settings(self) -> dict[str, Any]:
        settings = {**self.get_params(deep=False), **self._fixed}
        settings.pop("certify")
        return {name: value for name, value in settings.items() if value is not None}

    def _observed(self, X: Any, y: Any, run: Callable[[Any], None]) -> None:
        """Runs with a callback that tells those of scikit-learn, where there are any."""
        if not hasattr(self, "_skl_callbacks"):
            return run(None)
        context = self._init_callback_context(max_subtasks=None)
        context.call_on_fit_task_begin(estimator=self, X=X, y=y)

        def tell(progress: Progress) -> bool:
            step = context.subcontext(task_name=progress.stage)
            step.call_on_fit_task_begin(estimator=self, X=X, y=y)
            return bool(step.call_on_fit_task_end(estimator=self, X=X, y=y))

        run(tell)
        context.call_on_fit_task_end(estimator=self, X=X, y=y)

    def _begin(self) -> None:
        """Forgets what an earlier fit has left."""

    def _job(self, X: Any, y: Any, weights: Any, callback: Any, classes: np.ndarray | None) -> Job:
        names, settings = getattr(self, "feature_names_in_", None), self._settings()
        if settings.get("select") == "auto":  # bic does not price the search among many features
            samples = X.shape[0] if weights is None else weights.sum()
            settings["select"] = "bic" if 2 * X.shape[1] < samples else "ebic"
        return Job(X, y, weights, None, settings, callback, classes, names)

    def _solve(self, job: Job) -> Result:
        return job.solve(self.certify)

    def _take(self, results: list[Result]) -> None:
        """The attributes; several results are one problem of which the objectives and the bounds add up."""
        self.results_ = results
        self.objective_ = float(sum(result.objective for result in results))
        self.lower_bound_ = float(sum(result.lower_bound for result in results))
        self.gap_ = float(sum(result.gap for result in results))
        self.relative_gap_ = self.gap_ / max(abs(self.objective_), TINY)
        self.status_ = max((result.status for result in results), key=_core.statuses.index)
        self.n_iter_ = max(1, max(result.iterations for result in results))
        verdicts = np.array([result.verdicts for result in results])
        self.verdicts_ = verdicts[0] if len(results) == 1 else verdicts
        self.coef_ = np.array([result.coef for result in results])
        self.intercept_: Any = np.array([result.intercept for result in results])
        self.support_ = np.flatnonzero(np.any(self.coef_ != 0, axis=0))

    def transform(self, X: Any) -> Any:
        """X with the features of the model only."""
        refuse_source(X)
        return super().transform(_data.entries_checked(X) if sparse.issparse(X) else X)

    def _get_support_mask(self) -> np.ndarray:
        check_is_fitted(self)
        mask = np.zeros(self.n_features_in_, dtype=bool)
        mask[self.support_] = True
        return mask


class _Chosen(_L0):
    """The estimators that choose by cross-validation, and what they remember of it."""

    _least_samples = 2

    def fit(self, X: Any, y: Any, sample_weight: Any = None, groups: Any = None) -> Any:
        """Fits the model to X and y.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n, p)
        y : array-like of shape (n,)
        sample_weight : array-like of shape (n,), default=None
        groups : array-like of shape (n,), default=None
            Handed to a splitter in `cv` that keeps groups together.

        Returns
        -------
        self
        """
        self._to_split = X, y, groups
        try:
            return super().fit(X, y, sample_weight)  # type: ignore[misc]
        finally:
            del self._to_split

    def _settings(self) -> dict[str, Any]:
        settings = super()._settings()
        settings.pop("cv", None)
        return with_folds(settings, self.cv)

    def _begin(self) -> None:
        self.selections_: list[Selection] = []

    def _solve(self, job: Job) -> Result:
        if self.rule is None:
            raise ValueError("rule: value is None; expected auto, min or 1se")
        job.splits = splits_of(self.cv, *self._to_split, job.settings)
        selection = job.choose()
        self.selections_.append(selection)
        return job.take(selection, selection.chosen, self.certify)

    def with_rule(self, rule: str) -> Any:
        """The same fit with the model of another rule, ``"auto"``, ``"min"`` or ``"1se"``; nothing is fitted again.

        Returns
        -------
        estimator
            A copy; `certify` is not repeated for its model.
        """
        check_is_fitted(self)
        other = copy.copy(self)
        other.rule = rule
        other._take([selection.by_rule(rule) for selection in self.selections_])
        return other

    def _take(self, results: list[Result]) -> None:
        super()._take(results)
        selections = self.selections_

        def each(value: Callable[[Selection], Any]) -> Any:
            values = [value(selection) for selection in selections]
            return values[0] if len(values) == 1 else values

        self.lambda0s_ = each(lambda s: s.path.lambda0s)
        self.coef_path_ = each(lambda s: s.path.coef)
        self.nonzeros_path_ = each(lambda s: np.array([model.nonzeros for model in s.path]))
        self.cv_mean_ = each(lambda s: s.score)
        self.cv_se_ = each(lambda s: s.standard_error)
        self.cv_std_ = each(lambda s: s.standard_error * np.sqrt(s.folds))
        self.metric_ = selections[0].metric
        self.lambda0_min_ = each(lambda s: s.path.lambda0s[s.best])
        self.lambda0_1se_ = each(lambda s: s.path.lambda0s[s.one_error])
        self.lambda0_auto_ = each(lambda s: s.path.lambda0s[s.as_good])


class _Regression(RegressorMixin, _L0):
    _fixed = {"loss": "squared"}

    @with_callbacks
    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Any:
        """Fits the model to X and y.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n, p)
        y : array-like of shape (n,)
        sample_weight : array-like of shape (n,), default=None

        Returns
        -------
        self
        """
        X, y = self._checked(X, y=y, y_numeric=True, ensure_min_samples=self._least_samples)
        sample_weight = self._weights(sample_weight, X)
        self._begin()
        self._observed(X, y, lambda tell: self._take([self._solve(self._job(X, y, sample_weight, tell, None))]))
        return self

    def _take(self, results: list[Result]) -> None:
        super()._take(results)
        self.coef_, self.intercept_ = self.coef_[0], float(self.intercept_[0])

    def predict(self, X: Any) -> np.ndarray:
        """A prediction for each row of X."""
        check_is_fitted(self)
        return _data.product(self._checked(X, reset=False), self.coef_) + self.intercept_


class _Classification(ClassifierMixin, _L0):
    @with_callbacks
    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Any:
        """Fits the model to X and the labels y; more than two classes are told apart one against the rest.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n, p)
        y : array-like of shape (n,)
        sample_weight : array-like of shape (n,), default=None

        Returns
        -------
        self
        """
        _data.refuse_odd_labels(y)
        X, y = self._checked(X, y=y, ensure_min_samples=self._least_samples)
        check_classification_targets(y)
        sample_weight = self._weights(sample_weight, X)
        if self.loss not in _data.TARGETS:
            raise ValueError(f"loss: value is {self.loss!r}; expected {' or '.join(_data.TARGETS)} for classes")
        self.classes_ = _data.labels(y, sample_weight)
        if len(self.classes_) < 2:
            raise ValueError(f"y: has 1 class ({self.classes_[0]}); expected at least 2" if len(self.classes_) else
                             "sample_weight: all are 0; expected at least one above 0")
        self._begin()
        self._observed(X, y, lambda tell: self._take([
            self._solve(self._job(X, labels, sample_weight, tell, classes)) for labels, classes in self._problems(y)]))
        return self

    def _problems(self, y: np.ndarray) -> list[tuple[np.ndarray, np.ndarray]]:
        if len(self.classes_) == 2:
            return [(y, self.classes_)]
        return [(y == label, np.array([False, True])) for label in self.classes_]

    def decision_function(self, X: Any) -> np.ndarray:
        """The linear predictor of each row of X; with more than two classes, one column for each."""
        check_is_fitted(self)
        found = _data.product(self._checked(X, reset=False), self.coef_.T) + self.intercept_
        return found[:, 0] if len(self.classes_) == 2 else found

    def predict(self, X: Any) -> np.ndarray:
        """A label for each row of X."""
        found = self.decision_function(X)
        return self.classes_[(found > 0).astype(int) if found.ndim == 1 else found.argmax(axis=1)]

    @available_if(lambda self: self.loss == "logistic")
    def predict_proba(self, X: Any) -> np.ndarray:
        """The probability of each class, for logistic loss; with more than two classes scaled to sum to 1."""
        found = self.decision_function(X)
        above = 0.5 * (1 + np.tanh(0.5 * found))  # 1 / (1 + exp(-u)) without overflow
        if found.ndim == 1:
            return np.column_stack([0.5 * (1 - np.tanh(0.5 * found)), above])
        total = above.sum(axis=1, keepdims=True)
        return np.where(total > 0, above / np.maximum(total, TINY), 1 / len(self.classes_))

    @available_if(lambda self: self.loss == "logistic")
    def predict_log_proba(self, X: Any) -> np.ndarray:
        """The logarithms of `predict_proba`."""
        with np.errstate(divide="ignore"):
            return np.log(self.predict_proba(X))
