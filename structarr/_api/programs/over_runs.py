"""Programs over runs: what gives a row's runs, and kernels whose loops go over them."""

from __future__ import annotations

import functools
from collections.abc import Iterator, Mapping
from importlib import import_module
from itertools import pairwise
from types import FunctionType
from typing import Any, Final

import numpy as np

from structarr._api.core.operands import as_array
from structarr._array import Array, of_tensor, stored
from structarr._compiler.options import current, options
from structarr._language.read.parse import TEXT
from structarr._language.runs.call import runs_format
from structarr._language.runs.from_text import function_of
from structarr._language.runs.printed import printed
from structarr._language.runs.program import RunProgram
from structarr._language.runs.words import trailing_zeros as trailing_zeros
from structarr._storage.tensor import Tensor
from structarr._support import dtypes
from structarr._support.array_types import ArrayLike
from structarr.formats.entries import differ

KEPT: Final = "as runs"
"""The name under which a tensor remembers itself in runs."""
READY: Final = "is in runs"
"""The name under which it remembers that it is what programs over runs read."""
SKIPS: Final = "skips fill"
"""The name under which it remembers whether no run has its fill value."""


def runs(*rows: ArrayLike) -> Iterator[tuple[Any, ...]]:
    """
    Iterate over the runs of a row, or over the pieces into which the runs of several rows cut it.

    In a function under `kernel` such a loop is compiled, and takes time for each run, not for each
    element: rows are read from what is stored. Elsewhere it is a plain generator.

    Parameters
    ----------
    *rows : array_like
        Of one axis, equally long.

    Returns
    -------
    iterator of tuple
        ``start, stop`` and a value of each row, for each piece ``[start, stop)`` in which no row
        changes. Pieces come from left to right, and those in which every row has its fill value
        are left out.

    Raises
    ------
    ValueError
        If the rows are not of one axis, or not equally long.

    See Also
    --------
    kernel : Compiles functions with such loops.

    Notes
    -----
    The generator takes time proportional to the length of the rows.

    Examples
    --------
    >>> import structarr as sa
    >>> [tuple(map(int, one)) for one in sa.runs([0, 3, 3, 0, 5])]
    [(1, 3, 3), (4, 5, 5)]
    >>> [tuple(map(int, one)) for one in sa.runs([1, 1, 0, 0], [0, 2, 2, 0])]
    [(0, 1, 1, 0), (1, 2, 1, 2), (2, 3, 0, 2)]
    """
    arrays = [as_array(row) for row in rows]
    if any(one.ndim != 1 for one in arrays):
        raise ValueError("runs takes rows of one axis, as in `runs(A[i])`")
    if len({one.shape for one in arrays}) > 1:
        raise ValueError("rows that are read together are equally long")
    return _pieces([one.todense() for one in arrays], [one.fill_value for one in arrays])


def _pieces(rows: list[Any], fills: list[Any]) -> Iterator[tuple[Any, ...]]:
    length = len(rows[0]) if rows else 0
    if not length:
        return
    changes = np.any([differ(row[1:], row[:-1]) for row in rows], axis=0)
    bounds = [0, *(np.flatnonzero(changes) + 1).tolist(), length]
    for start, stop in pairwise(bounds):
        values = [row[start].item() for row in rows]
        if not all(map(dtypes.same, values, fills)):
            yield (start, stop, *values)


class _Arrays:
    """What programs over runs are told of arrays."""

    def tensor(self, value: Any) -> Tensor | None:
        return stored(value) if isinstance(value, Array) else None

    def runs(self, value: Any) -> Tensor:
        return in_runs(as_array(value))

    def array(self, tensor: Tensor) -> Array:
        tensor.memo[SKIPS] = True  # programs write no such runs
        return of_tensor(tensor)


def in_runs(array: Array) -> Tensor:
    """
    The tensor of an array whose last axis is stored as runs, none of which has its fill value.

    The array's tensor remembers it. What is computed of several arrays is stored where any of them
    is, so that runs of the fill value come about.
    """
    tensor = stored(array)
    if tensor.memo.get(READY):
        return tensor
    if not tensor.ndim:
        raise ValueError("a number has no runs")
    wanted = runs_format(tensor.ndim, tensor.format.index)
    if tensor.format == wanted and _skips_fill(tensor):
        tensor.memo[READY] = True
        return tensor
    found: Tensor | None = tensor.memo.get(KEPT)
    if found is None:
        found = tensor.memo[KEPT] = _without_fill(stored(array.asformat(wanted)))
    return found


def _skips_fill(tensor: Tensor) -> bool:
    """Whether no run of a tensor has its fill value; it remembers that."""
    found: bool | None = tensor.memo.get(SKIPS)
    if found is None:
        values = tensor.buffers[-1]
        if values.dtype.kind in "biu" and not tensor.fill:
            found = np.count_nonzero(values) == len(values)
        else:
            found = bool(differ(values, tensor.fill).all())
        tensor.memo[SKIPS] = found
    return found


def skipping(tensor: Tensor) -> dict[str, Any]:
    """What a tensor of the same runs remembers of that."""
    found = tensor.memo.get(SKIPS)
    return {} if found is None else {SKIPS: found}


def _without_fill(tensor: Tensor) -> Tensor:
    """The same runs but for those of the fill value."""
    if _skips_fill(tensor):
        return tensor
    ptr, *parts = tensor.buffers
    kept = differ(parts[-1], tensor.fill)
    before = np.concatenate(([0], np.cumsum(kept)))
    buffers = (before[ptr].astype(ptr.dtype), *[one[kept] for one in parts])
    return Tensor(tensor.format, tensor.shape, tensor.dtype, tensor.fill, buffers, {SKIPS: True})


class RunKernel:
    """
    A function whose outermost loops, over the runs of rows, are compiled; `kernel` makes one.

    Attributes
    ----------
    py_func : function
        The function itself, which runs as plain Python.
    """

    def __init__(self, function: FunctionType) -> None:
        self.py_func = function
        self._program = RunProgram(function, _Arrays())
        functools.update_wrapper(self, function)

    def __repr__(self) -> str:
        return f"<structarr kernel {self.py_func.__name__} over runs>"

    def __call__(self, *args: Any, **named: Any) -> Any:
        if current().default_format is None:
            return self._program(*args, **named)
        with options(default_format=None):  # results are made by sa.zeros, and stored as runs
            return self._program(*args, **named)

    def __reduce__(self) -> str | tuple[Any, ...]:
        told = self.py_func.__dict__.get(TEXT)
        return self.py_func.__qualname__ if told is None else (of_text, ("kernel", told[0]))

    @property
    def parameters(self) -> tuple[str, ...]:
        """The names of its arguments."""
        return self._program.parameters

    @property
    def written(self) -> frozenset[str]:
        """The arguments whose elements its loops may write."""
        return self._program.written

    @property
    def text(self) -> str:
        """The program as a text, from which `kernel` and `loops` make the same one.

        Functions that it calls, and numbers from around it, are part of it; comments are not.
        """
        return printed(self.py_func)

    @property
    def sources(self) -> tuple[str, ...]:
        """The texts of the loops that were compiled so far, one for each kind of arguments."""
        return self._program.kernels


def of_text(name: str, text: str) -> RunKernel:
    """The kernel of a program over runs that is given as text; `name` says as what, in errors."""
    around = {
        "np": np,
        "sa": import_module("structarr"),
        "runs": runs,
        "trailing_zeros": trailing_zeros,
    }
    return RunKernel(function_of(text, name, around))


def run_text(program: RunKernel, operands: Mapping[str, Any], asked: bool) -> Any:
    """Run a text for operands, which are not changed; `asked` says that it was told how to."""
    names = program.parameters
    for name in operands:
        if name not in names:
            raise TypeError(f"the program has no name {name!r}: it has {', '.join(names)}")
    missing = [name for name in names if name not in operands]
    if missing:
        raise TypeError(f"the program lacks the operands {', '.join(missing)}")
    if asked:
        raise TypeError("order=, extents= and out= are for loops over elements, not over runs")
    written = program.written
    given = {
        name: value.copy() if name in written and isinstance(value, np.ndarray) else value
        for name, value in operands.items()
    }
    return program(**given)
