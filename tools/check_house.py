#!/usr/bin/env python3
"""Checks the laws of the house that no compiler checks; prints file:line: message for each breach and exits 1.

(a) arrows:    a room includes only what docs/architecture.md lets it include
(b) names:     a namespace has its folder's name
(c) equations: every equation cited in a comment, like (4.3) or (6.1)-(6.3), is defined in docs/math.md
(d) purpose:   the first line of every source file says what the file is for
(e) map:       docs/architecture.md names every folder

Usage: check_house.py [ROOT]     (ROOT = the repository, by default the one this script lies in)
"""
import re
import sys
from pathlib import Path

# An arrow points at what a room may include. Arrows are transitive; every room may include ellzero/, the public face.
# A folder in a room is a room of its own, with its own arrows.
ARROWS = {
    "core": [],
    "features": ["core"],
    "loss": ["core"],
    "penalty": ["core"],
    "problem": ["features", "loss", "penalty"],
    "screening": ["problem"],
    "solve": ["screening", "problem"],
    "paper": ["solve", "screening", "problem"],
    "exact": ["solve", "screening"],
    "exact/gram": ["exact"],
    "exact/tree": ["exact", "exact/gram"],
    "exact/sizes": ["exact/gram"],
    "select": ["solve", "exact/tree", "exact/sizes"],
    "fit": ["core", "features", "loss", "penalty", "problem", "screening", "solve", "paper", "exact/tree", "exact/sizes",
            "select"],
    "io": [],
    "io/bytes": ["io"],
    "io/table": ["io/bytes"],
    "io/model": ["io/table"],
    "io/proof": ["io/model"],
    "report": ["io/model", "io/proof"],
    "verify": ["core", "loss"],
    "cli": ["io/proof", "report"],
    "python": ["io/proof"],
    "ellzero": [],
}
NAMES = {"fit": "front"}  # where a namespace cannot have its folder's name: fit is a function of the public face
UNBOUND = ("tests", "bench", "fuzz")  # may include everything
CODE_FOLDERS = ("src", "include", "tests", "bench", "fuzz", "cli", "python")
SOURCE_FOLDERS = CODE_FOLDERS + ("experiments", "tools", "cmake")
MAPPED_FOLDERS = ("src", "include", "tests", "bench", "experiments", "tools", "cmake", "docs", "python")

NAMESPACE = re.compile(r"\s*(?:inline\s+)?namespace\s+(ellzero\b[\w:]*)\s*\{")
INCLUDE = re.compile(r'\s*#\s*include\s*(["<])([^">]+)[">]')
CITATION = re.compile(r"(?<!\w)\((\d+\.\d+)\)(?:\s*(?:-|to)\s*\((\d+\.\d+)\))?")
DEFINITION = re.compile(r"\s*(?:[-*]\s+)?\((\d+\.\d+)\)")
TOKEN = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|(?<!\w)\'(?:\\.|[^\'\\\n])*\'', re.DOTALL)


def reachable(room):
    """The rooms that `room` may include, itself among them."""
    found, pending = set(), [room]
    while pending:
        here = pending.pop()
        if here not in found:
            found.add(here)
            pending += ARROWS[here]
    return found


def files(root, folders, suffixes):
    for folder in folders:
        for path in sorted((root / folder).rglob("*")):
            hidden = any(part.startswith(".") or part == "__pycache__" for part in path.relative_to(root).parts)
            if path.is_file() and path.suffix in suffixes and not hidden:
                yield path


def room_of(path, root):
    parts = path.relative_to(root).parts
    return "/".join(parts[1:-1]) if parts[0] in ("src", "include") and len(parts) > 2 else parts[0]


def check_arrows(root):
    for path in files(root, CODE_FOLDERS, {".hpp", ".cpp"}):
        room = room_of(path, root)
        if room in UNBOUND:
            continue
        if room not in ARROWS:
            yield path, 1, f"{room}/ is no room of the house; rooms and their arrows are listed in tools/check_house.py"
            continue
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            if match := INCLUDE.match(line):
                if message := wrong_include(room, *match.groups()):
                    yield path, number, message


def wrong_include(room, quote, target):
    first, there = target.split("/")[0], target.rpartition("/")[0]
    if first == "..":
        return f'"{target}" climbs out of its folder; include it as "room/file.hpp"'
    if quote == "<" and there not in ARROWS:  # the standard library or a third party
        third_party = room == "ellzero" and re.fullmatch(r"[a-z_0-9]+", target) is None
        return f"the public face includes <{target}>; only the standard library may show there" if third_party else None
    if "/" not in target:
        return f'"{target}" names no room; include it as "{room}/{target}"'
    if there not in ARROWS:
        return f'"{target}" is in no room of the house'
    if there != "ellzero" and there not in reachable(room):
        allowed = sorted(reachable(room) - {room, "ellzero"}) + ["ellzero"]
        return f'{room}/ may not include "{target}"; its arrows lead to {", ".join(allowed)}'
    return None


def check_names(root):
    for path in files(root, ("src", "cli", "python"), {".hpp", ".cpp"}):
        room = room_of(path, root)
        own = "ellzero::" + NAMES.get(room, room).replace("/", "::")
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            match = NAMESPACE.match(line)
            # A function of the public face is defined in ellzero itself; capitals are a macro's name.
            if match and match.group(1) != "ellzero" and not re.fullmatch(rf"{own}(::[A-Z_]+)?", match.group(1)):
                yield path, number, f"the namespace is {match.group(1)}; expected {own}, its folder's name"


def comments(text):
    """(line, text) of every line of every comment."""
    for token in TOKEN.finditer(text):
        if token.group().startswith(("//", "/*")):
            first = text.count("\n", 0, token.start()) + 1
            for offset, line in enumerate(token.group().split("\n")):
                yield first + offset, line


def check_equations(root):
    page = root / "docs" / "math.md"
    lines = page.read_text(encoding="utf-8").splitlines() if page.is_file() else []
    defined = set()
    for number, line in enumerate(lines, 1):
        if match := DEFINITION.match(line):
            if match.group(1) in defined:
                yield page, number, f"equation ({match.group(1)}) is defined twice"
            defined.add(match.group(1))
    for path in files(root, CODE_FOLDERS, {".hpp", ".cpp"}):
        for number, comment in comments(path.read_text(encoding="utf-8")):
            for match in CITATION.finditer(comment):
                for equation in cited(*match.groups()):
                    if equation not in defined:
                        yield path, number, f"equation ({equation}) is not defined in docs/math.md"


def cited(first, last):
    if last is None:
        return [first]
    section, low = first.split(".")
    if last.split(".")[0] != section:
        return [first, last]
    return [f"{section}.{k}" for k in range(int(low), int(last.split(".")[1]) + 1)]


def check_purpose(root):
    for path in files(root, SOURCE_FOLDERS, {".hpp", ".cpp", ".py", ".sh", ".cmake"}):
        lines = path.read_text(encoding="utf-8").splitlines() or [""]
        number = 1 if len(lines) > 1 and lines[0].startswith("#!") else 0
        marks = ("//",) if path.suffix in (".hpp", ".cpp") else ("#", '"""') if path.suffix == ".py" else ("#",)
        says = lines[number].startswith(marks) and len(re.findall(r"\w+", lines[number])) >= 3
        if not says:
            yield path, number + 1, "the first line does not say what the file is for; expected a one-line comment"


def check_map(root):
    page = root / "docs" / "architecture.md"
    text = page.read_text(encoding="utf-8") if page.is_file() else ""
    for top in MAPPED_FOLDERS:
        for pattern in ("*/", "*/*/"):
            for folder in sorted((root / top).glob(pattern)):
                name = folder.relative_to(root).as_posix()
                hidden = re.search(r"(^|/)(\.|__pycache__)", name)
                if hidden or not any(path.is_file() for path in folder.rglob("*")):  # empty folders are not kept by git
                    continue
                if not re.search(rf"(?<![\w/]){re.escape(name)}(?![\w-])", text):
                    yield page, 1, f"the map does not name {name}/"


CHECKS = (check_arrows, check_names, check_equations, check_purpose, check_map)


def main():
    root = Path(sys.argv[1] if len(sys.argv) > 1 else Path(__file__).parent.parent).resolve()
    breaches = [b for check in CHECKS for b in check(root)]
    for path, number, message in breaches:
        print(f"{path.relative_to(root)}:{number}: {message}")
    return 1 if breaches else 0


if __name__ == "__main__":
    sys.exit(main())
