"""The loops of a kernel as HTML: what each operand looks like along the loop's axis."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from html import escape
from typing import Final, NamedTuple, TypeAlias

from structarr._compiler.ir.cin import Access, Fiber, Loop, Tensor
from structarr._compiler.ir.expr import Buffer
from structarr._compiler.ir.node import Node
from structarr._compiler.ir.show import show
from structarr._compiler.ir.variables import Var
from structarr._compiler.looplets.base import Looplet
from structarr._explain.strip import said, strip

MOST: Final = 40
"""The most loops that are drawn."""


Levels: TypeAlias = Mapping[tuple[str, int | None], str]
"""What levels are called, by the tensor and the number of the level; None stands for the values."""


class Seen(NamedTuple):
    """A looplet that a loop reads or writes, with the level of a tensor that unfurled into it."""

    place: str
    tensor: str
    depth: int | None
    looplet: Looplet

    @property
    def variables(self) -> set[str]:
        """The names that people know of the looplet's variables, but for lengths of axes."""
        nodes = list(self.looplet.nodes())
        tensors = [node for node in nodes if isinstance(node, Tensor)]
        lengths = {one for tensor in tensors for dim in tensor.dims for one in dim.nodes()}
        return {node.label for node in nodes if isinstance(node, Var) and node not in lengths}


class Nest(NamedTuple):
    """A loop as it is lowered, and the looplets in it."""

    loop: Loop
    inner: int
    seen: tuple[Seen, ...]


def nests(loops: Iterable[Node], order: tuple[str, ...], prefix: str) -> list[Nest]:
    """Return the loops that were told, each once, with places that begin with a prefix."""
    found: list[Nest] = []
    for loop in dict.fromkeys(loops):
        if not isinstance(loop, Loop) or len(found) == MOST:
            continue
        place = f"{prefix}l{len(found)}"
        seen = tuple(_seen(loop, place))
        name = loop.index.name
        if seen:
            found.append(Nest(loop, order.index(name) if name in order else 0, seen))
    return found


def _seen(loop: Loop, place: str) -> Iterator[Seen]:
    objects = [node.obj for node in loop.nodes() if isinstance(node, Access)]
    for number, one in enumerate(dict.fromkeys(objects)):
        if isinstance(one, Looplet):
            tensor, depth = _level_of(one)
            yield Seen(f"{place}r{number}", tensor, depth, one)


def _level_of(looplet: Looplet) -> tuple[str, int | None]:
    """The tensor that a looplet is of, and the number of its level."""
    nodes = list(looplet.nodes())
    if looplet.writes:
        fibers = [node for node in nodes if isinstance(node, Fiber)]
        tensors = [node.name for node in nodes if isinstance(node, Tensor)]
        return (fibers[0].tensor.name, fibers[0].depth) if fibers else (tensors[0], None)
    # What a looplet leads to are fibers of the level below its own.
    for node in nodes:
        if isinstance(node, Fiber):
            return node.tensor.name, node.depth - 1
    buffers = [node for node in nodes if isinstance(node, Buffer) and node.tensor]
    buffers.sort(key=lambda buffer: buffer.depth is None)  # those of a level first
    return (buffers[0].tensor, buffers[0].depth) if buffers else ("", None)


def drawn(found: list[Nest], levels: Levels) -> str:
    """Draw loops, each with a row for each looplet; rows have places that others link to."""
    return "".join(_nest(nest, levels) for nest in found)


def _nest(nest: Nest, levels: Levels) -> str:
    loop = nest.loop
    head = f"for {loop.index.name} in [{show(loop.lo)}, {show(loop.hi)})"
    rows = "".join(_row(seen, levels) for seen in nest.seen)
    shift = f'style="margin-left: {min(nest.inner, 6) * 18}px"'
    return f'<div class="nest" {shift}><code>{escape(head)}</code>{rows}</div>'


def _row(seen: Seen, levels: Levels) -> str:
    level = levels.get((seen.tensor, seen.depth), "")
    name = f"<b>{escape(seen.tensor)}</b> <span class='soft'>{escape(level)}</span>"
    text = f'<div class="soft">{escape(said(seen.looplet))}</div>'
    return (
        f'<div class="row" id="{seen.place}"><div class="who">{name}</div>'
        f'<div class="what">{strip(seen.looplet)}{text}</div></div>'
    )
