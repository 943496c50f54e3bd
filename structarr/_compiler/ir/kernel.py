"""The statements of a kernel, one node class per line shape of the Python that is emitted."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Final, NamedTuple

from structarr._compiler.ir.expr import Buffer, Expr, Helper
from structarr._compiler.ir.node import Node
from structarr._compiler.ir.variables import Var
from structarr._support.caches import cleared


class Line(Node):
    """Base class of the statements of a kernel."""


class Set(Line):
    """Assignment of a `value` to a variable, `var`."""

    var: Var
    value: Expr


class Make(Line):
    """Making of a `buffer` by the kernel itself, as a `value` that a helper returns."""

    buffer: Buffer
    value: Helper


class Store(Line):
    """Assignment of a `value` to the element of a `buffer` at an `index`."""

    buffer: Buffer
    index: Expr
    value: Expr


class Do(Line):
    """Call of a helper, `call`, for its effect."""

    call: Helper


class If(Line):
    """
    Branches, `arms`: pairs of a condition and lines, in order; that of the last may be `TRUE`.
    """

    arms: tuple[tuple[Expr, tuple[Line, ...]], ...]


class For(Line):
    """
    Loop of the lines `body`: ``for var in range(lo, hi, step)``, with `var`, `lo`, `hi` and `step`.
    """

    var: Var
    lo: Expr
    hi: Expr
    body: tuple[Line, ...]
    step: int = 1


class While(Line):
    """Endless loop of the lines `body`, which a `Break` leaves."""

    body: tuple[Line, ...]


class Lines(Node):
    """Several `lines`, where one node is wanted."""

    lines: tuple[Line, ...]


class Break(Line):
    """End of the innermost loop."""


class Invoke(Line):
    """
    Call of another function of the kernel, by its `name`, on `arguments`; it sets the `results`.
    """

    name: str
    arguments: tuple[Buffer | Var, ...]
    results: tuple[Var, ...]


class Check(Line):
    """Fact, `cond`, that lowering took as true; the kernel is to fail where it does not hold."""

    cond: Expr


class Function(NamedTuple):
    """
    Function of a kernel: the first one is called from outside, the others by each other.

    Parameters
    ----------
    name : str
        As other functions of the kernel call it.
    params : tuple of Buffer and Var
        Its parameters in order.
    block : tuple of Line
        Its lines.
    result : tuple of Var, or Expr
        The variables of which it returns a tuple, none if there is none; or the one value that it
        returns.
    """

    name: str
    params: tuple[Buffer | Var, ...]
    block: tuple[Line, ...]
    result: tuple[Var, ...] | Expr = ()

    def expressions(self) -> Iterator[Node]:
        """The expressions that its lines read, the buffers they store into, and its value."""
        for line in every_line(self.block):
            yield from _expressions(line)
        if isinstance(self.result, Expr):
            yield self.result


_NESTED: Final = For._bits | While._bits | If._bits


@cleared
@lru_cache(maxsize=512)  # as pass after pass asks for those of a kernel
def every_line(block: tuple[Line, ...]) -> tuple[Line, ...]:
    """Return the lines of a `block`, of its branches and of its loops, in their order."""
    lines: list[Line] = []
    for line in block:
        lines.append(line)
        if not line.kinds & _NESTED:
            continue
        if isinstance(line, For | While):
            lines += every_line(line.body)
        elif isinstance(line, If):
            for _, body in line.arms:
                lines += every_line(body)
    return tuple(lines)


def lines_of(block: tuple[Line, ...]) -> int:
    """The number of lines of a block's text."""
    return sum(len(one.arms) if isinstance(one, If) else 1 for one in every_line(block))


def _expressions(line: Line) -> tuple[Node, ...]:
    """The expressions that a line reads, and the buffer it stores into; nested lines aside."""
    return (line.buffer, *read_by(line)) if isinstance(line, Store) else read_by(line)


def read_by(line: Line) -> tuple[Node, ...]:
    """The expressions that a line reads, those of nested lines aside."""
    match line:
        case Set(_, value) | Make(_, value):
            return (value,)
        case Store(_, index, value):
            return (index, value)
        case Do(call):
            return (call,)
        case Check(cond):
            return (cond,)
        case If(arms):
            return tuple([cond for cond, _ in arms])
        case For(_, lo, hi):
            return (lo, hi)
    return ()


def used(block: tuple[Line, ...]) -> set[Node]:
    """Every expression node and buffer that a block mentions."""
    return set().union(*map(_used_by, block))


@cleared
@lru_cache(maxsize=4096)
def _used_by(line: Line) -> frozenset[Node]:
    """The nodes that a line and what is nested in it mention; kept, as passes ask again."""
    own = [expr.nodes() for expr in _expressions(line)]
    match line:
        case For(_, _, _, body) | While(body):
            return frozenset().union(*own, *map(_used_by, body))
        case If(arms):
            nested = [_used_by(one) for _, body in arms for one in body]
            return frozenset().union(*own, *nested)
    return frozenset().union(*own)


def assigned(block: tuple[Line, ...]) -> set[Node]:
    """Every variable that a block sets, and every buffer that it makes."""
    return set().union(*map(_assigned_by, block))


@cleared
@lru_cache(maxsize=4096)
def _assigned_by(line: Line) -> frozenset[Node]:
    """The variables that a line and what is nested in it assign; kept, as passes ask again."""
    match line:
        case Set(var):
            return frozenset((var,))
        case Make(buffer):
            return frozenset((buffer,))
        case For(var, _, _, body):
            return frozenset((var,)).union(*map(_assigned_by, body))
        case While(body):
            return frozenset().union(*map(_assigned_by, body))
        case If(arms):
            return frozenset().union(*[_assigned_by(one) for _, body in arms for one in body])
    return frozenset()
