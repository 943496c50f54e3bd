"""Packets of the PackBits compression, and the segments of our level of that name."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from structarr._storage.tensor import Tensor
from structarr.errors import FormatError
from structarr.formats.entries import Array

_LONGEST = 128
"""The most elements of a packet."""


def unpacked(parts: Sequence[Array], rows: int, columns: int) -> tuple[Array, Array, Array, Array]:
    """
    Return the segments, and their values, of rows whose packets are in some strips of bytes.

    Raises
    ------
    FormatError
        If the packets do not make rows of that length.

    Examples
    --------
    >>> packets = np.array([254, 7, 1, 8, 9], np.uint8)
    >>> [part.tolist() for part in unpacked([packets], 1, 5)]
    [[0, 2], [3, 5], [0, 1, 3], [7, 8, 9]]
    """
    lengths: list[int] = []
    counts: list[int] = []
    values: list[bytes] = []
    for part in parts:
        _packets(part.tobytes(), lengths, counts, values)
    ends = np.cumsum(np.array(lengths, np.int64))
    if not len(ends) or ends[-1] != rows * columns or rows * columns == 0:
        found = int(ends[-1]) if len(ends) else 0
        raise FormatError(f"its packets hold {found} elements, of {rows} rows of {columns}")
    row_ends = np.arange(1, rows + 1) * columns
    places = np.searchsorted(ends, row_ends)
    if np.any(ends[places] != row_ends):
        raise FormatError("a packet crosses the end of a row")
    ptr = np.concatenate(([0], places + 1))
    stop = ends - np.repeat(np.arange(rows) * columns, np.diff(ptr))
    ofs = np.concatenate(([0], np.cumsum(np.array(counts, np.int64))))
    return ptr, stop, ofs, np.frombuffer(b"".join(values), np.uint8)


def _packets(data: bytes, lengths: list[int], counts: list[int], values: list[bytes]) -> None:
    """Append the length of each packet, how many values it has, and these."""
    place = 0
    while place < len(data):
        head = data[place]
        if head == _LONGEST:  # means nothing
            place += 1
            continue
        literal = head < _LONGEST
        count = head + 1 if literal else 1
        if place + count >= len(data):
            raise FormatError("a packet is cut short")
        lengths.append(count if literal else 257 - head)
        counts.append(count)
        values.append(data[place + 1 : place + 1 + count])
        place += 1 + count


def packed(tensor: Tensor) -> bytes:
    """
    Return the packets of a matrix of bytes that is stored as PackBits.

    Examples
    --------
    >>> from structarr import formats
    >>> buffers = ([0, 2], [3, 5], [0, 1, 3], np.array([7, 8, 9], np.uint8))
    >>> tensor = Tensor.checked(formats.parse("packbits", 2), (1, 5), 0, buffers)
    >>> list(packed(tensor))
    [254, 7, 1, 8, 9]
    """
    ptr, stop, ofs, val = tensor.buffers
    starts = np.concatenate(([0], stop[:-1])) if len(stop) else stop
    starts = np.array(starts)
    starts[ptr[:-1][np.diff(ptr) > 0]] = 0
    content, out = val.tobytes(), bytearray()
    each = zip(starts.tolist(), stop.tolist(), ofs[:-1].tolist(), ofs[1:].tolist(), strict=True)
    for start, end, first, last in each:
        literal = last - first > 1
        for begin in range(0, end - start, _LONGEST):
            count = min(_LONGEST, end - start - begin)
            if literal or count == 1:
                place = first + begin if literal else first
                out += bytes([count - 1]) + content[place : place + count]
            else:
                out += bytes([257 - count]) + content[first : first + 1]
    return bytes(out)
