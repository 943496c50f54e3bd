"""Random programs of loops over operands in every format, against plain Python on NumPy."""

from __future__ import annotations

import numpy as np
import pytest
from example_counts import examples
from hypothesis import given
from hypothesis import strategies as st
from oracle import Strict, check, check_line
from program_values import Case
from programs import Line, lines, parts, programs
from strategies import Draw

import structarr as sa
from structarr._config import options


@given(programs())
def test_functions_are_what_python_runs(case: Case) -> None:
    check(case)


@given(parts())
def test_parts_of_results_are_written(case: Case) -> None:
    check(case)


@given(lines())
def test_lines_are_what_each_place_is_reduced_to(line: Line) -> None:
    check_line(line)


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
