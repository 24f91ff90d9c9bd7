"""The parts of the task: which instances, which gap is asked for, how long, and who takes part."""

import sys
from dataclasses import dataclass
from pathlib import Path

import numpy as np

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent / "fit"), str(HERE.parents[1] / "reference")]
from instances import make  # noqa: E402


@dataclass
class Part:
    specs: list  # with {seed}
    gap: float  # relative, at which a proof counts as done
    limit: float  # seconds
    contenders: tuple
    settle: bool = True  # times to the gap are what counts; else the gap that is left at the limit


SIM = "sim:snr={snr},n={n},seed={{seed}}"
SMALL = "syn:n=100,p={p},k=5,rho=0.5,snr=5,l2=0.05,seed={{seed}}"
SYN = "syn:n=1000,p={p},k=10,rho={rho},snr=5,seed={{seed}}"
TEXT = "text:file={file},n=600,p=4000,seed={{seed}},norm={norm}"
PARTS = {
    "sim": Part([SIM.format(snr=s, n=n) for s in (5, 2) for n in (200, 400, 600)], 1e-4, 60, ("el0ps",)),
    "snr20": Part([SIM.format(snr=20, n=n) for n in (200, 400, 600)], 1e-4, 60, ("el0ps",), settle=False),
    "syn": Part([SYN.format(p=1000, rho=rho) for rho in (0.1, 0.5)], 1e-4, 60, ("el0ps", "l0bnb")),
    "small": Part([SMALL.format(p=p) for p in (40, 80)], 1e-4, 60, ("el0ps", "l0bnb", "scip")),
    "syn10k": Part([SYN.format(p=10000, rho=0.5)], 1e-4, 120, ("el0ps", "l0bnb"), settle=False),
    "text": Part(
        [TEXT.format(file=f, norm=k) for k in (1, 0) for f in ("news20", "imdb_train")], 1e-6, 60, ("el0ps",)
    ),
    "classes": Part(
        ["classes:n=300,p=300,seed={seed}", "classes:n=300,p=1000,seed={seed}"], 1e-4, 60, ("el0ps",)
    ),
}


@dataclass
class Instance:
    spec: str
    X: np.ndarray
    y: np.ndarray
    lambdas: tuple
    folder: Path  # holds X.npy and y.npy
    loss: str = "squared"  # or logistic, y in {0, 1}


def instance_of(spec, folder):
    """The instance of a spec of instances.py; classes: are the signs of a syn: one, with columns of norm sqrt(n)"""
    if not spec.startswith("classes:"):
        X, y, _, lambdas = make(spec)
        return Instance(spec, X, y, lambdas, folder)
    X, y, _, _ = make(spec.replace("classes:", "syn:k=6,rho=0.3,snr=5,"))
    return Instance(spec, X * np.sqrt(len(y)), (y > 0).astype(float), (4.0, 0.0, 10.0), folder, "logistic")
