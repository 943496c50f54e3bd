"""The results of a kernel: how much each level may store, as expressions that a call evaluates."""

from __future__ import annotations

from collections.abc import Iterator

from structarr._compiler.context import Context
from structarr._compiler.ir.cin import Access, Assign, Loop, Tensor, Where, driver
from structarr._compiler.ir.expr import Expr, Index
from structarr._compiler.ir.given import extent
from structarr._compiler.ir.kernel import Line
from structarr._compiler.ir.node import Node
from structarr._compiler.ir.variables import Var
from structarr._compiler.rules.constants import same_constant
from structarr._compiler.rules.engine import Simplifier
from structarr._scheduler.accesses import operands, source
from structarr._scheduler.allocation_bounds import allocation_bound
from structarr._scheduler.assemble import Output, Program
from structarr._scheduler.bound_terms import ONE, Extents
from structarr._scheduler.compiled import Result
from structarr._scheduler.indexing import Indexed
from structarr._scheduler.overwritten import overwrites
from structarr._scheduler.result_structure import keeps_fill
from structarr._scheduler.structure import Simplify, static_fill
from structarr.formats.base import Level
from structarr.formats.kinds import DENSE


def result_of(
    output: Output,
    program: Program,
    block: tuple[Line, ...],
    ctx: Context,
    counts: list[Var],
    simplify: Simplifier,
) -> Result:
    """A result with the bounds of what each of its levels stores."""
    levels = output.format.levels[:-1]
    if output.tensor in ctx.sharing:
        operand = program.inputs[ctx.sharing[output.tensor].name].number
        none = ((),) * len(levels), (None,) * len(levels)
        return Result(output.format, output.fill, output.tensor.start, *none, False, operand)
    counters: list[tuple[int, ...]] = []
    for depth, level in enumerate(levels):
        found = [ctx.counters[output.tensor, depth, tally] for tally in level.writing.counters]
        counters.append(tuple(counts.index(var) for var in found))
    extents = _extents(output, program)
    drops = output.format.drops_fill  # otherwise all fibers of a band are written
    kinds = tuple(level.kind if drops or not level.writing.regions else DENSE for level in levels)
    everywhere = not keeps_fill(output.holds, simplify)
    other = has_other_fill(output.holds, output.fill, simplify)
    late = frozenset(_looked_up_late(program.stmt, program))
    rows = frozenset(_scattered(program))
    bounds = []
    for k, level in enumerate(levels):
        near = _reach(levels, k)
        modes = output.modes[:near]
        gaps = kinds[near - 1].has_stretches_of_runs  # which are counted as well
        every = everywhere or (other and not gaps)
        formula = allocation_bound(
            output.holds.value, modes, kinds[:near], extents, simplify, late, every, rows
        )
        bounds.append(formula if level.writing.appends else None)
    start = output.tensor.start
    return Result(
        output.format,
        output.fill,
        start,
        tuple(counters),
        tuple(bounds),
        _is_overwritten(output, block),
    )


def _is_overwritten(output: Output, block: tuple[Line, ...]) -> bool:
    """Whether a kernel stores each element of a dense array anew."""
    if not output.format.is_dense or len(output.format.levels) == 1:
        return False
    fiber = output.tensor.root()
    while not fiber.level.leaf:
        fiber = fiber.child(fiber.pos)
    (name,) = fiber.level.buffers or (None,)
    # The loops of a program may end before the result does.
    return name is not None and overwrites(block, fiber.buffer(name), output.tensor.dims)


def _extents(output: Output, program: Program) -> Extents:
    """The extents of a result's modes and of what is summed, as the lengths that a call gives."""
    extents: Extents = {}
    known = [i for i in output.holds.reduced if extent(i) in program.lengths]
    for i in (*output.holds.result, *known):
        dim = output.holds.extents.get(i)
        own = extent(i)
        extents[i] = own if own in program.lengths or dim is None else dim
    for i, level in zip(output.modes, output.format.levels, strict=False):
        if level.kind.is_constant:
            extents[i] = ONE  # one child for all indices
    return extents


def _looked_up_late(
    node: Node, program: Program, around: tuple[Index, ...] = ()
) -> Iterator[tuple[int, Index]]:
    """Operands with the modes by which they are looked up: a level above is found further in."""
    if not node.has(Access):
        return
    if isinstance(node, Loop):
        around = (*around, node.index)
    for part in node.indices if isinstance(node, Access) else node.parts():
        yield from _looked_up_late(part, program, around)
    if isinstance(node, Access) and isinstance(node.obj, Tensor):
        operand = program.inputs.get(node.obj.name)
        if operand is not None:
            for index in _found_before_others(node, around):
                yield operand.number, index


def _found_before_others(access: Access, around: tuple[Index, ...]) -> Iterator[Index]:
    """The indices of an access of which a loop is around what a level above needs.

    A level above that its own index walks over is found in that loop, any other within it.
    """
    place = {i: 2 * k for k, i in enumerate(around)}
    above = -1
    for expr in access.indices:
        mine = driver(expr)
        if isinstance(mine, Index) and place.get(mine, above) < above:
            yield mine
        walks = mine if not any(expr.every(Access)) else None
        above = max([above, *(place.get(i, -1) + (i is not walks) for i in expr.every(Index))])


def _scattered(program: Program) -> Iterator[tuple[int, tuple[Expr, ...]]]:
    """The operands that are copied into workspaces as they are, in which loops look them up."""
    for where in program.stmt.every(Where):
        for made in where.producer.every(Assign):
            value = made.value
            if made.op is not None or made.target.obj not in where.temps:
                continue
            if isinstance(value, Access) and isinstance(value.obj, Tensor):
                operand = program.inputs.get(value.obj.name)
                if operand is not None:
                    yield operand.number, value.indices


def _reach(levels: tuple[Level, ...], depth: int) -> int:
    """The number of modes whose indices tell the children of a level apart."""
    depth += 1
    while depth < len(levels) and levels[depth].continues_group:
        depth += 1
    return depth


def has_other_fill(holds: Indexed, fill: Expr, simplify: Simplify) -> bool:
    """Whether the operands' fills make a value that is not the result's fill, so it is stored.

    For a reduction, its start decides.
    """
    if holds.op is not None or same_constant(static_fill(holds.value, simplify), fill):
        return False
    levels = [level for one in operands(holds.value) for level in source(one).format.levels]
    return any(level.kind.is_sparse for level in levels)
