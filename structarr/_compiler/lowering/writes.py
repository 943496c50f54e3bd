"""Writes to results: local accumulators, stored elements, and omitted fills."""

from __future__ import annotations

from structarr._compiler.context import Context
from structarr._compiler.ir.cin import Access, Assign, Fiber, Loop, Where
from structarr._compiler.ir.conditions import le, lt
from structarr._compiler.ir.expr import INDEX, Call, Expr, Lit, Load, maximum, minimum
from structarr._compiler.ir.given import Given
from structarr._compiler.ir.kernel import If, Set
from structarr._compiler.ir.node import Node
from structarr._compiler.ir.variables import Var
from structarr._compiler.looplets.base import rewrite
from structarr._compiler.rules.written import appends, tensor_of, unwritten


def passes_over(loop: Loop, fiber: Fiber) -> bool:
    """Whether a loop over a part of an output's fiber leaves children that are to be opened."""
    whole = loop.lo is Lit(INDEX, 0) and loop.hi is fiber.dim
    return not (whole or fiber.level.writing.appends) and appends(fiber.level.child)


def loops_around(loop: Loop, written: list[Fiber]) -> tuple[list[Loop], list[Loop]]:
    """Loops over the indices before and after those of a loop, of outputs that have no gaps."""
    before: list[Loop] = []
    after: list[Loop] = []
    for fiber in written:
        start = Lit(INDEX, 0)
        whole = loop.lo is start and loop.hi is fiber.dim
        if whole or not fiber.tensor.format.covers(fiber.depth):
            continue
        rest = unwritten(loop.body, fiber.tensor)
        stop = minimum(maximum(loop.lo, loop.hi), fiber.dim)
        before.append(Loop(loop.index, start, minimum(loop.lo, fiber.dim), rest))
        after.append(Loop(loop.index, stop, fiber.dim, rest))
    return before, after


def accumulate(loop: Loop, found: dict[Access, tuple[Fiber, Var]], ctx: Context) -> Loop:
    """Updates of an element that the loop does not index go to a local, stored once after.

    The local begins with the element, which an earlier turn may have updated; an appended element
    is new.
    """
    for node in loop.body.every(Assign):
        if node.op is None or node.target in found:
            continue
        fiber = node.target.obj
        if isinstance(fiber, Fiber) and fiber.level.leaf and not node.target.indices:
            tensor = fiber.tensor
            if tensor.role == "temp" and not tensor.dims:
                continue  # a local of a `where` further in
            if not _is_apart(node.target, fiber, loop, ctx):
                continue
            total = ctx.fresh(f"{tensor.name.lower()}_sum", tensor.dtype, result=True)
            appended = any(isinstance(line, Set) for line in fiber.env)
            start = tensor.start if appended else None
            if tensor.role == "temp":
                _touch(fiber, ctx)
            start = fiber.level.reading.read(fiber) if start is None else start
            ctx.emit(Set(total, start))
            found[node.target] = (fiber, total)
    if not found:
        return loop

    def swap(access: Access) -> Node | None:
        if access in found:
            return Access(access.dtype, found[access][1], ())
        return None

    return Loop(loop.index, loop.lo, loop.hi, rewrite(loop.body, swap))


def _is_apart(target: Access, fiber: Fiber, loop: Loop, ctx: Context) -> bool:
    """Whether nothing else that a loop writes can be the element of a target."""
    if any(fiber.tensor in where.temps for where in loop.body.every(Where)):
        return False  # each turn begins another
    for node in loop.body.every(Assign):
        if node.target is target:
            continue
        other = node.target
        if tensor_of(other) is not fiber.tensor:
            continue
        # A vector's other elements, those of the loop, where they are all before or after.
        alone = len(fiber.tensor.dims) == 1 and fiber.level.leaf and other.indices == (loop.index,)
        before, after = lt(fiber.pos, loop.lo), le(loop.hi, fiber.pos)
        if not alone or not (ctx.proves(before) or ctx.proves(after)):
            return False
    return True


def write(assign: Assign, ctx: Context) -> None:
    """Write a value to a local, or to an element whose place is found."""
    place, op, value = assign.target.obj, assign.op, assign.value
    if isinstance(place, Var):
        if op is not None:
            value = Call(place.dtype, op, (place, value))
        ctx.emit(Set(place, value))
        return
    assert isinstance(place, Fiber)
    if place.tensor.role == "temp":
        place = _touch(place, ctx)
    if op is not None:
        new = any(isinstance(line, Set) for line in place.env)  # one that is appended
        before = place.tensor.start if new else place.level.reading.read(place)
        assert before is not None
        value = Call(place.tensor.dtype, op, (before, value))
    if op is None and _may_be_fill(place, value):
        with ctx.block() as lines:
            place.level.writing.write(place, value, ctx)
        ctx.emit(If(((ctx.differ(value, place.fill), tuple(lines)),)))
        return
    place.level.writing.write(place, value, ctx)


def _touch(place: Fiber, ctx: Context) -> Fiber:
    """An element of a workspace that is recorded, so that it may be read as well."""
    ctx.emit(*place.env)  # type: ignore[arg-type]
    return Fiber(place.tensor, place.level, place.depth, place.pos, (), place.path)


def _may_be_fill(place: Fiber, value: Expr) -> bool:
    """Whether a value is the fill although it does not look like it: both depend on scalars.

    A list has room only for what operands store, so this is not left to the rules of algebra.
    """
    tensor = place.tensor
    if not place.depth or tensor.start is not None or isinstance(place.fill, Lit):
        return False
    level = tensor.format.levels[place.depth - 1]
    return bool(level.writing.drops_fill) and not level.writing.regions and not _reads(value)


def _reads(value: Expr) -> bool:
    """Whether a value depends on an element of an operand."""
    return any(
        isinstance(node, Load | Access) or (isinstance(node, Var) and not isinstance(node, Given))
        for node in value.nodes()
    )
