"""Programs in concrete index notation, assembled from scheduled expressions."""

from __future__ import annotations

from dataclasses import dataclass

from structarr._compiler.ir.arrays import Input
from structarr._compiler.ir.cin import (
    Access,
    Assign,
    Loop,
    Multi,
    Sieve,
    Stmt,
    Tensor,
    Where,
)
from structarr._compiler.ir.expr import Call, Expr, Helper, Index, Lit
from structarr._compiler.ir.given import Given, extent
from structarr._compiler.ir.node import substitute
from structarr._compiler.rules.constants import literal
from structarr._scheduler.accesses import ZERO, mode_of, operands, source
from structarr._scheduler.indexing import Indexed, total
from structarr._scheduler.loop_order import Schedule, finishes, in_order
from structarr._scheduler.named_operands import (
    length_of,
    name_of_form,
    operand,
    operand_names,
    renamed,
    strided,
)
from structarr._scheduler.scans import after, carrying, scan_order, with_states
from structarr._scheduler.structure import Simplify, static_fill
from structarr._scheduler.tensor_names import unused
from structarr._support.records import record
from structarr.formats import Element, Format, Level
from structarr.formats.kind import ModeStructure
from structarr.formats.workspace import Workspace


@record
class Output:
    """A result: the tensor that the program writes, how it is stored, and what it holds."""

    tensor: Tensor
    format: Format  # as it is stored
    fill: Expr
    holds: Indexed  # the expression that bounds its room
    modes: tuple[Index, ...]  # in the order of the format


@dataclass
class Program:
    """A statement, with the operands and results that its tensors stand for."""

    stmt: Stmt
    outputs: tuple[Output, ...]
    inputs: dict[str, Input]  # operands by name
    lengths: tuple[Given, ...]  # the variables of the loops' extents
    temps: tuple[Tensor, ...] = ()


def assemble(
    program: Indexed, plan: Schedule, simplify: Simplify, index: str, wanted: Format | None
) -> Program:
    """Name the tensors, make the output, nest the loops."""
    last = program.value if program.then is None else program.then
    accesses = tuple(dict.fromkeys((*operands(program.value), *operands(last))))
    letters = operand_names()
    inputs: dict[str, Input] = {}
    table: dict[Access, Access] = {}
    place = {i: k for k, i in enumerate(plan.order)}
    for access in accesses:
        found = source(access)
        called = found.number in program.names
        taken = {*program.names.values(), program.name}
        name = name_of_form(found, program.names, inputs, taken) if called else next(letters)
        inputs[name] = found
        order = zip(found.format.order, in_order(access, place), strict=True)
        dims = tuple(length_of(found, axis, expr, program) for axis, expr in order)
        table[access] = operand(access, name, place, dims)
    value = renamed(program.value, table)
    result = tuple(i for i in plan.order if i in plan.modes)
    dtype = last.dtype if program.then is not None else program.dtype
    fill = _fill(program, simplify)
    stored = wanted or formatted(program, plan, result, index)
    dims = tuple(program.extents[i] for i in program.result)
    axes = tuple(program.result.index(i) for i in result)
    # A row is updated, or a sum that is stored when it is complete, instead of the result.
    then = renamed(program.then, table) if program.then is not None else None
    if then is None and _adds_once(program, plan):
        then = total(program.dtype)
    start = None if plan.workspace or then is not None else program.start
    made = output(program.name, stored, plan.dense, dtype, fill, dims, axes, start)
    target = Access(dtype, made, result)
    if then is None:
        stmt, temps = _nest(program, plan, target, value, fill)
    else:
        stmt, temps = _with_epilogue(program, plan, target, value, then)
    every = program.result + program.reduced
    kept = Output(made, stored, fill, program, result)
    lengths = (*map(extent, every), *program.lengths)
    return Program(stmt, (kept,), inputs, lengths, temps)


def _adds_once(program: Indexed, plan: Schedule) -> bool:
    """Whether each element of a result is complete after one term: one place of each row is stored.

    What starts such a result, and is read again, takes as long as what is added.
    """
    if len(program.reduced) != 1 or program.start is None or program.begun or not finishes(plan):
        return False
    summed = plan.order[-1]
    for access in operands(program.value):
        levels = source(access).format.levels
        level = mode_of(access, summed)
        if level is not None and levels[level].kind.holds_one:
            return True
    return False


def _fill(program: Indexed, simplify: Simplify) -> Expr:
    value = program.value
    if program.start is not None:
        if program.then is None:
            return program.start
        value = substitute(program.then, {total(program.dtype): program.start})
    fill = static_fill(value, simplify)
    if fill.has(Index):
        return literal(program.dtype, 0)  # a value that depends on the index is stored everywhere
    return Lit(fill.dtype, fill.value) if isinstance(fill, Lit) else fill


def formatted(program: Indexed, plan: Schedule, result: tuple[Index, ...], index: str) -> Format:
    """The format of a result, by the structure of its modes."""
    order = tuple(program.result.index(i) for i in result)
    if plan.dense:
        order = tuple(range(len(result)))
    root: Level = Element()
    own = _shared(program, plan, result)
    for depth, i in reversed(list(enumerate(result))):
        made = plan.modes[i].kind.made(root, *plan.modes[i].details)
        root = made if own is None else own[depth].above(root)
    return Format(root, order, index)


def _shared(
    program: Indexed, plan: Schedule, result: tuple[Index, ...]
) -> tuple[Level, ...] | None:
    """The levels that all sparse operands have in common, if they fit the modes.

    Several kinds of levels may have one structure: a sum of two hashed arrays is hashed.
    """
    found: set[tuple[Level, ...]] = set()
    for access in operands(program.value):
        levels = source(access).format.levels[:-1]
        if any(level.kind.is_sparse for level in levels):
            found.add(tuple(level.above(Element()) for level in levels))
            if in_order(access, {i: k for k, i in enumerate(plan.order)}) != result:
                return None
    if program.reduced or len(found) != 1:
        return None
    (levels,) = found
    modes = tuple(ModeStructure(level.kind, level.details) for level in levels)
    fits = all(plan.modes[i] is one for i, one in zip(result, modes, strict=True))
    return (
        levels if fits and not any(level.prepares or level.is_partial for level in levels) else None
    )


def output(
    name: str,
    stored: Format,
    dense: bool,
    dtype: str,
    fill: Expr,
    lengths: tuple[Expr, ...],
    axes: tuple[int, ...],
    start: Expr | None,
) -> Tensor:
    """The tensor of a result: `axes` in the order of its modes, `lengths` in that of its axes."""
    view = stored
    if dense and axes:
        root = strided([lengths[k] for k in stored.order], [stored.order.index(k) for k in axes])
        view = Format(root, stored.order, stored.index)
    dims = tuple(lengths[axis] for axis in axes)
    return Tensor(name, view, dtype, fill, dims, "out", start)


def _nest(
    program: Indexed, plan: Schedule, target: Access, value: Expr, fill: Expr
) -> tuple[Stmt, tuple[Tensor, ...]]:
    if plan.workspace:
        return _with_workspace(program, plan, target, value)
    parts = _summands(program, value)
    if len(parts) > 1:
        sums = (_loops(program, plan.order, Assign(target, program.op, part)) for part in parts)
        return Multi(tuple(sums)), ()
    cut = scan_order(program, plan.order, plan.modes)
    assert cut is not None
    value, updates, temps = with_states(program, plan.order[cut + 1 :], value, program.name)
    stmt: Stmt = Assign(target, program.op, value)
    if program.prune and program.op is None:
        stmt = Sieve(Helper("bool", "differ", (value, fill)), stmt)
    inner = carrying(_loops(program, plan.order[cut:], after(updates, stmt)), temps)
    return _loops(program, plan.order[:cut], inner), temps


def _summands(program: Indexed, value: Expr) -> list[Expr]:
    """The terms of a sum over all modes, each with a loop of its own.

    A term with fewer structures to merge takes a simpler loop. Dense terms stay in one.
    """
    whole = not program.result and program.op is not None and program.op.name == "add"
    if not (whole and isinstance(value, Call) and value.op.name == "add"):
        return [value]
    if not all(_is_sparse(arg) for arg in value.args):
        return [value]
    return [part for arg in value.args for part in _summands(program, arg)]


def _is_sparse(value: Expr) -> bool:
    return any(
        level.kind.is_sparse
        for node in value.nodes()
        if isinstance(node, Access) and isinstance(node.obj, Tensor)
        for level in node.obj.format.levels
    )


def _with_workspace(
    program: Indexed, plan: Schedule, target: Access, value: Expr
) -> tuple[Stmt, tuple[Tensor, ...]]:
    """A statement that collects the last mode at random in a workspace, then writes it in order."""
    last = target.indices[-1]
    assert isinstance(last, Index) and program.start is not None
    start = min(plan.order.index(r) for r in program.reduced)
    row = Format(Workspace(Element()), (0,), target.obj.format.index)  # type: ignore[attr-defined]
    read = {one.obj.name for one in value.every(Access) if isinstance(one.obj, Tensor)}
    name = unused("W", {*read, program.name})
    temp = Tensor(
        name, row, program.dtype, program.start, (program.extents[last],), "temp", program.start
    )
    cell = Access(program.dtype, temp, (last,))
    producer = _loops(program, plan.order[start:], Assign(cell, program.op, value))
    consumer = _loops(program, (last,), Assign(target, None, cell))
    where = Where(consumer, producer, (temp,))
    return _loops(program, plan.order[:start], where), (temp,)


def _with_epilogue(
    program: Indexed, plan: Schedule, target: Access, value: Expr, then: Expr
) -> tuple[Stmt, tuple[Tensor, ...]]:
    """A statement that sums up one element after the other, and stores what becomes of each."""
    assert program.start is not None
    cut = len(target.indices)
    accesses = (*value.every(Access), *then.every(Access))
    read = {one.obj.name for one in accesses if isinstance(one.obj, Tensor)}
    temp = Tensor(
        unused("t", {*read, program.name}),
        Format(Element(), ()),
        program.dtype,
        program.start,
        (),
        "temp",
        program.start,
    )
    cell = Access(program.dtype, temp, ())
    producer = _loops(program, plan.order[cut:], Assign(cell, program.op, value))
    stored = substitute(then, {total(program.dtype): cell})
    where = Where(Assign(target, None, stored), producer, (temp,))
    return _loops(program, plan.order[:cut], where), (temp,)


def _loops(program: Indexed, order: tuple[Index, ...], stmt: Stmt) -> Stmt:
    for i in reversed(order):
        stmt = Loop(i, ZERO, program.extents[i], stmt)
    return stmt
