"""Statements: loops, conditions, assignments and updates."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from functools import singledispatch
from typing import TypeGuard

from structarr._compiler.ir.ops import OPS
from structarr._language.read.array_constructors import make
from structarr._language.read.calls import called, check_arity
from structarr._language.read.expressions import binary, expression
from structarr._language.read.source import Source
from structarr._language.read.syntax import (
    Apply,
    Assign,
    For,
    If,
    Length,
    Name,
    Place,
    Read,
    Syntax,
)
from structarr._language.read.vocabulary import MAKERS, operator

_LOOP = "loop over one index by `for i in range(stop):` or `for i in range(start, stop):`"
_ADVICE: dict[type[ast.AST], str] = {
    ast.While: f"`while` is not supported: {_LOOP}",
    ast.AsyncFor: f"`async for` is not supported: {_LOOP}",
    ast.With: "`with` is not supported: put it around the program's call",
    ast.AsyncWith: "`async with` is not supported: put it around the program's call",
    ast.Try: "`try` is not supported: put it around the program's call",
    ast.TryStar: "`try` is not supported: put it around the program's call",
    ast.FunctionDef: "a function in a program is not supported: write out its loops, or declare an "
    "operator outside",
    ast.AnnAssign: "an annotation is not supported: write `y = ...`, with a dtype as in "
    "`y = np.zeros(n, np.float32)`",
    ast.Break: "`break` is not supported: a loop runs over all of its range; guard what it does "
    "by `if`",
    ast.Continue: "`continue` is not supported: put what follows under `if`",
    ast.Return: "`return` stands once, as the last statement of a function: `return y` or "
    "`return y, z`",
}


@singledispatch
def statement(node: ast.stmt, source: Source) -> tuple[Syntax, ...]:
    """Return what a Python statement says: one statement, or none for `pass`.

    Raises
    ------
    ProgramError
        If the language has no such statement.
    """
    other = "this is no statement of the language: it has assignments, updates like `y[i] += x`, "
    other += "`for i in range(n):`, `if` and `pass`"
    raise source.error(_ADVICE.get(type(node), other), node)


@statement.register
def _(node: ast.Pass, source: Source) -> tuple[Syntax, ...]:
    return ()


@statement.register
def _(node: ast.Expr, source: Source) -> tuple[Syntax, ...]:
    if isinstance(node.value, ast.Compare):
        raise source.error("a comparison on its own does nothing: `=` assigns", node)
    raise source.error("a value on its own does nothing: assign it, as in `y[i] = f(x)`", node)


@statement.register
def _(node: ast.For, source: Source) -> tuple[Syntax, ...]:
    if not isinstance(node.target, ast.Name):
        raise source.error(f"a loop has one index: {_LOOP}", node.target)
    if node.orelse:
        raise source.error(
            "`else` of a loop is not supported: write it after the loop", node.orelse[0]
        )
    index = new_name(node.target.id, node.target, source)
    start, stop = _range(node.iter, source)
    return (For(index, start, stop, statements(node.body, source), at=source.place(node)),)


@statement.register
def _(node: ast.If, source: Source) -> tuple[Syntax, ...]:
    cond = expression(node.test, source)
    body, orelse = statements(node.body, source), statements(node.orelse, source)
    return (If(cond, body, orelse, at=source.place(node)),)


@statement.register
def _(node: ast.Assign, source: Source) -> tuple[Syntax, ...]:
    if len(node.targets) > 1:
        raise source.error("assign to one target at a time", node.targets[1])
    if isinstance(node.targets[0], ast.Tuple):
        return _several(node.targets[0], node.value, source, source.place(node))
    target, at = _target(node.targets[0], source), source.place(node)
    name = source.named_update(node)
    if name is not None:
        check_arity(name, 2, node, source)
        return (_update(target, operator(name), expression(node.value, source), at),)
    if isinstance(node.value, ast.Call) and called(node.value, source)[0] in MAKERS:
        return (make(target, node.value, source, at),)
    return (_assignment(target, expression(node.value, source), at),)


@statement.register
def _(node: ast.AugAssign, source: Source) -> tuple[Syntax, ...]:
    target, value = _target(node.target, source), expression(node.value, source)
    return (_update(target, binary(node.op, node, source), value, source.place(node)),)


def statements(nodes: Sequence[ast.stmt], source: Source) -> tuple[Syntax, ...]:
    """Return what some Python statements say, one after the other."""
    return tuple(one for node in nodes for one in statement(node, source))


def new_name(name: str, node: ast.AST, source: Source) -> str:
    """Return a name that a program gives, if it can be given."""
    if name == "missing":
        raise source.error("`missing` is a value of the language: use another name", node)
    return name


def _several(target: ast.Tuple, value: ast.expr, source: Source, at: Place) -> tuple[Syntax, ...]:
    """`m, n = A.shape`, a name for each length; or `s, t = 0.0, 0.0`, each its value."""
    names = [_target(one, source) for one in target.elts]
    if isinstance(value, ast.Tuple) and len(value.elts) == len(names):
        given = {node.id for one in target.elts for node in ast.walk(one) if _is_name(node)}
        read = {node.id for one in value.elts for node in ast.walk(one) if _is_name(node)}
        if not given & read:  # they may be assigned one after the other
            pairs = zip(target.elts, value.elts, strict=True)
            made = [ast.copy_location(ast.Assign([one], each), one) for one, each in pairs]
            return statements(made, source)
    match value:
        case ast.Attribute(value=ast.Name(id=array), attr="shape"):
            return tuple(
                Assign(name, None, Length(array, axis, at=at), at=at)
                for axis, name in enumerate(names)
            )
    raise source.error(
        "assign to one target at a time; `m, n = A.shape` and `s, t = 0.0, 0.0` are supported",
        target,
    )


def _is_name(node: ast.AST) -> TypeGuard[ast.Name]:
    return isinstance(node, ast.Name)


def _target(node: ast.expr, source: Source) -> Name | Read:
    if isinstance(node, (ast.Tuple, ast.List)):
        raise source.error("assign to one target at a time", node)
    if isinstance(node, ast.Name):
        new_name(node.id, node, source)
    target = expression(node, source)
    if isinstance(target, (Name, Read)):
        return target
    raise source.error("only a name or an element can be assigned, as in `y[i] = x`", node)


def _range(node: ast.expr, source: Source) -> tuple[Syntax | None, Syntax]:
    match node:
        case ast.Call(func=ast.Name(id="range"), args=[_, _, step]):
            raise source.error(
                "a step is not supported: loop over `range(n)` and write the step into the "
                "index, as in `A[2*i + 1]`",
                step,
            )
        case ast.Call(func=ast.Name(id="range"), args=[stop], keywords=[]):
            return None, expression(stop, source)
        case ast.Call(func=ast.Name(id="range"), args=[start, stop], keywords=[]):
            return expression(start, source), expression(stop, source)
    raise source.error(_LOOP, node)


def _assignment(target: Name | Read, value: Syntax, at: Place) -> Assign:
    """An update where the target is the operator's own operand, and read nowhere else."""
    match value:
        case Apply(op, (first, second)) if first == target and target not in second.parts():
            return _update(target, op, second, at)
        case Apply(op, (first, second)) if second == target and target not in first.parts():
            if op in OPS and OPS[op].commutative:
                return _update(target, op, first, at)
    return Assign(target, None, value, at=at)


def _update(target: Name | Read, op: str, value: Syntax, at: Place) -> Assign:
    expanded = OPS[op].expands_to if op in OPS else None
    if expanded:
        op, inner = expanded
        value = Apply(inner, (value,), at=value.at)
    return Assign(target, op, value, at=at)
