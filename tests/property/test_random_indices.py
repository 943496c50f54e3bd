"""Random indices of random formats against NumPy: what is read, and what is assigned."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from example_counts import examples
from hypothesis import given, strategies as st
from strategies import Pair, leaves, shapes

from structarr._array import Array

Draw = Callable[..., Any]


@st.composite
def parts(draw: Draw, length: int) -> Any:
    """An index of one axis, which may be out of bounds."""
    near = st.integers(-length - 1, length + 1)
    kind = draw(st.sampled_from(("int", "slice", "slice", "list", "column", "mask")))
    if kind == "int":
        return draw(st.integers(-length - 1, length))
    if kind == "slice":
        ends = st.one_of(st.none(), near)
        return slice(draw(ends), draw(ends), draw(st.sampled_from((None, 1, 2, -1, -2, 3))))
    if kind == "mask":
        return np.array(draw(st.lists(st.booleans(), min_size=length, max_size=length)), bool)
    places = st.integers(-length, max(length - 1, -length))
    found = draw(st.lists(places, max_size=3))
    return found if kind == "list" else np.array(found, np.int64).reshape(-1, 1)


@st.composite
def keys(draw: Draw, shape: tuple[int, ...]) -> Any:
    """An index of some of the axes, with new axes, truth values and an ellipsis."""
    count = draw(st.integers(0, len(shape)))
    key = [draw(parts(length)) for length in shape[:count]]
    extra = st.sampled_from((None, True, False))
    for part in draw(st.lists(extra, max_size=1)):
        key.insert(draw(st.integers(0, len(key))), part)
    if count == len(shape) and draw(st.booleans()):
        key.insert(draw(st.integers(0, len(key))), ...)
    return key[0] if len(key) == 1 and draw(st.booleans()) else tuple(key)


@st.composite
def operands(draw: Draw) -> Pair:
    """An array of one to three axes in some format."""
    return draw(leaves(draw(shapes(draw(st.integers(1, 3))))))


def outcome(call: Callable[[], Any]) -> Any:
    """What a call gives, or the type of error it raises."""
    try:
        return call()
    except (IndexError, ValueError) as error:
        return type(error)


@examples(0.8)
@given(st.data())
def test_indexing(data: st.DataObject) -> None:
    pair = data.draw(operands())
    array, dense = Array(pair.node), pair.value
    key = data.draw(keys(dense.shape))
    expected = outcome(lambda: dense[key])
    result = outcome(lambda: array[key].todense())
    if isinstance(expected, type):
        assert result is expected
        return
    np.testing.assert_array_equal(result, expected)
    assert result.shape == np.shape(expected) and result.dtype == dense.dtype


@examples(0.8)
@given(st.data())
def test_assignment(data: st.DataObject) -> None:
    pair = data.draw(operands())
    array, before = Array(pair.node), pair.value
    key = data.draw(keys(before.shape))
    dense = before.copy()
    value = data.draw(st.sampled_from((0, 1)))
    if isinstance(outcome(lambda: dense[key]), type):
        return
    dense[key] = value
    kept = array[...]
    array[key] = value
    np.testing.assert_array_equal(array.todense(), dense)
    np.testing.assert_array_equal(kept.todense(), before)
