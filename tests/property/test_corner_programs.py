"""Short programs over corner cases: as they are written, under `jit` twice, and in pieces."""

from __future__ import annotations

import contextlib
import warnings
from dataclasses import replace

import numpy as np
import pytest
from corner_programs import PROGRAMS, corner_programs, other_elements

from structarr._testing.fuzz.case import Case, Refused
from structarr._testing.fuzz.jitted import Jitted

NUMBERS = range(len(PROGRAMS))


def check(case: Case) -> None:
    """Compare with NumPy; a format that does not hold a zero of the other sign refuses it."""
    with contextlib.suppress(Refused), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        case.check()


@pytest.mark.sampled(3)
@pytest.mark.parametrize("number", NUMBERS)
def test_corners(number: int) -> None:
    check(corner_programs()[number])


@pytest.mark.sampled(24)
@pytest.mark.parametrize("number", NUMBERS)
def test_corners_are_replayed_with_other_elements(number: int) -> None:
    one = corner_programs()[number]
    rounds = other_elements(one, np.random.default_rng([29, number]))
    calls = ("new", "float32", "mapped")
    check(Jitted(one.operands, one.steps, one.results, one.options, rounds, False, calls))


@pytest.mark.sampled(24)
@pytest.mark.parametrize("number", NUMBERS)
def test_corners_are_compiled_and_cut(number: int) -> None:
    one = corner_programs()[number]
    cut = {**one.options, "tier": "compiled", "threads": 2, "pieces": True}
    check(replace(one, options=cut))


def test_there_are_more_than_three_hundred() -> None:
    assert len(corner_programs()) >= 300
