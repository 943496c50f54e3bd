"""Results that store at the places of an operand: they share its pointers and coordinates.

A kernel that appends to each fiber of a result what the operand's fiber has, child for child, is at
the operand's own position whenever it appends. So it writes values alone, at those positions.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from structarr._compiler.ir.cin import Fiber, Tensor
from structarr._compiler.ir.expr import Buffer, Load
from structarr._compiler.ir.kernel import For, Line, Set, Store, every_line, used
from structarr._compiler.ir.variables import Var
from structarr._compiler.kernel_passes.blocks import Block, replaced


def share_places(
    block: Block, out: Tensor, operands: Sequence[Tensor]
) -> tuple[Block, Tensor] | None:
    """
    A kernel that writes no coordinates of a result, and the operand that has the same ones.

    None if it appends anything but the children of an operand of the result's format and lengths.
    """
    fiber = _lists(out)
    if fiber is None:
        return None
    for operand in operands:
        if operand.format is out.format and operand.dims == out.dims:
            own = _lists(operand)
            assert own is not None
            found = _Sharing(*_places(fiber), *_places(own), fiber.variable("n")).kernel(block)
            if found is not None:
                return found, operand
    return None


def _lists(tensor: Tensor) -> Fiber | None:
    """A fiber of the lists below all dense modes; None of a tensor that is stored otherwise."""
    fiber = tensor.root()
    while fiber.level.arithmetic and not fiber.level.leaf:
        fiber = fiber.child(fiber.pos)
    level = fiber.level
    lists = level.items == 1 and len(level.buffers) == 2 and level.writing.counters == ("n",)
    return fiber if lists and level.child.leaf and _has_values(level.child) else None


def _has_values(leaf: Any) -> bool:
    """Whether a leaf has a value a child."""
    return len(leaf.buffers) == 1 and not leaf.uniform


def _places(fiber: Fiber) -> tuple[Buffer, Buffer]:
    ends, places = map(fiber.buffer, fiber.level.buffers)
    return ends, places


@dataclass
class _Sharing:
    """The pointers and coordinates of a result and of an operand, and the result's count."""

    ends: Buffer
    places: Buffer
    own_ends: Buffer
    own_places: Buffer
    count: Var

    def kernel(self, block: Block) -> Block | None:
        """The kernel without coordinates; None where a fiber may have others than the operand's."""
        lines = [*every_line(block)]
        for buffer in (self.ends, self.places):
            if [isinstance(one, Store) and one.buffer is buffer for one in lines].count(True) != 1:
                return None
        found = self._loops(block) or self._fiber(block)
        gone = {self.ends, self.places, self.count}
        return None if found is None or not gone.isdisjoint(used(found)) else found

    def _loops(self, block: Block) -> Block | None:
        """The lines of loops over all fibers, of which one loop appends."""
        for k, line in enumerate(block):
            if isinstance(line, For) and self._appends(line):
                new = self._loops(line.body) or self._fiber(line.body)
                loop = new and For(line.var, line.lo, line.hi, new, line.step)
                return (*block[:k], loop, *block[k + 1 :]) if loop else None
        return None

    def _appends(self, loop: For) -> bool:
        ends = (one.buffer for one in every_line(loop.body) if isinstance(one, Store))
        return self.ends in ends

    def _fiber(self, body: Block) -> Block | None:
        """The lines of one fiber, which appends the operand's children."""
        match body:
            case (*before, For(q, lo, hi, turn, 1) as loop, Store(buffer, index, value)):
                pass
            case _:
                return None
        known = {one.var: one.value for one in before if isinstance(one, Set)}
        begin, end = self.own_ends[index - 1], self.own_ends[index]
        bounded = known.get(lo, lo) is begin and known.get(hi, hi) is end  # type: ignore[call-overload]
        if not bounded or buffer is not self.ends or value is not self.count:
            return None
        new = self._turn(turn, q)
        return None if new is None else (*before, For(q, lo, loop.hi, new))

    def _turn(self, turn: Block, q: Var) -> Block | None:
        """The lines of a turn, which appends the child at the operand's position."""
        *lines, last = turn
        if last is not Set(self.count, self.count + 1):
            return None
        known = {one.var: one.value for one in lines if isinstance(one, Set)}
        kept: list[Line] = []
        for line in lines:
            match line:
                case Store(buffer, index, place) if buffer is self.places:
                    place = known.get(place, place)  # type: ignore[call-overload]
                    if index is not self.count or place is not Load(self.own_places, q):
                        return None
                case _:
                    kept.append(line)
        return replaced(tuple(kept), {self.count: q})
