"""Masks of COCO in run lengths, as JSON: {"size": [height, width], "counts": ...}."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Final

import numpy as np

from structarr._storage.listed_runs import runs_of
from structarr._storage.tensor import Tensor
from structarr.errors import FormatError
from structarr.formats import Dense, Format, Pattern, SparseRunList
from structarr.formats.entries import Array
from structarr.interop.files import replacing
from structarr.interop.foreign import AsStored

_MOST: Final = 1 << 40
"""More elements than any picture has; run lengths and their sums stay far from overflow."""


def read(path: Path) -> Tensor:
    """
    Return a mask as runs by columns, as COCO stores it; nothing is drawn.

    Raises
    ------
    FormatError
        If its runs do not make a picture of its size.
    """
    told = json.loads(path.read_text(encoding="utf-8"))
    if isinstance(told, dict) and "segmentation" in told:
        told = told["segmentation"]
    if not isinstance(told, dict) or not {"size", "counts"} <= set(told):
        raise FormatError('it has no "size" and "counts": give one mask, not a list of them')
    height, width = (int(length) for length in told["size"])
    counts = told["counts"]
    lengths = counts_of(counts) if isinstance(counts, str) else np.array(counts, np.int64)
    return mask_of(lengths, height, width)


def mask_of(lengths: Array, height: int, width: int) -> Tensor:
    """
    Return the mask of run lengths, of zeros first, down one column after the other.

    Raises
    ------
    FormatError
        If they do not add up to the size.

    Examples
    --------
    >>> mask_of(np.array([1, 3, 2]), 3, 2)
    <Tensor Dense(SparseRunList), order (1, 0), leaf Pattern of shape (3, 2), ...>
    """
    if not (0 <= height < _MOST and 0 <= width < _MOST and height * width < _MOST):
        raise FormatError(f"its size is {height} by {width}")
    if lengths.ndim != 1 or np.any(lengths < 0) or np.any(lengths > _MOST):
        raise FormatError("its counts are no lengths of runs")
    ends = np.cumsum(lengths)
    if (int(ends[-1]) if len(ends) else 0) != height * width:
        raise FormatError(f"its runs do not make {height} by {width} elements")
    start, stop = ends[0:-1:2], ends[1::2]
    start, stop = start[: len(stop)], stop[: len(start)]
    kept = stop > start
    return _by_columns(start[kept], stop[kept], height, width)


def _by_columns(start: Array, stop: Array, height: int, width: int) -> Tensor:
    """Runs of a picture column after column, cut where columns end."""
    first, last = start // max(height, 1), (stop - 1) // max(height, 1)
    pieces = last - first + 1
    run = np.repeat(np.arange(len(start)), pieces)
    column = first[run] + np.arange(len(run)) - np.repeat(np.cumsum(pieces) - pieces, pieces)
    begin = np.maximum(start[run] - column * height, 0)
    end = np.minimum(stop[run] - column * height, height)
    ptr = np.searchsorted(column, np.arange(width + 1))
    format = Format(Dense(SparseRunList(Pattern())), (1, 0), "int64")
    buffers = ptr, begin, end
    return Tensor.checked(format, (height, width), False, buffers, np.dtype(bool))


def counts_of(text: str) -> Array:
    """
    Return the run lengths of COCO's text: six bits a character, differences from the last but one.

    Raises
    ------
    FormatError
        If it ends within a number, or a number does not fit.

    Examples
    --------
    >>> counts_of(text_of([6, 1, 40, 4, 5, 4, 5, 4, 21])).tolist()
    [6, 1, 40, 4, 5, 4, 5, 4, 21]
    """
    found: list[int] = []
    value = shift = 0
    for letter in text:
        bits = ord(letter) - 48
        if not 0 <= bits < 64:
            raise FormatError(f"{letter!r} is no character of run lengths")
        value |= (bits & 31) << shift
        shift += 5
        if bits & 32:
            if shift > 60:
                raise FormatError("a run length is too large")
            continue
        if bits & 16:
            value -= 1 << shift
        found.append(value + (found[-2] if len(found) > 2 else 0))
        value = shift = 0
    if shift:
        raise FormatError("the text ends within a number")
    return np.array(found, np.int64)


def text_of(lengths: Any) -> str:
    """Return the text of run lengths."""
    counts, out = [int(length) for length in lengths], []
    for place, count in enumerate(counts):
        value = count - counts[place - 2] if place > 2 else count
        more = True
        while more:
            bits, value = value & 31, value >> 5
            more = value != (-1 if bits & 16 else 0)
            out.append(chr(48 + (bits | 32 if more else bits)))
    return "".join(out)


def write(path: Path, stored: AsStored) -> None:
    """
    Write a mask, in the text that COCO's tools read.

    Raises
    ------
    FormatError
        If there are not two axes, or no booleans.
    """
    tensor = stored(None)
    if tensor.ndim != 2 or tensor.dtype != np.bool_:
        raise FormatError(f"a mask is a matrix of bool, not {tensor.dtype} of {tensor.ndim} axes")
    height, width = tensor.shape
    runs = runs_of(tensor, (1, 0))
    runs = runs.where(runs.values)
    column = runs.outer[0]
    start, stop = column * height + runs.start, column * height + runs.stop
    told = {"size": [height, width], "counts": text_of(_lengths(start, stop, height * width))}
    with replacing(path) as file:
        file.write(json.dumps(told).encode())


def _lengths(start: Array, stop: Array, size: int) -> list[int]:
    """The lengths of runs of zeros and ones in turn; those that touch are one."""
    apart = start[1:] != stop[:-1]
    first, last = np.append(True, apart)[: len(start)], np.append(apart, True)[: len(start)]
    places = np.stack([start[first], stop[last]], axis=1).ravel()
    lengths: list[int] = np.diff(places, prepend=0, append=size).tolist()
    return lengths if lengths[-1] or len(lengths) == 1 else lengths[:-1]
