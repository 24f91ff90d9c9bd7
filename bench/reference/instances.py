#!/usr/bin/env python3
"""Reference instances, made from a spec string (numpy only).

  sim:snr=20,n=200,seed=0        the paper's simulation: p=3000, AR(1) correlation 0.4, 3% nonzeros in [-1,1],
                                 unit-norm columns, then y = X b + noise; lambda as in the paper
  sim:...,raw=1                  y from the unscaled X, columns scaled afterwards (the other reading)
  syn:n=1000,p=1000,k=10,rho=0.1,snr=5,seed=0[,l2=0.01][,corr=const]
                                 k equi-spaced ones, unit-norm columns, unit-norm y; lambda0 chosen so that the
                                 true support is a sensible answer (midway between cheapest drop and best addition)
  text:file=news20,n=600,p=4000,seed=0[,norm=1]
                                 random rows and columns of text/<file>.bz2 (news20, imdb_train), returned dense;
                                 news20 labels mapped to [-10,10]; norm=1 scales non-zero columns to unit norm;
                                 file=E2006 is the LIBSVM file (plain or .bz2) that ELLZERO_E2006 names
Any of l0=, l1=, l2=, p= may be given in the spec. Text is read from the folder ELLZERO_DATA, by default
../shared/data beside the project.

Usage: instances.py SPEC OUT_DIR   writes X.npy (column-major), y.npy, b.npy and prints lambda0 lambda1 lambda2
"""

import bz2
import functools
import os
import sys
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parents[2]


def data_folder():
    return Path(os.environ.get("ELLZERO_DATA", ROOT.parent / "shared" / "data"))


def ar1(rng, n, p, rho):
    columns = rng.standard_normal((p, n))
    for j in range(1, p):
        columns[j] = rho * columns[j - 1] + np.sqrt(1 - rho * rho) * columns[j]
    return columns.T


def parse(spec):
    kind, _, rest = spec.partition(":")
    options = {}
    for part in filter(None, rest.split(",")):
        key, value = part.split("=")
        options[key] = value if key in ("corr", "file") else float(value)
    return kind, options


def make(spec):
    """-> X (n,p) column-major, y, b_true, (lambda0, lambda1, lambda2)"""
    kind, o = parse(spec)
    rng = np.random.default_rng(int(o.get("seed", 0)))
    if kind == "text":
        return text_slice(rng, o)
    if kind == "sim":
        n, p, snr = int(o.get("n", 200)), int(o.get("p", 3000)), o.get("snr", 20)
        X = ar1(rng, n, p, 0.4)
        if not o.get("raw"):
            X = X / np.linalg.norm(X, axis=0)
        k = round(0.03 * p)
        b = np.zeros(p)
        support = np.sort(rng.choice(p, k, replace=False))
        b[support] = rng.uniform(-1, 1, k)
        defaults = (0.03, 0.02, 1.0) if snr >= 20 else (0.1, 0.2, 1.0)
    elif kind == "syn":
        n, p, k = int(o.get("n", 1000)), int(o.get("p", 1000)), int(o.get("k", 10))
        rho, snr = o.get("rho", 0.1), o.get("snr", 5)
        if o.get("corr", "exp") == "exp":
            X = ar1(rng, n, p, rho)
        else:
            X = rng.standard_normal((p, n)).T * np.sqrt(1 - rho) + np.sqrt(rho) * rng.standard_normal((n, 1))
        b = np.zeros(p)
        b[np.unique(np.linspace(0, p - 1, k).astype(int))] = 1.0
        defaults = (None, 0.0, 0.01)
    else:
        raise ValueError(f"unknown kind of instance: {kind!r}")
    signal = X @ b
    y = signal + rng.standard_normal(n) * np.sqrt(signal.var() / snr)
    norms = np.linalg.norm(X, axis=0)
    X, b = np.asfortranarray(X / norms), b * norms
    if kind == "syn":
        scale = np.linalg.norm(y)
        y, b = y / scale, b / scale
    lambda0, lambda1, lambda2 = (o.get(key, d) for key, d in zip(("l0", "l1", "l2"), defaults))
    if lambda0 is None:
        lambda0 = lambda0_for(X, y, np.flatnonzero(b), lambda2)
    return X, np.ascontiguousarray(y), b, (float(lambda0), float(lambda1), float(lambda2))


def text_path(name):
    if name != "E2006":
        return data_folder() / "text" / f"{name}.bz2"
    return Path(os.environ["ELLZERO_E2006"]) if "ELLZERO_E2006" in os.environ else None


@functools.lru_cache(maxsize=1)
def text_lines(name):
    path = text_path(name)
    with bz2.open(path, "rt") if path.suffix == ".bz2" else open(path) as file:
        return file.read().splitlines()


def text_slice(rng, o):
    """A random n x p slice of a LIBSVM file, without reading it through any library."""
    name, n, p = o.get("file", "news20"), int(o.get("n", 600)), int(o.get("p", 4000))
    width = {"news20": 62061, "imdb_train": 89527, "E2006": 150360}[name]
    lines = text_lines(name)
    rows = np.sort(rng.choice(len(lines), n, replace=False))
    columns = np.sort(rng.choice(width, p, replace=False))
    place = {int(c) + 1: k for k, c in enumerate(columns)}
    X, y = np.zeros((n, p), order="F"), np.zeros(n)
    for i, row in enumerate(rows):
        label, *entries = lines[row].split()
        y[i] = float(label)
        for entry in entries:
            index, value = entry.split(":")
            if int(index) in place:
                X[i, place[int(index)]] = float(value)
    if name == "news20":
        y = (y - 1) / 19 * 20 - 10
    if o.get("norm"):
        norms = np.linalg.norm(X, axis=0)
        X = np.asfortranarray(X / np.where(norms > 0, norms, 1))
    defaults = (0.1, 0.15, 1.0) if name == "news20" else (0.1, 0.1, 1.0)
    return X, y, np.full(p, np.nan), tuple(float(o.get(k, d)) for k, d in zip(("l0", "l1", "l2"), defaults))


def lambda0_for(X, y, support, lambda2):
    XS = X[:, support]
    inverse = np.linalg.inv(XS.T @ XS + 2 * lambda2 * np.eye(len(support)))
    b = inverse @ (XS.T @ y)
    cheapest_drop = (0.5 * b * b / np.diag(inverse)).min()
    W = X.T @ XS
    gain = 0.5 * (X.T @ (y - XS @ b)) ** 2 / (1 + 2 * lambda2 - np.einsum("ij,jk,ik->i", W, inverse, W))
    gain[support] = 0
    return float(np.sqrt(cheapest_drop * gain.max()))


def objective(X, y, b, lambdas):
    lambda0, lambda1, lambda2 = lambdas
    r = y - X @ b
    return float(0.5 * r @ r + lambda0 * np.count_nonzero(b) + lambda1 * np.abs(b).sum() + lambda2 * b @ b)


if __name__ == "__main__":
    X, y, b, lambdas = make(sys.argv[1])
    out = Path(sys.argv[2])
    out.mkdir(parents=True, exist_ok=True)
    for name, array in (("X", X), ("y", y), ("b", b)):
        np.save(out / f"{name}.npy", array)
    print(*(repr(v) for v in lambdas))
