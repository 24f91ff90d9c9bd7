"""Reads docs/cases.md: the rows of its table, what each one runs, what comes out, and the tests that it names."""
import re
from pathlib import Path
from typing import NamedTuple

TESTS = Path(__file__).resolve().parent
PAGE = TESTS.parent / "docs" / "cases.md"
CODE = re.compile(r"`([^`]+)`")


class Step(NamedTuple):
    """One command, or one line of Python after `>>>`, and what comes out of it: its first word, and parts of what is printed."""

    run: str
    ending: str
    parts: list

    @property
    def is_python(self):
        return self.run.startswith(">>> ")


class Row(NamedTuple):
    number: int
    case: str
    steps: list
    outcome: str
    references: list

    @property
    def is_ahead(self):
        """Whether the row says that this version cannot produce its case."""
        return "**not yet**" in self.outcome


def rows(text=None):
    """The rows whose first cell is a number."""
    for line in (PAGE.read_text(encoding="utf-8") if text is None else text).splitlines():
        cells = [cell.strip().replace(r"\|", "|") for cell in re.split(r"(?<!\\)\|", line)[1:-1]]
        if len(cells) == 5 and cells[0].isdigit():
            yield Row(int(cells[0]), cells[1], steps(cells[0], cells[2], cells[3]), cells[3], CODE.findall(cells[4]))


def steps(number, produced, outcome):
    """Lines of both cells belong together, as far as the first has code; what comes after is prose."""
    runs = [CODE.findall(line)[0] for line in produced.split("<br>") if CODE.search(line)]
    endings = outcome.split("<br>")
    if len(endings) < len(runs):
        raise ValueError(f"row {number}: {len(runs)} lines are run and {len(endings)} come out; expected one for each")
    return [Step(run, CODE.sub("", ending).split()[0].strip(",:;"), CODE.findall(ending)) for run, ending in zip(runs, endings)]


def files():
    """The files of the page, name and what is in it, as its second table says."""
    return dict(re.findall(r"^\| `([\w.]+)` \| ([^|]+) \|$", PAGE.read_text(encoding="utf-8"), re.MULTILINE))


def plain(text):
    """Text with single blanks, so that the width of a column does not matter."""
    return " ".join(text.split())


def is_test(reference):
    """Whether `folder/file::name` is a test: a function of that name, or a TEST of GoogleTest."""
    path, _, name = reference.partition("::")
    file = TESTS / path
    pattern = rf"^ *def {re.escape(name)}\(" if path.endswith(".py") else rf"^TEST\w*\(\w+, {re.escape(name)}\)"
    return bool(name) and file.is_file() and re.search(pattern, file.read_text(encoding="utf-8"), re.MULTILINE) is not None
