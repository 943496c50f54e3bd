"""The statements of a kernel, one node class per line shape of the Python that is emitted."""

from __future__ import annotations

from collections.abc import Iterator

from structarr._compiler.ir.expr import Buffer, Expr, Helper, Var
from structarr._compiler.ir.node import Node


class Line(Node):
    """A statement of the kernel."""


class Set(Line):
    """`var = value`."""

    var: Var
    value: Expr


class Store(Line):
    """`buffer[index] = value`."""

    buffer: Buffer
    index: Expr
    value: Expr


class Do(Line):
    """A helper called for its effect."""

    call: Helper


class If(Line):
    """`if / elif / else`: arms in order, the condition of the last may be TRUE."""

    arms: tuple[tuple[Expr, tuple[Line, ...]], ...]


class For(Line):
    """`for var in range(lo, hi, step)`."""

    var: Var
    lo: Expr
    hi: Expr
    body: tuple[Line, ...]
    step: int = 1


class While(Line):
    """`while True` (left by `Break`)."""

    body: tuple[Line, ...]


class Lines(Node):
    """Several lines where one node is wanted."""

    lines: tuple[Line, ...]


class Break(Line):
    """Leaves the innermost loop."""


class Invoke(Line):
    """`results = name(arguments)`: a call of another function of the kernel."""

    name: str
    arguments: tuple[str, ...]
    results: tuple[Var, ...]


class Comment(Line):
    """A remark for the reader of the kernel."""

    text: str


def every_line(block: tuple[Line, ...]) -> Iterator[Line]:
    """The lines of a block, of its branches and of its loops."""
    for line in block:
        yield line
        match line:
            case If(arms):
                for _, body in arms:
                    yield from every_line(body)
            case For(_, _, _, body) | While(body):
                yield from every_line(body)


def lines_of(block: tuple[Line, ...]) -> int:
    """How many statements a block holds, nested ones included."""
    count = 0
    for line in block:
        count += 1
        match line:
            case If(arms):
                count += sum(1 + lines_of(body) for _, body in arms) - 1
            case For(_, _, _, body) | While(body):
                count += lines_of(body)
    return count


def _exprs(block: tuple[Line, ...]) -> list[Node]:
    found: list[Node] = []
    for line in block:
        match line:
            case Set(_, value):
                found.append(value)
            case Store(buffer, index, value):
                found += [buffer, index, value]
            case Do(call):
                found.append(call)
            case If(arms):
                for cond, body in arms:
                    found += [cond, *_exprs(body)]
            case For(_, lo, hi, body):
                found += [lo, hi, *_exprs(body)]
            case While(body):
                found += _exprs(body)
    return found


def used(block: tuple[Line, ...]) -> set[Node]:
    """Every expression node and buffer that a block mentions."""
    found: set[Node] = set()
    for expr in _exprs(block):
        if expr not in found:
            found.update(expr.nodes())
    return found


def assigned(block: tuple[Line, ...]) -> set[Node]:
    """Every variable that a block sets."""
    found: set[Node] = set()
    for line in block:
        match line:
            case Set(var, _):
                found.add(var)
            case For(var, _, _, body):
                found |= {var} | assigned(body)
            case While(body):
                found |= assigned(body)
            case If(arms):
                for _, body in arms:
                    found |= assigned(body)
    return found
