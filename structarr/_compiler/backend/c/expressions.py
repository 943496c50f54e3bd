"""Expressions of kernels as C."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Callable, Sequence
from typing import Any, Final

import numpy as np

from structarr._compiler.backend.c import functions
from structarr._compiler.backend.c.arithmetic import (
    atom,
    binary,
    compared,
    constant,
    converted,
    inverted,
    negated,
    suffix,
    truth,
)
from structarr._compiler.backend.c.code import Code
from structarr._compiler.backend.c.complex_numbers import MAKER
from structarr._compiler.backend.text.expressions import TextExpressions
from structarr._compiler.backend.text.kinds import (
    BOOL,
    DOUBLE,
    DOUBLES,
    INT,
    KINDS,
    SINGLE,
    Array,
    Kind,
    Number,
    Several,
    Untranslated,
    Value,
    joined,
    kind_of,
)
from structarr._compiler.backend.text.scope import Scope

Call = Callable[[Any, Sequence[Value]], Value]
"""The call of a function of the kernel's, or of a helper, for some arguments."""

VIEWS: Final[dict[tuple[Kind, Kind], str]] = {
    (DOUBLE, INT): "double_bits",
    (SINGLE, KINDS["int32"]): "float_bits",
    (INT, DOUBLE): "double_of_bits",
    (KINDS["int32"], SINGLE): "float_of_bits",
}


class Expressions(TextExpressions):
    """
    The values of expressions within a function.

    Parameters
    ----------
    code : Code
        The function, to which lines go that come before an expression.
    scope : Scope
        The variables.
    call : callable
        What calls a function that has a text.
    """

    def __init__(self, code: Code, scope: Scope, call: Call) -> None:
        super().__init__(scope)
        self.code = code
        self._call = call

    def _constant(self, value: Any) -> Number:
        return constant(value)

    def _converted(self, value: Number, kind: Kind) -> Number:
        return converted(self.code, value, kind)

    def value(self, node: ast.expr) -> Value:
        """The value of an expression."""
        match node:
            case ast.Constant(None):
                return None
            case ast.Constant(value):
                return constant(value)
            case ast.Name(name):
                return self._named(name)
            case ast.Tuple(parts):
                return Several(tuple([self.value(one) for one in parts]))
            case ast.Subscript():
                return self.element(node)
            case ast.BinOp(left, sign, right):
                return binary(self.code, sign, self.number(left), self.number(right))
            case ast.UnaryOp(ast.Not()):
                return self._truth(node)
            case ast.UnaryOp(sign, operand):
                return self._signed(sign, self.number(operand))
            case ast.Compare(left, signs, rights):
                return self._compared(left, signs, rights)
            case ast.BoolOp():
                return self._told(node, self._condition)
            case ast.IfExp(cond, yes, no):
                return self._chosen(cond, yes, no)
            case ast.Call(function, args, []):
                return self._called(function, args)
            case ast.Attribute():
                return self._part(node)
        raise Untranslated(f"an expression {type(node).__name__}")

    def number(self, node: ast.expr) -> Number:
        """The value of an expression that gives a number."""
        found = self.value(node)
        if not isinstance(found, Number):
            raise Untranslated("no number where one is due")
        return found

    def truth(self, node: ast.expr) -> str:
        """The text of a condition, before which no line may come."""
        with self.code.without_lines():
            return self.asked(node)

    def asked(self, node: ast.expr) -> str:
        """The text of a condition."""
        return self._truth(node).text

    def _condition(self, node: ast.expr) -> Number:
        """The value of a condition."""
        found = self.number(node)
        if found.kind != BOOL:
            raise Untranslated("one of several numbers that need not be conditions")
        return found

    def _truth(self, node: ast.expr) -> Number:
        """Whether the value of an expression is not zero."""
        match node:
            case ast.BoolOp():
                return self._told(node, self._truth)
            case ast.UnaryOp(ast.Not(), operand):
                return Number(BOOL, f"!{atom(self._truth(operand))}")
        return truth(self.number(node))

    def element(self, node: ast.Subscript) -> Number:
        """An element of a buffer, to be read or set."""
        buffer = self.buffer(node.value)
        return Number(buffer.kind, f"{buffer.data}[{self._index(buffer, node.slice)}]")

    def buffer(self, node: ast.expr) -> Array:
        """A buffer."""
        found = self.value(node)
        if not isinstance(found, Array):
            raise Untranslated("no buffer where one is due")
        return found

    def _index(self, buffer: Array, node: ast.expr) -> str:
        """A subscript; one that is not marked as such counts from the end where it is negative."""
        match node:
            case ast.Call(ast.Name("u"), [inner]):
                return self.number(inner).text
        at = self.number(node)
        if not at.kind.is_whole or at.kind == BOOL:
            raise Untranslated("a subscript that is no integer")
        if at.kind.code == "u" or (at.constant is not None and at.constant >= 0):
            return at.text
        shown = atom(converted(self.code, at, INT))
        return f"{shown} < 0 ? {shown} + {buffer.length} : {shown}"

    def _named(self, name: str) -> Value:
        if self.scope.has(name):
            return self.scope.read(name)
        return constant(self.scope.known(name))

    def _signed(self, sign: ast.unaryop, value: Number) -> Number:
        if isinstance(sign, ast.UAdd):
            return value
        return (negated if isinstance(sign, ast.USub) else inverted)(self.code, value)

    def _compared(
        self, left: ast.expr, signs: Sequence[ast.cmpop], rights: Sequence[ast.expr]
    ) -> Number:
        """A comparison, or several that share operands."""
        values = [self.number(one) for one in (left, *rights)]
        found = [
            compared(self.code, sign, a, b)
            for sign, a, b in zip(signs, values, values[1:], strict=False)
        ]
        if len(found) == 1:
            return found[0]
        return Number(BOOL, " && ".join(map(atom, found)), None, False)

    def _told(self, node: ast.BoolOp, read: Callable[[ast.expr], Number]) -> Number:
        """Whether conditions are so, of which later ones are not asked for everywhere."""
        is_and = isinstance(node.op, ast.And)
        sign, first = " && " if is_and else " || ", read(node.values[0])
        parts = [self._apart(one, read) for one in node.values[1:]]
        if not any(lines for lines, _ in parts):
            shown = map(atom, (first, *[one for _, one in parts]))
            return Number(BOOL, sign.join(shown), None, False)
        told = Number(BOOL, self.code.variable(BOOL, "told"))
        self.code.line(f"{told.text} = {first.text};")
        for lines, one in parts:
            with self.code.block(f"if ({told.text})" if is_and else f"if (!{told.text})"):
                self.code.put(lines)
                self.code.line(f"{told.text} = {one.text};")
        return told

    def _apart(
        self, node: ast.expr, read: Callable[[ast.expr], Number]
    ) -> tuple[list[str], Number]:
        """The lines before a value that is not asked for everywhere, and the value."""
        with self.code.aside() as lines, self.code.deeper():
            value = read(node)
        return lines, value

    def _chosen(self, cond: ast.expr, yes: ast.expr, no: ast.expr) -> Number:
        """One of two values, of which the other is not asked for."""
        asked = self._truth(cond)
        arms = [self._apart(one, self.number) for one in (yes, no)]
        kind = joined(*[one.kind for _, one in arms])
        if kind is None:
            raise Untranslated("one of two integers of which one has a sign")
        shown = [converted(self.code, one, kind) for _, one in arms]
        if not any(lines for lines, _ in arms):
            texts = [atom(one) for one in shown]
            return Number(kind, f"{atom(asked)} ? {texts[0]} : {texts[1]}", None, False)
        found = Number(kind, self.code.variable(kind))
        for head, (lines, _), one in zip((f"if ({asked.text})", "else"), arms, shown, strict=True):
            with self.code.block(head):
                self.code.put(lines)
                self.code.line(f"{found.text} = {one.text};")
        return found

    # ------------------------------------------------------------------- calls

    def _called(self, function: ast.expr, args: Sequence[ast.expr]) -> Value:
        match function, args:
            case ast.Attribute(value, "view"), [dtype]:
                return self._viewed(self.number(value), self._object(dtype))
            case ast.Call(ast.Name("type"), [of]), [one]:
                return converted(self.code, self.number(one), self.number(of).kind)
        called = self._object(function)
        given = [self.value(one) for one in args]
        if isinstance(called, type):
            return self._constructed(called, given)
        own = _own(called)
        return self._call(called, given) if own is None else own(self.code, given)

    def _constructed(self, made: type, given: Sequence[Value]) -> Number:
        """A number of a type; a complex one perhaps of its parts, which are doubles then."""
        if made is complex and len(given) == 2:
            parts = [self._converted(one, DOUBLE).text for one in functions.numbers(given)]
            return Number(DOUBLES, self.code.call(MAKER, *parts))
        return super()._constructed(made, given)

    def _part(self, node: ast.Attribute) -> Number:
        """A part of a number, or a constant of NumPy's."""
        if self._is_module(node.value):
            return super()._part(node)
        value = self.number(node.value)
        if value.kind.is_complex and node.attr in ("real", "imag"):
            name = f"c{node.attr}{suffix(value.kind)}"
            return Number(value.kind.part, f"{name}({value.text})")
        return super()._part(node)

    def _viewed(self, value: Number, dtype: Any) -> Number:
        kind = kind_of(dtype)
        if (value.kind, kind) not in VIEWS:
            raise Untranslated("a view of another width")
        return Number(kind, self.code.call(VIEWS[value.kind, kind], value.text))


def _own(called: Any) -> functions.Made | None:
    """What writes the call of a function that is no text."""
    name = getattr(called, "__name__", "")
    if isinstance(called, np.ufunc):
        return functions.ufunc(name)
    if getattr(called, "__module__", "") == "math":
        return functions.MATH.get(name)
    table = functions.BUILTINS if called is getattr(builtins, name, None) else functions.HELPERS
    return table.get(name)
