"""The estimators in scikit-learn's world: its own checks, pipelines, searches, containers, labels and routing."""
import pickle

import data
import ellzero
import joblib
import numpy as np
import pandas
import pytest
import sklearn
from ellzero import L0Classifier, L0ClassifierCV, L0Regressor, L0RegressorCV
from scipy import sparse
from sklearn.base import clone
from sklearn.datasets import load_iris
from sklearn.model_selection import GridSearchCV, GroupKFold, KFold, StratifiedKFold, TimeSeriesSplit, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import estimator_checks_generator

ALL = [L0Regressor, L0Classifier, L0RegressorCV, L0ClassifierCV]
SMALL = {L0Regressor: {"grid_size": 20}, L0Classifier: {"grid_size": 10},
         L0RegressorCV: {"grid_size": 20}, L0ClassifierCV: {"grid_size": 8}}


def checks():
    for cls in ALL:
        for estimator, check in estimator_checks_generator(cls(**SMALL[cls])):
            yield pytest.param(estimator, check, id=f"{cls.__name__}-{check.func.__name__}")


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("estimator, check", list(checks()))
def test_checks_of_scikit_learn(estimator, check):
    check(estimator)


@pytest.mark.parametrize("cls", ALL)
def test_defaults_are_those_of_the_table_but_for_the_criterion(cls):
    own = {"select": "auto", "loss": "logistic", "certify": False}
    for name, value in cls().get_params().items():
        assert value == own.get(name, ellzero._settings.ROWS.get(name, {}).get("default")), name
    with pytest.raises(TypeError, match="lamda0"):
        cls(lamda0=1)


def test_attributes_of_the_contract():
    X, y, beta = data.regression()
    model = L0Regressor(lambda0=2.0).fit(X, y)
    result = ellzero.fit(X, y, lambda0=2.0)
    assert np.array_equal(model.coef_, result.coef) and model.intercept_ == result.intercept
    assert np.array_equal(model.support_, np.flatnonzero(beta))
    assert (model.objective_, model.lower_bound_, model.gap_) == (result.objective, result.lower_bound, result.gap)
    assert model.relative_gap_ == pytest.approx(result.relative_gap) and model.status_ == result.status
    assert np.array_equal(model.verdicts_, result.verdicts) and model.n_iter_ >= 1
    assert L0Regressor(lambda0=2.0, certify=True).fit(X, y).status_ == "optimal"


def test_bic_chooses_and_weights_count_as_samples():
    X, y, _ = data.regression(n=80, noise=1)
    counts = np.arange(80) % 3
    n = counts.sum()
    path = ellzero.path(X, y, sample_weight=counts, lambda2=0.0)
    misfit = [np.sum(counts * (y - model.linear_predictor(X)) ** 2) for model in path]
    bic = [n * np.log(rss / n) + np.log(n) * model.nonzeros for rss, model in zip(misfit, path)]
    assert np.allclose(L0Regressor().fit(X, y, sample_weight=counts).coef_, path[int(np.argmin(bic))].coef, atol=1e-9)
    once = L0Regressor().fit(X, y, sample_weight=counts)
    repeated = L0Regressor().fit(np.repeat(X, counts, axis=0), np.repeat(y, counts))
    assert np.allclose(once.coef_, repeated.coef_, atol=1e-7) and once.objective_ == pytest.approx(repeated.objective_)


@pytest.mark.parametrize("rule", ["1se", "min"])
def test_cross_validation_remembers_its_curve(rule):
    X, y, beta = data.regression(n=100, noise=1)
    model = L0RegressorCV(grid_size=15, rule=rule).fit(X, y)
    m = len(model.lambda0s_)
    assert model.coef_path_.shape == (m, 12) and len(model.cv_mean_) == len(model.cv_std_) == m
    rows = [model.lambda0s_[[one.lambda2 == row for one in model.selections_[0].path]] for row in (0.3, 0)]
    assert sum(map(len, rows)) == m and all(np.all(np.diff(prices) < 0) for prices in rows)
    assert model.cv_mean_[list(model.lambda0s_).index(model.lambda0_min_)] == model.cv_mean_.min()
    chosen = model.lambda0_1se_ if rule == "1se" else model.lambda0_min_
    assert np.array_equal(model.coef_, model.coef_path_[list(model.lambda0s_).index(chosen)])
    assert np.allclose(model.cv_std_, model.cv_se_ * np.sqrt(10))
    if rule == "1se":
        assert np.array_equal(model.support_, np.flatnonzero(beta))
    proved = L0RegressorCV(grid_size=15, rule=rule, certify=True).fit(X, y)
    assert proved.status_ == "optimal" and proved.objective_ <= model.objective_ * (1 + 1e-9)


def test_splits_of_any_kind():
    X, y, beta = data.regression(n=120, noise=1)
    groups = np.arange(120) // 10
    splitters = [KFold(4, shuffle=True, random_state=1), TimeSeriesSplit(5), GroupKFold(3), [(np.arange(80), np.arange(80, 120))]]
    for cv, folds in zip(splitters, (4, 5, 3, 1)):
        model = L0RegressorCV(cv=cv).fit(X, y, groups=groups if isinstance(cv, GroupKFold) else None)
        (selection,) = model.selections_
        assert (selection.folds, selection.repeats) == (folds, 1)
        assert set(np.flatnonzero(beta)) <= set(model.support_)
    assert L0RegressorCV(cv=3, repeats=2).fit(X, y).selections_[0].folds == 3
    labels = L0ClassifierCV(cv=StratifiedKFold(4)).fit(X, y > 0)
    assert labels.selections_[0].folds == 4
    # By hand: the score of a model on the one test.
    train, test = np.arange(80), np.arange(80, 120)
    found = ellzero.choose(X, y, cv=[(train, test)], lambda0_grid=[5.0], lambda2=1.0, relax=0)
    share = 80 / 120  # a smaller sample has smaller prices
    model = ellzero.fit(X[train], y[train], lambda0=5 * share, lambda2=1.0)
    assert found.score[0] == pytest.approx(np.mean((y[test] - model.linear_predictor(X[test])) ** 2), rel=1e-6)


@pytest.mark.parametrize("cv, message", [
    (True, "cv: value is True"), ("five", "cv: value is 'five'"), ([], "cv: makes no splits"), ([(1, 2, 3)], "cv: "),
    ([([0, 1], [500])], "splits.0..test: row 500; expected 0 to 79"), ([([0, 1], [])], "test: no sample"), ([([], [1])], "train: no sample"),
    ([(["a"], [1])], "cv: rows"), (1, "folds: value is 1"), (100, "folds: value is 100; expected 2 to 80")])
def test_splits_that_make_no_sense(cv, message):
    X, y, _ = data.regression(n=80)
    with pytest.raises(ValueError, match=message):
        L0RegressorCV(cv=cv).fit(X, y)


def test_splits_beside_what_they_replace():
    X, y, _ = data.regression(n=80)
    for settings in ({"folds": 5}, {"repeats": 2}, {"seed": 3}):
        with pytest.raises(ValueError, match=next(iter(settings))):
            L0RegressorCV(cv=KFold(3), **settings).fit(X, y)
    with pytest.raises(ValueError, match="groups: is set"):
        L0RegressorCV().fit(X, y, groups=np.arange(80))
    with pytest.raises(ValueError, match="every sample is of class"):
        ellzero.choose(X, y > 0, loss="logistic", cv=[(np.flatnonzero(y > 0), np.flatnonzero(y <= 0))])


def test_few_samples_have_few_folds():
    X, y, _ = data.regression(n=80)
    assert [ellzero.choose(X[:n], y[:n]).folds for n in (2, 3, 7, 30)] == [2, 3, 7, 10]
    with pytest.raises(ValueError, match="expected at least 2 samples"):
        ellzero.choose(X[:1], y[:1])


def test_many_features_are_priced_by_how_many_there_are():
    X, y, beta = data.regression(n=60, p=200, noise=1)
    chosen = L0Regressor().fit(X, y)
    assert np.array_equal(chosen.coef_, L0Regressor(select="ebic").fit(X, y).coef_)
    assert np.array_equal(chosen.support_, np.flatnonzero(beta))
    few = X[:, :20]
    assert np.array_equal(L0Regressor().fit(few, y).coef_, L0Regressor(select="bic").fit(few, y).coef_)


def test_cross_validation_over_budgets():
    X, y, _ = data.regression(n=100, noise=1)
    model = L0RegressorCV(k=6).fit(X, y)
    assert list(model.nonzeros_path_) == [0, 1, 2, 3, 4, 5, 6] and len(model.support_) == 3


def test_pipelines_searches_clones_and_processes():
    X, y, _ = data.regression(n=100)
    pipe = make_pipeline(StandardScaler(), L0Regressor(k=3))
    assert pipe.fit(X, y).score(X, y) > 0.9
    search = GridSearchCV(pipe, {"l0regressor__k": [1, 2, 3]}, n_jobs=2).fit(X, y)
    assert search.best_params_ == {"l0regressor__k": 3}
    chained = make_pipeline(L0Regressor(k=3), sklearn.linear_model.LinearRegression()).fit(X, y)
    assert chained[-1].n_features_in_ == 3
    model = clone(L0Regressor(k=2, lower=-1.0)).fit(X, y)
    again = pickle.loads(pickle.dumps(model))
    assert np.array_equal(again.predict(X), model.predict(X))
    with joblib.parallel_backend("loky", n_jobs=2):
        assert len(cross_val_score(L0Regressor(k=3), X, y)) == 5


def test_frames_in_and_out():
    X, y, beta = data.regression()
    frame = pandas.DataFrame(X, columns=[f"x{j}" for j in range(12)])
    model = L0Regressor(k=3, always=["x0"]).fit(frame, y)
    assert 0 in model.support_ and list(model.feature_names_in_[:2]) == ["x0", "x1"]
    out = model.set_output(transform="pandas").transform(frame)
    assert list(out.columns) == list(model.get_feature_names_out()) == [f"x{j}" for j in model.support_]
    assert np.array_equal(np.flatnonzero(model.get_support()), model.support_)
    assert np.allclose(model.predict(frame), model.results_[0].linear_predictor(frame))


KINDS = [getattr(sparse, f"{kind}_{what}") for kind in ("csc", "csr", "coo", "bsr", "lil", "dok", "dia")
         for what in ("matrix", "array")]


@pytest.mark.parametrize("kind", KINDS)
def test_sparse_containers(kind):
    X, y, _ = data.regression()
    X[np.abs(X) < 0.8] = 0
    dense = L0Regressor(lambda0=1.0).fit(X, y)
    model = L0Regressor(lambda0=1.0).fit(kind(X), y)
    assert np.allclose(model.coef_, dense.coef_) and np.allclose(model.predict(kind(X)), dense.predict(X))
    assert np.allclose(ellzero.fit(kind(X), y, lambda0=1.0).coef, dense.coef_)


@pytest.mark.parametrize("pair", [("no", "yes"), (-1, 1), (0, 1), (1, 2), (False, True), (2.0, 5.0)])
@pytest.mark.parametrize("loss", ["logistic", "smoothed-hinge"])
def test_two_labels_of_any_kind(pair, loss):
    X, y = data.labels()
    named = np.array(pair)[y]
    model = L0Classifier(loss=loss, k=2).fit(X, named)
    assert list(model.classes_) == sorted(pair) and list(model.support_) == [1, 4]
    assert model.coef_.shape == (1, 8) and model.score(X, named) > 0.8
    assert np.array_equal(model.predict(X) == pair[1], model.decision_function(X) > 0)
    assert hasattr(model, "predict_proba") == (loss == "logistic")


def test_probabilities():
    X, y = data.labels()
    model = L0Classifier(k=2).fit(X, y)
    found = model.predict_proba(1e4 * X)
    assert np.allclose(found.sum(axis=1), 1) and found.min() >= 0
    assert np.allclose(model.predict_proba(X)[:, 1], 1 / (1 + np.exp(-model.decision_function(X))))
    assert np.allclose(np.exp(model.predict_log_proba(X)), model.predict_proba(X))


@pytest.mark.parametrize("cls", [L0Classifier, L0ClassifierCV])
def test_more_classes_one_against_the_rest(cls):
    X, y = load_iris(return_X_y=True)
    names = np.array(["setosa", "versicolor", "virginica"])[y]
    model = cls(grid_size=8, lambda2=0.05).fit(X, names)
    assert model.coef_.shape == (3, 4) and model.intercept_.shape == (3,) and model.verdicts_.shape == (3, 4)
    assert model.score(X, names) > 0.85
    assert model.objective_ == pytest.approx(sum(result.objective for result in model.results_))
    assert model.decision_function(X).shape == (150, 3)
    assert np.allclose(model.predict_proba(X).sum(axis=1), 1)
    if cls is L0ClassifierCV:
        assert len(model.lambda0s_) == len(model.lambda0_min_) == 3


def test_a_loss_of_no_classes_is_refused():
    X, y = data.labels()
    with pytest.raises(ValueError, match="loss: value is 'squared'"):
        L0Classifier(loss="squared").fit(X, y)
    assert "'squared'" not in L0Classifier.__doc__ and "'squared'" in ellzero.fit.__doc__


def test_metadata_is_routed():
    X, y, _ = data.regression(n=80)
    weights = np.arange(80) % 2
    with sklearn.config_context(enable_metadata_routing=True):
        model = L0Regressor(k=2).set_fit_request(sample_weight=True).set_score_request(sample_weight=True)
        pipe = make_pipeline(StandardScaler().set_fit_request(sample_weight=False), model)
        assert pipe.fit(X, y, sample_weight=weights)[-1].results_[0].n == 40
        search = GridSearchCV(model, {"k": [2]}).fit(X, y, sample_weight=weights)
        assert search.best_estimator_.results_[0].n == 40


@pytest.mark.skipif(not hasattr(L0Regressor, "set_callbacks"), reason="this scikit-learn has no callbacks")
def test_progress_through_scikit_learns_callbacks():
    class Count:
        begun = ended = 0

        def setup(self, estimator, context):
            pass

        def teardown(self, estimator, context):
            pass

        def on_fit_task_begin(self, estimator, context, **_):
            self.begun += 1

        def on_fit_task_end(self, estimator, context, **_):
            self.ended += 1
            return False

    X, y = data.hard()
    count = Count()
    model = L0Regressor(lambda0=60, lambda2=0.005, node_limit=500, certify=True).set_callbacks(count).fit(X, y)
    assert count.begun == count.ended > 1 and model.status_ == "node_limit"


@pytest.mark.parametrize("rule", ["foo", None])
def test_a_rule_that_does_not_exist_is_refused(rule):
    with pytest.raises(ValueError, match="rule: value is"):
        ellzero.L0RegressorCV(rule=rule).fit(np.eye(6), np.arange(6.0))


def test_another_rule_needs_no_fit():
    random = np.random.default_rng(3)
    X = random.normal(size=(80, 12))
    y = X[:, :6] @ [3, 2, 1, 0.5, 0.3, 0.2] + random.normal(size=80)
    for model, target in ((ellzero.L0RegressorCV(rule="min"), y), (ellzero.L0ClassifierCV(rule="min"), np.digitize(y, [-2, 2]))):
        model.fit(X, target)
        sparse_one = model.with_rule("1se")
        again = clone(model).set_params(rule="1se").fit(X, target)
        np.testing.assert_array_equal(sparse_one.coef_, again.coef_)
        np.testing.assert_array_equal(sparse_one.predict(X), again.predict(X))
        assert (model.rule, sparse_one.rule) == ("min", "1se")
        assert len(sparse_one.support_) <= len(model.support_)
        assert model.with_rule("min").objective_ == model.objective_
        with pytest.raises(ValueError, match="rule: value is '2se'; expected auto, min, 1se"):
            model.with_rule("2se")
    with pytest.raises(ValueError, match="as bic chose"):
        ellzero.choose(X, y, select="bic").by_rule("min")


@pytest.mark.parametrize("train", [[True, False, True], [[0, 1]], [0, 2**63], [0, 40]])
def test_rows_that_are_not_there_are_refused(train):
    X, y = np.random.default_rng(0).normal(size=(40, 3)), np.arange(40.0)
    with pytest.raises(ValueError, match="cv|splits"):
        L0RegressorCV(cv=[(np.array(train), [3, 4])]).fit(X, y)
