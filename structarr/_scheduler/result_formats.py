"""Formats of the results of programs: as asked for, or by the structure of what is assigned.

A result that one assignment writes, in the order of its axes, has the structure of what it is
assigned; any other is dense, since it is written at random.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from structarr._compiler.ir.cin import Access, Assign, Loop, Pass, Tensor
from structarr._compiler.ir.conditions import le, lt
from structarr._compiler.ir.expr import Call, Expr, Index, Lit
from structarr._compiler.ir.ops import OPS
from structarr._compiler.rules.constants import literal, same_constant
from structarr._scheduler.assemble import Output, formatted, output
from structarr._scheduler.assignments import Written
from structarr._scheduler.indexing import Indexed
from structarr._scheduler.loop_order import Schedule
from structarr._scheduler.result_structure import becoming, result_structures
from structarr._scheduler.results_unformatted import Unformatted, appends, is_whole, structure
from structarr._scheduler.structure import Simplify, mode_structure, static_fill
from structarr._scheduler.structure_algebra import DENSE
from structarr.errors import ProgramError
from structarr.formats import Format
from structarr.formats.kind import ModeStructure
from structarr.formats.names import name_of


def output_of(
    made: Unformatted,
    written: Sequence[Written],
    held: Mapping[Tensor, tuple[Access, Expr]],
    place: dict[Index, int],
    simplify: Simplify,
    index: str,
) -> Output:
    """A result with its format: the one asked for, or the one of its structure."""
    holds = _holds(made, written, held)
    order = tuple(sorted(place, key=place.__getitem__))
    modes = dict.fromkeys(holds.result, DENSE)
    fill: Expr = literal(made.dtype, 0) if made.begun else Lit(made.dtype, made.start.value)
    once = not made.begun and appends(made, written)
    if once:
        modes = _written_structures(made, written[0], holds, order, simplify)
        if _takes_fill(made, written[0]):
            found = static_fill(holds.value, simplify)
            fill = Lit(found.dtype, found.value) if isinstance(found, Lit) else fill
    if made.format is not None:
        stored = _asked(made, written, place)
        dense = stored.is_dense
        result = tuple(holds.result[axis] for axis in stored.order)
    else:
        dense = all(one is DENSE for one in modes.values())
        result = holds.result if dense else tuple(i for i in order if i in modes)
        stored = formatted(holds, Schedule(order, modes), result, index)
    start = None if once and not made.updated else made.start
    tensor = output(made.name, stored, dense, made.dtype, fill, made.dims, stored.order, start)
    if made.begun:
        tensor = tensor.replace(role="begun")
    return Output(tensor, stored, fill, holds, result)


def _takes_fill(made: Unformatted, one: Written) -> bool:
    """Whether the fill of the assigned value becomes the result's."""
    return not made.fixed and not made.updated and not one.conds and is_whole(made, one)


def _holds(
    made: Unformatted, written: Sequence[Written], held: Mapping[Tensor, tuple[Access, Expr]]
) -> Indexed:
    """The value of a result, as one expression over its indices and the reduced ones."""
    first = written[0]
    plain = [i for i in first.assign.target.indices if isinstance(i, Index)]
    result = tuple(plain) if len(set(plain)) == made.ndim else _stand_ins(made)
    value: Expr = structure(first.assign.value, held)
    keeps = None if first.assign.op is None else first.assign.op.right_identity
    conds = (*first.conds, *(cond for loop in first.loops for cond in _bounds(loop)))
    for cond in reversed(conds):
        unchanged = literal(made.dtype, made.start.value if keeps is None else keeps, True)
        value = Call(made.dtype, OPS["where"], (structure(cond, held), value, unchanged))
    reduced = tuple(loop.index for loop in first.loops if loop.index not in result)
    extents = dict(zip(result, made.dims, strict=True))
    op = first.assign.op
    start = made.start if made.updated else None
    return Indexed(value, result, reduced, op, start, made.dtype, extents)


def _stand_ins(made: Unformatted) -> tuple[Index, ...]:
    """New indices for a result that is not indexed by distinct loops."""
    return tuple(Index(f"{made.name}_at{axis}") for axis in range(made.ndim))


def _bounds(loop: Loop) -> Iterator[Expr]:
    """The bounds of a loop that depend on the indices around it, as conditions."""
    if loop.lo.has(Index):
        yield le(loop.lo, loop.index)
    if loop.hi.has(Index):
        yield lt(loop.index, loop.hi)


def _written_structures(
    made: Unformatted, one: Written, holds: Indexed, order: tuple[Index, ...], simplify: Simplify
) -> dict[Index, ModeStructure]:
    """The structure of each mode of a result that is written in order."""
    every = holds.result + holds.reduced
    own = {i: mode_structure(holds.value, i, simplify) for i in every}
    found = result_structures(holds, own, tuple(i for i in order if i in every), simplify)
    if not is_whole(made, one) or one.conds:
        above = [i for i in order if i in found][:-1]
        found = {i: becoming(w, w.kind.partial) for i, w in found.items()}
        found |= {i: becoming(found[i], found[i].kind.above) for i in above}
    if made.updated:
        found = {i: becoming(w, w.kind.each) for i, w in found.items()}
    if not _leaves(made, one, static_fill(holds.value, simplify), simplify):
        return dict.fromkeys(found, DENSE)
    first = min((k for k, i in enumerate(order) if i in holds.reduced), default=len(order))
    late = [i for i in order[first:] if i in found]
    if any(found[i].kind.scatter is None for i in late):
        found = {i: DENSE if i in late else w for i, w in found.items()}
    fragile = any(w.kind.relates or w.kind.covers for w in found.values())
    if fragile and DENSE in found.values() and late:
        found = dict.fromkeys(found, DENSE)
    return found


def _leaves(made: Unformatted, one: Written, fill: Expr, simplify: Simplify) -> bool:
    """Whether a result has its fill wherever the assigned value has its own."""
    target, op = one.assign.target, one.assign.op
    if op is not None:
        return isinstance(simplify(Assign(target, op, fill)), Pass)  # type: ignore[arg-type]
    return same_constant(fill, made.start) or (not made.fixed and is_whole(made, one))


def _asked(made: Unformatted, written: Sequence[Written], place: dict[Index, int]) -> Format:
    """The format that the user asks for, if the loops can write it."""
    fmt: Format = made.format
    if made.begun and not fmt.is_dense:
        raise ProgramError(
            f"{made.name} begins as an array, which takes a dense result; convert it: "
            f".asformat({name_of(fmt)!r})"
        )
    in_order_only = [level for level in fmt.levels[:-1] if level.kind.scatter is None]
    if not in_order_only:
        return fmt
    indices = written[0].assign.target.indices
    if not appends(made, written):
        raise ProgramError(
            f"{made.name} cannot be written as {name_of(fmt)}: such levels are written in order, "
            "by one assignment at the indices of its loops; give it no format, or a dense one, "
            f"and convert the result: .asformat({name_of(fmt)!r})"
        )
    depths = [place[indices[axis]] for axis in fmt.order]  # type: ignore[index]
    last = max(k for k, level in enumerate(fmt.levels[:-1]) if level.kind.scatter is None)
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
