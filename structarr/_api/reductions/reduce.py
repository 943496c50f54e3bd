"""Reductions by any operator that is declared associative."""

from __future__ import annotations

from typing import Any

import numpy as np

from structarr._api.core.expressions import apply, derive
from structarr._api.core.operands import as_array
from structarr._api.programs.operators import Named, Operator, op_of
from structarr._api.reductions.reductions import Axis, fold, normalized
from structarr._array import Array
from structarr._compiler.ir.ops import Op
from structarr._compiler.rules.constants import literal
from structarr._lazy import graph
from structarr._support import dtypes
from structarr._support.array_types import ArrayLike
from structarr._support.docstrings import documented


@documented
def reduce(
    op: Named,
    x: ArrayLike,
    /,
    axis: Axis = None,
    *,
    keepdims: bool = False,
    initial: Any = None,
) -> Array:
    """
    Reduce an array over axes by an operator.

    Parameters
    ----------
    op : Operator, ufunc or str
        What combines two elements. It must be declared associative, and commutative where several
        axes are reduced at once: the order of the elements along one axis is kept.
    x : array_like
        The elements.
    axis : int or tuple of int, optional
        The axes to reduce; None stands for all.
    keepdims : bool
        Whether the axes stay, with length one.
    initial : scalar, optional
        What stands before the first element. An operator without an identity needs it.

    Returns
    -------
    $reduced

    Raises
    ------
    TypeError
        If the operator is not declared associative (and for several axes commutative), does not
        take two operands, or does not keep a dtype.
    ValueError
        If the operator has no identity, and there is no `initial`.
    $axis_error

    See Also
    --------
    operator : Declares one.
    sum : Reduces by addition.

    Examples
    --------
    >>> import structarr as sa
    >>> either = sa.operator(
    ...     lambda a, b: a + b - a * b, name="either",
    ...     identity=0, annihilator=1, commutative=True, associative=True)
    >>> float(sa.reduce(either, [0.5, 0.0, 0.5]))
    0.75
    """
    if not isinstance(op, Operator):
        known, given = op_of(op), {} if initial is None else {"initial": initial}
        if not known.associative:
            raise TypeError(
                f"{known.name} is not associative, so that its reduction depends on the order; "
                "reduce by an associative operator"
            )
        return fold(known.name, x, axis, keepdims=keepdims, **given)  # type: ignore[no-any-return]
    array = as_array(x)
    axes = normalized(axis, array.ndim)
    _check(op, axes)
    dtype = loop_dtype(op.op, array.dtype, op.title)
    identity = dtypes.identity_of(op.op.name, dtype)
    start = identity if identity is not None else initial
    if start is None:
        raise ValueError(
            f"operator {op.title} is declared without an identity to start with; declare one, or "
            "give initial="
        )
    begin = literal(dtype.name, dtypes.scalar(start, dtype))
    result = derive(lambda node: _reduced(op.op, node, axes, keepdims, dtype, begin), array)
    if initial is None or identity is None:
        return result
    return apply(op.op.name, (dtypes.scalar(initial, dtype), result))


def _check(op: Operator, axes: tuple[int, ...]) -> None:
    if op.op.arity != 2:
        raise TypeError(f"reduce takes an operator of two operands; {op.title} has {op.op.arity}")
    needed = ("associative", "commutative") if len(axes) > 1 else ("associative",)
    for fact in needed:
        if not getattr(op.op, fact):
            raise TypeError(
                f"operator {op.title} is not declared {fact}, so that its reduction over "
                f"{len(axes)} {'axis' if len(axes) == 1 else 'axes'} would depend on the order; "
                f"declare {fact}=True if it is"
            )


def loop_dtype(op: Op, dtype: np.dtype[Any], title: str) -> np.dtype[Any]:
    """Return the dtype in which an operator reduces: one that it keeps."""
    for _ in range(2):
        result = np.dtype(dtypes.resolve(op.name, (dtype, dtype))[1])
        if result == dtype:
            return dtype
        dtype = result
    raise TypeError(f"operator {title} cannot reduce, as of {dtype} operands it makes {result}")


def _reduced(
    op: Op, node: graph.Node, axes: tuple[int, ...], keepdims: bool, dtype: Any, start: Any
) -> graph.Node:
    """The node of a reduction by a user's operator, from a start that the user may give."""
    if not axes:
        return graph.astype(node, dtype)
    shape = tuple(n for k, n in enumerate(node.shape) if k not in axes)
    made = graph.Node("reduce", (node,), (op, axes, start), shape, dtype)
    return graph.expand_dims(made, axes) if keepdims else made
