"""Upper bounds of what a result stores: expressions of counts, which each call evaluates."""

from __future__ import annotations

from collections.abc import Set
from functools import reduce
from itertools import combinations

from structarr._compiler.ir.cin import Access, Permit
from structarr._compiler.ir.expr import (
    INDEX,
    Call,
    Cast,
    Expr,
    Index,
    Lit,
    add,
    maximum,
    minimum,
    multiply,
    order_key,
    scale,
)
from structarr._compiler.ir.missing import Coalesce
from structarr._compiler.ir.scanned import Scanned
from structarr._compiler.rules.algebra import may_miss
from structarr._scheduler import counts
from structarr._scheduler.accesses import mode_of, operands, source
from structarr._scheduler.bound_terms import (
    Extents,
    all_lists,
    beside_diagonals,
    beside_points,
    hull_of,
    is_continued,
    is_looked_up,
    list_elements,
    places_of,
    product,
    rows_counted,
    times,
    window_of,
)
from structarr._scheduler.loop_order import is_dense
from structarr._scheduler.structure import Simplify, annihilates, mode_structure
from structarr.formats.kind import Children, Kind, Repeat

Read = tuple[int, tuple[Expr, ...]]
"""The number of an operand, and the indices at which it is read."""


def allocation_bound(
    value: Expr,
    prefix: tuple[Index, ...],
    kinds: tuple[Kind, ...],
    extents: Extents,
    simplify: Simplify,
    late: Set[tuple[int, Index]] = frozenset(),
    everywhere: bool = False,
    scattered: Set[Read] = frozenset(),
) -> Expr:
    """The number of children, at most, of the level of a result below the modes `prefix`.

    `kinds` are the kinds of the levels that hold them, `late` the operands and the modes by which
    loops look them up; `everywhere` says that fills make more; `scattered` are the reads
    of workspaces, into which an operand is scattered.
    """
    kind = kinds[-1]
    runs = kind.has_stretches_of_runs
    bound = _Bound(prefix, runs, extents, simplify, late, scattered)
    if kind.arithmetic or everywhere:
        return bound.every
    if value.has(Scanned) and kinds[-2:-1] and kinds[-2].is_sparse:  # stored fibers alone have runs
        above = prefix[:-1], kinds[:-1], extents
        stored = allocation_bound(value, *above, simplify, late, scattered=scattered)
        bound.fibers = minimum(bound.fibers, stored)
    stretch = kind.is_stretch and not kind.has_runs and not kind.relates
    own = bound.stretch(value, kind) if stretch else bound(value)
    whole = not mode_structure(value, prefix[-1], simplify).kind.is_sparse
    if _repeats(value, prefix[:-1], kinds, simplify) or (whole and not runs):
        own = bound.every  # runs do not bound single elements
    if runs and may_miss(value):  # the result's fill surrounds each stored part
        parts = sum(access.has(Permit) for access in operands(value))
        own = own + scale(bound.fibers, 2 * parts)
    if runs:  # a fiber has at least one run, and equal neighbours may be two
        packs = kind.repeat is Repeat.PACK
        twice = scale(own, 2) if packs or kind.is_sparse else own
        fibers = scale(bound.fibers, 2) if packs else bound.fibers  # a run of two is two values
        every = all(_has_every_fiber(access, prefix[-1]) for access in operands(value))
        own = maximum(twice, fibers) if every else twice + fibers
    return minimum(own, times(prefix, extents))


def _repeats(
    value: Expr, above: tuple[Index, ...], kinds: tuple[Kind, ...], simplify: Simplify
) -> bool:
    """Whether the children of one run of an operand may be stored several times."""
    accesses = operands(value)
    for access in accesses:
        for i, kind in zip(above, kinds, strict=False):
            level = mode_of(access, i)
            if level is None:
                continue
            mode_kind = source(access).format.levels[level].kind
            whole = len(accesses) == 1 and kind is mode_kind
            whole = whole and mode_structure(value, i, simplify).kind is kind
            if mode_kind.has_runs and not mode_kind.is_constant and not whole:
                return True
    return False


def _has_every_fiber(access: Access, index: Index) -> bool:
    """Whether each fiber of a mode is stored, so that it is counted."""
    number = mode_of(access, index)
    above = source(access).format.levels[:number]
    return not any(level.kind.is_sparse for level in above)


class _Bound:
    """The bound of an expression for one level of the result."""

    def __init__(
        self,
        prefix: tuple[Index, ...],
        runs: bool,
        extents: Extents,
        simplify: Simplify,
        late: Set[tuple[int, Index]],
        scattered: Set[Read] = frozenset(),
        beside: bool = False,
    ) -> None:
        self.prefix, self.runs, self.extents, self.simplify = prefix, runs, extents, simplify
        self.late, self.scattered, self.beside = late, scattered, beside
        self.fibers = times(prefix[:-1], extents)
        self.every = times(prefix, extents)

    def _with(self, prefix: tuple[Index, ...], runs: bool, beside: bool | None = None) -> _Bound:
        """The bound for another level; `beside` says that other values are stored, too."""
        known = self.extents, self.simplify, self.late, self.scattered
        return _Bound(prefix, runs, *known, self.beside if beside is None else beside)

    def __call__(self, value: Expr) -> Expr:
        match value:
            case Access():
                return self._access(value)
            case Cast(_, arg):
                return self(arg)
            case Call(_, _, args):
                return self._call(value, args)
            case Coalesce(_, args):
                around = [self.fibers] if self.runs else []  # a value around a part occurs twice
                return reduce(add, [*map(self, args), *around])
            case Scanned(_, _, _, _, index) if not self.runs and index in self.prefix:
                return self.every  # wherever something is stored before
            case Scanned(_, op, _, arg):
                if not self.runs or op.repeat == "once":
                    return self(arg)
                every = self._with(self.prefix, False)
                return scale(every(arg), 2) + scale(self.fibers, 2)  # each element is a step
        return self._background(value)

    def _background(self, value: Expr) -> Expr:
        """The bound of a value without operands: a function of an index may differ everywhere."""
        if self.runs:
            return self.every if value.mentions(self.prefix[-1]) else self.fibers
        return self.every if value.has(Index) else Lit(INDEX, 0)

    def stretch(self, value: Expr, kind: Kind) -> Expr:
        """The bound of a band: the narrowest of bands that meet, else the hull of all operands."""
        match value:
            case Cast(_, arg):
                return self.stretch(arg, kind)
            case Coalesce(_, args) if not _is_joined(value, self.prefix[-1]):
                return reduce(add, [self.stretch(arg, kind) for arg in args if operands(arg)])
            case Call():
                held = [(arg, self._kind(arg)) for arg in self._killers(value)]
                meet = [arg for arg, own in held if _is_stretch(own, kind) and not own.has_runs]
                if meet:
                    return minimum(*[self.stretch(arg, kind) for arg in meet])
        accesses = operands(value)
        if len(accesses) == 1 and _is_stretch(self._kind(accesses[0]), kind):
            return self(value)  # a part of one stretch is stored
        hull = hull_of(accesses, self.prefix, self.extents, kind.from_start)
        return self.every if hull is None else hull

    def _call(self, call: Call, args: tuple[Expr, ...]) -> Expr:
        passed = self._passed_over(call)
        killers = [one for one in self._killers(call) if not passed or {*operands(one)} - passed]
        if killers and not self.runs:
            found = [self(arg) for arg in killers] + self._covers(call, passed)
            if not passed:
                every = all([annihilates(call, k, self.simplify) for k in range(len(args))])
                found += (self._pairs(args) if every else []) + self._shifted(call)
            return minimum(*found)
        if self.runs:
            return reduce(add, [self(arg) for arg in args])
        # Where one is stored twice, it is at the same places.
        united = self._united(call)
        each = self._with(self.prefix, False, self.beside or len(united) > 1)
        return reduce(add, [each(unit) for unit in united])

    def _passed_over(self, call: Call) -> set[Access]:
        """Operands that are looked up in workspaces, where others lead.

        Beside other values, what such a call stores is told by those that lead, alone.
        """
        if not self.beside or not self.scattered:
            return set()
        known = {one: (source(one).number, one.indices) for one in self._killing(call)}
        others = [one for one, read in known.items() if read not in self.scattered]
        return {
            one
            for one, read in known.items()
            if read in self.scattered and any(self._leads(other, one) for other in others)
        }

    def _leads(self, one: Access, looked_up: Access) -> bool:
        return mode_structure(one, looked_up.indices[-1], self.simplify).kind.is_sparse

    def _united(self, value: Expr) -> dict[Expr, None]:
        """The values that store something where a value does: none decides it alone."""
        match value:
            case Cast(_, arg):
                return self._united(arg)
            case Call(_, _, args) if not self._killers(value):
                return dict.fromkeys([unit for arg in args for unit in self._united(arg)])
        return {value: None}

    def _pairs(self, args: tuple[Expr, ...]) -> list[Expr]:
        """The bound of a product of matrices: the entries of one that meet a row of the other."""
        found = [self._killing(arg) for arg in args]
        if len(self.prefix) < 2 or [len(accesses) for accesses in found] != [1, 1]:
            return []
        for one, other in (found, found[::-1]):
            left, right = one[0], other[0]
            inner, outer = right.indices[:1], right.indices[-1:]
            lists = (source(left).format.levels[-2:-1], source(right).format.levels[-2:-1])
            matrix = len(right.indices) == 2 and outer == self.prefix[-1:]
            plain = all(isinstance(i, Index) for i in (*left.indices, *right.indices))
            if not (matrix and plain and left.indices == (*self.prefix[:-1], *inner)):
                continue
            if all_lists(lists):
                return [counts.Pairs(source(left).number, source(right).number)]
            beside = [*beside_diagonals(left, right), *beside_diagonals(right, left)]
            beside += beside_points(left, right)
            if not beside and list_elements(source(left).format, source(right).format):
                return [counts.Met(source(left).number, source(right).number)]
            return beside
        return []

    def _covers(self, call: Call, passed: Set[Access] = frozenset()) -> list[Expr]:
        """The bounds by operands that have some of the modes each: products of what they store."""
        parts: list[tuple[set[Index], Expr]] = []
        for access in dict.fromkeys(self._killing(call)):
            if access in passed:
                continue
            mine = tuple(i for i in self.prefix if mode_of(access, i) is not None)
            if mine and len(mine) < len(self.prefix):
                own = self._with(mine, False)
                parts.append(({*mine}, own(access)))
        found = []
        for size in (2, 3):
            for some in combinations(parts, size):
                if {*self.prefix} == set().union(*(modes for modes, _ in some)):
                    found.append(product(bound for _, bound in some))
        return found

    def _killing(self, value: Expr) -> list[Access]:
        """The operands whose fill decides the value alone."""
        match value:
            case Access():
                return [value]
            case Cast(_, arg):
                return self._killing(arg)
            case Call():
                return [one for arg in self._killers(value) for one in self._killing(arg)]
        return []

    def _shifted(self, call: Call) -> list[Expr]:
        """The bound of a window over an operand: the pairs of an element and a place in it."""
        held, weights = operands(call.args[0]), operands(call.args[-1])
        moves = window_of(held[0], self.prefix) if len(held) == 1 else ()
        if not moves or not self._kills(call, 0) or not self.extents.keys() >= {*moves}:
            return []
        window = times(moves, self.extents)
        matched = [{*one.indices} for one in weights] == [{*moves}]
        if matched and annihilates(call, 1, self.simplify):
            window = counts.Elements(source(weights[0]).number)
        return [multiply(counts.Elements(source(held[0]).number), window)]

    def _kind(self, value: Expr) -> Kind:
        """The kind of the last mode."""
        return mode_structure(value, self.prefix[-1], self.simplify).kind

    def _killers(self, call: Call) -> list[Expr]:
        """The arguments whose fill decides the value alone."""
        return [arg for k, arg in enumerate(call.args) if self._kills(call, k)]

    def _kills(self, call: Call, k: int) -> bool:
        if k and call.op.name == "where" and call.args[0].has(Permit):
            return False  # equal choices are not simplified if the condition may be missing
        modes = (mode_structure(call.args[k], i, self.simplify) for i in self.prefix)
        return any(one.kind.is_sparse for one in modes) and annihilates(call, k, self.simplify)

    def _access(self, access: Access) -> Expr:
        operand = source(access)
        modes = {i: mode_of(access, i) for i in self.prefix}
        levels = [level for level in modes.values() if level is not None]
        last = self.prefix[-1]
        driven = sum([i.mentions(last) for i in access.indices])
        if self.runs and driven > (modes[last] is not None):
            return self.every  # a computed index or a diagonal reads in any order
        if not levels:
            return self.fibers if self.runs else self.every
        beside = {i for k in levels for i in access.indices[k].every(Index)}
        moved = beside - set(self.prefix)
        if moved and (self.runs or not moved <= self.extents.keys()):
            return self.every
        late = not moved and any((operand.number, i) in self.late for i in modes)
        if late or any(is_looked_up(access, i) for i in self.prefix) or is_continued(access):
            return self.every  # an element may be stored wherever one is looked up
        if self.runs and modes[self.prefix[-1]] is None:
            return self._times(access, max(levels), modes, self.prefix[:-1])
        kind = operand.format.levels[max(levels)].kind
        counted = kind.children in (Children.ELEMENTS, Children.RUNS)
        if not counted or (kind.covers and not self.runs) or is_dense(operand):
            return self.every
        stretched = kind.has_runs and kind.is_sparse and not self.runs
        children = self._times(access, max(levels), modes, self.prefix, covered=stretched)
        above = operand.format.levels[: max(levels)]
        if any(level.kind.is_mirrored for level in above):
            children = scale(children, 2)  # each is its mirror image, too
        beyond = sorted((self.extents[i] for i in moved), key=order_key)
        children = product([children, *beyond])
        if self.runs and not kind.has_stretches_of_runs:  # each entry may separate two runs
            return scale(children, 2) + scale(self.fibers, 2)
        gaps = kind.has_stretches_of_runs and kind.is_sparse
        return scale(children, 2) + self.fibers if gaps else children

    def _times(
        self,
        access: Access,
        level: int,
        modes: dict[Index, int | None],
        prefix: tuple[Index, ...],
        *,
        covered: bool = False,
    ) -> Expr:
        """The children of a level, repeated along modes without structure in the operand."""
        operand, levels = source(access), source(access).format.levels
        number, axis = operand.number, operand.format.order[level]
        taken = places_of(access, level)
        free = [
            self.extents[i]
            for i in prefix
            if (modes[i] is None or levels[modes[i]].kind.is_constant)
            and not any(one.mentions(i) for one in taken.values())
        ]
        if taken:
            if covered or len(taken) > 1 or not all(one.kind.arithmetic for one in levels[:level]):
                return self.every
            ((depth, places),) = taken.items()
            return product([counts.Taken(number, source(places).number, depth), *free])
        some = rows_counted(access, self.extents) if level == 1 else None
        every = counts.Covered(number, axis) if covered else counts.Children(number, axis)
        return product([every if covered or some is None else some, *free])


def _is_joined(value: Coalesce, index: Index) -> bool:
    """Whether parts lie side by side along an index, where else each fiber is of one of them."""
    return any(
        one.mentions(index) and one.has(Permit)
        for access in operands(value)
        for one in access.indices
    )


def _is_stretch(own: Kind, kind: Kind) -> bool:
    """Whether an operand of a kind has no gaps, nor one at the start if the result has none."""
    return own.from_start if kind.from_start else own.is_stretch
