"""Programs over runs as text, from which the same program is read again."""

from __future__ import annotations

import ast
import sys
from collections.abc import Mapping
from types import FunctionType, ModuleType
from typing import Any

import numpy as np

from structarr._language.runs.kinds import kind_of_number
from structarr._language.runs.lifted import FREE, KNOWN, definition, enclosing, source_of
from structarr._language.runs.needed import needed

LIBRARIES = {"numpy": "np", "structarr": "sa"}
"""What texts call libraries, by the names that these have."""


def printed(function: FunctionType) -> str:
    """
    Return a program over runs as a text that needs nothing around it.

    Plain functions that it calls stand before it, numbers from around it are written where it
    begins, and libraries have the names that texts have for them. Comments are left out.

    Raises
    ------
    ProgramError
        If it takes anything else from around it.
    """
    return ast.unparse(ast.fix_missing_locations(ast.Module(_functions(function), [])))


def _functions(function: FunctionType) -> list[ast.stmt]:
    """A function, behind those that it calls."""
    found: dict[str, tuple[FunctionType, ast.stmt]] = {}
    _add(function, found)
    return [node for _, node in found.values()]


def _add(function: FunctionType, found: dict[str, tuple[FunctionType, ast.stmt]]) -> None:
    source = source_of(function)
    own, around = definition(source), enclosing(function)
    params = {one.arg for one in (*own.args.posonlyargs, *own.args.args)}
    body = [_without_notes(one) for one in _without_docstring(own.body)]
    numbers: list[ast.stmt] = []
    libraries: dict[str, ast.expr] = {}
    for name in sorted(needed(body) - params - FREE):
        value = around.get(name, None)
        if (called := _of_library(value)) is not None:
            libraries[name] = called
        elif isinstance(value, FunctionType):
            known = found.get(name)
            if known is not None and known[0] is not value:
                raise source.error(f"two functions have the name {name}", own)
            if known is None:
                _add(value, found)
        elif kind_of_number(value) is not None:
            target = ast.Name(name, ast.Store())
            numbers.append(ast.Assign([target], _number(value)))
        elif name not in KNOWN:
            raise source.error(
                f"a text has no place for {name}, which is outside of the function: make it an "
                "argument",
                own,
            )
    renamed = _Renamed(libraries)
    lines = [*numbers, *[renamed.visit(one) for one in body]]
    args = [ast.arg(one.arg) for one in (*own.args.posonlyargs, *own.args.args)]
    plain = ast.arguments([], args, None, [], [], None, [])
    made = ast.FunctionDef(own.name, plain, lines, [])
    made.type_params = []  # type: ignore[attr-defined]
    found[own.name] = function, made


def _number(value: Any) -> ast.expr:
    return ast.Constant(value.item() if isinstance(value, np.generic) else value)


def _of_library(value: Any) -> ast.expr | None:
    """What a library or its function is called in texts; None of anything else."""
    if isinstance(value, ModuleType):
        short = LIBRARIES.get(value.__name__)
        return None if short is None else ast.Name(short, ast.Load())
    if callable(value):
        own = getattr(value, "__name__", "")
        for library, short in LIBRARIES.items():
            if getattr(sys.modules.get(library), own, None) is value:
                return ast.Attribute(ast.Name(short, ast.Load()), own, ast.Load())
    return None


def _without_docstring(body: list[ast.stmt]) -> list[ast.stmt]:
    match body:
        case [ast.Expr(ast.Constant(str())), *rest]:
            return rest
    return body


class _Renamed(ast.NodeTransformer):
    """What puts the names of texts in the place of those of a module."""

    def __init__(self, libraries: Mapping[str, ast.expr]) -> None:
        self._libraries = libraries

    def visit_Name(self, node: ast.Name) -> ast.expr:
        """A name of a library."""
        if isinstance(node.ctx, ast.Load) and node.id in self._libraries:
            return self._libraries[node.id]
        return node


class _WithoutNotes(ast.NodeTransformer):
    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.stmt | None:
        """An assignment with a note of its type; None of a note alone."""
        if node.value is None:
            return None
        return ast.copy_location(ast.Assign([node.target], node.value), node)


def _without_notes(node: ast.stmt) -> ast.stmt:
    """A statement without notes of types."""
    found = _WithoutNotes().visit(node)
    return ast.Pass() if found is None else found
