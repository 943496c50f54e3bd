"""Tables of bounded size, for results that are made once for each structure."""

from __future__ import annotations

from typing import Final, TypeVar

K = TypeVar("K")
V = TypeVar("V")

MOST: Final = 4096
"""Entries of a table, of some 50 kB each."""


def room(table: dict[K, V], most: int | None = None) -> dict[K, V]:
    """
    Return a table for a new entry, after forgetting all where it has `most` or `MOST`.

    Forgotten entries are made again when needed; compiled kernels are found on disk.

    Examples
    --------
    >>> table = dict.fromkeys(range(MOST))
    >>> room(table)["new"] = None
    >>> list(table)
    ['new']
    """
    if len(table) >= (MOST if most is None else most):
        table.clear()
    return table
