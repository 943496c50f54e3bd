"""What pieces write of a result: rows that lie where they belong."""

from __future__ import annotations

from collections.abc import Sequence

from structarr._execute.partition_spans import Span
from structarr._execute.place import Place
from structarr._scheduler.operands import Operands
from structarr._storage.row_parts import part
from structarr._storage.tensor import Tensor
from structarr.formats.entries import Array


def rows_of(
    place: Place,
    given: Operands,
    piece: Operands,
    out: Sequence[Array],
    shape: tuple[int, ...],
    span: Span,
) -> list[Array]:
    """The buffers of some rows of a result.

    Of a result with the coordinates of an operand, each part has its own, beside the operand's.
    """
    shared = place.result.shares
    if shared is None:
        return part_of(place, out, shape, span.lo, span.hi)
    *places, values = piece.tensors[shared].buffers
    first = _begin(given.tensors[shared], piece.tensors[shared])
    return [*places, out[-1][first : first + len(values)]]


def _begin(whole: Tensor, part: Tensor) -> int:
    """Where the values of a part begin among those of the whole."""
    if part is whole:
        return 0
    found: int | None = part.memo.get("begin")
    if found is None:
        values = part.buffers[-1]
        starts = [one.__array_interface__["data"][0] for one in (whole.buffers[-1], values)]
        found = (starts[1] - starts[0]) // values.itemsize if len(values) else 0
        part.memo["begin"] = found
    return found


def flat(outs: Sequence[Sequence[Array]]) -> list[Array]:
    """The buffers of some results, one after the other."""
    return [buffer for out in outs for buffer in out]


def operators_of(places: Sequence[Place], operators: Sequence[str | None]) -> list[str]:
    """The operators that combine the buffers of those results that pieces have for themselves."""
    every = zip(places, operators, strict=True)
    return [name for place, op in every if op is not None for name in place.operators(op)]


def part_of(
    place: Place, out: Sequence[Array], shape: tuple[int, ...], lo: int, hi: int
) -> list[Array]:
    """The buffers of some rows of a result with a place for every element."""
    if place.is_placed:
        rows = max(shape[place.format.order[0]], 1)
        widths = [len(one) // rows for one in out]
        return [one[lo * width : hi * width] for one, width in zip(out, widths, strict=True)]
    dims = tuple([shape[axis] for axis in place.format.order])
    return list(part(place.format.levels, dims, out, lo, hi))
