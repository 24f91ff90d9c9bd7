#!/usr/bin/env python3
"""Writes what the pages for users show of the program: the reference in docs/cli.md, and the output of examples that has changed.

With --check the reference is only compared. Examples are the `$ command` lines of console blocks; they run in a folder of their own.
"""
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "cli.md"
PAGES = (ROOT / "README.md", PAGE)
NUMBER = re.compile(r"-?\d+(?:\.\d+)?(?:e[+-]?\d+)?")
SECONDS = re.compile(r"\d+(?:\.\d+)?(?:e-?\d+)? s\b")
COUNTS = re.compile(r"nodes \d+|\d+ points at \d+ nodes")  # rounding decides, and processors round sums differently
BEGIN = "<!-- begin: written by tools/make_cli_docs.py, do not edit -->\n"
END = "<!-- end -->\n"


def ask(program, *arguments):
    return subprocess.run([program, *arguments], check=True, capture_output=True, text=True).stdout


def commands(program):
    """(name, summary, arguments and options) of every sub-command."""
    listed = re.findall(r"^  (\w+) +(.+)$", ask(program, "--help").split("Commands:")[1], re.MULTILINE)
    return [(name, summary, json.loads(ask(program, name, "--list-options"))) for name, summary in listed]


def row(option):
    names = ", ".join(option["names"]) + (f" {option['value']}" if option["value"] else "")
    name, text = (part.replace("|", "\\|") for part in (names, option["help"]))
    return f"| `{name}` | {text} |\n"


def table(options):
    return "| option | what it does |\n|---|---|\n" + "".join(map(row, options))


def named(options):
    return ", ".join(f"`{option['names'][-1]}`" for option in options)


def which(taken, own, shared):
    """The shared options that a command takes, as briefly as it can be said."""
    replaced = [option["names"][-1] for option in own]
    missing = [option for option in shared if option not in taken and option["names"][-1] not in replaced]
    if len(missing) > len(shared) / 2:
        return f"And of those above: {named(taken)}."
    return "And all of those above" + (f" but {named(missing)}" if missing else "") + "."


def reference(program):
    """What several commands have in common is said once, before what each has alone."""
    found = commands(program)
    options_of = {
        name: [option for option in described["options"] if option["names"][-1] not in ("--help", "--version")]
        for name, _, described in found
    }
    everything = [option for options in options_of.values() for option in options]
    by_name = {}
    for option in everything:
        by_name.setdefault(option["names"][-1], []).append(option)
    # Of options that share a name but not a meaning the most frequent one is shared, the others belong to their commands.
    most = [max(options, key=options.count) for options in by_name.values()]
    shared = [option for option in most if everything.count(option) > 1]
    text = "Every command knows `--help` and `--version`.\n\n### Options of several commands\n\n" + table(shared)
    for name, summary, described in found:
        options = options_of[name]
        own = [option for option in options if option not in shared]
        taken = [option for option in options if option in shared]
        takes = " ".join(argument["names"][0] for argument in described["arguments"])
        text += f"\n### ellzero {name} {takes}\n\n{summary[0].upper()}{summary[1:]}.\n\n"
        text += "".join(f"- `{argument['names'][0]}`: {argument['help']}\n" for argument in described["arguments"])
        text += ("\n" + table(own) if own else "") + (f"\n{which(taken, own, shared)}\n" if taken else "")
    return text


def examples(text, program):
    """(position, command, shown, printed) of every `$ command` in a console block, run one after the other; lists of lines."""
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "bin").mkdir()
        (Path(folder) / "bin" / "ellzero").symlink_to(Path(program).resolve())
        shutil.copytree(ROOT / "examples", Path(folder) / "examples")
        environment = os.environ | {"PATH": f"{folder}/bin:{os.environ['PATH']}"}
        lines, inside = text.splitlines(), False
        for position, line in enumerate(lines):
            if line.startswith("```"):
                inside = line == "```console"
            elif inside and line.startswith("$ "):
                end = next(k for k in range(position + 1, len(lines)) if lines[k].startswith(("$ ", "```")))
                run = subprocess.run(["bash", "-c", line[2:]], cwd=folder, env=environment, timeout=600, text=True,
                                     stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
                yield position, line[2:], lines[position + 1:end], run.stdout.splitlines()


def same(shown, printed):
    """Equal up to times, numbers of nodes and the rounding of numbers; a line of dots stands for any lines."""
    if not shown:
        return not printed
    if shown[0].strip() == "...":
        return any(same(shown[1:], printed[k:]) for k in range(len(printed) + 1))
    return bool(printed) and same_line(shown[0], printed[0]) and same(shown[1:], printed[1:])


def same_line(shown, printed):
    shown, printed = (" ".join(COUNTS.sub("N nodes", SECONDS.sub("T s", line)).split()) for line in (shown, printed))
    if NUMBER.sub("#", shown) != NUMBER.sub("#", printed):
        return False
    pairs = zip(map(float, NUMBER.findall(shown)), map(float, NUMBER.findall(printed)))
    return all(abs(a - b) <= 1e-6 * max(1, abs(a), abs(b)) for a, b in pairs)


def with_new_output(text, program):
    lines = text.splitlines()
    for position, _, shown, printed in reversed(list(examples(text, program))):
        if not same(shown, printed):
            lines[position + 1:position + 1 + len(shown)] = printed
    return "\n".join(lines) + "\n"


def main():
    program = os.environ.get("ELLZERO_BIN", ROOT / "build" / "release" / "bin" / "ellzero")
    page = PAGE.read_text(encoding="utf-8")
    before, rest = page.split(BEGIN)
    after = rest.split(END)[1]
    wanted = before + BEGIN + reference(program) + END + after
    if "--check" in sys.argv[1:]:
        if page != wanted:
            print("docs/cli.md is stale; tools/make_cli_docs.py writes it anew (ELLZERO_BIN names the program)")
        return int(page != wanted)
    PAGE.write_text(wanted, encoding="utf-8")
    for path in PAGES:
        path.write_text(with_new_output(path.read_text(encoding="utf-8"), program), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
