"""Results written into NumPy's arrays."""

from __future__ import annotations

from typing import Any

import numpy as np

from structarr._array import Array


def deliver(result: Any, out: Any, casting: Any = "same_kind", where: Any = True) -> Any:
    """Return a result, or the NumPy array given as `out`, into which it is written."""
    if out is None:
        return result
    if isinstance(out, tuple):
        (out,) = out
    if isinstance(out, Array):
        raise TypeError(
            "out must be a NumPy array: structarr arrays are values and cannot be written into; "
            "bind the result to a name instead"
        )
    if not isinstance(out, np.ndarray):
        raise TypeError(f"out must be a NumPy array, not {type(out).__name__}")
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
    mask = np.asarray(where) if where is not True else True
    np.copyto(out, result.todense(), casting="unsafe", where=mask)
    return out
