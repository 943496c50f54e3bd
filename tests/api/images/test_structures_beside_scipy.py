"""Erosion, dilation and what is made of them by structures of any shape, beside SciPy."""

from __future__ import annotations

import inspect

import numpy as np
import pytest
import scipy.ndimage as ndi
from hypothesis import given, settings, strategies as st
from hypothesis.extra.numpy import arrays

import structarr as sa
from structarr import ndimage
from structarr._api.images import boxes
from structarr._api.images.structures import boxes_of

OPERATIONS = ("binary_erosion", "binary_dilation", "binary_opening", "binary_closing")
SHAPES = [(11,), (9, 12), (1, 7), (7, 1), (4, 5, 6), (0, 4), (4, 0)]


@pytest.fixture(autouse=True)
def _interpreted():
    with sa.options(tier="interpreted"):
        yield


def _images(shape):
    rng = np.random.default_rng(0)
    return [rng.random(shape) < share for share in (0.1, 0.5, 0.9, 1)]


STEPS = {
    "binary_erosion": [ndi.binary_erosion],
    "binary_dilation": [ndi.binary_dilation],
    "binary_opening": [ndi.binary_erosion, ndi.binary_dilation],
    "binary_closing": [ndi.binary_dilation, ndi.binary_erosion],
}


def _same(name, image, **given):
    found = getattr(ndimage, name)(sa.asarray(image, format="sparse-rle"), **given)
    assert found.format == "sparse-rle"
    np.testing.assert_array_equal(found.todense(), getattr(ndi, name)(image, **given), name)


def _same_by_steps(name, image, iterations, **given):
    """SciPy's own iterations go from row to row where a structure is wider than its image."""
    found = getattr(ndimage, name)(image, iterations=iterations, **given).todense()
    for step in STEPS[name]:
        for _ in range(iterations):
            image = step(image, **given)
    np.testing.assert_array_equal(found, image, name)


@pytest.mark.parametrize("name", OPERATIONS)
@pytest.mark.parametrize("shape", SHAPES)
def test_by_default_structures_are_crosses(name, shape):
    for image in _images(shape):
        _same(name, image)
        _same(name, image, border_value=1)
        if image.size:  # SciPy does not come to an end there
            _same(name, image, iterations=3)
            _same(name, image, iterations=-1)


@pytest.mark.parametrize("packed", [True, False])
@settings(max_examples=150, deadline=None, derandomize=True)
@given(data=st.data())
def test_any_structure(packed, data):
    ndim = data.draw(st.integers(1, 3))
    image = data.draw(arrays(bool, data.draw(st.tuples(*[st.integers(1, 6)] * ndim))))
    structure = data.draw(arrays(bool, data.draw(st.tuples(*[st.integers(1, 4)] * ndim))))
    structure.flat[data.draw(st.integers(0, structure.size - 1))] = True
    origin = tuple(data.draw(st.integers(-(n // 2), (n - 1) // 2)) for n in structure.shape)
    options = {"structure": structure, "origin": origin}
    options["border_value"] = data.draw(st.integers(0, 1))
    options["iterations"] = data.draw(st.integers(1, 3))
    if data.draw(st.booleans()):
        options["mask"] = data.draw(arrays(bool, image.shape))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(boxes, "packs", lambda image, size: packed)
        for name in OPERATIONS:
            _same_by_steps(name, image, **options)


@settings(max_examples=100, deadline=None, derandomize=True)
@given(structure=st.tuples(st.integers(1, 4), st.integers(1, 5)).flatmap(lambda n: arrays(bool, n)))
def test_boxes_cover_a_structure(structure):
    if not structure.any():
        with pytest.raises(ValueError, match="has no element that is set"):
            boxes_of(structure, 0)
        return
    covered = np.zeros_like(structure)
    middle = [n // 2 for n in structure.shape]
    for (top, bottom), (left, right) in boxes_of(structure, 0):
        rows = slice(top + middle[0], bottom + middle[0] + 1)
        columns = slice(left + middle[1], right + middle[1] + 1)
        assert structure[rows, columns].all()
        covered[rows, columns] = True
    np.testing.assert_array_equal(covered, structure)


def test_a_cross_is_as_many_lines_as_there_are_axes():
    for ndim in (1, 2, 3):
        assert len(boxes_of(ndi.generate_binary_structure(ndim, 1), 0)) == ndim


@pytest.mark.parametrize("rank", [0, 1, 2, 3])
def test_neighbours(rank):
    for connectivity in range(4):
        wanted = ndi.generate_binary_structure(rank, connectivity)
        found = ndimage.generate_binary_structure(rank, connectivity)
        np.testing.assert_array_equal(found, wanted)


def test_boxes_over_and_over_are_larger_boxes():
    rng = np.random.default_rng(0)
    image = rng.random((30, 40)) < 0.8
    for name in OPERATIONS:
        for iterations in (1, 2, 5, 50):
            for size, origin in ((3, 0), ((2, 4), 0), ((3, 2), (1, -1))):
                box = np.ones(np.broadcast_to(size, 2), bool)
                for border in (0, 1):
                    given = {"iterations": iterations, "origin": origin, "border_value": border}
                    found = getattr(ndimage, name)(image, size=size, **given)
                    wanted = getattr(ndi, name)(image, box, **given)
                    np.testing.assert_array_equal(found.todense(), wanted)


def test_what_is_no_structure_is_refused():
    image = np.ones((3, 4), bool)
    for name in OPERATIONS:
        ours = getattr(ndimage, name)
        with pytest.raises(ValueError, match="a number is given by its name, size="):
            ours(image, 3)
        with pytest.raises(ValueError, match="not both"):
            ours(image, np.ones((3, 3)), size=3)
        with pytest.raises(ValueError, match="outside of the structure"):
            ours(image, origin=2)
        with pytest.raises(ValueError, match="one for each axis"):
            ours(image, origin=(1, 0, 0))
        with pytest.raises(ValueError, match="shape of the image"):
            ours(image, mask=image[:2])
        with pytest.raises(TypeError):
            ours(image, iterations=1.5)


def test_names_of_arguments_are_scipys():
    for name in OPERATIONS:
        theirs = inspect.signature(getattr(ndi, name)).parameters
        ours = inspect.signature(getattr(ndimage, name)).parameters
        assert set(ours) - set(theirs) == {"size"}
        assert list(ours)[:3] == list(theirs)[:3]


@settings(max_examples=100, deadline=None, derandomize=True)
@given(data=st.data())
def test_propagation_and_holes(data):
    ndim = data.draw(st.integers(1, 3))
    shape = data.draw(st.tuples(*[st.integers(1, 6)] * ndim))
    image, mask = data.draw(arrays(bool, shape)), data.draw(arrays(bool, shape))
    structure = data.draw(arrays(bool, (3,) * ndim))
    structure[(1,) * ndim] = True
    near = [ndi.generate_binary_structure(ndim, k + 1) for k in range(ndim)]
    for one in (None, *near, structure):
        for border in (0, 1):
            for where in (mask, None):
                given = {"structure": one, "mask": where, "border_value": border}
                _same("binary_propagation", image, **given)
        for origin in (0, 1) if min(shape) > 2 else (0,):
            _same("binary_fill_holes", image, structure=one, origin=origin)


@settings(max_examples=150, deadline=None, derandomize=True)
@given(data=st.data())
def test_components_by_any_neighbours(data):
    ndim = data.draw(st.integers(1, 3))
    shape = data.draw(st.tuples(*[st.integers(1, 7)] * ndim))
    image = data.draw(arrays(np.uint8, shape, elements=st.integers(0, 3)))
    near = data.draw(arrays(bool, (3,) * ndim))
    near |= np.flip(near)
    near[(1,) * (ndim - 1)] = True
    try:
        found, count = ndimage.label(image, near)
    except ValueError as error:
        assert "the neighbour between two" in str(error)
        return
    wanted, number = ndi.label(image, near)
    assert count == number
    np.testing.assert_array_equal(found.todense(), wanted)
    labels = ndimage.label(image, near, by_value=True)[0].todense()
    every = [ndi.label(image == value, near)[0] for value in (1, 2, 3)]
    assert len(np.unique(labels[labels > 0])) == sum(one.max() for one in every)
    for one in every:
        for number in range(1, one.max() + 1):
            assert len(np.unique(labels[one == number])) == 1


def test_neighbours_that_runs_do_not_have_are_refused():
    image = np.ones((4, 4), bool)
    for near, told in (
        ([[0, 1, 0]] * 3, "along the last axis"),
        ([[1, 0, 1], [1, 1, 1], [1, 0, 1]], "the neighbour between two"),
        ([[1, 0, 0], [1, 1, 1], [0, 0, 0]], "the same on opposite sides"),
        (np.ones((5, 5)), "three elements along each axis"),
        (2, "structure has an axis for each"),
    ):
        with pytest.raises(ValueError, match=told):
            ndimage.label(image, near)
    for call in (ndimage.binary_fill_holes, ndimage.binary_propagation):
        with pytest.raises(ValueError, match="structure has an axis for each"):
            call(image, 2)
