"""The lines of Python on docs/cases.md end as the page says, and what takes more than a line."""
import ast
import multiprocessing
import os
import subprocess
import sys
from multiprocessing.pool import ThreadPool
from pathlib import Path

import data
import ellzero
import numpy as np
import pytest
from scipy import sparse

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
import cases_page  # noqa: E402

KINDS = (np.asfortranarray, np.float32, lambda x: np.repeat(x, 2, axis=0)[::2], *(
    getattr(sparse, f"{kind}_{container}") for kind in ("csr", "csc", "coo") for container in ("array", "matrix")))
STEPS = [(row.number, step) for row in cases_page.rows() for step in row.steps if step.is_python]


def forked(function):
    """What a function gives in a child of this process."""
    context = multiprocessing.get_context("fork")
    queue = context.SimpleQueue()
    process = context.Process(target=lambda: queue.put(function()))
    process.start()
    process.join(timeout=60)
    assert process.exitcode == 0
    return queue.get()


def run(lines):
    """The value of the last statement."""
    X, y, _ = data.regression()
    names = {"ellzero": ellzero, "np": np, "csc_array": sparse.csc_array, "ThreadPool": ThreadPool, "forked": forked,
             "KINDS": KINDS, "HARD": data.hard(), "X": X, "y": y}
    *before, last = ast.parse(lines).body
    exec(compile(ast.Module(before, []), "cases.md", "exec"), names)
    return eval(compile(ast.Expression(last.value), "cases.md", "eval"), names)


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
@pytest.mark.parametrize("number, step", STEPS, ids=[f"{number}-{step.run[4:24]}" for number, step in STEPS])
def test_a_line_of_the_page(number, step):
    try:
        ending, printed = "prints", repr(run(step.run.removeprefix(">>> ")))
    except Exception as error:
        ending, printed = type(error).__name__, str(error)
    assert ending == step.ending, printed
    for part in step.parts:
        assert part in printed


def test_there_are_lines_to_run():
    assert {12, 13, 16, 27, 29, 30} <= {number for number, _ in STEPS}


WITHOUT_MEMORY = """
import resource
import ellzero, numpy as np
from scipy import sparse
wide = sparse.csc_array((np.ones(3), ([0, 1, 2], [0, 5, 20_000_000])), shape=(3, 20_000_001))
with open("/proc/self/statm", encoding="ascii") as file:
    now = int(file.read().split()[0]) * resource.getpagesize()
resource.setrlimit(resource.RLIMIT_AS, (now + 300_000_000, -1))
try:
    ellzero.fit(wide, np.arange(3.0), k=1)
except MemoryError:
    print("no memory")
print(ellzero.fit(np.eye(4), np.arange(4.0), k=1).nonzeros)
"""


def test_a_fit_without_memory_is_a_memory_error():
    found = subprocess.run([sys.executable, "-c", WITHOUT_MEMORY], capture_output=True, text=True, timeout=120,
                           env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)})
    assert (found.returncode, found.stdout) == (0, "no memory\n1\n"), found.stderr
