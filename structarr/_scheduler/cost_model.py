"""The expected cost of kernels, by the counts of operands and the lengths of loops.

A step is one iteration of any loop of the kernel. The counts of the operands' levels are known. The
estimate supposes that the elements are spread evenly over the fibers, and independently of other
operands. Time distinguishes steps that merge from steps that look up, without a model of caches
except for large arrays.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import prod
from typing import NamedTuple

import numpy as np

from structarr._compiler.ir.cin import (
    Access,
    Assign,
    Loop,
    Multi,
    Pass,
    Protocol,
    Sieve,
    Stmt,
    Tensor as Named,
    Where,
    driver,
)
from structarr._compiler.ir.conditions import Eq, Le
from structarr._compiler.ir.expr import Call, Cast, Expr, Index, Lit, Sum
from structarr._compiler.ir.missing import Coalesce
from structarr._compiler.ir.node import Node, substitute
from structarr._compiler.ir.variables import Opaque, Var
from structarr._compiler.kernel_passes.short_rows import MOST
from structarr._compiler.rules.constants import same_constant
from structarr._compiler.rules.engine import Simplifier
from structarr._lazy.rewrite.on_stored_values import places_of
from structarr._scheduler.assemble import Program
from structarr._scheduler.assignments import conditional
from structarr._scheduler.cardinality import (
    LOOKUP,
    MERGE,
    NOTHING,
    STREAM,
    Reach,
    beside,
    follow,
    intersect,
    stored,
    unite,
)
from structarr._scheduler.loop_bounds import number
from structarr._scheduler.memory_costs import (
    APART,
    clear_time,
    is_far,
    jump_time,
    lookup_time,
    room_time,
    stride_time,
    write_time,
)
from structarr._scheduler.operands import Operands
from structarr.formats.scattered_row import ScatteredRow

# Nanoseconds, as of `cardinality`: of the call of a compiled kernel; to enter a loop, and what the
# kernel has no loop for: the one element of a row, elements of a short row that turns add to.
BEGIN, ENTER, TURN = 150.0, 2.0, 0.2


class Cost(NamedTuple):
    """The expected cost of one call of a kernel."""

    steps: int
    seconds: float


def cost(program: Program, given: Operands, simplify: Simplifier) -> Cost:
    """The expected iterations of a kernel's loops, and the time that they take compiled."""
    count = _Count(program, given, simplify)
    count(program.stmt, 1.0)
    return Cost(round(count.steps), count.time * 1e-9)


class _Count:
    def __init__(self, program: Program, given: Operands, simplify: Simplifier) -> None:
        self.program, self.given, self.simplify = program, given, simplify
        self.steps, self.time = 0.0, BEGIN
        self.middle: dict[Index, float] = {}  # the middle of bound indices
        self.held: dict[Named, float] = {}  # the stored elements of workspaces
        self.innermost: Index | None = None
        self.fills: dict[Expr, Expr] = {}  # fills of values in the present loop
        self.read: dict[Node, Var] = {}  # variables for accesses that the loop does not reach

    def __call__(self, stmt: Stmt, times: float) -> None:
        """Count what a statement takes that runs so many times."""
        match stmt:
            case Assign(target):
                self.time += times * self._strides(stmt)
                if target.obj in self.held:
                    self.held[target.obj] += times
                    room = self._number(target.obj.dims[0])
                    self.time += times * write_time(target.obj.format.root, room)
            case Sieve(_, body):
                self(body, times)
            case Multi(stmts):
                for one in stmts:
                    self(one, times)
            case Where():
                self._where(stmt, times)
            case Loop():
                self._loop(stmt, times)

    def _where(self, where: Where, times: float) -> None:
        spaces = [temp for temp in where.temps if temp.dims]
        self.held |= dict.fromkeys(spaces, 0.0)
        self(where.producer, times)
        for temp in spaces:
            room = self._number(temp.dims[0])
            written = self.held[temp] / times if times else 0.0
            row = temp.format.root
            self.time += room_time(row, room)
            missed = (1 - 1 / room) ** written if room > 1 else 0.0
            once = isinstance(row, ScatteredRow)
            self.held[temp] = min(room, written) if once else room * (1 - missed)
            self.steps += times * self.held[temp]  # to clear it
            self.time += times * self.held[temp] * clear_time(row)
        self(where.consumer, times)

    def _strides(self, stmt: Assign) -> float:
        """The time that dense arrays take whose elements do not follow each other."""
        found = 0.0
        for node in stmt.nodes():
            if isinstance(node, Access) and isinstance(node.obj, Named):
                levels = zip(node.indices, node.obj.format.levels, strict=False)
                if any(is_far(level) and self.innermost in i.every(Index) for i, level in levels):
                    size = prod([self._number(dim) for dim in node.obj.dims])
                    found += stride_time(size)
        return found

    def _jumps(self, loop: Loop) -> float:
        """The time of the rows of large dense arrays that a turn of a loop over a list finds."""
        found = 0.0
        for access in {*loop.body.every(Access)}:
            named = access.obj
            if not (isinstance(named, Named) and named.dims and named.format.is_dense):
                continue
            width = float(np.dtype(named.dtype).itemsize)
            inner = width
            for index, dim in zip(reversed(access.indices), reversed(named.dims), strict=True):
                if loop.index in index.every(Index):
                    size = width * prod([self._number(one) for one in named.dims])
                    found += jump_time(size, inner)
                    break
                inner *= self._number(dim)
        return found

    def _loop(self, loop: Loop, times: float) -> None:
        lo, hi = self._number(loop.lo), self._number(loop.hi)
        extent = max(hi - lo, 0.0)
        self.fills.clear()
        every = [self._assigned(one, conds, loop, extent) for one, conds in conditional(loop.body)]
        met = unite(every, extent)
        self.middle[loop.index] = (lo + hi - 1) / 2
        hits = min(met.turns, extent * met.cover) if met.turns else 1.0
        price = min(met.price, STREAM) if _is_swept(loop) else met.price
        self.steps += times * met.turns
        straight = self._is_unrolled(loop, extent) or self._is_straight(loop, met.turns)
        enter = TURN if straight else ENTER
        self.time += times * (enter + met.turns * price)
        if APART * hits < extent:
            self.time += times * hits * self._jumps(loop)
        around, self.innermost = self.innermost, loop.index
        self(loop.body, times * hits)
        self.innermost = around

    def _is_straight(self, loop: Loop, turns: float) -> bool:
        """Whether a loop is over no more than the one element that a fiber of each operand has.

        Its kernel has no loop for it.
        """
        ones = 0
        for access in {*loop.body.every(Access)}:
            level = self._level(access, loop.index)
            named = access.obj
            if level is not None and isinstance(named, Named) and named.name in self.program.inputs:
                ones += named.format.levels[level].kind.holds_one
        return ones > 0 and turns <= ones

    def _is_unrolled(self, loop: Loop, extent: float) -> bool:
        """Whether a loop updates a row of a few elements, one by one or as a vector."""
        body = loop.body
        if self.innermost is None or extent >= 2 * MOST or not isinstance(body, Assign):
            return False
        accesses = [body.target, *body.value.every(Access)]
        rows = [one for one in accesses if loop.index in one.every(Index)]
        by_rows = all(_is_by_rows(one, loop.index) for one in rows)
        return body.op is not None and body.target in rows and by_rows

    def _assigned(self, one: Assign, conds: Sequence[Expr], loop: Loop, extent: float) -> Reach:
        """The reach of an assignment under some conditions."""
        met = self._value(one.value, loop.index, extent)
        for cond in conds:
            own = self._value(cond, loop.index, extent)
            if own is NOTHING:
                continue
            kills = same_constant(self._fill(cond, loop.index), Lit("bool", False))
            both = [own] if met is NOTHING else [met, own]
            met = intersect(both, extent) if kills or own.mask else beside(both)
        if not conds and self._acts_everywhere(one, loop.index):
            met = Reach(max(extent, met.turns), 1.0, False, price=met.price)
        return met

    def _share(self, cond: Eq | Le, index: Index, extent: float) -> float:
        """The share of a loop's indices that a comparison leaves: half, or one of them."""
        if not self._decides(cond, index) or extent <= 1:
            return 1.0
        return 1 / extent if isinstance(cond, Eq) else 0.5

    def _decides(self, cond: Eq | Le, index: Index) -> bool:
        found = {*cond.every(Index)}
        return index in found and found - {index} <= self.middle.keys()

    def _acts_everywhere(self, one: Assign, index: Index) -> bool:
        """Whether even fill is written, element by element."""
        level = self._level(one.target, index)
        if level is None or not isinstance(one.target.obj, Named):
            return False
        target = one.target.obj
        if target.format.levels[level].kind.scatter is None:
            return False
        fill = self._fill(one.value, index)
        if one.op is None:
            start = target.fill if target.start is None else target.start
            return not same_constant(fill, start)
        return not isinstance(self.simplify(Assign(one.target, one.op, fill)), Pass)

    def _fill(self, value: Expr, index: Index) -> Expr:
        """A value where nothing is stored that an index reaches."""
        found = self.fills.get(value)
        if found is None:
            found = self.fills[value] = self.simplify(self._unstored(value, index))
        return found

    def _unstored(self, value: Expr, index: Index) -> Expr:
        match value:
            case Eq() | Le() if self._decides(value, index):
                return Lit("bool", False)
            case Access(_, Named() as named):
                if self._level(value, index) is not None:
                    return named.fill
                return self.read.setdefault(value, Opaque(value.dtype, f"read{len(self.read)}"))
        return value.rebuild(lambda part: self._fill(part, index))  # type: ignore[arg-type]

    def _value(self, value: Expr, index: Index, extent: float) -> Reach:
        match value:
            case Access():
                return self._access(value, index, extent)
            case Eq() | Le():
                share = self._share(value, index, extent)
                return NOTHING if share == 1 else Reach(extent * share, share, mask=True)
            case Cast(_, arg):
                return self._value(arg, index, extent)
            case Coalesce(_, args):
                return follow([self._value(arg, index, extent) for arg in args], extent)
            case Call(_, _, args):
                parts = [self._value(arg, index, extent) for arg in args]
                killers = [k for k, one in enumerate(parts) if self._kills(value, k, one, index)]
                if not killers:
                    return unite(self._apart(args, parts, index), extent)
                # Accesses that decide the result where they are fill, and those read on the way.
                others = [one for k, one in enumerate(parts) if k not in killers]
                read = sum([one.turns if one.leads else one.walked for one in others])
                deciding = self._apart(
                    [args[k] for k in killers], [parts[k] for k in killers], index
                )
                met = intersect(deciding, extent)
                price = MERGE if read else met.price
                return replace(met, turns=met.turns + read, mask=False, price=price)
        return NOTHING

    def _apart(self, args: Sequence[Expr], parts: Sequence[Reach], index: Index) -> list[Reach]:
        """The reach of some values: reads of what lies at the same places count once."""
        found: dict[object, Reach] = {}
        for k, (arg, part) in enumerate(zip(args, parts, strict=True)):
            reads = [one for one in arg.every(Access) if self._level(one, index) is not None]
            found.setdefault(frozenset(map(self._places, reads)) or k, part)
        return list(found.values())

    def _places(self, access: Access) -> object:
        """What accesses have in common that read elements at the same places."""
        source = self.program.inputs.get(access.obj.name) if isinstance(access.obj, Named) else None
        if source is None:
            return access
        lists = places_of(self.given.tensors[source.number])
        return (lists, access.indices) if lists else access

    def _kills(self, call: Call, k: int, part: Reach, index: Index) -> bool:
        if part is NOTHING or (part.cover >= 1 and not part.leads):
            return False
        args = [
            one if isinstance(one, Lit) else Opaque(one.dtype, f"value{n}")
            for n, one in enumerate(call.args)
        ]
        args[k] = self._fill(call.args[k], index)  # type: ignore[call-overload]
        decided = self.simplify(Call(call.dtype, call.op, tuple(args)))
        return isinstance(decided, Lit)

    def _access(self, access: Access, index: Index, extent: float) -> Reach:
        """The reach of an operand, or of a workspace."""
        level = self._level(access, index)
        if level is None or not isinstance(access.obj, Named) or not extent:
            read = any(node is index for one in access.indices for node in one.nodes())
            return Reach(extent, 1.0, False, price=LOOKUP) if read else NOTHING
        named = access.obj
        if named in self.held:
            held = self.held[named]
            row = named.format.root
            if isinstance(row, ScatteredRow):
                cover = held / extent
                return Reach(extent, cover, False, price=lookup_time(row, extent, cover))
            return Reach(held, held / extent)
        if named.name not in self.program.inputs:  # a workspace that is made within the loop
            return Reach(extent, 1.0, False, price=LOOKUP)
        tensor = self.given.tensors[self.program.inputs[named.name].number]
        met = stored(tensor, level, extent)
        modifiers = access.indices[level].nodes()
        protocols = [node.name for node in modifiers if isinstance(node, Protocol)]
        if "locate" in protocols:
            lookup = tensor.format.levels[level].kind.lookup
            return Reach(extent, met.cover, False, price=lookup)
        return replace(met, gallops="gallop" in protocols)

    def _level(self, access: Access, index: Index) -> int | None:
        """The level at which an access is driven by an index: those beside it are bound."""
        for level, one in enumerate(access.indices):
            driving = driver(one)
            known = all(node is index or node in self.middle for node in driving.every(Index))
            if driving is index or (isinstance(driving, Sum) and index in driving.atoms and known):
                return level
        return None

    def _number(self, expr: Expr) -> float:
        return number(expr, self.given, self.program.lengths, self.middle)


def _is_by_rows(access: Access, index: Index) -> bool:
    """Whether neighbours along an index are next to each other in a dense array."""
    levels = access.obj.format.levels  # type: ignore[attr-defined]
    along = [level for i, level in zip(access.indices, levels, strict=False) if i is index]
    return bool(along) and all(level.arithmetic and not is_far(level) for level in along)


def _is_swept(loop: Loop) -> bool:
    """Whether a loop reads one array's elements, and nothing by their index: then by vectors."""
    if not isinstance(loop.body, Assign) or loop.index in loop.body.target.every(Index):
        return False
    value = loop.body.value
    reads = [one for one in value.every(Access) if loop.index in one.every(Index)]
    if len(reads) != 1:
        return False
    rest = substitute(value, {reads[0]: Opaque(reads[0].dtype, "read")})
    return loop.index not in rest.every(Index)
