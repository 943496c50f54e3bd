"""Smaller programs of loops: statements and parts of expressions left out, operands plain."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any, Final

import numpy as np

from structarr._support import syntax_trees
from structarr._testing.fuzz.loops.lines import Line
from structarr._testing.fuzz.loops.operands import Argument, Given
from structarr._testing.fuzz.operands import Operand, stored_plainly

Arguments = tuple[Argument, ...]


def plainer_calls(options: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    """Options of plainer calls."""
    for name, plain in (("tier", "interpreted"), ("strict_ieee", False), ("threads", 1)):
        if options.get(name, plain) != plain or (name == "tier" and name not in options):
            yield {**options, name: plain}


def shorter_functions(text: str, arguments: Arguments) -> Iterator[tuple[str, Arguments]]:
    """Functions of fewer statements and shorter expressions, and their arguments."""
    for shorter in _shorter_functions(text):
        yield _without_unused(shorter, arguments)


def shorter_lines(line: Line) -> Iterator[Line]:
    """Lines of shorter expressions, in no order."""
    if line.order is not None:
        yield replace(line, order=None)
    for value in _shorter_values(line.value):
        if all(name in value for name in (*line.target, *line.reduced)):
            yield replace(line, value=value)


def _without_unused(text: str, arguments: Arguments) -> tuple[str, Arguments]:
    """The same without parameters that nothing reads."""
    tree = syntax_trees.module(text)
    (function,) = tree.body
    assert isinstance(function, ast.FunctionDef)
    used = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    function.args.args = [arg for arg in function.args.args if arg.arg in used]
    return ast.unparse(tree) + "\n", tuple(one for one in arguments if one.name in used)


def _shorter_functions(text: str) -> Iterator[str]:
    """Functions with one statement or one part of an expression less."""
    plain = ast.unparse(syntax_trees.module(text))
    count = sum(1 for _ in ast.walk(syntax_trees.module(text)))
    for number in range(count):
        way = 0
        while True:
            tree = syntax_trees.module(text)
            ways = list(_ways(list(ast.walk(tree))[number]))
            if way >= len(ways):
                break
            node, field, value = ways[way]
            setattr(node, field, value)
            way += 1
            if (shorter := ast.unparse(tree)) != plain:
                yield shorter + "\n"


def _shorter_values(text: str) -> Iterator[str]:
    for function in _shorter_functions(f"v = {text}\n"):
        yield function.removeprefix("v = ").strip()


_KEPT: Final = ("func", "slice", "target", "targets")


def _ways(node: ast.AST) -> Iterator[tuple[ast.AST, str, Any]]:
    """The shorter values that a node's fields may have."""
    for field, child in ast.iter_fields(node):
        if field in _KEPT or isinstance(node, ast.Subscript):
            continue
        if isinstance(child, ast.expr):
            yield from ((node, field, part) for part in _parts(child))
        elif field in ("body", "orelse") and isinstance(child, list):
            yield from ((node, field, block) for block in _blocks(child, field == "body"))
        elif isinstance(child, list):
            for k, one in enumerate(child):
                for part in _parts(one) if isinstance(one, ast.expr) else []:
                    yield node, field, [*child[:k], part, *child[k + 1 :]]


def _blocks(block: list[ast.stmt], needed: bool) -> Iterator[list[ast.stmt]]:
    """Some statements without one, or with what is in one of their branches."""
    for k, one in enumerate(block):
        before, after = block[:k], block[k + 1 :]
        if isinstance(one, ast.Return):
            if isinstance(one.value, ast.Tuple) and len(one.value.elts) > 1:
                yield from ([*before, ast.Return(part)] for part in one.value.elts)
        elif len(block) > needed:
            yield [*before, *after]
        if isinstance(one, ast.If):
            yield [*before, *one.body, *after]


def _parts(node: ast.expr) -> list[ast.expr]:
    """The expressions by which one may be replaced."""
    match node:
        case ast.BinOp(left, _, right):
            return [left, right]
        case ast.IfExp(_, body, orelse):
            return [body, orelse]
        case ast.UnaryOp(_, operand):
            return [operand]
        case ast.BoolOp(_, values) | ast.Call(_, values):
            return list(values)
        case ast.Subscript() | ast.Name():
            return [ast.Constant(1)]
    return []


def with_plainer_operands(arguments: Arguments) -> Iterator[Arguments]:
    """The same arguments, one of plainer format or elements."""
    for k, one in enumerate(arguments):
        if isinstance(one, Given):
            for operand in _plainer(one.operand):
                yield (*arguments[:k], Given(operand), *arguments[k + 1 :])


def _plainer(operand: Operand) -> Iterator[Operand]:
    plain = stored_plainly(operand.name, operand.data)
    if operand.format != plain.format or operand.memory:
        yield plain
    if operand.data.dtype.kind in "iu" and operand.name in "fg":
        return  # places in another array
    for value in (0, 1):
        for at in np.ndindex(*operand.data.shape):
            if operand.data[at] not in (0, 1) or (value == 0 and operand.data[at] != 0):
                data = operand.data.copy()
                data[at] = value
                bent = operand.with_data(data)
                if bent is not None and (bent.data != operand.data).any():
                    yield bent
