"""Elements that a long loop looks up at listed places, asked of the memory some turns before.

Where they are in no cache, each turn of such a loop waits for memory, and a processor looks no more
than a few turns ahead. The places of later turns are known: they are listed.
"""

from __future__ import annotations

from typing import Final

from structarr._compiler.ir.conditions import TRUE, le
from structarr._compiler.ir.expr import INDEX, Buffer, Expr, Helper, Load, add, minimum, order_key
from structarr._compiler.ir.kernel import Do, For, If, Line, Set, Store, every_line, used
from structarr._compiler.ir.node import Node
from structarr._compiler.ir.variables import Local, Var, unused

FAR: Final = 1 << 16
"""The elements of a buffer from which on it is in no cache that is near."""

TURNS: Final = 32
"""How many turns before an element is asked for: about as long as memory takes."""


def fetched(loop: For, ascending: Var) -> Line:
    """A loop over entries that asks for what it looks up, if that is far away; or as it is.

    What is looked up at places that are `ascending` comes without being asked for.
    """
    looked_up = _looked_up(loop, ascending)
    if not looked_up:
        return loop
    taken = used((loop,))
    ahead = unused(Local(INDEX, "ahead"), taken)
    lines: list[Line] = [Set(ahead, minimum(add(loop.var, TURNS), add(loop.hi, -1)))]
    for buffer, listed in looked_up:
        lines.append(Do(Helper(INDEX, "fetch", (buffer, listed[ahead]))))
    far = loop.replace(body=(*lines, *loop.body))
    length = Helper(INDEX, "len", (looked_up[0][0],))
    return If(((le(FAR, length), (far,)), (TRUE, (loop,))))


def _looked_up(loop: For, ascending: Var) -> list[tuple[Buffer, Buffer]]:
    """The buffers that turns look up at places that another buffer lists, with that one."""
    listed: dict[Expr, Buffer] = {}
    stored: set[Node] = set()
    for line in every_line(loop.body):
        match line:
            case Set(var, Load(buffer, at)) if at is loop.var and var is not ascending:
                listed[var] = buffer
            case Store(buffer):
                stored.add(buffer)
    loads = sorted((one for one in used(loop.body) if isinstance(one, Load)), key=order_key)
    found = [(one.buffer, listed[one.index]) for one in loads if one.index in listed]
    return [one for one in dict.fromkeys(found) if one[1] not in stored]
