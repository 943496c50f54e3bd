"""Pages of one bit as PackBits: a byte has eight elements, the first one in its highest bit."""

from __future__ import annotations

from typing import Any

import numpy as np

from structarr._api.images.page_codes import put_literal
from structarr._api.programs.loops import kernel
from structarr._api.programs.over_runs import runs
from structarr._array import Array


def packed_bits(page: Array, ends: Any) -> Any:
    """The codes of a page of one bit; `ends` is told where those of each row end."""
    bytes_in_row = -(-page.shape[1] // 8)
    text = np.zeros(page.shape[0] * (bytes_in_row + bytes_in_row // 64 + 3), np.uint8)
    _write(page, text, ends, np.zeros(bytes_in_row + 1, np.uint8))
    return text


@kernel
def read_bits(page: Any, text: Any, ends: Any, rows: int, ink: bool) -> Any:
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
                n = put_literal(text, n, row, done, at)
                done = at
                if same - at > 1:
                    text[n] = 257 - (same - at)
                    text[n + 1] = row[at]
                    n += 2
                    done = same
            at = same
        n = put_literal(text, n, row, done, size)
        ends[y] = n
