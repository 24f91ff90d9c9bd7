"""Laws that hold for any data: weak duality, agreement with enumeration, the same answer in any container."""
import data
import ellzero
import numpy as np
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from scipy import sparse

SOME = settings(max_examples=60, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))


@st.composite
def problems(draw, most_features=6):
    """Data of any shape, type, order and container, with weights, prices and bounds."""
    random = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    n, p = draw(st.integers(1, 30)), draw(st.integers(1, most_features))
    X = random.normal(size=(n, p)) * 10.0 ** draw(st.integers(-3, 3))
    if draw(st.booleans()):
        X[random.uniform(size=(n, p)) < 0.5] = 0
    if draw(st.booleans()):
        X[:, -1] = X[:, 0]
    y = X[:, 0] / (np.abs(X).max() or 1) + random.normal(size=n)
    weights = draw(st.sampled_from([None, random.uniform(0.1, 3, size=n), np.r_[1.0, random.integers(0, 3, size=n - 1)]]))
    X = X.astype(draw(st.sampled_from([np.float64, np.float32])))
    container = draw(st.sampled_from([np.asfortranarray, np.ascontiguousarray, sparse.csc_array, sparse.csr_matrix,
                                      sparse.coo_array, lambda a: a[::-1].copy()[::-1]]))
    chosen = {
        "lambda0": draw(st.sampled_from([0.0, 0.01, 0.3, 2.0])),
        "lambda1": draw(st.sampled_from([0.0, 0.1])),
        "lambda2": draw(st.sampled_from([0.0, 0.01, 1.0])),
        "intercept": draw(st.booleans()),
        "standardize": draw(st.booleans()),
        "lower": draw(st.sampled_from([None, -0.5, [0.0] * p])),
        "upper": draw(st.sampled_from([None, 0.5])),
        "loss": draw(st.sampled_from(["squared", "logistic", "smoothed-hinge"])),
    }
    return X, y, weights, container, chosen


def objective(X, y, weights, coef, intercept, chosen):
    """P of coefficients where columns are not standardised, by its definition."""
    w = np.ones(len(y)) if weights is None else weights
    u = intercept + np.asarray(X, dtype=float) @ coef
    losses = {
        "squared": lambda: 0.5 * (u - y) ** 2,
        "logistic": lambda: np.logaddexp(0, u) - y * u,
        "smoothed-hinge": lambda: np.where((m := (2 * y - 1) * u) >= 1, 0, np.where(m <= 0, 0.5 - m, (1 - m) ** 2 / 2)),
    }
    return (np.sum(w * losses[chosen["loss"]]()) + chosen["lambda0"] * np.count_nonzero(coef)
            + chosen["lambda1"] * np.abs(coef).sum() + chosen["lambda2"] * np.square(coef).sum())


@SOME
@given(problems())
def test_bounds_hold_and_objectives_are_what_they_say(problem):
    X, y, weights, container, chosen = problem
    if chosen["loss"] != "squared":
        y = (y > np.median(y)).astype(float)
        counted = y if weights is None else y[weights > 0]
        if len(set(counted)) < 2:
            return
    proved = ellzero.prove(container(X), y, sample_weight=weights, time_limit=5, **chosen)
    quick = ellzero.fit(X, y, sample_weight=weights, effort="quick", **chosen)
    slack = 1e-9 * (1 + abs(quick.objective))
    assert proved.lower_bound <= proved.objective + slack
    assert proved.lower_bound <= quick.objective + slack and quick.lower_bound <= proved.objective + slack
    upper = np.inf if chosen["upper"] is None else chosen["upper"]
    assert np.all(proved.coef <= upper)
    found = ellzero.verify(proved, container(X), y, sample_weight=weights)
    assert abs(found.objective - proved.objective) <= slack
    if not chosen["standardize"]:
        assert abs(objective(X, y, weights, proved.coef, proved.intercept, chosen) - proved.objective) <= 1e-7 * (1 + abs(proved.objective))


@SOME
@given(st.integers(0, 2**32 - 1), st.integers(1, 7), st.sampled_from([0.05, 0.5, 3.0]), st.sampled_from([0.01, 1.0]))
def test_proofs_agree_with_enumeration(seed, p, lambda0, lambda2):
    random = np.random.default_rng(seed)
    X, w = random.normal(size=(12, p)), random.uniform(0.2, 2, size=12)
    y = X @ random.choice([0.0, 1.0], p) + random.normal(size=12)
    best = data.best_by_enumeration(X, y, w, lambda0, lambda2)
    plain = {"intercept": False, "standardize": False}
    proved = ellzero.prove(X, y, sample_weight=w, lambda0=lambda0, lambda2=lambda2, gap=1e-9, **plain)
    assert abs(proved.objective - best) <= 1e-8 * best
    assert proved.lower_bound <= best * (1 + 1e-12)
    quick = ellzero.fit(X, y, sample_weight=w, lambda0=lambda0, lambda2=lambda2, **plain)
    assert quick.lower_bound <= best * (1 + 1e-12) and quick.objective >= best * (1 - 1e-12)
    for j, verdict in enumerate(quick.verdicts):
        assert verdict != "always" or proved.coef[j] != 0
        assert verdict != "never" or proved.coef[j] == 0


@SOME
@given(st.integers(0, 2**32 - 1), st.integers(1, 5), st.sampled_from([{"lambda0": 0.05}, {"lambda0": 0.8}, {"k": 1}, {"k": 2}]),
       st.sampled_from([0.01, 1.0]), st.sampled_from([-np.inf, -0.3, 0.0]), st.sampled_from([np.inf, 0.2, 0.0]))
def test_proofs_within_boxes_agree_with_enumeration(seed, p, size, lambda2, low, high):
    random = np.random.default_rng(seed)
    X, w = random.normal(size=(12, p)), random.integers(0, 4, size=12) + np.r_[1.0, np.zeros(11)]
    y = X @ random.choice([-1.0, 0.0, 1.0], p) + 0.5 * random.normal(size=12)
    size = {name: min(value, p) for name, value in size.items()} if "k" in size else size
    lower, upper = np.full(p, low), np.where(np.arange(p) % 2, np.inf, high)  # every other feature has no upper bound
    best = min(data.ridge_in_box(X, y, w, support, lambda2, np.where(lower == 0, -1e-300, lower), np.maximum(upper, 1e-300))[0]
               + size.get("lambda0", 0) * len(support) for support in data.supports(p, size.get("k")))
    proved = ellzero.prove(X, y, sample_weight=w, **size, lambda2=lambda2, lower=lower, upper=upper, gap=1e-9,
                           intercept=False, standardize=False)
    assert abs(proved.objective - best) <= 1e-8 * best
    assert proved.lower_bound <= best * (1 + 1e-10)
    assert np.all(lower <= proved.coef) and np.all(proved.coef <= upper)


@SOME
@given(problems(most_features=10))
def test_the_container_does_not_matter(problem):
    X, y, weights, container, chosen = problem
    chosen["loss"] = "squared"
    given_form = ellzero.fit(container(X), y, sample_weight=weights, **chosen)
    dense = ellzero.fit(X.astype(np.float64), y, sample_weight=weights, **chosen)
    assert abs(given_form.objective - dense.objective) <= 1e-6 * (1 + abs(dense.objective))
