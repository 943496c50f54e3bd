"""What the turns of a loop compute that could be computed ahead of them, for many turns at once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import TypeAlias, TypeVar

from structarr._compiler.ir.conditions import All
from structarr._compiler.ir.expr import Buffer, Call, Expr, Helper, Load
from structarr._compiler.ir.kernel import Do, For, Line, Make, Set, Store, assigned, every_line
from structarr._compiler.ir.node import Node, substitute
from structarr._compiler.ir.ops import OPS
from structarr._compiler.rules.constants import literal

_E = TypeVar("_E", bound=Expr)


class Ahead:
    """
    The values of a loop's turns that go by its variable alone, line by line.

    Parameters
    ----------
    loop : For
        The loop, which is left at its end only.

    Attributes
    ----------
    var : Var
        Its variable.
    """

    def __init__(self, loop: For) -> None:
        self.var = loop.var
        self._changes = assigned(loop.body)  # nodes that differ from turn to turn, for all we know
        self._values: dict[Node, Node] = {}  # what variables are set to, by what does not differ
        self._once = Counter[Node]()
        for line in every_line(loop.body):
            match line:
                case Set(var):
                    self._once[var] += 1
                case Store(buffer) | Make(buffer):
                    self._changes.add(buffer)
                case Do(call):
                    self._changes |= {one for one in call.nodes() if isinstance(one, Buffer)}

    def expanded(self, expr: _E) -> _E:
        """An expression with what variables are set to before it in place of them."""
        return substitute(expr, self._values) if self._values else expr

    def allows(self, expr: Expr, line: Line) -> bool:
        """Whether an expression in a line may be computed ahead of the turn."""
        if self._differs(self.expanded(expr)):
            return False
        # What is read under a condition only may be no element of the buffer otherwise.
        read = {load for one in _values_of(line) for load in _read(one)}
        return all(load in read for load in expr.every(Load))

    def guarded(self, call: Call, line: Line, vectors: int) -> Call | None:
        """
        A call in a line whose first arguments are read as the line reads them: under conditions.

        Where these do not hold, it is applied to 1. None of a call that may not be computed ahead
        of the turn, or stands under several conditions.
        """
        if self.allows(call, line):
            return call
        if not self.expanded(call).mentions(self.var):
            return None
        ways = {way for one in _values_of(line) for way in _ways(one, call)}
        way = ways.pop() if len(ways) == 1 else None
        if way is None or any(map(self._differs, map(self.expanded, (call, *(c for c, _ in way))))):
            return None
        args = [_under(way, arg) for arg in call.args[:vectors]]
        return Call(call.dtype, call.op, (*args, *call.args[vectors:]))

    def go_past(self, line: Line) -> None:
        """Note what a line sets a variable to, for the lines after it."""
        if isinstance(line, Set) and self._once[line.var] == 1:
            value = self.expanded(line.value)
            if not self._differs(value):
                self._values[line.var] = value

    def _differs(self, whole: Expr) -> bool:
        """Whether an expression may go by more than the loop's variable."""
        return any(node in self._changes or isinstance(node, Helper) for node in whole.nodes())


def calls(line: Line) -> Iterator[Call]:
    """The calls of a line, those of nested lines aside, which may be under conditions."""
    for expr in _values_of(line):
        yield from expr.every(Call)


def _values_of(line: Line) -> tuple[Expr, ...]:
    """The expressions that a line computes whenever it is reached."""
    match line:
        case Set(_, value):
            return (value,)
        case Store(_, index, value):
            return (index, value)
        case Do(call):
            return tuple([one for one in call.args if isinstance(one, Expr)])
    return ()


Way: TypeAlias = tuple[tuple[Expr, bool], ...]
"""Conditions, and whether each holds, of a part of an expression."""


def _ways(node: Node, call: Call, way: Way = ()) -> Iterator[Way | None]:
    """The conditions under which an expression computes a call, for each place where it stands.

    None where they are not known.
    """
    if node is call:
        yield way
    match node:
        case Call(_, op, (cond, chosen, other)) if op.name == "where":
            yield from _ways(cond, call, way)
            yield from _ways(chosen, call, (*way, (cond, True)))
            yield from _ways(other, call, (*way, (cond, False)))
        case All():
            if call in set(node.nodes()):
                yield None
        case _:
            for child in node.inner:
                yield from _ways(child, call, way)


def _under(way: Way, arg: Expr) -> Expr:
    """An argument where conditions hold, and 1 elsewhere."""
    for cond, holds in reversed(way):
        one = literal(arg.dtype, 1)
        arg = Call(arg.dtype, OPS["where"], (cond, arg, one) if holds else (cond, one, arg))
    return arg


def _read(node: Node) -> Iterator[Load]:
    """The loads of an expression that are done in any case."""
    match node:
        case Call(_, op, args) if op.name == "where":
            yield from _read(args[0])
            return
        case All():
            return
        case Load():
            yield node
    for child in node.inner:
        yield from _read(child)
