"""A function whose outermost loops are lifted out of it: they are compiled, the rest is Python."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from types import CellType, CodeType, FunctionType
from typing import Any, Final

from structarr._language.read.parse import unread, unread_text
from structarr._language.read.source import Source
from structarr._language.runs.needed import behind, made_empty, needed
from structarr._language.runs.stretch_text import has_stretch

LOOPS: Final = "loops__"
FREE: Final = frozenset({"runs", "range", "min", "max", "abs", "len", "int", "float", "bool"})
"""What means the same in every loop."""
KNOWN: Final = frozenset({"np", "sa", "trailing_zeros"})
"""What texts know besides."""
STATEMENTS: Final = "program"
"""The name of the function that statements without a `def` are."""


@dataclass(frozen=True)
class Loop:
    """
    An outermost loop of a function.

    Attributes
    ----------
    node : ast.stmt
        The loop.
    names : tuple of str
        Those whose values from before it needs, or that may have others behind it.
    given : tuple of str
        The names that may have other values behind it.
    assigned : frozenset of str
        The names that it gives values.
    rows : frozenset of str
        The arrays whose runs it reads.
    stretches : frozenset of str
        The arrays of which it writes stretches.
    elements : frozenset of str
        The arrays of which it writes elements, or that it hands to functions.
    looked_at : frozenset of str
        The arrays of which it reads elements, and those of `elements`.
    scratch : frozenset of str
        The names that were made by `np.empty` just for it: what is in them before it is of no use.
    """

    node: ast.For | ast.While
    names: tuple[str, ...]
    given: tuple[str, ...]
    assigned: frozenset[str]
    rows: frozenset[str]
    stretches: frozenset[str]
    elements: frozenset[str]
    looked_at: frozenset[str]
    scratch: frozenset[str]


def goes_over_runs(source: Source) -> bool:
    """Whether a program has a loop over runs, writes runs, or repeats what it may end any time."""
    return any(map(_is_sequential, (node for part in source.body for node in ast.walk(part))))


def _is_sequential(node: ast.AST) -> bool:
    match node:
        case ast.For(iter=one):
            return _called(one) == "runs"
        case ast.Subscript(slice=index, ctx=ast.Store()):
            return has_stretch(index)
    return isinstance(node, ast.While)


def is_text_over_runs(name: str, text: str) -> bool:
    """Whether a text is a program over runs."""
    return goes_over_runs(Source(unread_text(name, text)))


def source_of(function: Callable[..., Any]) -> Source:
    """The text of a function."""
    return Source(unread(function))


def loops_of(source: Source) -> tuple[Loop, ...]:
    """The outermost loops of a function."""
    own = definition(source)
    return tuple(_loop(node, own) for node in _outermost(own.body))


def lifted(
    function: FunctionType, source: Source, run: Callable[[int, dict[str, Any]], tuple[Any, ...]]
) -> FunctionType:
    """
    Return a function that hands its outermost loops to another.

    Parameters
    ----------
    function : function
        The function.
    source : Source
        Its text.
    run : callable
        Takes the number of a loop and the local variables; returns the values of `Loop.given`.
    """
    own = definition(source)
    loops = list(_outermost(own.body))
    found = _Lifting(loops, [_loop(node, own).given for node in loops]).visit(own)
    assert isinstance(found, ast.FunctionDef)
    found.decorator_list, found.returns = [], None
    every = (*found.args.posonlyargs, *found.args.args, *found.args.kwonlyargs)
    for one in every:
        one.annotation = None
    found.args.defaults = [ast.Constant(None) for _ in found.args.defaults]
    found.args.kw_defaults = [one and ast.Constant(None) for one in found.args.kw_defaults]
    free = [LOOPS, *function.__code__.co_freevars]
    names = ast.arguments([], [ast.arg(one) for one in free], None, [], [], None, [])
    maker = ast.FunctionDef("maker", names, [found], [])
    maker.type_params = []  # type: ignore[attr-defined]
    tree = ast.fix_missing_locations(ast.Module([maker], []))
    ast.increment_lineno(tree, source.place(own).line - own.lineno)  # lines of the user's file
    code = compile(tree, function.__code__.co_filename, "exec")
    inner = _inner(_inner(code, "maker"), found.name)
    cells = dict(zip(function.__code__.co_freevars, function.__closure__ or (), strict=True))
    cells[LOOPS] = CellType(run)
    closure = tuple([cells[name] for name in inner.co_freevars])
    made = FunctionType(inner, function.__globals__, function.__name__, None, closure)
    made.__defaults__, made.__kwdefaults__ = function.__defaults__, function.__kwdefaults__
    return made


class _Lifting(ast.NodeTransformer):
    """What puts calls in the place of loops."""

    def __init__(self, loops: list[Any], given: list[tuple[str, ...]]) -> None:
        self._loops, self._given = loops, given

    def visit(self, node: ast.AST) -> Any:
        if node not in self._loops:
            return self.generic_visit(node)
        number = self._loops.index(node)
        local = ast.Call(ast.Name("locals", ast.Load()), [], [])
        call = ast.Call(ast.Name(LOOPS, ast.Load()), [ast.Constant(number), local], [])
        targets = [ast.Name(name, ast.Store()) for name in self._given[number]]
        put: ast.stmt = ast.Expr(call)
        if targets:
            put = ast.Assign([ast.Tuple(targets, ast.Store())], call)  # type: ignore[arg-type]
        return ast.copy_location(put, node)


def definition(source: Source) -> ast.FunctionDef:
    """The function that a text is: its last `def`, or its statements behind all of them.

    The parameters of statements are the names that have values from elsewhere.
    """
    *functions, last = source.body
    if isinstance(last, ast.FunctionDef):
        return last
    if isinstance(last, ast.AsyncFunctionDef):
        raise source.error(
            "a program over runs is a function: write `def`, and the loops under it", last
        )
    body = [one for one in source.body if not isinstance(one, ast.FunctionDef)]
    known = {one.name for one in functions if isinstance(one, ast.FunctionDef)}
    names = sorted(needed(body) - known - FREE - KNOWN)
    params = ast.arguments([], [ast.arg(name) for name in names], None, [], [], None, [])
    made = ast.FunctionDef(STATEMENTS, params, body, [])
    made.type_params = []  # type: ignore[attr-defined]
    return ast.fix_missing_locations(ast.copy_location(made, body[0]))


def _outermost(body: list[ast.stmt]) -> Iterator[ast.For | ast.While]:
    for node in body:
        if isinstance(node, ast.For | ast.While):
            yield node
        elif not isinstance(node, ast.FunctionDef | ast.ClassDef):
            for part in ("body", "orelse", "finalbody"):
                yield from _outermost(getattr(node, part, []))


def _loop(node: ast.For | ast.While, function: ast.FunctionDef) -> Loop:
    """What a loop reads and writes."""
    names = [one for one in ast.walk(node) if isinstance(one, ast.Name)]
    rows_read = [
        arg
        for one in ast.walk(node)
        if isinstance(one, ast.Call) and _called(one) == "runs"
        for arg in one.args
    ]
    read = [one for one in ast.walk(node) if isinstance(one, ast.Subscript)]
    handed = {
        arg.id
        for one in ast.walk(node)
        if isinstance(one, ast.Call) and _called(one) not in ("runs", "len", "range")
        for arg in one.args
        if isinstance(arg, ast.Name)
    }
    stored = [
        one
        for one in ast.walk(node)
        if isinstance(one, ast.Subscript) and isinstance(one.ctx, ast.Store)
    ]
    elements = frozenset(map(_owner, stored)) | handed
    stretches = {_owner(one) for one in stored if has_stretch(one.slice)}
    assigned = frozenset(one.id for one in names if isinstance(one.ctx, ast.Store))
    given = (assigned & behind(node, function.body)) | stretches
    return Loop(
        node,
        tuple(sorted((needed([node]) | given) - FREE)),
        tuple(sorted(given)),
        assigned,
        frozenset(map(_owner, rows_read)),
        frozenset(stretches),
        elements,
        elements | {_owner(one) for one in read if one not in rows_read},
        frozenset(made_empty(node, function.body)),
    )


def _owner(node: ast.expr) -> str:
    """The name of an array that is indexed."""
    while isinstance(node, ast.Subscript):
        node = node.value
    return node.id if isinstance(node, ast.Name) else ""


def _called(node: ast.expr) -> str:
    """The last part of the name of a called function."""
    match node:
        case ast.Call(ast.Name(name)) | ast.Call(ast.Attribute(_, name)):
            return name
    return ""


def _inner(code: CodeType, name: str) -> CodeType:
    return next(one for one in code.co_consts if isinstance(one, CodeType) and one.co_name == name)


def enclosing(function: Callable[..., Any]) -> Mapping[str, Any]:
    """The values of a function's names outside of it."""
    found: Mapping[str, Any] = unread(function).values
    return found
