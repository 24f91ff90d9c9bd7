"""The samples: CSV, TSV and LIBSVM text of numbers, read as the model says it was read, and their hash."""
import bz2
import csv
import gzip
import io
import math
import re
import struct
import zlib
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from .values import MOST_COLUMNS, Refusal, part

MASK = 2**64 - 1
NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?", re.ASCII)


@dataclass
class Data:
    """Columns and the loss's targets; weights and offset may be None, names and classes empty."""

    columns: list[list[float]]
    y: list[float]
    weights: list[float] | None = None
    offset: list[float] | None = None
    names: list[str] = field(default_factory=list)
    classes: list[str] = field(default_factory=list)

    @cached_property
    def hash(self) -> int:
        """That of the section on model files."""
        n = len(self.y)
        rows, h = [mix(i) for i in range(n)], mix(n)
        for column in [*self.columns, self.y, self.weights or [1.0] * n, self.offset or [0.0] * n]:
            bits = struct.unpack(f"<{n}Q", struct.pack(f"<{n}d", *column))
            h = mix(h ^ sum(mix(b ^ row) for b, row, x in zip(bits, rows, column) if x != 0) & MASK)
        return h


def mix(x: int) -> int:
    x = (x + 0x9E3779B97F4A7C15) & MASK
    x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9 & MASK
    x = (x ^ x >> 27) * 0x94D049BB133111EB & MASK
    return x ^ x >> 31


def read_bytes(path: str) -> bytes:
    with open(path, "rb") as file:
        content = file.read()
    try:
        if content[:2] == b"\x1f\x8b":
            return gzip.decompress(content)
        return bz2.decompress(content) if content[:3] == b"BZh" else content
    except (OSError, EOFError, ValueError, zlib.error) as error:
        raise Refusal(f"{path}: is damaged: {error}") from error


def number_of(text: str, place: str) -> float:
    if not NUMBER.fullmatch(text) or not math.isfinite(float(text)):
        raise Refusal(f"{place}: value is {text[:50]!r}; expected a finite number (this checker reads numbers only)")
    return float(text)


def read_data(path: str, model: dict[str, Any], roles: dict[str, str | None]) -> Data:
    """DATA as the model says it was read; `roles` are columns that the command line names."""
    said = part(model, "data", dict)
    if said.get("levels") or said.get("missing", "refuse") != "refuse":
        raise Refusal(f"{path}: was read with words or missing cells; this checker reads numbers only")
    text = read_bytes(path).decode("utf-8", "surrogateescape").removeprefix("\ufeff")
    form = str(said.get("format") or re.sub(r"\.(gz|bz2)$", "", path.lower()).rpartition(".")[2])
    if form in ("svm", "libsvm", "svmlight"):
        data, labels = read_libsvm(path, text)
    elif form in ("csv", "tsv", "tab"):
        named = {role: str(roles.get(role) or said.get(role) or "") for role in ("target", "weights", "offset")}
        separator = said.get("separator") or ("," if form == "csv" else "\t")
        try:
            lines = csv.reader(io.StringIO(text, newline="\n"), delimiter=separator, skipinitialspace=True)
            rows = [row for row in lines if row]
        except (csv.Error, TypeError) as error:
            raise Refusal(f"{path}: cannot be cut into cells: {error}") from error
        data, labels = read_csv(path, rows, named, said.get("header") not in (False, "no"))
    else:
        raise Refusal(f"{path}: is of a format that this checker does not read; expected CSV, TSV or LIBSVM text")
    set_targets(data, labels, part(model, "settings", dict).get("loss", "squared"))
    return data


def read_csv(path: str, rows: list[list[str]], named: dict[str, str], header: bool) -> tuple[Data, list[str]]:
    """Without a header columns are x0, x1, ... by their position."""
    lines = [[cell.strip(" ") for cell in row] for row in rows]
    if not lines or any(len(row) != len(lines[0]) for row in lines):
        raise Refusal(f"{path}: is empty, or its lines have different numbers of cells")
    names = lines.pop(0) if header else [f"x{c}" for c in range(len(lines[0]))]
    at = {}
    for role, name in named.items():
        wanted = f"x{name}" if name.isdecimal() and not header else name
        wanted = wanted or (("target" if "target" in names else names[-1]) if role == "target" else "")
        if wanted and names.count(wanted) != 1:
            raise Refusal(f"{path}: has {names.count(wanted)} columns {wanted!r}; expected one, the {role}")
        if wanted:
            at[role] = names.index(wanted)
    columns = {c: [number_of(row[c], f"{path}: column {name!r}") for row in lines]
               for c, name in enumerate(names) if c != at["target"]}
    weights, offset = (columns[at[role]] if role in at else None for role in ("weights", "offset"))
    features = [c for c in range(len(names)) if c not in at.values()]
    data = Data([columns[c] for c in features], [], weights, offset, [names[c] for c in features])
    return data, [row[at["target"]] for row in lines]


def read_libsvm(path: str, text: str) -> tuple[Data, list[str]]:
    """A label and index:value on each line, indices from 1; entries that come twice add up."""
    rows = [cells for line in text.split("\n") if (cells := line.partition("#")[0].split())]
    entries = [(i, *cell.partition(":")) for i, row in enumerate(rows) for cell in row[1:]]
    if any(not index.isdecimal() or not 0 < int(index) <= MOST_COLUMNS for _, index, _, _ in entries):
        raise Refusal(f"{path}: has a cell that is no index:value with an index from 1 to {MOST_COLUMNS}")
    columns = [[0.0] * len(rows) for _ in range(max((int(entry[1]) for entry in entries), default=0))]
    for i, index, _, value in entries:
        columns[int(index) - 1][i] += number_of(value, path)
    return Data(columns, []), [row[0] for row in rows]


def set_targets(data: Data, labels: list[str], loss: str) -> None:
    """Squared loss: numbers. Otherwise two classes; numbers are sorted as numbers, words as words."""
    if loss == "squared":
        data.y = [number_of(label, "target") for label in labels]
        return
    numbers = all(map(NUMBER.fullmatch, labels))
    values: list[Any] = [float(label) if numbers else label.encode("utf-8", "surrogateescape") for label in labels]
    classes = sorted({v for v, w in zip(values, data.weights or [1.0] * len(values)) if w != 0})
    if len(classes) != 2:
        raise Refusal(f"target: has {len(classes)} classes; expected 2 for {loss} loss")
    data.y = [(0.0 if loss == "logistic" else -1.0) if v == classes[0] else 1.0 for v in values]
    data.classes = [str(c) if numbers else c.decode("utf-8", "replace") for c in classes]
