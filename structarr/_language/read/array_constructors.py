"""Statements that make an array: `y = np.zeros(shape, dtype)` and the like."""

from __future__ import annotations

import ast

from structarr._language.read.calls import called
from structarr._language.read.expressions import expression, expressions
from structarr._language.read.source import Source
from structarr._language.read.syntax import Make, Name, Number, Place, Read, Shape, Syntax
from structarr._language.read.vocabulary import MAKERS, dtype


def make(target: Name | Read, node: ast.Call, source: Source, at: Place) -> Make:
    """Return what a statement says that makes an array of one value."""
    name, _ = called(node, source)
    if not isinstance(target, Name):
        raise source.error(f"`{name}` makes an array: give it a name, `y = {name}(...)`", node)
    given = _bound(name, node, source)
    for needed in MAKERS[name][:-1]:
        if needed not in given:
            raise source.error(f"`{name}` needs its argument `{needed}`", node)
    value: Syntax = Number(1.0 if name == "ones" else 0.0, at=source.place(node))
    if "fill_value" in given:
        value = expression(given["fill_value"], source)
    kind = _dtype(given["dtype"], source) if "dtype" in given else None
    return Make(target.name, _shape(given["shape"], source), value, kind, at=at)


def _bound(name: str, node: ast.Call, source: Source) -> dict[str, ast.expr]:
    """Return the arguments by name, as Python would bind them."""
    names = MAKERS[name]
    for excess in node.args[len(names) :]:
        raise source.error(f"`{name}` takes {', '.join(names)}", excess)
    given = dict(zip(names, node.args, strict=False))
    for keyword in node.keywords:
        if keyword.arg not in names or keyword.arg in given:
            raise source.error(f"`{name}` takes {', '.join(names)}, each once", keyword)
        given[keyword.arg] = keyword.value
    return given


def _shape(node: ast.expr, source: Source) -> tuple[Syntax, ...]:
    if (
        isinstance(node, ast.Attribute)
        and node.attr == "shape"
        and isinstance(node.value, ast.Name)
    ):
        return (Shape(node.value.id, at=source.place(node)),)
    lengths = node.elts if isinstance(node, (ast.Tuple, ast.List)) else [node]
    return expressions(lengths, source)


def _dtype(node: ast.expr, source: Source) -> str | None:
    match node:
        case ast.Constant(value=None):
            return None
        case ast.Constant(value=str(name)) | ast.Name(id=name):
            pass
        case ast.Attribute(value=ast.Name(), attr=name):
            pass
        case _:
            raise source.error('a dtype is a name: `np.float32`, `"float32"` or `float`', node)
    try:
        return dtype(name)
    except (TypeError, ValueError):
        raise source.error(
            f"`{name}` is no dtype of arrays here: use one like `float32`", node
        ) from None
