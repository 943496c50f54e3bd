"""NumPy's ufuncs on our arrays: calls with keywords, and the other methods."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import numpy as np

from structarr._api.composed.foreign_ufuncs import applied
from structarr._api.core.dense_fallback import through
from structarr._api.core.expressions import apply, viewed
from structarr._api.core.operands import as_array, lift
from structarr._api.core.out import deliver
from structarr._api.core.publish import publish_method
from structarr._api.reductions.reductions import fold
from structarr._api.reductions.scans import scan, scans
from structarr._api.shape.manipulation import axis_in
from structarr._array import FUNCTIONS, Array
from structarr._compiler.ir.ops import OPS, UNSUPPORTED
from structarr._lazy import graph
from structarr._support import dtypes
from structarr._support.array_types import ArrayLike, DTypeLike

UFUNCS: Final[Mapping[Any, str]] = {
    getattr(np, name): name for name in OPS if isinstance(getattr(np, name, None), np.ufunc)
}
"""NumPy's elementwise ufuncs to the names of operators."""


@publish_method("__call__")
def call(ufunc: Any, *inputs: Any, out: Any = None, where: ArrayLike = True, **kwargs: Any) -> Any:
    """
    Call a ufunc with any of its keywords.

    `out` takes NumPy arrays, and `where` requires it: without one, NumPy leaves elements
    uninitialized.
    """
    if where is not True and out is None:
        raise TypeError(
            f"{ufunc.__name__}: where= without out= would leave elements undefined; "
            "use structarr.where(condition, result, otherwise)"
        )
    casting = kwargs.pop("casting", "same_kind")
    if ufunc not in UFUNCS and _is_foreign(ufunc):
        taken = _taken(ufunc, kwargs, ("axis", "axes", "keepdims"))
        result: Any = through(ufunc, *inputs, **taken) if taken else applied(ufunc, *inputs)
    elif ufunc in UFUNCS or FUNCTIONS.found(ufunc) is None:
        result = _call_operator(ufunc, inputs, casting, kwargs)
    else:
        result = _call_function(ufunc, inputs, kwargs)
    if out is None:
        return result
    if isinstance(result, tuple):
        return tuple(
            deliver(part, target, casting, where, broadcasts=True)
            for part, target in zip(result, out, strict=True)
        )
    return deliver(result, out, casting, where, broadcasts=True)


def _is_foreign(ufunc: Any) -> bool:
    """Whether a ufunc is another library's."""
    return getattr(np, ufunc.__name__, None) is not ufunc and ufunc.__name__ not in UNSUPPORTED


def _call_function(ufunc: Any, inputs: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    dtype = kwargs.pop("dtype", None)
    result = FUNCTIONS[ufunc](*inputs, **_taken(ufunc, kwargs, ("axis",)))
    return result if dtype is None else result.astype(dtype, casting="same_kind")


def _call_operator(
    ufunc: Any, inputs: tuple[Any, ...], casting: str, kwargs: dict[str, Any]
) -> Array:
    op = _operator(ufunc)
    dtype = kwargs.pop("dtype", None)
    _taken(ufunc, kwargs, ())
    if dtype is None and casting == "same_kind":
        return apply(op, inputs)
    return apply(op, _cast_for(ufunc, [lift(value) for value in inputs], dtype, casting))


def _cast_for(ufunc: Any, operands: list[Any], dtype: Any, casting: str) -> list[Array]:
    """Cast operands to the dtypes of NumPy's loop, for a result's dtype and a casting rule."""
    given = [value.dtype if isinstance(value, Array) else type(value) for value in operands]
    # NumPy has no weak bool, and bool is the least of all dtypes anyway.
    given = [np.dtype(bool) if dtype is bool else dtype for dtype in given]
    if casting == "equiv" and {int, float, complex} & {*given}:  # NumPy's `resolve_dtypes` crashes
        raise TypeError(
            f"{ufunc.__name__}: the casting rule 'equiv' allows no Python numbers, which take the "
            "dtype of the other operand; give an array"
        )
    forced = (None,) * ufunc.nin + (None if dtype is None else dtypes.check(dtype),)
    loop = ufunc.resolve_dtypes((*given, None), signature=forced, casting=casting)
    return [
        value.astype(kind) if isinstance(value, Array) else as_array(dtypes.scalar(value, kind))
        for value, kind in zip(operands, loop, strict=False)
    ]


def _operator(ufunc: Any) -> str:
    op = UFUNCS.get(ufunc)
    if op is None:
        name = ufunc.__name__
        why = UNSUPPORTED.get(name, "is none of NumPy's own elementwise functions")
        raise TypeError(
            f"ufunc {name!r} is not supported for structarr arrays: it {why}; "
            "or give it NumPy arrays: a.todense()"
        )
    return op


def _taken(ufunc: Any, kwargs: dict[str, Any], known: tuple[str, ...]) -> dict[str, Any]:
    """Return the keywords that matter, and refuse those with no meaning here."""
    for name in kwargs:
        # `order` and `subok` choose the layout and class of NumPy's result.
        if name not in (*known, "order", "subok"):
            raise TypeError(
                f"{ufunc.__name__}: the keyword {name!r} is not supported for structarr arrays; "
                "leave it out, or give NumPy arrays: a.todense()"
            )
    return {name: value for name, value in kwargs.items() if name in known}


@publish_method("reduce")
def reduce(
    ufunc: Any,
    array: ArrayLike,
    axis: Any = 0,
    dtype: DTypeLike | None = None,
    out: Any = None,
    keepdims: bool = False,
    **kwargs: Any,
) -> Any:
    """
    Reduce over axes, by default the first as NumPy does.

    If only the mask is ours, the result of a NumPy array is NumPy's, as its methods rely on that.
    """
    op = _operator(ufunc)
    if not OPS[op].associative:  # the order of the elements matters
        result = through(ufunc.reduce, array, axis, dtype, None, keepdims, **kwargs)
    else:
        lifted = as_array(array)
        axes = None if axis == 0 and not lifted.ndim else axis
        result = fold(op, lifted, axes, dtype, None, keepdims, **kwargs)
    if out is not None:
        return deliver(result, out)
    return result.todense()[()] if isinstance(array, np.ndarray) else result


@publish_method("outer")
def outer(ufunc: Any, left: Any, right: Any, **kwargs: Any) -> Any:
    """Apply to all pairs of an element of one and an element of the other."""
    first, second = as_array(left), as_array(right)
    places = tuple(range(first.ndim, first.ndim + second.ndim))
    return call(
        ufunc, viewed(lambda node: graph.expand_dims(node, places), first), second, **kwargs
    )


@publish_method("accumulate")
def accumulate(
    ufunc: Any, array: ArrayLike, axis: int = 0, dtype: DTypeLike | None = None, out: Any = None
) -> Any:
    """Return the results of reducing more and more along an axis: of dense arrays but for sums."""
    given, op = as_array(array), UFUNCS.get(ufunc)
    if op is None or not given.ndim or not scans(op, given, dtype):
        result = through(ufunc.accumulate, array, axis, dtype)
    else:
        result = scan(op, given, axis_in(axis, given.ndim), dtype)
    return deliver(result, out)


@publish_method("reduceat")
def reduceat(
    ufunc: Any,
    array: ArrayLike,
    indices: ArrayLike,
    axis: int = 0,
    dtype: DTypeLike | None = None,
    out: Any = None,
) -> Any:
    """Reduce pieces of an axis: of dense arrays."""
    return deliver(through(ufunc.reduceat, array, indices, axis, dtype), out)


@publish_method("at")
def at(ufunc: Any, target: Any, *operands: Any) -> None:
    """Apply in place, to NumPy's arrays alone."""
    if isinstance(target, Array):
        raise TypeError(
            f"numpy.{ufunc.__name__}.at writes into its first argument, and structarr arrays are "
            "values: compute a new one, or work on a.todense()"
        )
    through(ufunc.at, target, *operands)
