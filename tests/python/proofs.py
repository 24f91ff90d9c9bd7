"""Small problems of every kind with the program's models and proofs, and proofs taken apart and put together again."""
import json
import os
import struct
import subprocess
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest
from ellzero import check
from ellzero.check.tree import Reader

ROOT = Path(__file__).resolve().parent.parent.parent
PROGRAM = Path(os.environ.get("ELLZERO_BIN", ROOT / "build" / "release" / "bin" / "ellzero")).resolve()
LOSSES = ("squared", "logistic", "smoothed-hinge")


@dataclass
class Case:
    """What the program said of one problem."""

    path: Path  # of the data
    model: dict
    data: check.Data
    proof: bytes


def run(*arguments):
    if not PROGRAM.is_file():
        pytest.skip("there is no program; ELLZERO_BIN names it")
    done = subprocess.run([PROGRAM, *map(str, arguments)], capture_output=True, text=True)
    return done.returncode, done.stdout + done.stderr


def random_settings(random, p):
    """Arguments of `prove`, each kind of setting about every second time."""
    loss = LOSSES[random.integers(3)]
    often = lambda share=0.5: bool(random.random() < share)
    arguments = ["--loss", loss, "--gap", "1e-7"]
    arguments += ["--k", int(random.integers(1, p))] if often() else ["--lambda0", float(random.choice([0.05, 0.3, 1.0]))]
    shrunk = often(0.7)
    arguments += ["--lambda2", float(random.choice([0.02, 0.3])) if shrunk else 0]
    arguments += ["--lambda1", 0.1] if often() or (not shrunk and loss != "squared") else []
    arguments += ["--no-intercept"] if often() else []
    arguments += ["--no-standardize"] if often() else []
    arguments += ["--weights", "w"] if often() else []
    arguments += ["--offset", "o"] if often(0.3) else []
    arguments += ["--lower", -0.4] if often(0.3) else []
    arguments += ["--upper", 0.7] if often(0.3) else []
    arguments += ["--always", "x0"] if often(0.3) else []
    arguments += ["--hinge-width", 0.5] if loss == "smoothed-hinge" and often() else []
    return arguments


def random_table(random, n, p, words):
    """Columns of different sizes, some of them alike or constant, and a target that two of them make."""
    X = random.normal(size=(n, p)) + 0.8 * random.normal(size=(n, 1))
    target = X[:, 0] - X[:, 1] + 0.8 * random.normal(size=n)
    kind = random.integers(6)
    if kind == 0:
        X[:, p - 1] = X[:, 0] + 0.01 * X[:, p - 1]
    elif kind == 1:
        X[:, p - 1] = 3.0
    elif kind == 2:
        X = X * 10.0 ** random.integers(-3, 4, size=p) + 100
    columns = {f"x{j}": X[:, j] for j in range(p)}
    columns["w"] = random.choice([0.5, 1.0, 2.0, 3.25], size=n)
    columns["w"][n - 1] = 0
    columns["o"] = 0.3 * random.normal(size=n)
    columns["target"] = np.where(target > np.median(target), "yes", "no") if words else target
    lines = [",".join(columns)] + [",".join(map(str, row)) for row in zip(*columns.values())]
    return "\n".join(lines) + "\n"


def make(folder, seed, n=15, p=6, arguments=None):
    """A random problem with a proof, by settings that are random, too, or given."""
    random = np.random.default_rng(seed)
    arguments = arguments or random_settings(random, p)
    words = "--loss" in arguments and arguments[arguments.index("--loss") + 1] != "squared"
    unused = [name for name, option in (("w", "--weights"), ("o", "--offset")) if option not in arguments]
    rows = [line.split(",") for line in random_table(random, n, p, words).splitlines()]
    kept = [c for c, name in enumerate(rows[0]) if name not in unused]
    path = folder / f"{seed}.csv"
    path.write_text("".join(",".join(row[c] for c in kept) + "\n" for row in rows))
    return prove(path, arguments)


def prove(path, arguments):
    """What the program proves of a file, as far as it gets in a few seconds."""
    model, proof = path.with_suffix(".json"), path.with_suffix(".ez")
    code, said = run("prove", path, "--target", "target", *arguments, "-q", "-o", model, "--proof", proof, "--time-limit", 5)
    assert code in (0, 4), f"{arguments}: {said}"
    parsed = check.parse_model(model.read_bytes(), str(model))
    return Case(path, parsed, check.read_data(str(path), parsed, {}), proof.read_bytes())


def verify(case, model, proof):
    """The exit code of the program's own checker, and what it says."""
    model_path, proof_path = case.path.with_suffix(".mutant.json"), case.path.with_suffix(".mutant.ez")
    model_path.write_text(json.dumps(model))
    proof_path.write_bytes(proof)
    return run("verify", model_path, case.path, "--proof", proof_path)


@dataclass
class Proof:
    """A proof as lists that can be changed: points (node, diagonal, b0, support, values, in, out, closes), splits, diagonals."""

    head: bytes
    records: list
    objective: float
    lower_bound: float

    @staticmethod
    def of(content):
        reader = Reader(content[:-33])
        reader.take(8)
        reader.whole(), reader.whole(), reader.whole(), reader.take(8)
        head, records = content[: reader.at], []
        while reader.at < len(reader.content):
            tag = reader.take(1)[0]
            if tag in (1, 2):
                node, diagonal, b0 = reader.whole(), reader.whole() - 1, reader.real()
                support = features(reader)
                values = [reader.real() for _ in support]
                records.append({"kind": "point", "node": node, "diagonal": diagonal, "b0": b0, "support": support,
                                "values": values, "in": features(reader), "out": features(reader), "closes": tag == 2})
            elif tag == 3:
                keys = ("node", "feature", "with", "without")
                records.append({"kind": "split"} | {key: reader.whole() for key in keys})
            else:
                assert tag == 4
                number, support = reader.whole(), features(reader)
                records.append({"kind": "diagonal", "number": number, "support": support,
                                "values": [reader.real() for _ in support]})
        _, _, objective, lower_bound = struct.unpack("<BQdd", content[-33:-8])
        return Proof(head, records, objective, lower_bound)

    def written(self):
        body = bytearray(self.head)
        for record in self.records:
            if record["kind"] == "point":
                body += bytes([2 if record["closes"] else 1]) + whole(record["node"]) + whole(record["diagonal"] + 1)
                body += struct.pack("<d", record["b0"]) + listed(record["support"]) + reals(record["values"])
                body += listed(record["in"]) + listed(record["out"])
            elif record["kind"] == "split":
                body += b"\x03" + b"".join(whole(record[key]) for key in ("node", "feature", "with", "without"))
            else:
                body += b"\x04" + whole(record["number"]) + listed(record["support"]) + reals(record["values"])
        body += struct.pack("<BQdd", 0xE5, len(self.records), self.objective, self.lower_bound)
        return bytes(body) + checksum(body)

    def kinds(self, kind):
        return [record for record in self.records if record["kind"] == kind]


def features(reader):
    last, found = 0, []
    for _ in range(reader.whole()):
        step = reader.whole(2**64 - 1)
        last += (step >> 1) ^ -(step & 1)
        found.append(last)
    return found


def whole(value):
    groups = [value >> shift & 127 for shift in range(0, max(1, value.bit_length()), 7)]
    return bytes([group | 128 for group in groups[:-1]] + [groups[-1]])


def listed(values):
    steps = [b - a for a, b in zip([0, *values], values)]
    return whole(len(values)) + b"".join(whole(2 * step if step >= 0 else -2 * step - 1) for step in steps)


def reals(values):
    return struct.pack(f"<{len(values)}d", *values)


def checksum(body):
    total = 0xCBF29CE484222325
    for byte in body:
        total = (total ^ byte) * 0x100000001B3 & (2**64 - 1)
    return total.to_bytes(8, "little")
