"""The names that statements read before they give them values."""

from __future__ import annotations

import ast
from collections.abc import Sequence


def needed(body: Sequence[ast.stmt]) -> set[str]:
    """The names whose values from before some statements these may read."""
    found: set[str] = set()
    given: set[str] = set()
    for node in body:
        found |= _needed(node) - given
        given |= _given(node)
    return found


def behind(node: ast.stmt, body: Sequence[ast.stmt]) -> set[str]:
    """The names that are needed behind a statement that stands somewhere in others."""
    for k, one in enumerate(body):
        if node is one:
            return needed(body[k + 1 :])
        if any(node is inner for inner in ast.walk(one)):
            rest = list(body[k + 1 :])
            return set().union(*[behind(node, [*part, *rest]) for part in _blocks(one, node)])
    return set()


def made_empty(node: ast.stmt, body: Sequence[ast.stmt]) -> set[str]:
    """The names that `np.empty` makes before one of some statements, and that no other mentions."""
    found: set[str] = set()
    for one in body:
        if one is node:
            return found
        match one:
            case ast.Assign([ast.Name(name)], ast.Call(ast.Attribute(ast.Name("np"), "empty"))):
                found.add(name)
            case _:
                found -= _names(one, ast.Load) | _names(one, ast.Store)
    return set()


def _blocks(one: ast.stmt, node: ast.stmt) -> list[list[ast.stmt]]:
    """The block of a statement in which another stands."""
    blocks = [getattr(one, part, []) for part in ("body", "orelse", "finalbody")]
    return [block for block in blocks if any(node is n for b in block for n in ast.walk(b))]


def _needed(node: ast.stmt) -> set[str]:
    match node:
        case ast.For(target, source, body, orelse):
            inner = needed(body) - _names(target, ast.Store)
            return _names(source, ast.Load) | _names(target, ast.Load) | inner | needed(orelse)
        case ast.If(test, body, orelse) | ast.While(test, body, orelse):
            return _names(test, ast.Load) | needed(body) | needed(orelse)
        case ast.AugAssign(ast.Name(name)):
            return {name} | _names(node, ast.Load)
    return _names(node, ast.Load)


def _given(node: ast.stmt) -> set[str]:
    """The names to which a statement gives a value for certain."""
    match node:
        case ast.Assign(targets):
            return set().union(*[_plain(one) for one in targets])
        case ast.If(_, body, orelse) if orelse:
            return set().union(*map(_given, body)) & set().union(*map(_given, orelse))
    return set()


def _plain(target: ast.expr) -> set[str]:
    parts = target.elts if isinstance(target, ast.Tuple) else [target]
    return {one.id for one in parts if isinstance(one, ast.Name)}


def _names(node: ast.AST, context: type[ast.expr_context]) -> set[str]:
    return {
        one.id
        for one in ast.walk(node)
        if isinstance(one, ast.Name) and isinstance(one.ctx, context)
    }
