"""Square matrices: checks of operands, and facts that follow from their formats."""

from __future__ import annotations

from typing import Any

import numpy as np

from structarr._array import Array, NumPyArray
from structarr._storage.tensor import Tensor
from structarr.formats import Level
from structarr.formats.kinds import DIAGONALS, LOWER, UPPER


def check_square(name: str, array: Array) -> None:
    """Raise LinAlgError unless the last two axes are of one length."""
    if array.ndim < 2:
        raise np.linalg.LinAlgError(
            f"{name}: {array.ndim}-dimensional array given. Array must be at least two-dimensional"
        )
    if array.shape[-2] != array.shape[-1]:
        raise np.linalg.LinAlgError(
            f"{name}: Last 2 dimensions of the array must be square, and the shape is {array.shape}"
        )


def inexact(*arrays: Array) -> np.dtype[Any]:
    """The dtype of linear algebra on operands: integers count as double precision."""
    kinds = [x.dtype if x.dtype.kind in "fc" else np.dtype(np.float64) for x in arrays]
    return np.result_type(*kinds)


def double(dtype: np.dtype[Any]) -> np.dtype[Any]:
    """The double precision in which NumPy computes, whose result is rounded to the dtype."""
    return np.result_type(dtype, np.float64)


def real(dtype: np.dtype[Any]) -> np.dtype[Any]:
    """The dtype of absolute values."""
    return np.empty(0, dtype).real.dtype


def diagonals(tensor: Tensor) -> tuple[int, ...] | None:
    """The diagonals outside of which a matrix is zero, if they are known from its format."""
    level = _related(tensor)
    if level is None or level.kind is not DIAGONALS:
        return None
    (offsets,) = level.details
    natural = tensor.format.order == (0, 1)
    return offsets if natural else tuple(-offset for offset in reversed(offsets))


def triangle(tensor: Tensor) -> str | None:
    """The side, "upper" or "lower", of a matrix stored as a triangle from its main diagonal."""
    level = _related(tensor)
    if level is None or level.kind not in (UPPER, LOWER) or level.details != (0,):
        return None
    natural = tensor.format.order == (0, 1)
    return "upper" if (level.kind is UPPER) is natural else "lower"


def _related(tensor: Tensor) -> Level | None:
    """The level of the second axis, of a matrix that is zero where nothing is stored."""
    return tensor.format.levels[1] if tensor.ndim == 2 and tensor.fill == 0 else None


def main_diagonal(tensor: Tensor, dtype: np.dtype[Any]) -> NumPyArray:
    """The values of a matrix of the main diagonal alone; one if they are all the same."""
    alike = tensor.format.levels[-1].uniform
    count = min(1, tensor.shape[0]) if alike else tensor.shape[0]
    return tensor.values_at(np.arange(count)).astype(dtype, copy=False)
