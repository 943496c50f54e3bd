"""Rows of tensors: their bounds, and those that are stretches of one buffer."""

from __future__ import annotations

from contextlib import suppress
from itertools import pairwise

import numpy as np
import pytest

import structarr as sa
from structarr._array import stored
from structarr._storage.row_parts import is_stretch, part
from structarr._storage.tensor import Tensor
from structarr.formats.name_table import NAMES

DENSE = np.repeat(np.arange(1, 4), 2)[:, None] * (np.indices((6, 6)).sum(axis=0) % 3 == 0)
NAMED = [name for name, known in NAMES.items() if known.takes(2)]


@pytest.fixture(scope="module")
def tensors() -> dict[str, Tensor]:
    """A matrix of each format whose rows can be cut."""
    found: dict[str, Tensor] = {}
    for name in NAMED:
        with suppress(sa.errors.FormatError):  # those that cannot hold it
            one = stored(sa.asarray(DENSE).asformat(name).compute())
            levels = one.format.levels
            if levels[0].kind.arithmetic and all(level.slicing for level in levels[:-1]):
                found[name] = one
    assert {"dense", "csr", "bitmap", "vbl"} <= {*found}
    return found


def test_bounds_are_what_is_before(tensors: dict[str, Tensor]) -> None:
    for tensor in tensors.values():
        fibers = np.array([0, 1, 4, tensor.dims[0]])
        levels = zip(tensor.format.levels[1:], (*tensor.dims[1:], 1), strict=True)
        for (level, dim), own in zip(levels, tensor.level_buffers[1:], strict=True):
            before = level.before(fibers, dim, own)
            for (lo, hi), ends in zip(pairwise(fibers), pairwise(before), strict=True):
                found = level.between(int(lo), int(hi), dim, own)
                assert found == ends
                assert {type(one) for one in found} == {int}
            fibers = before


def test_stretches_are_parts(tensors: dict[str, Tensor]) -> None:
    told = {name: one for name, one in tensors.items() if is_stretch(one.format.levels)}
    assert "dense" in told
    assert not {*told} & {"csr", "bitmap", "vbl"}
    for tensor in told.values():
        (values,) = tensor.buffers
        width = len(values) // tensor.dims[0]
        for lo, hi in [(0, 2), (3, 3), (1, 6)]:
            (found,) = part(tensor.format.levels, tensor.dims, tensor.buffers, lo, hi)
            np.testing.assert_array_equal(found, values[lo * width : hi * width])
