"""Sums and extremes over all elements, as those of the vectors of stored values."""

from __future__ import annotations

from functools import lru_cache
from math import prod
from typing import Any, Final, NamedTuple

import numpy as np

from structarr._compiler.ir.expr import Call, Expr, Lit
from structarr._compiler.ir.ops import Op
from structarr._compiler.ir.variables import Var
from structarr._compiler.rules.constants import algebraic, literal, same_constant
from structarr._compiler.rules.defaults import rules_in_force
from structarr._compiler.rules.engine import simplifier
from structarr._lazy.graph import Node
from structarr._lazy.node import dtype_name
from structarr._lazy.rewrite.flatten_dense import leaves
from structarr._lazy.rewrite.on_stored_values import have_same_places, on_values
from structarr._scheduler.inputs import known_of
from structarr._storage.dense import from_own
from structarr._storage.tensor import Tensor
from structarr._support.caches import MOST
from structarr.formats import Format, kinds
from structarr.formats.element import Element

EXTREMES: Final[dict[str, np.ufunc]] = {
    one.__name__: one
    for one in (np.maximum, np.minimum, np.fmax, np.fmin, np.logical_and, np.logical_or)
}
"""NumPy's functions of operators by which a value may be counted once or several times."""


class Whole(NamedTuple):
    """A reduction of an array's stored values.

    Attributes
    ----------
    owner : Tensor
        The array.
    node : Node
        The reduction, of a vector.
    fill : tuple, optional
        The operator and the fill that count where the array stores less than all elements.
    """

    owner: Tensor
    node: Node
    fill: tuple[str, Any] | None


def whole_of(node: Node) -> Whole | None:
    """The reduction over all elements of arrays that store at the same places; None of any other.

    What is not stored has to leave the result as it is, or to be found in it once.
    """
    if node.kind != "reduce" or node.shape:
        return None
    (arg,), (op, _, start) = node.args, node.data
    found = leaves(arg)
    if not found or not _is_apart(found[0]) or not have_same_places(found):
        return None
    fill = _fill(arg)
    if not isinstance(fill, Lit):
        return None
    # Elements are reduced in the dtype that is asked for, and so is what is not stored.
    fill = literal(dtype_name(node.dtype), fill.value, fill.structural)
    beside = None if _is_nothing(fill, op) else (op.name, node.dtype.type(fill.value))
    if beside is not None and op.name not in EXTREMES:
        return None
    made = Node("reduce", (on_values(arg),), (op, (0,), start), (), node.dtype)
    return Whole(found[0], made, beside)


def beside_fill(reduced: Tensor, owner: Tensor, op: str, fill: Any) -> Tensor:
    """A reduction of an array's stored values as that of all its elements."""
    if len(owner.buffers[-1]) == prod(owner.shape):
        return reduced
    return from_own(np.asarray(EXTREMES[op](reduced.buffers[-1][0], fill)))


def _is_nothing(fill: Lit, op: Op) -> bool:
    """Whether an operator leaves a number as it is beside the fill."""
    own = op.right_identity
    return own is not None and same_constant(fill, algebraic(fill.dtype, own))


def _fill(node: Node) -> Expr:
    """The value where nothing is stored, as the structure of the expression tells it."""
    kind = dtype_name(node.dtype)
    if node.kind in ("leaf", "constant"):
        structural = node.kind == "leaf"
        value = node.data.fill if structural else node.data
        known = known_of(value.item(), kind, structural, frozenset())
        return Var(kind, "unknown") if known is None else known
    args = [_fill(arg) for arg in node.args]
    if node.kind == "convert":
        (arg,) = args
        return literal(kind, arg.value, arg.structural) if isinstance(arg, Lit) else Var(kind, "x")
    op, ins = node.data
    cast = [
        literal(to, one.value, one.structural) if isinstance(one, Lit) else Var(to, "unknown")
        for one, to in zip(args, ins, strict=True)
    ]
    return simplifier(rules_in_force())(Call(kind, op, tuple(cast)))  # type: ignore[no-any-return]


def _is_apart(tensor: Tensor) -> bool:
    """Whether a loop over the stored values takes less than one over an array as it is stored.

    Loops over rows of lists are joined to one over their entries, but are priced, and cut into
    pieces, by the rows: where most are empty they are left out.
    """
    if not _is_one_each(tensor.format):
        return False
    if not _has_rows(tensor.format):
        return True
    *above, entries = (n.bit_length() for n in tensor.counts)
    return max(above, default=0) > entries


@lru_cache(MOST)
def _is_one_each(fmt: Format) -> bool:
    """Whether there is one stored value for each stored element, and no more."""
    *levels, last = fmt.levels
    if type(last) is not Element or fmt.is_dense:
        return False
    own = [level.kind for level in levels]
    return not any(kind.vacant or kind.is_mirrored or not kind.maps_children for kind in own)


def _has_rows(fmt: Format) -> bool:
    """Whether an array is stored in lists below levels that store every element, if any."""
    *above, last = fmt.levels[:-1]
    return last.kind is kinds.LIST and all(level.arithmetic for level in above)
