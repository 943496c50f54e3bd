"""A stage as a kernel: an expression whose loops may be ordered, or loops as they are written."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from structarr._compiler.ir import cin
from structarr._compiler.ir.expr import INDEX, Index, Lit
from structarr._compiler.ir.given import Given, extent
from structarr._compiler.options import current
from structarr._compiler.rules.algebra import may_miss
from structarr._compiler.rules.constants import same_constant
from structarr._compiler.rules.defaults import rules_with
from structarr._compiler.rules.engine import simplifier
from structarr._execute.compute import reordered
from structarr._execute.kept_plans import kept
from structarr._execute.place import too_narrow
from structarr._execute.plan import Plan
from structarr._execute.program_choice import Choice, Pick
from structarr._language.read.messages import error
from structarr._language.read.syntax import Read, Syntax, parts
from structarr._language.resolve.accesses import Use
from structarr._language.resolve.lengths import Lengths
from structarr._language.resolve.operand_info import Meaning, Surroundings
from structarr._language.resolve.stages import Stage
from structarr._language.resolve.to_cin import meaning
from structarr._scheduler.assemble import Program
from structarr._scheduler.compiled import Request
from structarr._scheduler.discordant import Discordant
from structarr._scheduler.explicit_loops import assemble_loops
from structarr._scheduler.indexing import Indexed
from structarr._scheduler.inputs import input_of, readable
from structarr._scheduler.operands import Operands
from structarr._scheduler.pipeline import programs_of
from structarr._scheduler.results_unformatted import Unformatted
from structarr._storage.tensor import Tensor
from structarr._support import dtypes as _dtypes
from structarr.errors import ProgramError
from structarr.formats import Format
from structarr.formats.entries import Array

BUDGET = 2500  # the most statements of a program's lowering: for more, Numba takes gigabytes
MOST = 10_000  # the most statements where no shorter program exists


@dataclass
class Asked:
    """The options of a call beside its operands."""

    order: tuple[str, ...] | None = None
    extents: Mapping[str, tuple[int, int]] | None = None
    formats: Mapping[str, Format] | None = None
    searches: bool = False  # whether operands are searched rather than transposed


@dataclass
class Ready:
    """A stage that is compiled, and how its kernel is called."""

    choice: Choice
    stage: Stage
    meaning: Meaning
    moved: dict[int, tuple[int, ...]]  # the orders into which operands are transposed first

    def plan(self, given: Operands) -> Plan:
        """The kernel for a call."""
        return self._pick(given).plan

    def run(
        self,
        given: Operands,
        shapes: Sequence[tuple[int, ...]],
        starts: Sequence[Array | None],
    ) -> list[Tensor]:
        """The results of a call, some of which may begin as copies of arrays."""
        pick = self._pick(given)
        results = self.choice.several(given, shapes, pick, starts)
        if results is None:
            raise too_narrow(self.choice.format)
        return results

    def _pick(self, given: Operands) -> Pick:
        for choice in _ever_larger(self.choice):
            pick = choice.pick(given)
            if pick is not None:
                self.choice = choice
                return pick
        raise error(
            "the kernel would grow too large: write it as several, of fewer accesses each",
            self.stage.body[0].at,
            self.stage.program,
        )


def _ever_larger(choice: Choice) -> Iterator[Choice]:
    """Programs to be tried in turn: what operands store may meet in too many cases.

    A program that outgrows its budget is lowered in vain: the shorter one has the most at once, and
    the other has it only where that is too little for the shorter one.
    """
    yield choice
    shorter = choice.located()
    yield shorter
    yield choice.within(2 * BUDGET)
    yield shorter.within(MOST)
    yield choice.within(MOST)


def compiled(
    stage: Stage,
    uses: tuple[Use, ...],
    found: Lengths,
    given: Surroundings,
    asked: Asked,
    wide: bool,
    arrays: Mapping[str, Tensor],
) -> Ready:
    """Compile a stage, with operands stored in the order of its loops."""
    moved: dict[int, tuple[int, ...]] = {}
    transposed = False
    while True:
        out = meaning(stage, uses, found, given)
        try:
            choice = _choice(stage, out, given, asked, wide, transposed)
        except ProgramError as problem:  # the result's format cannot be written
            raise error(str(problem), stage.body[0].at, stage.program) from None
        if isinstance(choice, Choice):
            return Ready(choice, stage, out, moved)
        orders = choice.orders
        several = _read_in_orders(stage, {out.tensors[number] for number in orders})
        if several - given.split:
            given.split |= several
        elif orders.keys() <= moved.keys():  # no order is concordant: some are searched
            asked = replace(asked, searches=True)
        else:
            transposed = choice.scheduled
            moved |= orders
            for number, axes in orders.items():
                tensor = readable(arrays[out.tensors[number]])
                given.stored[number] = input_of(reordered(tensor, axes), 0, given.told)


def _read_in_orders(stage: Stage, names: set[str]) -> set[str]:
    """The arrays among some that are read at different indices."""
    reads: dict[str, set[tuple[Syntax, ...]]] = {}
    for part in parts(stage.body):
        if isinstance(part, Read) and part.array in names:
            reads.setdefault(part.array, set()).add(part.indices)
    return {name for name, found in reads.items() if len(found) > 1}


def _choice(
    stage: Stage, out: Meaning, given: Surroundings, asked: Asked, wide: bool, transposed: bool
) -> Choice | Discordant:
    """A stage as an expression if it is one, else with its loops as they are."""
    options = current()
    kinds = {
        one.format.index
        for one in (given.arrays[name] for name in out.tensors)
        if any(level.buffers for level in one.format.levels[:-1])
    }
    index = "int32" if kinds == {"int32"} and not wide else "int64"
    made = out.results[0]
    request = Request(
        None, made.format, index, options.strict_ieee, False, options.rules, transposed, BUDGET
    )
    simplify = simplifier(rules_with(request.rules, request.strict))
    indexed = None if made.begun or asked.searches else _indexed(stage, out, asked)
    if indexed is not None:
        found = programs_of(indexed, request)
        if isinstance(found, Discordant):
            return found
        if found:  # else no order of the loops writes in storage order: it is written at random
            return _chosen(found, request)
    lengths: tuple[Given, ...] = tuple(map(extent, out.loops))
    lengths += tuple(one for one in out.lengths if one not in lengths)
    parts = (out.stmt, out.results, out.names, out.dims, lengths)
    program = assemble_loops(*parts, simplify, index, asked.searches)
    return program if isinstance(program, Discordant) else _chosen((program,), request)


def _chosen(programs: Sequence[Program], request: Request) -> Choice:
    dtypes = [np.dtype(output.tensor.dtype) for output in programs[0].outputs]
    return Choice(programs, request, *dtypes, kept=kept(request, *programs))


def _indexed(stage: Stage, out: Meaning, asked: Asked) -> Indexed | None:
    """One assignment in whole loops: a program whose loops the scheduler may order."""
    loops: list[cin.Loop] = []
    stmt = out.stmt
    while isinstance(stmt, cin.Loop):
        loops.append(stmt)
        stmt = stmt.body
    if not isinstance(stmt, cin.Assign) or len(out.results) > 1:
        return None
    made = stmt.target.obj
    assert isinstance(made, Unformatted)
    indices = stmt.target.indices
    bound = [loop.index for loop in loops]
    if any(not isinstance(i, Index) for i in indices) or len(set(indices)) < len(indices):
        return None
    if any(loop.lo is not Lit(INDEX, 0) or loop.index not in out.extents for loop in loops):
        return None
    if [out.extents[i] for i in indices] != list(made.dims):  # type: ignore[index]
        return None
    reduced = tuple(i for i in bound if i not in indices)
    if (stmt.op is None) is bool(reduced) or (stmt.op is None and may_miss(stmt.value)):
        return None  # such an update would not be made where its value is a fill
    start = made.start if stmt.op is not None else None
    if start is not None:
        identity = _dtypes.identity_of(stmt.op.name, np.dtype(made.dtype))  # type: ignore[union-attr]
        if identity is None or not same_constant(start, Lit(made.dtype, identity)):
            return None
    if asked.order is not None:
        order: tuple[Index, ...] | None = tuple(
            i
            for name in asked.order
            for i, own in zip(out.loops, stage.indices, strict=True)
            if own == name
        )
    else:
        order = None if stage.is_free else tuple(bound)
    result: tuple[Index, ...] = indices  # type: ignore[assignment]
    own = set(map(extent, out.loops))
    lengths = tuple(one for one in out.lengths if one not in own)
    return Indexed(
        stmt.value,
        result,
        reduced,
        stmt.op,
        start,
        made.dtype,
        dict(out.extents),
        order=order,
        name=made.name,
        names=out.names,
        dims=out.dims,
        lengths=lengths,
    )
