"""The file that a user names for a proof, and the files behind data that is mapped rather than read."""
from __future__ import annotations

import os
from typing import Any, Iterator

import numpy as np
from scipy import sparse

from ellzero import _data


def name_of(path: Any) -> str:
    """A path as text; bytes are names of files, too."""
    try:
        name = os.fsdecode(path)
        name.encode()  # what is no UTF-8 has no name that the extension could take
    except (TypeError, UnicodeError):
        raise TypeError(f"proof: value is {path!r:.80}; expected the path of a file, in UTF-8") from None
    if not name or "\0" in name:
        raise ValueError(f"proof: value is {path!r:.80}; expected the path of a file")
    return name


def output_name(path: Any, **data: Any) -> str:
    """`name_of` a file that is written: it must not be one that holds the data, by whatever name."""
    name = name_of(path)
    for argument, values in data.items():
        for file in mapped_files(values):
            if same_file(name, file):
                raise ValueError(f"proof: value is {name!r}, the file that holds {argument}; expected another one")
    return name


def same_file(one: str, other: str) -> bool:
    try:
        return os.path.samefile(one, other)
    except OSError:  # one of them is not there
        return False


def mapped_files(values: Any) -> Iterator[str]:
    """The files that numpy has mapped for an array, or for what a matrix, a frame or a list is made of."""
    for owner in parts_of(values):
        while owner is not None:
            if getattr(owner, "filename", None) is not None:  # of a numpy.memmap, and of views of it
                yield os.fsdecode(owner.filename)
            owner = owner.obj if isinstance(owner, memoryview) else getattr(owner, "base", None)


def parts_of(values: Any) -> list[Any]:
    if sparse.issparse(values):
        return [getattr(values, name, None) for name in ("data", "indices", "indptr", "row", "col", "offsets")]
    if _data.is_source(values):  # one of blocks, or one whose files nobody knows
        return list(getattr(values, "blocks", ()))
    if hasattr(values, "columns"):
        return [np.asarray(column) for _, column in values.items()]
    if isinstance(values, (list, tuple)):
        return [value for value in values if isinstance(value, (np.ndarray, memoryview))]
    return [values.to_numpy() if hasattr(values, "to_numpy") else values]
