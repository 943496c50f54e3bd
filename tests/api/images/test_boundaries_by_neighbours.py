"""Boundaries of regions, beside a look at each neighbour of each element."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

import structarr as sa
from structarr import ndimage

SHAPES = [(9,), (1,), (7, 9), (6, 1), (1, 8), (4, 5, 6), (3, 4, 1)]


def _neighbours(labels, connectivity):
    """The labels of one neighbour of each element after the other, -1 outside of the image."""
    wide = np.pad(labels.astype(np.int64), 1, constant_values=-1)
    for steps in product((-1, 0, 1), repeat=labels.ndim):
        if 0 < np.count_nonzero(steps) <= connectivity:
            yield wide[
                tuple(slice(1 + s, 1 + s + n) for s, n in zip(steps, labels.shape, strict=True))
            ]


def _wanted(labels, mode, connectivity):
    thick = np.zeros(labels.shape, bool)
    for other in _neighbours(labels, connectivity):
        thick |= (other >= 0) & (other != labels)
    if mode == "thick":
        return thick
    if mode == "inner":
        return thick & (labels != 0)
    met = np.zeros(labels.shape, bool)
    for other in _neighbours(labels, labels.ndim):
        met |= (other > 0) & (other != labels)
    return thick & ((labels == 0) | met)


@pytest.mark.parametrize("tier", ["interpreted", "compiled"])
@pytest.mark.parametrize("shape", SHAPES)
def test_boundaries_of_each_mode_and_connectivity(shape, tier):
    for seed, share in enumerate((0, 0.4, 0.8, 1)):
        rng = np.random.default_rng(seed)
        labels = (rng.integers(1, 4, shape) * (rng.random(shape) < share)).astype(np.uint8)
        for dtype in (np.uint8, np.int64, np.bool_):
            image = labels.astype(dtype)
            for mode, connectivity in product(
                ("thick", "inner", "outer"), range(1, len(shape) + 1)
            ):
                with sa.options(tier=tier):
                    found = ndimage.find_boundaries(image, mode, connectivity=connectivity)
                assert found.format == "sparse-rle"
                wanted = _wanted(image.astype(np.int64), mode, connectivity)
                np.testing.assert_array_equal(found.todense(), wanted)


def test_what_is_no_mode_or_connectivity_is_refused():
    image = np.eye(3, dtype=int)
    with pytest.raises(ValueError, match='mode is "thick", "inner" or "outer"'):
        ndimage.find_boundaries(image, "subpixel")
    for connectivity in (0, 3):
        with pytest.raises(ValueError, match="connectivity is from 1 to 2"):
            ndimage.find_boundaries(image, connectivity=connectivity)
