"""Expressions as text, for messages: a letter for each array, operators as they are written."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import islice
from math import prod
from string import ascii_uppercase
from typing import Final

from structarr._lazy.distributive import multiplies
from structarr._lazy.graph import Node
from structarr._lazy.node import nodes_of
from structarr._storage.tensor import Tensor

LONGEST: Final = 60  # characters of a part that is told
LIGHT_NODES: Final = 64
LIGHT_SIZE: Final = 4096
"""The most parts of an expression, and elements of each, that are computed to be shown."""
INFIX: Final[Mapping[str, str]] = {
    "add": "+",
    "subtract": "-",
    "multiply": "*",
    "divide": "/",
    "power": "**",
    "equal": "==",
    "not_equal": "!=",
    "less": "<",
    "less_equal": "<=",
    "greater": ">",
    "greater_equal": ">=",
}


def is_light(node: Node) -> bool:
    """Whether an expression is of few and small parts, so that its value takes no time to speak of.

    Examples
    --------
    >>> import structarr as sa
    >>> small, large = sa.ones((3, 3)), sa.ones((300, 300))
    >>> is_light((small @ small)._node), is_light((large + 1).sum()._node)
    (True, False)
    """
    parts = list(islice(nodes_of(node), 1 + LIGHT_NODES))
    return len(parts) <= LIGHT_NODES and all(prod(one.shape) <= LIGHT_SIZE for one in parts)


def told(node: Node) -> str:
    """
    An expression as text; long parts of it are left out.

    Examples
    --------
    >>> import numpy as np
    >>> import structarr as sa
    >>> a = sa.asarray([[1.0, 0.0], [0.0, 2.0]], format="csr")
    >>> told((np.exp(a - 1) @ a.T)._node)
    'exp(A - 1) @ A.T'
    """
    return _Text().of(node)


def spelling(node: Node) -> str:
    """A spelling in the place of an expression whose value is too large; "" if none is known.

    Examples
    --------
    >>> import structarr as sa
    >>> a = sa.asarray([[1.0, 0.0], [0.0, 2.0]], format="csr")
    >>> spelling((a - 1)._node)
    '(A - 1) @ x and sums are computed without it, and (A - 1) * (A != 0) stores what A does'
    """
    text = _Text()
    whole = text.of(node)
    if node.kind == "reduce" and multiplies(node.args[0]):
        return f"({whole}) * M is made where M stores something, and ({whole}) @ x without it"
    if node.kind != "map":
        return ""
    name = node.data[0].name
    if name == "exp":
        return f"expm1({text.of(node.args[0])}) stores what its operand does"
    sparse = [one for one in node.args if one.kind == "leaf" and not one.data.format.is_dense]
    if name not in ("add", "subtract") or len(sparse) != 1:
        return ""
    own = text.of(sparse[0])
    without = f"({whole}) @ x and sums are computed without it"
    return f"{without}, and ({whole}) * ({own} != 0) stores what {own} does"


class _Text:
    def __init__(self) -> None:
        self._letters: dict[Tensor, str] = {}

    def of(self, node: Node) -> str:
        """A node, of which nested parts are left out where that is long."""
        match node.kind:
            case "leaf":
                number = len(self._letters)
                fresh = ascii_uppercase[number] if number < len(ascii_uppercase) else f"A{number}"
                return self._letters.setdefault(node.data, fresh)
            case "constant":
                return f"{node.data:g}" if node.dtype.kind in "iuf" else str(node.data)
            case "map":
                return self._operation(node)
            case "permute" if node.ndim == 2:
                return f"{self._part(node.args[0])}.T"
            case "reduce" if (factors := _factors(node)) is not None:
                return " @ ".join(map(self._part, factors))
            case "reduce":
                name = {"add": "sum"}.get(node.data[0].name, node.data[0].name)
                return f"{name}({self.of(node.args[0])})"
        return self.of(node.args[0]) if len(node.args) == 1 else f"{node.kind}(...)"

    def _operation(self, node: Node) -> str:
        name = node.data[0].name
        if name in INFIX:
            return f" {INFIX[name]} ".join(map(self._part, node.args))
        return f"{name}({', '.join(map(self.of, node.args))})"

    def _part(self, node: Node) -> str:
        """A node within an operation, in brackets where it needs them."""
        found = self.of(node)
        if len(found) > LONGEST:
            return "(...)"
        is_infix = node.kind == "map" and node.data[0].name in INFIX
        is_infix |= node.kind == "reduce" and _factors(node) is not None
        return f"({found})" if is_infix else found


def _factors(node: Node) -> tuple[Node, Node] | None:
    """The factors of a product of matrices and vectors; None of any other sum."""
    (product,), (_, axes, _) = node.args, node.data
    last = product.ndim - 1
    if not multiplies(product) or axes != (last,) or len(product.args) != 2 or last > 2:
        return None
    left, right = (one.args[0] if one.kind == "expand" else one for one in product.args)
    if left.ndim + right.ndim != last + 2:
        return None
    if right.ndim < 2:
        return left, right
    turned = Node("permute", (right,), (1, 0), right.shape[::-1], right.dtype)
    return left, right.args[0] if right.kind == "permute" else turned
