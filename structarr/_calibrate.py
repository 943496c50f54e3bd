"""Measuring the times of this machine, by which plans are priced."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from time import perf_counter
from typing import Any, Final

import numpy as np

from structarr._api.creation.creation import asarray
from structarr._api.elementwise.elementwise import exp
from structarr._api.programs.loops import loops
from structarr._array import Array
from structarr._compiler.options import options
from structarr._execute.compute import value
from structarr._lazy.graph import Node
from structarr._scheduler.machine import Times, keep, limited

ENTRIES: Final = 200_000
SHORT, LONG = 8, 256  # entries of a row
_ONE_BY_ONE: Final = (
    "if x[i] >= 0: y += exp(x[i])"  # under a condition, so that no vector is computed
)
COLUMNS: Final = 2048  # so many that a vector stays in the nearest cache
WIDE: Final = 32  # columns of a dense matrix
SIDE: Final = 128  # of a product of dense matrices
STEPS: Final = 8  # of a plan


def calibrate(seconds: float = 1.0) -> Iterator[tuple[str, float, float]]:
    """
    Measure the times of this machine, and keep them beside the kernels.

    Parameters
    ----------
    seconds : float, optional
        How long each of a dozen operations is repeated.

    Yields
    ------
    name, default, measured : str, float, float
        Of each time, in nanoseconds.

    Raises
    ------
    OSError
        If they cannot be kept.
    """
    with options(tier="compiled", threads=1):
        measured = limited(dict(_measured(seconds)))
    keep(measured)
    yield from zip(Times._fields, Times(), measured, strict=True)


def _measured(seconds: float) -> Iterator[tuple[str, float]]:
    """The times that operations tell, each less what is known of the others."""

    def least(compute: Callable[[], Any]) -> float:
        return _least(compute, seconds)

    random = np.random.default_rng(0)
    short, long = (_rows(random, length) for length in (SHORT, LONG))
    vector, wide = asarray(random.random(COLUMNS)), asarray(random.random((COLUMNS, WIDE)))
    small = asarray(np.eye(4), format="csr")
    call = least(lambda: (small @ asarray(np.ones(4))).compute())
    one, several = (_chain(small, steps) for steps in (1, 1 + STEPS))
    yield "call", (least(lambda: value(several)) - least(lambda: value(one))) / STEPS
    often, seldom = (
        least(lambda: (short @ vector).compute()),
        least(lambda: (long @ vector).compute()),
    )
    enter = (often - seldom) * SHORT / ENTRIES
    follow = (seldom - call) / ENTRIES - enter / LONG
    yield from (("enter", enter), ("follow", follow))
    yield "sweep", (least(lambda: (long @ wide).compute()) - call) / (ENTRIES * WIDE)
    dense = random.random((SIDE, SIDE))
    yield "blas", least(lambda: dense @ dense) / SIDE**3
    scaled = least(lambda: (long * vector).compute())
    yield "append", (scaled - call) / ENTRIES - follow
    square = asarray(_square(random, SHORT), format="csr")
    product = (square @ square).compute()
    terms = float(square.nstored) * SHORT
    made = least(lambda: (square @ square).compute())
    yield "gather", (made - call - terms * follow - square.nstored * enter) / product.nstored
    yield "move", least(lambda: short.asformat("csc").compute()) / ENTRIES
    block = random.random(1 << 17)
    yield "copy", least(block.copy) / block.nbytes
    numbers = asarray(block)
    yield "function", least(lambda: loops(_ONE_BY_ONE, x=numbers)) / block.size
    yield "vector", least(lambda: exp(numbers).compute()) / block.size


def _chain(matrix: Array, steps: int) -> Node:
    """An expression of so many kernels."""
    vector = asarray(np.ones(matrix.shape[1]))
    for _ in range(steps):
        vector = matrix @ np.maximum(vector, 0)
    return vector._node


def _least(compute: Callable[[], Any], seconds: float) -> float:
    """The least nanoseconds of a call, of as many as take some seconds."""
    compute()  # compiles it
    least, end = np.inf, perf_counter() + seconds
    while True:
        begin = perf_counter()
        compute()
        now = perf_counter()
        least = min(least, now - begin)
        if now > end:
            return float(least) * 1e9


def _rows(random: np.random.Generator, length: int) -> Array:
    """A matrix of rows of some entries each."""
    rows = ENTRIES // length
    inner = np.sort(random.random((rows, COLUMNS)).argpartition(length, axis=1)[:, :length], axis=1)
    dense = np.zeros((rows, COLUMNS))
    np.put_along_axis(dense, inner, 1.0, axis=1)
    return asarray(dense, format="csr")


def _square(random: np.random.Generator, length: int) -> Any:
    """A square matrix with about so many entries in each row."""
    return np.where(random.random((COLUMNS, COLUMNS)) < length / COLUMNS, 1.0, 0.0)
