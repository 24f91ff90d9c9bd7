#!/usr/bin/env python3
"""Writes the reference of commands and options in docs/cli.md from what the program says of itself; --check only compares."""
import json
import os
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "cli.md"
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


def which(taken, shared):
    """The shared options that a command takes, as briefly as it can be said."""
    missing = [option for option in shared if option not in taken]
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
    shared = [option for k, option in enumerate(everything) if everything.count(option) > 1 and option not in everything[:k]]
    text = "Every command knows `--help` and `--version`.\n\n### Options of several commands\n\n" + table(shared)
    for name, summary, described in found:
        options = options_of[name]
        own = [option for option in options if option not in shared]
        taken = [option for option in options if option in shared]
        takes = " ".join(argument["names"][0] for argument in described["arguments"])
        text += f"\n### ellzero {name} {takes}\n\n{summary[0].upper()}{summary[1:]}.\n\n"
        text += "".join(f"- `{argument['names'][0]}`: {argument['help']}\n" for argument in described["arguments"])
        text += ("\n" + table(own) if own else "") + (f"\n{which(taken, shared)}\n" if taken else "")
    return text


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
    return 0


if __name__ == "__main__":
    sys.exit(main())
