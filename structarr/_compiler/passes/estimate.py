"""Upper bounds of what a result stores, as formulas over the operands' counts.

A formula is evaluated at each call: `counts[number][level]` are the stored children of operand
`number` at a level, `extent[i]` the length of a loop.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from structarr._compiler.ir.cin import Access
from structarr._compiler.ir.expr import Call, Cast, Coalesce, Expr, Index
from structarr._compiler.passes.index import mode_of
from structarr._compiler.passes.schedule import is_dense
from structarr._compiler.passes.words import SPARSE, Simplify, annihilates, word

Counts = Sequence[Sequence[int]]
Extents = dict[Index, int]
Formula = Callable[[Counts, Extents], int]


def stored(
    value: Expr, prefix: tuple[Index, ...], runs: bool, simplify: Simplify
) -> Formula:
    """At most how many children a result has whose modes so far are `prefix`."""
    own = _bound(value, prefix, runs, simplify)

    fibers = _fibers(prefix)

    def capped(counts: Counts, extents: Extents) -> int:
        least = fibers(counts, extents) if runs else 0  # a fiber of runs has one at least
        every = math.prod(extents[i] for i in prefix)
        return min(max(own(counts, extents), least), every)

    return capped


def _bound(value: Expr, prefix: tuple[Index, ...], runs: bool, simplify: Simplify) -> Formula:
    match value:
        case Access():
            return _access(value, prefix, runs)
        case Cast(_, arg):
            return _bound(arg, prefix, runs, simplify)
        case Call(_, _, args):
            return _call(value, args, prefix, runs, simplify)
        case Coalesce(_, args):
            return _total([_bound(arg, prefix, runs, simplify) for arg in args])
    return _fibers(prefix) if runs else (lambda counts, extents: 0)


def _fibers(prefix: tuple[Index, ...]) -> Formula:
    outer = prefix[:-1]
    return lambda counts, extents: math.prod(extents[i] for i in outer)


def _total(parts: list[Formula]) -> Formula:
    return lambda counts, extents: sum(part(counts, extents) for part in parts)


def _call(
    call: Call, args: tuple[Expr, ...], prefix: tuple[Index, ...], runs: bool, simplify: Simplify
) -> Formula:
    parts = [_bound(arg, prefix, runs, simplify) for arg in args]
    if runs:
        return _total(parts)
    killers = [
        part
        for k, part in enumerate(parts)
        if any(word(args[k], i, simplify) in SPARSE for i in prefix)
        and annihilates(call, k, simplify)
    ]
    if killers:
        return lambda counts, extents: min(part(counts, extents) for part in killers)
    return _total(parts)


def _access(access: Access, prefix: tuple[Index, ...], runs: bool) -> Formula:
    source = access.obj.source  # type: ignore[attr-defined]
    modes = {i: mode_of(access, i) for i in prefix}
    free = tuple(i for i, level in modes.items() if level is None)
    levels = [level for level in modes.values() if level is not None]
    if not levels:
        return _fibers(prefix) if runs else _every(prefix)
    deepest, number = max(levels), source.number
    last = modes[prefix[-1]]
    name = source.format.levels[deepest].word
    if runs and last is None:
        return lambda counts, extents: counts[number][deepest] * math.prod(
            extents[i] for i in free[:-1]
        )
    if (name == "runs" and not runs) or is_dense(source):
        return _every(prefix)
    spread = 2 if runs and name in ("list", "band") else 1
    fibers = _fibers(prefix)

    def bound(counts: Counts, extents: Extents) -> int:
        copies = math.prod(extents[i] for i in free)
        children = spread * counts[number][deepest] * copies
        return children + (2 * fibers(counts, extents) if spread == 2 else 0)

    return bound


def _every(prefix: tuple[Index, ...]) -> Formula:
    return lambda counts, extents: math.prod(extents[i] for i in prefix)
