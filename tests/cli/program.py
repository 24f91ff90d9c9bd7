"""Runs the program `ellzero` as a user would: files in a folder of their own, exit code, stdout and stderr."""
import bz2
import gzip
import json
import os
import random
import signal
import struct
import subprocess
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
PROGRAM = Path(os.environ.get("ELLZERO_BIN", ROOT / "build" / "release" / "bin" / "ellzero")).resolve()
DATA = Path(os.environ.get("ELLZERO_DATA", ROOT.parent / "shared" / "data"))


def sanitized():
    """Whether the program was built with a sanitizer, which needs an address space without limits."""
    return any(kind in str(PROGRAM) for kind in ("asan", "tsan"))


def csv_text(names, rows, separator=","):
    lines = [separator.join(names)] + [separator.join(str(cell) for cell in row) for row in rows]
    return "\n".join(lines) + "\n"


def libsvm_text(rows):
    """The last cell of a row is its label; zeros are left out."""
    return "".join(
        " ".join([str(row[-1])] + [f"{j}:{cell}" for j, cell in enumerate(row[:-1], 1) if cell != 0]) + "\n"
        for row in rows
    )


def npy_bytes(rows, kind="d", fortran=False):
    """A .npy file of a matrix (a list of rows) or a vector (a list of numbers); kind as in struct: d, f, q."""
    matrix = isinstance(rows[0], (list, tuple))
    if not matrix:
        numbers, shape = list(rows), f"({len(rows)},)"
    elif fortran:
        numbers, shape = [row[j] for j in range(len(rows[0])) for row in rows], f"({len(rows)}, {len(rows[0])})"
    else:
        numbers, shape = [cell for row in rows for cell in row], f"({len(rows)}, {len(rows[0])})"
    descr = {"d": "<f8", "f": "<f4", "q": "<i8"}[kind]
    header = f"{{'descr': '{descr}', 'fortran_order': {fortran}, 'shape': {shape}, }}"
    header += " " * (-(len(header) + 11) % 64) + "\n"
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode() + struct.pack(
        f"<{len(numbers)}{kind}", *numbers
    )


def packed(data, ending):
    return {"": lambda d: d, ".gz": gzip.compress, ".bz2": bz2.compress}[ending](data)


def regression(n=40, p=6, seed=1):
    """Rows whose last cell is 3 x1 - 2 x4 + noise."""
    numbers = random.Random(seed)
    rows = []
    for _ in range(n):
        x = [round(numbers.gauss(0, 1), 3) for _ in range(p)]
        rows.append(x + [round(3 * x[1] - 2 * x[4] + numbers.gauss(0, 0.1), 6)])
    return rows


class ProgramTest(unittest.TestCase):
    names = [f"f{j}" for j in range(6)] + ["target"]

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def write(self, name, content):
        path = self.folder / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    def write_rows(self, rows, name="data.csv", names=None):
        return self.write(name, csv_text(names or self.names, rows))

    def start(self, *arguments, **keywords):
        def prepare():
            signal.signal(signal.SIGHUP, signal.SIG_DFL)  # the tests may run under nohup
            keywords.get("preexec_fn", lambda: None)()

        environment = {key: value for key, value in os.environ.items() if key != "NO_COLOR"}
        process = subprocess.Popen(
            [PROGRAM, *map(str, arguments)],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=keywords.get("stderr", subprocess.PIPE), cwd=self.folder,
            env=environment | keywords.get("env", {}), preexec_fn=prepare,
        )
        self.addCleanup(process.kill)  # a test that fails leaves nothing running
        return process

    def run_program(self, *arguments, stdin=b"", timeout=120, **keywords):
        process = self.start(*arguments, **keywords)
        out, err = process.communicate(stdin, timeout=timeout)
        return process.returncode, out.decode(), err.decode()

    def fit(self, *arguments, code=0, **keywords):
        """The parsed JSON of `ellzero fit`, and what it said besides."""
        found, out, err = self.run_program("fit", *arguments, "--format", "json", **keywords)
        self.assertEqual(found, code, err)
        return json.loads(out), err

    def assert_refused(self, code, *parts_and_arguments, **keywords):
        """The last argument is the list of arguments; the others are parts of the message."""
        *parts, arguments = parts_and_arguments
        found, out, err = self.run_program("fit", *arguments, **keywords)
        self.assertEqual((found, out), (code, ""), err)
        self.assertTrue(err.startswith("ellzero: ") and err.count("\n") == 1, err)
        for part in parts:
            self.assertIn(part, err)

    def assert_same_model(self, one, other, digits=9):
        self.assertEqual([c["index"] for c in one["coefficients"]], [c["index"] for c in other["coefficients"]])
        for a, b in zip(one["coefficients"], other["coefficients"]):
            self.assert_close(a["value"], b["value"], digits)
        for key in ("objective", "intercept"):
            self.assert_close(one[key], other[key], digits)

    def assert_close(self, a, b, digits=9):
        self.assertLessEqual(abs(a - b), 10.0**-digits * max(1, abs(a), abs(b)))
