"""The files of ellzero.check: CSV and LIBSVM text, models that are none, and its command line."""
import bz2
import gzip
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import proofs
import pytest
from ellzero import check
from ellzero.check import data as samples

FOLDER = Path(check.__file__).parent


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("check_files")


@pytest.fixture(scope="module")
def case(folder):
    """One honest proof whose bound the coefficients alone do not reach."""
    return proofs.make(folder, 5000, n=20, p=6, arguments=["--lambda0", 0.3, "--lambda2", 0.02, "--gap", 1e-7])


def run(*arguments):
    """The folder alone, without ellzero and (-S) without any package but the standard library."""
    command = [sys.executable, "-S", "-m", FOLDER.name, *map(str, arguments)]
    alone = {**os.environ, "PYTHONPATH": str(FOLDER.parent)}
    done = subprocess.run(command, capture_output=True, text=True, env=alone)
    return done.returncode, done.stdout, done.stderr


def test_command_line(case, tmp_path):
    model, proof = case.path.with_suffix(".json"), case.path.with_suffix(".ez")
    code, out, _ = run(model, case.path, proof)
    assert code == 0 and out.count("right") == len(check.CLAIMS) + 1 and "version       not checked" in out
    code, out, _ = run(model, case.path, proof, "--format", "json")
    found = json.loads(out)
    assert code == 0 and found["schema"] == "ellzero.check/1" and found["verdict"] == "right"
    assert all(found["claims"].pop(key) == "not checked" for key in ("course", "version"))
    assert found["claims"] == dict.fromkeys(check.CLAIMS, "right")
    assert found["lower_bound"] >= case.model["certificate"]["lower_bound"] * (1 - 1e-9)
    code, out, _ = run(model, case.path)
    assert code == 4 and "not reached" in out and "lower bound   not checked" in out
    other = tmp_path / "other.csv"
    other.write_text(case.path.read_text().replace(".1", ".2", 1))
    code, out, _ = run(model, other, proof)
    assert code == 5 and "wrong: DATA has the hash" in out
    assert run(model)[0] == 2 and run(model, case.path, proof, "--target")[0] == 2
    assert run(model, tmp_path / "nowhere.csv", proof)[0] == 6
    assert run(case.path, case.path, proof)[0] == 3


def shell(case, redirected):
    """The exit code with redirected output, in a folder of copies."""
    command = f'exec "{sys.executable}" -S -m {FOLDER.name} 5000.json 5000.csv 5000.ez {redirected}'
    alone = {**os.environ, "PYTHONPATH": str(FOLDER.parent)}
    return subprocess.run(["sh", "-c", command], cwd=case, capture_output=True, text=True, env=alone).returncode


def test_output_that_is_lost_or_does_harm(case, tmp_path):
    files = [case.path.with_suffix(end) for end in (".json", ".csv", ".ez")]
    before = [file.read_bytes() for file in files]
    for file in files:
        shutil.copy(file, tmp_path)
    os.link(tmp_path / "5000.ez", tmp_path / "link")
    assert shell(tmp_path, "") == 0
    for redirected in (">> 5000.ez", ">> 5000.csv", ">> 5000.json", ">> link"):
        assert shell(tmp_path, redirected) == 2
    assert [(tmp_path / file.name).read_bytes() for file in files] == before
    assert shell(tmp_path, ">&-") == 6 and shell(tmp_path, ">&- 2>&-") == 6
    if Path("/dev/full").exists():
        assert shell(tmp_path, "> /dev/full") == 6


@pytest.mark.parametrize("pack", [gzip.compress, bz2.compress])
def test_packed_files_are_read_and_never_without_end(case, tmp_path, monkeypatch, pack):
    model, proof, packed = case.path.with_suffix(".json"), case.path.with_suffix(".ez"), tmp_path / "packed.csv"
    packed.write_bytes(pack(case.path.read_bytes()))
    assert run(model, packed, proof)[0] == 0
    packed.write_bytes(packed.read_bytes()[:-20])
    assert run(model, packed, proof)[0] == 3
    packed.write_bytes(pack(model.read_bytes()))
    assert run(packed, case.path, proof)[0] == 0
    packed.write_bytes(pack(case.proof))
    assert run(model, case.path, packed)[0] == 0
    packed.write_bytes(pack(bytes(3 * samples.PIECE)))
    monkeypatch.setattr(samples, "MOST_BYTES", 2 * samples.PIECE)
    with pytest.raises(check.Refusal, match="more than"):
        samples.read_bytes(str(packed))


def test_as_a_module(case):
    files = [case.path.with_suffix(".json"), case.path, case.path.with_suffix(".ez")]
    assert subprocess.run([sys.executable, "-m", "ellzero.check", *files]).returncode == 0


NO_MODELS = ["", "[]", "{", '{"a": 1, "a": 2}', "[" * 100000, '{"a": NaN}', '{"a":' * 9 + "1" + "}" * 9, "\xff",
             '{"a": 1e400}', '{"a": 1' + "0" * 400 + "}", '{"a": "\\ud800"}']


@pytest.mark.parametrize("text", NO_MODELS)
def test_models_that_are_none_are_refused(text):
    with pytest.raises(check.Refusal):
        check.parse_model(text.encode("latin-1"), "m.json")


def test_libsvm_text(folder):
    rows = ["1.5 1:2 3:1", "-0.5 2:1 # a comment", "", "2.25 1:1 2:-1 3:0.5", "0.125 1:0.5", "1 3:4"]
    path = folder / "data.svm"
    path.write_text("\n".join(rows) + "\n")
    model, proof = folder / "svm.json", folder / "svm.ez"
    assert proofs.run("prove", path, "--lambda0", 0.1, "--lambda2", 0.1, "-q", "-o", model, "--proof", proof)[0] == 0
    assert run(model, path, proof)[0] == 0
    path.write_text("1 1:2 2:1 1:3\n")
    with pytest.raises(check.Refusal, match="twice"):
        check.read_data(str(path), {"settings": {}, "data": {}}, {})


CSV = "a,b,y\n1, 2 ,0.5\n\n-3,\"4\",1e3\r\n"


def read(folder, text, name="read.csv", **said):
    path = folder / name
    path.write_text(text, newline="")
    return check.read_data(str(path), {"settings": {"loss": said.pop("loss", "squared")}, "data": said}, {})


def test_csv_text(folder):
    data = read(folder, CSV)
    assert (data.columns, data.y, data.names) == ([[1.0, -3.0], [2.0, 4.0]], [0.5, 1000.0], ["a", "b"])
    data = read(folder, "\ufeff" + CSV.replace(",", "\t"), "read.tsv", target="a", weights="b")
    assert (data.columns, data.y, data.weights, data.names) == ([[0.5, 1000.0]], [1.0, -3.0], [2.0, 4.0], ["y"])
    data = read(folder, CSV.replace(",", ";").replace("a;", '"a,b";'), offset="a,b")
    assert (data.columns, data.offset) == ([[2.0, 4.0]], [1.0, -3.0])
    data = read(folder, CSV.partition("\n")[2], header="no", target="0")
    assert (data.columns, data.y, data.names) == ([[2.0, 4.0], [0.5, 1000.0]], [1.0, -3.0], ["x1", "x2"])
    data = read(folder, "1,2\n3,4", header="yes")
    assert (data.columns, data.y, data.names) == ([[3.0]], [4.0], ["1"])
    data = read(folder, '" a ","b ""c"""\n1,2\n')
    assert (data.names, data.columns) == ([" a "], [[1.0]])


NUMBERS = "1.5,2,0.5\n-3,4,1\n2,-0.25,0.75\n0.5,1,-2\n"
AS_THE_PROGRAM = {"semicolons": (('\n"a,b"; b ;c\n' + NUMBERS.replace(",", ";")).replace("\n", "\r\n"), []),
                  "no header": (NUMBERS, ["--no-header", "--target", "1"]),
                  "numbers as names": (NUMBERS, ["--header"]),
                  "two classes": ("x,y\n1,no\n2,yes\n3,yes\n", ["--loss", "logistic"])}


@pytest.mark.parametrize("name", AS_THE_PROGRAM)
def test_data_is_read_as_the_program_reads_it(folder, name):
    (text, arguments), path, model = AS_THE_PROGRAM[name], folder / "same.csv", folder / "same.json"
    path.write_text(text, newline="")
    assert proofs.run("prove", path, "--lambda0", 0.1, "--lambda2", 0.1, "-q", "-o", model, *arguments)[0] == 0
    said = check.parse_model(model.read_bytes(), "model")
    found = check.check(said, check.read_data(str(path), said, {}))
    assert [found.claims[key] for key in ("data", "names", "classes")] == ["right"] * 3


UNREADABLE = [("", {}), ("a,b\nx,1\n", {}), ("a,b\n1,2\n1\n", {}), ("a,b\n1,\n", {}), ("a,b\n1,1_0\n", {}), ("a,b\nnan,1\n", {}),
              ("a,b\n1,1e999\n", {}), ("a,a\n1,2\n", {"target": "a"}), ("a,b\n1,2\n", {"weights": "c"}),
              ("a,b\n1,2\n", {"missing": "mean", "means": [1]}), ("a,b\n1,2\n,3\n", {"missing": "drop"}), ("a,b\n1,2\n", {"levels": [{}]}), ("a,b\n1,2\n", {"header": "maybe"}),
              ("1,2\n3,4\n", {}), ("a,,b\n1,2,3\n", {}), ("a,\" a\",b\n1,2,3\n", {}), ("a\n1\n", {}), ('a,b\n"1"2,3\n', {}),
              ('a,b\n1,"2\n', {}), ("a,b,c\n1,2,3\n", {"target": "a", "weights": "a"}),
              ("a,b\n1,2\n1,3\n1,4\n", {"loss": "logistic"})]


@pytest.mark.parametrize("text, said", UNREADABLE)
def test_data_that_cannot_be_read_is_refused(folder, text, said):
    with pytest.raises(check.Refusal):
        read(folder, text, **said)


def test_the_ending_says_the_format_and_otherwise_the_first_line_does(folder):
    for form in ("npy", "tsv", "nonsense"):  # of the model, which is no claim
        assert read(folder, CSV, format=form).y == read(folder, CSV, "read.txt", format=form).y
    with pytest.raises(check.Refusal, match="of a format"):
        read(folder, "no table\n1 2\n", "read.txt")
    with pytest.raises(check.Refusal, match="of a format"):
        read(folder, CSV, "read.npy")


def test_classes_are_sorted(folder):
    words = read(folder, "a,y\n1,b\n2,B\n3,b\n", loss="logistic")
    assert (words.y, words.classes) == ([1.0, 0.0, 1.0], ["B", "b"])
    numbers = read(folder, "a,y\n1,10\n2,9\n", loss="smoothed-hinge")
    assert (numbers.y, [float(label) for label in numbers.classes]) == ([1.0, -1.0], [9.0, 10.0])
