"""The types of the package hold: mypy over its sources, and over a user's program against the stubs."""
import subprocess
import sys
from pathlib import Path

PACKAGE = Path(__file__).resolve().parent.parent.parent / "python" / "ellzero"
PROGRAM = """
import numpy as np
import ellzero
from ellzero import L0Regressor

X = np.ones((3, 2))
result: ellzero.Result = ellzero.fit(X, X[:, 0], lambda0=1.0, loss="logistic", certify=True)
path: ellzero.Path = ellzero.path(X, X[:, 0], k=2)[1:]
size: int = path[0].nonzeros
complete: bool = ellzero.pool(X, X[:, 0], k=1, margin=0.1).complete
model = L0Regressor(k=3, effort="quick")

class Ones(ellzero.sources.FeatureSource):
    shape = (3, 2)
    def columns(self, indices: np.ndarray) -> np.ndarray:
        return np.ones((3, len(indices)))

made: ellzero.Result = ellzero.fit(ellzero.sources.Blocks([X, X]), X[:, 0], k=1)
rows: int = Ones().shape[0]
"""
WRONG = """
import ellzero
ellzero.fit([[1.0]], [1.0], lamda0=1.0)
ellzero.fit([[1.0]], [1.0], loss="absolute")
ellzero.L0Regressor(k="three")
ellzero.L0Classifier(loss="squared")
size: str = ellzero.path([[1.0]], [1.0])[0].nonzeros
"""


def mypy(tmp_path, *arguments):
    command = [sys.executable, "-m", "mypy", "--config-file", PACKAGE.parent.parent / "pyproject.toml",
               "--cache-dir", tmp_path / "cache", *arguments]
    return subprocess.run(command, capture_output=True, text=True)


def test_the_sources(tmp_path):
    found = mypy(tmp_path, *sorted(PACKAGE.rglob("*.py")))
    assert found.returncode == 0, found.stdout + found.stderr


def test_a_users_program(tmp_path):
    (tmp_path / "right.py").write_text(PROGRAM, encoding="utf-8")
    (tmp_path / "wrong.py").write_text(WRONG, encoding="utf-8")
    right = mypy(tmp_path, tmp_path / "right.py")
    assert right.returncode == 0, right.stdout + right.stderr
    wrong = mypy(tmp_path, tmp_path / "wrong.py")
    assert wrong.stdout.count(": error:") == 5, wrong.stdout + wrong.stderr
