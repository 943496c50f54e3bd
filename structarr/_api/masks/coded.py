"""Masks from and to COCO's run-length code, whose runs go down columns, one after the other.

A code is the lengths of runs, alternately of zeros and ones. As a text, each length but the first
three is told by its difference from the one two before, in groups of five bits, the lowest first;
a sixth bit says that more groups follow, and 48 is added to make each a printable character.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from structarr._api.core.operands import as_array
from structarr._api.creation.full import constant
from structarr._api.images.rows import truth
from structarr._api.programs.loops import kernel
from structarr._api.programs.over_runs import runs
from structarr._array import Array, of_tensor, stored
from structarr._storage.tensor import Tensor
from structarr._support.array_types import ArrayLike

Code = Mapping[str, Any]
"""A mask's ``size``, of two, and its ``counts``: bytes, a str, or a sequence of lengths."""

GROUPS = 7
"""The most groups of five bits that a difference of lengths below 2**31 takes."""


def from_rle(codes: Code | Sequence[Code], /) -> Array:
    """
    Make a batch of masks of COCO's run-length codes.

    Parameters
    ----------
    codes : dict or sequence of dict
        As `pycocotools.mask.encode` returns them: ``size`` is the height and the width, the same
        for all; ``counts`` is a text (bytes or str), or a sequence of lengths (uncompressed).

    Returns
    -------
    Array
        Of shape (masks, height, width), or of one code alone (height, width), and dtype bool,
        computed at the call. Its format is a tree whose columns are stored as runs.

    Raises
    ------
    ValueError
        If sizes differ, or the lengths of a code do not add up to its size.

    See Also
    --------
    to_rle : The reverse.

    Notes
    -----
    It takes time proportional to the length of the codes and the number of columns.

    Examples
    --------
    >>> from structarr import masks
    >>> masks.from_rle([{"size": [2, 3], "counts": [1, 2, 3]}]).todense().astype(int)
    array([[[0, 1, 0],
            [1, 0, 0]]])
    """
    if isinstance(codes, Mapping):
        return from_rle([codes])[0].compute()
    sizes = {tuple(map(int, code["size"])) for code in codes}
    if len(sizes) > 1:
        raise ValueError(f"masks of one batch are of one size, not {sorted(sizes)}")
    height, width = sizes.pop() if sizes else (0, 0)
    if height < 0 or width < 0:
        raise ValueError(f"a size is not negative: {height} by {width}")
    lengths, ends = _lengths([code["counts"] for code in codes])
    columns = constant((len(codes), width, height), 0, np.bool_)
    columns, wrong = _decoded(columns, lengths, ends)
    if wrong >= 0:
        raise ValueError(
            f"the lengths of code {wrong} do not add up to its {height} * {width} elements"
        )
    return of_tensor(stored(columns).transposed((0, 2, 1)))


def to_rle(masks: ArrayLike, /) -> list[dict[str, Any]]:
    """
    Return the run-length codes of masks, as `pycocotools.mask.encode` does.

    Parameters
    ----------
    masks : array_like
        Of shape (masks, height, width), or of one mask (height, width); what is not 0 is inside.

    Returns
    -------
    list of dict
        With ``size``, of two int, and ``counts``, bytes.

    Raises
    ------
    ValueError
        If the array has another number of axes.

    See Also
    --------
    from_rle : The reverse.

    Notes
    -----
    It takes time proportional to the number of runs and columns.

    Examples
    --------
    >>> import numpy as np
    >>> from structarr import masks
    >>> masks.to_rle(np.array([[[0, 1, 0], [1, 0, 0]]]))
    [{'size': [2, 3], 'counts': b'123'}]
    """
    columns = columns_of(masks)
    count, width, height = columns.shape
    room = 2 * len(columns.buffers[-1]) + 2 * count + 1
    lengths, ends = np.zeros(room, np.int64), np.zeros(count, np.int64)
    _encoded(of_tensor(columns), lengths, ends)
    text, stops = np.zeros(GROUPS * room, np.uint8), np.zeros(count, np.int64)
    _written(lengths, ends, text, stops)
    whole = text.tobytes()
    starts = np.concatenate(([0], stops))[:-1]
    return [
        {"size": [height, width], "counts": whole[start:stop]}
        for start, stop in zip(starts.tolist(), stops.tolist(), strict=True)
    ]


def columns_of(masks: ArrayLike) -> Tensor:
    """The columns of masks as runs: of shape (masks, width, height), and bool."""
    array = as_array(masks)
    if array.ndim == 2:
        array = array[None]
    if array.ndim != 3:
        raise ValueError(f"masks have the axes (masks, height, width), not {array.ndim} axes")
    return stored(truth(array.transpose((0, 2, 1))))


def _lengths(counts: Sequence[Any]) -> tuple[Any, Any]:
    """The lengths of all codes, and where those of each end."""
    texts = [one.encode() if isinstance(one, str) else one for one in counts]
    if all(isinstance(one, bytes) for one in texts):
        stops = np.cumsum([len(one) for one in texts], dtype=np.int64)
        text = np.frombuffer(b"".join(texts), np.uint8)
        lengths, ends = np.zeros(len(text), np.int64), np.zeros(len(texts), np.int64)
        _read(text, stops, lengths, ends)
        return lengths, ends
    if any(isinstance(one, bytes) for one in texts):
        both = [_lengths([one]) if isinstance(one, bytes) else (one, [len(one)]) for one in texts]
        texts = [np.asarray(one)[: end[-1]] for one, end in both]
    parts = [np.asarray(one, np.int64).reshape(-1) for one in texts]
    return np.concatenate([*parts, [0]]), np.cumsum([len(one) for one in parts], dtype=np.int64)


@kernel
def _read(text: Any, stops: Any, lengths: Any, ends: Any) -> None:
    """Read the lengths that texts tell."""
    n = 0
    k = 0
    for mask in range(stops.shape[0]):
        first = n
        while k < stops[mask]:
            value = 0
            shift = 0
            more = True
            while more and k < stops[mask]:
                group = text[k] - 48
                value = value | (group & 31) << shift
                more = (group & 32) != 0
                shift += 5
                k += 1
                if not more and (group & 16) != 0 and shift < 63:
                    value = value | -1 << shift
            if n - first > 2:
                value += lengths[n - 2]
            lengths[n] = value
            n += 1
        ends[mask] = n


@kernel
def _decoded(columns: Any, lengths: Any, ends: Any) -> Any:
    """Write runs of ones into columns; tell which code is of another length, or -1."""
    wrong = -1
    k = 0
    height = columns.shape[2]
    whole = columns.shape[1] * height
    for mask in range(ends.shape[0]):
        at = 0
        inside = False
        while k < ends[mask]:
            length = lengths[k]
            k += 1
            if length < 0 or length > whole - at:
                if wrong < 0:
                    wrong = mask
                length = 0
            if inside and length > 0:
                stop = at + length
                x = at // height
                while at < stop:
                    end = min(stop, (x + 1) * height)
                    columns[mask, x, at - x * height : end - x * height] = True
                    at = end
                    x += 1
            else:
                at += length
            inside = not inside
        if at != whole and wrong < 0:
            wrong = mask
    return columns, wrong


@kernel
def _encoded(columns: Any, lengths: Any, ends: Any) -> None:
    """Write the lengths of runs of masks."""
    n = 0
    height = columns.shape[2]
    for mask in range(columns.shape[0]):
        last = 0  # where the last run of ones ends
        first = n
        for x in range(columns.shape[1]):
            for start, stop, _value in runs(columns[mask, x]):
                low = x * height + start
                if low == last and n > first:
                    lengths[n - 1] += stop - start
                else:
                    lengths[n] = low - last
                    lengths[n + 1] = stop - start
                    n += 2
                last = x * height + stop
        rest = columns.shape[1] * height - last
        if rest > 0 or n == first:
            lengths[n] = rest
            n += 1
        ends[mask] = n


@kernel
def _written(lengths: Any, ends: Any, text: Any, stops: Any) -> None:
    """Write lengths as texts."""
    n = 0
    k = 0
    for mask in range(ends.shape[0]):
        first = k
        while k < ends[mask]:
            value = lengths[k]
            if k - first > 2:
                value -= lengths[k - 2]
            k += 1
            more = True
            while more:
                group = value & 31
                value = value >> 5
                more = value != -1 if (group & 16) != 0 else value != 0
                if more:
                    group = group | 32
                text[n] = group + 48
                n += 1
        stops[mask] = n
