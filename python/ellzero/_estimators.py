"""The estimators in scikit-learn's manner: regression and two or more classes, with a given or a chosen price."""
from __future__ import annotations

from ellzero._base import _Chosen, _Classification, _Regression, estimator
from ellzero._data import TARGETS
from ellzero._settings import CHOICE, GRID, MODEL, SEARCH, without

LINEAR = without(MODEL, "loss", "hinge_width")
CLASSES = ("loss", "hinge_width")
TWO_CLASSES = {"default": "logistic", "choices": tuple(TARGETS)}
BY_SIZE = {"default": "auto", "choices": ("auto", "cv", "aic", "bic", "ebic", "gic"),
           "help": "what chooses a model of a path; auto is bic with less than half as many features as samples, ebic with more"}


@estimator(*LINEAR, *SEARCH, *GRID, "select", select=BY_SIZE)
class L0Regressor(_Regression):
    """Least squares with few features, and a proof of how good they are.

    With `lambda0` or `k` one model; with neither, a path over lambda0 from which `select` chooses.

    Parameters
    ----------
    <settings>
    certify : bool, default=False
        Go on by branch and bound until the relative gap is within `gap` or a limit is reached.

    Attributes
    ----------
    coef_ : ndarray of shape (p,)
    intercept_ : float
    support_ : ndarray of int
        The features of the model, ascending.
    objective_, lower_bound_, gap_, relative_gap_ : float
        Of the model; no model has an objective below the bound.
    status_ : str
        How the computation ended.
    verdicts_ : ndarray of str
        For each feature: always, never or undecided in optimal models.
    n_iter_ : int
    results_ : list of Result
        All that is known; one here.

    Examples
    --------
    >>> import numpy as np
    >>> from ellzero import L0Regressor
    >>> X = np.random.default_rng(0).normal(size=(100, 10))
    >>> y = 3 * X[:, 2] - 2 * X[:, 7] + np.random.default_rng(1).normal(size=100)
    >>> model = L0Regressor().fit(X, y)
    >>> model.support_
    array([2, 7])
    >>> model.transform(X).shape
    (100, 2)
    """


@estimator(*CLASSES, *LINEAR, *SEARCH, *GRID, "select", loss=TWO_CLASSES, select=BY_SIZE)
class L0Classifier(_Classification):
    """Two or more classes with few features, and a proof of how good they are.

    With `lambda0` or `k` one model; with neither, a path over lambda0 from which `select` chooses. More than two
    classes are told apart one against the rest: objectives and bounds are sums over the classes.

    Parameters
    ----------
    <settings>
    certify : bool, default=False
        Go on by branch and bound until the relative gap is within `gap` or a limit is reached.

    Attributes
    ----------
    classes_ : ndarray
    coef_ : ndarray of shape (1, p), or (classes, p) for more than two
    intercept_ : ndarray of shape (1,) or (classes,)
    support_ : ndarray of int
        The features that any class uses, ascending.
    objective_, lower_bound_, gap_, relative_gap_ : float
        Of the model; no model has an objective below the bound.
    status_ : str
        How the computation ended; the worst of the classes.
    verdicts_ : ndarray of str
        For each feature: always, never or undecided in optimal models.
    n_iter_ : int
    results_ : list of Result
        All that is known, one for each row of `coef_`.

    Examples
    --------
    >>> import numpy as np
    >>> from ellzero import L0Classifier
    >>> X = np.random.default_rng(0).normal(size=(200, 20))
    >>> y = np.where(X[:, 2] - X[:, 7] > 0, "yes", "no")
    >>> L0Classifier(k=2).fit(X, y).support_
    array([2, 7])
    """


@estimator(*without(LINEAR, "lambda0"), *SEARCH, *GRID, *without(CHOICE, "select"), "cv")
class L0RegressorCV(_Chosen, _Regression):
    """Least squares with few features, their number chosen by cross-validation.

    Parameters
    ----------
    <settings>
    cv : int, splitter or iterable, default=None
        The number of folds; or what to leave out in turn: a splitter of scikit-learn, or pairs of rows to fit to and rows to judge by.
        None: `folds` that are dealt at random, until the choice has settled.
    certify : bool, default=False
        Prove the chosen model by branch and bound until the relative gap is within `gap` or a limit is reached.

    Attributes
    ----------
    lambda0s_ : ndarray
        The price per feature of each model of the path; nan for a path over budgets.
    coef_path_ : ndarray of shape (models, p)
    nonzeros_path_ : ndarray of int
    cv_mean_, cv_std_, cv_se_ : ndarray
        Mean, standard deviation over the folds, and standard error of the score of each model.
    metric_ : str
        What the score is.
    lambda0_min_, lambda0_1se_, lambda0_auto_ : float
        Of the best score, of the sparsest model within one standard error of it, and of the sparsest that paired differences cannot tell from it.
    selections_ : list of Selection
        All that is known of the choice; one here.
    coef_, intercept_, support_, objective_, lower_bound_, gap_, relative_gap_, status_, verdicts_, n_iter_, results_
        As those of `L0Regressor`, for the chosen model.

    Notes
    -----
    Weights count in training and in the scores, but folds are drawn by sample: one of weight 2 is in one fold, where two equal
    samples could be in two, so that the choice may differ.

    Examples
    --------
    >>> import numpy as np
    >>> from ellzero import L0RegressorCV
    >>> X = np.random.default_rng(0).normal(size=(100, 10))
    >>> y = 3 * X[:, 2] - 2 * X[:, 7] + np.random.default_rng(1).normal(size=100)
    >>> L0RegressorCV(grid_size=20).fit(X, y).support_
    array([2, 7])
    """

    _fixed = {"loss": "squared", "select": "cv"}


@estimator(*CLASSES, *without(LINEAR, "lambda0"), *SEARCH, *GRID, *without(CHOICE, "select"), "cv", loss=TWO_CLASSES)
class L0ClassifierCV(_Chosen, _Classification):
    """Two or more classes with few features, their number chosen by cross-validation.

    With more than two classes the attributes of the path and of the scores are lists with an entry for each class.

    Parameters
    ----------
    <settings>
    cv : int, splitter or iterable, default=None
        The number of folds; or what to leave out in turn: a splitter of scikit-learn, or pairs of rows to fit to and rows to judge by.
        None: `folds` that are dealt at random, until the choice has settled.
    certify : bool, default=False
        Prove the chosen model by branch and bound until the relative gap is within `gap` or a limit is reached.

    Attributes
    ----------
    lambda0s_, coef_path_, nonzeros_path_, cv_mean_, cv_std_, cv_se_, metric_, lambda0_min_, lambda0_1se_, lambda0_auto_
        As those of `L0RegressorCV`.
    classes_, coef_, intercept_, support_, objective_, lower_bound_, gap_, relative_gap_, status_, verdicts_, n_iter_, results_
        As those of `L0Classifier`, for the chosen model.

    Examples
    --------
    >>> import numpy as np
    >>> from ellzero import L0ClassifierCV
    >>> X = np.random.default_rng(0).normal(size=(200, 10))
    >>> y = X[:, 2] - X[:, 7] + np.random.default_rng(1).normal(size=200) > 0
    >>> L0ClassifierCV(grid_size=20).fit(X, y).support_
    array([2, 7])
    """

    _fixed = {"select": "cv"}
