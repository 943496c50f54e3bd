"""Calls of a loop over runs with values of kinds that were met, made by functions of their own."""

from __future__ import annotations

import numpy as np
import pytest

import structarr as sa
from structarr import runs
from structarr.errors import ProgramError

TIMES = range(4)  # the third call is the first that is made by its own function
ADDED = 1


@sa.kernel
def widths(rows, counts, scale):
    total = 0
    for i in range(rows.shape[0]):
        for start, stop, _value in runs(rows[i]):
            counts[i] += (stop - start) * scale
            total += ADDED
    return total


@sa.kernel
def doubled(rows, counts):
    found = sa.zeros((rows.shape[0], 2 * rows.shape[1]), dtype=np.int64)
    for i in range(rows.shape[0]):
        for start, stop, value in runs(rows[i]):
            counts[i] += 1
            for k in range(start, stop):
                found[i, 2 * k : 2 * k + 1] = value + k
    return found


def _image(dtype, n=5):
    values = np.random.default_rng(n).integers(0, 3, (n, 30))
    return np.repeat(values, 3, axis=1).astype(dtype)


def _own(program):
    """How many functions for repeated calls a program has."""
    return sum(map(len, program._program._again))


@pytest.mark.parametrize("dtype", ["int8", "bool", "float32", "int64"])
def test_every_call_gives_what_the_first_did(dtype):
    for n in (5, 7, 5, 9):
        for scale in (2, 3, 2.0):
            for _ in TIMES:
                pixels = _image(dtype, n)
                counts = np.zeros(n, "int64" if isinstance(scale, int) else "float64")
                image = sa.asarray(pixels, format="sparse-rle")
                total = widths(image, counts, scale)
                assert np.array_equal(counts, (pixels != 0).sum(axis=1) * scale)
                edges = np.diff(pixels.astype(float), axis=1, prepend=0) != 0
                ends = edges & (pixels != 0)
                assert total == ADDED * ends.sum()
    assert 1 < _own(widths) <= 4


def test_a_result_without_room_begins_anew():
    pixels = _image("int64", 6)
    image = sa.asarray(pixels, format="sparse-rle")
    for _ in TIMES:
        counts = np.zeros(6, np.int64)
        found = doubled(image, counts)
        places = np.arange(90)
        wanted = np.zeros((6, 180), np.int64)
        wanted[:, ::2] = np.where(pixels != 0, pixels + places, 0)
        assert np.array_equal(found.todense(), wanted)
        assert counts.sum() == image.nstored  # as it was when the loop began anew
    assert _own(doubled)


@sa.kernel
def doubled_by_way(image, kept):
    way = np.empty(image.shape[1], np.int64)
    other = np.empty(image.shape[1], np.int64)
    other[:] = 0
    found = sa.zeros((image.shape[0], 2 * image.shape[1]), dtype=np.int64)
    for i in range(image.shape[0]):
        for start, stop, value in runs(image[i]):
            for x in range(start, stop):
                way[x] = value + x
                other[x] += 1
                kept[x] += 1
                found[i, 2 * x : 2 * x + 1] = way[x]
    return found, other


def test_only_what_was_something_before_is_restored():
    image = sa.asarray(_image("int64", 6), format="sparse-rle")
    for _ in TIMES:
        kept = np.zeros(image.shape[1], np.int64)
        found, other = doubled_by_way(image, kept)
        assert np.array_equal(found.todense(), doubled(image, np.zeros(6, np.int64)).todense())
        assert np.array_equal(kept, other) and kept.sum() == (image != 0).sum()
    (loop,) = doubled_by_way._program._loops
    assert loop.scratch == {"way"}


def test_an_image_without_runs():
    empty = sa.asarray(np.zeros((3, 4), np.int64), format="sparse-rle")
    for _ in TIMES:
        assert widths(empty, np.zeros(3, np.int64), 1) == 0
        assert doubled(empty, np.zeros(3, np.int64)).nstored == 0


def test_what_is_refused_at_first_is_refused_later():
    @sa.kernel
    def moved(x, y, n):
        k = 0
        while k < n:
            y[k] = x[k]
            k += 1

    x = np.arange(5)
    for _ in TIMES:
        y = np.zeros(5, np.int64)
        moved(x, y, 5)
        assert np.array_equal(x, y)
    assert _own(moved) == 1
    for _ in TIMES:
        with pytest.raises(
            IndexError, match="index 5 is out of bounds for axis 0 of x, of length 5"
        ):
            moved(x, y, 6)
        with pytest.raises(ProgramError, match="share memory"):
            moved(x, x, 5)
        with pytest.raises(ProgramError, match="share memory"):
            moved(x, x[:], 5)
        moved(x[:], y, 5)
        fixed = np.zeros(5, np.int64)
        fixed.setflags(write=False)
        with pytest.raises(ProgramError, match="read-only"):
            moved(x, fixed, 5)
        with pytest.raises(ProgramError, match="not contiguous"):
            moved(x, np.zeros(10, np.int64)[::2], 5)
        moved(x[::-1], y, 5)
        assert np.array_equal(y, x[::-1])
        moved(x.astype("int8"), y, np.int64(5))
        assert np.array_equal(y, x)


def test_numbers_from_around_are_read_at_each_call(monkeypatch):
    image = sa.asarray(_image("int8"), format="sparse-rle")
    found = [widths(image, np.zeros(5, np.int64), 1) for _ in TIMES]
    monkeypatch.setitem(globals(), "ADDED", 3)
    assert widths(image, np.zeros(5, np.int64), 1) == found[-1] + 2 * image.nstored


def test_arrays_without_runs_take_the_same_call(monkeypatch):
    empty = sa.asarray(np.zeros((3, 4), np.int64), format="sparse-rle")
    full = sa.asarray(np.ones((3, 4), np.int64), format="sparse-rle")
    with sa.options(tier="compiled"):
        for _ in TIMES:
            widths(full, np.zeros(3, np.int64), 1)
        monkeypatch.setattr(widths._program, "_first", None)  # nothing is looked at anew
        assert widths(empty, np.zeros(3, np.int64), 1) == 0
        assert widths(full, np.zeros(3, np.int64), 1) == 3 * ADDED
