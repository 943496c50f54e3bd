"""What helpers declare of themselves, which passes believe, holds of what they compute."""

import inspect

import numpy as np
import pytest

from structarr._compiler.runtime import HELPERS, traits

VALUES = [np.float64(one) for one in (-1.5, -0.0, 0.0, 2.0, np.inf, -np.inf, np.nan)]
COMPLEX = [np.complex128(complex(a, b)) for a in VALUES for b in VALUES]
BUFFER = np.array([1, 3, 3, 7, 20])


def declaring(trait: str) -> list[str]:
    found = [name for name in HELPERS if getattr(traits(name), trait)]
    assert found, trait
    return found


@pytest.mark.parametrize("name", declaring("relaxes"))
def test_relaxed_updates_are_those_of_their_operator(name: str) -> None:
    operator = getattr(np, traits(name).relaxes)
    with np.errstate(all="ignore"):
        for one in VALUES:
            got = [HELPERS[name](one, other) for other in VALUES]
            np.testing.assert_array_equal(got, [operator(one, other) for other in VALUES])


@pytest.mark.parametrize("name", declaring("tests_gap"))
def test_gaps_alone_are_no_values(name: str) -> None:
    dtype = name.rpartition("_")[2]
    assert not HELPERS[name](HELPERS[f"gap_{dtype}"]())
    assert all(HELPERS[name](np.dtype(dtype).type(one)) for one in VALUES)


@pytest.mark.parametrize("name", declaring("differs"))
def test_equal_values_do_not_differ(name: str) -> None:
    assert not any(HELPERS[name](one, one) for one in (*VALUES, *COMPLEX, True, 3))
    assert HELPERS[name](np.float64(1), np.float64(2))


@pytest.mark.parametrize("name", declaring("differs"))
def test_complex_numbers_differ_where_their_parts_do(name: str) -> None:
    differ = HELPERS[name]
    for one in COMPLEX:
        got = [differ(one, other) for other in COMPLEX]
        parts = [(one.real, other.real, one.imag, other.imag) for other in COMPLEX]
        assert got == [differ(a, b) or differ(c, d) for a, b, c, d in parts]


@pytest.mark.parametrize("name", declaring("exactly"))
def test_the_exact_twin_tells_zeros_apart_and_else_agrees(name: str) -> None:
    exact = HELPERS[traits(name).exactly]
    for one in VALUES:
        for other in VALUES:
            zeros = one == other == 0 and np.signbit(one) != np.signbit(other)
            assert exact(one, other) == (HELPERS[name](one, other) or zeros)


@pytest.mark.parametrize("name", declaring("near"))
def test_the_near_twin_finds_the_same(name: str) -> None:
    near = HELPERS[traits(name).near]
    for key in range(22):
        for lo in range(len(BUFFER) + 1):
            places = BUFFER, key, lo, len(BUFFER)
            assert near(*places) == HELPERS[name](*places) == lo + np.searchsorted(BUFFER[lo:], key)


@pytest.mark.parametrize("name", declaring("fills"))
def test_what_is_filled_ends_before_the_argument_that_says_so(name: str) -> None:
    function, end = HELPERS[name], traits(name).fills
    (array, *rest) = inspect.signature(function).parameters
    given = dict.fromkeys(rest, 2)
    given[list(inspect.signature(function).parameters)[end]] = 4
    buffer = np.zeros(6)
    function(**{array: buffer}, **given)
    assert buffer[3] != 0
    assert not buffer[4:].any()
