"""The interpreted tier: a kernel's text as plain Python."""

from __future__ import annotations

import ast
import hashlib
import linecache
from collections.abc import Callable
from itertools import count
from operator import index
from types import CodeType
from typing import Any
from weakref import finalize

import numpy as np

from structarr._compiler.build.params import Param
from structarr._compiler.ir.ops import functions
from structarr._compiler.runtime import HELPERS, values
from structarr._compiler.runtime._constructors import CONSTRUCTORS
from structarr._compiler.runtime._mark import traits, u
from structarr._locks import lock


def _wrapping(make: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """A constructor of integers that takes places, which are Python's, as the compiled one does."""

    def convert(value: Any) -> Any:
        return make(np.uint64(value & _WORD)) if type(value) is int else make(value)

    return convert


NAMESPACE: dict[str, Any] = {
    "np": np,
    "u": u,
    **CONSTRUCTORS,
    **{name: _wrapping(make) for name, make in CONSTRUCTORS.items() if "int" in name},
    **{name: traits(helper).interpreted or helper for name, helper in HELPERS.items()},
}


VALUES = {name for name, helper in HELPERS.items() if helper.__module__ == values.__name__}


class Interpreted:
    """
    A kernel as plain Python.

    Its subscripts lose their wrapper `u`, and integer buffers come as memoryviews, whose reads
    take half the time of an array's.
    """

    __slots__ = ("__weakref__", "_converters", "_function", "_params", "_source")

    def __init__(self, source: str, params: tuple[Param, ...]) -> None:
        self._source, self._params = source, params
        self._converters = [_converter(param) for param in params]
        code = _compile(_unwrapped(source, params), source)
        self._function = _define(code, {})
        finalize(self, linecache.cache.pop, code.co_filename, None).atexit = False

    def __call__(self, args: tuple[Any, ...]) -> Any:
        """Run the kernel, silently where NumPy's scalars would warn of overflow or division."""
        return self._run(self._function, args)

    def count_steps(self, args: tuple[Any, ...]) -> tuple[Any, int]:
        """Run the kernel and count the iterations of all its own loops; helpers' do not count."""
        tree = ast.fix_missing_locations(_Ticking().visit(_unwrapped(self._source, self._params)))
        ticks = count()
        function = _define(_compile(tree, self._source), {"_tick": ticks.__next__})
        result = self._run(function, args)
        return result, next(ticks)

    def _run(self, function: Callable[..., Any], args: tuple[Any, ...]) -> Any:
        converted = [convert(arg) for convert, arg in zip(self._converters, args, strict=True)]
        # NumPy keeps this state in a context variable, so no other thread sees it.
        with np.errstate(all="ignore"):
            return function(*converted)


def _converter(param: Param) -> Callable[[Any], Any]:
    if param.array:
        return memoryview if param.counts else _unchanged
    if param.counts:
        return index  # sizes and positions: Python's own integers are the fastest
    scalar: Callable[[Any], Any] = np.dtype(param.dtype).type
    return scalar


def _unchanged(array: Any) -> Any:
    return array


_LARGE = 1 << 31

_WORD = (1 << 64) - 1

_parsing = lock()  # CPython counts the depth of its trees once for all threads, and then raises


def _unwrapped(source: str, params: tuple[Param, ...]) -> ast.Module:
    with _parsing:
        parsed = ast.parse(source)
    tree: ast.Module = _Unwrapping().visit(_Widening(parsed, params).visit(parsed))
    return tree


PYTHONS = {"float32": "float", "complex64": "complex"}


class _Widening(ast.NodeTransformer):
    """Sums that machine code adds up in any order are Python's floats where those are wider.

    Here terms are added from left to right, which loses more. A store rounds, as a cast does.
    """

    def __init__(self, tree: ast.Module, params: tuple[Param, ...]) -> None:
        self._buffers = {one.name: one.dtype for one in params if one.array}
        values: dict[str, list[ast.expr]] = {}
        for node in ast.walk(tree):
            match node:
                case ast.Assign([ast.Name(name)], value):
                    values.setdefault(name, []).append(value)
        self._sums: dict[str, str] = {}
        for name, every in values.items():
            kinds = {self._kind(value) for value in every if not _is_sum(value)}
            if len(kinds) == 1 and any(map(_is_sum, every)):
                self._sums[name] = PYTHONS.get(kinds.pop(), "")

    def _kind(self, value: ast.expr) -> str:
        """The dtype of an element or of a converted value; "" of anything else."""
        match value:
            case ast.Call(func=ast.Name(kind)):
                return kind
            case ast.Subscript(ast.Name(buffer)):
                return self._buffers.get(buffer, "")
        return ""

    def visit_Assign(self, node: ast.Assign) -> ast.AST:
        match node.targets, node.value:
            case [ast.Name(name)], ast.Call(args=[total, term]) if _is_sum(node.value):
                node.value = ast.BinOp(total, ast.Add(), _called(self._sums.get(name, ""), term))
            case [ast.Name(name)], ast.Call(args=[value]) if self._sums.get(name):
                node.value = _called(self._sums[name], value)
            case [ast.Name(name)], ast.Subscript() if self._sums.get(name):
                node.value = _called(self._sums[name], node.value)
            case [ast.Name()], ast.Call(func=ast.Name("blocks_from"), args=[_, stop, _]):
                node.value = stop
            case [ast.Subscript() as place], ast.Call(func=ast.Name(kind), args=[ast.Name()]) if (
                kind in PYTHONS and self._kind(place) == kind
            ):
                node.value = node.value.args[0]
        return ast.fix_missing_locations(node)


def _is_sum(value: ast.expr) -> bool:
    return isinstance(value, ast.Call) and getattr(value.func, "id", "") == "radd"


def _called(name: str, value: ast.expr) -> ast.expr:
    return ast.Call(ast.Name(name, ast.Load()), [value], []) if name else value


class _Unwrapping(ast.NodeTransformer):
    """`A[u(q)]` becomes `A[q]`, and numbers that stand for values become NumPy's.

    Python's would divide by zero, grow beyond the integers and negate truth in ways of their own.
    They are what a condition chooses, what helpers of values are given, floats in variables, and
    factors so large that no place is a multiple of them.
    That there is room is not asked: arrays refuse what is beyond their bounds.
    """

    def visit_Subscript(self, node: ast.Subscript) -> ast.AST:
        match node.slice:
            case ast.Call(func=ast.Name(id="u"), args=[position]):
                node.slice = position
        return self.generic_visit(node)

    def visit_If(self, node: ast.If) -> ast.AST | None:
        match node.body:
            case [ast.Expr(ast.Call(func=ast.Name(id="overflow")))]:
                return None
        return self.generic_visit(node)

    def visit_Call(self, node: ast.Call) -> ast.AST:
        self.generic_visit(node)
        if isinstance(node.func, ast.Name) and node.func.id in VALUES:
            node.args = [_numpys(arg) for arg in node.args]
        return node

    def visit_Assign(self, node: ast.Assign) -> ast.AST:
        self.generic_visit(node)
        constant = isinstance(node.value, ast.Constant)
        if not (constant and isinstance(node.value.value, int)):  # type: ignore[attr-defined]
            node.value = _numpys(node.value)  # whole numbers are places, too
        return node

    def visit_BinOp(self, node: ast.BinOp) -> ast.AST:
        self.generic_visit(node)
        if isinstance(node.op, ast.Mult):
            node.left, node.right = (
                _numpys(side) if _is_large(side) else side for side in (node.left, node.right)
            )
        return node

    def visit_IfExp(self, node: ast.IfExp) -> ast.AST:
        self.generic_visit(node)
        node.body, node.orelse = _numpys(node.body), _numpys(node.orelse)
        return node


def _is_large(node: ast.expr) -> bool:
    value = node.operand if isinstance(node, ast.UnaryOp) else node
    return (
        isinstance(value, ast.Constant) and isinstance(value.value, int) and value.value >= _LARGE
    )


def _numpys(node: ast.expr) -> ast.expr:
    """A number as NumPy's of the same kind; other expressions as they are."""
    sign = isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub)
    match node.operand if sign else node:  # type: ignore[attr-defined]
        case ast.Constant(value=float()) | ast.Attribute(ast.Name("np"), "nan" | "inf"):
            kind = "float64"
        case ast.Constant(value=int() as value) if not isinstance(value, bool):
            kind = "int64"
        case _:
            return node
    call = ast.Call(ast.Name(kind, ast.Load()), [node], [])
    return ast.fix_missing_locations(ast.copy_location(call, node))


class _Ticking(ast.NodeTransformer):
    """Every iteration of every loop begins with a tick of the counter."""

    def visit_For(self, node: ast.For) -> ast.AST:
        return self._tick(node)

    def visit_While(self, node: ast.While) -> ast.AST:
        return self._tick(node)

    def _tick(self, node: ast.For | ast.While) -> ast.AST:
        tick = ast.Call(ast.Name("_tick", ast.Load()), [], [])
        node.body.insert(0, ast.copy_location(ast.Expr(tick), node.body[0]))
        return self.generic_visit(node)


def _compile(tree: ast.Module, source: str) -> CodeType:
    filename = f"<structarr kernel {hashlib.sha256(source.encode()).hexdigest()[:12]}>"
    # No modification time: `linecache.checkcache` then keeps the entry, and tracebacks show it.
    linecache.cache[filename] = (len(source), None, source.splitlines(keepends=True), filename)
    with _parsing:
        return compile(tree, filename, "exec")


def _define(code: CodeType, names: dict[str, Any]) -> Callable[..., Any]:
    """Execute the text and return its first function, which may call the others."""
    defined: dict[str, Any] = {}
    scope = {**NAMESPACE, **names}
    exec(code, scope, defined)
    for function in defined.values():
        scope.update(functions(function.__code__.co_names))
    scope.update(defined)
    return next(iter(defined.values()))  # type: ignore[no-any-return]
