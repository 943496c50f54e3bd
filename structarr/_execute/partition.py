"""Partitions of a call: its outermost loop in pieces, for threads and for sums added up in pieces.

Pieces are cut by work, never by the number of threads, and are combined in order, so a result does
not depend on the number of threads.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from math import prod
from typing import Any, NamedTuple

import numpy as np

from structarr._compiler.ir.cin import Access, Assign, Loop, Stmt, Tensor as Named, Where
from structarr._compiler.ir.expr import INDEX, Index, Lit
from structarr._compiler.ir.node import Node
from structarr._compiler.progress import followed
from structarr._compiler.rules.written import carried
from structarr._execute.partition_append import Part, appended
from structarr._execute.partition_sums import combined, told
from structarr._execute.place import Place
from structarr._execute.plan import Plan
from structarr._execute.threads import mapped
from structarr._scheduler.assemble import Output, Program
from structarr._scheduler.operands import Operands
from structarr._storage.tensor import Tensor
from structarr._support.caches import room
from structarr.formats.base import Level
from structarr.formats.entries import Array

WORK = 5e-4  # the least expected time of a piece, in seconds
COMBINING = 1e-8  # the same for each element of a result that every piece has for itself
MOST = 64  # the most pieces of a call

COMBINED = ("add", "multiply", "maximum", "minimum", "logical_or", "logical_and")
"""The operators by which the results of pieces can be combined, by NumPy's names."""


class Split(NamedTuple):
    """The way in which a kernel is called in pieces."""

    length: int  # the place of the outermost loop's length among the extents
    numbers: frozenset[int]  # the operands whose outermost level the loop goes along
    # The operator that combines the pieces of each result; None where each piece has its own rows.
    combine: tuple[str | None, ...]


def split_of(program: Program) -> Split | None:
    """The split of a program's kernel; None if it cannot be called in pieces."""
    loop = _outermost(program.stmt)
    if loop is None or loop.lo is not Lit(INDEX, 0) or loop.hi not in program.lengths:
        return None
    found: set[int] = set()
    others: set[int] = set()  # operands of which every piece reads all
    for node in _beside(program.stmt, loop):
        if node is loop.index or node is loop.hi:
            return None
        if not isinstance(node, Access) or not isinstance(node.obj, Named):
            continue
        cuts = node.indices[:1] == (loop.index,)
        if cuts and not _is_outermost(node, loop):
            return None
        if node.obj.role == "in":
            (found if cuts else others).add(program.inputs[node.obj.name].number)
    if found & others:
        return None
    combine = tuple([_combining(program.stmt, output, loop.index) for output in program.outputs])
    levels = [level for output in program.outputs for level in output.format.levels]
    appends = any(level.writing.appends for level in levels)
    if "" in combine or (appends and len(program.outputs) > 1):
        return None
    read = [source for source in program.inputs.values() if source.number in found]
    if not all(_parts(source.format.levels) for source in read):
        return None
    return Split(program.lengths.index(loop.hi), frozenset(found), combine) if found else None


def _combining(stmt: Stmt, output: Output, index: Index) -> str | None:
    """The operator that adds up a result of pieces; "" where they cannot be put together."""
    written = [one for one in stmt.every(Assign) if one.target.obj is output.tensor]
    rows = [bool(one.target.indices) and one.target.indices[0] is index for one in written]
    levels = output.format.levels
    if all(rows):
        return None if levels[:-1] and levels[0].kind.arithmetic and _parts(levels) else ""
    names = {one.op.name if one.op is not None else "" for one in written}
    if any(rows) or len(names) != 1 or not names <= {*COMBINED} or not output.format.is_dense:
        return ""
    return names.pop()


def _outermost(stmt: Stmt) -> Loop | None:
    """The loop that a program consists of, but for what is made before it."""
    while isinstance(stmt, Where) and not carried(stmt):
        stmt = stmt.consumer
    return stmt if isinstance(stmt, Loop) else None


def _beside(root: Node, loop: Loop) -> list[Node]:
    """All nodes of a program but its outermost index where that reads a first mode."""
    found: list[Node] = []

    def visit(node: Node) -> None:
        found.append(node)
        if node is loop:
            visit(loop.body)
            return
        if isinstance(node, Access):
            first = node.indices[:1] == (loop.index,)
            parts: Sequence[Any] = (*_strides(node.obj), *node.indices[1 if first else 0 :])
        elif isinstance(node, Named):
            parts = ()
        else:
            parts = tuple(node.parts())
        for part in parts:
            visit(part)

    visit(root)
    return found


def _strides(obj: Node) -> list[Node]:
    """The strides of a tensor's layout, which mention the lengths of all modes but the first."""
    if not isinstance(obj, Named):
        return []
    levels = obj.format.levels
    return [*obj.dims[1:], *(level.stride for level in levels if hasattr(level, "stride"))]


def _is_outermost(access: Access, loop: Loop) -> bool:
    """Whether an access's first mode is stored outermost, and is as long as the loop."""
    named = access.obj
    if not isinstance(named, Named) or named.role == "temp":
        return False
    fmt = named.format
    first = fmt.order[0] == 0 if named.role == "in" and fmt.is_dense else True
    return first and fmt.root.kind.arithmetic and named.dims[0] is loop.hi


def _parts(levels: Sequence[Level]) -> bool:
    """Whether parts of the outermost mode can be stored apart and put together again."""
    return all(level.slicing for level in levels[:-1])


def pieces_of(split: Split, shapes: Sequence[tuple[int, ...]], seconds: float) -> int:
    """The number of pieces that a call of some expected time is worth."""
    combined = [prod(shape) for shape, op in zip(shapes, split.combine, strict=True) if op]
    return int(seconds / max(WORK, COMBINING * sum(combined)))


def bounds_of(split: Split, given: Operands, pieces: int) -> list[tuple[int, int]]:
    """The bounds of so many pieces of the outermost loop, of about equal work."""
    length = given.extents[split.length]
    pieces = min(pieces, MOST, length)
    if pieces < 2 or any(not _fits(given.tensors[k], length) for k in split.numbers):
        return [(0, length)]
    ends = _ends(max((given.tensors[k] for k in split.numbers), key=lambda t: t.nbytes))
    if ends is None:
        bounds = np.linspace(0, length, pieces + 1).astype(np.int64)
    else:
        shares = np.linspace(ends[0], ends[-1], pieces + 1)[1:-1].astype(ends.dtype)
        bounds = np.concatenate([[0], np.searchsorted(ends, shares), [length]])
    bounds = np.unique(bounds)
    return list(pairwise(bounds.tolist()))


def _fits(tensor: Tensor, length: int) -> bool:
    """Whether the outermost level as it is stored is the one that the kernel's loop goes along."""
    return tensor.format.root.kind.arithmetic and tensor.dims[0] == length


def _ends(tensor: Tensor) -> Array | None:
    """The row pointers of an operand's outermost level."""
    levels, buffers = tensor.format.levels, tensor.level_buffers
    return buffers[1][0] if len(levels) > 1 and levels[1].slicing == "entries" else None


def run(
    plan: Plan,
    split: Split,
    pieces: Sequence[tuple[int, int]],
    given: Operands,
    shapes: Sequence[tuple[int, ...]],
) -> list[Tensor] | None:
    """The results of a call, computed in pieces; None if one may outgrow its positions."""
    places = plan.places
    if places[0].appends:
        result = _appended(plan, split, pieces, given, shapes[0])
        return None if result is None else [result]
    outs = plan.rooms(given, shapes)
    assert outs is not None  # without positions there are not too many
    every = list(zip(places, split.combine, outs, shapes, strict=True))

    def fill(piece: tuple[int, int]) -> list[list[Array]]:
        """Write rows where they belong; return what is to be added up."""
        mine = [
            _rows_of(place, out, shape, piece) if op is None else [out[-1].copy()]
            for place, op, out, shape in every
        ]
        plan.fill(_piece(split, given, *piece), mine)
        return [one for one, op in zip(mine, split.combine, strict=True) if op is not None]

    operators = [getattr(np, op) for op in split.combine if op is not None]
    with followed("computing") as follow:
        parts = told(mapped(fill, pieces), follow, len(pieces))
        found = iter(combined(parts, operators))
    return [
        place.made(given, shape, out if op is None else next(found))
        for place, op, out, shape in every
    ]


def _rows_of(
    place: Place, out: Sequence[Array], shape: tuple[int, ...], piece: tuple[int, int]
) -> list[Array]:
    dims = tuple([shape[axis] for axis in place.format.order])
    return list(_part(place.format.levels, dims, out, *piece))


def _appended(
    plan: Plan,
    split: Split,
    pieces: Sequence[tuple[int, int]],
    given: Operands,
    shape: tuple[int, ...],
) -> Tensor | None:
    place = plan.places[0]
    axis = place.format.order[0]

    def part(lo: int, hi: int) -> Part:
        follow(lo / pieces[-1][1])
        rows = (*shape[:axis], hi - lo, *shape[axis + 1 :])
        return Part(_piece(split, given, lo, hi), rows)

    with followed("computing") as follow:
        buffers = appended(plan, part, pieces, place.guard(given, shape))
    return None if buffers is None else place.made(given, shape, buffers)


def _piece(split: Split, given: Operands, lo: int, hi: int) -> Operands:
    tensors = [
        _rows(tensor, lo, hi) if k in split.numbers else tensor
        for k, tensor in enumerate(given.tensors)
    ]
    extents = list(given.extents)
    extents[split.length] = hi - lo
    return Operands(tensors, given.scalars, given.sizes, tuple(extents), given.prepared)


def _rows(tensor: Tensor, lo: int, hi: int) -> Tensor:
    """A tensor's rows [lo, hi) along its outermost level, sharing what is no pointer."""
    known: dict[tuple[int, int], Tensor] = tensor.memo.setdefault("rows", {})
    found = known.get((lo, hi))
    if found is None:
        axis = tensor.format.order[0]
        shape = (*tensor.shape[:axis], hi - lo, *tensor.shape[axis + 1 :])
        buffers = _part(tensor.format.levels, tensor.dims, tensor.buffers, lo, hi)
        found = Tensor(tensor.format, shape, tensor.dtype, tensor.fill, buffers)
        room(known, 4 * MOST)[lo, hi] = found
    return found


def _part(
    levels: Sequence[Level], dims: Sequence[int], buffers: Sequence[Array], lo: int, hi: int
) -> tuple[Array, ...]:
    """The buffers of some children of the outermost level, next to each other."""
    found: list[Array] = []
    left = iter(buffers)
    for level, dim in zip(levels[1:], (*dims[1:], 1), strict=True):
        own = [next(left) for _ in level.buffers]
        if level.slicing == "places":
            lo, hi = lo * dim, hi * dim
        elif level.slicing == "entries":
            ptr, *own = own
            begin, end = int(ptr[lo]), int(ptr[hi])
            found.append(ptr[lo : hi + 1] - ptr[lo])
            lo, hi = begin, end
        # The value of a uniform leaf is shared by all parts.
        found += own if level.uniform else [buffer[lo:hi] for buffer in own]
    return tuple(found)
