"""Random programs of loops over operands in every format, against plain Python on NumPy."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
from example_counts import examples
from hypothesis import given, strategies as st
from strategies import Draw

import structarr as sa
from structarr._compiler.options import options
from structarr._testing.fuzz.case import Refused
from structarr._testing.fuzz.loops.case import Loops
from structarr._testing.fuzz.loops.plain import Strict
from structarr._testing.fuzz.loops.program import random_function, random_line, random_part


def check(make: Callable[[np.random.Generator, bool], Loops], seed: int, odd: bool) -> None:
    """Run a random program by one of its candidates; with odd numbers, under strict rules."""
    rng = np.random.default_rng([seed, odd])
    options = {"tier": "interpreted", "strict_ieee": odd}
    program = int(rng.integers(16)) if rng.random() < 0.5 else None
    with contextlib.suppress(Refused):
        replace(make(rng, odd), options=options, program=program).check()


SEEDS = st.integers(0, 2**32 - 1)


@examples(0.5)
@given(SEEDS, st.booleans())
def test_functions_are_what_python_runs(seed: int, odd: bool) -> None:
    check(random_function, seed, odd)


@given(SEEDS, st.booleans())
def test_parts_of_results_are_written(seed: int, odd: bool) -> None:
    check(random_part, seed, odd)


@given(SEEDS, st.booleans())
def test_lines_are_what_each_place_is_reduced_to(seed: int, odd: bool) -> None:
    check(random_line, seed, odd)


ACCESSES = ("x[f[i]]", "x[i + f[0]]", "x[2*i]", "x[i - 1]", "x[f[i] + 1]", "x[n - i]", "x[f[f[i]]]")
FORMATS = ("dense", "list", "rle", "band", "bitmap")


@st.composite
def reaches(draw: Draw) -> tuple[str, np.ndarray, np.ndarray]:
    """An access that may leave its array."""
    n = draw(st.integers(1, 4))
    places = draw(st.lists(st.integers(-2, 5), min_size=n, max_size=n))
    return (
        draw(st.sampled_from(ACCESSES)),
        np.arange(1.0, draw(st.integers(1, 5)) + 1),
        np.array(places),
    )


def reached(text: str, tier: str, fmt: str, x: np.ndarray, f: np.ndarray) -> None:
    """Where the oracle leaves its array there is an IndexError, and nowhere else."""
    n = len(f)
    names = {"x": Strict(x), "f": Strict(f), "n": n}
    try:
        want = [eval(text, names | {"i": i}) for i in range(n)]
    except IndexError:
        want = None
    given = {"x": sa.asarray(x, format=fmt), "f": f, "n": n}
    operands = {name: value for name, value in given.items() if f"{name}[" in text or name in text}
    with options(tier=tier):
        if want is None:
            with pytest.raises(IndexError, match=r"is out of bounds for axis 0 of [xf], of length"):
                sa.loops(f"y[i] = {text}", extents={"i": n}, **operands)
        else:
            got = sa.loops(f"y[i] = {text}", extents={"i": n}, **operands)
            np.testing.assert_array_equal(got.todense(), want)


@given(reaches(), st.sampled_from(FORMATS))
def test_what_is_read_outside_is_an_error(
    case: tuple[str, np.ndarray, np.ndarray], fmt: str
) -> None:
    text, x, f = case
    reached(text, "interpreted", fmt, x, f)


@pytest.mark.parametrize("fmt", ["dense", "list"])
@examples(0.3)
@given(st.lists(st.integers(-3, 6), min_size=1, max_size=4))
def test_and_no_crash_when_compiled(fmt: str, places: list[int]) -> None:
    reached("x[f[i]]", "compiled", fmt, np.arange(1.0, 5.0), np.array(places))


@pytest.mark.parametrize("tier", ["interpreted", "compiled"])
@examples(0.3)
@given(st.lists(st.integers(-3, 6), min_size=3, max_size=3))
def test_what_is_written_outside_is_an_error(tier: str, places: list[int]) -> None:
    x, f, y = np.arange(1.0, 4.0), np.array(places), np.zeros(4)
    with options(tier=tier):
        if all(0 <= at < 4 for at in places):
            want = np.zeros(4)
            np.add.at(want, f, x)
            got = sa.loops("y[f[i]] += x[i]", f=f, x=x, out=y)
            np.testing.assert_array_equal(got.todense(), want)
        else:
            with pytest.raises(IndexError, match=r"is out of bounds for axis 0 of y, of length 4"):
                sa.loops("y[f[i]] += x[i]", f=f, x=x, out=y)
    assert not y.any()
