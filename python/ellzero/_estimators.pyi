# Written by tools/python_stubs.py from the table of settings.
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import BaseEstimator, ClassifierMixin, RegressorMixin
from sklearn.feature_selection import SelectorMixin

from ellzero._results import Result, Selection

class _L0(SelectorMixin, BaseEstimator):
    intercept_: Any
    coef_: np.ndarray
    support_: np.ndarray
    objective_: float
    lower_bound_: float
    gap_: float
    relative_gap_: float
    status_: str
    verdicts_: np.ndarray
    n_iter_: int
    n_features_in_: int
    results_: list[Result]
    def set_callbacks(self, *callbacks: Any) -> Any: ...

class _Chosen(_L0):
    lambda0s_: Any
    coef_path_: Any
    nonzeros_path_: Any
    cv_mean_: Any
    cv_se_: Any
    cv_std_: Any
    metric_: str
    selections_: list[Selection]
    lambda0_min_: Any
    lambda0_1se_: Any
    lambda0_auto_: Any
    def with_rule(self, rule: Literal["auto", "min", "1se"]) -> Any: ...

class _Regression(RegressorMixin, _L0):
    def fit(self, X: Any, y: ArrayLike, sample_weight: ArrayLike | None = None) -> Any: ...
    def predict(self, X: Any) -> np.ndarray: ...

class _Classification(ClassifierMixin, _L0):
    classes_: np.ndarray
    def fit(self, X: Any, y: ArrayLike, sample_weight: ArrayLike | None = None) -> Any: ...
    def decision_function(self, X: Any) -> np.ndarray: ...
    def predict(self, X: Any) -> np.ndarray: ...
    def predict_proba(self, X: Any) -> np.ndarray: ...
    def predict_log_proba(self, X: Any) -> np.ndarray: ...

class L0Regressor(_Regression):
    def __init__(
        self,
        *,
        lambda0: float | None = None,
        lambda1: float = 0.0,
        lambda2: float | None = None,
        k: int | None = None,
        lower: float | ArrayLike | None = None,
        upper: float | ArrayLike | None = None,
        always: ArrayLike | None = None,
        intercept: bool = True,
        standardize: bool = True,
        effort: Literal["quick", "default", "thorough"] = "default",
        gap: float = 0.0001,
        time_limit: float | None = None,
        node_limit: int | None = None,
        memory_limit: float | None = None,
        seed: int = 0,
        threads: int = 0,
        lambda0_grid: float | ArrayLike | None = None,
        lambda1_grid: float | ArrayLike | None = None,
        lambda2_grid: float | ArrayLike | None = None,
        grid_size: int = 100,
        max_nonzeros: int | None = None,
        select: Literal["auto", "cv", "aic", "bic", "ebic", "gic"] = "auto",
        certify: bool = False,
    ) -> None: ...

class L0Classifier(_Classification):
    def __init__(
        self,
        *,
        loss: Literal["logistic", "smoothed-hinge"] = "logistic",
        hinge_width: float = 1.0,
        lambda0: float | None = None,
        lambda1: float = 0.0,
        lambda2: float | None = None,
        k: int | None = None,
        lower: float | ArrayLike | None = None,
        upper: float | ArrayLike | None = None,
        always: ArrayLike | None = None,
        intercept: bool = True,
        standardize: bool = True,
        effort: Literal["quick", "default", "thorough"] = "default",
        gap: float = 0.0001,
        time_limit: float | None = None,
        node_limit: int | None = None,
        memory_limit: float | None = None,
        seed: int = 0,
        threads: int = 0,
        lambda0_grid: float | ArrayLike | None = None,
        lambda1_grid: float | ArrayLike | None = None,
        lambda2_grid: float | ArrayLike | None = None,
        grid_size: int = 100,
        max_nonzeros: int | None = None,
        select: Literal["auto", "cv", "aic", "bic", "ebic", "gic"] = "auto",
        certify: bool = False,
    ) -> None: ...

class L0RegressorCV(_Chosen, _Regression):
    def __init__(
        self,
        *,
        lambda1: float = 0.0,
        lambda2: float | None = None,
        k: int | None = None,
        lower: float | ArrayLike | None = None,
        upper: float | ArrayLike | None = None,
        always: ArrayLike | None = None,
        intercept: bool = True,
        standardize: bool = True,
        effort: Literal["quick", "default", "thorough"] = "default",
        gap: float = 0.0001,
        time_limit: float | None = None,
        node_limit: int | None = None,
        memory_limit: float | None = None,
        seed: int = 0,
        threads: int = 0,
        lambda0_grid: float | ArrayLike | None = None,
        lambda1_grid: float | ArrayLike | None = None,
        lambda2_grid: float | ArrayLike | None = None,
        grid_size: int = 100,
        max_nonzeros: int | None = None,
        rule: Literal["auto", "min", "1se"] = "auto",
        metric: Literal["auto", "mse", "mae", "deviance", "accuracy", "auc"] = "auto",
        folds: int | None = None,
        repeats: int | None = None,
        relax: float | None = None,
        cv: Any = None,
        certify: bool = False,
    ) -> None: ...

class L0ClassifierCV(_Chosen, _Classification):
    def __init__(
        self,
        *,
        loss: Literal["logistic", "smoothed-hinge"] = "logistic",
        hinge_width: float = 1.0,
        lambda1: float = 0.0,
        lambda2: float | None = None,
        k: int | None = None,
        lower: float | ArrayLike | None = None,
        upper: float | ArrayLike | None = None,
        always: ArrayLike | None = None,
        intercept: bool = True,
        standardize: bool = True,
        effort: Literal["quick", "default", "thorough"] = "default",
        gap: float = 0.0001,
        time_limit: float | None = None,
        node_limit: int | None = None,
        memory_limit: float | None = None,
        seed: int = 0,
        threads: int = 0,
        lambda0_grid: float | ArrayLike | None = None,
        lambda1_grid: float | ArrayLike | None = None,
        lambda2_grid: float | ArrayLike | None = None,
        grid_size: int = 100,
        max_nonzeros: int | None = None,
        rule: Literal["auto", "min", "1se"] = "auto",
        metric: Literal["auto", "mse", "mae", "deviance", "accuracy", "auc"] = "auto",
        folds: int | None = None,
        repeats: int | None = None,
        relax: float | None = None,
        cv: Any = None,
        certify: bool = False,
    ) -> None: ...
