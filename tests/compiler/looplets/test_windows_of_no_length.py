"""Loops over no index read children that reach beyond them, and write nothing."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

import structarr as sa
from structarr._array import stored
from structarr._testing.case import sound

A, B = np.array([1.0, 1.0, 2.0]), np.array([3.0, 0.0, 2.0])
FORMATS = ["list", "vbl", "sparse-rle", "rle", "bitmap", "dense"]
PROGRAMS = ["A[i + 1] * 2", "A[i + 1] * B[i + 1]", "A[i + 1] + B[i + 1]"]


@pytest.mark.parametrize("length", [0, 1, 2])
@pytest.mark.parametrize("program", PROGRAMS)
def test_windows(program: str, length: int) -> None:
    part = slice(1, 1 + length)
    want = {"A[i + 1] * 2": A * 2, "A[i + 1] * B[i + 1]": A * B}.get(program, A + B)[part]
    with sa.options(tier="interpreted"):
        for one, other in product(FORMATS, FORMATS if "B" in program else FORMATS[:1]):
            given = {"A": sa.asarray(A, format=one), "B": sa.asarray(B, format=other)}
            read = {name: array for name, array in given.items() if name in program}
            got = sa.loops(f"y[i] = {program}", extents={"i": length}, **read)
            sound(stored(got))
            np.testing.assert_array_equal(got.todense(), want)
