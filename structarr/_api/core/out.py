"""Results written into NumPy's arrays."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from structarr._array import Array, NumPyArray

if TYPE_CHECKING:
    from typing_extensions import TypeVar as Defaulting

    Out = Defaulting("Out", bound=Array | NumPyArray, default=Array)
else:
    Out = TypeVar("Out")  # what is given as `out`, or an array of ours where nothing is


def deliver(
    result: Any,
    out: Out | None,
    casting: Any = "same_kind",
    where: Any = True,
    *,
    broadcasts: bool = False,
) -> Out:
    """
    Return a result, or the NumPy array given as `out`, into which it is written.

    That is of the result's shape; results of elementwise functions are broadcast to it.
    """
    if out is None:
        return result  # type: ignore[no-any-return]
    if isinstance(out, tuple):  # as NumPy hands it on
        (out,) = out  # type: ignore[unreachable]
    if isinstance(out, Array):
        raise TypeError(
            "out must be a NumPy array: structarr arrays are values and cannot be written into; "
            "bind the result to a name instead"
        )
    if not isinstance(out, np.ndarray):
        raise TypeError(f"out must be a NumPy array, not {type(out).__name__}")
    if not broadcasts and out.shape != result.shape:
        raise ValueError(
            f"output parameter of shape {out.shape} must have that of the result, {result.shape}"
        )
    if np.broadcast_shapes(out.shape, result.shape) != out.shape:
        raise ValueError(
            f"non-broadcastable output operand with shape {out.shape} doesn't match the broadcast "
            f"shape {result.shape}"
        )
    if not np.can_cast(result.dtype, out.dtype, casting):
        raise TypeError(
            f"Cannot cast output from {result.dtype!r} to {out.dtype!r} with casting rule "
            f"{casting!r}; give out= that dtype"
        )
    mask = True if where is True else np.asarray(truth(where))
    np.copyto(out, result.todense(), casting="unsafe", where=mask)
    return out


def truth(where: Any) -> Any:
    """What is given as `where`; a number, or a list of them, stands for its truth, as in NumPy."""
    return where if hasattr(where, "dtype") else np.asarray(where, dtype=bool)


def dtype_for(out: Any, loop: np.dtype[Any]) -> np.dtype[Any]:
    """
    The dtype in which terms are added or multiplied for `out`, if none is asked for.

    As in NumPy it is that of `out`, where this holds all that the loop's does: products of integers
    written into floats do not wrap around.
    """
    (given,) = out if isinstance(out, tuple) else (out,)
    if not isinstance(given, np.ndarray) or given.dtype == loop:
        return loop
    wider = np.can_cast(loop, given.dtype) or (loop.kind in "iu" and given.dtype.kind in "fc")
    return np.dtype(given.dtype.name) if wider else loop
