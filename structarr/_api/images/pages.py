"""Pages of one bit or of bytes, from and to TIFF files compressed by PackBits, run by run.

PackBits codes bytes: a number n below 128 stands before n + 1 bytes, one above 128 before a byte
that is repeated 257 - n times, and 128 stands for nothing. A byte has eight elements, or is one.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

import numpy as np

from structarr._api.creation.full import zeros
from structarr._api.images.rows import as_runs, truth, values_of, with_axes
from structarr._api.programs.loops import kernel
from structarr._api.programs.over_runs import runs
from structarr._array import Array
from structarr._support.array_types import ArrayLike
from structarr.interop.tiff import Strips, TiffError, file_of, parsed

ROWS: Final = 64
"""The rows of a strip that is written."""
MOST: Final = 128
"""The most elements of a code."""


def read_tiff(path: str | Path, /) -> Array:
    """
    Read a TIFF file compressed by PackBits into runs, without expanding it.

    Parameters
    ----------
    path : str or Path
        The file, of which the first page is read.

    Returns
    -------
    Array
        Of shape (height, width), in format "sparse-rle", read at the call. Of a page of one bit it
        is bool, and True is ink, whichever bit that is. Of one of 8 bits it is uint8: greys, of
        which 0 is black, or the numbers of colours.

    Raises
    ------
    OSError
        If the file cannot be read.
    ValueError
        If it is no such file, or damaged.

    See Also
    --------
    write_tiff : The reverse.

    Notes
    -----
    It takes time for each code and each byte that is not repeated.

    Examples
    --------
    >>> import os, tempfile
    >>> import numpy as np
    >>> from structarr import ndimage
    >>> path = os.path.join(tempfile.mkdtemp(), "page.tif")
    >>> ndimage.write_tiff(path, np.eye(3))
    >>> ndimage.read_tiff(path).todense().astype(int).tolist()
    [[1, 0, 0], [0, 1, 0], [0, 0, 1]]
    """
    page = parsed(Path(path).read_bytes())
    dtype, read = (np.bool_, _read) if page.bits == 1 else (np.uint8, _read_bytes)
    text = np.frombuffer(b"".join(page.strips), np.uint8)
    ends = np.cumsum([len(one) for one in page.strips], dtype=np.int64)
    rows, wrong = read(zeros(page.shape, dtype=dtype), text, ends, page.rows, page.is_zero_white)
    if wrong >= 0:
        raise TiffError(f"strip {wrong} does not hold as many bytes as its rows")
    return rows  # type: ignore[no-any-return]


def write_tiff(path: str | Path, image: ArrayLike, /, *, bits: int = 1) -> None:
    """
    Write a page into a TIFF file compressed by PackBits, run by run.

    Parameters
    ----------
    path : str or Path
        The file.
    image : array_like
        Of two axes. In a page of one bit what is not 0 is ink.
    bits : {1, 8}
        Of each element. Of 8 they are greys, or labels, of dtype uint8 or bool.

    Raises
    ------
    OSError
        If the file cannot be written.
    ValueError
        If the image has other than two axes, or no elements, or bits are neither 1 nor 8.
    TypeError
        If elements of another dtype are to have 8 bits.

    See Also
    --------
    read_tiff : The reverse.

    Notes
    -----
    It takes time for each run and each byte that holds a border of one.

    Examples
    --------
    >>> import os, tempfile
    >>> import numpy as np
    >>> from structarr import ndimage
    >>> path = os.path.join(tempfile.mkdtemp(), "page.tif")
    >>> ndimage.write_tiff(path, np.zeros((1000, 1000)))
    >>> os.path.getsize(path) < 4000
    True
    >>> ndimage.write_tiff(path, np.array([[0, 200, 200, 200]], np.uint8), bits=8)
    >>> ndimage.read_tiff(path).todense()
    array([[  0, 200, 200, 200]], dtype=uint8)
    """
    if bits not in (1, 8):
        raise ValueError(f"an element has 1 bit or 8, not {bits}")
    page = truth(image) if bits == 1 else _as_bytes(image)
    if page.ndim != 2 or not page.size:
        raise ValueError(f"a page has two axes and an element at least, not the shape {page.shape}")
    ends = np.zeros(page.shape[0], np.int64)
    text = _packed(page, ends) if bits == 1 else _packed_bytes(page, ends)
    stops = ends[np.minimum(np.arange(ROWS - 1, len(ends) + ROWS - 1, ROWS), len(ends) - 1)]
    whole = text[: ends[-1]].tobytes()
    starts = [0, *stops[:-1].tolist()]
    strips = [whole[a:b] for a, b in zip(starts, stops.tolist(), strict=True)]
    shape = (page.shape[0], page.shape[1])
    Path(path).write_bytes(file_of(Strips(shape, ROWS, strips, bits == 1, bits)))


def _as_bytes(image: ArrayLike) -> Array:
    """An image of bytes, stored as runs."""
    array = with_axes(image)
    if array.dtype not in (np.uint8, np.bool_):
        raise TypeError(
            f"elements of 8 bits are of dtype uint8, not {array.dtype}: give image.astype(np.uint8)"
        )
    return as_runs(array.astype(np.uint8))


def _packed(page: Array, ends: Any) -> Any:
    """The codes of a page of one bit; `ends` is told where those of each row end."""
    bytes_in_row = -(-page.shape[1] // 8)
    text = np.zeros(page.shape[0] * (bytes_in_row + bytes_in_row // 64 + 3), np.uint8)
    _write(page, text, ends, np.zeros(bytes_in_row + 1, np.uint8))
    return text


def _packed_bytes(page: Array, ends: Any) -> Any:
    """The codes of a page of bytes; `ends` is told where those of each row end.

    A run, or what is between two, takes three bytes at most, and two more for each 128 elements.
    """
    height, width = page.shape
    text = np.zeros(3 * (2 * len(values_of(page)) + height) + height * (width // 64 + 2), np.uint8)
    _write_bytes(page, text, ends, np.zeros(2, np.int64), np.zeros(2 * MOST, np.uint8))
    return text


@kernel
def _read(page: Any, text: Any, ends: Any, rows: int, ink: bool) -> Any:
    """Write the runs of rows of codes; tell which strip is of another length, or -1."""
    wrong = -1
    height = page.shape[0]
    width = page.shape[1]
    k = 0
    for strip in range(len(ends)):
        y = strip * rows
        last = min(y + rows, height)
        x = 0
        begin = -1  # where the run of ink begins that goes on, or -1
        while k < ends[strip] and y < last:
            code = text[k]
            k += 1
            if code == 128:
                continue
            literal = code < 128
            count = code + 1 if literal else 257 - code
            while count > 0 and y < last and k < ends[strip]:
                byte = text[k] if ink else 255 - text[k]
                n = 1 if literal else count
                if byte == 0 or byte == 255:
                    n = min(n, (width - x + 7) // 8)
                    if byte == 255 and begin < 0:
                        begin = x
                    if byte == 0 and begin >= 0:
                        page[y, begin:x] = True
                        begin = -1
                    x += 8 * n
                else:
                    n = 1
                    bit = 128
                    while bit > 0:
                        if (byte & bit) != 0 and begin < 0 and x < width:
                            begin = x
                        if (byte & bit) == 0 and begin >= 0:
                            page[y, begin : min(x, width)] = True
                            begin = -1
                        x += 1
                        bit = bit >> 1
                count -= n
                if literal:
                    k += 1
                if x >= width:
                    if begin >= 0:
                        page[y, begin:width] = True
                    begin = -1
                    x = 0
                    y += 1
            if not literal:
                k += 1
            if count > 0 and wrong < 0:
                wrong = strip
        if (y < last or k != ends[strip]) and wrong < 0:
            wrong = strip
        k = ends[strip]
    return page, wrong


@kernel
def _write(page: Any, text: Any, ends: Any, row: Any) -> None:
    """Write the codes of each row.

    `row` holds the bytes from `done` to `at`, which are to be written as they are; stretches of
    three and more equal bytes are repeated.
    """
    n = 0
    size = len(row) - 1
    for y in range(page.shape[0]):
        at = 0
        for k in range(size + 1):
            row[k] = 0
        for start, stop, _value in runs(page[y]):
            low = start // 8
            high = (stop - 1) // 8
            head = 255 >> start % 8
            tail = 255 & 255 << 7 - (stop - 1) % 8
            if low == high:
                row[low] = row[low] | head & tail
            else:
                row[low] = row[low] | head
                row[low + 1 : high] = 255
                row[high] = row[high] | tail
        done = 0
        while at < size:
            same = at + 1
            while same < size and row[same] == row[at] and same - at < 128:
                same += 1
            if same - at > 2 or same == size or at - done >= 128:
                while done < at:
                    count = min(at - done, 128)
                    text[n] = count - 1
                    n += 1
                    for j in range(done, done + count):
                        text[n] = row[j]
                        n += 1
                    done += count
                if same - at > 1:
                    text[n] = 257 - (same - at)
                    text[n + 1] = row[at]
                    n += 2
                    done = same
            at = same
        while done < size:
            count = min(size - done, 128)
            text[n] = count - 1
            n += 1
            for j in range(done, done + count):
                text[n] = row[j]
                n += 1
            done += count
        ends[y] = n


@kernel
def _read_bytes(page: Any, text: Any, ends: Any, rows: int, is_zero_white: bool) -> Any:
    """Write the runs of rows of codes; tell which strip is of another length, or -1."""
    wrong = -1
    width = page.shape[1]
    k = 0
    for strip in range(len(ends)):
        y = strip * rows
        last = min(y + rows, page.shape[0])
        x = 0
        while k < ends[strip] and y < last:
            code = text[k]
            k += 1
            if code == 128:
                continue
            literal = code < 128
            count = code + 1 if literal else 257 - code
            while count > 0 and y < last and k < ends[strip]:
                n = min(1 if literal else count, width - x)
                page[y, x : x + n] = 255 - text[k] if is_zero_white else text[k]
                count -= n
                x += n
                if literal:
                    k += 1
                if x == width:
                    x = 0
                    y += 1
            if not literal:
                k += 1
            if count > 0 and wrong < 0:
                wrong = strip
        if (y < last or k != ends[strip]) and wrong < 0:
            wrong = strip
        k = ends[strip]
    return page, wrong


def _literal(text: Any, state: Any, waiting: Any) -> None:
    """Write the elements that wait to be written as they are.

    `state` counts the bytes of text, and how many elements wait.
    """
    done = 0
    while done < state[1]:
        count = min(state[1] - done, 128)
        n = state[0]
        text[n] = count - 1
        text[n + 1 : n + 1 + count] = waiting[done : done + count]
        state[0] = n + 1 + count
        done += count
    state[1] = 0


def _put(text: Any, state: Any, waiting: Any, value: int, length: int) -> None:
    """Write a stretch of equal elements, or let it wait if it is of two at most."""
    if length > 2:
        _literal(text, state, waiting)
        while length > 0:
            count = min(length, 128)
            text[state[0]] = 257 - count if count > 1 else 0
            text[state[0] + 1] = value
            state[0] += 2
            length -= count
    else:
        for _ in range(length):
            waiting[state[1]] = value
            state[1] += 1
        if state[1] >= 127:
            _literal(text, state, waiting)


@kernel
def _write_bytes(page: Any, text: Any, ends: Any, state: Any, waiting: Any) -> None:
    """Write the codes of each row."""
    for y in range(page.shape[0]):
        end = 0
        for start, stop, value in runs(page[y]):
            _put(text, state, waiting, 0, start - end)
            _put(text, state, waiting, value, stop - start)
            end = stop
        _put(text, state, waiting, 0, page.shape[1] - end)
        _literal(text, state, waiting)
        ends[y] = state[0]
