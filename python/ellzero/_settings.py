"""The table of settings of the library: signatures, checks and texts of the package are made from it."""
from __future__ import annotations

import difflib
import inspect
from typing import Any, Callable, Iterable, Mapping, TypeVar

from ellzero import _core

ROWS: dict[str, dict[str, Any]] = {row["name"]: row for row in _core.settings_table()}

# Which functions take a setting; every row of the table is in one of these groups.
MODEL = tuple("loss hinge_width lambda0 lambda1 lambda2 k lower upper always intercept standardize".split())
SEARCH = tuple("effort gap time_limit node_limit memory_limit seed threads".split())
METHOD = tuple("method step add_factor tolerance max_iterations screening adding".split())
GRID = tuple("lambda0_grid lambda1_grid lambda2_grid grid_size max_nonzeros".split())
CHOICE = tuple("select rule metric folds repeats relax".split())

TYPES = {
    "yes or no": "bool",
    "whole number": "int",
    "number": "float",
    "word": "str",
    "list of numbers": "float | ArrayLike",
    "list of features": "ArrayLike",
}
Function = TypeVar("Function", bound=Callable[..., Any])


def without(names: Iterable[str], *left_out: str) -> tuple[str, ...]:
    return tuple(name for name in names if name not in left_out)


def rows_of(names: Iterable[str], changes: Mapping[str, Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Rows of the table; `changes` has what is different of some of them, by their names."""
    return [{**ROWS[name], **changes.get(name, {})} for name in names]


def annotation(row: Mapping[str, Any]) -> str:
    """The type of a setting, as a signature says it."""
    if row["choices"]:
        return "Literal[" + ", ".join(f'"{choice}"' for choice in row["choices"]) + "]"
    return TYPES[row["type"]] + (" | None" if row["default"] is None else "")


def text(row: Mapping[str, Any]) -> str:
    """A setting as numpydoc describes a parameter."""
    kind = "{" + ", ".join(repr(c) for c in row["choices"]) + "}" if row["choices"] else TYPES[row["type"]]
    kind = kind.replace("float | ArrayLike", "float or array-like").replace("ArrayLike", "array-like of int or str")
    meaning = (row["help"][0].upper() + row["help"][1:]).replace("|b|", "``|b|``")
    if row["default"] is None:
        meaning += f"; unset: {row['unset']}"
    elif row["type"] in ("number", "whole number"):
        meaning += f"; {row['range']}"
    return f"{row['name']} : {kind}, default={row['default']!r}\n    {meaning}."


def parameters(rows: Iterable[Mapping[str, Any]]) -> list[inspect.Parameter]:
    return [
        inspect.Parameter(
            row["name"], inspect.Parameter.KEYWORD_ONLY, default=row["default"], annotation=annotation(row)
        )
        for row in rows
    ]


def document(doc: str, rows: Iterable[Mapping[str, Any]]) -> str:
    """The docstring with its line `<settings>` replaced by a text for each setting."""
    lines = []
    for line in inspect.cleandoc(doc).split("\n"):
        if line.strip() == "<settings>":
            indent = line[: len(line) - len(line.lstrip())]
            for row in rows:
                lines += [indent + part for part in text(row).split("\n")]
        else:
            lines.append(line)
    return "\n".join(lines)


def takes(*names: str) -> Callable[[Function], Function]:
    """Gives a function of **settings the signature and the docstring that the table implies."""

    rows = rows_of(names, {})

    def decorate(function: Function) -> Function:
        signature = inspect.signature(function)
        kept = [p for p in signature.parameters.values() if p.kind is not inspect.Parameter.VAR_KEYWORD]
        function.__signature__ = signature.replace(parameters=kept + parameters(rows))  # type: ignore
        function.__doc__ = document(function.__doc__ or "", rows)
        function.settings = names  # type: ignore[attr-defined]
        return function

    return decorate


def checked(function: Callable[..., Any], given: Mapping[str, Any], *, walks: bool = False,
            proves: bool = False) -> dict[str, Any]:
    """The settings that are set, all of them such that the function takes and that have an effect where it walks a path or
    proves something; the library checks their values."""
    allowed: tuple[str, ...] = function.settings  # type: ignore[attr-defined]
    for name in given:
        if name not in allowed:
            close = difflib.get_close_matches(name, allowed, 1)
            hint = f"; did you mean '{close[0]}'?" if close else ""
            raise TypeError(f"{function.__name__}() takes no argument '{name}'{hint}")
    settings = {name: value for name, value in given.items() if value is not None}
    _core.refuse_idle({name: value for name, value in settings.items() if name != "always"}, walks, proves)  # has names
    return settings
