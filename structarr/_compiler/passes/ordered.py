"""A program whose loops are in an order: formats for its results, names and storage for all.

A result that one assignment writes, in the order of its axes, has the structure of what it is
assigned; any other is dense, since it is written at random.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from structarr._compiler.ir.arrays import Input
from structarr._compiler.ir.cin import (
    Access,
    Assign,
    Loop,
    Multi,
    Pass,
    Permit,
    Sieve,
    Stmt,
    Tensor,
    Where,
    driver,
)
from structarr._compiler.ir.expr import Call, Cast, Coalesce, Expr, Index, Lit, le, lt
from structarr._compiler.ir.node import Node, substitute
from structarr._compiler.ir.ops import OPS
from structarr._compiler.passes.assemble import Output, Program, formatted, operand, output, renamed
from structarr._compiler.passes.index import Indexed, operands, source
from structarr._compiler.passes.schedule import (
    RANDOM,
    Schedule,
    in_order,
    is_dense,
    words_in,
)
from structarr._compiler.passes.words import (
    DENSE,
    Simplify,
    Word,
    is_sparse,
    static_fill,
    word,
)
from structarr._compiler.rules.algebra import literal, same_constant
from structarr.errors import ProgramError
from structarr.formats import Element, Format
from structarr.formats.names import name_of
from structarr.formats.row import Row


class Made(Node):
    """A result before it has a format: its modes are its axes, in their order."""

    name: str
    dtype: str
    start: Lit
    updated: bool  # by an operator
    begun: bool  # it begins as a given dense array
    fixed: bool  # what stands where nothing is assigned is the user's word
    format: Any  # a Format where one is asked for, else None
    dims: tuple[Expr, ...]

    @property
    def ndim(self) -> int:
        """The number of modes."""
        return len(self.dims)


@dataclass(frozen=True)
class Written:
    """One assignment to a result, with the loops and conditions that it stands in."""

    assign: Assign
    loops: tuple[Loop, ...]
    conds: tuple[Expr, ...]


class Discordant(Exception):
    """Operands are to be stored in another order first: their axes, by number."""

    def __init__(self, orders: dict[int, tuple[int, ...]]) -> None:
        super().__init__("discordant")
        self.orders = orders


def ordered(
    stmt: Stmt,
    results: Sequence[Made],
    names: Mapping[int, str],
    dims: Mapping[tuple[int, int], Expr],
    lengths: tuple[str, ...],
    simplify: Simplify,
    index: str,
    searches: bool = False,
) -> Program:
    """Assemble a program; with `searches`, what is read out of order is searched.

    Raises
    ------
    Discordant
        If operands are not stored in the order in which the loops read them.
    ProgramError
        If a result cannot be written in the format that is asked for.
    """
    stmt = _with_rows(stmt, simplify)
    place = {i: k for k, i in enumerate(_indices(stmt))}
    if not searches:
        _concordant(stmt, place)
    written = {made: list(_written(stmt, made)) for made in results}
    inlined = _inlined(stmt)
    outputs = [_output(made, written[made], inlined, place, simplify, index) for made in results]
    table: dict[Access, Access] = {}
    inputs: dict[str, Input] = {}
    for access in operands(stmt):
        found = source(access)
        own = tuple(dims[found.number, axis] for axis in found.format.order)
        free = iter(f"{names[found.number]}{suffix}" for suffix in ("", *_SUFFIXES))
        while True:
            name = next(free)
            made_access = operand(access, name, place, own)
            known = inputs.get(name)
            if known is None or known is found:
                break
        inputs[name] = found
        table[access] = made_access
    for made, (out, _) in zip(results, outputs, strict=True):
        for access in _targets(stmt, made):
            given = tuple(access.indices[axis] for axis in out.tensor.format.order)
            table[access] = Access(access.dtype, out.tensor, given)
    temps = tuple(t for node in stmt.nodes() if isinstance(node, Where) for t in node.temps)
    body = renamed(stmt, table)
    return Program(body, tuple(out for out, _ in outputs), inputs, lengths, temps)


_SUFFIXES = tuple("bcdefghijklmnopqrstuvwxyz")


def _with_rows(stmt: Stmt, simplify: Simplify) -> Stmt:
    """Temporaries of which everything is written as dense rows, which need no list of indices."""
    inlined = _inlined(stmt)
    table: dict[Node, Node] = {}
    for temp, (target, value) in inlined.items():
        if not temp.dims or not isinstance(target.indices[0], Index):
            continue
        found = word(_structure(value, inlined), target.indices[0], simplify)
        if not is_sparse(found.kind):
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


def _concordant(stmt: Stmt, place: Mapping[Index, int]) -> None:
    """Ask for copies of the operands that are stored in another order than they are read in."""
    orders: dict[int, set[tuple[int, ...]]] = {}
    for access in operands(stmt):
        found = source(access)
        given = in_order(access, dict(place))
        plain = [driver(one) for one in given]
        if is_dense(found) or not all(isinstance(one, Index) for one in plain):
            continue
        modes = zip(plain, found.format.order, strict=True)
        wanted = tuple(axis for _, axis in sorted(modes, key=lambda mode: place[mode[0]]))  # type: ignore[index]
        orders.setdefault(found.number, set()).add(wanted)
    formats = {source(a).number: source(a).format for a in operands(stmt)}
    moved = {
        number: next(iter(wanted))
        for number, wanted in orders.items()
        if len(wanted) == 1 and next(iter(wanted)) != formats[number].order
    }
    if moved:
        raise Discordant(moved)


def _written(
    stmt: Stmt, made: Made, loops: tuple[Loop, ...] = (), conds: tuple[Expr, ...] = ()
) -> Iterator[Written]:
    match stmt:
        case Assign(target) if target.obj is made:
            yield Written(stmt, loops, conds)
        case Loop(body=body):
            yield from _written(body, made, (*loops, stmt), conds)
        case Sieve(cond, body):
            yield from _written(body, made, loops, (*conds, cond))
        case Where(consumer, producer):
            yield from _written(producer, made, loops, conds)
            yield from _written(consumer, made, loops, conds)
        case Multi(stmts):
            for one in stmts:
                yield from _written(one, made, loops, conds)


def _targets(stmt: Stmt, made: Made) -> list[Access]:
    return [one.assign.target for one in _written(stmt, made)]


def _inlined(stmt: Stmt) -> dict[Tensor, tuple[Access, Expr]]:
    """What the temporaries hold, as one expression, to tell the structure of what reads them."""
    found: dict[Tensor, tuple[Access, Expr]] = {}
    for node in stmt.nodes():
        if not isinstance(node, Assign) or not isinstance(node.target.obj, Tensor):
            continue
        temp = node.target.obj
        if temp in found:
            before = found[temp][1]
            value: Expr = Call(temp.dtype, OPS["add"], (before, node.value))
        else:
            value = node.value
        found[temp] = node.target, value
    return found


def _structure(value: Expr, inlined: Mapping[Tensor, tuple[Access, Expr]]) -> Expr:
    """A value with the temporaries that it reads replaced by what they are made of."""
    for _ in range(len(inlined) + 1):
        table: dict[Node, Node] = {}
        for node in value.nodes():
            if isinstance(node, Access) and isinstance(node.obj, Tensor) and node.obj in inlined:
                target, held = inlined[node.obj]
                table[node] = substitute(held, dict(zip(target.indices, node.indices, strict=True)))
        if not table:
            return value
        value = substitute(value, table)
    return value


def _output(
    made: Made,
    written: list[Written],
    inlined: Mapping[Tensor, tuple[Access, Expr]],
    place: dict[Index, int],
    simplify: Simplify,
    index: str,
) -> tuple[Output, Indexed]:
    holds = _holds(made, written, inlined)
    fill: Expr = literal(made.dtype, 0) if made.begun else Lit(made.dtype, made.start.value)
    words: dict[Index, Word] = dict.fromkeys(holds.result, DENSE)
    order = tuple(sorted(place, key=place.__getitem__))
    once = not made.begun and _appends(made, written)
    if once:
        words = _words(made, written[0], holds, order, simplify)
        if (
            not made.fixed
            and not made.updated
            and not written[0].conds
            and _is_whole(made, written[0])
        ):
            found = static_fill(holds.value, simplify)
            fill = Lit(found.dtype, found.value) if isinstance(found, Lit) else fill
    dense = all(one is DENSE for one in words.values())
    result = tuple(i for i in order if i in words)
    plan = Schedule(order, words)
    if made.format is not None:
        stored = _asked(made, written, place)
        dense = stored.is_dense
        result = tuple(holds.result[axis] for axis in stored.order)
    elif dense:
        result = holds.result
        stored = formatted(holds, Schedule(order, words), result, index)
    else:
        stored = formatted(holds, plan, result, index)
    start = None if once and not made.updated else made.start
    tensor = output(made.name, stored, dense, made.dtype, fill, made.dims, stored.order, start)
    return Output(tensor, stored, fill, holds, result), holds


def _holds(
    made: Made, written: list[Written], inlined: Mapping[Tensor, tuple[Access, Expr]]
) -> Indexed:
    """What a result holds, as one expression over its indices and the reduced ones."""
    first = written[0]
    plain = [i for i in first.assign.target.indices if isinstance(i, Index)]
    result = tuple(plain) if len(set(plain)) == made.ndim else _stand_ins(made)
    value: Expr = _structure(first.assign.value, inlined)
    keeps = None if first.assign.op is None else first.assign.op.right_identity
    conds = (*first.conds, *(cond for loop in first.loops for cond in _bounds(loop)))
    for cond in reversed(conds):
        unchanged = literal(made.dtype, made.start.value if keeps is None else keeps, True)
        value = Call(made.dtype, OPS["where"], (_structure(cond, inlined), value, unchanged))
    reduced = tuple(loop.index for loop in first.loops if loop.index not in result)
    extents = dict(zip(result, made.dims, strict=True))
    op = first.assign.op
    start = made.start if made.updated else None
    return Indexed(value, result, reduced, op, start, made.dtype, extents)


def _bounds(loop: Loop) -> Iterator[Expr]:
    """The bounds of a loop that depend on the indices around it, as conditions."""
    if any(isinstance(node, Index) for node in loop.lo.nodes()):
        yield le(loop.lo, loop.index)
    if any(isinstance(node, Index) for node in loop.hi.nodes()):
        yield lt(loop.index, loop.hi)


def _stand_ins(made: Made) -> tuple[Index, ...]:
    return tuple(Index(f"{made.name}_at{axis}") for axis in range(made.ndim))


def _appends(made: Made, written: list[Written]) -> bool:
    """Whether a result may be written in order: once, at each of its elements."""
    if len(written) != 1 or not made.ndim:
        return False
    (one,) = written
    indices = one.assign.target.indices
    if not all(isinstance(i, Index) for i in indices) or len(set(indices)) < len(indices):
        return False
    return made.updated or {loop.index for loop in one.loops} == set(indices)


def may_miss(value: Expr) -> bool:
    """Whether a value may be missing: read at a permitted index, with nothing in its place."""
    match value:
        case Coalesce(_, args):
            return all(map(may_miss, args))
        case Access(_, _, indices):
            return any(isinstance(node, Permit) for i in indices for node in i.nodes())
        case Call(_, _, args):
            return any(map(may_miss, args))
        case Cast(_, arg):
            return may_miss(arg)
    return False


def _is_whole(made: Made, one: Written) -> bool:
    """Whether the loops assign to all of a result."""
    if may_miss(one.assign.value):
        return False
    extents = {loop.index: (loop.lo, loop.hi) for loop in one.loops}
    return all(
        extents[i] == (Lit("int64", 0), dim)  # type: ignore[index]
        for i, dim in zip(one.assign.target.indices, made.dims, strict=True)
    )


_PARTIAL = {
    "runs": Word("intervals"),
    "const": Word("interval"),
    "packbits": DENSE,
    "symmetric": DENSE,
    "hermitian": DENSE,
    "diagonals": Word("list"),
    "upper": Word("band"),
    "lower": Word("band"),
    "bitmap": Word("bitmap"),
}
"""What holds a part of a mode of each kind: the rest is not written."""


_UPDATED = {
    "const": DENSE,
    "runs": DENSE,
    "packbits": DENSE,
    "interval": Word("band"),
    "intervals": Word("blocks"),
}
"""What holds elements that are updated one by one: no level of runs."""


def _words(
    made: Made, one: Written, holds: Indexed, order: tuple[Index, ...], simplify: Simplify
) -> dict[Index, Word]:
    every = holds.result + holds.reduced
    own = {i: word(holds.value, i, simplify) for i in every}
    found = words_in(holds, own, tuple(i for i in order if i in every), simplify)
    if not _is_whole(made, one) or one.conds:
        found = {i: _PARTIAL.get(w.kind, w) for i, w in found.items()}
    if made.updated:
        found = {i: _UPDATED.get(w.kind, w) for i, w in found.items()}
    if not _leaves(made, one, static_fill(holds.value, simplify), simplify):
        return dict.fromkeys(found, DENSE)
    first = min((k for k, i in enumerate(order) if i in holds.reduced), default=len(order))
    late = [i for i in order[first:] if i in found]
    if any(found[i].kind not in RANDOM for i in late):
        found = {i: DENSE if i in late else w for i, w in found.items()}
    if any(w.kind in _RELATED_OR_RUNS for w in found.values()) and DENSE in found.values() and late:
        found = dict.fromkeys(found, DENSE)
    return found


def _leaves(made: Made, one: Written, fill: Expr, simplify: Simplify) -> bool:
    """Whether a result is its own fill where what it is made of is a fill."""
    target, op = one.assign.target, one.assign.op
    if op is not None:
        return isinstance(simplify(Assign(target, op, fill)), Pass)  # type: ignore[arg-type]
    return same_constant(fill, made.start) or (not made.fixed and _is_whole(made, one))


_RELATED_OR_RUNS = ("upper", "lower", "diagonals", "symmetric", "hermitian", "runs", "packbits")


def _asked(made: Made, written: list[Written], place: Mapping[Index, int]) -> Format:
    """The format that the user asks for, if the loops can write it."""
    fmt: Format = made.format
    if fmt.ndim != made.ndim:
        raise ProgramError(
            f"{made.name} has {made.ndim} axes; format {name_of(fmt)} has {fmt.ndim}"
        )
    if made.begun and not fmt.is_dense:
        raise ProgramError(f"{made.name} is given and updated: that takes a dense array")
    in_order_only = [level for level in fmt.levels[:-1] if level.word not in RANDOM]
    if not in_order_only:
        return fmt
    indices = written[0].assign.target.indices
    if not _appends(made, written):
        raise ProgramError(
            f"{made.name} cannot be written as {name_of(fmt)}: such levels are written in order, "
            "by one assignment at the indices of its loops; give it no format, or a dense one, "
            f"and convert the result: .asformat({name_of(fmt)!r})"
        )
    depths = [place[indices[axis]] for axis in fmt.order]  # type: ignore[index]
    last = max(k for k, level in enumerate(fmt.levels[:-1]) if level.word not in RANDOM)
    before = [place[loop.index] for loop in written[0].loops if loop.index not in indices]
    concordant = depths == sorted(depths)
    if not concordant or any(k < depths[last] for k in before):
        loops = ", ".join(loop.index.name for loop in written[0].loops)
        raise ProgramError(
            f"{made.name} cannot be written as {name_of(fmt)} by loops over {loops}: the write is "
            "not concordant, since its elements do not come in the order in which they are "
            "stored; reorder the loops, or convert the result"
        )
    return fmt


__all__ = ["Discordant", "Made", "ordered"]
