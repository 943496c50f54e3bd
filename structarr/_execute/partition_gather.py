"""Vectors of lists that are sums over rows, made in pieces: those of pieces are combined.

Every piece has a workspace of its own, and lists what it has touched there. The lists of all pieces
are added up in a dense row, a stretch of it by each thread, and what any of them touched is listed.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np

from structarr._execute.plan import Plan
from structarr._execute.threads import mapped
from structarr._scheduler.operands import Operands
from structarr._storage.tensor import Tensor
from structarr._support import buffer_pool
from structarr._support.sorted_places import places_in
from structarr.formats.entries import Array

STRETCH = 1 << 16
"""The elements of the result that a thread combines at a time."""


class Listed(NamedTuple):
    """The elements that a piece has stored, by ascending coordinates."""

    idx: Array
    val: Array

    def within(self, lo: int, hi: int) -> Listed:
        """Those of a range of coordinates."""
        begin, end = places_in(self.idx, (lo, hi))
        return Listed(self.idx[begin:end], self.val[begin:end])


def gathered(
    pieces: Sequence[tuple[Plan, Operands]], shape: tuple[int, ...], operator: str
) -> Tensor | None:
    """The vector of a call that is made in pieces; None if one may outgrow its positions.

    Each piece is a plan and its operands. What several pieces have stored is combined by an
    operator, by its name in NumPy.
    """
    parts: list[Listed] = []
    for found in mapped(lambda one: one[0](one[1], shape), pieces):
        if found is None:
            return None
        _, idx, val = found.buffers
        parts.append(Listed(idx, val))
    (length,) = shape
    whole = added_up(parts, length, operator)
    plan, given = pieces[0]
    place = plan.places[0]
    idx = whole.idx.astype(place.format.index)
    ptr = np.array([0, len(idx)], place.format.index)
    return place.made(given, shape, (ptr, idx, whole.val))


def added_up(parts: Sequence[Listed], length: int, operator: str) -> Listed:
    """The elements that any part has stored, combined by an operator in the order of the parts."""
    kept, row = np.zeros(length, bool), buffer_pool.empty(length, parts[0].val.dtype)
    combine: np.ufunc = getattr(np, operator)

    def add_up(lo: int) -> None:
        """Combine the elements of a stretch, in the order of the pieces."""
        with np.errstate(all="ignore"):
            _added([one.within(lo, lo + STRETCH) for one in parts], combine, kept, row)

    for _ in mapped(add_up, range(0, length, STRETCH)):
        pass
    idx = np.flatnonzero(kept)
    return Listed(idx, row[idx])


def _added(parts: Iterable[Listed], combine: np.ufunc, kept: Array, row: Array) -> None:
    """Write lists into a row, in which `kept` tells of the elements that are there already."""
    for idx, val in parts:
        met = kept[idx]
        row[idx] = np.where(met, combine(row[idx], val), val)
        kept[idx] = True
