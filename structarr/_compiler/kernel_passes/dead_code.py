"""Dead code of a kernel: lines whose value nothing reads, and branches that are never taken."""

from __future__ import annotations

from collections.abc import Set as AbstractSet
from typing import TypeAlias

from structarr._compiler.ir.conditions import FALSE, TRUE
from structarr._compiler.ir.kernel import Break, For, If, Line, Set, Store, While, every_line
from structarr._compiler.ir.variables import Var
from structarr._compiler.kernel_passes.blocks import Block, ends

Live: TypeAlias = AbstractSet[Var]


def drop_dead_code(block: Block) -> Block:
    """A kernel without the lines that nothing reads."""
    while True:
        smaller = _prune(block, _live(block))
        if smaller == block:
            smaller = Sweep()(block)
            if smaller == block:
                return block
        block = smaller


def _live(block: Block) -> set[Var]:
    """The variables that are read other than to update themselves."""
    live: set[Var] = set()
    for line in every_line(block):
        match line:
            case Set(var, value):
                live.update([one for one in value.every(Var) if one is not var])
            case For(_, lo, hi):
                live.update(lo.every(Var), hi.every(Var))
            case If(arms):
                live.update(*[cond.every(Var) for cond, _ in arms])
            case While():
                continue  # whose lines come next
            case _:
                live.update(line.every(Var))
    return live


def _prune(block: Block, live: set[Var]) -> Block:
    kept: list[Line] = []
    for line in block:
        match line:
            case Set(var, value):
                if value is var or (var not in live and not var.result):
                    continue
            case If(arms):
                pruned = tuple(
                    [(cond, _prune(body, live)) for cond, body in arms if cond is not FALSE]
                )
                if not any([body for _, body in pruned]):
                    continue
                if pruned[0][0] is TRUE:
                    kept += pruned[0][1]
                    continue
                if pruned != arms:
                    line = If(pruned)
            case For(var, lo, hi, body, step):
                inner = _prune(body, live)
                if not inner:
                    continue
                if inner != body:
                    line = For(var, lo, hi, inner, step)
            case While(body):
                if not ends(body):
                    continue  # unreachable: lowering found contradictory facts here
                inner = _prune(body, live)
                if inner != body:
                    line = While(inner)
        kept.append(line)
    return tuple(kept)


class Sweep:
    """Drops assignments that nothing reads before the next one, or before the end."""

    def __init__(self) -> None:
        # What is read after a turn of a loop, as far as known. It only grows, so a loop in another
        # is not begun anew each time: that would double the work with every loop around it.
        self._found: dict[int, frozenset[Var]] = {}

    def __call__(self, block: Block) -> Block:
        """A whole kernel without them."""
        return self._swept(block, frozenset(), frozenset())[0]

    def before(self, block: Block, after: Live, leaving: Live) -> Live:
        """The variables that are live before a block."""
        return self._swept(block, after, leaving)[1]

    def found(self, body: Block) -> Live:
        """The variables that are live after a turn of a loop that was swept."""
        return self._found[id(body)]

    def _swept(self, block: Block, after: Live, leaving: Live) -> tuple[Block, Live]:
        """A block without dead lines, and the variables that are live before it.

        `after` is what is read after the block, `leaving` what is read where a `break` leads to.
        """
        kept: list[Line] = []
        live = set(after)
        anew: set[Var] = set()  # set again before the next nested block
        for line in reversed(block):
            if not isinstance(line, (Set, Store)):
                anew.clear()
            match line:
                case Set(var, value):
                    if var not in live and (var in anew or not var.result):
                        continue
                    anew.add(var)
                    live.discard(var)
                    live.update(value.every(Var))
                case If(arms):
                    swept = [(cond, *self._swept(body, live, leaving)) for cond, body in arms]
                    if arms[-1][0] is TRUE:
                        live = set()
                    live.update(*[before for _, _, before in swept])
                    live.update(*[cond.every(Var) for cond, _ in arms])
                    left = tuple([(cond, body) for cond, body, _ in swept])
                    if not any([body for _, body in left]):
                        continue
                    if left != arms:
                        line = If(left)
                case For(var, lo, hi, body, step):
                    inner, inside = self._turns(body, live, live)
                    live.update([one for one in inside if one is not var])
                    live.update(lo.every(Var), hi.every(Var))
                    if inner != body:
                        line = For(var, lo, hi, inner, step)
                case While(body):
                    inner, inside = self._turns(body, frozenset(), live)
                    live = set(inside)
                    if inner != body:
                        line = While(inner)
                case Break():
                    live = set(leaving)
                case _:
                    live.update(line.every(Var))
            kept.append(line)
        return tuple(reversed(kept)), live

    def _turns(self, body: Block, after: Live, leaving: Live) -> tuple[Block, Live]:
        """A loop's body, and what is live before it: also live after the turn before."""
        found = frozenset(after) | self._found.get(id(body), frozenset())
        while True:
            swept, before = self._swept(body, found, leaving)
            if before <= found:
                self._found[id(body)] = found
                return swept, before
            found |= before
