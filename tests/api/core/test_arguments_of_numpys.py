"""Arguments that NumPy's functions take beside the usual ones: done alike, or refused by name."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import structarr as sa

X = np.array([[0.0, 1.5], [2.0, 0.0]])


def seven() -> Any:
    return np.full((2, 2), 7.0)


ALIKE: dict[str, Callable[[Any], Any]] = {
    "dot, into an array": lambda a: np.dot(a, a, out=seven()),
    "the method dot, into an array": lambda a: a.dot(a, seven()),
    "clip in float32": lambda a: np.clip(a, 0.5, 1, dtype="float32"),
    "the method clip in float32": lambda a: a.clip(0.5, 1, dtype="float32"),
    "clip in float32, of one end": lambda a: np.clip(a, None, 1, dtype=np.float32),
    "clip in float32, of no end": lambda a: np.clip(a, None, None, dtype="float32"),
    "clip in integers": lambda a: np.clip(a, 0, 1, dtype="int8", casting="unsafe"),
    "clip of small integers": lambda a: np.clip(a.astype("int8"), -300, 1000, dtype="int16"),
    "clip of some": lambda a: np.clip(a, 0, 1, where=X > 0, out=seven()),
    "clip of some in float32": lambda a: a.clip(0, 1, where=X > 0, out=seven(), dtype="float32"),
}


@pytest.mark.parametrize("name", ALIKE)
def test_they_are_numpys(name: str) -> None:
    for format in ("csr", "dense", "rle"):
        found, wanted = ALIKE[name](sa.asarray(X, format=format)), ALIKE[name](X)
        assert found.dtype == wanted.dtype
        assert np.array_equal(found, wanted)


def test_what_is_written_is_what_was_given() -> None:
    out = seven()
    assert sa.asarray(X).dot(X, out=out) is out
    assert np.array_equal(out, X @ X)


REFUSED: dict[str, tuple[Callable[[Any], Any], str]] = {
    "clip to a lesser dtype": (lambda a: np.clip(a, 0, 1, dtype="int8"), "casting rule"),
    "clip of some, into nothing": (lambda a: np.clip(a, 0, 1, where=X > 0), "without out="),
    "roll": (lambda a: np.roll(a, 1.0), r"give int\(1.0\)"),
    "roll along an axis": (lambda a: np.roll(a, (1, np.float32(2)), (0, 1)), r"give int\(1.0\)"),
    "rot90": (lambda a: np.rot90(a, 1.0), r"give int\(1.0\)"),
    "tril": (lambda a: np.tril(a, 1.0), r"give int\(1.0\)"),
    "split": (lambda a: np.split(a, 2.0), r"give int\(2.0\)"),
    "split at places": (lambda a: np.split(a, [1.0]), r"give int\(1.0\)"),
    "reshape": (lambda a: np.reshape(a, (4.0,)), r"give int\(4.0\)"),
    "tile": (lambda a: np.tile(a, 2.0), r"give int\(2.0\)"),
    "a name": (lambda a: np.roll(a, "1"), "cannot be interpreted as an integer"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_they_are_refused_by_name(name: str) -> None:
    call, said = REFUSED[name]
    with pytest.raises(TypeError, match=said):
        call(sa.asarray(X, format="csr"))


def test_powers_are_multiplied_in_numpys_order() -> None:
    """Where infinities and zeros meet, the order of products tells what is NaN."""
    x = np.array([[0.0, 2.0, -1.0], [0.0, np.inf, 0.0], [0.0, 2.0, 0.0]])
    with sa.options(strict_ieee=True), np.errstate(all="ignore"):
        for power in (2, 3, 4, 5):
            found = np.linalg.matrix_power(sa.asarray(x, format="csr"), power)
            assert np.array_equal(found, np.linalg.matrix_power(x, power), equal_nan=True)
