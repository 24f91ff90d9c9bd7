"""Features that are made when they are asked for: a class to derive from, and blocks side by side as its example."""
from __future__ import annotations

import math
from abc import ABC, abstractmethod
from typing import Any, Iterable

import numpy as np

from ellzero import _data

__all__ = ["Blocks", "FeatureSource", "check", "from_blocks"]


class FeatureSource(ABC):
    """A matrix whose columns come when they are asked for; wherever the package takes X it takes one of these.

    Derive from it, or write any class with `shape` and `columns`. Results have the same bits as those of the matrix in
    one piece. Nothing is kept: a column is asked for many times.

    Attributes
    ----------
    shape : tuple of int
        Rows and columns.
    dot_error : float or None
        Only with a method ``sweep(indices, v)``, which returns an array of the products ``x_j @ v``, float64, for
        products that can be had without the columns. It says how exact they are, and bounds rest on it:
        ``|computed - exact| <= dot_error * sum(|x_ij * v_i|)``. A product must not depend on the others that it is
        asked for with.
    block : int
        How many columns a call asks for at most, 64 unless changed; a large sweep is many calls. With `sweep` and
        samples of weight 0 it is 16 times as many. Another number may change the last bits of a result.

    Notes
    -----
    Several threads ask, one at a time unless the method gives Python's lock away. An array that was returned must not
    change later, and the same columns must be the same each time. What a method raises comes out of the computation;
    Ctrl-C is a `KeyboardInterrupt` inside it, at once with ``threads=1``; with more it may come after the columns that
    the others are at.

    Examples
    --------
    Every product of two columns, of which none is stored:

    >>> import numpy as np, ellzero
    >>> class Products(ellzero.sources.FeatureSource):
    ...     def __init__(self, table):
    ...         self.table = table
    ...         self.first, self.second = np.triu_indices(table.shape[1], 1)
    ...         self.shape = len(table), len(self.first)
    ...     def columns(self, indices):
    ...         return self.table[:, self.first[indices]] * self.table[:, self.second[indices]]
    >>> table = np.random.default_rng(0).normal(size=(100, 40))
    >>> products = Products(table)
    >>> result = ellzero.fit(products, table[:, 3] * table[:, 8] - table[:, 4] * table[:, 5], k=2)
    >>> [(int(products.first[j]), int(products.second[j])) for j in result.support]
    [(3, 8), (4, 5)]
    """

    shape: tuple[int, int]
    dot_error: float | None = None
    block: int = 64

    @abstractmethod
    def columns(self, indices: np.ndarray) -> np.ndarray:
        """Some of the columns.

        Parameters
        ----------
        indices : ndarray of int64
            Which, counted from 0, in any order.

        Returns
        -------
        ndarray of shape (rows, len(indices))
            float64 or float32, finite. One that is column-major is used in place.
        """


class Blocks(FeatureSource):
    """Matrices side by side, as one: nothing is copied but the columns that are being asked for.

    Parameters
    ----------
    blocks : list of array-like of shape (n, p_b)
        numpy in any order, float64 or float32, memory maps among them; blocks of both are one matrix of float64.
        Columns that follow one another in a column-major block are used in place.

    Attributes
    ----------
    blocks : list of ndarray
    shape : tuple of int

    Examples
    --------
    >>> import numpy as np, ellzero
    >>> X = np.random.default_rng(0).normal(size=(100, 20))
    >>> blocks = ellzero.sources.Blocks([X[:, :8], X[:, 8:]])
    >>> blocks.shape
    (100, 20)
    >>> ellzero.fit(blocks, X[:, 2] - X[:, 11], k=2).support
    array([ 2, 11])
    """

    def __init__(self, blocks: Iterable[Any]) -> None:
        self.blocks = [_data.numbers(block, f"blocks[{b}]") for b, block in enumerate(blocks)]
        if not self.blocks:
            raise ValueError("blocks: there are none; expected at least one")
        for b, block in enumerate(self.blocks):
            if block.ndim != 2:
                raise ValueError(f"blocks[{b}]: has {block.ndim} dimensions; expected 2, samples and features")
            if len(block) != len(self.blocks[0]):
                raise ValueError(f"blocks[{b}]: has {len(block)} rows; expected {len(self.blocks[0])}, as blocks[0] has")
        self._starts = np.cumsum([0, *(block.shape[1] for block in self.blocks)])
        self._type = np.result_type(*self.blocks)
        self.shape = len(self.blocks[0]), int(self._starts[-1])

    def columns(self, indices: np.ndarray) -> np.ndarray:
        place = np.searchsorted(self._starts, indices, side="right") - 1
        first, last = indices[0], indices[-1]
        if place[0] == place[-1] and last - first + 1 == len(indices) and np.all(np.diff(indices) == 1):
            start = self._starts[place[0]]
            found = self.blocks[place[0]][:, first - start:last - start + 1]
            return found.astype(self._type, copy=False)  # as it lies there, unless blocks are of two types
        found = np.empty((self.shape[0], len(indices)), self._type, order="F")
        for b in np.unique(place):
            here = place == b
            found[:, here] = self.blocks[b][:, indices[here] - self._starts[b]]
        return found

    def __repr__(self) -> str:
        return f"<Blocks: {len(self.blocks)} blocks, {self.shape[0]} x {self.shape[1]}>"


def from_blocks(blocks: Iterable[Any]) -> Blocks:
    """Matrices side by side, as one source: `Blocks` of them.

    Examples
    --------
    >>> import numpy as np, ellzero
    >>> X = np.random.default_rng(0).normal(size=(100, 20))
    >>> ellzero.sources.from_blocks([X[:, :8], X[:, 8:]]).shape
    (100, 20)
    """
    return Blocks(blocks)


def check(source: Any, tries: int = 20) -> None:
    """Asks a source for columns and products as a solver does, and raises what it finds wrong.

    Parameters
    ----------
    source : FeatureSource or an object with the same methods
    tries : int, default=20
        How many blocks of columns to ask for, at random but the same each time.

    Raises
    ------
    ValueError
        Where columns have a wrong shape or type, are not finite or not the same each time, or where `sweep` is further
        from the products of the columns than `dot_error` allows.

    Examples
    --------
    >>> import numpy as np, ellzero
    >>> ellzero.sources.check(ellzero.sources.from_blocks([np.eye(5), np.ones((5, 2))]))
    """
    rows, cols = source.shape
    rng = np.random.default_rng(0)
    for _ in range(tries):
        indices = rng.permutation(cols)[:rng.integers(1, 65)].astype(np.int64)
        x = _columns(source, indices, rows)
        if not np.array_equal(x[:, ::-1], _columns(source, indices[::-1].copy(), rows)):
            raise ValueError("columns: the same ones, asked for again in another order, differ; expected the same numbers")
        if getattr(source, "dot_error", None) is not None:
            v = rng.normal(size=rows)
            found = np.asarray(source.sweep(indices, v))
            if found.shape != indices.shape:
                raise ValueError(f"sweep: shape is {found.shape}; expected {indices.shape}, one product for each index")
            _refuse_rough(indices, x, v, found, source.dot_error)


def _columns(source: Any, indices: np.ndarray, rows: int) -> np.ndarray:
    x = np.asarray(source.columns(indices))
    if x.shape != (rows, len(indices)):
        raise ValueError(f"columns: shape is {x.shape}; expected {(rows, len(indices))}, rows and indices")
    if x.dtype not in (np.float64, np.float32):
        raise ValueError(f"columns: dtype is {x.dtype}; expected float64 or float32")
    if not np.isfinite(x).all():
        raise ValueError("columns: some entries are not finite; expected numbers")
    return x.astype(np.float64)


def _refuse_rough(indices: np.ndarray, x: np.ndarray, v: np.ndarray, found: np.ndarray, dot_error: float) -> None:
    """Against sums whose own rounding is far below what any float64 product may be off by."""
    for c, j in enumerate(indices):
        terms = [float(a) * float(b) for a, b in zip(x[:, c], v)]
        exact, size = math.fsum(terms), math.fsum(map(abs, terms))
        if not abs(found[c] - exact) <= (dot_error + 2.0**-53) * size:
            raise ValueError(f"sweep: the product with column {j} is {found[c]!r}; expected {exact!r} to within dot_error")
