"""The structures of expressions, by number: what their plans depend on, and no value.

Equal structures have equal numbers. 0 is the number of those that seldom come again, odd numbers
are of those whose lengths and places are all part of the structure.
"""

from __future__ import annotations

from collections.abc import Hashable
from functools import cache, lru_cache
from itertools import count
from typing import Any, Final

import numpy as np

from structarr._storage.tensor import Tensor
from structarr._support.caches import MOST, cleared, room, table
from structarr._support.dtypes import zero

NONE: Final = 0
"""The number of structures that are not told apart."""

_numbers: dict[Hashable, int] = table()
_general: dict[int, int] = table()
_fresh = count(2, 2)


def number_of(*parts: Hashable, fixed: bool = False, general: Hashable = NONE) -> int:
    """The number of a structure that consists of some parts.

    `fixed` says that these tell all lengths and places; `general` are the parts without lengths, if
    none but the arrays' own are among them.
    """
    found = _numbers.get(parts)
    if found is None:
        found = room(_numbers, light=True).setdefault(parts, next(_fresh) + fixed)
    if general != NONE and found not in _general:
        room(_general, light=True)[found] = number_of("general", general)
    return found


def general_of(number: int) -> int:
    """The number that structures share which differ in the lengths of their arrays alone.

    Lengths of one and zero are told from others, and so are magnitudes. NONE where an operation
    has lengths of its own, as joins and reshapes have.
    """
    return _general.get(number, NONE)


def is_fixed(number: int) -> bool:
    """Whether all expressions of a structure have the same lengths and places."""
    return bool(number & 1)


@cleared
@lru_cache(MOST)
def of_scalar(dtype: np.dtype[Any]) -> int:
    """The number of the structure of scalars of a dtype."""
    return number_of("scalar", dtype, general=("scalar", dtype))


@cache
def _usual(dtype: np.dtype[Any]) -> frozenset[bytes]:
    """The values that constant tensors have most often."""
    return frozenset([dtype.type(one).tobytes() for one in (0, 1)])


def of_tensor(tensor: Tensor) -> int:
    """The number of a tensor's structure: its format, dtype, fill, lengths and magnitudes.

    The one value of a constant tensor, which the compiler may know, is part of it where it is 0 or
    1; others are operands of their own.
    """
    memo = tensor.memo
    known: int | None = memo.get("number")
    if known is not None:
        return known
    format, dtype = tensor.format, tensor.dtype
    fill = None if tensor.fill is zero(dtype) else tensor.fill.tobytes()
    parts: tuple[Hashable, ...]
    if format.is_dense:
        parts = format, tensor.shape, dtype, fill
    elif format.is_constant:
        value = tensor.constant.tobytes()
        if value not in _usual(dtype):
            memo["number"] = NONE
            return NONE
        parts = format, tensor.shape, dtype, fill, value
    else:
        parts = format, tensor.shape, dtype, fill, tensor.magnitudes
    found = _numbers.get(parts)
    if found is None:
        magnitudes = tuple([n.bit_length() for n in tensor.shape])
        found = number_of(*parts, general=(format, magnitudes, *parts[2:]))
    memo["number"] = found
    return found
