"""Arguments that NumPy refuses, or takes in a way of its own, are taken as in NumPy."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import structarr as sa

DATA = np.array([[0.0, 1.5, 0.0, -2.0], [0.0, 0.0, 0.0, 3.25], [4.0, 0.0, 0.5, 0.0]])

REFUSED: dict[str, Callable[[Any], Any]] = {
    "sum of axis True": lambda a: np.sum(a, axis=True),
    "mean of axis False": lambda a: a.mean(False),
    "argmax of axis True": lambda a: np.argmax(a, axis=True),
    "cumsum of axis True": lambda a: np.cumsum(a, axis=True),
    "concatenate along True": lambda a: np.concatenate((a, a), axis=True),
    "take along True": lambda a: np.take(a, [0, 1], axis=True),
    "round to 1.5 decimals": lambda a: np.round(a, 1.5),
    "nan_to_num by a complex number": lambda a: np.nan_to_num(a, nan=1j),
    "nan_to_num by a complex infinity": lambda a: np.nan_to_num(a, neginf=1j),
    "reshape to 2.5 rows": lambda a: np.reshape(a, (2.5, 6)),
    "reshape to -1.5": lambda a: a.reshape(-1.5),
    "tile 2.5 times": lambda a: np.tile(a, 2.5),
    "trim_zeros elsewhere": lambda a: np.trim_zeros(a[0], "x"),  # type: ignore[call-overload]
}
TAKEN: dict[str, Callable[[Any], Any]] = {
    "no quantiles": lambda a: np.quantile(a, [], axis=0),
    "sum where a number is": lambda a: np.sum(a, where=2),  # type: ignore[call-overload]
    "sum where a list is": lambda a: np.sum(a, axis=0, where=[1, 0, 1, 0]),
    "mean where a list is": lambda a: np.mean(a, axis=0, where=[1, 0, 1, 1]),
    "nothing is": lambda a: np.add(a, 1, where=None, out=np.ones((3, 4))),  # type: ignore[arg-type]
    "a number is": lambda a: np.add(a, 1, where=1, out=np.ones((3, 4))),  # type: ignore[arg-type]
    "reshape to an array": lambda a: np.reshape(a, np.array([2, -1])),
    "reshape to a number": lambda a: np.reshape(a, 12),
    "tile by an array": lambda a: np.tile(a, np.array([2, 1])),
    "trim_zeros by a capital": lambda a: np.trim_zeros(a[0], "F"),  # type: ignore[call-overload]
    "equal to a text": lambda a: np.array_equal(a, "x"),
    "equal to nothing": lambda a: np.array_equiv(a, None),  # type: ignore[arg-type]
    "contains a text": lambda a: "x" in a,
    "contains nothing": lambda a: None in a,
    "contains a number": lambda a: 1.5 in a,
}


@pytest.mark.parametrize("format", ["dense", "csr"])
@pytest.mark.parametrize("name", REFUSED)
def test_what_numpy_refuses_is_refused(name: str, format: str) -> None:
    with pytest.raises((TypeError, ValueError)) as theirs:
        REFUSED[name](DATA)
    with pytest.raises(theirs.type):
        REFUSED[name](sa.asarray(DATA, format=format))


@pytest.mark.filterwarnings("ignore::RuntimeWarning", "ignore::FutureWarning")
@pytest.mark.parametrize("format", ["dense", "csr"])
@pytest.mark.parametrize("name", TAKEN)
def test_what_numpy_takes_is_taken(name: str, format: str) -> None:
    want = np.asarray(TAKEN[name](DATA))
    got = TAKEN[name](sa.asarray(DATA, format=format))
    np.testing.assert_array_equal(got, want, strict=True)


@pytest.mark.parametrize("function", [np.var, np.std, np.nanvar])
def test_degrees_of_freedom_are_no_complex_numbers(function: Any) -> None:
    with pytest.raises(TypeError, match="are real"):
        function(sa.asarray(DATA), ddof=1j)
    with pytest.raises(TypeError, match="are real"):
        function(sa.asarray(DATA), correction=1j)
