"""Calls in pieces each of which owns a range of rows of the results, and reads all operands.

As every element is added up by one piece, in the order of the whole, no bit depends on the pieces:
there are as many as threads. Each piece looks in every row of the operands for its range.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from math import log2, prod
from typing import Final

from structarr._execute import partition_cuts
from structarr._execute.inner_cuts import Columns
from structarr._execute.partition_results import part_of
from structarr._execute.partition_split import Split
from structarr._execute.partition_sums import told
from structarr._execute.plan import Plan
from structarr._scheduler.operands import Operands
from structarr._storage.tensor import Tensor

SEARCH: Final = 8e-9
"""The seconds in which a piece finds its range in a short row."""

HALVING: Final = 8e-8
"""The same for each time that a longer row is halved: what it looks at there is in no cache."""

SHORT: Final = 64
"""The stored elements of a short row."""


class Ranges(tuple[int, ...]):
    """The bounds of the ranges of a call."""

    __slots__ = ()


def is_owned(split: Split, given: Operands, shapes: Sequence[tuple[int, ...]]) -> bool:
    """Whether pieces search in rows in less time than their results would be added up.

    That depends on no number of threads, as a sum by pieces that are added up has other bits.
    """
    if not split.owned:
        return False
    combined = partition_cuts.COMBINING * sum([prod(shape) for shape in shapes])
    return _searching(split, given) < combined


def ranges_of(split: Split, given: Operands, pieces: int, seconds: float) -> Ranges | None:
    """Ranges of rows for which about as much is stored; None where one piece is as good.

    Parameters
    ----------
    split : Split
        With operands that tell ranges.
    given : Operands
        The operands.
    pieces : int
        The most ranges.
    seconds : float
        The expected time of the call; a piece takes longer than its searches.
    """
    pieces = int(min(pieces, seconds / max(_searching(split, given), 1e-12)))
    if pieces < 2:
        return None
    extent = given.extents[split.owned_length]
    told = [given.tensors[number] for number in sorted(split.owned)]
    columns = Columns(told, 0, max([one.dims[0] for one in told]))
    bounds = [
        columns.at(piece / pieces) if columns.known else extent * piece // pieces
        for piece in range(1, pieces)
    ]
    found = sorted({0, extent, *bounds})
    return Ranges(found) if len(found) > 2 else None


def _searching(split: Split, given: Operands) -> float:
    """The seconds in which a piece finds its range in all rows."""
    found = 0.0
    for one in [given.tensors[number] for number in split.owned]:
        rows, length = one.nstored, 1.0
        if one.format.root.kind.arithmetic:
            rows, length = one.dims[0], one.nstored / max(one.dims[0], 1)
        placed = one.format.levels[1].slicing == "places"  # so that it is known where it is
        halvings = 0.0 if placed else log2(max(length / SHORT, 1.0))
        found += rows * (SEARCH + HALVING * halvings)
    return found


def run_owned(
    plan: Plan, ranges: Ranges, given: Operands, shapes: Sequence[tuple[int, ...]]
) -> list[Tensor]:
    """The results of a call, by the plan of the program for parts of the second loop, and all rows.

    That is `_scheduler.partial_loops.row_part`.
    """
    whole = _with(given, 0, ranges[-1])
    outs = plan.rooms(whole, shapes, [True] * len(shapes))
    assert outs is not None  # dense results have no positions
    every = list(zip(plan.places, shapes, outs, strict=True))

    def fill(bounds: tuple[int, int]) -> None:
        for place, shape, out in every:
            if place.is_begun:  # by the thread that goes on with it
                place.begin(given, part_of(place, out, shape, *bounds))
        plan.fill(_with(given, *bounds), outs)

    told(fill, list(pairwise(ranges)))
    return [place.made(whole, shape, out) for place, shape, out in every]


def _with(given: Operands, begin: int, end: int) -> Operands:
    """Operands with the ends of a part of the second loop."""
    extents = (*given.extents, begin, end)
    return Operands(given.tensors, given.scalars, given.sizes, extents, given.prepared)
