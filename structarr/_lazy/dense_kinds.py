"""What NumPy's arrays of one dtype and shape have in common as tensors: calls ask for it."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from structarr._lazy import structure
from structarr._storage.dense import from_dense
from structarr._storage.tensor import Tensor
from structarr._support.array_types import NumPyArray
from structarr._support.caches import room, table
from structarr.formats import Format


class DenseKind(NamedTuple):
    """All of a dense tensor in C order but its elements, and the number of its structure."""

    format: Format
    shape: tuple[int, ...]
    dtype: np.dtype[Any]
    fill: Any
    number: int

    def tensor(self, values: NumPyArray) -> Tensor:
        """Make a tensor of elements, in one row, which nobody may write from now on."""
        format, shape, dtype, fill, number = self
        # By its place: by its name it takes three times as long.
        values.setflags(False)  # type: ignore[call-arg]
        return Tensor(format, shape, dtype, fill, (values,), {"number": number})


_kinds: dict[tuple[np.dtype[Any], tuple[int, ...]], DenseKind] = table()


def dense_kind(array: NumPyArray) -> DenseKind | None:
    """
    Return what tensors of an array's dtype and shape have in common.

    None where elements need to be converted first.

    Raises
    ------
    TypeError
        If the dtype cannot be stored.
    """
    dtype, shape = array.dtype, array.shape
    known = _kinds.get((dtype, shape))
    if known is None:
        made = from_dense(np.empty(shape, dtype))
        number = structure.of_tensor(made)
        known = DenseKind(made.format, shape, made.dtype, made.fill, number)
        room(_kinds)[dtype, shape] = known
    return known if known.dtype is dtype else None  # equal dtypes may be others' objects
