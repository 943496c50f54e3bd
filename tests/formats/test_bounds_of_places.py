"""Places of buffers from outside lie where their axis is."""

from __future__ import annotations

import numpy as np
import pytest

from structarr.errors import FormatError
from structarr.formats import Singleton, checks
from structarr.formats.base import Level
from structarr.formats.element import Element
from structarr.formats.fit import check_tree


@pytest.mark.parametrize("dtype", ["int32", "int64", "uint32", "uint64"])
@pytest.mark.parametrize("low", [0, 2])
def test_places_are_below_the_end(dtype: str, low: int) -> None:
    places = np.array([low, 4], dtype)
    checks.within(places, "idx", low, 5)
    for lo, hi in ((low, 4), (low + 1, 5)):
        with pytest.raises(FormatError, match="is outside"):
            checks.within(places, "idx", lo, hi)


def test_a_level_that_stands_outermost_stands_below_none() -> None:
    root: Level = Singleton(Element())
    with pytest.raises(FormatError, match="not outermost"):
        check_tree((root, Element()))
