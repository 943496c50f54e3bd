"""Which elements of lists are unlike the fill, told by their places."""

from __future__ import annotations

import numpy as np

from structarr._compiler.backend.call import call
from structarr._storage.kept_entries import kept_rows
from structarr._storage.tensor import Tensor
from structarr._storage.transpose import is_rows
from structarr.formats import Dense, Format, Pattern, SparseList

MARKED = Dense(SparseList(Pattern()))


def may_be_marked(tensor: Tensor) -> bool:
    """Whether a tensor is of rows as lists, of numbers that a loop compares, none of them NaN."""
    kind, fill = tensor.dtype.kind, tensor.fill
    return is_rows(tensor.format) and kind in "fiu" and bool(fill == fill)


def unlike_fill(tensor: Tensor) -> Tensor:
    """
    Return the mask of what is unlike the fill; it shares all places where nothing stored equals it.

    Examples
    --------
    >>> from structarr import formats
    >>> csr = formats.parse("csr", 2)
    >>> a = Tensor.checked(csr, (2, 3), 0.0, ([0, 2, 3], [0, 2, 2], [1.0, 0.0, 3.0]))
    >>> [one.tolist() for one in unlike_fill(a).buffers]
    [[0, 1, 2], [0, 2]]
    """
    ptr, idx, values = tensor.buffers
    if call("count_unlike", (values, tensor.fill), (), len(values)) < len(values):
        kept = values != tensor.fill
        ptr, idx, _ = kept_rows(ptr, idx, kept, kept)
    format = Format(MARKED, tensor.format.order, tensor.format.index)
    return Tensor(format, tensor.shape, np.dtype(bool), np.False_, (ptr, idx))
