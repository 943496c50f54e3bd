"""Expressions of kernels as instructions."""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from typing import Any

from structarr._compiler.backend.llvm import bounds, functions
from structarr._compiler.backend.llvm.arithmetic import (
    binary,
    compared,
    constant,
    converted,
    inverted,
    negated,
    truth,
)
from structarr._compiler.backend.llvm.complex_numbers import paired, parts
from structarr._compiler.backend.llvm.writer import Writer
from structarr._compiler.backend.text.expressions import TextExpressions
from structarr._compiler.backend.text.kinds import (
    BOOL,
    DOUBLE,
    DOUBLES,
    INT,
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


class Expressions(TextExpressions):
    """
    The values of expressions within a function.

    Parameters
    ----------
    writer : Writer
        Where the instructions go.
    scope : Scope
        The variables.
    call : callable
        What calls a function that has a text.
    flags : str
        LLVM's flags of operators of floats.
    """

    def __init__(self, writer: Writer, scope: Scope, call: Call, flags: str = "") -> None:
        super().__init__(scope)
        self.writer = writer
        self._call = call
        self._flags = flags
        self._bounded = False  # whether a subscript is written, whose integers do not wrap around

    def _constant(self, value: Any) -> Number:
        return constant(value)

    def _converted(self, value: Number, kind: Kind) -> Number:
        return converted(self.writer, value, kind)

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
                return self._loaded(node)
            case ast.BinOp(left, sign, right):
                a, b = self.number(left), self.number(right)
                return binary(self.writer, sign, a, b, self._flags, self._bounded)
            case ast.UnaryOp(sign, operand):
                return self._signed(sign, operand)
            case ast.Compare(left, signs, rights):
                return self._compared(left, signs, rights)
            case ast.BoolOp():
                return self._told(node)
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

    def fork(self, node: ast.expr, yes: str, no: str) -> None:
        """End a block by one of two others: as far as necessary, its parts are asked in turn."""
        match node:
            case ast.Constant(True):
                self.writer.goto(yes)
            case ast.UnaryOp(ast.Not(), operand):
                self.fork(operand, no, yes)
            case ast.BoolOp(sign, [*parts, last]):
                for part in parts:
                    onward = self.writer.label("further")
                    self.fork(part, *((onward, no) if isinstance(sign, ast.And) else (yes, onward)))
                    self.writer.open(onward)
                self.fork(last, yes, no)
            case _:
                self.writer.fork(truth(self.writer, self.number(node)), yes, no)

    def array(self, node: ast.expr) -> Array:
        """A buffer."""
        found = self.value(node)
        if not isinstance(found, Array):
            raise Untranslated("no buffer where one is due")
        return found

    def place(self, node: ast.Subscript) -> tuple[Array, str]:
        """A buffer, and the address of its element at a subscript."""
        buffer, at = self.array(node.value), self._subscript(node.slice)
        if not at.kind.is_whole or at.kind == BOOL:
            raise Untranslated("a subscript that is no integer")
        index = converted(self.writer, at, INT).text
        if bounds.CHECKED:
            bounds.check(self.writer, buffer, index)
        elif at.kind.code == "i" and (at.constant is None or at.constant < 0):
            index = self._from_end(buffer, index)
        kind = buffer.kind.stored
        address = f"getelementptr inbounds {kind}, ptr {buffer.data}, i64 {index}"
        return buffer, self.writer.set(address)

    def _subscript(self, node: ast.expr) -> Number:
        around, self._bounded = self._bounded, not bounds.CHECKED
        try:
            return self.number(node)
        finally:
            self._bounded = around

    def load(self, buffer: Array, address: str) -> Number:
        """An element of a buffer."""
        loaded = self.writer.set(f"load {buffer.kind.stored}, ptr {address}")
        if buffer.kind == BOOL:
            loaded = self.writer.set(f"icmp ne i8 {loaded}, 0")
        return Number(buffer.kind, loaded)

    def store(self, buffer: Array, address: str, value: Number) -> None:
        """Set an element of a buffer, which has the last word on the type."""
        shown = converted(self.writer, value, buffer.kind).text
        if buffer.kind == BOOL:
            shown = self.writer.set(f"zext i1 {shown} to i8")
        self.writer.line(f"store {buffer.kind.stored} {shown}, ptr {address}")

    def _from_end(self, buffer: Array, index: str) -> str:
        """An index that counts from the end where it is negative."""
        below = self.writer.set(f"icmp slt i64 {index}, 0")
        turned = self.writer.set(f"add i64 {index}, {buffer.length}")
        return self.writer.set(f"select i1 {below}, i64 {turned}, i64 {index}")

    def _loaded(self, node: ast.Subscript) -> Number:
        return self.load(*self.place(node))

    def _named(self, name: str) -> Value:
        if self.scope.has(name):
            return self.scope.read(name)
        return constant(self.scope.known(name))

    def _signed(self, sign: ast.unaryop, operand: ast.expr) -> Number:
        if isinstance(sign, ast.Not):
            told = truth(self.writer, self.number(operand))
            return Number(BOOL, self.writer.set(f"xor i1 {told}, true"))
        value = self.number(operand)
        if isinstance(sign, ast.UAdd):
            return value
        return (negated if isinstance(sign, ast.USub) else inverted)(self.writer, value)

    def _compared(
        self, left: ast.expr, signs: Sequence[ast.cmpop], rights: Sequence[ast.expr]
    ) -> Number:
        """A comparison, or several that share operands, all of which are read."""
        values = [self.number(one) for one in (left, *rights)]
        found = None
        for sign, a, b in zip(signs, values, values[1:], strict=False):
            one = compared(self.writer, sign, a, b)
            found = one if found is None else binary(self.writer, ast.BitAnd(), found, one)
        assert found is not None
        return found

    def _told(self, node: ast.expr) -> Number:
        """Whether an expression of conditions is true."""
        writer = self.writer
        yes, no, end = (writer.label(name) for name in ("true", "false", "known"))
        self.fork(node, yes, no)
        for label in (yes, no):
            writer.open(label)
            writer.goto(end)
        writer.open(end)
        return Number(BOOL, writer.set(f"phi i1 [ true, %{yes} ], [ false, %{no} ]"))

    def _chosen(self, cond: ast.expr, yes: ast.expr, no: ast.expr) -> Number:
        """One of two values, of which the other is not asked for."""
        writer = self.writer
        labels = [writer.label(name) for name in ("yes", "no", "chosen")]
        self.fork(cond, *labels[:2])
        found = []
        for label, node in zip(labels, (yes, no), strict=False):
            writer.open(label)
            found.append((self.number(node), writer.block))
        kind = joined(*[value.kind for value, _ in found])
        if kind is None:
            raise Untranslated("one of two integers of which one has a sign")
        arms = []
        for value, block in found:
            writer.open(block)
            arms.append(f"[ {converted(writer, value, kind).text}, %{block} ]")
            writer.goto(labels[2])
        writer.open(labels[2])
        return Number(kind, writer.set(f"phi {kind.text} {', '.join(arms)}"))

    def _part(self, node: ast.Attribute) -> Number:
        if not self._is_module(node.value) and node.attr in ("real", "imag"):
            value = self.number(node.value)
            if value.kind.is_complex:
                return parts(self.writer, value)[node.attr == "imag"]
        return super()._part(node)

    # ------------------------------------------------------------------- calls

    def _called(self, function: ast.expr, args: Sequence[ast.expr]) -> Value:
        match function, args:
            case ast.Attribute(value, "view"), [dtype]:
                return self._viewed(self.number(value), self._object(dtype))
            case ast.Call(ast.Name("type"), [of]), [one]:
                return converted(self.writer, self.number(one), self.number(of).kind)
        called = self._object(function)
        given = [self.value(one) for one in args]
        own = functions.FUNCTIONS.get(getattr(called, "__name__", ""))
        if isinstance(called, type):
            return self._constructed(called, given)
        if own is not None and not isinstance(called, tuple):
            return own(self.writer, given)
        return self._call(called, given)

    def _constructed(self, made: type, given: Sequence[Value]) -> Number:
        """A number of a type; a complex one perhaps of its parts, which are doubles then."""
        if made is complex and len(given) == 2:
            real, imag = (
                converted(self.writer, one, DOUBLE) for one in given if isinstance(one, Number)
            )
            return paired(self.writer, DOUBLES, real, imag)
        return super()._constructed(made, given)

    def _viewed(self, value: Number, dtype: Any) -> Number:
        kind = kind_of(dtype)
        if kind.bits != value.kind.bits or kind.is_complex or value.kind.is_complex:
            raise Untranslated("a view of another width, or of complex numbers")
        bits = f"bitcast {value.kind.text} {value.text} to {kind.text}"
        return Number(kind, self.writer.set(bits))
