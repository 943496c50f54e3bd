"""Codes of PackBits that programs over runs write."""

from __future__ import annotations

from typing import Any


def put_literal(text: Any, n: int, values: Any, low: int, high: int) -> int:
    """Write values from `low` to `high` as they are, behind `n` bytes of text; tell how many then.

    A code stands for 128 values at most.
    """
    while low < high:
        count = min(high - low, 128)
        text[n] = count - 1
        text[n + 1 : n + 1 + count] = values[low : low + count]
        n += 1 + count
        low += count
    return n
