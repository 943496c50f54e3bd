"""Rules in one line: two expressions as text, of which one is rewritten to the other.

Names are variables, which match any expression; operators and calls are operators of the table or
of the user's. Dtypes are not written: the right side is promoted as NumPy promotes it.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping
from math import inf, nan, pi
from typing import Any, TypeAlias

import numpy as np

from structarr._compiler.ir.expr import Call, Cast, Expr, Lit
from structarr._compiler.ir.missing import Missing
from structarr._compiler.ir.node import Node
from structarr._compiler.ir.ops import OPS, Op, operator_named
from structarr._compiler.rules.constants import literal
from structarr._compiler.rules.engine import Rule
from structarr._support import dtypes as _dtypes
from structarr._support.records import record
from structarr._support.syntax_trees import expression


@record
class Variable:
    """Matches any expression; everywhere the same one."""

    name: str


@record
class Number:
    """Matches a constant of this value, of any dtype."""

    value: bool | int | float | complex


@record
class Application:
    """Matches an operator on what the arguments match."""

    op: Op
    args: tuple[Pattern, ...]


Pattern: TypeAlias = Variable | Number | Application
Found: TypeAlias = dict[str, Expr]

_BINARY: dict[type[ast.AST], str] = {
    ast.Add: "add",
    ast.Sub: "subtract",
    ast.Mult: "multiply",
    ast.Div: "divide",
    ast.FloorDiv: "floor_divide",
    ast.Mod: "remainder",
    ast.Pow: "power",
    ast.BitAnd: "bitwise_and",
    ast.BitOr: "bitwise_or",
    ast.BitXor: "bitwise_xor",
    ast.LShift: "left_shift",
    ast.RShift: "right_shift",
    ast.Lt: "less",
    ast.LtE: "less_equal",
    ast.Gt: "greater",
    ast.GtE: "greater_equal",
    ast.Eq: "equal",
    ast.NotEq: "not_equal",
}
_UNARY: dict[type[ast.AST], str] = {
    ast.USub: "negative",
    ast.UAdd: "positive",
    ast.Invert: "invert",
}
_NAMES = {"abs": "absolute", "min": "minimum", "max": "maximum"}
_NUMBERS = {"inf": inf, "nan": nan, "pi": pi}


def rewriting(
    left: str,
    right: str,
    when: Callable[..., bool] | None = None,
    name: str | None = None,
    operators: Mapping[str, Op] | None = None,
) -> Rule:
    """Make a rule of two texts."""
    title = name or f"{left} -> {right}"
    read = _Reader(title, operators or {})
    pattern, new = read(left), read(right)
    if not isinstance(pattern, Application):
        raise ValueError(f"rule {title}: {left!r} must be an operation, or it matches everything")
    unbound = sorted(variables(new) - variables(pattern))
    if unbound:
        raise ValueError(f"rule {title}: {unbound[0]!r} stands on the right side alone")

    def rewrite(node: Call) -> Node | None:
        found = match(pattern, node, {})
        if found is None or any(isinstance(one, Missing) for one in found.values()):
            return None
        if when is not None and not when(**found):
            return None
        return _as(node.dtype, build(new, found))

    constants = frozenset(read.constants)
    return Rule(title, Call, rewrite, pattern.op.name, constants=constants, left=pattern)


class _Reader:
    """A parser of patterns."""

    def __init__(self, title: str, operators: Mapping[str, Op]) -> None:
        self._title = title
        self._operators = operators
        self.constants: set[bool | int | float | complex] = set()

    def __call__(self, text: str) -> Pattern:
        try:
            tree = expression(text)
        except SyntaxError as error:
            raise ValueError(f"rule {self._title}: {text!r} is no expression") from error
        return self._read(tree)

    def _read(self, tree: ast.expr) -> Pattern:
        match tree:
            case ast.Name(name):
                return Number(_NUMBERS[name]) if name in _NUMBERS else Variable(name)
            case ast.Constant(bool() | int() | float() | complex() as value):
                self.constants.add(value)
                return Number(value)
            case ast.UnaryOp(op, operand) if type(op) in _UNARY:
                inner = self._read(operand)
                if isinstance(inner, Number) and isinstance(op, ast.USub):
                    self.constants.add(-inner.value)
                    return Number(-inner.value)
                return Application(OPS[_UNARY[type(op)]], (inner,))
            case ast.BinOp(left, op, right) | ast.Compare(left, [op], [right]):
                if type(op) in _BINARY:
                    return Application(
                        OPS[_BINARY[type(op)]], (self._read(left), self._read(right))
                    )
            case ast.Call(ast.Name(name), args, []):
                return self._application(name, tuple(self._read(arg) for arg in args))
        raise ValueError(f"rule {self._title}: {ast.unparse(tree)!r} is not known in rules")

    def _application(self, name: str, args: tuple[Pattern, ...]) -> Pattern:
        op = self._operators.get(name) or operator_named(_NAMES.get(name, name))
        if op is None:
            raise ValueError(
                f"rule {self._title}: there is no operator {name!r}; name it as NumPy does, or "
                f"give it as an argument: {name}=..."
            )
        if len(args) != op.arity:
            raise ValueError(f"rule {self._title}: {name} takes {op.arity} operands")
        self.constants |= op.constants()
        return Application(op, args)


def variables(pattern: Pattern) -> set[str]:
    """The names of the variables of a pattern."""
    match pattern:
        case Variable(name):
            return {name}
        case Application(_, args):
            return set().union(*map(variables, args))
    return set()


def match(pattern: Pattern, node: Node, found: Found) -> Found | None:
    """The variables' expressions if an expression matches, in either order of operands."""
    match pattern:
        case Variable(name):
            known = found.get(name)
            if known is None and isinstance(node, Expr):
                return {**found, name: node}
            return found if known is node else None
        case Number(value):
            return found if _is(node, value) else None
    if not (isinstance(node, Call) and node.op is pattern.op):
        return None
    orders = [node.args]
    if pattern.op.commutative and len(node.args) == 2:
        orders.append(node.args[::-1])
    for args in orders:
        matched = _match_all(pattern.args, args, found)
        if matched is not None:
            return matched
    return None


def _match_all(patterns: tuple[Pattern, ...], args: tuple[Expr, ...], found: Found) -> Found | None:
    matched: Found | None = found
    for one, arg in zip(patterns, args, strict=True):
        if matched is not None:
            matched = match(one, arg, matched)
    return matched


def _is(node: Node, value: Any) -> bool:
    if not isinstance(node, Lit) or (node.dtype == "bool") != isinstance(value, bool):
        return False
    return bool(node.value == value or (node.value != node.value and value != value))


def build(pattern: Pattern, found: Found) -> Expr | Number:
    """The expression of a pattern; a number takes the dtype of what stands beside it."""
    match pattern:
        case Variable(name):
            return found[name]
        case Number():
            return pattern
    args = [build(arg, found) for arg in pattern.args]
    dtypes = (type(arg.value) if isinstance(arg, Number) else np.dtype(arg.dtype) for arg in args)
    ins, out = _dtypes.resolve(pattern.op.name, tuple(dtypes))
    return Call(out, pattern.op, tuple(map(_as, ins, args)))


def _as(dtype: str, made: Expr | Number) -> Expr:
    if isinstance(made, Number):
        return literal(dtype, made.value)
    return made if made.dtype == dtype else Cast(dtype, made)
