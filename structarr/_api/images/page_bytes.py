"""Pages of bytes as PackBits: a code for each long run, and for what is between long ones."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from structarr._api.images.page_codes import put_literal
from structarr._api.images.rows import as_runs, values_of, with_axes
from structarr._api.programs.loops import kernel
from structarr._api.programs.over_runs import runs
from structarr._array import Array
from structarr._support.array_types import ArrayLike

MOST: Final = 128
"""The most elements of a code."""


def as_bytes(image: ArrayLike) -> Array:
    """An image of bytes, stored as runs."""
    array = with_axes(image)
    if array.dtype not in (np.uint8, np.bool_):
        raise TypeError(
            f"elements of 8 bits are of dtype uint8, not {array.dtype}: give image.astype(np.uint8)"
        )
    return as_runs(array.astype(np.uint8))


def packed_bytes(page: Array, ends: Any) -> Any:
    """The codes of a page of bytes; `ends` is told where those of each row end.

    A run, or what is between two, takes three bytes at most, and two more for each 128 elements.
    """
    height, width = page.shape
    text = np.zeros(3 * (2 * len(values_of(page)) + height) + height * (width // 64 + 2), np.uint8)
    _write(page, text, ends, np.zeros(2, np.int64), np.zeros(2 * MOST, np.uint8))
    return text


@kernel
def read_bytes(page: Any, text: Any, ends: Any, rows: int, is_zero_white: bool) -> Any:
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
    state[0] = put_literal(text, state[0], waiting, 0, state[1])
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
def _write(page: Any, text: Any, ends: Any, state: Any, waiting: Any) -> None:
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
