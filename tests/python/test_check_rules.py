"""The rules of ellzero.check one by one: logarithms, q, diagonals, sizes of columns, and the settings that it knows."""
import decimal
import random as plain_random
from decimal import Decimal
from fractions import Fraction

import numpy as np
import proofs
import pytest
from ellzero import _core, check
from ellzero.check import arithmetic, model as models, rules
from ellzero.check.problem import Problem
from ellzero.check.tree import Tree
from ellzero.check.values import Wrong


def plain_problem(X, y, w, settings):
    """A problem without a model, for a rule alone."""
    data = check.Data([list(map(float, column)) for column in X.T], [float(value) for value in y], list(map(float, w)))
    about = {"rows": len(y), "columns": X.shape[1], "names": [], "hash": f"{data.hash:016x}",
             "target": "", "weights": "", "offset": "", "format": ""}
    model = {"schema": "ellzero.model/1", "version": "0", "data": about, "classes": [], "intercept": 0, "coefficients": [],
             "settings": {"lambda0": 1.0, "lambda2": 0.1, **settings}, "certificate": {"status": "stationary", "objective": 1.0, "lower_bound": None, "gap": None, "relative_gap": None}}
    return Problem(data, models.Model(model))


def test_the_semidefinite_test_is_that_of_eigenvalues():
    random = np.random.default_rng(3)
    for trial in range(40):
        X, w = random.normal(size=(9, 4)), random.uniform(0.5, 2, size=9)
        standardize, intercept = bool(trial % 2), bool(trial % 4 // 2)
        model = {"intercept": intercept, "standardize": standardize}
        Z = np.sqrt(w)[:, None] * (X - (w @ X / w.sum() if intercept else 0))
        Z = Z / np.sqrt(np.sum(Z * Z, axis=0)) if standardize else Z
        d = random.uniform(0, 1, size=4)
        least = np.linalg.eigvalsh(np.diag(d**-0.5) @ Z.T @ Z @ np.diag(d**-0.5))[0]  # Z'Z - diag(least d) is singular
        problem = plain_problem(X, np.zeros(9), w, model)
        for factor, expected in ((1 - 1e-9, True), (1 + 1e-9, False)):
            numbers = {j: arithmetic.units(float(least * d[j] * factor)) for j in range(4)}
            assert rules.Diagonals(problem).is_semidefinite(numbers) == expected


def test_constant_columns_of_a_diagonal_are_passed_over():
    X = np.random.default_rng(6).normal(size=(8, 3))
    X[:, 2] = 4.0
    diagonals = rules.Diagonals(plain_problem(X, np.zeros(8), np.ones(8), {}))
    one = arithmetic.units(1.0)
    diagonals.check({0: 0, 1: 0}, "d")
    diagonals.check({0: 0, 2: one}, "d")
    with pytest.raises(Wrong, match="semidefinite"):
        diagonals.check({0: 100 * one, 2: one}, "d")


@pytest.mark.parametrize("loss", proofs.LOSSES[1:])
@pytest.mark.parametrize("intercept", [True, False])
def test_a_loss_of_two_classes_needs_both(loss, intercept):
    X, low = np.arange(12.0).reshape(6, 2) ** 2, 0.0 if loss == "logistic" else -1.0
    y, settings = np.array([low, 1, 1, 1, 1, 1]), {"loss": loss, "intercept": intercept}
    assert plain_problem(X, y, np.ones(6), settings).classes
    for weights, targets in ((np.array([0.0, 1, 1, 1, 1, 1]), y), (np.ones(6), np.ones(6)), (np.ones(6), 2 * y)):
        with pytest.raises(check.Refusal, match="both of them"):
            plain_problem(X, targets, weights, settings)


def test_logarithms_are_enclosed():
    """Against many more digits. An entropy is right to a number of bits, a logistic loss to a relative 1e-30 however small."""
    random, unit, fine = plain_random.Random(2), 2**arithmetic.LOG_BITS, 2**arithmetic.FINE_BITS
    with decimal.localcontext(decimal.Context(prec=400)):
        for _ in range(200):
            top, bottom = random.randrange(1, 3**40), 3**40
            m, other = Decimal(top) / bottom, 3 ** random.randrange(34, 44)
            exact = (m * m.ln() + (1 - m) * (1 - m).ln()) * unit
            assert exact <= arithmetic.entropy_up(top, bottom) <= exact + 4
            exact = (1 + (-Decimal(top) / other).exp()).ln() * fine
            assert exact <= arithmetic.log_one_plus_exp_up(top, other) <= exact * (1 + Decimal("1e-30")) + 4
        for t in (36, 37, 38, 100, 200, 700):  # 1 + e^-t loses no digit that counts
            exact = (1 + Decimal(-t).exp()).ln() * fine
            assert exact <= arithmetic.log_one_plus_exp_up(t, 1) <= exact * (1 + Decimal("1e-30")) + 4
    assert 0 < arithmetic.log_one_plus_exp_up(10**400, 1) <= 4  # what is less than any unit is one, and takes no time
    assert arithmetic.entropy_up(0, 5) >= 0 and arithmetic.entropy_up(5, 5) >= 0


@pytest.mark.parametrize("weight", [1e-50, 1.0, 1e60])
def test_a_small_logistic_loss_is_that_of_all_its_digits(weight):
    """Four separable samples: 4 w log(1 + e^-b), whatever the weight and however small."""
    X, y = np.array([[1.0], [1.0], [-1.0], [-1.0]]), np.array([1.0, 1.0, 0.0, 0.0])
    for b in (0.5, 40.0, 100.0, 500.0):
        problem = plain_problem(X, y, weight * np.ones(4), {"loss": "logistic", "lambda0": 0.0, "lambda2": 0.0, "intercept": False})
        problem.model.beta = {0: b}
        low, high = problem.objective()
        assert low <= high <= low * (1 + Fraction(1, 10**9))
        assert arithmetic.nearest(low) == pytest.approx(4 * weight * np.log1p(np.exp(-b)), rel=1e-12, abs=0)


def test_what_a_claim_may_be_off():
    """A relative 1e-9, and no more: one sample far from 0 must not hide what the others cost."""
    problem = plain_problem(np.arange(1, 7.0).reshape(6, 1), 1e35 + np.arange(6.0), np.ones(6), {})
    for objective in (0.0, 1e-30, 1.0):
        assert arithmetic.nearest(problem.allowed(arithmetic.units(objective))) == pytest.approx(1e-9 * objective + 1e-280, rel=1e-12, abs=0)


def test_vectors_of_one_sign_become_zero_and_never_longer():
    """With an intercept nothing is left of them; each sweep asked for twice the digits of the last."""
    X, y = np.array([[0.0], [1.0], [2.0], [5.0]]), np.array([0.0, 1.0, 0.0, 1.0])
    dual = rules.Dual(plain_problem(X, y, np.ones(4), {"loss": "logistic", "lambda2": 1.0, "standardize": False}))
    alpha = dual.feasible([1, 0, 1, 0], 2)
    for _ in range(9):
        assert not any(alpha.values) and alpha.shift <= rules.MOST_BITS
        alpha = dual.feasible(alpha.values, 1 << alpha.shift)
    tiny = dual.feasible([1 << 90000, -1, 0, 0], 1 << 90001)
    assert dual.is_feasible(tiny) and tiny.shift <= rules.MOST_BITS
    for b in (1.0, 50.0, 1e6, 1e12, -10.0, -1e6):  # the steps to where a point's products are
        alpha = dual.vector(dual.problem.predictor(0, {0: (arithmetic.units(b), arithmetic.UNIT)}))
        for target in (-2 * b, 2 * b):
            found = dual.towards(alpha, {0: target})
            assert dual.is_feasible(found) and found.shift <= rules.MOST_BITS


def test_slopes_beyond_doubles_propose_what_their_coefficients_say():
    """A weight of 1e-300 makes s_j 1e210: c_j = b_j s_j is 1e310, and b_j is 1e100 all the same."""
    X, w = np.array([[1e-60, 0], [0, 1], [0, 2]]), np.array([1e-300, 1, 1])
    problem = plain_problem(X, np.array([1.0, 2.0, 4.0]), w, {"lambda2": 1.0, "intercept": False})
    tree = Tree(problem)
    _, slopes = tree.raw(0.0, {0: 1e100, 1: 1.0})
    assert rules.coefficients(problem, slopes) == pytest.approx({0: 1e100, 1: 1.0}, rel=1e-12)
    assert 0 <= tree.prove(tree.states(0), -1, 0, slopes).node <= arithmetic.units(10.0)
    assert rules.coefficients(problem, {0: (1 << 3000, 0), 1: (0, 0)}) == {1: 0.0}


def test_units():
    for number in (5e-324, 1e-300, 1.7e308, 0.1):
        assert Fraction(arithmetic.units(number), 2**arithmetic.UNIT) == Fraction(number)
        assert arithmetic.nearest(arithmetic.units(number)) == number
    for a in (0.3, 1.1, 2.9):
        assert rules.conjugate(arithmetic.units(a), None, arithmetic.units(0.5)) >= Fraction(a) ** 2 * 2**arithmetic.UNIT


def test_q_is_the_supremum():
    """(3.1) against a grid."""
    random = plain_random.Random(3)
    for _ in range(200):
        a, most, lambda2 = random.uniform(0, 3), random.uniform(0.1, 3), random.choice([0.0, 0.1, 1.0])
        found = rules.conjugate(arithmetic.units(a), arithmetic.units(most), arithmetic.units(2 * lambda2)) / 2**arithmetic.UNIT
        grid = max(a * b - lambda2 * b * b for b in np.linspace(0, most, 2001))
        assert grid <= found * (1 + 1e-15) and found == pytest.approx(grid, abs=1e-5)


def test_columns_of_any_size_within_the_limits():
    """Beyond 1e60 data is refused; a mean of 1e9 times the spread is none of its business."""
    lines = [line.split(",") for line in proofs.random_table(np.random.default_rng(9), 12, 3, False).splitlines()]
    y = [float(row[-1]) for row in lines[1:]]
    X = np.array([[float(cell) for cell in row[:3]] for row in lines[1:]])
    for size, fine in ((1e-61, False), (1e-59, True), (1e59, True), (1e62, False)):
        build = lambda: plain_problem(X * [1, 1, size], y, np.ones(12), {})
        if fine:
            assert not build().columns[2].constant
        else:
            with pytest.raises(check.Refusal, match="column 2: largest magnitude"):
                build()
    near, far = (plain_problem(X + shift, y, np.ones(12), {}) for shift in (0, 2.0**30))
    for a, b in zip(near.columns, far.columns):
        assert a.s[0] / 2 ** a.s[2] == pytest.approx(b.s[0] / 2 ** b.s[2], rel=1e-6)


def test_settings_are_those_of_the_program():
    """A setting that is new must be known here, too, and a range that moves must move."""
    rows = {row["name"]: row for row in _core.settings_table()}
    assert set(rows) == {*models.NUMBERS, *models.BOUNDS, *models.WORDS, *models.SEARCH, "k", "always"}
    ranges = {name: row[-2:] for name, row in {**models.NUMBERS, **models.BOUNDS}.items()}
    assert all(rows[name]["range"] == f"{low:g} to {high:g}" for name, (low, high) in ranges.items())
    assert all(rows[name]["default"] == default for name, (default, _, _) in models.NUMBERS.items())
    assert set(rows["loss"]["choices"]) == set(models.WORDS["loss"])
    for name, allowed in models.SEARCH.items():
        if isinstance(allowed, models.Range):
            end = "or above" if allowed.high == 2**62 else f"to {allowed.high:g}"
            assert rows[name]["range"] == f"{allowed.low:g} {end}"
        elif allowed != (True, False):
            assert set(rows[name]["choices"]) == set(allowed)
    assert set(_core.statuses) == models.STATUSES
