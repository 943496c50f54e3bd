"""Bilevel pages from and to TIFF files compressed by PackBits, run by run.

PackBits codes bytes: a number n below 128 stands before n + 1 bytes, one above 128 before a byte
that is repeated 257 - n times, and 128 stands for nothing. A byte has eight elements.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

import numpy as np

from structarr._api.creation.full import zeros
from structarr._api.images.rows import truth
from structarr._api.programs.loops import kernel
from structarr._api.programs.over_runs import runs
from structarr._array import Array
from structarr._support.array_types import ArrayLike
from structarr.interop.tiff import Strips, TiffError, file_of, parsed

ROWS: Final = 64
"""The rows of a strip that is written."""


def read_tiff(path: str | Path, /) -> Array:
    """
    Read a bilevel TIFF file compressed by PackBits into runs, without expanding it.

    Parameters
    ----------
    path : str or Path
        The file, of which the first page is read.

    Returns
    -------
    Array
        Bool, of shape (height, width), in format "sparse-rle", read at the call: True is ink,
        whichever bit that is.

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
    text = np.frombuffer(b"".join(page.strips), np.uint8)
    ends = np.cumsum([len(one) for one in page.strips], dtype=np.int64)
    rows, wrong = _read(zeros(page.shape, dtype=np.bool_), text, ends, page.rows, page.is_ink_one)
    if wrong >= 0:
        raise TiffError(f"strip {wrong} does not hold as many bytes as its rows")
    return rows  # type: ignore[no-any-return]


def write_tiff(path: str | Path, image: ArrayLike, /) -> None:
    """
    Write a bilevel page into a TIFF file compressed by PackBits, run by run.

    Parameters
    ----------
    path : str or Path
        The file.
    image : array_like
        Of two axes; what is not 0 is ink.

    Raises
    ------
    OSError
        If the file cannot be written.
    ValueError
        If the image has other than two axes, or no elements.

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
    """
    page = truth(image)
    if page.ndim != 2 or not page.size:
        raise ValueError(f"a page has two axes and an element at least, not the shape {page.shape}")
    bytes_in_row = -(-page.shape[1] // 8)
    text = np.zeros(page.shape[0] * (bytes_in_row + bytes_in_row // 64 + 3), np.uint8)
    ends = np.zeros(page.shape[0], np.int64)
    _write(page, text, ends, np.zeros(bytes_in_row + 1, np.uint8))
    stops = ends[np.minimum(np.arange(ROWS - 1, len(ends) + ROWS - 1, ROWS), len(ends) - 1)]
    whole = text.tobytes()
    starts = [0, *stops[:-1].tolist()]
    strips = [whole[a:b] for a, b in zip(starts, stops.tolist(), strict=True)]
    shape = (page.shape[0], page.shape[1])
    Path(path).write_bytes(file_of(Strips(shape, ROWS, strips, True)))


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
