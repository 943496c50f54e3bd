"""Axes of up to 2**63 - 1 places: what works on them, and what is refused by name."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import structarr as sa

MOST = 2**63 - 1


def ends() -> sa.Array:
    return sa.from_coordinates((np.array([0, MOST - 1]),), np.array([1.0, 2.0]), (MOST,))


@pytest.mark.parametrize(
    ("compute", "want"),
    [
        (lambda a: a.sum(), 3.0),
        (lambda a: a[MOST - 2 :], [0.0, 2.0]),
        (lambda a: a[::-1][:2], [2.0, 0.0]),
        (lambda a: (a * a)[-1], 4.0),
        (lambda a: sa.roll(a, 1)[:2], [2.0, 1.0]),
        (lambda a: sa.stack([a, a]).sum(axis=1), [3.0, 3.0]),
        (lambda a: a.reshape(7, -1).sum(), 3.0),
        (lambda a: a.nonzero()[0], [0, MOST - 1]),
        (lambda a: sa.ones((MOST,), dtype="int64").sum(), MOST),
    ],
)
def test_the_longest_axes_there_are(compute: Callable[[Any], Any], want: Any) -> None:
    with sa.options(tier="interpreted"):
        assert np.asarray(compute(ends())).tolist() == want


@pytest.mark.parametrize(
    "make",
    [
        lambda a: sa.zeros((MOST + 1,)),
        lambda a: sa.concatenate([a, sa.ones(1)]),
        lambda a: sa.concatenate([a, sa.zeros(1)]),
        lambda a: sa.concatenate([sa.zeros((MOST,)), sa.zeros(1)]),
        lambda a: sa.pad(a, 1),
        lambda a: sa.kron(a, sa.ones(2)),
        lambda a: sa.convolve(a, np.ones(2)),
        lambda a: sa.repeat(a, 2),
        lambda a: sa.from_coordinates((np.array([0]),), np.ones(1), (MOST + 1,)),
    ],
)
def test_longer_axes_are_refused_at_the_call(make: Callable[[Any], Any]) -> None:
    with pytest.raises(ValueError, match="more places on an axis than int64 counts"):
        make(ends())
