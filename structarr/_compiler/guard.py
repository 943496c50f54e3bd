"""Guards of what a kernel appends: no result outgrows its room, were that ever estimated too small.

A loop that appends once in each turn is guarded before it, so that it stays straight.
"""

from __future__ import annotations

from structarr._compiler.ir.expr import INDEX, Buffer, Expr, Helper, Var, affine, le
from structarr._compiler.ir.kernel import Do, For, If, Line, Set, Store, While, assigned
from structarr._compiler.ir.node import substitute
from structarr._compiler.tidy import Block, ends

Counters = frozenset[Var]


def guarded(block: Block, counters: Counters) -> Block:
    """A kernel that asks for room wherever it stores something at one of its counts."""
    return _guarded(block, counters, frozenset())


def _guarded(block: Block, counters: Counters, asked: Counters) -> Block:
    """A block; there is room at the counts of `asked`."""
    found: list[Line] = []
    for line in block:
        match line:
            case Store(buffer, index, _):
                counts = counters & set(index.every(Var))
                if not counts <= asked:
                    found.append(_guard(index, buffer))
                    asked |= counts
            case For(var, lo, hi, body):
                last, counts = _last(line, counters)
                found += [_guard(index, buffer) for index, buffer in last]
                line = For(var, lo, hi, _guarded(body, counters - counts, frozenset()))
            case While(body):
                line = While(_guarded(body, counters, frozenset()))
            case If(arms):
                line = If(tuple((cond, _guarded(body, counters, asked)) for cond, body in arms))
        found.append(line)
        asked -= assigned((line,))
    return tuple(found)


def _guard(index: Expr, buffer: Buffer) -> Line:
    room = Helper(INDEX, "len", (buffer,))
    return If(((le(room, index), (Do(Helper(INDEX, "overflow", ())),)),))


def _last(loop: For, counters: Counters) -> tuple[list[tuple[Expr, Buffer]], Counters]:
    """Where a loop stores last at counts that are known before it, one place for each count.

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
