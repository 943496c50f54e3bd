"""Openings and closings by boxes, whose rows stay packed between both steps, beside SciPy."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.ndimage as ndi
from hypothesis import given, settings, strategies as st

import structarr as sa
from structarr import ndimage
from structarr._api.images import blocks, boxes

STEPS = {
    "binary_erosion": ["erosion"],
    "binary_dilation": ["dilation"],
    "binary_opening": ["erosion", "dilation"],
    "binary_closing": ["dilation", "erosion"],
}


def _by_steps(name, image, size, origin, border, times):
    """What SciPy finds step by step; with a margin, as it reads beyond images that boxes exceed."""
    margin = [(n + 1, n + 1) for n in size]
    inner = tuple(slice(n + 1, n + 1 + m) for n, m in zip(size, image.shape, strict=True))
    for step in STEPS[name]:
        for _ in range(times):
            wide = np.pad(image, margin, constant_values=bool(border))
            found = getattr(ndi, f"binary_{step}")(
                wide, np.ones(size), border_value=border, origin=origin
            )
            image = found[inner]
    return image


@st.composite
def _cases(draw):
    ndim = draw(st.integers(1, 3))
    wide = draw(st.sampled_from([1, 2, 7, 62, 63, 64, 65, 127, 128, 129, 190]))
    shape = (*draw(st.tuples(*[st.integers(1, 9)] * (ndim - 1))), wide)
    rng = np.random.default_rng(draw(st.integers(0, 999)))
    image = rng.random(shape) < draw(st.sampled_from([0, 0.05, 0.5, 0.9, 1]))
    image = np.repeat(image, draw(st.sampled_from([1, 5])), axis=-1)[..., :wide]
    rows = [1, 1, 2, 3, 5]
    along = [1, 2, 3, 7, 18, 50, 63, 64, 66, 130] if ndim < 3 else [1, 2, 3, 17]
    size = tuple(draw(st.sampled_from(along if k == ndim - 1 else rows)) for k in range(ndim))
    origin = 0
    if draw(st.booleans()):
        origin = tuple(draw(st.integers(-(n // 2), (n - 1) // 2)) for n in size)
    return image, size, origin


@pytest.mark.parametrize("name", STEPS)
@pytest.mark.parametrize("packed", [True, False])
@settings(max_examples=40, deadline=None, derandomize=True)
@given(case=_cases(), border=st.integers(0, 1), times=st.integers(1, 2), block=st.integers(1, 500))
def test_boxes_beside_steps(name, packed, case, border, times, block):
    image, size, origin = case
    with pytest.MonkeyPatch.context() as patch, sa.options(tier="interpreted"):
        patch.setattr(boxes, "packs", lambda image, size: packed)
        patch.setattr(blocks, "BLOCK", block)
        array = sa.asarray(image, format="sparse-rle")
        options = {"size": size, "origin": origin, "border_value": border, "iterations": times}
        found = getattr(ndimage, name)(array, **options)
        wanted = _by_steps(name, image, size, origin, border, times)
        np.testing.assert_array_equal(found.todense(), wanted)


@pytest.mark.parametrize("name", STEPS)
@pytest.mark.parametrize("size", [(3, 3), (5, 1), (1, 5), (2, 66), (40, 3)])
def test_wide_pages_in_machine_code(name, size):
    rng = np.random.default_rng(0)
    image = np.repeat(rng.random((70, 700)) < 0.7, 7, axis=1)  # rows of more than 64 words
    with sa.options(tier="compiled"):
        found = getattr(ndimage, name)(sa.asarray(image, format="sparse-rle"), size=size)
    np.testing.assert_array_equal(found.todense(), _by_steps(name, image, size, 0, 0, 1))


def test_runs_of_results_do_not_touch():
    rng = np.random.default_rng(0)
    image = rng.random((40, 300)) < 0.4
    for name in STEPS:
        for size in ((3, 3), (1, 4), (6, 1)):
            found = getattr(ndimage, name)(image, size=size)
            again = sa.asarray(found.todense(), format="sparse-rle")
            assert found.nstored == again.nstored
