"""Kernels that most programs take, compiled ahead: for a list of formats and dtypes."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final, NamedTuple

import numpy as np

from structarr._api.creation.creation import asarray
from structarr._api.programs.warming import warmup
from structarr._array import Array
from structarr._support import dtypes as kinds

ROWS, COLUMNS = 48, 40  # of the matrices by which kernels are found
STORED = 0.1  # the share of their elements that is not zero


class Operands(NamedTuple):
    """Operands of the commonest operations: sparse matrices, and dense vectors and matrices."""

    a: Array
    b: Array
    square: Array
    x: Array  # as long as a row
    y: Array  # as long as a column
    dense: Array  # with as many rows as `a` has columns


COMMON: Final[dict[str, Callable[[Operands], Array]]] = {
    "a * 2": lambda o: o.a * 2.5,
    "-a": lambda o: -o.a,
    "abs(a)": lambda o: abs(o.a),
    "a > 1": lambda o: o.a > 1,
    "a * b": lambda o: o.a * o.b,
    "a + b": lambda o: o.a + o.b,
    "a - b": lambda o: o.a - o.b,
    "a * x": lambda o: o.a * o.x,
    "a * y[:, None]": lambda o: o.a * o.y[:, None],
    "a @ x": lambda o: o.a @ o.x,
    "y @ a": lambda o: o.y @ o.a,
    "a.T @ y": lambda o: o.a.T @ o.y,
    "a @ dense": lambda o: o.a @ o.dense,
    "square @ square": lambda o: o.square @ o.square,
    "2 * (a @ x) + 1": lambda o: 2.5 * (o.a @ o.x) + 1.5,
    "y - a @ x": lambda o: o.y - o.a @ o.x,
    "a.sum()": lambda o: o.a.sum(),
    "a.sum(axis=0)": lambda o: o.a.sum(axis=0),
    "a.sum(axis=1)": lambda o: o.a.sum(axis=1),
    "a.mean(axis=0)": lambda o: o.a.mean(axis=0),
    "a.max(axis=1)": lambda o: o.a.max(axis=1),
    "(a * b).sum()": lambda o: (o.a * o.b).sum(),
    "(a * a).sum(axis=0)": lambda o: (o.a * o.a).sum(axis=0),
    "a[3]": lambda o: o.a[3],
    "a[:, 3]": lambda o: o.a[:, 3],
    "a[4:20]": lambda o: o.a[4:20],
}
"""The commonest operations by how they are written."""

NUMBERS: Final = frozenset({"-a", "a - b", "y - a @ x"})
"""Those that NumPy has for numbers alone, not for booleans."""


def warm(
    formats: Sequence[Any] = ("csr", "csc"),
    dtypes: Sequence[Any] = ("float64",),
    *,
    progress: Callable[[int, int, str], object] | None = None,
) -> int:
    """
    Compile the most common kernels of some formats and dtypes ahead of their first use.

    Kernels are kept on disk, so a machine or a container is warmed once, for all its processes.
    ``python -m structarr warm`` does it from a shell. `warmup` compiles those of given expressions.

    Parameters
    ----------
    formats : sequence of str or Format
        Of matrices.
    dtypes : sequence of dtype-like
        Of their elements.
    progress : callable, optional
        Called before each operation with its number from 0, how many there are, and its text.

    Returns
    -------
    int
        How many kernels were compiled or loaded from disk; those that this process had do not
        count.

    Raises
    ------
    FormatError
        If a format is none of matrices.
    TypeError
        If a dtype cannot be stored.

    See Also
    --------
    warmup : The kernels of given expressions.

    Examples
    --------
    >>> import structarr as sa
    >>> sa.warm(["csr"], [])
    0
    """
    tasks = list(_tasks(formats, dtypes))
    found = 0
    for number, (text, make) in enumerate(tasks):
        if progress is not None:
            progress(number, len(tasks), text)
        found += warmup(make())
    return found


def _tasks(
    formats: Sequence[Any], dtypes: Sequence[Any]
) -> Iterator[tuple[str, Callable[[], Array]]]:
    """Each operation in each format and dtype: a text for people, and what makes its result."""
    every = [(fmt, kinds.check(dtype)) for fmt in formats for dtype in dtypes]
    for fmt, dtype in every:
        operands = _operands(fmt, dtype)
        for text, make in COMMON.items():
            if dtype.kind == "b" and text in NUMBERS:
                continue
            yield f"{fmt} {dtype}: {text}", lambda make=make, given=operands: make(given)  # type: ignore[misc]


def _operands(fmt: Any, dtype: np.dtype[Any]) -> Operands:
    rng = np.random.default_rng(0)

    def matrix(rows: int, columns: int) -> Array:
        stored = rng.random((rows, columns)) < STORED
        elements = np.where(stored, rng.integers(1, 9, (rows, columns)), 0)
        return asarray(elements.astype(dtype), format=fmt)

    def dense(*shape: int) -> Array:
        return asarray(rng.integers(1, 9, shape).astype(dtype))

    return Operands(
        matrix(ROWS, COLUMNS),
        matrix(ROWS, COLUMNS),
        matrix(ROWS, ROWS),
        dense(COLUMNS),
        dense(ROWS),
        dense(COLUMNS, 8),
    )
