"""The functions of users as syntax trees, where their text is there, and is that of what runs."""

from __future__ import annotations

import ast
import linecache
from collections.abc import Iterator, Sequence
from functools import lru_cache
from importlib import import_module
from types import CodeType, FunctionType
from typing import Any, Final, NamedTuple

from structarr._compiler.backend.text.kinds import Untranslated
from structarr._compiler.backend.text.sources import Source
from structarr._support import syntax_trees

FILES: Final = 16  # texts that are kept
_LATER: Final = import_module("__future__")
FUTURE: Final[int] = sum({getattr(_LATER, one).compiler_flag for one in _LATER.all_feature_names})
"""The flags of code by which it follows later versions of Python."""


class Own(NamedTuple):
    """A function of a user's, as a kernel or another one of its functions knows it.

    Attributes
    ----------
    name : str
        As a kernel calls it.
    python : function
        Itself, frozen.
    is_operator : bool
        Whether it is an operator, whose operands have 64 bits.
    """

    name: str
    python: Any  # a FunctionType, which mypy takes for a method
    is_operator: bool


def of_user(own: Own) -> Source:
    """A function of a user's.

    Raises
    ------
    Untranslated
        If its text is not there or is another one, or if it takes other arguments than plain ones.
    """
    code = own.python.__code__
    node = _node(code)
    if node is None:
        raise Untranslated(f"the function {own.name}, whose text is not there")
    args = node.args
    if args.vararg or args.kwarg or args.kwonlyargs or args.defaults:
        raise Untranslated(f"the function {own.name}, whose arguments may be left out")
    lines = node.body
    body: list[ast.stmt] = lines if isinstance(lines, list) else [ast.Return(lines)]
    if not _returns(body) or any(isinstance(one, ast.Assert) for one in ast.walk(node)):
        raise Untranslated(f"the function {own.name}, which may return no number")
    names = [*ast.walk(node)]
    assigned = {one.id for one in names if isinstance(one, ast.Name) and _is_set(one)}
    params = tuple([one.arg for one in (*args.posonlyargs, *args.args)])
    return Source(own.name, params, body, _known(own.python), frozenset(assigned))


def _is_set(name: ast.Name) -> bool:
    return isinstance(name.ctx, ast.Store)


def _known(function: FunctionType) -> dict[str, Any]:
    """What a function refers to by names that are not its own."""
    cells = [one.cell_contents for one in function.__closure__ or ()]
    closed = zip(function.__code__.co_freevars, cells, strict=True)
    every = {**function.__globals__, **dict(closed)}
    return {
        name: Own(name, one, False) if isinstance(one, FunctionType) else one
        for name, one in every.items()
    }


def _returns(body: Sequence[ast.stmt]) -> bool:
    """Whether lines end by a return, whichever way is taken."""
    match body[-1] if body else None:
        case ast.Return(value):
            return value is not None and ast.unparse(value) != "None"
        case ast.If(_, yes, no):
            return _returns(yes) and _returns(no)
    return False


def _node(code: CodeType) -> ast.FunctionDef | ast.Lambda | None:
    """The tree of a function in the text of its file, if that makes the same code."""
    text = "".join(linecache.getlines(code.co_filename))
    if not text or code not in _codes(text, code.co_filename, code.co_flags & FUTURE):
        return None
    found = [one for one in ast.walk(syntax_trees.module(text)) if _begins(one, code)]
    if len(found) > 1:
        found = [one for one in found if isinstance(one, ast.Lambda) and _has_body(one, code)]
    return found[0] if len(found) == 1 else None  # type: ignore[return-value]


def _begins(node: ast.AST, code: CodeType) -> bool:
    """Whether a tree is that of a function which begins where some code does."""
    if isinstance(node, ast.Lambda):
        return code.co_name == "<lambda>" and node.lineno == code.co_firstlineno
    if not isinstance(node, ast.FunctionDef) or node.name != code.co_name:
        return False
    return min([node.lineno, *[one.lineno for one in node.decorator_list]]) == code.co_firstlineno


def _has_body(node: ast.Lambda, code: CodeType) -> bool:
    """Whether all of some code stands within the body of one lambda of a line."""
    body, known = node.body, [(a, c, b, d) for a, b, c, d in code.co_positions() if d]
    start, end = (body.lineno, body.col_offset), (body.end_lineno, body.end_col_offset)
    places = [((a, b), (c, d)) for a, b, c, d in known if a is not None]
    return bool(places) and all(start <= a and b <= end for a, b in places)


@lru_cache(FILES)
def _codes(text: str, name: str, future: int) -> frozenset[CodeType]:
    """The code of all functions of a text, which may be compiled as later versions do."""
    try:
        return frozenset(_inner(compile(text, name, "exec", future, dont_inherit=True)))
    except (SyntaxError, ValueError):
        return frozenset()


def _inner(code: CodeType) -> Iterator[CodeType]:
    for one in code.co_consts:
        if isinstance(one, CodeType):
            yield one
            yield from _inner(one)
