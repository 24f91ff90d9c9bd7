"""fit, prove, path, choose and verify: what they return, and that signatures follow the table of settings."""
import doctest
import inspect
import pickle
import subprocess
import sys
from pathlib import Path

import data
import ellzero
import numpy as np
import pandas
import pytest
from ellzero import _core, _estimators, _progress, _settings, _solve

ROOT = Path(__file__).resolve().parent.parent.parent


def test_every_setting_of_the_table_is_in_one_group():
    groups = [*_settings.MODEL, *_settings.SEARCH, *_settings.METHOD, *_settings.GRID, *_settings.CHOICE]
    assert sorted(groups) == sorted(row["name"] for row in _core.settings_table())


@pytest.mark.parametrize("function", [ellzero.fit, ellzero.prove, ellzero.path, ellzero.choose, ellzero.every_k, ellzero.pool])
def test_signature_and_docstring_name_every_setting(function):
    signature = inspect.signature(function)
    for name in function.settings:
        assert signature.parameters[name].default == _settings.ROWS[name]["default"]
        assert f"\n{name} : " in function.__doc__


def test_stubs_are_those_of_the_table():
    found = subprocess.run([sys.executable, ROOT / "tools" / "python_stubs.py", "--check"], capture_output=True, text=True)
    assert found.returncode == 0, found.stdout + found.stderr


@pytest.mark.parametrize("module", [_solve, _estimators, _progress, ellzero.sources])
def test_examples_of_the_docstrings(module):
    failed, tried = doctest.testmod(module)
    assert tried > 0 and failed == 0


def test_fit_finds_the_features_and_bounds_the_optimum():
    X, y, beta = data.regression()
    result = ellzero.fit(X, y, lambda0=2.0)
    assert set(result.support) == set(np.flatnonzero(beta))
    assert result.lower_bound <= result.objective
    assert result.gap == pytest.approx(result.objective - result.lower_bound)
    assert np.allclose(result.coef[result.support], result.coefficients)
    assert (result.n, result.p, result.nonzeros, result.loss) == (60, 12, 3, "squared")
    assert set(result.verdicts) <= {"always", "never", "undecided"}
    assert np.allclose(result.linear_predictor(X), X @ result.coef + result.intercept)


def test_certify_is_prove():
    X, y, _ = data.regression(noise=3)
    certified = ellzero.fit(X, y, lambda0=5.0, certify=True)
    proved = ellzero.prove(X, y, lambda0=5.0)
    assert certified.status == proved.status == "optimal"
    assert certified.objective == proved.objective and certified.relative_gap <= 1e-4


def test_without_price_or_budget_something_chooses():
    X, y, beta = data.regression()
    assert set(ellzero.fit(X, y, select="bic", grid_size=15).support) >= set(np.flatnonzero(beta))
    proved = ellzero.fit(X, y, select="bic", grid_size=15, certify=True)
    assert proved.status == "optimal" and proved.selection.proved and proved.k == proved.nonzeros


def test_a_proof_keeps_what_the_path_knew():
    X, y = data.hard(p=60)
    settings = {"lambda0": 60.0, "lambda2": 1.0}
    known = ellzero.prove(X, y, **settings)
    job = _solve.Job(X, y, None, None, {"effort": "quick"}, None)
    proved = job.result(job.run(_core.prove_chosen, _solve.claim_of(known), node_limit=1))
    alone = ellzero.prove(X, y, **settings, effort="quick", node_limit=1)
    assert alone.status == "node_limit" and alone.lower_bound < known.lower_bound
    assert proved.status == "optimal" and proved.objective <= min(known.objective, alone.objective)
    assert proved.lower_bound == known.lower_bound and proved.gap == proved.objective - proved.lower_bound
    assert (proved.lambda0, proved.lambda2) == (60.0, 1.0)


def test_a_choice_that_was_cut_short_says_so():
    X, y = data.hard()
    for certify in (False, True):
        found = ellzero.fit(X, y, certify=certify, callback=lambda progress: progress.stage == "cross-validation")
        assert found.status == "interrupted"


def test_every_size_at_once():
    X, y, _ = data.regression(n=30, p=8, noise=2)
    weights = np.linspace(0.5, 2, 30)
    best = ellzero.every_k(X, y, sample_weight=weights, k=5, intercept=False, standardize=False, lambda2=0.1)
    assert isinstance(best, ellzero.Path) and best.status == "optimal" and [model.k for model in best] == [0, 1, 2, 3, 4, 5]
    for k, model in enumerate(best):
        assert model.objective == pytest.approx(min(data.ridge(X, y, weights, s, 0.1)[0] for s in data.supports(8, k)))
    assert len(ellzero.every_k(X, y)) == 9
    with pytest.raises(ValueError, match="k: "):
        ellzero.every_k(X, y, k=9)
    with pytest.raises(TypeError, match="lambda0"):
        ellzero.every_k(X, y, lambda0=1.0)


@pytest.mark.parametrize("size", [{"lambda0": 2.0}, {"k": 3}])
def test_pools_list_every_support_within_the_margin(size):
    X, y, _ = data.regression(n=30, p=8, noise=2)
    plain = {"intercept": False, "standardize": False, "lambda2": 0.1}
    found = ellzero.pool(X, y, margin=0.4, **size, **plain)
    price = size.get("lambda0", 0)
    costs = {tuple(s): data.ridge(X, y, np.ones(30), s, 0.1)[0] + price * len(s) for s in data.supports(8, size.get("k"))}
    within = sorted((cost, s) for s, cost in costs.items() if cost <= 1.4 * min(costs.values()))
    assert isinstance(found, ellzero.Pool) and found.complete and not found.cut and found.status == "optimal"
    assert [tuple(model.support) for model in found] == [s for _, s in within]
    assert found.beyond <= min(cost for s, cost in costs.items() if (cost, s) not in within) * (1 + 1e-9)
    cut = ellzero.pool(X, y, margin=0.4, size=2, **size, **plain)
    assert len(cut) == 2 and cut.cut and not cut.complete and "<Pool: 2 models" in repr(cut)


@pytest.mark.parametrize("name, value, error", [("margin", -1, ValueError), ("margin", np.nan, ValueError), ("size", 0, ValueError),
                                                ("margin", "all", TypeError), ("size", 2.5, TypeError), ("size", True, TypeError)])
def test_pools_refuse_what_makes_no_sense(name, value, error):
    X, y, _ = data.regression()
    with pytest.raises(error, match=f"^{name}: value is "):
        ellzero.pool(X, y, lambda0=2.0, **{name: value})


def test_path_is_a_sequence_of_results():
    X, y, _ = data.regression()
    path = ellzero.path(X, y, lambda0_grid=[8.0, 4.0, 1.0, 0.1])
    assert len(path) == 4 and isinstance(path[0], ellzero.Result) and path[-1].lambda0 == 0.1
    part = path[1:3]
    assert isinstance(part, ellzero.Path) and [model.lambda0 for model in part] == [4.0, 1.0]
    assert path.coef.shape == (4, 12) and list(path.lambda0s) == [8.0, 4.0, 1.0, 0.1]
    frame = path.to_frame()
    assert isinstance(frame, pandas.DataFrame) and list(frame["nonzeros"]) == [model.nonzeros for model in path]
    sizes = [model.nonzeros for model in ellzero.path(X, y, k=3)]
    assert sizes == [0, 1, 2, 3]


def test_choose_scores_every_model():
    X, y, beta = data.regression(n=100)
    by_fold = ellzero.choose(X, y, grid_size=12)
    assert len(by_fold.score) == len(by_fold.standard_error) == len(by_fold.path)
    assert by_fold.score[by_fold.best] == by_fold.score.min()
    assert by_fold.model.nonzeros <= by_fold.path[by_fold.best].nonzeros
    by_bic = ellzero.choose(X, y, select="bic", grid_size=12)
    assert by_bic.metric == "bic" and set(by_bic.model.support) >= set(np.flatnonzero(beta))


def test_verify_finds_what_was_claimed_and_notices_lies(tmp_path):
    X, y, _ = data.regression(noise=3)
    weights = np.linspace(0.5, 2, 60)
    proof = tmp_path / "proof"
    result = ellzero.prove(X, y, lambda0=5.0, sample_weight=weights, proof=proof)
    found = ellzero.verify(result, X, y, sample_weight=weights, proof=proof)
    assert found.objective == pytest.approx(result.objective) and found.lower_bound >= result.lower_bound * (1 - 1e-9)
    assert found.nodes > 0 and found.points > 0
    with pytest.raises(ellzero.NumericalError, match="objective"):
        ellzero.verify(result, X, y + 1e-3 * X[:, 0], sample_weight=weights)
    with pytest.raises(ellzero.NumericalError):
        ellzero.verify(result, X, 2 * y, sample_weight=weights, proof=proof)


@pytest.mark.parametrize("settings", [{"lambda0": 1.0}, {"k": 2}, {"lambda0": 1.0, "loss": "logistic", "lambda2": 0.1}])
def test_verify_knows_the_settings_of_a_result(settings):
    X, y = data.labels()
    result = ellzero.fit(X, y, **settings, lower=-3.0, upper=[2.0] * 8, always=[0])
    assert ellzero.verify(result, X, y).objective == pytest.approx(result.objective, rel=1e-9)


def test_published_methods():
    X, y, _ = data.regression()
    best = ellzero.fit(X, y, lambda0=2.0, lambda2=0.1)
    other = ellzero.fit(X, y, lambda0=2.0, lambda2=0.1, method="cdss")
    assert other.objective >= best.lower_bound and other.status in ("stationary", "optimal")


def test_results_travel():
    X, y, _ = data.regression()
    path = ellzero.path(X, y, k=2)
    again = pickle.loads(pickle.dumps(path))
    assert [str(model) for model in again] == [str(model) for model in path]
    assert np.array_equal(again.coef, path.coef)


def test_labels_and_names():
    X, y = data.labels()
    frame = pandas.DataFrame(X, columns=[f"gene {j}" for j in range(8)])
    words = np.where(y == 1, "sick", "healthy")
    named = ellzero.fit(frame, words, loss="logistic", k=3, always=["gene 0"])
    plain = ellzero.fit(X, y, loss="logistic", k=3, always=[0])
    assert list(named.classes) == ["healthy", "sick"] and named.objective == plain.objective
    assert 0 in named.support and list(named.feature_names[:1]) == ["gene 0"]
    assert np.allclose(named.linear_predictor(frame), plain.linear_predictor(X))


def test_unknown_arguments_get_a_suggestion():
    X, y, _ = data.regression()
    with pytest.raises(TypeError, match="'lamda0'; did you mean 'lambda0'"):
        ellzero.fit(X, y, lamda0=1)
    with pytest.raises(TypeError, match="folds"):
        ellzero.path(X, y, folds=3)
    for function in (ellzero.path, ellzero.choose):  # nothing is proved there
        with pytest.raises(TypeError, match="node_limit"):
            function(X, y, node_limit=3)


CHOSEN = "where a model is chosen: without lambda0 and k"


@pytest.mark.parametrize("function, settings, name, expected", [
    *((ellzero.fit, {form: 3, name: value}, name, CHOSEN)
      for form in ("k", "lambda0")
      for name, value in {"folds": 4, "select": "bic", "rule": "min", "metric": "mae", "repeats": 2, "grid_size": 5,
                          "max_nonzeros": 2, "lambda0_grid": [2, 1], "lambda2_grid": 2.0}.items()),
    (ellzero.fit, {"k": 3, "folds": 5}, "folds", CHOSEN),  # also with the value that it has anyway
    (ellzero.fit, {"select": "bic", "folds": 3}, "folds", "with select cv"),
    (ellzero.choose, {"select": "bic", "rule": "min"}, "rule", "with select cv"),
    *((function, {"k": 3, "hinge_width": 2.0}, "hinge_width", "with loss smoothed-hinge")
      for function in (ellzero.fit, ellzero.prove, ellzero.path, ellzero.choose, ellzero.pool)),
    (ellzero.fit, {"k": 3, "step": 0.1}, "step", "with another method than engine"),
    (ellzero.fit, {"lambda0": 3, "method": "dual-ascent", "adding": False}, "adding", "with method primal-dual"),
    (ellzero.fit, {"k": 3, "node_limit": 9}, "node_limit", "where something is proved: with certify=True"),
    (ellzero.fit, {"memory_limit": 9}, "memory_limit", "where something is proved: with certify=True"),
    (ellzero.path, {"k": 3, "grid_size": 5}, "grid_size", "without k"),
    (ellzero.path, {"lambda2_grid": [2, 1], "lambda2": 1.0}, "lambda2", "without lambda2_grid"),
])
def test_settings_without_effect_are_refused_by_name(function, settings, name, expected):
    X, y, _ = data.regression()
    with pytest.raises(ValueError, match=f"^{name}: is set; expected it only {expected}$"):
        function(X, y, **settings)


def test_settings_with_an_effect_are_accepted():
    X, y, _ = data.regression()
    for settings in ({"k": 3, "folds": None}, {"k": 3, "node_limit": 9, "certify": True}, {"folds": 3, "grid_size": 5},
                     {"lambda0": 5, "lambda2": 1, "method": "primal-dual", "step": 0.01, "adding": False}):
        assert np.isfinite(ellzero.fit(X, y, **settings).objective)
    labels = np.where(y > 0, "yes", "no")
    assert ellzero.fit(X, labels, loss="smoothed-hinge", hinge_width=2.0, k=2).nonzeros <= 2
