"""Results before they have formats, and the assignments of a program to them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from structarr._compiler.ir.cin import Access, Assign, Loop, Pass, Stmt, Tensor, Where
from structarr._compiler.ir.expr import Call, Cast, Expr, Index, Lit
from structarr._compiler.ir.node import Node, substitute
from structarr._compiler.ir.ops import OPS
from structarr._compiler.ir.scanned import Scanned
from structarr._compiler.rules.algebra import may_miss
from structarr._compiler.rules.constants import algebraic
from structarr._scheduler.assignments import Written, writes_of
from structarr._scheduler.structure import Simplify, static_fill


class Unformatted(Node):
    """A result before it has a format: its modes are its axes, in their order."""

    name: str
    dtype: str
    start: Lit
    updated: bool  # whether an operator updates it
    begun: bool  # whether it begins as a given dense array
    fixed: bool  # whether the user gave the value of unassigned elements
    format: Any  # the Format that the user asks for, or None
    dims: tuple[Expr, ...]

    @property
    def ndim(self) -> int:
        """The number of modes."""
        return len(self.dims)


def appends(made: Unformatted, written: Sequence[Written]) -> bool:
    """Whether a result may be written in order: once, at each of its elements."""
    if len(written) != 1 or not made.ndim:
        return False
    (one,) = written
    indices = one.assign.target.indices
    if not all(isinstance(i, Index) for i in indices) or len(set(indices)) < len(indices):
        return False
    return made.updated or {loop.index for loop in one.loops} == set(indices)


def is_whole(made: Unformatted, one: Written) -> bool:
    """Whether the loops assign to all of a result."""
    if may_miss(one.assign.value):
        return False
    extents = {loop.index: (loop.lo, loop.hi) for loop in one.loops}
    return all(
        extents[i] == (Lit("int64", 0), dim)  # type: ignore[index]
        for i, dim in zip(one.assign.target.indices, made.dims, strict=True)
    )


Held = tuple[Access, Expr]  # a temporary's target, and its value afterwards


def contents(stmt: Stmt, simplify: Simplify) -> dict[Tensor, Held]:
    """The value of each temporary, as one expression, which gives the structure of its readers.

    This holds only if the program does nothing where nothing is stored: the value of a temporary
    whose producer acts even there is not known.
    """
    wheres = [node for node in stmt.nodes() if isinstance(node, Where)]
    unknown: Expr = Lit("int64", 0)
    for node in stmt.nodes():
        if isinstance(node, Loop):
            unknown = unknown + node.index
    found: dict[Tensor, Held] = {}
    for _ in range(2):  # composites follow from their parts
        for where in wheres:
            for temp in where.temps:
                writes = list(writes_of(where.producer, temp))
                later = list(writes_of(where.consumer, temp))
                if later:
                    content = None if writes else _running(temp, later)
                else:
                    content = _content(temp, writes, found, simplify)
                anywhere = Access(temp.dtype, temp, (Index("?"),) * len(temp.dims))
                target = writes[0].assign.target if writes else anywhere
                found[temp] = target, Cast(temp.dtype, unknown) if content is None else content
    return found


def _content(
    temp: Tensor, writes: list[Written], found: Mapping[Tensor, Held], simplify: Simplify
) -> Expr | None:
    """The start of a temporary and its updates; None where they leave no structure."""
    assert isinstance(temp.start, Lit)
    value: Expr = Lit(temp.dtype, temp.start.value, True)
    for one in writes:
        op, given = one.assign.op, one.assign.value
        if one.assign.target is not writes[0].assign.target:
            return None
        if op is None:
            if one.loops or one.conds or temp.dims:
                return None
            value = given
            continue
        fill = static_fill(structure(given, found), simplify)
        update = Assign(one.assign.target, op, fill)
        if op.right_identity is None or not isinstance(simplify(update), Pass):  # type: ignore[arg-type]
            return None
        identity = algebraic(temp.dtype, op.right_identity, True)
        for cond in reversed(one.conds):
            given = Call(temp.dtype, OPS["where"], (cond, given, identity))
        value = Call(temp.dtype, op, (value, given))
    return value


def _running(temp: Tensor, later: list[Written]) -> Expr | None:
    """The value of a variable that one loop updates as it is read; None of any other."""
    (one, *others) = later
    op, given = one.assign.op, one.assign.value
    if others or temp.dims or len(one.loops) != 1 or op is None or one.conds:
        return None
    assert isinstance(temp.start, Lit)
    return Scanned(temp.dtype, op, temp.start, given, one.loops[0].index)


def structure(value: Expr, held: Mapping[Tensor, tuple[Access, Expr]]) -> Expr:
    """A value with the temporaries that it reads replaced by their values."""
    for _ in range(len(held) + 1):
        table: dict[Node, Node] = {}
        for node in value.nodes():
            if isinstance(node, Access) and isinstance(node.obj, Tensor) and node.obj in held:
                target, content = held[node.obj]
                table[node] = substitute(
                    content, dict(zip(target.indices, node.indices, strict=True))
                )
        if not table:
            return value
        value = substitute(value, table)
    return value
