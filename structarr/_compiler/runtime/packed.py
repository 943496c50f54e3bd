"""Offsets of the rows of packed formats, packing by runs, and hash tables."""

from __future__ import annotations

from typing import Any

from structarr._compiler.runtime._mark import Traits, helper, u
from structarr._compiler.runtime.output import overflow


def ramp(rows: int, k: int, width: int) -> int:
    """Return the sum of `min(max(r + k, 0), width)` over r in [0, rows)."""
    last = min(max(rows + k, 0), width)
    first = min(max(k, 0), width)
    beyond = max(rows + k - width, 0) - max(k - width, 0)
    return ((last * (last - 1)) >> 1) - ((first * (first - 1)) >> 1) + beyond * width


def triangle(rows: int) -> int:
    """Return 1 + 2 + ... + rows."""
    return (rows * (rows + 1)) >> 1


@helper(Traits(computes=True))
def quotient(a: int, b: int) -> int:
    """Return a // b for b above 0; for looplets from outside, as nothing here needs it."""
    return a // b


@helper(Traits(computes=True))
def code_at(code: Any, first: int, bit: int, bits: int) -> int:
    """
    Return the code in so many bits, which no byte's end divides, from a bit on of a row of bytes.

    The row begins with byte `first`. Added to the bits instead, it would hide from compilers which
    elements share a byte.
    """
    return (int(code[u(first + (bit >> 3))]) >> (bit & 7)) & ((1 << bits) - 1)


def put_code(code: Any, first: int, bit: int, bits: int, value: int) -> None:
    """Store a code in so many bits from a bit on of a row of bytes, which begins with `first`."""
    mask = ((1 << bits) - 1) << (bit & 7)
    held = int(code[u(first + (bit >> 3))])
    code[u(first + (bit >> 3))] = (held & (255 - mask)) | (value << (bit & 7))


def pack_run(
    stop: Any, ofs: Any, val: Any, first: int, count: int, lo: int, hi: int, value: Any
) -> int:
    """
    Append the run [lo, hi) of a value to segments [first, count); return their new count.

    Three or more are a segment of one value; fewer go into a segment of literal values, which
    is told by having as many values as indices.
    """
    if lo >= hi:
        return count
    place = ofs[u(count)]
    if len(stop) <= count or len(val) < place + (hi - lo if hi - lo < 3 else 1):
        overflow()
    if hi - lo < 3:
        for k in range(hi - lo):
            val[u(place + k)] = value
        literal = False
        if count > first:
            start = stop[u(count - 2)] if count - 1 > first else 0
            literal = stop[u(count - 1)] - start == place - ofs[u(count - 1)]
        if literal:
            stop[u(count - 1)] = hi
            ofs[u(count)] = place + hi - lo
            return count
        stop[u(count)] = hi
        ofs[u(count + 1)] = place + hi - lo
        return count + 1
    val[u(place)] = value
    stop[u(count)] = hi
    ofs[u(count + 1)] = place + 1
    return count + 1


def slots(table: Any, idx: Any, lo: int, hi: int) -> None:
    """Fill the hash table of the sorted coordinates idx[lo:hi]: twice as many slots, -1 if free."""
    size = 2 * (hi - lo)
    for k in range(2 * lo, 2 * hi):
        table[u(k)] = -1
    for p in range(lo, hi):
        slot = (idx[u(p)] ^ (idx[u(p)] >> 15)) % size
        while table[u(2 * lo + slot)] >= 0:
            slot = slot + 1 if slot + 1 < size else 0
        table[u(2 * lo + slot)] = p


def slot_of(table: Any, key: int) -> int:
    """Return the slot of a table, a power of two long, that holds a key, or the free one for it."""
    last = len(table) - 1
    slot = (key ^ (key >> 15)) & last
    while table[u(slot)] != key and table[u(slot)] >= 0:
        slot = (slot + 1) & last
    return slot


def probe(table: Any, idx: Any, key: int, lo: int, hi: int) -> int:
    """Return the position of a coordinate among idx[lo:hi] by its hash table, or hi."""
    size = 2 * (hi - lo)
    if size == 0:
        return hi
    slot = (key ^ (key >> 15)) % size
    while True:
        p = table[u(2 * lo + slot)]
        if p < 0:
            return hi
        if idx[u(p)] == key:
            return int(p)
        slot = slot + 1 if slot + 1 < size else 0
