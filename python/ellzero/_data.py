"""What users hand over, as the extension takes it: checked, and copied only where that cannot be avoided."""
from __future__ import annotations

from dataclasses import dataclass
from numbers import Integral, Number
from typing import Any, Callable, Iterable

import numpy as np
from scipy import sparse

FLOATS = (np.dtype(np.float64), np.dtype(np.float32))
# The values that a loss takes for the lower and the upper class.
TARGETS = {"logistic": (0.0, 1.0), "smoothed-hinge": (-1.0, 1.0)}


def numbers(values: Any, name: str) -> np.ndarray:
    """An array of float64 or float32 in the machine's byte order, aligned; other numbers become float64."""
    if np.ma.is_masked(values):
        raise ValueError(f"{name}: has masked values; expected none")
    try:
        array = np.asarray(values)
    except ValueError:  # lists of several lengths
        refuse_objects(values, name)
        raise
    if array.dtype in FLOATS and array.dtype.isnative:
        return array if array.flags.aligned else array.copy(order="K")
    if array.dtype.kind not in "biufO":
        if not isinstance(values, np.ndarray):
            refuse_objects(values, name)
        raise TypeError(f"{name}: type is {array.dtype}; expected numbers")
    try:
        return array.astype(np.float64)
    except (TypeError, ValueError) as error:
        refuse_objects(array, name)
        raise TypeError(f"{name}: type is {array.dtype}; expected numbers ({error})") from None


def kind_of(value: Any) -> str:
    """What a label or a number is: a number, a word, something missing, or nothing that either can be."""
    if isinstance(value, (str, bytes)):
        return "word"
    if isinstance(value, (bool, np.bool_, Number, np.number)) and not isinstance(value, (complex, np.complexfloating)):
        return "number" if value == value else "missing"
    # pandas calls its own missing values NAType and NaTType; it need not be installed.
    return "missing" if value is None or type(value).__name__ in ("NAType", "NaTType") else "other"


def places(values: Any) -> Iterable[tuple[str, Any]]:
    """The elements as they were given, before numpy makes words of numbers among words, each with its place."""
    array = np.asarray(values, dtype=object)
    for place in np.ndindex(array.shape):
        yield str(list(place)), array[place]


def refuse_objects(values: Any, name: str) -> None:
    """Names the first value that is missing or no number, if there is one."""
    for place, value in places(values):
        kind = kind_of(value)
        if kind == "missing":
            raise ValueError(f"{name}{place}: value is {value}; expected a finite number")
        if kind != "number":
            shown = f"{value!r:.40}"
            raise TypeError(f"{name}: type is {type(value).__name__}, as of {name}{place}, {shown}; expected numbers")


@dataclass(frozen=True)
class Source:
    """A source of features as the extension takes it; the names are those that it asks for."""

    rows: int
    cols: int
    columns: Callable[[np.ndarray], Any]
    sweep: Callable[[np.ndarray, np.ndarray], Any] | None
    dot_error: float | None
    block: int

    @property
    def shape(self) -> tuple[int, int]:
        return self.rows, self.cols


def is_source(X: Any) -> bool:
    """Whether X makes its columns when it is asked; those of a frame are no function."""
    return callable(getattr(X, "columns", None)) and hasattr(X, "shape")


def whole(value: Any) -> bool:
    return isinstance(value, Integral) and not isinstance(value, bool)


def source(X: Any) -> Source:
    shape, block = X.shape, getattr(X, "block", 64)
    if not isinstance(shape, tuple) or len(shape) != 2 or not all(whole(size) and 0 < size < 2**62 for size in shape):
        raise ValueError(f"shape: value is {shape!r:.80}; expected (rows, columns), whole numbers above 0")
    if not whole(block) or not 0 < block < 2**31:
        raise ValueError(f"block: value is {block!r:.80}; expected a whole number above 0")
    sweep, dot_error = getattr(X, "sweep", None), getattr(X, "dot_error", None)
    if sweep is not None and not callable(sweep):
        raise ValueError(f"sweep: value is {sweep!r:.80}; expected a method, or none")
    if sweep is None and dot_error is not None:
        raise ValueError(f"dot_error: value is {dot_error!r:.80}; expected none without sweep()")
    if sweep is not None and not (isinstance(dot_error, (int, float, np.floating)) and 0 <= dot_error < 1):
        raise ValueError(f"dot_error: value is {dot_error!r:.80}; expected how exact sweep() is, a number from 0 to 1")
    return Source(int(shape[0]), int(shape[1]), X.columns, sweep, None if dot_error is None else float(dot_error),
                  min(int(block), int(shape[1])))


def matrix(X: Any) -> Any:
    """A 2-D array, the parts of compressed sparse columns, or a source."""
    if sparse.issparse(X):
        return sparse_parts(X)
    if is_source(X):
        return source(X)
    dtypes = getattr(X, "dtypes", None)  # a pandas frame of sparse columns
    if dtypes is not None and hasattr(X, "sparse") and all(hasattr(kind, "subtype") for kind in dtypes):
        return sparse_parts(X.sparse.to_coo())
    array = numbers(X, "X")
    if array.ndim != 2:
        raise ValueError(f"X: has {array.ndim} dimensions; expected 2, samples and features")
    if any(stride % array.itemsize for stride in array.strides):
        array = array.copy(order="F")
    return array


def sparse_parts(X: Any) -> tuple[int, int, np.ndarray, np.ndarray, np.ndarray]:
    if X.ndim != 2:
        raise ValueError(f"X: has {X.ndim} dimensions; expected 2, samples and features")
    columns = X if X.format == "csc" else compressed(X)
    values = numbers(columns.data, "X.data")
    indptr, indices = columns.indptr, columns.indices
    if indptr.dtype != indices.dtype or indptr.dtype not in (np.dtype(np.int32), np.dtype(np.int64)):
        indptr, indices = indptr.astype(np.int64), indices.astype(np.int64)
    rows, count = columns.shape
    return rows, count, *(np.require(part, requirements=["C", "A"]) for part in (indptr, indices, values))  # type: ignore[return-value]


def compressed(X: Any) -> Any:
    """Compressed columns."""
    return entries_checked(X).tocsc()


def entries_checked(X: Any) -> Any:
    """X, of lists and dictionaries its coordinates; scipy trusts the indices of others, so they are looked at here."""
    try:
        if X.format in ("lil", "dok"):
            X = X.tocoo()
        if X.format in ("csc", "csr", "bsr"):
            X.check_format(full_check=True)
        elif X.format == "coo":
            for axis, (indices, size) in enumerate(zip((X.row, X.col), X.shape)):
                if len(indices) != len(X.data):
                    raise ValueError(f"{len(indices)} indices for {len(X.data)} values")
                if len(indices) and (indices.min() < 0 or indices.max() >= size):
                    raise ValueError(f"an index of axis {axis} lies outside 0 to {size - 1}")
    except ValueError as error:
        raise ValueError(f"X: is no valid sparse matrix: {error}") from None
    return X


def product(X: Any, coefficients: np.ndarray) -> np.ndarray:
    """X times a vector, or times each column of a matrix, without trusting X."""
    found = entries_checked(X) @ coefficients if sparse.issparse(X) else np.asarray(X) @ coefficients
    return np.asarray(found)


def vector(values: Any, name: str) -> np.ndarray:
    """One float64 for each sample, contiguous."""
    array = numbers(values, name)
    if array.ndim == 2 and array.shape[1] == 1:
        array = array[:, 0]
    if array.ndim != 1:
        raise ValueError(f"{name}: has {array.ndim} dimensions; expected 1, a value for each sample")
    return np.ascontiguousarray(array, dtype=np.float64)


def optional_vector(values: Any, name: str) -> np.ndarray | None:
    return None if values is None else vector(values, name)


def label_array(y: Any) -> np.ndarray:
    """One label for each sample, all of them numbers or all of them words; none is missing."""
    if np.ma.is_masked(y):
        raise ValueError("y: has masked values; expected none")
    refuse_odd_labels(y)
    found = np.asarray(y)
    if found.ndim == 2 and found.shape[1] == 1:
        found = found[:, 0]
    if found.ndim != 1:
        raise ValueError(f"y: has {found.ndim} dimensions; expected 1, a label for each sample")
    if found.dtype.kind == "f" and np.isnan(found).any():
        refuse_labels(found)
    if found.dtype.kind not in "biufUSTO":
        raise TypeError(f"y: type is {found.dtype}; expected numbers, words or booleans as labels")
    return found


def refuse_odd_labels(y: Any) -> None:
    """`refuse_labels` where each label may be something else; arrays of one type are left to whoever takes them."""
    if isinstance(y, (list, tuple)):
        refuse_labels(y)
    elif y is not None and np.asarray(y).dtype.kind == "O":
        refuse_labels(np.asarray(y))


def refuse_labels(y: Any) -> None:
    """Names the first label that is missing, of no use, or of another kind than the first one."""
    first = None
    for place, value in places(y):
        kind = kind_of(value)
        first = first or kind
        if kind in ("missing", "other"):
            raise ValueError(f"y{place}: value is {value!r:.40}; expected a label, a number or a word")
        if kind != first:
            raise ValueError(f"y{place}: value is {value!r:.40}; expected a {first} as the labels before it")


def labels(y: Any, weights: np.ndarray | None) -> np.ndarray:
    """The different labels of samples that count, sorted."""
    found = label_array(y)
    if weights is not None and len(weights) == len(found):
        found = found[weights != 0]
    return np.unique(found)


def targets(y: Any, loss: str, classes: np.ndarray) -> np.ndarray:
    """The numbers that stand for two classes; any other label counts as the first."""
    below, above = TARGETS[loss]
    return np.where(np.asarray(y).reshape(-1) == classes[1], above, below)


def feature_names(X: Any) -> np.ndarray | None:
    """The columns of a frame, if all of them are called by words."""
    columns = getattr(X, "columns", None)
    if columns is None or callable(columns) or not all(isinstance(name, str) for name in columns):
        return None
    return np.asarray(columns, dtype=object)


def feature_indices(features: Iterable[Any], names: np.ndarray | None) -> list[Any]:
    """Features by their number, names replaced by it."""
    known = {} if names is None else {name: j for j, name in enumerate(names)}
    single = isinstance(features, (str, int, np.integer))
    found = []
    for feature in [features] if single else features:
        if isinstance(feature, str):
            if feature not in known:
                raise ValueError(f"always: there is no feature '{feature}'; expected a column's name or number")
            if names is not None and np.count_nonzero(names == feature) > 1:
                raise ValueError(f"always: there are several columns '{feature}'; expected a name of one, or a number")
            feature = known[feature]
        found.append(feature)
    return found
