"""The samples: CSV, TSV and LIBSVM text of numbers, read as the model says it was read, and their hash."""
import bz2
import gzip
import math
import re
import struct
import zlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from io import BufferedReader
from typing import Any

from .values import CONTROL, MOST_COLUMNS, Refusal, part

MASK = 2**64 - 1
MOST_BYTES = 2**30  # of a file, unpacked; exact arithmetic would take days for more
PIECE = 2**20
FORMATS = ("csv", "tsv", "tab", "svm", "libsvm", "svmlight", "npy", "mtx")
NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?", re.ASCII)
INFINITY = re.compile("[+-]?inf(inity)?", re.IGNORECASE)  # is no number, nor the first word
MISSING = re.compile(r"\?|na|n/a|nan|null|", re.IGNORECASE)
NO_UTF8 = re.compile("[\ud800-\udfff]")


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
    """Unpacked, in pieces: a file of a few bytes may say that it is a terabyte."""
    content = bytearray()
    with open(path, "rb") as file:
        try:
            for piece in pieces(file):
                content += piece
                if len(content) > MOST_BYTES:
                    raise Refusal(f"{path}: has more than {MOST_BYTES} bytes; expected no more")
        except (gzip.BadGzipFile, EOFError, ValueError, zlib.error) as error:
            raise Refusal(f"{path}: is damaged: {error}") from error
        except OSError as error:
            if error.errno is not None:  # else bz2 says so that the file is damaged
                raise
            raise Refusal(f"{path}: is damaged: {error}") from error
    return bytes(content)


def pieces(file: BufferedReader) -> Iterator[bytes]:
    """"BZh" alone may begin an honest text: the mark of a first block, or of the end, is asked for as well."""
    start = file.peek(10)[:10]
    if start[:3] == b"BZh" and start[4:] in (b"\x31\x41\x59\x26\x53\x59", b"\x17\x72\x45\x38\x50\x90"):
        yield from bunzip2(file)
        return
    source = gzip.GzipFile(fileobj=file) if start[:2] == b"\x1f\x8b" else file
    while piece := source.read(PIECE):
        yield piece


def bunzip2(file: BufferedReader) -> Iterator[bytes]:
    """One stream after the other, and then nothing but zeros: BZ2File passes over whatever comes behind."""
    stream, packed, padded = bz2.BZ2Decompressor(), file.read(PIECE), False
    while packed:
        if stream.eof and not packed.strip(b"\0"):
            padded, packed = True, file.read(PIECE)
            continue
        if padded:
            raise ValueError("something comes behind the zeros that end it")
        if stream.eof:
            stream = bz2.BZ2Decompressor()
        yield stream.decompress(packed, PIECE)
        while not stream.eof and not stream.needs_input:
            yield stream.decompress(b"", PIECE)
        packed = stream.unused_data or file.read(PIECE)
    if not stream.eof:
        raise EOFError("it ends in the middle of its bzip2 data")


def number_of(text: str, place: str) -> float:
    if not NUMBER.fullmatch(text) or not math.isfinite(float(text)):
        raise Refusal(f"{place}: value is {text[:50]!r}; expected a finite number (this checker reads numbers only)")
    return float(text)


def read_data(path: str, model: dict[str, Any], roles: dict[str, str | None]) -> Data:
    """DATA as the model says it was read; `roles` are columns that the command line names."""
    said = part(model, "data", dict)
    if said.get("levels") or "means" in said:
        raise Refusal(f"{path}: was read with words or missing cells; this checker reads numbers only")
    text = read_bytes(path).decode("utf-8", "surrogateescape").removeprefix("\ufeff")
    if "\0" in text:
        raise Refusal(f"{path}: holds a zero byte; expected text")
    form = re.sub(r"\.(gz|bz2)$", "", path.lower()).rpartition(".")[2]
    form = form if form in FORMATS else form_of(text)
    columns = {role: str(roles.get(role) or said.get(role) or "") for role in ("target", "weights", "offset", "folds")}
    if form in ("svm", "libsvm", "svmlight"):
        if any(columns.values()):
            raise Refusal(f"{path}: has no columns with names; expected none for target, weights and offset")
        data, labels = read_libsvm(path, text)
    elif form in ("csv", "tsv", "tab"):
        data, labels = read_csv(path, cells_of(path, text, form), columns, said.get("header"))
    else:
        raise Refusal(f"{path}: is of a format that this checker does not read; expected CSV, TSV or LIBSVM text")
    set_targets(data, labels, part(model, "settings", dict).get("loss", "squared"))
    return data


def form_of(text: str) -> str:
    """The format of data whose name does not tell it, by its first line behind empty ones and comments."""
    first = next((line for line in text.split("\n") if line and line[0] not in "\r#"), "")
    if re.match("[^ \t,;:\"]+[ \t]+[0-9]+:", first):
        return "libsvm"
    tabs, commas = first.count("\t"), first.count(",") + first.count(";")
    return "" if tabs + commas == 0 else "tsv" if tabs > commas else "csv"


def cells_of(path: str, text: str, form: str) -> list[list[str]]:
    """Lines that are not empty. Cells may be quoted; ';' separates them where the first line has no ','."""
    text = text.lstrip("\r\n").removesuffix("\r").removesuffix("\n") + "\n"
    first = re.sub(r'"[^"]*"', "", text).partition("\n")[0]
    separator = "\t" if form != "csv" else ";" if ";" in first and "," not in first else ","
    cell = re.compile(rf' *(?:"((?:[^"]|"")*)" *|(|[^" {separator}\n][^{separator}\n]*?))({separator}|\r?\n)')
    rows, row, at = [], list[str](), 0
    while at < len(text):
        found = cell.match(text, at)
        if not found:
            raise Refusal(f"{path}: cannot be cut into cells at {text[at : at + 50]!r}")
        at, (quoted, plain, end) = found.end(), found.groups()
        row.append(plain.rstrip(" ") if quoted is None else quoted.replace('""', '"'))
        if end != separator:
            if found.group() != end or len(row) > 1:
                rows.append(row)
            row = []
    return rows


def read_csv(path: str, rows: list[list[str]], roles: dict[str, str], header: Any) -> tuple[Data, list[str]]:
    """`header` is yes, no, or None: yes, but not for a line of numbers. Without one columns are x0, x1, ..."""
    if header not in (None, "yes", "no"):
        raise Refusal(f"header: value is {str(header)[:50]}; expected yes or no")
    if not rows or any(len(row) != len(rows[0]) for row in rows):
        raise Refusal(f"{path}: is empty, or its lines have different numbers of cells")
    names = [f"x{c}" for c in range(len(rows[0]))] if header == "no" else rows.pop(0)
    said = [name for name in names if not MISSING.fullmatch(name)]
    if header is None and said and all(NUMBER.fullmatch(name) or INFINITY.fullmatch(name) for name in said):
        raise Refusal(f"{path}: the first line holds only numbers; expected names of columns")
    if any(map(NO_UTF8.search, names)):
        raise Refusal(f"{path}: a name of a column is not UTF-8; expected text that is")
    if len({name.strip(" \t\r\n") for name in names}) < len(names) or "" in names:
        raise Refusal(f"{path}: two columns of one name, or one without; expected different names")
    at = {role: find_column(path, names, role, name, header == "no") for role, name in roles.items()}
    used = [c for c in at.values() if c is not None]
    if len(set(used)) < len(used) or len(names) < 2:
        raise Refusal(f"{path}: expected different columns for target, weights, offset and folds, and at least one feature")
    features = [c for c in range(len(names)) if c not in used]

    def column(c: int | None) -> list[float] | None:
        return None if c is None else [number_of(row[c], f"{path}: column {names[c]!r}") for row in rows]

    columns = [column(c) or [] for c in features]
    data = Data(columns, [], column(at["weights"]), column(at["offset"]), [names[c] for c in features])
    return data, [row[at["target"] or 0] for row in rows]


def find_column(path: str, names: list[str], role: str, name: str, by_position: bool) -> int | None:
    """The target that nobody names is the column of that name, or the last. Without names 4 is x4."""
    if name.isdecimal() and by_position:
        name = f"x{name}"
    if not name and role == "target":
        name = "target" if "target" in names else names[-1]
    if name and name not in names:
        raise Refusal(f"{path}: has no column {name!r}; expected one, the {role}")
    return names.index(name) if name else None


def read_libsvm(path: str, text: str) -> tuple[Data, list[str]]:
    """A label and index:value on each line, indices from 1."""
    rows = [re.sub("[\t\r]", " ", line.partition("#")[0]).split(" ") for line in text.split("\n")]
    rows = [[word for word in row if word] for row in rows]
    rows = [row for row in rows if row]
    entries: list[dict[int, float]] = []
    for row in rows:
        cells = [cell.partition(":") for cell in row[1:]]
        if any(not re.fullmatch("0*[0-9]{1,7}", cell[0]) or not 0 < int(cell[0].lstrip("0") or 0) <= MOST_COLUMNS for cell in cells):
            raise Refusal(f"{path}: has a cell that is no index:value with an index from 1 to {MOST_COLUMNS}")
        entries.append({int(index.lstrip("0")) - 1: number_of(value, path) for index, _, value in cells})
        if len(entries[-1]) < len(cells):
            raise Refusal(f"{path}: has an index twice on a line; expected each once")
    for row in rows:
        number_of(row[0], path)  # words are no labels here
    p = max((j + 1 for entry in entries for j in entry), default=0)
    return Data([[entry.get(j, 0.0) for entry in entries] for j in range(p)], []), [row[0] for row in rows]


def set_targets(data: Data, labels: list[str], loss: str) -> None:
    """Squared loss: numbers. Otherwise two classes; numbers are sorted as numbers, words as words."""
    if loss == "squared":
        data.y = [number_of(label, "target") for label in labels]
        return
    values = class_values(labels)
    classes = sorted({v for v, w in zip(values, data.weights or [1.0] * len(values)) if w != 0})
    if len(classes) != 2:
        raise Refusal(f"target: has {len(classes)} classes; expected 2 for {loss} loss")
    data.y = [(0.0 if loss == "logistic" else -1.0) if v == classes[0] else 1.0 for v in values]
    data.classes = [c.decode() if isinstance(c, bytes) else repr(c).removesuffix(".0") for c in classes]


def class_values(labels: list[str]) -> list[Any]:
    """One word makes words of all: two at most, also in rows of weight 0. Of numbers there may be any number."""
    words = [i for i, label in enumerate(labels) if not NUMBER.fullmatch(label) and not INFINITY.fullmatch(label)]
    numbers = [number_of(label, "target") for label in labels[: words[0] if words else len(labels)]]
    if not words:
        return numbers
    found = sorted(set(labels))
    bad = [label for label in found if MISSING.fullmatch(label) or NO_UTF8.search(label) or CONTROL.search(label)]
    if len(found) > 2 or bad:
        raise Refusal(f"target: holds {str(found[:3])[:100]}; expected numbers, or two words")
    return [label.encode() for label in labels]
