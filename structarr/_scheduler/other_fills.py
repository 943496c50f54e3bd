"""Elementwise expressions of one stored array whose fill is another than zero."""

from __future__ import annotations

from typing import Any

import numpy as np

from structarr._compiler.ir.expr import Call, Expr, Lit
from structarr._compiler.ir.variables import Opaque
from structarr._compiler.rules.constants import literal
from structarr._compiler.rules.defaults import rules_in_force
from structarr._compiler.rules.engine import simplifier
from structarr._lazy.node import Node, dtype_name, nodes_of
from structarr._lazy.rewrite.flatten_dense import KINDS, leaves
from structarr._scheduler.inputs import known_of
from structarr._storage.tensor import Tensor


def held_by(node: Node) -> Tensor | None:
    """The one array that an elementwise expression stores something at the places of.

    Parts of it may be computed first.
    """
    found = {*(leaves(node, (*KINDS, "first")) or ())}
    held = found.pop() if len(found) == 1 else None
    return held if held is not None and held.shape == node.shape else None


def known_fill(node: Node) -> Any:
    """The fill of an expression of one stored array.

    None where it depends on a number that is given, as that may be another at each call.
    """
    held = held_by(node) if node.ndim else None
    found = None if held is None or held.format.is_dense else _filled(node)
    return node.dtype.type(found.value) if isinstance(found, Lit) else None


def other_fill(node: Node) -> Any:
    """The fill of an expression of one stored array, if it is known, finite and not zero."""
    fill = known_fill(node)
    return fill if fill and np.isfinite(fill) else None


def is_told(node: Node) -> bool:
    """Whether kernels of an elementwise expression know the fills of its operands.

    Others are given to them, so that they serve all of them.
    """
    if node.kind in ("leaf", "first"):
        name = dtype_name(node.dtype)
        return known_of(node.fill.item(), name, True, frozenset()) is not None
    return all(map(is_told, node.args))


def structural_fill(node: Node) -> Any:
    """The fill of an expression whatever numbers it is given; None where that depends on them."""
    if any(one.kind not in _ELEMENTWISE for one in nodes_of(node)):
        return None
    found = _filled(node)
    return node.dtype.type(found.value) if isinstance(found, Lit) else None


_ELEMENTWISE = ("leaf", "constant", "map", "convert", "slice", "permute", "expand", "squeeze")


def _filled(node: Node) -> Expr:
    """The value of an expression where its arrays store nothing."""
    kind = dtype_name(node.dtype)
    if node.kind == "leaf" and node.data.format.is_dense:
        return Opaque(kind, f"element{id(node)}")
    if node.kind == "leaf":
        return literal(kind, node.data.fill, True)
    if node.kind == "constant":
        is_given = node.definition is None
        return Opaque(kind, f"given{id(node)}") if is_given else literal(kind, node.data)
    if node.kind == "first":  # what replays a plan checks the fill
        return literal(kind, node.fill.item())
    parts = [_filled(arg) for arg in node.args]
    (_, ins) = node.data if node.kind == "map" else (None, (kind,))
    args = [
        literal(to, one.value, one.structural)
        if isinstance(one, Lit)
        else Opaque(to, f"value{id(arg)}")
        for to, one, arg in zip(ins, parts, node.args, strict=True)
    ]
    if node.kind != "map":
        return args[0]
    found: Expr = simplifier(rules_in_force())(Call(kind, node.data[0], tuple(args)))
    return found
