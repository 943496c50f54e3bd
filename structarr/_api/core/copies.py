"""Copies of NumPy's arrays that others can write: one for all that need it at a time."""

from __future__ import annotations

from typing import Final
from weakref import ref

import numpy as np

from structarr._array import NumPyArray
from structarr._lazy.dense_kinds import dense_kind
from structarr._storage.dense import from_dense
from structarr._storage.tensor import Tensor
from structarr._support.buffer_pool import flattened
from structarr._support.caches import table

MOST: Final = 64  # the most arrays of which it is known that there is a copy


SMALL: Final = 16 * 1024  # bytes that are quickly compared as bytes
BITS: Final = {size: np.dtype(f"u{size}") for size in (1, 2, 4, 8)}
"""Integers as large as elements."""


COPIES: Final[dict[int, tuple[ref[NumPyArray], ref[Tensor]]]] = table()
"""Arrays and their copies, as long as both are used, by the identities of the arrays."""


def copied(array: NumPyArray) -> Tensor:
    """
    Return a tensor of an array's elements as they are now, which nobody can write.

    While a copy is used and the array still has its elements, the copy is returned again, so that
    an expression that has the array twice has one operand.

    Examples
    --------
    >>> import numpy as np
    >>> x = np.arange(3)
    >>> first = copied(x)
    >>> copied(x) is first
    True
    >>> x[0] = 5
    >>> copied(x) is first
    False
    """
    made = kept(array)
    return anew(array) if made is None else made


def anew(array: NumPyArray) -> Tensor:
    """Return a tensor of the elements of an array of which no copy is used."""
    kind = dense_kind(array) if type(array) is np.ndarray else None
    made = from_dense(array.copy()) if kind is None else kind.tensor(flattened(array))
    if len(COPIES) >= MOST:
        COPIES.clear()
    COPIES[id(array)] = ref(array), ref(made)
    return made


def kept(array: NumPyArray) -> Tensor | None:
    """Return the copy of an array that is used, if it has the elements of now."""
    known = COPIES.get(id(array))
    if known is None or known[0]() is not array:
        return None
    made = known[1]()
    return made if made is not None and _has(made, array) else None


def _has(copy: Tensor, array: NumPyArray) -> bool:
    """Whether a copy has an array's elements, to the bit."""
    if copy.shape != array.shape or copy.dtype != array.dtype or not array.flags.c_contiguous:
        return False
    if array.nbytes <= SMALL:
        return bool(copy.buffers[0].tobytes() == array.tobytes())
    held, bits = copy.buffers[0], BITS.get(array.itemsize, np.uint8)
    return bool((held.view(bits) == array.reshape(-1).view(bits)).all())


def turned(array: NumPyArray) -> NumPyArray | None:
    """
    Return the matrix that another one shows with its axes swapped; None of any other.

    Examples
    --------
    >>> import numpy as np
    >>> x = np.ones((2, 3))
    >>> turned(x.T) is x, turned(x) is None
    (True, True)
    """
    whole = array.base
    if array.ndim != 2 or type(whole) is not type(array):
        return None
    alike = whole.shape == array.shape[::-1] and whole.strides == array.strides[::-1]
    return whole if alike and whole.dtype == array.dtype and whole.flags.c_contiguous else None
