"""Matrices whose rows are of equal lengths, of a power law, or short but for one full row."""

from __future__ import annotations

from typing import Final

import numpy as np

import structarr as sa
from structarr._array import of_tensor
from structarr._storage.tensor import Tensor

ROW: Final = 20
"""The stored entries of a row, in the mean."""

KINDS: Final = ("even", "power law", "one row")


def lengths_of(kind: str, size: int) -> np.ndarray:
    """The lengths of the rows of a square matrix of about so many entries.

    Parameters
    ----------
    kind : str
        One of `KINDS`.
    size : int
        The stored entries, about.

    Returns
    -------
    ndarray of int
        The length of each row.

    Examples
    --------
    >>> lengths_of("one row", 100).tolist()
    [10, 5, 10, 10, 10]
    """
    n = size // ROW
    if kind == "even":
        return np.full(n, ROW)
    if kind == "one row":
        one = np.full(n, ROW // 2)
        one[n // 3] = n
        return one
    power = np.random.default_rng(0).pareto(1.1, n) + 0.1
    return np.clip(power * (size / power.sum()), 1, n // 2).astype(np.int64)


def of_lengths(lengths: np.ndarray, seed: int) -> sa.Array:
    """A square matrix of rows of some lengths, whose columns are spread evenly."""
    n, random = len(lengths), np.random.default_rng(seed)
    pointers = np.concatenate([[0], np.cumsum(lengths)])
    place = np.arange(pointers[-1]) - np.repeat(pointers[:-1], lengths)
    width = np.repeat(n / lengths, lengths)
    columns = np.floor(place * width + random.random(len(place)) * (width - 1)).astype(np.int32)
    values = random.standard_normal(len(columns))
    fmt = sa.formats.parse("csr", 2, "int32")
    parts = (pointers.astype(np.int32), columns, values)
    return of_tensor(Tensor.checked(fmt, (n, n), 0.0, parts))
