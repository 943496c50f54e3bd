"""Where what is stored changes nothing, and what is not does: the latter ends where it should."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import structarr as sa
from structarr.formats import Dense, Format, Level, Pattern, SparseList, SparsePoint

DATA = np.zeros((4, 4), np.bool_)
DATA[3, 3] = True
FORMATS: dict[str, Level] = {
    "a point above a list": SparsePoint(SparseList(Pattern())),
    "lists": SparseList(SparseList(Pattern())),
    "rows of points": Dense(SparsePoint(Pattern())),
}
UPDATES: dict[str, Callable[[Any], Any]] = {
    "y[k] <<min>>= A[k, k] / 0": lambda d: d / 0,
    "y[k] <<max>>= -(A[k, k] / 0)": lambda d: -(d / 0),
    "y[k] += 1.0 - A[k, k]": lambda d: 1.0 - d,
    "y[k] *= 2.0 - A[k, k]": lambda d: 2.0 - d,
}


@pytest.mark.parametrize("name", FORMATS)
@pytest.mark.parametrize("text", UPDATES)
def test_identities_at_what_is_stored(text: str, name: str) -> None:
    array = sa.asarray(DATA).asformat(Format(FORMATS[name], (0, 1)))
    with sa.options(tier="interpreted", strict_ieee=True), np.errstate(all="ignore"):
        got = sa.loops(text, A=array)
        np.testing.assert_array_equal(got.todense(), UPDATES[text](np.diag(DATA)))
