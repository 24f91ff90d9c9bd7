"""ellzero.check: honest models and proofs are right, changed ones are wrong or refused, and no bound is above the best model."""
import copy
import itertools
import math
import random as plain_random

import numpy as np
import proofs
import pytest
from ellzero import check
from ellzero.check import arithmetic, model as models, rules, tree as trees
from ellzero.check.problem import Problem
from ellzero.check.values import Wrong
from scipy.optimize import minimize

SMALL = ["--lambda0", 0.3, "--lambda2", 0.02, "--gap", 1e-7]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("check")


@pytest.fixture(scope="module")
def case(folder):
    """One honest proof with several nodes, for all that is done to a copy of it."""
    return proofs.make(folder, 5000, n=20, p=6, arguments=SMALL)


def verdict(case, model=None, proof=None):
    return check.check(model or case.model, case.data, case.proof if proof is None else proof)


def changed(case, change):
    """The verdict after `change(model, proof)`, with a checksum that fits."""
    model, proof = copy.deepcopy(case.model), proofs.Proof.of(case.proof)
    change(model, proof)
    return verdict(case, model, proof.written())


# ---- Honest proofs ----

CHOICES = {"loss": proofs.LOSSES, "size": (["--lambda0", 0.3], ["--k", 2]), "lambda2": (0.0, 0.1), "lambda1": (0.0, 0.1),
           "intercept": ([], ["--no-intercept"]), "standardize": ([], ["--no-standardize"])}
MORE = ([], ["--weights", "w"], ["--offset", "o"], ["--lower", -0.3, "--upper", 0.6], ["--always", "x0"],
        ["--weights", "w", "--offset", "o", "--upper", 0.4, "--always", "x1"])


@pytest.mark.parametrize("loss", proofs.LOSSES)
def test_honest_proofs_of_every_kind_are_right(folder, loss):
    kinds = itertools.product(*(CHOICES[name] for name in CHOICES if name != "loss"))
    for seed, (size, lambda2, lambda1, intercept, standardize) in enumerate(kinds):
        arguments = ["--loss", loss, *size, "--lambda2", lambda2, "--lambda1", lambda1, *intercept, *standardize]
        arguments += MORE[seed % len(MORE)]
        if loss != "squared" and lambda1 == lambda2 == 0:
            continue  # no bound but the trivial one
        made = proofs.make(folder, seed, n=12, p=4, arguments=arguments)
        found = verdict(made)
        assert found.verdict == "right", f"{arguments}: {found}"
        assert found.lower_bound >= made.model["certificate"]["lower_bound"] * (1 - 1e-9)
        assert found.objective == pytest.approx(made.model["certificate"]["objective"], rel=1e-12)


@pytest.mark.parametrize("seed", range(12))
def test_no_bound_is_above_the_best_subset(folder, seed):
    """At random nodes, for points near those of an honest proof and far from them: no subset of the node, with or without
    a feature, has a smaller objective."""
    made = proofs.make(folder, 100 + seed, n=10, p=4)
    model, random, proof = models.Model(made.model), np.random.default_rng(seed), proofs.Proof.of(made.proof)
    tree, costs = trees.Tree(Problem(made.data, model)), costs_of_all_subsets(made)
    tree.diagonals = {r["number"]: dict(zip(r["support"], map(arithmetic.units, r["values"]))) for r in proof.kinds("diagonal")}
    assert verdict(made).lower_bound <= best_of(costs, made, tree.states(0)) * (1 + 1e-9)
    for noise in [0.0, 0.001, 0.1, 1.0] * 10:
        point = proof.kinds("point")[random.integers(len(proof.kinds("point")))]
        states = [int(random.integers(3)) if state == rules.FREE and random.random() < 0.5 else state
                  for state in tree.states(0)]
        values = {j: float(b + noise * random.normal()) for j, b in zip(point["support"], point["values"])}
        diagonal = point["diagonal"] if set(tree.diagonals.get(point["diagonal"], ())) == set(range(4)) else -1
        proved = tree.prove(states, diagonal, *tree.raw(point["b0"] + noise * random.normal(), values))
        assert arithmetic.nearest(proved.node) <= best_of(costs, made, states) * (1 + 1e-9) or proved.node == rules.EMPTY
        for j in [j for j, state in enumerate(states) if state == rules.FREE]:
            for bound, state in ((proved.use(j), rules.IN), (proved.leave(j), rules.OUT)):
                best = best_of(costs, made, [*states[:j], state, *states[j + 1 :]])
                assert best == math.inf or arithmetic.nearest(bound) <= best * (1 + 1e-9)


def best_of(costs, made, states):
    """The least objective of a node; features that are in are paid for, whatever their coefficient is."""
    settings = made.model["settings"]
    inside = {j for j, state in enumerate(states) if state == rules.IN}
    allowed = inside | {j for j, state in enumerate(states) if state == rules.FREE}
    price, most = settings["lambda0"] or 0, math.inf if settings["k"] is None else settings["k"]
    within = [(s | inside, cost) for s, cost in costs.items() if s <= allowed and len(s | inside) <= most]
    return min((cost + price * len(used) for used, cost in within), default=math.inf)


def costs_of_all_subsets(made):
    """The least loss and shrinkage that a general optimiser finds on each subset: never below the exact one."""
    settings, keep = made.model["settings"], np.flatnonzero(made.data.weights or np.ones(len(made.data.y)))
    X, y = np.array(made.data.columns).T[keep], np.array(made.data.y)[keep]
    w = np.array(made.data.weights)[keep] if made.data.weights else np.ones(len(y))
    o = np.array(made.data.offset)[keep] if made.data.offset else np.zeros(len(y))
    shift = (w @ X / w.sum()) if settings["intercept"] else np.zeros(X.shape[1])
    norms = np.sqrt(w @ (X - shift) ** 2)
    s = np.where(norms > 1e-9, 1 / np.maximum(norms, 1e-9), 0) if settings["standardize"] else np.ones(X.shape[1])
    p, c = X.shape[1], settings["hinge_width"]

    def losses(u):
        if settings["loss"] == "squared":
            return (u - y) ** 2 / 2
        if settings["loss"] == "logistic":
            return np.logaddexp(0, u) - y * u
        short = 1 - y * u
        return np.where(short <= 0, 0, np.where(short >= c, short - c / 2, short**2 / (2 * c)))

    def cost(point, support):
        """Of b = plus - minus in the user's units, so that |b| is smooth."""
        b = point[1 : 1 + len(support)] - point[1 + len(support) :]
        scaled = b * norms[support] if settings["standardize"] else b
        penalty = settings["lambda1"] * np.sum((point[1 : 1 + len(support)] + point[1 + len(support) :]) / s[support])
        return w @ losses(o + point[0] + X[:, support] @ b) + penalty + settings["lambda2"] * scaled @ scaled

    lower, upper = (settings[name][0] if settings[name] else None for name in ("lower", "upper"))
    found = {}
    for size in range(p + 1):
        for support in map(list, itertools.combinations(np.flatnonzero(norms > 1e-9), size)):
            bounds = [(None, None) if settings["intercept"] else (0, 0)]
            bounds += [(0, upper)] * size + [(0, None if lower is None else -lower)] * size
            end = minimize(cost, np.zeros(1 + 2 * size), args=(support,), bounds=bounds, method="L-BFGS-B")
            found[frozenset(map(int, support))] = end.fun
    return found


# ---- Changed models and proofs ----


def put(*path_and_value):
    """A change of the model: the value at the end of a path of keys."""
    *path, last, value = path_and_value

    def change(model, proof):
        place = model
        for key in path:
            place = place[key]
        place[last] = value(place[last]) if callable(value) else value

    return change


def smaller_objective(model, proof):
    model["certificate"]["objective"] *= 1 - 1e-6
    proof.objective = model["certificate"]["objective"]


@pytest.mark.parametrize("b", [60.0, 70.0, 100.0])
def test_small_logistic_losses_are_not_nothing(tmp_path, b):
    """Samples that are told apart: 4 e^-b is claimed to be 0."""
    path = tmp_path / "apart.csv"
    path.write_text("x,y,w\n1,1,1e60\n1,1,1e60\n-1,0,1e60\n-1,0,1e60\n")
    settings = {"loss": "logistic", "lambda0": 0.0, "lambda2": 0.0, "intercept": False}
    about = {"rows": 4, "columns": 1, "names": ["x"], "target": "y", "weights": "w", "offset": "", "format": ""}
    model = {"schema": "ellzero.model/1", "version": "0", "data": about, "classes": ["0", "1"], "settings": settings, "intercept": 0.0,
             "coefficients": [{"feature": "x", "index": 0, "value": b}],
             "certificate": {"status": "optimal", "objective": 0.0, "lower_bound": 0.0, "gap": 0.0, "relative_gap": 0.0}}
    data = check.read_data(str(path), model, {})
    about["hash"] = f"{data.hash:016x}"
    found = check.check(model, data)
    assert found.verdict == "wrong" and found.claims["objective"].startswith("wrong")
    assert found.objective == pytest.approx(4e60 * math.exp(-b), rel=1e-9)


def claim_gap(relative):
    """A bound so far below the objective, with gaps that fit."""
    def change(model, proof):
        objective = model["certificate"]["objective"]
        gap = objective * relative
        model["certificate"].update(lower_bound=objective - gap, gap=gap, relative_gap=relative)

    return change


LIES = {
    "objective": smaller_objective,
    "gap": put("certificate", "gap", lambda x: x + 1),
    "coefficient": put("coefficients", 0, "value", lambda x: x * 1.001),
    "coefficient 1e200": put("coefficients", 0, "value", 1e200),
    "intercept 1e200": put("intercept", -1e200),
    "lambda0": put("settings", "lambda0", 0.31),
    "lambda2": put("settings", "lambda2", 0.03),
    "a box": put("settings", "upper", [1e-3]),
    "intercept that is none": put("settings", "intercept", False),
    "hash": put("data", "hash", "0123456789abcdef"),
    "rows": put("data", "rows", 19),
    "names": put("data", "names", 5, "other"),
    "status": claim_gap(2e-7),
}


@pytest.mark.parametrize("name", LIES)
def test_lies_of_the_model_are_wrong(case, name):
    found = changed(case, LIES[name])
    assert found.code == 5 and any(claim.startswith("wrong: ") for claim in found.claims.values())


def test_status(case):
    """A gap of 1e-9 is optimal whatever was asked for; what is no claim of optimality is not checked."""
    assert case.model["settings"]["gap"] == 1e-7 and case.model["certificate"]["status"] == "optimal"
    assert changed(case, claim_gap(0.9e-7)).claims["status"] == "right"
    for relative, expected in ((0.9e-9, "right"), (1.1e-9, "wrong")):
        lower = copy.deepcopy(case)
        lower.model["settings"]["gap"] = 0.0
        assert changed(lower, claim_gap(relative)).claims["status"].startswith(expected)
    found = changed(case, put("certificate", "status", "time_limit"))
    assert found.claims["status"] == "not checked" and found.verdict == "right"


def test_without_a_bound_there_is_no_gap_and_no_optimum(case):
    nothing = {"lower_bound": None, "gap": None, "relative_gap": None, "status": "swap_optimal"}
    say = lambda **values: lambda model, proof: model["certificate"].update({**nothing, **values})
    assert changed(case, say()).verdict == "right"
    for values, claim in (({"gap": 0.0}, "gap"), ({"relative_gap": 0.0}, "gap"), ({"status": "optimal"}, "status"),
                          ({"status": "optimal", "gap": 0.0, "relative_gap": 0.0}, "status")):
        found = changed(case, say(**values))
        assert found.code == 5 and found.claims[claim].startswith("wrong: ")
    for name in ("gap", "relative_gap"):
        assert changed(case, put("certificate", name, None)).claims["gap"].startswith("wrong: ")


def test_a_bound_that_is_not_proved_is_wrong(case):
    for relative in (-1e-6, -1.0):
        found = changed(case, claim_gap(relative))
        assert found.verdict == "wrong" and "above the objective" in found.claims["lower_bound"]

    def drop_points(model, proof):
        proof.records = [record for record in proof.records if record["kind"] != "point"]

    found = changed(case, drop_points)
    assert found.verdict == "wrong" and "is proved" in found.claims["lower_bound"] and found.lower_bound == 0


def in_point(key, value):
    def change(model, proof):
        point = next(record for record in proof.kinds("point") if len(record["support"]) > 1)
        point[key] = value(point[key])

    return change


def first(key, value):
    return in_point(key, lambda values: [value, *values[1:]])


REFUSED = {
    "a feature twice": in_point("support", lambda s: [s[0], s[0], *s[2:]]),
    "features that fall": in_point("support", lambda s: s[::-1]),
    "a feature that is none": in_point("support", lambda s: [*s[:-1], 6]),
    "NaN": first("values", math.nan),
    "infinity": first("values", math.inf),
    "an end at infinity": lambda model, proof: setattr(proof, "lower_bound", math.inf),
    "an end that is no number": lambda model, proof: setattr(proof, "lower_bound", math.nan),
    "more than all features": lambda model, proof: model["settings"].update(lambda0=None, k=7),
    "lambda0 and k": put("settings", "k", 2),
    "no lambda2": put("settings", "lambda2", None),
    "a negative price": put("settings", "lambda1", -0.1),
    "a setting that is none": put("settings", "lamda0", 1.0),
    "a loss that is none": put("settings", "loss", "absolute"),
    "columns without number": put("data", "columns", 2**61),
    "a status that is none": put("certificate", "status", "proved_beyond_doubt"),
    "another schema": put("schema", "ellzero.model/2"),
    "features of the model that fall": put("coefficients", lambda entries: entries[::-1]),
    "a coefficient that is a text": put("coefficients", 0, "value", "1"),
}


# Records that can be read, and are not allowed where they stand.
NOT_ALLOWED = {
    "1e200": first("values", 1e200),
    "1.7e308": first("values", 1.7e308),
    "an intercept": in_point("b0", lambda b0: 1e101),
    "a node that is not there": in_point("node", lambda node: 77),
    "a diagonal that is not there": in_point("diagonal", lambda d: 5),
    "decided twice": lambda model, proof: proof.kinds("point")[-1].update({"in": [0, 1, 2, 3, 4, 5]}),
    "another objective": lambda model, proof: setattr(proof, "objective", proof.objective * 2),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_no_file_may_say_is_refused(case, name):
    assert len(case.model["coefficients"]) > 1
    found = changed(case, REFUSED[name])
    assert (found.verdict, found.code) == ("refused", 3) and found.message


@pytest.mark.parametrize("name", NOT_ALLOWED)
def test_what_no_record_may_say_is_wrong(case, name):
    found = changed(case, NOT_ALLOWED[name])
    assert (found.verdict, found.code) == ("wrong", 5) and found.claims["lower_bound"].startswith("wrong: proof: ")


def test_damaged_proofs_are_refused_and_never_crash(case):
    random = plain_random.Random(1)
    for length in (0, 7, 8, 40, len(case.proof) // 2, len(case.proof) - 1):
        assert verdict(case, proof=case.proof[:length]).verdict == "refused"
    for _ in range(300):
        content = bytearray(case.proof[:-8])
        content[random.randrange(8, len(content))] = random.randrange(256)
        found = verdict(case, proof=bytes(content) + proofs.checksum(content))
        assert found.code in (0, 3, 5)
        assert found.lower_bound is None or found.lower_bound <= case.model["certificate"]["objective"] * (1 + 1e-9)


ODD = [None, [], {}, "x", "", True, -1, 0, 0.5, 1e308, 2**70, 10**400, [None], [[]], [{}], {"a": 1}, [0, 0], [-1], ["x"], "nan"]


def places(value):
    """Every container in a model, and its keys."""
    for key in value if isinstance(value, dict) else range(len(value)):
        yield value, key
        if isinstance(value[key], (dict, list)):
            yield from places(value[key])


def test_odd_models_end_in_a_verdict_and_never_crash(case):
    random = plain_random.Random(4)
    for _ in range(600):
        model = copy.deepcopy(case.model)
        container, key = random.choice(list(places(model)))
        container[key] = random.choice(ODD)
        try:
            data = check.read_data(str(case.path), model, {})
        except check.Refusal:
            continue
        found = check.check(model, data, case.proof)
        assert found.code in (0, 3, 5) and (found.code != 3 or found.message)


def test_nodes_keep_only_what_they_decide(case):
    """A chain of splits: the states of a node are those of the splits above it, and take the memory of one feature."""
    tree = trees.Tree(Problem(case.data, models.Model(case.model)))
    for j in range(6):
        tree.add_split(2 * j, j, 2 * j + 1, 2 * j + 2)
    assert tree.states(12) == [rules.OUT] * 6 and tree.states(0) == [rules.FREE] * 6
    assert tree.states(7) == [rules.OUT] * 3 + [rules.IN] + [rules.FREE] * 2
    assert [len(node.decided) for node in tree.nodes.values()] == [0] + [1] * 12
    with pytest.raises(Wrong, match="not free"):
        tree.add_split(7, 1, 77, 78)


def test_diagonals_must_leave_a_semidefinite_matrix(folder):
    made = proofs.make(folder, 200, n=20, p=5, arguments=["--k", 2, "--lambda2", 0, "--gap", 1e-7])
    assert proofs.Proof.of(made.proof).kinds("diagonal")

    def raised(by):
        def change(model, proof):
            for record in proof.kinds("diagonal"):
                record["values"] = [value + by for value in record["values"]]

        return change

    assert changed(made, raised(0)).verdict == "right"
    for by, reason in ((1.0, "not positive semidefinite"), (-1.0, "below -2 lambda2")):
        found = changed(made, raised(by))
        assert found.code == 5 and reason in found.claims["lower_bound"]


@pytest.mark.parametrize("value", [0.0, 0.5])
def test_points_stay_on_their_diagonal(folder, value):
    """Features of a point are on its diagonal; constant ones count for nothing there."""
    path = folder / "constant.csv"
    path.write_text("a,b,c,target\n1,4,1,1\n2,4,-1,2\n3,4,1,3\n5,4,-1,4\n")
    made = proofs.prove(path, ["--lambda0", 0.1, "--lambda2", 0.5, "--gap", 1e-7])

    def point_on(listed, support):
        def change(model, proof):
            diagonal = {"kind": "diagonal", "number": 0, "support": listed, "values": [0.0 for _ in listed]}
            point = {"kind": "point", "node": 0, "diagonal": 0, "b0": 0.0, "support": support,
                     "values": [value for _ in support], "in": [], "out": [], "closes": False}
            proof.records = [diagonal, point, *proof.records]

        return change

    assert changed(made, point_on([0, 2], [0])).verdict == "right"
    for support in ([0], [0, 1]):
        assert changed(made, point_on([0, 1, 2], support)).verdict == "right"
    for listed, support in (([0, 2], [0, 1]), ([0], [0]), ([0], [0, 2])):
        found = changed(made, point_on(listed, support))
        assert found.code == 5 and "without feature" in found.claims["lower_bound"]


@pytest.mark.parametrize("loss", ["logistic", "smoothed-hinge"])
def test_a_diagonal_that_is_not_there_proves_nothing(folder, loss):
    """Also where nothing is left to be on it."""
    made = proofs.make(folder, 301, arguments=["--loss", loss, "--k", 0, "--lambda2", 0.1])

    def name_one(model, proof):
        for point in proof.kinds("point"):
            point.update(diagonal=7, support=[], values=[])

    assert verdict(made).verdict == "right"
    assert changed(made, name_one).verdict == "wrong"


def test_classes_and_always_and_k(folder):
    made = proofs.make(folder, 300, arguments=["--loss", "logistic", "--k", 3, "--lambda2", 0.1, "--always", "x3"])
    assert verdict(made).claims["classes"] == "right" and made.model["classes"] == ["no", "yes"]
    assert changed(made, put("classes", lambda c: c[::-1])).claims["classes"].startswith("wrong: ")
    without = put("coefficients", lambda entries: [entry for entry in entries if entry["index"] != 3])
    assert "always in" in changed(made, without).claims["coefficients"]
    assert "at most 2" in changed(made, put("settings", "k", 2)).claims["coefficients"]
    assert changed(made, put("settings", "always", [0, 1, 2, 3])).verdict == "refused"
    assert changed(made, put("settings", "always", [3, 3, 3, 3])).verdict == "right"


def test_verdicts(folder):
    """What a proof says of features at its first node is right, and what contradicts the coefficients wrong."""
    made = proofs.make(folder, 400, n=40, p=6, arguments=["--lambda0", 5, "--lambda2", 0.1])
    used = [entry["index"] for entry in made.model["coefficients"]]
    rest = [j for j in range(6) if j not in used]
    say = lambda always, never: put("verdicts", {"always": always, "never": len(never),
                                                 "undecided": [j for j in range(6) if j not in always + never]})
    assert verdict(made).claims["verdicts"] in ("right", "not checked")
    assert changed(made, say([], [])).claims["verdicts"] == "right"
    assert used and changed(made, say([], used)).claims["verdicts"].startswith("wrong: ")
    assert rest and changed(made, say(rest, [])).claims["verdicts"].startswith("wrong: ")
