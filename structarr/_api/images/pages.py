"""Pages of one bit or of bytes, from and to TIFF files compressed by PackBits, run by run.

PackBits codes bytes: a number n below 128 stands before n + 1 bytes, one above 128 before a byte
that is repeated 257 - n times, and 128 stands for nothing. A byte has eight elements, or is one.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

import numpy as np

from structarr._api.creation.full import constant
from structarr._api.images.page_bits import packed_bits, read_bits
from structarr._api.images.page_bytes import as_bytes, packed_bytes, read_bytes
from structarr._api.images.rows import truth
from structarr._array import Array
from structarr._support.array_types import ArrayLike
from structarr.interop.tiff import Strips, TiffError, file_of, parsed

ROWS: Final = 64
"""The rows of a strip that is written."""


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
    dtype, read = (np.bool_, read_bits) if page.bits == 1 else (np.uint8, read_bytes)
    text = np.frombuffer(b"".join(page.strips), np.uint8)
    ends = np.cumsum([len(one) for one in page.strips], dtype=np.int64)
    rows, wrong = read(constant(page.shape, 0, dtype), text, ends, page.rows, page.is_zero_white)
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
    page = truth(image) if bits == 1 else as_bytes(image)
    if page.ndim != 2 or not page.size:
        raise ValueError(f"a page has two axes and an element at least, not the shape {page.shape}")
    ends = np.zeros(page.shape[0], np.int64)
    text = packed_bits(page, ends) if bits == 1 else packed_bytes(page, ends)
    stops = ends[np.minimum(np.arange(ROWS - 1, len(ends) + ROWS - 1, ROWS), len(ends) - 1)]
    whole = text[: ends[-1]].tobytes()
    starts = [0, *stops[:-1].tolist()]
    strips = [whole[a:b] for a, b in zip(starts, stops.tolist(), strict=True)]
    shape = (page.shape[0], page.shape[1])
    Path(path).write_bytes(file_of(Strips(shape, ROWS, strips, bits == 1, bits)))
