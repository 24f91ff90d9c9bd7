"""The command line of the checker: python -m ellzero.check MODEL DATA [PROOF]."""
import argparse
import json
import math
import os
import stat
import sys
from collections.abc import Sequence

from . import Outcome, Refusal, check, parse_model, read_data
from .data import read_bytes


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser("ellzero.check", description="Check a model, and its proof, in exact arithmetic.")
    parser.add_argument("model", metavar="MODEL", help="what -o has written")
    parser.add_argument("data", metavar="DATA", help="its data: CSV, TSV or LIBSVM text of numbers, also .gz, .bz2")
    parser.add_argument("proof", metavar="PROOF", nargs="?", help="what prove has written with --proof")
    parser.add_argument("--format", choices=("text", "json"), default="text", help="what to print (default text)")
    for role in ("target", "weights", "offset"):
        parser.add_argument(f"--{role}", metavar="NAME", help="its column, if not the one that the model names")
    options = parser.parse_args(arguments)
    try:
        output_is_closed = sys.stdout is None or sys.stdout.closed  # before a file is opened in its place
        for path in filter(None, (options.model, options.data, options.proof)):
            if not output_is_closed and is_output(path):
                return say(f"{path}: is where the output goes, too; expected another file", 2)
        outcome = check_files(options.model, options.data, options.proof, vars(options))
        if output_is_closed:
            return say("the output is closed", 6)
        print(as_text(outcome, options.format), flush=True)
    except OSError as error:
        return say(str(error), 6)
    return outcome.code


def say(text: str, code: int) -> int:
    if sys.stderr is not None:
        print(f"ellzero.check: {text}", file=sys.stderr)
    return code


def is_output(path: str) -> bool:
    """Whether what is printed would be added to an input, or take its place."""
    try:
        output = os.fstat(sys.stdout.fileno())
    except (OSError, ValueError):  # a stream of Python's that is no file
        return False
    return stat.S_ISREG(output.st_mode) and os.path.samestat(output, os.stat(path))


def check_files(model_path: str, data_path: str, proof_path: str | None, roles: dict[str, str | None]) -> Outcome:
    try:
        model = parse_model(read_bytes(model_path), model_path)
        data = read_data(data_path, model, roles)
        return check(model, data, None if proof_path is None else read_bytes(proof_path))
    except Refusal as error:
        return Outcome("refused", message=str(error))


def as_text(outcome: Outcome, form: str) -> str:
    if form == "json":
        found = {key: None if value == math.inf else value for key, value in vars(outcome).items()}
        return json.dumps({"schema": "ellzero.check/1", **found}, indent=1)
    lines = [f"  {claim.replace('_', ' '):13} {text}" for claim, text in outcome.claims.items()]
    numbers = {"objective": outcome.objective, "bound": outcome.lower_bound}
    lines += [f"  found: {name} {number!r}" for name, number in numbers.items() if number is not None]
    return "\n".join([*lines, outcome.verdict + (f": {outcome.message}" if outcome.message else "")])


if __name__ == "__main__":
    sys.exit(main())
