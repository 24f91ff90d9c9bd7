"""The pictures: each display draws what its numbers say, on given axes or on its own."""
import data
import ellzero
import matplotlib.pyplot as plt
import numpy as np
import pandas
import pytest

X, Y, BETA = data.regression(noise=1)
NAMES = [f"gene {j}" for j in range(12)]
FRAME = pandas.DataFrame(X, columns=NAMES)


@pytest.fixture(autouse=True)
def closed():
    yield
    plt.close("all")


def texts(ax):
    return [text.get_text() for text in ax.texts]


@pytest.mark.parametrize("settings", [{"grid_size": 12}, {"k": 4}])
def test_path(settings):
    path = ellzero.path(FRAME, Y, **settings)
    display = ellzero.plot.path(path, labels=3)
    assert len(texts(display.ax_)) == 3 and set(texts(display.ax_)) <= set(NAMES)
    used = np.count_nonzero(np.any(path.coef != 0, axis=0))
    assert len(display.ax_.lines) == used + 1
    figure, ax = plt.subplots()
    assert display.plot(ax).ax_ is ax and display.figure_ is figure


def test_cv_of_estimators_and_selections():
    model = ellzero.L0RegressorCV(grid_size=12).fit(X, Y)
    display = ellzero.plot.cv(model)
    assert np.array_equal(display.ax_.lines[0].get_ydata(), model.cv_mean_)
    assert f"chosen: {len(model.support_)} features" in [t.get_text() for t in display.ax_.get_legend().get_texts()]
    by_criterion = ellzero.plot.cv(ellzero.choose(X, Y, select="bic", grid_size=12))
    assert by_criterion.ax_.get_ylabel() == "bic"
    several = ellzero.L0ClassifierCV(grid_size=4, folds=2).fit(X, np.arange(60) % 3)
    with pytest.raises(ValueError, match="a path for each class"):
        ellzero.plot.CVDisplay.from_estimator(several)


def test_gap_over_time():
    hard, y = data.hard()
    history = ellzero.History()
    result = ellzero.prove(hard, y, lambda0=60, lambda2=0.005, node_limit=300, callback=history)
    display = ellzero.plot.gap_over_time(history, result)
    assert np.all(np.diff(display.lower_bound[np.isfinite(display.lower_bound)]) >= 0)
    assert display.objective[-1] == pytest.approx(result.objective)
    assert "relative gap" in display.ax_.get_title("left")


def test_gap_along_a_path():
    path = ellzero.path(X, Y, grid_size=8)
    display = ellzero.plot.gap_along_path(path)
    assert np.allclose(display.ax_.lines[0].get_ydata(), 100 * np.array([model.relative_gap for model in path]))


def test_support_map():
    path = ellzero.path(FRAME, Y, grid_size=12, lambda2=0.1)
    display = ellzero.plot.support_map(path)
    for m, model in enumerate(path):
        inside = {display.features[row] for row in np.flatnonzero(np.isin(display.states[:, m], (1, 2)))}
        assert inside == set(model.support)
    assert [label.get_text() for label in display.ax_.get_yticklabels()][0] in NAMES


def test_texts_are_spread():
    places = np.array([0.0, 0.01, 0.02, 5.0])
    moved = ellzero.plot.spread(places, 1.0)
    assert np.all(np.diff(moved) >= 1 - 1e-6) and np.array_equal(np.argsort(moved), np.argsort(places))
