"""Files of proofs: names that are none, and names of files that hold the data."""
import os

import data
import ellzero
import numpy as np
import pandas
import pytest
from scipy import sparse

X, Y, _ = data.regression(n=30, p=4)
PLAIN = {"X": X, "y": Y, "sample_weight": np.ones(30), "offset": np.zeros(30)}


def mapped(folder, values, name="data.npy"):
    np.save(folder / name, values)
    return np.load(folder / name, mmap_mode="r")


def refused_and_untouched(folder, arguments, match, name="data.npy"):
    before = (folder / name).read_bytes()
    for path in (folder / name, os.fsencode(folder / name), folder / "link", folder / "symbolic"):
        with pytest.raises(ValueError, match=match):
            ellzero.prove(**arguments, lambda0=1.0, proof=path)
    assert (folder / name).read_bytes() == before


def links(folder, name="data.npy"):
    os.link(folder / name, folder / "link")
    os.symlink(folder / name, folder / "symbolic")


@pytest.mark.parametrize("argument", PLAIN)
def test_a_proof_never_overwrites_data(tmp_path, argument):
    values = mapped(tmp_path, PLAIN[argument])
    links(tmp_path)
    refused_and_untouched(tmp_path, {**PLAIN, argument: values}, f"holds {argument}")
    fine = ellzero.prove(**{**PLAIN, argument: values}, lambda0=1.0, proof=tmp_path / "proof.ez")
    assert fine.status == "optimal" and (tmp_path / "proof.ez").is_file()


WAYS = {"view": lambda m: m[::-1][:, :3], "array": np.asarray, "whole numbers": lambda m: m, "a frame": lambda m: pandas.DataFrame(m, copy=False),
        "memory": lambda m: memoryview(np.asarray(m)), "rows": list, "transposed": lambda m: m.T[:3].T}


@pytest.mark.parametrize("way", WAYS)
def test_whatever_lies_over_a_map(tmp_path, way):
    values = mapped(tmp_path, (100 * X).astype(np.int64) if way == "whole numbers" else X)
    links(tmp_path)
    refused_and_untouched(tmp_path, {**PLAIN, "X": WAYS[way](values)}, "holds X")


@pytest.mark.parametrize("part", ["data", "indices", "indptr"])
@pytest.mark.parametrize("form", [sparse.csc_array, sparse.csr_matrix])
def test_parts_of_sparse_matrices(tmp_path, form, part):
    matrix = form(X)
    setattr(matrix, part, mapped(tmp_path, getattr(matrix, part)))
    links(tmp_path)
    refused_and_untouched(tmp_path, {**PLAIN, "X": matrix}, "holds X")


def test_series(tmp_path):
    values = pandas.Series(mapped(tmp_path, Y), copy=False)
    links(tmp_path)
    refused_and_untouched(tmp_path, {**PLAIN, "y": values}, "holds y")


@pytest.mark.parametrize("path, error", [("", ValueError), (b"", ValueError), ("a\0b", ValueError), (b"a\0b", ValueError),
                                         (5, TypeError), (["a"], TypeError), (b"\xff", TypeError), ("\udc80", TypeError)])
def test_names_that_are_none(tmp_path, monkeypatch, path, error):
    monkeypatch.chdir(tmp_path)
    result = ellzero.fit(X, Y, lambda0=1.0)
    for use in (lambda: ellzero.prove(X, Y, lambda0=1.0, proof=path), lambda: ellzero.verify(result, X, Y, proof=path)):
        with pytest.raises(error, match="proof: value is "):
            use()
    assert not list(tmp_path.iterdir())


def test_names_in_bytes(tmp_path):
    path = os.fsencode(tmp_path / "proof.ez")
    result = ellzero.prove(X, Y, lambda0=1.0, proof=path)
    assert ellzero.verify(result, X, Y, proof=path).points > 0
