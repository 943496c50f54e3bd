"""Checks for room before a kernel appends, should a bound ever have been too small.

A loop that appends once in each turn is guarded before it, so that it stays straight. Before a loop
within a fiber it is asked whether there is room for as many children as the fiber is long: if so,
nothing is asked in it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeAlias

from structarr._compiler.ir.conditions import TRUE, both, le
from structarr._compiler.ir.expr import INDEX, Buffer, Expr, Helper, Load, Var, affine
from structarr._compiler.ir.kernel import Do, For, If, Line, Set, Store, While, assigned, every_line
from structarr._compiler.ir.node import substitute
from structarr._compiler.kernel_passes.blocks import Block, ends

Counters: TypeAlias = frozenset[Var]
Lengths: TypeAlias = Mapping[Var, Expr]


def check_capacity(block: Block, counters: Counters, lengths: Lengths) -> Block:
    """
    A kernel that asks for room wherever it stores or reads something at one of its counts.

    `lengths` says of counts how long a fiber is, of which no index is counted twice.
    """
    return _Guard(lengths).block(block, counters, frozenset(), {})


class _Guard:
    def __init__(self, lengths: Lengths) -> None:
        self._lengths = lengths

    def block(
        self, block: Block, counters: Counters, asked: Counters, tight: Mapping[Var, Expr]
    ) -> Block:
        """
        A block with checks.

        There is room at the counts of `asked`, and at those of `tight` unless its condition holds.
        """
        found: list[Line] = []
        for line in block:
            match line:
                case Store(buffer, index, _):
                    counts = counters & set(index.every(Var))
                    if not counts <= asked:
                        full = tight.get(index, TRUE) if isinstance(index, Var) else TRUE
                        found.append(_guard(index, buffer, full))
                        asked |= counts
                case Set(_, value) | Do(value):
                    for buffer, index in _beside(value):
                        counts = counters & set(index.every(Var))
                        if not counts <= asked:
                            found.append(_guard(index, buffer))
                            asked |= counts
                case For(var, lo, hi, body, step):
                    last, counts = _last(line, counters)
                    found += [_guard(index, buffer) for index, buffer in last]
                    left = counters - counts
                    before, inside = self._before(body, left, tight)
                    found += before
                    line = For(var, lo, hi, self.block(body, left, frozenset(), inside), step)
                case While(body):
                    before, inside = self._before(body, counters, tight)
                    found += before
                    line = While(self.block(body, counters, frozenset(), inside))
                case If(arms):
                    line = If(
                        tuple((c, self.block(body, counters, asked, tight)) for c, body in arms)
                    )
            found.append(line)
            asked -= assigned((line,))
        return tuple(found)

    def _before(
        self, body: Block, counters: Counters, tight: Mapping[Var, Expr]
    ) -> tuple[list[Line], Mapping[Var, Expr]]:
        """The checks before a loop in a fiber, and the conditions that hold in it."""
        lines: list[Line] = []
        known = dict(tight)
        stores = [line for line in every_line(body) if isinstance(line, Store)]
        for store in stores:
            count = store.index
            if (
                not isinstance(count, Var)
                or count in known
                or count not in counters & {*self._lengths}
            ):
                continue
            if any(one.value is count for one in stores):
                continue  # where a fiber ends: there are several in the loop
            full = Var("bool", f"{count.name}_tight")
            lines.append(Set(full, le(_room(store.buffer), count + self._lengths[count])))
            known[count] = full
        return lines, known


def _beside(value: Expr) -> list[tuple[Buffer, Expr]]:
    """The buffers that a value reads, or that a helper fills, each with the last index.

    What is before a count was stored by then.
    """
    places = [(load.buffer, load.index) for load in value.every(Load)]
    match value:
        case Helper(_, "fill_range", (Buffer() as buffer, _, end, _)):
            places.append((buffer, end - 1))  # type: ignore[operator, arg-type]
            return places
    return [(buffer, index) for buffer, index in places if affine(index)[1] >= 0]


def _room(buffer: Buffer) -> Expr:
    return Helper(INDEX, "len", (buffer,))


def _guard(index: Expr, buffer: Buffer, unless: Expr = TRUE) -> Line:
    over = both(unless, le(_room(buffer), index))
    return If(((over, (Do(Helper(INDEX, "overflow", ())),)),))


def _last(loop: For, counters: Counters) -> tuple[list[tuple[Expr, Buffer]], Counters]:
    """The last places at which a loop stores, for counts that are known before it.

    Every turn raises such a count by one, or none does and the place moves with the loop's index.
    """
    if ends(loop.body):
        return [], frozenset()
    stores = [line for line in loop.body if isinstance(line, Store)]
    raised = [one.var for one in loop.body if isinstance(one, Set) and one.value is one.var + 1]
    changing = [line.var for line in loop.body if isinstance(line, Set)]
    nested = assigned(tuple(line for line in loop.body if isinstance(line, (If, For, While))))
    last: dict[Var, tuple[Expr, Buffer]] = {}
    for store in stores:
        variables = set(store.index.every(Var))
        for count in variables & counters:
            once = raised.count(count) == changing.count(count) == 1 and count not in nested
            if once and store.index is count:
                last.setdefault(count, (count + loop.hi - loop.lo - 1, store.buffer))
            elif variables.isdisjoint({*changing, *nested}):
                factor = affine(store.index)[0].get(loop.var, 0)
                if factor:
                    end = loop.hi - 1 if factor > 0 else loop.lo
                    place = substitute(store.index, {loop.var: end})
                    last.setdefault(count, (place, store.buffer))
    return list(last.values()), frozenset(last)
