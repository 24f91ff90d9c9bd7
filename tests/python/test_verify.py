"""verify: honest results are confirmed, lies of any field are not, and what was not checked is said."""
from dataclasses import replace

import data
import ellzero
import numpy as np
import pytest

X, Y, _ = data.regression(n=40, p=8, noise=2)
WEIGHTS = np.r_[0.0, np.linspace(0.5, 2, 39)]
HONEST = ellzero.prove(X, Y, sample_weight=WEIGHTS, lambda0=3.0, lambda2=0.05, gap=1e-7)
LABELS = np.where(Y > np.median(Y), "yes", "no")
CLASSES = ellzero.prove(X, LABELS, loss="logistic", k=2, lambda2=0.1)


def verify(result, **more):
    return ellzero.verify(result, X, Y, sample_weight=WEIGHTS, **more)


def claiming(result, **fields):
    """With gaps that fit to the objective and the bound."""
    changed = replace(result, **fields)
    gap = changed.objective - changed.lower_bound
    return replace(changed, gap=gap, relative_gap=gap / abs(changed.objective))


def test_a_bound_is_proved_anew_where_there_is_no_proof(tmp_path):
    assert HONEST.status == "optimal" and HONEST.nodes > 1
    alone = verify(HONEST, time_limit=0)
    assert not alone.confirmed and alone.nodes is None and alone.lower_bound < HONEST.lower_bound * (1 - 1e-6)
    anew = verify(HONEST, time_limit=600)
    assert anew.confirmed and anew.points > 0 and anew.lower_bound <= HONEST.objective * (1 + 1e-9)
    assert anew.objective == alone.objective == pytest.approx(HONEST.objective, rel=1e-9)
    path = tmp_path / "proof"
    kept = ellzero.prove(X, Y, lambda0=3.0, lambda2=0.05, proof=path)
    assert ellzero.verify(kept, X, Y, proof=path, time_limit=0).confirmed


def test_verdicts_are_proved_or_counted_as_not_checked(tmp_path):
    path = tmp_path / "proof"
    kept = ellzero.prove(X, Y, lambda0=3.0, lambda2=0.05, proof=path)
    stated = int((kept.verdicts != "undecided").sum())
    found = ellzero.verify(kept, X, Y, proof=path)
    assert found.verdicts_right > 0 and found.verdicts_right + found.verdicts_not_checked == stated
    decided = replace(kept, verdict_codes=np.where(kept.coef == 0, 2, 1))
    all_right = ellzero.verify(decided, X, Y, proof=path)
    assert (all_right.verdicts_right, all_right.verdicts_not_checked) == (8, 0)
    alone = ellzero.verify(decided, X, Y, time_limit=0)  # the coefficients prove less than the records
    assert alone.verdicts_not_checked > 0 and alone.verdicts_right + alone.verdicts_not_checked == 8
    none = ellzero.verify(replace(kept, verdict_codes=np.zeros(8, int)), X, Y, proof=path)
    assert (none.verdicts_right, none.verdicts_not_checked) == (0, 0)


@pytest.mark.parametrize("settings", [{"k": 3}, {"lambda0": 3.0, "always": [1, 5], "lower": -1.0}, {"lambda0": 3.0, "intercept": False}])
def test_honest_results_are_confirmed(settings):
    for result in (ellzero.prove(X, Y, **settings), ellzero.fit(X, Y, **settings), ellzero.path(X, Y, k=2)[1]):
        assert ellzero.verify(result, X, Y, time_limit=600).confirmed
    assert ellzero.verify(CLASSES, X, LABELS, time_limit=600).confirmed


def test_a_false_optimum_is_wrong():
    """The best model without a feature that the best one has, and a bound as if there were no other."""
    rest = np.delete(np.arange(8), HONEST.support[0])
    best = ellzero.prove(X[:, rest], Y, sample_weight=WEIGHTS, lambda0=3.0, lambda2=0.05, gap=1e-7)
    assert ellzero.verify(best, X[:, rest], Y, sample_weight=WEIGHTS, time_limit=600).confirmed
    false = replace(best, support=rest[best.support], p=8, verdict_codes=np.zeros(8, int))
    assert false.status == "optimal" and false.lower_bound > HONEST.objective * (1 + 1e-6)
    assert not verify(false, time_limit=0).confirmed
    with pytest.raises(ellzero.NumericalError, match="lower_bound: .* other coefficients"):
        verify(false, time_limit=600)


LIES = {
    "gap": replace(HONEST, gap=HONEST.gap + 1),
    "relative_gap": replace(HONEST, relative_gap=HONEST.relative_gap + 1e-6),
    "status": claiming(HONEST, lower_bound=HONEST.objective * (1 - 2e-7)),
    "lower_bound": claiming(HONEST, lower_bound=HONEST.objective * (1 + 1e-6)),
    "objective": claiming(HONEST, objective=HONEST.objective * (1 - 1e-8)),
    "objective not a number": claiming(HONEST, objective=np.nan),
    "n": replace(HONEST, n=40),
    "p": replace(HONEST, p=9),
    "loss": replace(HONEST, loss="logistic"),
    "lambda0": replace(HONEST, lambda0=2.9),
    "verdict on a feature that is used": replace(HONEST, verdict_codes=np.full(8, 2)),
    "verdict on one that is not": replace(HONEST, verdict_codes=np.full(8, 1)),
    "verdicts of other features": replace(HONEST, verdict_codes=np.zeros(7, int)),
    "a verdict that is none": replace(HONEST, verdict_codes=np.full(8, 3)),
    "no bound but an optimum": replace(HONEST, lower_bound=-np.inf, gap=np.inf, relative_gap=np.inf),
    "no bound but a gap": replace(HONEST, lower_bound=-np.inf, status="swap_optimal"),
    "fewer coefficients": replace(HONEST, coefficients=HONEST.coefficients[1:]),
    "a feature that is none": replace(HONEST, support=HONEST.support + 8),
}


@pytest.mark.parametrize("name", LIES)
def test_lies_are_wrong(name):
    assert 0 < HONEST.nonzeros < 8 and HONEST.n == 39
    with pytest.raises(ellzero.NumericalError):
        verify(LIES[name], time_limit=0)


def test_no_bound_is_no_claim():
    nothing = replace(HONEST, lower_bound=-np.inf, gap=np.inf, relative_gap=np.inf, status="swap_optimal")
    assert verify(nothing).confirmed


def test_classes():
    for classes in (CLASSES.classes[::-1], np.array(["no", "other"]), None):
        with pytest.raises(ellzero.NumericalError, match="classes"):
            ellzero.verify(replace(CLASSES, classes=classes), X, LABELS)


NO_RESULTS = {
    "objective": "x", "lower_bound": None, "gap": True, "intercept": [1.0], "lambda1": "0", "settings": None, "support": None,
    "coefficients": [1.0], "verdict_codes": "none", "k": 2.5, "lambda0": "3", "n": 39.0, "status": None, "loss": 3,
}


@pytest.mark.parametrize("name", NO_RESULTS)
def test_what_is_no_result(name):
    with pytest.raises(TypeError, match=f"result.{name}: value is .* expected "):
        verify(replace(HONEST, **{name: NO_RESULTS[name]}))


def test_other_arguments():
    with pytest.raises(TypeError, match="result: type is str; expected Result"):
        verify("result")
    with pytest.raises(ValueError, match="result.status: value is 'fine'"):
        verify(replace(HONEST, status="fine"))
    for gap, error in (("x", TypeError), (5.0, ValueError)):
        with pytest.raises(error, match="gap: value is "):
            verify(replace(HONEST, settings={**HONEST.settings, "gap": gap}))
    for seconds in (-1, "x", np.nan, True):
        with pytest.raises(ValueError, match="time_limit: value is "):
            verify(HONEST, time_limit=seconds)
