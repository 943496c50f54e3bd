"""FROSTT's files of tensors: a line for each entry, its indices from 1 and its value."""

from __future__ import annotations

import gzip
from pathlib import Path
from typing import Final

import numpy as np

from structarr._storage.coordinates import coordinates, from_coordinates
from structarr._storage.tensor import Tensor
from structarr.errors import FormatError
from structarr.formats import parse
from structarr.interop.files import replacing
from structarr.interop.foreign import AsStored, check_fill
from structarr.interop.foreign_files import opened

_LONGEST_LINE: Final = 1 << 16


def read(path: Path) -> Tensor:
    """
    Return the tensor as "coo", of the shape that its entries span.

    Raises
    ------
    FormatError
        If a line has another number of words than the first, or an index is below 1.
    """
    with opened(path) as file:
        count = _words(file.readline(_LONGEST_LINE), file)
        file.seek(0) if file.seekable() else None
        if count < 2:
            raise FormatError("each line has the indices of an entry, and its value")
    kind = np.dtype([("places", np.int64, (count - 1,)), ("value", np.float64)])
    with opened(path) as file:
        found = np.loadtxt(file, kind, ndmin=1, encoding="ascii")
    places, values = found["places"], found["value"]
    if len(places) and places.min() < 1:
        raise FormatError(f"an index is {places.min()}, and they begin with 1")
    shape = tuple(int(axis.max(initial=0)) for axis in places.T)
    axes = tuple(np.ascontiguousarray(axis) - 1 for axis in places.T)
    return from_coordinates(axes, values.copy(), shape, 0, parse("coo", count - 1))


def _words(line: bytes, file: object) -> int:
    """The number of words of the first line that is no comment."""
    while line and (line.startswith(b"#") or not line.strip()):
        line = file.readline(_LONGEST_LINE)  # type: ignore[attr-defined]
    return len(line.split())


def write(path: Path, stored: AsStored) -> None:
    """
    Write a line for each entry that is stored.

    Raises
    ------
    FormatError
        If the fill is not 0, or there is no axis.
    """
    check_fill(stored(None), "a .tns file")
    if not stored(None).ndim:
        raise FormatError("a .tns file needs an axis")
    places, values = coordinates(stored("coo"))
    table = np.column_stack([*(place + 1 for place in places), values])
    shown = ["%d"] * len(places) + ["%.17g"]
    with replacing(path) as file:
        if path.suffix == ".gz":
            with gzip.open(file, "wb") as packed:
                np.savetxt(packed, table, shown)
        else:
            np.savetxt(file, table, shown)
