"""Smaller programs of loops: statements and parts of expressions left out, operands plain."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from structarr._testing.fuzz.loops.operands import Argument, Given
from structarr._testing.fuzz.operands import Operand, stored_plainly

if TYPE_CHECKING:
    from structarr._testing.fuzz.loops.case import Loops, OfFunction, OneLine


def plainer_calls(case: Loops) -> Iterator[Loops]:
    """The same called in plainer ways."""
    if case.options.get("tier") != "interpreted":
        yield replace(case, options={**case.options, "tier": "interpreted"})
    if case.options.get("strict_ieee"):
        yield replace(case, options={**case.options, "strict_ieee": False})
    if case.options.get("threads", 1) != 1:
        yield replace(case, options={**case.options, "threads": 1})
    if case.program is not None:
        yield replace(case, program=None)
    if case.pieces is not None:
        yield replace(case, pieces=None)


def shorter_functions(case: OfFunction) -> Iterator[OfFunction]:
    """Functions of fewer statements and shorter expressions."""
    for text in _shorter_functions(case.text):
        yield _without_unused(replace(case, text=text), text)


def shorter_lines(case: OneLine) -> Iterator[OneLine]:
    """Lines of shorter expressions, called in plainer ways."""
    if case.out is not None:
        yield replace(case, out=None)
    if case.line is None:
        return
    if case.line.order is not None:
        yield replace(case, line=replace(case.line, order=None))
    for value in _shorter_values(case.line.value):
        if all(name in value for name in (*case.line.target, *case.line.reduced)):
            yield replace(case, line=replace(case.line, value=value))


def _without_unused(case: OfFunction, text: str) -> OfFunction:
    """The same without parameters that nothing reads."""
    tree = ast.parse(text)
    (function,) = tree.body
    assert isinstance(function, ast.FunctionDef)
    used = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    kept: list[Argument] = [one for one in case.arguments if one.name in used]
    function.args.args = [arg for arg in function.args.args if arg.arg in used]
    return replace(case, text=ast.unparse(tree) + "\n", arguments=tuple(kept))


def _shorter_functions(text: str) -> Iterator[str]:
    """Functions with one statement or one part of an expression less."""
    plain = ast.unparse(ast.parse(text))
    count = sum(1 for _ in ast.walk(ast.parse(text)))
    for number in range(count):
        way = 0
        while True:
            tree = ast.parse(text)
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
    """What an expression may be replaced by."""
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


def with_plainer_operands(case: Loops) -> Iterator[Loops]:
    """The same on operands of plainer formats and elements."""
    for k, one in enumerate(case.arguments):
        if not isinstance(one, Given):
            continue
        for operand in _plainer(one.operand):
            arguments = (*case.arguments[:k], Given(operand), *case.arguments[k + 1 :])
            yield replace(case, arguments=arguments)


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
