"""Programs whose loops the user has ordered: names of operands, formats of results."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence

from structarr._compiler.ir.arrays import Input
from structarr._compiler.ir.cin import Access, Loop, Multi, Sieve, Stmt, Tensor, Where, driver
from structarr._compiler.ir.expr import Expr, Index
from structarr._compiler.ir.given import Given
from structarr._compiler.ir.node import Node, substitute
from structarr._scheduler.accesses import operands, source
from structarr._scheduler.assemble import Program
from structarr._scheduler.assignments import writes_of
from structarr._scheduler.discordant import Discordant
from structarr._scheduler.loop_order import in_order, is_dense
from structarr._scheduler.named_operands import name_of_form, operand, renamed
from structarr._scheduler.result_formats import output_of
from structarr._scheduler.results_unformatted import Unformatted, contents, structure
from structarr._scheduler.structure import Simplify, mode_structure
from structarr.formats import Format
from structarr.formats.element import Element
from structarr.formats.row import Row


def assemble_loops(
    stmt: Stmt,
    results: Sequence[Unformatted],
    names: Mapping[int, str],
    dims: Mapping[tuple[int, int], Expr],
    lengths: tuple[Given, ...],
    simplify: Simplify,
    index: str,
    searches: bool = False,
) -> Program | Discordant:
    """Assemble a program, unless operands are not stored in the order in which loops read them.

    With `searches`, accesses out of order are searched.

    Raises
    ------
    ProgramError
        If a result cannot be written in the format that is asked for.
    """
    stmt = _with_rows(stmt, simplify)
    place = {i: k for k, i in enumerate(_indices(stmt))}
    moved = {} if searches else _discordant(stmt, place)
    if moved:
        return Discordant(moved)
    written = {made: list(writes_of(stmt, made)) for made in results}
    held = contents(stmt, simplify)
    outputs = [output_of(made, written[made], held, place, simplify, index) for made in results]
    temps = tuple(t for node in stmt.nodes() if isinstance(node, Where) for t in node.temps)
    taken = {*names.values(), *(one.name for one in results), *(one.name for one in temps)}
    table, inputs = _named(stmt, names, dims, place, taken)
    for made, out in zip(results, outputs, strict=True):
        for access in (one.assign.target for one in written[made]):
            given = tuple(access.indices[axis] for axis in out.tensor.format.order)
            table[access] = Access(access.dtype, out.tensor, given)
    return Program(renamed(stmt, table), tuple(outputs), inputs, lengths, temps)


def _with_rows(stmt: Stmt, simplify: Simplify) -> Stmt:
    """Temporaries of which everything is written as dense rows, which need no list of indices."""
    held = contents(stmt, simplify)
    table: dict[Node, Node] = {}
    for temp, (target, value) in held.items():
        if not temp.dims or not isinstance(target.indices[0], Index):
            continue
        found = mode_structure(structure(value, held), target.indices[0], simplify)
        if not found.kind.is_sparse:
            row = Format(Row(Element()), (0,), temp.format.index)
            table[temp] = Tensor(
                temp.name, row, temp.dtype, temp.fill, temp.dims, "temp", temp.start
            )
    return substitute(stmt, table) if table else stmt


def _indices(stmt: Stmt) -> Iterator[Index]:
    """The indices of the loops, outer ones first."""
    match stmt:
        case Loop(index, _, _, body):
            yield index
            yield from _indices(body)
        case Sieve(_, body):
            yield from _indices(body)
        case Where(consumer, producer):
            yield from _indices(producer)
            yield from _indices(consumer)
        case Multi(stmts):
            for one in stmts:
                yield from _indices(one)


def _discordant(stmt: Stmt, place: dict[Index, int]) -> dict[int, tuple[int, ...]]:
    """The operands that are stored in another order than they are read in, with that order."""
    orders: dict[int, set[tuple[int, ...]]] = {}
    for access in operands(stmt):
        found = source(access)
        given = in_order(access, place)
        plain = [driver(one) for one in given]
        if is_dense(found) or not all(isinstance(one, Index) for one in plain):
            continue
        modes = zip(plain, found.format.order, strict=True)
        wanted = tuple(axis for _, axis in sorted(modes, key=lambda mode: place[mode[0]]))  # type: ignore[index]
        orders.setdefault(found.number, set()).add(wanted)
    formats = {source(a).number: source(a).format for a in operands(stmt)}
    return {
        number: next(iter(wanted))
        for number, wanted in orders.items()
        if len(wanted) == 1 and next(iter(wanted)) != formats[number].order
    }


def _named(
    stmt: Stmt,
    names: Mapping[int, str],
    dims: Mapping[tuple[int, int], Expr],
    place: dict[Index, int],
    taken: Collection[str],
) -> tuple[dict[Access, Access], dict[str, Input]]:
    """Every access of an operand as one of its named tensor, and the operands by those names."""
    table: dict[Access, Access] = {}
    inputs: dict[str, Input] = {}
    for access in operands(stmt):
        found = source(access)
        own = tuple(dims[found.number, axis] for axis in found.format.order)
        name = name_of_form(found, names, inputs, taken)
        inputs[name] = found
        table[access] = operand(access, name, place, own)
    return table, inputs
