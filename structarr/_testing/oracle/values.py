"""Values of expressions, a function for each production of the grammar."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np

from structarr._compiler.ir import cin, conditions, expr as ir, missing
from structarr._compiler.ir.node import Node
from structarr._compiler.ir.variables import Var
from structarr._testing.oracle.operators import applied, converted
from structarr.formats.entries import Array

MISSING: Final = missing.MISSING
"""What is read where a `permit`ted index is outside."""


class OutOfBounds(IndexError):
    """An index that the program must keep inside: its site, itself and the length."""


class Unchecked(AssertionError):
    """An access outside of an array, which the program neither permits nor checks."""


@dataclass(frozen=True)
class Scope:
    """The scope of a program: the values of its names.

    Attributes
    ----------
    arrays : mapping
        Dense arrays, their axes in the order of the tensors' modes; written in place.
    variables : mapping
        Scalars and lengths by name.
    indices : mapping
        The indices of the loops around.
    odd : list
        The expressions that had an infinity or NaN as a value, which structural zeros annihilate.
    """

    arrays: dict[cin.Tensor, Array]
    variables: Mapping[Var, Any]
    indices: Mapping[ir.Index, int] = field(default_factory=dict)
    odd: list[Node] = field(default_factory=list)

    def at(self, index: ir.Index, place: int) -> Scope:
        """The same within one turn of a loop."""
        return Scope(self.arrays, self.variables, {**self.indices, index: place}, self.odd)


def value(node: Node, scope: Scope) -> Any:
    """The value of an expression: a NumPy scalar, a Python integer of an index, or `MISSING`."""
    if isinstance(node, Var):
        found = converted(scope.variables[node], node.dtype)
    else:
        found = _VALUES[type(node)](node, scope)
    if isinstance(found, np.inexact) and not np.isfinite(found):
        scope.odd.append(node)
    return found


def integer(node: Node, scope: Scope) -> Any:
    """The value of an index expression as a Python integer, or `MISSING`."""
    found = value(node, scope)
    return found if found is MISSING else int(found)


def place_of(access: cin.Access, scope: Scope) -> Any:
    """Where in its array an access is, or `MISSING`."""
    assert isinstance(access.obj, cin.Tensor)
    shape = scope.arrays[access.obj].shape
    place = [_place(i, n, scope) for i, n in zip(access.indices, shape, strict=True)]
    if any(at is MISSING for at in place):
        return MISSING
    if not all(0 <= at < n for at, n in zip(place, shape, strict=True)):
        raise Unchecked(f"{access.obj.name}{place} of shape {shape}")
    return tuple(place)


def _place(index: Node, length: int, scope: Scope) -> Any:
    """An index into a mode of some length."""
    if isinstance(index, cin.Permit) and index.dim is None:
        index = cin.Permit(index.arg, ir.Lit(ir.INDEX, length))
    return integer(index, scope)


# ------------------------------------------------------------------ values


def _literal(node: ir.Lit, scope: Scope) -> Any:
    return np.dtype(node.dtype).type(node.value)


def _access(node: cin.Access, scope: Scope) -> Any:
    if not isinstance(node.obj, cin.Tensor):
        return value(node.obj, scope)
    place = place_of(node, scope)
    return MISSING if place is MISSING else scope.arrays[node.obj][place]


def _cast(node: ir.Cast, scope: Scope) -> Any:
    arg = value(node.arg, scope)
    return MISSING if arg is MISSING else converted(arg, node.dtype)


def _call(node: ir.Call, scope: Scope) -> Any:
    """Whatever is computed with what is missing is missing."""
    if node.op.name in _CHOICES:
        return _choice(node, scope)
    args = [value(arg, scope) for arg in node.args]
    return _applied(node, args)


def _applied(node: ir.Call, args: list[Any]) -> Any:
    if any(arg is MISSING for arg in args):
        return MISSING
    pairs = zip(node.args, args, strict=True)
    typed = [np.dtype(arg.dtype).type(held) for arg, held in pairs]
    return applied(node.op, typed, node.dtype)


_CHOICES: Final[Mapping[str, Callable[[Any], tuple[bool, ...]]]] = {
    "where": lambda first: (True, bool(first), not first),
    "logical_and": lambda first: (True, bool(first)),
    "logical_or": lambda first: (True, not first),
}
"""Which operands are looked at, by the first."""


def _choice(node: ir.Call, scope: Scope) -> Any:
    """The chosen value; those not chosen may be outside of an array, though not missing."""
    first = value(node.args[0], scope)
    if first is MISSING:
        return MISSING
    args = []
    for arg, needed in zip(node.args, _CHOICES[node.op.name](first), strict=True):
        try:
            args.append(value(arg, scope))
        except (OutOfBounds, Unchecked):
            if needed:
                raise
            args.append(np.dtype(arg.dtype).type(0))
    return _applied(node, args)


def _missing(node: missing.Missing, scope: Scope) -> Any:
    return MISSING


def _coalesce(node: missing.Coalesce, scope: Scope) -> Any:
    for arg in node.args:
        found = value(arg, scope)
        if found is not MISSING:
            return found
    return MISSING


def _helper(node: ir.Helper, scope: Scope) -> Any:
    """The one helper that programs call: whether a value is to be stored beside a fill."""
    assert node.name == "differ", node.name
    left, right = (value(arg, scope) for arg in node.args)
    return left != right and (left == left or right == right)


# ------------------------------------------------------------------ indices


def _index(node: ir.Index, scope: Scope) -> Any:
    return scope.indices[node]


def _of_integers(function: Callable[..., Any]) -> Callable[[Any, Scope], Any]:
    """A function of the index expressions that a node is made of."""

    def of(node: Node, scope: Scope) -> Any:
        parts = [integer(part, scope) for part in node.parts()]
        return MISSING if any(part is MISSING for part in parts) else function(node, *parts)

    return of


def _sum(node: ir.Sum, *atoms: int) -> int:
    return node.const + sum(k * atom for k, atom in zip(node.factors, atoms, strict=True))


def _permit(node: cin.Permit, index: int, dim: int) -> Any:
    return index if 0 <= index < dim else MISSING


def _within(node: cin.Within, index: int, dim: int) -> int:
    if 0 <= index < dim:
        return index
    raise OutOfBounds(node.site, index, dim)


def _padded(node: cin.Padded, index: int, dim: int) -> int:
    """Where a mode of `numpy.pad` finds what is outside."""
    if dim == 0:
        raise OutOfBounds(node.site, index, dim)
    places = list(range(dim))
    if node.mode == "edge":
        return min(max(index, 0), dim - 1)
    if node.mode == "reflect":
        places += places[-2:0:-1]
    if node.mode == "symmetric":
        places += places[::-1]
    return places[index % len(places)]


# ------------------------------------------------------------------ conditions


def _all(node: conditions.All, scope: Scope) -> Any:
    found = [value(arg, scope) for arg in node.args]
    return MISSING if any(one is MISSING for one in found) else all(found)


def _not(node: conditions.Not, scope: Scope) -> Any:
    found = value(node.arg, scope)
    return MISSING if found is MISSING else not found


_VALUES: Final[Mapping[type[Node], Callable[[Any, Scope], Any]]] = {
    ir.Lit: _literal,
    cin.Access: _access,
    ir.Cast: _cast,
    ir.Call: _call,
    missing.Missing: _missing,
    missing.Coalesce: _coalesce,
    ir.Helper: _helper,
    ir.Index: _index,
    ir.Sum: _of_integers(_sum),
    ir.Product: _of_integers(lambda node, left, right: left * right),
    ir.FloorDiv: _of_integers(lambda node, arg: arg // node.by),
    ir.Min: _of_integers(lambda node, *args: min(args)),
    ir.Max: _of_integers(lambda node, *args: max(args)),
    cin.Protocol: _of_integers(lambda node, index: index),
    cin.Offset: _of_integers(lambda node, index, delta: index - delta),
    cin.Stride: _of_integers(lambda node, index, offset: node.factor * index + offset),
    cin.Permit: _of_integers(_permit),
    cin.Within: _of_integers(_within),
    cin.Padded: _of_integers(_padded),
    conditions.Le: _of_integers(lambda node, left, right: left <= right),
    conditions.Eq: _of_integers(lambda node, left, right: left == right),
    conditions.All: _all,
    conditions.Not: _not,
}
"""The meaning of each production."""
