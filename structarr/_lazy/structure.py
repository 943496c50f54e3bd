"""The structures of expressions, by number: what their plans depend on, and no value.

Equal structures have equal numbers. 0 is the number of those that seldom come again.
"""

from __future__ import annotations

from collections.abc import Hashable
from itertools import count
from typing import Final

from structarr._storage.tensor import Tensor
from structarr._support.caches import room
from structarr._support.dtypes import zero

NONE: Final = 0
"""The number of structures that are not told apart."""

_numbers: dict[Hashable, int] = {}
_fresh = count(1)


def number_of(*parts: Hashable) -> int:
    """The number of a structure that consists of some parts."""
    found = _numbers.get(parts)
    if found is None:
        found = room(_numbers).setdefault(parts, next(_fresh))
    return found


def of_tensor(tensor: Tensor) -> int:
    """The number of a tensor's structure: its format, dtype, fill, lengths and magnitudes.

    A tensor of one value is an operand of its own, whose value the compiler may know.
    """
    found = tensor.memo.get("number")
    if found is None:
        found = tensor.memo["number"] = _of_tensor(tensor)
    return found


def _of_tensor(tensor: Tensor) -> int:
    if tensor.is_constant:
        return NONE
    fill = 0 if tensor.fill is zero(tensor.dtype) else tensor.fill.tobytes()
    sizes = None if tensor.format.is_dense else tensor.magnitudes
    return number_of(tensor.format, tensor.shape, tensor.dtype, fill, sizes)
