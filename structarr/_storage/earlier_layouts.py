"""Buffers of files and pickles of earlier versions, as levels have them now."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from structarr.errors import FormatError
from structarr.formats import Diagonals, Format
from structarr.formats.entries import Array


def in_this_layout(format: Format, shape: Sequence[int], buffers: Sequence[Array]) -> list[Array]:
    """
    Return the buffers of a tensor whose diagonals are stored row by row, as they once were.

    Examples
    --------
    >>> from structarr.formats import Dense, Element
    >>> fmt = Format(Dense(Diagonals(Element(), (0, 1))), (0, 1))
    >>> rows = np.array([1.0, 2.0, 3.0, 0.0])
    >>> in_this_layout(fmt, (2, 2), [np.array([0, 1]), rows])[1].tolist()
    [1.0, 3.0, 0.0, 2.0]
    """
    found = list(buffers)
    level = format.levels[-2] if format.ndim > 1 else None
    if not isinstance(level, Diagonals) or format.levels[-1].uniform:
        return found
    rows, columns = (shape[axis] for axis in format.order[-2:])
    count = len(level.known)
    for place in range(len(found) - len(format.levels[-1].buffers), len(found)):
        if len(found[place]) != rows * count:
            raise FormatError(
                f"an earlier version stored {rows} rows of {count} diagonals, and there are "
                f"{len(found[place])} values"
            )
        stored = found[place].reshape(rows, count)
        found[place] = np.zeros(level.children(rows, columns), stored.dtype)
        for one in level.along(rows, columns, found[place]):
            one.values[:] = stored[one.first : one.stop, level.known.index(one.offset)]
    return found
