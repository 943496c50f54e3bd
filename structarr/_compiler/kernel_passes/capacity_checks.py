"""Checks for room before a kernel appends, should a bound ever have been too small.

A loop that appends once in each iteration has one check before it, so that it stays straight. A
loop within a fiber is preceded by a test whether there is room for as many children as the fiber is
long: if so, the checks inside are skipped.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from typing import TypeAlias

from structarr._compiler.ir.conditions import TRUE, both, le
from structarr._compiler.ir.expr import INDEX, Buffer, Expr, Helper, Lit, Load, affine
from structarr._compiler.ir.kernel import Do, For, If, Line, Set, Store, While, assigned, every_line
from structarr._compiler.ir.node import substitute
from structarr._compiler.ir.variables import Var
from structarr._compiler.kernel_passes.blocks import Block, ends, with_blocks
from structarr._compiler.runtime import traits

Counters: TypeAlias = frozenset[Var]
Lengths: TypeAlias = Mapping[Var, Expr]


def check_capacity(block: Block, counters: Counters, lengths: Lengths) -> Block:
    """
    A kernel that checks for room wherever it stores or reads at one of its counts.

    `lengths` are the fibers' lengths for counters that count each index at most once.
    """
    return _Checks(lengths).block(block, counters, frozenset(), {})


class _Checks:
    def __init__(self, lengths: Lengths) -> None:
        self._lengths = lengths

    def block(
        self, block: Block, counters: Counters, asked: Counters, tight: Mapping[Var, Expr]
    ) -> Block:
        """
        A block with checks.

        There is room at the counts of `asked`, and at those of `tight` unless its condition holds.
        """
        if not counters:
            return block
        found: list[Line] = []
        for line in block:
            for buffer, index, unless in _places(line, tight):
                counts = counters & set(index.every(Var))
                if not counts <= asked:
                    found.append(_check(index, buffer, unless))
                    asked |= counts
            left, known, inside = counters, asked, tight
            if isinstance(line, For | While):
                last = _last(line, counters) if isinstance(line, For) else {}
                found += [_check(index, buffer) for index, buffer in last.values()]
                left, known = counters - last.keys(), frozenset()
                before, inside = self._before(line.body, left, tight)
                found += before
            change = partial(self.block, counters=left, asked=known, tight=inside)
            found.append(with_blocks(line, change))
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
            if not isinstance(count, Var) or count in known:
                continue
            if count not in counters & {*self._lengths}:
                continue
            if any(one.value is count for one in stores):
                continue  # where a fiber ends: there are several in the loop
            full = count.replace(dtype="bool", name=f"{count.name}_tight", result=False)
            lines.append(Set(full, le(_room(store.buffer), count + self._lengths[count])))
            known[count] = full
        return lines, known


def _places(line: Line, tight: Mapping[Var, Expr]) -> Iterator[tuple[Buffer, Expr, Expr]]:
    """The elements that a line stores, reads or fills, and when there is no room for them."""
    match line:
        case Store(buffer, index, _):
            yield buffer, index, tight.get(index, TRUE) if isinstance(index, Var) else TRUE
        case Set(_, value) | Do(value):
            for buffer, index in _beside(value):
                yield buffer, index, TRUE


def _beside(value: Expr) -> list[tuple[Buffer, Expr]]:
    """The buffers that a value reads, or that a helper fills, each with the last index.

    Everything before a counter's value is stored already.
    """
    places = [(load.buffer, load.index) for load in value.every(Load)]
    match value:
        case Helper(_, name, (Buffer() as buffer, *_) as args) if place := traits(name).fills:
            places.append((buffer, args[place] - 1))  # type: ignore[operator, arg-type]
            return places
    return [(buffer, index) for buffer, index in places if affine(index)[1] >= 0]


def _room(buffer: Buffer) -> Expr:
    return Helper(INDEX, "len", (buffer,))


def _check(index: Expr, buffer: Buffer, unless: Expr = TRUE) -> Line:
    over = both(unless, le(_room(buffer), index))
    return If(((over, (Do(Helper(INDEX, "overflow", ())),)),))


def _last(loop: For, counters: Counters) -> dict[Var, tuple[Expr, Buffer]]:
    """The last places at which a loop stores, for counts that are known before it.

    Every turn raises such a count by one, or none does and the place moves with the loop's index.
    """
    if ends(loop.body):
        return {}
    stores = [*_stores(loop.body)]
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
                place = _at_end(store.index, loop)
                if place is not None:
                    last.setdefault(count, (place, store.buffer))
    return last


def _at_end(index: Expr, loop: For) -> Expr | None:
    """The largest value of an index in a loop; None where that is not clear."""
    factor = affine(index)[0].get(loop.var, 0)
    if not factor:
        return None
    return substitute(index, {loop.var: loop.hi - 1 if factor > 0 else loop.lo})


def _stores(block: Block) -> Iterator[Store]:
    """The stores of a block and of the straight loops in it, these at the last place of each."""
    for line in block:
        match line:
            case Store():
                yield line
            case For(lo=Lit(), hi=Lit()):
                for store in _stores(line.body):
                    place = _at_end(store.index, line)
                    if place is not None:
                        yield store.replace(index=place)
