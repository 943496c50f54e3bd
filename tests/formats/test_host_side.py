"""What levels say of their buffers to the host."""

from __future__ import annotations

import numpy as np
import pytest

import structarr as sa
from structarr import formats
from structarr._array import stored
from structarr.formats import Dense, Element, Format, Level

LEVELS = [one for one in vars(formats).values() if isinstance(one, type) and issubclass(one, Level)]


@pytest.mark.parametrize("kind", [one for one in LEVELS if one.octets])
def test_octets_are_kept_as_bytes(kind: type[Level]) -> None:
    level = kind(Element())
    array = sa.asarray(np.array([[0, 0, 1, 1], [1, 0, 0, 0]])).asformat(
        Format(Dense(level), (0, 1))
    )
    buffers = dict(zip(level.buffers, stored(array).level_buffers[1], strict=True))
    kept = {name: level.kept_as(name, "int64") for name in level.buffers}
    assert kept == {name: one.dtype.name for name, one in buffers.items()}
    assert {kept[name] for name in level.octets} == {"uint8"}
