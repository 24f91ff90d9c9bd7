"""The program's checker and ellzero.check agree on honest proofs of all kinds, and on proofs and models changed by hand."""
import bz2
import copy
import gzip
import json
import math

import numpy as np
import proofs
import pytest
from ellzero import check
from ellzero.check.__main__ import main as check_main
from mutations import MAY_BE_RIGHT, MUTATIONS, RIGHT, smaller_objective

PROBLEMS = 110


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("proofs")


def agreement(case, name, model, proof):
    """Compares the checkers; no proof, whatever was done to it, may put the bound above a model that is there."""
    own = check.check(model, case.data, proof)
    code, said = proofs.verify(case, model, proof)
    honest = case.model["certificate"]["objective"]
    if own.lower_bound is not None and model["settings"] == case.model["settings"]:
        assert own.lower_bound <= honest * (1 + 1e-9) + 1e-300, name
    expected = (0,) if name in RIGHT else (0, 3, 5) if name in MAY_BE_RIGHT else (3, 5)
    reasons = own.message or [claim for claim in own.claims.items() if claim[1] != "right"]
    if own.code in expected and code == own.code:
        return []
    return [f"{name}: ellzero.check says {own.verdict} {reasons}, verify {code}: {said.strip()[-200:]}"]


@pytest.mark.parametrize("seed", range(PROBLEMS))
def test_the_checkers_agree(folder, seed):
    case = proofs.make(folder, seed, n=9 + seed % 8, p=3 + seed % 4)
    random = np.random.default_rng(1000 + seed)
    problems = agreement(case, "honest", case.model, case.proof)
    for mutation in MUTATIONS:
        model, proof = copy.deepcopy(case.model), proofs.Proof.of(case.proof)
        if mutation(random, model, proof):
            problems += agreement(case, mutation.__name__, model, proof.written())
    assert not problems, "\n".join(problems)


SETTINGS = ["--lambda0", 0.1, "--lambda2", 0.02]


def with_column(case, name, change):
    """Another file, with a column changed."""
    rows = [line.split(",") for line in case.path.read_text().splitlines()]
    at = rows[0].index(name)
    for row, target in zip(rows[1:], case.data.y):
        row[at] = repr(change(target))
    path = case.path.with_suffix(".other.csv")
    path.write_text("".join(",".join(row) + "\n" for row in rows))
    return path


@pytest.mark.parametrize("size, standardize", [(1e-170, []), (1e-70, []), (1e-70, ["--no-standardize"]), (1e70, [])])
def test_a_column_that_is_lost_when_it_is_squared(folder, size, standardize):
    """The target itself, too small or too large, in place of a column of zeros: model and proof say they are of the new numbers."""
    zeros = proofs.prove(with_column(proofs.make(folder, 3, arguments=SETTINGS), "x5", lambda y: 0.0), SETTINGS + standardize)
    assert not agreement(zeros, "honest", zeros.model, zeros.proof)
    path = with_column(zeros, "x5", lambda y: size * y)
    model, proof = copy.deepcopy(zeros.model), proofs.Proof.of(zeros.proof)
    data = check.read_data(str(path), model, {})
    model["data"]["hash"] = f"{data.hash:016x}"
    proof.head = proof.head[:-8] + data.hash.to_bytes(8, "little")
    problems = agreement(proofs.Case(path, model, data, b""), "a column of no size", model, proof.written())
    assert not problems, problems


def test_targets_far_from_zero_hide_nothing(folder):
    """A mean of 1e9 leaves an objective of about 5 as it is: half of it is no rounding."""
    far = proofs.prove(with_column(proofs.make(folder, 3, arguments=SETTINGS), "target", lambda y: round(y, 4) + 1e9), SETTINGS)
    model, proof = copy.deepcopy(far.model), proofs.Proof.of(far.proof)
    smaller_objective(None, model, proof)
    problems = agreement(far, "smaller_objective", model, proof.written())
    assert not problems, problems


def test_always_in_features_at_zero_count_in_k(folder):
    """Two that their bounds hold at 0 and two others are four features, for the search and for both checkers."""
    held = ["--always", "x0,x1", "--lower=0,0,-9,-9,-9,-9", "--upper=0,0,9,9,9,9"]
    case = proofs.make(folder, 3, arguments=["--k", 4, "--lambda2", 0.02, *held])
    assert [c["value"] == 0 for c in case.model["coefficients"]] == [True, True, False, False]
    assert not agreement(case, "honest", case.model, case.proof)
    model = copy.deepcopy(case.model)
    model["settings"]["k"] = 3
    problems = agreement(case, "one feature too many", model, case.proof)
    assert not problems, problems


def changed(model, path, value):
    """The model with one value replaced, or made from the one that is there."""
    model = copy.deepcopy(model)
    *parents, last = path.split(".")
    place = model
    for key in parents:
        place = place[key]
    place[last] = value(place[last]) if callable(value) else value  # some keys are not there as a rule
    return model


ODD_MODELS = {  # and what both checkers say
    "data.hash": [(str.upper, 0), ("0", 3), (None, 3), (lambda text: "g" + text[1:], 3), (lambda text: f"{int(text, 16) ^ 1:016x}", 5)],
    "data.format": [("libsvm", 0), ("nonsense", 0), (None, 3)],
    "data.weights": [(None, 3)], "data.offset": [(None, 3), (1, 3)], "data.target": [(None, 3)],
    "data.names": [(None, 3), ([1, 2], 3), (["a"], 3)],
    "data.rows": [(2**62 + 1, 5), (2**63, 3), (3.0, 3)],
    "data.header": [(None, 3), ("maybe", 3)], "data.categorical": [("refuse", 0), ("onehot", 0), ("no", 3)],
    "data.missing": [("refuse", 0), ("drop", 0), ("mean", 5), ("no", 3)],
    "schema": [("ellzero.model/1.7", 0), ("ellzero.model/1.\n", 0), ("ellzero.model/10", 3), (None, 3), (1, 3)],
    "version": [("0", 0), (None, 3), (1, 3)], "course": [(None, 3), ([], 0), ([7], 3), ([{}], 3)], "selection": [(None, 3), ({}, 3)],
    "verdicts": [(None, 3)], "classes": [(None, 3), ([1], 3), (["a\u0085"], 3), (["a"], 5)],
    "certificate.gap": [(None, 5)], "certificate.status": [("fine", 3)], "intercept": [(1e200, 5)],
    "verdicts.never": [(float, 3), (bool, 3), (None, 3), ("0", 3)],
    "settings.seed": [(2**31 - 1, 0), (2**31, 3), (2**62, 3)], "settings.max_iterations": [(2**31 - 1, 0), (2**31, 3), (0, 3)],
    "settings.threads": [(1024, 0), (1025, 3), (-1, 3), (1.5, 3), (None, 3)], "settings.folds": [(1, 3)],
    "settings.time_limit": [(None, 0), (2e9, 3), ("1", 3)], "settings.node_limit": [(None, 0), (-1, 3)],
    "settings.effort": [("quick", 0), ("none", 3)], "settings.adding": [(False, 0), (1, 3)],
    "settings.lambda0_grid": [([1.0, 2.0], 0), ([-1.0], 3), (1.0, 3)], "settings.step": [(0, 3), (1, 0)],
}


@pytest.mark.parametrize("path", ODD_MODELS)
def test_odd_models_end_alike(folder, path):
    case = proofs.make(folder, 3, arguments=SETTINGS)
    for value, expected in ODD_MODELS[path]:
        model = changed(case.model, path, value)
        own = check.check(check.parse_model(json.dumps(model).encode(), "m.json"), case.data, case.proof)
        code, said = proofs.verify(case, model, case.proof)
        assert (own.code, code) == (expected, expected), (value, own, said)


CHOSEN = {"lambda0": 0.5, "lambda1": 0, "lambda2": 0.1, "k": None, "objective": 1.0, "lower_bound": None, "relative_gap": None,
          "status": "stationary", "intercept": 0, "coefficients": [{"index": 1, "value": 2}], "relax": 0, "score": 0.5, "standard_error": None}
SELECTION = {"by": "cv", "metric": "mse", "rule": "1se", "best": 0, "one_error": 1, "as_good": 0, "chosen": 1, "repeats": 3,
             "models": [CHOSEN, {**CHOSEN, "k": 2, "lambda0": None}]}
MOMENT = {"seconds": 0.5, "objective": None, "lower_bound": 1, "nodes": 3}
NO_SELECTIONS = [{key: value} for key in SELECTION for value in (None, -1, "new", [7])]
NO_SELECTIONS += [{"by": "bic"}, {"rule": "best"}, {"metric": "rmse"}, {"best": 2}, {"as_good": 2}, {"repeats": 0.5}, {"models": []}]
NO_CHOSEN = [{key: value} for key in CHOSEN for value in ("1", True, [1])]
NO_CHOSEN += [{key: None} for key in ("status", "objective", "intercept", "lambda1", "lambda2", "coefficients", "relax")]
NO_CHOSEN += [{"k": -1}, {"k": 1.0}, {"status": "good"}, {"coefficients": [{"index": 99, "value": 1}]}, {"coefficients": [{"index": 1}]}]
NO_COURSES = [[{**MOMENT, key: value}] for key, value in
              [("seconds", -1), ("seconds", None), ("objective", "1"), ("lower_bound", []), ("nodes", None), ("nodes", -1), ("nodes", 0.5)]]
NO_COURSES += [[MOMENT, {**MOMENT, "seconds": 0.25}], [{key: MOMENT[key] for key in MOMENT if key != "objective"}]]


def test_what_is_not_checked_is_of_its_kind_for_both(folder):
    """The selection and the course: no claims, but a file that has others than these is none."""
    case = proofs.make(folder, 3, arguments=SETTINGS)
    with_models = lambda change: {"selection": SELECTION | {"models": [CHOSEN, {**CHOSEN, **change}]}}
    without = lambda whole, key: {name: value for name, value in whole.items() if name != key}
    right = [{"selection": SELECTION, "course": [MOMENT, {**MOMENT, "seconds": 2}]}, {"selection": {**SELECTION, "by": "bic", "metric": "bic"}},
             with_models({"score": None, "k": 0, "status": "optimal", "coefficients": []})]
    right += [{"selection": without(SELECTION, key)} for key in ("one_error", "as_good", "repeats")]
    wrong = [{"selection": SELECTION | change} for change in NO_SELECTIONS] + [with_models(change) for change in NO_CHOSEN]
    wrong += [{"selection": without(SELECTION, key)} for key in ("by", "metric", "rule", "best", "chosen", "models")]
    wrong += [{"selection": {**SELECTION, "models": [without(CHOSEN, key), CHOSEN]}} for key in CHOSEN if key != "relax"]
    wrong += [{"course": course} for course in NO_COURSES]
    for said, expected in [(said, 0) for said in right] + [(said, 3) for said in wrong]:
        assert both(case.model | said, case) == (expected, expected), said


def test_a_model_that_was_chosen_is_right_for_both(folder):
    path = proofs.make(folder, 3, arguments=SETTINGS).path
    model, proof = path.with_suffix(".chosen.json"), path.with_suffix(".chosen.ez")
    assert proofs.run("prove", path, "-q", "-o", model, "--proof", proof)[0] == 0
    said = check.parse_model(model.read_bytes(), "model")
    for more in ({}, {"least": 0.5, "proved": True}, {"least": None, "proved": False}):
        own = check.check(said | {"selection": said["selection"] | more}, check.read_data(str(path), said, {}), proof.read_bytes())
        assert (own.code, own.claims["selection"]) == (0, "not checked")
    assert proofs.run("verify", model, path, "--proof", proof)[0] == 0


LABELS = [(["a", "b", "a", "b"], 1, 0), (["a", "b", "a", "c"], 0, 3), (["0", "1", "0", "2"], 0, 0), (["0", "b", "0", "2"], 0, 3),
          (["a", "NA", "a", "NA"], 1, 3), (["a", "inf", "a", "inf"], 1, 0), (["inf", "a", "inf", "a"], 1, 3), (["0", "1e999", "0", "0"], 1, 3),
          (["10", "1.50", "+10", "1.5"], 1, 0), (["1e20", "-0", "1e20", "0"], 1, 0), (["a", "b\x7f", "a", "a"], 1, 3)]


@pytest.mark.parametrize("labels, weight, code", LABELS)
def test_classes_are_what_fit_takes_for_classes(folder, labels, weight, code):
    """Of words there are two, also in a row of weight 0; numbers may be others there. What fit refuses has no right model."""
    path, model = folder / "labels.csv", folder / "labels.json"
    table = lambda words: "".join(f"{x},{w},{y}\n" for x, w, y in zip((1, -1, 2.5, -2), (1, 1, 1, weight), words))
    arguments = ["--weights", "w", "--loss", "logistic", "--lambda0", 1000, "--lambda2", 0.1, "-q", "-o", model]
    path.write_text("x,w,target\n" + table(labels))
    assert proofs.run("fit", path, *arguments)[0] == code
    if code == 0:
        said = check.parse_model(model.read_bytes(), "model")
        assert (proofs.run("verify", model, path)[0], check_main([str(model), str(path)])) == (0, 0)
        model.write_text(json.dumps(changed(said, "classes", lambda old: [label + "." for label in old])))
        assert (proofs.run("verify", model, path)[0], check_main([str(model), str(path)])) == (5, 5)
        return
    path.write_text("x,w,target\n" + table("abab"))
    assert proofs.run("fit", path, *arguments)[0] == 0
    path.write_text("x,w,target\n" + table(labels))
    assert (proofs.run("verify", model, path)[0], check_main([str(model), str(path)])) == (3, 3)


def both(model, case, data=None):
    """The exit codes of both for a model that is written, with the case's proof."""
    path, data, proof = case.path.with_suffix(".both.json"), data or case.path, case.path.with_suffix(".ez")
    path.write_bytes(model if isinstance(model, bytes) else json.dumps(model).encode())
    return proofs.run("verify", path, data, "--proof", proof)[0], check_main([str(path), str(data), str(proof)])


@pytest.mark.parametrize("text, code", [('"index": 0', 3), ('"never": 0', 3), ('"seed": 0', 3), ('"rows": 15', 3), ('"lambda1": 0.0', 0)])
def test_minus_zero_is_a_number_and_no_whole_one(folder, text, code):
    case = proofs.make(folder, 3, arguments=SETTINGS)
    model = json.dumps(case.model)
    assert model.count(text) == 1
    assert both(model.replace(text, text.partition(":")[0] + ": -0").encode(), case) == (code, code)


def test_nothing_is_hidden_behind_a_zero_byte(folder):
    case = proofs.make(folder, 3, arguments=SETTINGS)
    text = json.dumps(case.model).encode()
    assert both(text, case) == (0, 0)
    far = text + b"\n" * 2**22
    for hidden in (text + b"\0", b"\0" + text, far + b"\0", far + b"\0 and more"):
        assert both(hidden, case) == (3, 3)


@pytest.mark.parametrize("role, name", [("target", "nowhere"), ("weights", "nowhere"), ("offset", "nowhere"), ("weights", "target")])
def test_a_model_that_names_columns_that_are_not_there(folder, role, name):
    """It is the model that cannot be read for what it should be, and not the command line."""
    case = proofs.make(folder, 3, arguments=SETTINGS)
    assert both(changed(case.model, f"data.{role}", name), case) == (3, 3)
    text = case.path.with_suffix(".svm")
    text.write_text("1 1:2\n2 1:3\n")
    assert both(changed(case.model, f"data.{role}", name), case, text) == (3, 3)
    assert proofs.run("verify", case.path.with_suffix(".json"), case.path, f"--{role}", "nowhere")[0] == 2


def test_an_optimum_to_a_relative_1e_9_is_one_for_both(folder):
    """The largest gap that is fine is the double 1e-9, which is a little above the number."""
    case = proofs.make(folder, 3, arguments=[*SETTINGS, "--gap", 0])
    objective = case.model["certificate"]["objective"]
    for relative, code in ((1e-9, 0), (math.nextafter(1e-9, 1), 5)):
        gap = objective * relative
        claimed = {"lower_bound": objective - gap, "gap": gap, "relative_gap": relative}
        assert both(changed(case.model, "certificate", lambda old: old | claimed), case) == (code, code)


@pytest.mark.parametrize("name, cell, code", [("target", 1e70, 3), ("o", -1e61, 3), ("target", 1e59, 0), ("o", 1e59, 0), ("x0", 1e70, 0)])
def test_the_size_of_rows_without_weight(folder, name, cell, code):
    """Targets and offset of the last row, whose weight is 0, are measured like the others; its columns are not."""
    arguments = [*SETTINGS, "--weights", "w", "--offset", "o"]
    case = proofs.make(folder, 4, arguments=arguments)
    rows = [line.split(",") for line in case.path.read_text().splitlines()]
    rows[-1][rows[0].index(name)] = repr(cell)
    path = case.path.with_suffix(".far.csv")
    path.write_text("".join(",".join(row) + "\n" for row in rows))
    data = check.read_data(str(path), case.model, {})
    model, proof = changed(case.model, "data.hash", f"{data.hash:016x}"), proofs.Proof.of(case.proof)
    proof.head = proof.head[:-8] + data.hash.to_bytes(8, "little")
    assert check.check(model, data, proof.written()).code == code
    assert proofs.verify(proofs.Case(path, model, data, b""), model, proof.written())[0] == code


def test_a_byte_order_mark_and_packed_files_are_fine_for_both(folder):
    case = proofs.make(folder, 3, arguments=SETTINGS)
    model, proof = folder / "marked.json.gz", folder / "packed.ez.bz2"
    model.write_bytes(gzip.compress(b"\xef\xbb\xbf" + json.dumps(case.model).encode()))
    proof.write_bytes(bz2.compress(case.proof))
    assert proofs.run("verify", model, case.path, "--proof", proof)[0] == 0
    assert check_main([str(model), str(case.path), str(proof)]) == 0


HALVES = bz2.compress(b"x,y\n1,2\n"), bz2.compress(b"2,3\n3,5\n")
BEHIND = [(b"", 0), (HALVES[1], 0), (bytes(3000), 0), (b"garbage", 3), (b"B", 3), (b"BZh", 3), (HALVES[1][:-3], 3), (bytes(9) + HALVES[1], 3),
          (bytes(3 * 2**20), 0), (bytes(3 * 2**20) + HALVES[1], 3)]


@pytest.mark.parametrize("behind, code", BEHIND)
def test_what_comes_behind_a_packed_file(folder, behind, code):
    """Further streams and padding are fine."""
    path, model = folder / "behind.csv", folder / "behind.json"
    content = HALVES[0] + HALVES[1]
    path.write_bytes(content + (HALVES[1] if behind == HALVES[1] else b""))
    assert proofs.run("prove", path, "--lambda0", 0.1, "--lambda2", 0.1, "-q", "-o", model)[0] == 0
    path.write_bytes(content + behind)
    assert proofs.run("verify", model, path)[0] == code
    found = check_main([str(model), str(path)])
    assert found == code or (code, found) == (0, 4)  # where the coefficients alone do not prove the bound


def test_names_that_begin_like_a_packed_file(folder):
    path, model = folder / "begin.csv", folder / "begin.json"
    path.write_text("BZh9,y\n1,2\n2,3\n4,4\n")
    assert proofs.run("prove", path, "--lambda0", 0.1, "--lambda2", 0.1, "-q", "-o", model)[0] == 0
    assert check_main([str(model), str(path)]) in (0, 4)


ROWS = "0.5,1,1\n1.5,-1,2\n0,3,0.5\n-2,0,-1\n1,2,3\n"
SPELLINGS = [  # of the same numbers, and whether they can be read
    ("a.csv", '"a\r\nx",b,target\n' + ROWS, 0),
    ("b.csv", "a,b,target\r\n" + ROWS.replace("\n", "\r\n"), 0),
    ("c.csv", "\r\n\na,b,target\n\r\n" + ROWS + "\n\r\n\r", 0),
    ("d.csv", b"\xe9,b,target\n" + ROWS.encode(), 3),
    ("e.csv", "inf,nan,3\n" + ROWS, 3),
    ("f.svm", "1 1:0.5 2:1\n2\t1:1.5 02:-1\r\n 0.5 2:3\n-1 0000000001:-2 # a note\n3 1:1 2:2\n", 0),
    ("g.svm", "1 1:0.5 2:1\n2\u00a01:1.5 2:-1\n", 3),
    ("h.svm", "1 1:0.5 2:1\n2\x0b1:1.5 2:-1\n", 3),
    ("i.svm", "1 1:0.5 2:1\u20282 1:1.5 2:-1\n", 3),
    ("j.svm", f"1 {'0' * 5000}1:0.5 2:1\n2 1:1.5 2:-1\n0.5 2:3\n-1 1:-2\n3 1:1 2:2\n", 0),
    ("k.svm", "1 1:0.5 2:1 # \0\n2 1:1.5 2:-1\n0.5 2:3\n-1 1:-2\n3 1:1 2:2\n", 3),
    ("l.txt", "# numbers\n\na,b,target\n" + ROWS, 3),
    ("m.txt", "\r\na,b,target\n" + ROWS, 0),
    ("n", "a\tb\ttarget\n" + ROWS.replace(",", "\t"), 0),
    ("o.data", "1 1:0.5 2:1\n2 1:1.5 2:-1\n0.5 2:3\n-1 1:-2\n3 1:1 2:2\n", 0),
    ("p.csv", '"\t",b,target\n' + ROWS, 0),
]


@pytest.mark.parametrize("name, text, code", SPELLINGS)
def test_spellings_of_the_same_data(folder, name, text, code):
    """A model without names holds for whatever has its numbers."""
    plain, path, arguments = folder / "spelling.csv", folder / name, ["--k", 1, "--lambda2", 0.1]
    plain.write_text("a,b,target\n" + ROWS)
    model, proof = folder / "spelling.json", folder / "spelling.ez"
    assert proofs.run("prove", plain, *arguments, "-q", "-o", model, "--proof", proof)[0] == 0
    nameless = json.loads(model.read_text())
    nameless["data"]["names"] = []
    nameless["coefficients"] = [c | {"feature": f"x{c['index']}"} for c in nameless["coefficients"]]
    model.write_text(json.dumps(nameless))
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    assert proofs.run("verify", model, path, "--proof", proof)[0] == code
    assert check_main([str(model), str(path), str(proof)]) == code


@pytest.mark.parametrize("seed", range(12))
def test_points_that_are_too_coarse_as_they_stand(folder, seed):
    """Columns at 1e6 without an intercept, or offsets at 1e9: the last digit of a coefficient matters to both."""
    random, offsets = np.random.default_rng(seed), seed % 2 == 1
    X = random.normal(size=(20, 4)) + (0 if offsets else 1e6)
    target = X[:, 0] - X[:, 1] + 0.5 * random.normal(size=20)
    words = offsets or seed % 4 == 0
    columns = {f"x{j}": X[:, j] for j in range(4)} | ({"o": 1e9 + random.normal(size=20)} if offsets else {})
    columns["target"] = np.where(target > np.median(target), 1, 0) if words else target
    path = folder / f"coarse{seed}.csv"
    path.write_text("\n".join([",".join(columns)] + [",".join(map(str, row)) for row in zip(*columns.values())]) + "\n")
    arguments = ["--offset", "o"] if offsets else ["--no-intercept", "--no-standardize"]
    case = proofs.prove(path, ["--lambda0", 0.3, "--lambda2", 0.02, "--loss", "logistic" if words else "squared", *arguments])
    assert not agreement(case, "honest", case.model, case.proof)


@pytest.mark.parametrize("seed", range(10))
def test_the_intercept_of_a_classifier_whose_columns_are_far_from_zero(folder, seed):
    """The intercept in the data's units is some 1e12, so that its last digit is far coarser than the point."""
    random, loss = np.random.default_rng(seed), proofs.LOSSES[1 + seed % 2]
    X = random.normal(size=(20, 3))
    target = X[:, 0] + 0.7 * random.normal(size=20)
    rows = [",".join(map(str, x)) + (",b" if y > 0 else ",a") for x, y in zip(X + 1e12, target)]
    path = folder / f"far{seed}.csv"
    path.write_text("\n".join(["x0,x1,x2,target", *rows]) + "\n")
    case = proofs.prove(path, ["--k", 1, "--lambda2", 0.0075, "--loss", loss])
    assert not agreement(case, "honest", case.model, case.proof)


RELAXED = [("relax", 0, 3), ("relax", 1.5, 3), ("relax", True, 3), ("relax", None, 3), ("penalised", [], 3), ("penalised.intercept", None, 3),
           ("penalised.coefficients", [], 3), ("penalised.intercept", 1e3, 5), ("penalised.coefficients", lambda b: [1e200, *b[1:]], 5),
           ("penalised.coefficients", lambda b: [0, *b[1:]], 5), ("intercept", 1e3, 0), ("relax", 0.25, 0)]


@pytest.mark.parametrize("place, value, code", RELAXED)
def test_of_a_relaxed_model_the_solution_is_checked(folder, place, value, code):
    case = proofs.make(folder, 3, arguments=[*SETTINGS, "--relax", 0.5])
    assert case.model["relax"] == 0.5 and check.check(case.model, case.data, case.proof).claims["relax"] == "not checked"
    model = changed(case.model, place, value)
    assert (check.check(model, case.data, case.proof).code, proofs.verify(case, model, case.proof)[0]) == (code, code)
