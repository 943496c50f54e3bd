"""Fibers that are copied one behind the other: one loop over the children of all."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import structarr as sa
from structarr._compiler.options import Forced, force

RANDOM = np.random.default_rng(0)
TALL = RANDOM.integers(-2, 3, (30, 4)) * (RANDOM.random((30, 4)) < 0.4)
CUBE = RANDOM.integers(-2, 3, (6, 5, 7)) * (RANDOM.random((6, 5, 7)) < 0.3)


def test_rows_below_each_other_are_copied_in_one_loop_each() -> None:
    a, b = sa.asarray(TALL, format="csr"), sa.asarray(TALL[:7], format="csr")
    source = str(sa.explain(sa.vstack([a, b])).source())
    assert "for a_q in range(a_q, a_end):\n" in source
    nested = "    for i in range(size0_0):\n            a_end"
    assert nested not in source
    np.testing.assert_array_equal(sa.vstack([a, b]).todense(), np.vstack([TALL, TALL[:7]]))


CASES: dict[str, Any] = {
    "below": lambda xp, a: xp.vstack([a, a[:0], a[3:9]]),
    "beside": lambda xp, a: xp.hstack([a, a]),
    "part": lambda xp, a: a[2:11] * 2,
    "shifted": lambda xp, a: xp.roll(a, 3, axis=0),
    "padded": lambda xp, a: xp.pad(a, ((2, 1), (0, 0))),
    "wide": lambda xp, a: (a * 1.5).astype("float32"),
    "some": lambda xp, a: a * (a > 0),
    "twice": lambda xp, a: xp.concatenate([a * 2, -a]),
}


@pytest.mark.parametrize("pieces", [None, 3])
@pytest.mark.parametrize("format", ["csr", "csc", "dcsr", "coo", "vbl", "ragged"])
@pytest.mark.parametrize("name", CASES)
def test_values_are_numpys(name: str, format: str, pieces: int | None) -> None:
    data = TALL.copy()
    data[[0, 5, 6, 29]] = 0
    for case in (data, data[:1], data[:0]):
        if len(case) < 12 and name == "part":
            continue
        wanted = CASES[name](np, case)
        for tier in ("interpreted", "compiled"):
            with sa.options(tier=tier), force(Forced(pieces=pieces)):
                found = CASES[name](sa, sa.asarray(case, format=format))
                np.testing.assert_array_equal(found.todense(), wanted)


def test_fibers_of_three_axes() -> None:
    a = sa.asarray(CUBE, format="csf")
    for tier in ("interpreted", "compiled"):
        with sa.options(tier=tier):
            found = sa.concatenate([a, a[1:4], -a])
            np.testing.assert_array_equal(found.todense(), np.concatenate([CUBE, CUBE[1:4], -CUBE]))
