"""Functions whose expressions are noted by the structure of their arrays."""

from __future__ import annotations

import gc
import weakref

import numpy as np
import pytest

import structarr as sa
from structarr._api.core.by_structure import by_structure
from structarr._lazy import composite

ARRAYS = [
    np.array([[1.0, 0.0, -3.0], [0.0, 5.0, 0.0], [2.0, 0.0, 0.0]]) * scale for scale in (1, -2, 7)
]
FUNCTIONS = {
    "norm": (lambda xp, a: xp.linalg.norm(a)),
    "norm of rows": (lambda xp, a: xp.linalg.norm(a, 1, axis=1)),
    "mean": (lambda xp, a: xp.mean(a, axis=0)),
    "var": (lambda xp, a: xp.var(a, axis=0, ddof=1)),
    "std of all": (lambda xp, a: xp.std(a)),
    "nansum": (lambda xp, a: xp.nansum(a, axis=1)),
    "diagonal": (lambda xp, a: xp.diagonal(a)),
    "another diagonal": (lambda xp, a: xp.diagonal(a, -1)),
    "trace": (lambda xp, a: xp.trace(a, 1)),
    "triangle": (lambda xp, a: xp.tril(a, -1)),
    "rounded": (lambda xp, a: xp.round(a, 1)),
    "rolled": (lambda xp, a: xp.roll(a, 1, 0)),
    "joined": (lambda xp, a: xp.vstack([a, a + 1])),
    "joined to itself": (lambda xp, a: xp.concat([a, a], axis=1)),
    "stack": (lambda xp, a: xp.stack([a, a, a * 2], axis=1)),
    "outer": (lambda xp, a: xp.outer(a, a)),
    "dot": (lambda xp, a: xp.dot(a[0], a[0])),
    "of a slice": (lambda xp, a: xp.linalg.norm(a[1:])),
    "of an expression": (lambda xp, a: xp.mean(a * 2 + 1, axis=1)),
    "in an expression": (lambda xp, a: a - xp.mean(a, axis=0)),
}


@pytest.mark.parametrize("format", ["csr", "dense", "rle"])
@pytest.mark.parametrize("name", FUNCTIONS)
def test_calls_after_the_first_are_of_their_own_operands(name: str, format: str) -> None:
    function = FUNCTIONS[name]
    for array in (*ARRAYS, ARRAYS[0][:2]):
        if name.startswith("another") and len(array) < 3:
            continue
        made = function(sa, sa.asarray(array, format=format))
        np.testing.assert_allclose(made.todense(), function(np, array), rtol=1e-12)


def test_arrays_of_one_value_are_told_apart_by_value_and_length() -> None:
    for value, length in ((3.0, 2), (3.0, 5), (4.0, 5), (0.0, 2)):
        a, b = sa.full(length, value), sa.zeros(3)
        wanted = np.concatenate([np.full(length, value), np.zeros(3)])
        assert np.array_equal(sa.concat([a, b]).todense(), wanted)
        assert float(sa.linalg.norm(a)) == np.linalg.norm(np.full(length, value))
        assert np.array_equal(a[1:].todense(), np.full(length - 1, value))


def _counted() -> tuple[list[object], object]:
    calls: list[object] = []

    @by_structure(1)
    def function(array: sa.Array, *details: object, **more: object) -> sa.Array:
        calls.append((details, more))
        return array * 2 + 1  # type: ignore[no-any-return]

    return calls, function


def test_a_function_is_called_once_for_each_structure() -> None:
    calls, function = _counted()
    for array in ARRAYS:
        assert np.array_equal(function(sa.asarray(array)).todense(), array * 2 + 1)
    assert len(calls) == 1
    function(sa.asarray(ARRAYS[0], format="csr"))
    function(sa.asarray(ARRAYS[0][:2]))
    function(sa.asarray(ARRAYS[0].astype(np.float32)))
    assert len(calls) == 4
    with sa.options(strict_ieee=True):
        function(sa.asarray(ARRAYS[0]))
    assert len(calls) == 5


def test_parameters_are_told_apart_by_their_types_and_signs() -> None:
    calls, function = _counted()
    a = sa.asarray(ARRAYS[0])
    for details in (1, True, 1.0, "1", None, np.dtype("f4"), float, (1, 2), (1, True), (1, (2,))):
        function(a, details)
        function(a, details)
    assert len(calls) == 10
    function(a, axis=1)
    function(a, axis=1)
    assert len(calls) == 11
    for zero in (0.0, -0.0, 0.0):  # of any sign
        function(a, zero)
    assert len(calls) == 14


def test_what_may_be_of_anything_is_never_noted() -> None:
    calls, function = _counted()
    a = sa.asarray(ARRAYS[0])
    for given in (np.ones(3), sa.asarray([1, 2]), [1, 2], object(), np.float64(2), (1, [2])):
        function(a, given)
        function(a, given)
    assert len(calls) == 12


def test_arrays_that_others_can_write_are_taken_as_they_are_at_the_call() -> None:
    x = np.arange(100_000.0)  # too large to be copied
    for _ in range(2):
        wanted = np.linalg.norm(x)
        made = sa.linalg.norm(x)
        x += 1
        assert float(made) == pytest.approx(wanted)


def test_nothing_of_the_first_call_is_kept() -> None:
    sa.clear_cache()
    a = sa.asarray(ARRAYS[0], format="csr")
    made = sa.linalg.norm(a)
    assert composite._composites
    kept = weakref.ref(made._node.given[0])
    del a, made
    gc.collect()
    assert kept() is None
