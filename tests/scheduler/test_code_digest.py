"""Digests of code from outside: equal where it is the same, others where a part of it differs."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np
import pytest

from structarr._scheduler.code_digest import digest
from structarr._scheduler.codec import WithoutText, encoded


def class_with(body: Any, wrapped: Any) -> type:
    """A class whose only method has a body."""
    space = {"method": wrapped(body), "__module__": "elsewhere", "__qualname__": "Own"}
    return type("Own", (), space)


@pytest.mark.parametrize("wrapped", [staticmethod, classmethod, property, lambda body: body])
def test_a_class_with_another_method_has_another_digest(wrapped: Any) -> None:
    first, same, other = (
        digest(class_with(body, wrapped)) for body in (lambda x: x, lambda x: x, lambda x: -x)
    )
    assert first is not None
    assert first == same != other


@pytest.mark.parametrize(
    ("one", "same", "other"),
    [
        (np.float64(2.5), np.float64(2.5), np.float64(3.5)),
        (np.float64(1), np.float64(1), np.float32(1)),
        (np.dtype("i4"), np.dtype("int32"), np.dtype("i8")),
        ((1, "a"), (1, "a"), (1, "b")),
        ({"a": 1, "b": 2}, {"b": 2, "a": 1}, {"a": 2, "b": 1}),
    ],
)
def test_values_have_digests_by_which_they_are_told(one: Any, same: Any, other: Any) -> None:
    assert digest(one) is not None
    assert digest(one) == digest(same) != digest(other)


def test_a_function_is_told_by_the_globals_that_it_reads() -> None:
    def reading(limit: int) -> Any:
        space = {"limit": limit}
        exec("def least(x): return min(x, limit)", space)
        return space["least"]

    assert digest(reading(1)) == digest(reading(1))
    assert digest(reading(1)) != digest(reading(2))


class Scaled:
    """A function that has a number."""

    def __init__(self, factor: float) -> None:
        self.factor = factor

    def __call__(self, value: float) -> float:
        """The number times a value."""
        return self.factor * value


def test_an_object_is_told_by_what_it_has() -> None:
    assert digest(Scaled(2.0)) is not None
    assert digest(Scaled(2.0)) == digest(Scaled(2.0)) != digest(Scaled(3.0))


@dataclasses.dataclass
class Strange:
    """A record of another package."""

    number: int


def test_records_of_others_have_no_text() -> None:
    assert encoded((1, True))
    for value in (Strange(1), object()):
        with pytest.raises(WithoutText):
            encoded((1, value))
