"""Expressions computed and written some rows at a time, within the limit of memory."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Final

from structarr._array import Array, is_open, stored
from structarr._compiler.options import current
from structarr._execute.compute import value
from structarr._lazy.rewrite.parts_of_files import with_parts
from structarr._storage.joined_rows import is_joined
from structarr._storage.tensor import Tensor
from structarr.errors import DensificationError, MemoryLimitError

PARTS: Final = 64
"""Into so many parts rows are cut at first."""

SHARE: Final = 16
"""A part that takes less than one part in so many of the limit is followed by a longer one."""


def is_in_rows(array: Array) -> bool:
    """Whether an array is not computed yet, and its operands can be cut into rows."""
    if array._tensor is not None or is_open(array) or not array.ndim or not array.shape[0]:
        return False
    operands = [one for one in array._node.given if isinstance(one, Tensor)]
    return all(
        one.format.is_dense or all(level.slicing for level in one.format.levels[:-1])
        for one in operands
    )


def save_by_rows(path: str | os.PathLike[str], array: Array) -> None:
    """Compute an array some rows at a time, and write them."""
    from structarr.interop import files, files_by_rows  # archives take 10 ms to import

    format = stored(array[:1]).format
    if is_joined(format) and array.shape[format.order[0]]:
        files_by_rows.save_rows(path, array.shape, _parts(array, format.order[0]))
    else:
        files.save(path, stored(array))


def _parts(array: Array, axis: int) -> Iterator[Tensor]:
    """The rows of an array along an axis, as many at a time as fit."""
    begin, n = 0, array.shape[axis]
    count = -(-n // PARTS)
    before = (slice(None),) * axis
    while begin < n:
        try:
            rows = array[(*before, slice(begin, begin + count))]
            # What is stored in these rows bounds the room of their results.
            part = value(with_parts(rows._node, every=True))
        except (MemoryLimitError, DensificationError):
            if count == 1:
                raise
            count = -(-count // 4)
            continue
        begin += count
        small = SHARE * part.nbytes < (current().memory_limit or 0)
        yield part
        del part
        count = 2 * count if small else count
