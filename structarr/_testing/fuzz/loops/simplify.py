"""Smaller programs of loops: statements and parts of expressions left out, operands plain."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from structarr._testing.fuzz.loops.case import Loops, OfFunction, OneLine
from structarr._testing.fuzz.loops.operands import Argument, Given
from structarr._testing.fuzz.operands import Operand, stored_plainly


def simpler(case: Loops) -> Iterator[Loops]:
    """Smaller programs that may fail alike."""
    yield from _plainer_calls(case)
    yield from _shorter(case)
    yield from _with_plainer_operands(case)


def _plainer_calls(case: Loops) -> Iterator[Loops]:
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
    if isinstance(case, OneLine) and case.out is not None:
        yield replace(case, out=None)
    if isinstance(case, OneLine) and case.line is not None and case.line.order is not None:
        yield replace(case, line=replace(case.line, order=None))


def _shorter(case: Loops) -> Iterator[Loops]:
    if isinstance(case, OfFunction):
        for text in _shorter_functions(case.text):
            yield _without_unused(replace(case, text=text), text)
    if isinstance(case, OneLine) and case.line is not None:
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
    count = sum(1 for _ in ast.walk(ast.parse(text)))
    for number in range(count):
        for way in range(3):
            tree = ast.parse(text)
            node = list(ast.walk(tree))[number]
            if _cut(node, way) and (shorter := ast.unparse(tree)) != ast.unparse(ast.parse(text)):
                yield shorter + "\n"


def _shorter_values(text: str) -> Iterator[str]:
    for function in _shorter_functions(f"v = {text}\n"):
        yield function.removeprefix("v = ").strip()


def _cut(node: ast.AST, way: int) -> bool:
    """Shorten one of a node's lists of statements, or replace an expression in it by a part."""
    for field in ("body", "orelse"):
        block = getattr(node, field, None)
        if isinstance(block, list):
            return _cut_block(block, way, field == "body")
    for field, child in ast.iter_fields(node):
        parts = _parts(child) if isinstance(child, ast.expr) else []
        if field in _KEPT:
            continue
        if way < len(parts):
            setattr(node, field, parts[way])
            return True
        if isinstance(child, list):
            for k, one in enumerate(child):
                inner = _parts(one) if isinstance(one, ast.expr) else []
                if way < len(inner):
                    child[k] = inner[way]
                    return True
    return False


_KEPT = ("func", "slice", "target", "targets")


def _cut_block(block: list[ast.stmt], way: int, needed: bool) -> bool:
    """Leave out the first or the last of some statements, or take what is in the first."""
    if way == 2:
        for k, one in enumerate(block):
            if isinstance(one, ast.If):
                block[k : k + 1] = one.body
                return True
        return False
    if len(block) <= needed:
        return False
    if isinstance(block[-1], ast.Return) and way == 1:
        returned = block[-1].value
        if isinstance(returned, ast.Tuple) and len(returned.elts) > 1:
            block[-1].value = returned.elts[0]
            return True
        return False
    block.pop(0 if way == 0 else -1)
    return True


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
        case ast.Subscript():
            return [ast.Constant(1)]
    return []


def _with_plainer_operands(case: Loops) -> Iterator[Loops]:
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
