"""The functions of kernels as syntax trees: those of a text, and helpers, which are Python's."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from functools import cache
from inspect import isfunction
from pathlib import Path
from types import FunctionType, MappingProxyType
from typing import Any, NamedTuple

import numpy as np

from structarr._compiler.backend.text.kinds import Untranslated
from structarr._compiler.runtime import HELPERS, traits
from structarr._compiler.runtime._constructors import CONSTRUCTORS
from structarr._compiler.runtime._mark import u
from structarr._support import syntax_trees

ENDING = ("overflow", "out_of_bounds", "new_fingers")
"""The helpers that may end a kernel by an error."""


class Source(NamedTuple):
    """A function.

    Attributes
    ----------
    name : str
        What it is called.
    params : tuple of str
        Its parameters in order.
    body : list of ast.stmt
        Its statements.
    known : mapping
        The objects that it refers to by global names.
    assigned : frozenset of str
        The names that it sets.
    """

    name: str
    params: tuple[str, ...]
    body: list[ast.stmt]
    known: Mapping[str, Any]
    assigned: frozenset[str]


def of_text(text: str, users: Mapping[str, Any] = MappingProxyType({})) -> Source:
    """The first function of a kernel's text, which may call the others, and those of users."""
    known: dict[str, Any] = {"np": np, "u": u, **CONSTRUCTORS, **HELPERS, **users}
    found = [_source(node, known) for node in syntax_trees.module(text).body]
    known.update({one.name: one for one in found})
    return found[0]


def of_helper(function: FunctionType) -> Source:
    """A function of one of the modules of helpers."""
    module = function.__globals__.get("__file__")
    node = _functions(module).get(function.__name__) if module else None
    if node is None:
        raise Untranslated(f"the function {function.__name__}, whose text is not there")
    return _source(node, function.__globals__)


@cache
def _functions(path: str) -> dict[str, ast.FunctionDef]:
    """The functions of a module by their names."""
    try:
        tree = syntax_trees.module(Path(path).read_text(encoding="utf-8"))
    except OSError:
        return {}
    return {node.name: node for node in tree.body if isinstance(node, ast.FunctionDef)}


def _source(node: ast.stmt, known: Mapping[str, Any]) -> Source:
    if not isinstance(node, ast.FunctionDef):
        raise Untranslated("a line that is in no function")
    params = tuple([one.arg for one in node.args.args])
    assigned = frozenset(
        [
            one.id
            for one in ast.walk(node)
            if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Store)
        ]
    )
    return Source(node.name, params, node.body, known, assigned)


def may_end(source: Source) -> bool:
    """Whether a function may end a kernel by an error, itself or by what it calls."""
    return any(
        one in ENDING or (isinstance(called, Source) and may_end(called))
        for one, called in _called(source)
    )


def is_guard(source: Source) -> bool:
    """Whether a function ends the kernel under one condition, and else returns an expression."""
    match source.body:
        case [
            *before,
            ast.If(_, [ast.Expr(ast.Call(ast.Name(name)))], []),
            ast.Return(ast.expr()),
        ]:
            told = all(isinstance(one, ast.Expr) for one in before)  # what it is, in words
            return told and not source.assigned and traits(name).ends
    return False


def _called(source: Source) -> Iterator[tuple[str, Source | None]]:
    """The functions that a function mentions, but for those that LLVM knows."""
    for statement in source.body:
        for node in ast.walk(statement):
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
                found = source.known.get(node.id)
                if isinstance(found, Source):
                    yield node.id, found
                elif isfunction(found) and found is not u:
                    own = node.id in ENDING or not _is_plain(found)
                    yield node.id, None if own else of_helper(found)


def _is_plain(function: FunctionType) -> bool:
    """Whether the text of a function is that of one in a module of helpers."""
    return function.__name__ in _functions(function.__globals__.get("__file__", ""))
