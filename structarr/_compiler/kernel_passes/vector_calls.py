"""NumPy's functions in straight loops: applied to a block of their arguments at a time.

NumPy's loops compute several values at once, which a call for each element cannot. Where a loop
does nothing but fill a stretch of a result, that holds the arguments of a block until the function
has replaced them; other loops have rooms for blocks.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from structarr._compiler.ir.expr import (
    INDEX,
    Buffer,
    Call,
    Expr,
    Helper,
    Lit,
    Load,
    Min,
    affine,
    is_whole_power,
    minimum,
)
from structarr._compiler.ir.kernel import Do, For, Line, Make, Set, Store, assigned, used
from structarr._compiler.ir.node import Node, substitute
from structarr._compiler.ir.variables import Var, fresh
from structarr._compiler.kernel_passes.ahead import Ahead, calls
from structarr._compiler.kernel_passes.blocks import Block, ends, with_blocks
from structarr._compiler.runtime import HELPERS, traits
from structarr._compiler.runtime.vectors import BLOCK, DTYPES
from structarr._support.records import record

VECTORS: Final = {operator: name for name in HELPERS if (operator := traits(name).applies)}
"""The operators that NumPy applies to vectors, and their helpers."""

PAIRS: Final = frozenset({operator for operator, name in VECTORS.items() if traits(name).pairs})
"""Those of two vectors; the others have one, and numbers."""


@record
class _Stage:
    """A function of a block: its argument, the helper that applies it, and what else that takes."""

    argument: Expr
    helper: str
    extra: tuple[Expr, ...]


def vector_calls(block: Block) -> Block:
    """A kernel whose straight loops call NumPy's functions by blocks."""
    known = used(block)
    if not any(isinstance(node, Call) and is_vector(node) for node in known):
        return block
    calls = _Calls(known | assigned(block))
    found = calls.within(block)
    rooms = [
        Make(one, Helper(one.dtype, "new_block", (Lit(one.dtype, 0.0),))) for one in calls.rooms
    ]
    return (*rooms, *found)


class _Calls:
    """The calls of one kernel.

    Parameters
    ----------
    taken : set of Node
        Its variables and buffers.
    """

    def __init__(self, taken: set[Node]) -> None:
        self.rooms: list[Buffer] = []  # for blocks; loops one after the other have the same
        self._taken = taken

    def within(self, block: Block) -> Block:
        """Lines whose loops call functions by blocks, the inner ones first."""
        return tuple([made for line in block for made in self._of(line)])

    def _of(self, line: Line) -> Block:
        inner = with_blocks(line, self.within)
        if isinstance(inner, For) and inner.step == 1 and not ends(inner.body):
            return self._in_place(inner) or self._apart(inner) or (inner,)
        return (inner,)

    def _in_place(self, loop: For) -> Block:
        """A loop over blocks whose arguments the result holds; nothing if they do not fit there."""
        match loop.body:
            case (Store(buffer, index, value) as line,) if buffer.dtype in DTYPES:
                pass
            case _:
                return ()
        var, here = loop.var, Load(buffer, index)
        steps, _ = affine(index)
        if steps.pop(var, 0) != 1 or any(atom.mentions(var) for atom in steps):
            return ()
        found = {one for one in value.every(Call) if is_vector(one)}
        ahead = Ahead(loop)
        if not found or any(not ahead.allows(one, line) or not one.mentions(var) for one in found):
            return ()
        stages = list(_stages(value, here, var))
        if len(stages) <= len(found):
            return ()
        begin, end = self._bounds(loop)
        lines: list[Line] = []
        for one in stages:
            if one.argument is not here:
                lines.append(For(var, begin, end, (Store(buffer, index, one.argument),)))
            if one.helper:
                bounds = (substitute(index, {var: bound}) for bound in (begin, end))
                lines.append(Do(Helper(buffer.dtype, one.helper, (buffer, *bounds, *one.extra))))
        return _in_blocks(loop, begin, end, lines)

    def _apart(self, loop: For) -> Block:
        """A loop over blocks whose functions have rooms of their own; nothing if it calls none."""
        begin, end = self._bounds(loop)
        at, ahead, inside = loop.var - begin, Ahead(loop), used(loop.body)
        rooms = [one for one in self.rooms if one in inside]  # those of inner loops
        lines, body, done = list[Line](), list[Line](), dict[Node, Expr]()
        for line in loop.body:
            while (found := _next(line, ahead)) is not None:
                call, whole = found
                if whole not in done:
                    if whole.mentions(loop.var):
                        vectors = whole.args if call.op.name in PAIRS else whole.args[:1]
                        room, *others = [self._room(call.dtype, rooms) for _ in vectors]
                        filled = zip((room, *others), vectors, strict=True)
                        stores = tuple([Store(one, at, value) for one, value in filled])
                        lines.append(For(loop.var, begin, end, stores))
                        numbers = whole.args[len(vectors) :]
                        args = (room, Lit(INDEX, 0), end - begin, *others, *numbers)
                        lines.append(Do(Helper(room.dtype, _helper(call), args)))
                        done[whole] = room[at]
                    else:
                        done[whole] = once = self._new(Var(call.dtype, "value"))
                        lines.append(Set(once, whole))
                line = substitute(line, {call: done[whole]})
            body.append(line)
            ahead.go_past(line)
        if not lines:
            return ()
        return _in_blocks(loop, begin, end, [*lines, For(loop.var, begin, end, tuple(body))])

    def _bounds(self, loop: For) -> tuple[Expr, Expr]:
        """Where a block begins and ends: the loop itself, if it is no longer than a block."""
        if _is_short(loop):
            return loop.lo, loop.hi
        begin, end = (self._new(Var(INDEX, f"{loop.var.label}_{one}")) for one in ("block", "stop"))
        return begin, end

    def _new(self, var: Var) -> Var:
        return fresh(var, self._taken)

    def _room(self, dtype: str, rooms: list[Buffer]) -> Buffer:
        """A room that a loop does not have yet."""
        for one in self.rooms:
            if one.dtype == dtype and one not in rooms:
                break
        else:
            one = Buffer(f"block{len(self.rooms) + 1}", dtype)
            self.rooms.append(one)
        rooms.append(one)
        return one


def _is_short(loop: For) -> bool:
    """Whether a loop has no more turns than a block has elements."""
    if not isinstance(loop.hi, Min):
        return False
    lengths = [one - loop.lo for one in loop.hi.args]
    return any(isinstance(one, Lit) and int(one.value) <= BLOCK for one in lengths)


def _in_blocks(loop: For, begin: Expr, end: Expr, lines: list[Line]) -> Block:
    """A loop over blocks of another's turns, that does some lines for each; the lines, if short."""
    if begin is loop.lo:
        return tuple(lines)
    assert isinstance(begin, Var) and isinstance(end, Var)  # those of `_Calls._bounds`
    stop = Set(end, minimum(begin + BLOCK, loop.hi))
    return (For(begin, loop.lo, loop.hi, (stop, *lines), BLOCK),)


def _stages(value: Expr, here: Load, var: Var) -> Iterator[_Stage]:
    """The functions of a value, the innermost first, and what is left of it; none if none is.

    The argument of each may read what the one before it has put in the value's place.
    """
    found = False
    while (call := _placed(value, here, var)) is not None:
        found = True
        yield _Stage(call.args[0], _helper(call), call.args[1:])
        value = substitute(value, {call: here})
    if found:
        yield _Stage(value, "", ())


def _placed(value: Expr, here: Load, var: Var) -> Call | None:
    """A function that the place of the result can hold the argument of, and then its value."""
    for call in value.every(Call):
        argument, *extra = call.args
        if not is_vector(call) or call.op.name in PAIRS or call.dtype != here.dtype:
            continue
        if any(one.mentions(var) for one in extra):
            continue
        inner = any(map(is_vector, argument.every(Call)))
        rest = substitute(value, {call: Lit(call.dtype, 0.0)})
        if not inner and not rest.mentions(here):
            return call
    return None


def _next(line: Line, ahead: Ahead) -> tuple[Call, Call] | None:
    """A function that a line calls, without one in its argument, whose block can be computed.

    With it comes what is computed: the function of what its arguments stand for.
    """
    for call in calls(line):
        inner = any(is_vector(one) for arg in call.args for one in arg.every(Call))
        if inner or not is_vector(call):
            continue
        vectors = len(call.args) if call.op.name in PAIRS else 1
        made = ahead.guarded(call, line, vectors)
        if made is None:
            continue
        whole = ahead.expanded(made)
        if not any(one.mentions(ahead.var) for one in whole.args[vectors:]):
            return call, whole
    return None


def is_vector(call: Call) -> bool:
    """Whether a helper applies an operator to vectors of the dtype of its operands."""
    if call.op.name not in VECTORS or {arg.dtype for arg in call.args} != {call.dtype}:
        return False
    return call.dtype in DTYPES and not is_whole_power(call)


def _helper(call: Call) -> str:
    """The helper of a function that is one of vectors.

    NumPy's own loop multiplies for whole powers of complex numbers.
    """
    if call.op.name == "power" and "complex" in call.dtype:
        return "vector_root"
    return VECTORS[call.op.name]
