"""The paper's protocol: which instances, which methods with which settings, and what is measured of each run."""

import json
import os
import resource
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.path.insert(0, str(ROOT / "bench" / "reference"))
import instances  # noqa: E402

PROGRAM = Path(os.environ.get("ELLZERO_BIN", ROOT / "build" / "release" / "bin" / "ellzero"))
SIZES = (200, 300, 400, 500, 600)
DUAL = ["--step", "0.0005"]
PRIMAL_DUAL = ["--method", "primal-dual", *DUAL]
# name -> sub-command and flags; k stands for Dual-IHT's budget
METHODS = {
    "PrimDual": ("fit", PRIMAL_DUAL),
    "DualAst": ("fit", ["--method", "dual-ascent", *DUAL]),
    "Dual-IHT": ("fit", ["--method", "dual-iht", *DUAL]),
    "CDSS": ("fit", ["--method", "cdss"]),
    "engine, quick": ("fit", ["--effort", "quick"]),
    "engine": ("fit", []),
    "proof": ("prove", ["--gap", "1e-7"]),
}
VARIANTS = {
    "adding, safe": ("fit", PRIMAL_DUAL),
    "adding, heuristic": ("fit", [*PRIMAL_DUAL, "--screening", "heuristic"]),
    "adding, no screening": ("fit", [*PRIMAL_DUAL, "--screening", "none"]),
    "all features, safe": ("fit", [*PRIMAL_DUAL, "--no-adding"]),
    "all features, heuristic": ("fit", [*PRIMAL_DUAL, "--no-adding", "--screening", "heuristic"]),
    "all features, no screening": ("fit", [*PRIMAL_DUAL, "--no-adding", "--screening", "none"]),
}
FIELDS = (
    "experiment", "column", "n", "replication", "method", "status", "own_rule", "seconds", "cpu", "limit", "objective",
    "lower_bound", "gap", "nonzeros", "pssr", "error", "iterations", "sweeps", "load",
)


class Experiment:
    """One figure: `columns` maps the label of a column of plots to a spec without n and seed."""

    def __init__(self, name, title, columns, replications, quick, methods=None, k=300, sizes=SIZES):
        self.name, self.title, self.columns, self.k, self.sizes = name, title, columns, k, sizes
        self.replications, self.quick = replications, quick  # the paper's number (one for all, or per column), and ours
        self.methods = methods or METHODS

    def cells(self, full, replications=None):
        """(column, n, replication, spec) in an order in which every stop leaves whole replications."""
        counts = [replications or (self.replications if full else self.quick)] * len(self.columns)
        if full and not replications and isinstance(self.replications, tuple):
            counts = self.replications
        for seed in range(max(counts)):
            for (column, spec), count in zip(self.columns.items(), counts):
                for n in self.sizes if seed < count else ():
                    yield column, n, seed, f"{spec},n={n},seed={seed}"


SIMULATION = {f"SNR {snr}": f"sim:snr={snr}" for snr in (20, 5, 2)}
EXPERIMENTS = [
    Experiment("simulation", "Simulation, p = 3000", SIMULATION, 50, 3, k=90),
    # the other reading of how X is scaled: thousands of nonzeros, slow for all, so never in a hurry
    Experiment("simulation_raw", "Simulation, y from the unscaled X, p = 3000",
               {label: f"{spec},raw=1" for label, spec in SIMULATION.items()}, 5, 0, k=90, sizes=(200, 600)),
    Experiment("news20", "News20, raw counts", {f"p = {p}": f"text:file=news20,p={p}" for p in (2000, 4000)}, (20, 10), 2),
    Experiment("news20_unit", "News20, unit-norm columns",
               {f"p = {p}": f"text:file=news20,p={p},norm=1" for p in (2000, 4000)}, (20, 10), 2),
    Experiment("imdb", "Stand-in for E2006: film reviews (imdb_train), not the paper's data",
               {"p = 4000, raw counts": "text:file=imdb_train,p=4000",
                "p = 4000, unit norm": "text:file=imdb_train,p=4000,norm=1"}, 10, 2),
    Experiment("e2006", "E2006", {"p = 4000": "text:file=E2006,p=4000",
                                  "p = 4000, unit norm": "text:file=E2006,p=4000,norm=1"}, 10, 2),
    Experiment("ablation", "Algorithm 3 with and without feature adding and screening",
               {label: SIMULATION[label] for label in ("SNR 20", "SNR 5")}, 10, 3, methods=VARIANTS),
]


def missing(experiment):
    """What the experiment lacks, in words, or nothing."""
    for spec in experiment.columns.values():
        name = instances.parse(spec)[1].get("file")
        path = instances.text_path(name) if name else None
        if name and not (path and path.exists()):
            return f"no file {path}" if path else "ELLZERO_E2006 names no file"
    return ""


def write_instance(X, y, folder):
    """Dense as .npy; text as LIBSVM, so that every method has it sparse. -> data and target arguments"""
    if np.count_nonzero(X) > 0.2 * X.size:
        np.save(folder / "X.npy", X)
        np.save(folder / "y.npy", y)
        return [folder / "X.npy", "--target", folder / "y.npy"]
    with open(folder / "data.libsvm", "w") as file:
        for i, row in enumerate(X):
            entries = [f"{j + 1}:{float(row[j])!r}" for j in np.flatnonzero(row).tolist()]
            if i == 0 and row[-1] == 0:
                entries.append(f"{X.shape[1]}:0")  # says how many columns there are
            print(float(y[i]), *entries, file=file)
    return [folder / "data.libsvm"]


def run_cell(experiment, cell, wanted, limits):
    """The rows of one instance, one for each of the methods that are `wanted`."""
    column, n, replication, spec = cell
    X, y, b, (lambda0, lambda1, lambda2) = instances.make(spec)
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        data = write_instance(X, y, Path(folder))
        for method in wanted:
            command, flags = experiment.methods[method]
            size = ["--k", str(experiment.k)] if method == "Dual-IHT" else ["--lambda0", repr(lambda0)]
            limit = limits["proof"] if method == "proof" else limits["method"]
            load, before = os.getloadavg()[0], resource.getrusage(resource.RUSAGE_CHILDREN)
            answer = subprocess.run(
                [PROGRAM, command, *data, *flags, *size, "--lambda1", repr(lambda1), "--lambda2", repr(lambda2),
                 "--no-intercept", "--no-standardize", "--threads", "1", "--time-limit", str(limit), "--format", "json"],
                capture_output=True, text=True)
            if answer.returncode not in (0, 4):
                raise RuntimeError(f"{spec}, {method}: {answer.stderr}")
            after = resource.getrusage(resource.RUSAGE_CHILDREN)
            r = json.loads(answer.stdout)
            found = np.zeros(X.shape[1])
            for c in r["coefficients"]:
                found[c["index"]] = c["value"]
            truth = np.flatnonzero(b) if np.isfinite(b).all() else None
            # Dual-IHT pays no price per feature; its objective is shown with that price added.
            paid = lambda0 * r["nonzeros"] if method == "Dual-IHT" else 0
            rows.append({
                "experiment": experiment.name, "column": column, "n": n, "replication": replication, "method": method,
                "status": r["status"], "own_rule": int("its own rule was not met" not in answer.stderr),
                "seconds": r["seconds"], "limit": limit,
                "cpu": round(after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime, 4), "objective": r["objective"] + paid,
                "lower_bound": r["lower_bound"] + paid, "gap": r["gap"], "nonzeros": r["nonzeros"],
                "pssr": "" if truth is None else np.count_nonzero(found[truth]) / len(truth),
                "error": "" if truth is None else np.linalg.norm(found - b) / np.linalg.norm(b),
                "iterations": r["iterations"], "sweeps": r["sweeps"], "load": round(load, 2),
            })
    return rows
