"""Criteria against enumeration of all subsets, and against the best subsets of classic data."""
import csv
import itertools
import math
import os
from pathlib import Path

import numpy as np
import pytest

import ellzero

CLASSIC = Path(os.environ.get("ELLZERO_DATA", Path(__file__).resolve().parents[3] / "shared" / "data")) / "classic"
CRITERIA = ["aic", "bic", "ebic", "gic"]


def criterion(name, rss, n, p, size, intercept):
    parameters = size + intercept
    if size > 0 and parameters >= n:
        return math.inf
    misfit = n * math.log(rss / n)
    if name == "aic":
        return misfit + 2 * parameters
    if name == "gic":
        return misfit + parameters * math.log(math.log(n)) * math.log(p)
    bic = misfit + parameters * math.log(n)
    return bic if name == "bic" else bic + 2 * math.log(math.comb(p, size))


def best_subset(X, y, name, intercept, sizes):
    Z, c = (X - X.mean(0), y - y.mean()) if intercept else (X, y)
    G, b, p = Z.T @ Z, Z.T @ c, X.shape[1]
    best = (math.inf, ())
    for size in sizes:
        for subset in itertools.combinations(range(p), size):
            chosen = list(subset)
            rss = c @ c - (b[chosen] @ np.linalg.solve(G[np.ix_(chosen, chosen)], b[chosen]) if chosen else 0)
            best = min(best, (criterion(name, rss, len(y), p, size, intercept), subset))
    return best


@pytest.mark.parametrize("seed", range(5))
def test_the_best_of_all_subsets_is_found_and_proved(seed):
    rng = np.random.default_rng(seed)
    for case in range(100):
        p = int(rng.integers(2, 13 if case % 10 == 0 else 9))
        n = p + 3 + int(rng.integers(5, 40))
        X = rng.normal(size=(n, p))
        if case % 3 == 0:
            X[:, 1] = X[:, 0] + 0.1 * rng.normal(size=n)
        y = X @ np.where(rng.random(p) < 0.4, rng.normal(size=p), 0) + rng.choice([0.1, 1, 3]) * rng.normal(size=n)
        intercept = bool(case % 2)
        for name in CRITERIA:
            score, subset = best_subset(X, y, name, intercept, range(p + 1))
            found = ellzero.choose(X, y, select=name, intercept=intercept)
            assert found.score[found.chosen] == pytest.approx(score, abs=1e-6 * max(1, abs(score))), (case, name)
            assert tuple(found.model.support) == subset and found.proved and found.least <= score + 1e-9


@pytest.mark.parametrize("near", [1e-14, 1e-12, 1e-11, 1e-9, 1e-7])
def test_nothing_is_proved_where_rounding_could_hide_a_better_model(near):
    rng = np.random.default_rng(1)
    X = rng.normal(size=(30, 4))
    y = X[:, 1] + 1e-3 * rng.normal(size=30)
    X[:, 3] = X[:, 0] + near * y  # x3 - x0 is y, but for rounding
    found = ellzero.choose(X, y, select="bic")
    assert not found.proved and math.isnan(found.least)


def test_a_criterion_of_the_best_is_never_below_what_is_proved():
    rng = np.random.default_rng(9)
    X = rng.normal(size=(300, 80))  # more than can be searched: bounds of prices and budgets
    y = X[:, :4].sum(1) + rng.normal(size=300)
    found = ellzero.prove(X, y, select="bic", time_limit=4.0).selection
    least = min(criterion("bic", np.sum((y - y.mean()) ** 2), 300, 80, 0, 1), found.score[found.chosen])
    assert math.isnan(found.least) or found.least <= least + 1e-9
    assert {0, 1, 2, 3} <= set(found.model.support)


@pytest.mark.skipif(not CLASSIC.exists(), reason=f"{CLASSIC} is not there")
def test_classic_data():
    with open(CLASSIC / "best_subsets.csv") as lines:
        table = list(csv.DictReader(lines))
    for title in sorted({row["dataset"] for row in table}):
        rows = [row for row in table if row["dataset"] == title]
        n, p = int(rows[0]["n"]), int(rows[0]["p"])
        with open(CLASSIC / f"{title.split('(')[0].split()[0]}.csv") as lines:
            names = next(csv.reader(lines))[1:]
            numbers = np.array([[float(cell) for cell in line] for line in csv.reader(lines)])
        y, X = numbers[:, 0], numbers[:, 1:]
        assert (len(y), len(names)) == (n, p)
        for name in CRITERIA:
            scores = {0: criterion(name, np.sum((y - y.mean()) ** 2), n, p, 0, 1)}
            scores |= {int(row["k"]): criterion(name, float(row["rss"]), n, p, int(row["k"]), 1) for row in rows}
            size = min(scores, key=scores.get)
            found = ellzero.choose(X, y, select=name)
            assert found.score[found.chosen] == pytest.approx(scores[size], rel=1e-8), (title, name)
            assert found.model.nonzeros == size and found.proved
            if size:
                listed = next(row["vars"] for row in rows if int(row["k"]) == size).split()
                assert {names[j] for j in found.model.support} == set(listed), (title, name)
