"""Morphology, components, holes and distances of runs, beside SciPy on pixels."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.ndimage as ndi

import structarr as sa
from structarr import ndimage
from structarr._api.images import blocks, boxes
from structarr._api.images.blocks import packs

SHAPES = [(23,), (1, 9), (9, 1), (1, 1), (14, 17), (4, 5, 6), (1, 5, 6), (4, 1, 6), (4, 5, 1)]
SHARES = (0, 0.3, 0.65, 0.95, 1)


@pytest.fixture(autouse=True)
def _interpreted():
    with sa.options(tier="interpreted"):
        yield


def _images(shape):
    rng = np.random.default_rng(len(shape))
    return [rng.random(shape) < share for share in SHARES]


@pytest.mark.parametrize("packed", [True, False])
@pytest.mark.parametrize("operation", ["erosion", "dilation", "opening", "closing"])
@pytest.mark.parametrize("shape", SHAPES[:6])
def test_boxes_and_lines_of_any_size(operation, shape, packed, monkeypatch):
    monkeypatch.setattr(boxes, "packs", lambda image, size: packed)
    ours = getattr(ndimage, f"binary_{operation}")
    theirs = getattr(ndi, f"binary_{operation}")
    sizes = [1, 2, 3, 8, tuple(range(1, len(shape) + 1)), (4,) + (1,) * (len(shape) - 1)]
    for image in _images(shape)[1:4]:
        stored = sa.asarray(image, format="sparse-rle")
        for size in sizes:
            box = np.ones(size if isinstance(size, tuple) else (size,) * len(shape))
            found = ours(stored, size=size)
            assert found.format.levels[-2].kind == stored.format.levels[-2].kind
            np.testing.assert_array_equal(found.todense(), theirs(image, box))


@pytest.mark.parametrize("operation", ["erosion", "dilation"])
@pytest.mark.parametrize("width", [1, 63, 64, 65, 130])
def test_packed_rows_of_any_width(operation, width, monkeypatch):
    monkeypatch.setattr(boxes, "packs", lambda image, size: True)
    rng = np.random.default_rng(width)
    noise = rng.random((3, 5, width)) < 0.5
    noise[:, 2] = False  # a row without runs
    noise[1, 3:], noise[1, :2] = True, False
    for image in (noise, ~noise, np.zeros_like(noise), np.ones_like(noise)):
        for size in ((1, 2, 3), (2, 1, 1), (3, 4, 70), (1, 9, 1), (9, 3, 1)):
            found = getattr(ndimage, f"binary_{operation}")(image, size=size)
            wanted = getattr(ndi, f"binary_{operation}")(image, np.ones(size))
            assert found.format == "sparse-rle"
            np.testing.assert_array_equal(found.todense(), wanted)


@pytest.mark.parametrize("operation", ["erosion", "dilation"])
@pytest.mark.parametrize("shape", [(37, 70), (23, 4, 11), (19, 3, 66), (41, 3)])
def test_images_of_many_blocks(operation, shape, monkeypatch):
    monkeypatch.setattr(boxes, "packs", lambda image, size: True)
    monkeypatch.setattr(blocks, "BLOCK", 1)  # blocks are twice as high as boxes
    rng = np.random.default_rng(len(shape))
    noise = rng.random(shape) < (0.3 if operation == "dilation" else 0.8)
    noise[5:9] = noise[14] = operation == "erosion"
    noise[-9:-5] = False
    ours, theirs = getattr(ndimage, f"binary_{operation}"), getattr(ndi, f"binary_{operation}")
    for size in ((2, 3), (3, 1), (4, 2), (7, 5), (1, 1), (11, 2)):
        box = (*size[:1], 2, *size[1:]) if len(shape) == 3 else size
        if any(n > length for n, length in zip(box, shape, strict=True)):
            continue  # SciPy reads beyond its image
        for origin in (0, [(n - 1) // 2 for n in box], [-(n // 2) for n in box]):
            wanted = theirs(noise, np.ones(box), origin=origin)
            found = ours(noise, np.ones(box), origin=origin)
            np.testing.assert_array_equal(found.todense(), wanted)


def test_boxes_on_images_without_elements():
    for shape in ((0, 5), (5, 0), (2, 0, 3)):
        assert ndimage.binary_closing(np.zeros(shape, bool), size=3).shape == shape


def test_rows_are_packed_where_runs_are_many():
    many = sa.asarray(np.tile([True, False, True], (4, 40)), format="sparse-rle")
    few = sa.zeros((4, 10**6), dtype=bool, format="sparse-rle")
    assert packs(many, 3) and not packs(few, 3)
    assert not ndimage.binary_dilation(few, size=3).any()


def test_labels_have_the_dtype_that_is_asked_for():
    image = np.random.default_rng(0).random((20, 30)) < 0.3
    wanted, count = ndi.label(image)
    assert ndimage.label(image)[0].dtype == wanted.dtype
    for dtype in ("uint8", "int16", np.uint16, np.int64, np.uint64):
        labels, found = ndimage.label(image, None, dtype)
        assert labels.dtype == dtype and found == count
        np.testing.assert_array_equal(labels.todense(), wanted)
    assert ndimage.label([1, 1, 1, 1], output="int8")[0].tolist() == [1, 1, 1, 1]
    many = np.tile([True, False], 200)
    with pytest.raises(ValueError, match="200 components do not fit into int8"):
        ndimage.label(many, output="int8")
    assert ndimage.label(many.reshape(2, -1).T, output="int8")[1] == 100  # of 200 runs
    for refused in (float, np.zeros((20, 30), int)):
        with pytest.raises(TypeError):
            ndimage.label(image, output=refused)


@pytest.mark.parametrize("shape", SHAPES)
def test_components_are_numbered_as_scipy_does(shape):
    for image in _images(shape):
        for connectivity in range(1, len(shape) + 1):
            near = ndi.generate_binary_structure(len(shape), connectivity)
            wanted, count = ndi.label(image, near)
            labels, found = ndimage.label(image, connectivity=connectivity)
            assert found == count
            np.testing.assert_array_equal(labels.todense(), wanted)


@pytest.mark.parametrize("shape", SHAPES)
def test_components_of_equal_elements(shape):
    rng = np.random.default_rng(len(shape))
    for most in (2, 3, 6):  # few zeros lie between runs: most of them touch others in their row
        image = rng.integers(0, most + 1, shape).astype(np.int16)
        for connectivity in range(1, len(shape) + 1):
            near = ndi.generate_binary_structure(len(shape), connectivity)
            labels, found = ndimage.label(image, connectivity=connectivity, by_value=True)
            labels = labels.todense()
            wanted = np.zeros(shape, np.int64)
            for value in range(1, most + 1):
                own, _ = ndi.label(image == value, near)
                wanted += np.where(own, own + wanted.max(), 0)
            first = np.unique(wanted, return_index=True)[1][int(wanted.min() == 0) :]
            assert found == len(first)
            order = np.zeros(wanted.max() + 1, np.int64)
            order[wanted.reshape(-1)[np.sort(first)]] = np.arange(1, found + 1)
            np.testing.assert_array_equal(labels, order[wanted])


@pytest.mark.parametrize("shape", SHAPES)
def test_holes_are_what_does_not_reach_the_border(shape):
    for image in _images(shape):
        for connectivity in range(1, len(shape) + 1):
            near = ndi.generate_binary_structure(len(shape), connectivity)
            found = ndimage.binary_fill_holes(sa.asarray(image, format="rle"), near)
            np.testing.assert_array_equal(found.todense(), ndi.binary_fill_holes(image, near))


@pytest.mark.parametrize("metric", ["taxicab", "cityblock", "manhattan", "chessboard"])
@pytest.mark.parametrize("shape", SHAPES)
def test_distances(shape, metric):
    for image in _images(shape):
        found = ndimage.distance_transform_cdt(image, metric)
        np.testing.assert_array_equal(found.todense(), ndi.distance_transform_cdt(image, metric))


@pytest.mark.parametrize("shape", [*SHAPES, (40, 37), (3, 2, 20)])
def test_euclidean_distances(shape):
    rng = np.random.default_rng(len(shape))
    uneven = tuple(rng.uniform(0.2, 3, len(shape)))
    for image in _images(shape):
        if image.all():
            assert np.isposinf(ndimage.distance_transform_edt(image).todense()).all()
            continue
        stored = sa.asarray(image, format="sparse-rle")
        found = ndimage.distance_transform_edt(stored).todense()
        assert found.dtype == np.float64
        np.testing.assert_array_equal(found, ndi.distance_transform_edt(image))
        for sampling in (0.7, uneven):
            wanted = ndi.distance_transform_edt(image, sampling)
            found = ndimage.distance_transform_edt(stored, sampling)
            np.testing.assert_allclose(found.todense(), wanted, rtol=1e-13)


def test_euclidean_distances_of_few_elements_of_background():
    rng = np.random.default_rng(5)
    for shape in [(30, 41), (41, 30), (9, 10, 11)]:
        image = np.ones(shape, bool)
        image[tuple(rng.integers(0, n, 3) for n in shape)] = False
        found = ndimage.distance_transform_edt(image)
        np.testing.assert_array_equal(found.todense(), ndi.distance_transform_edt(image))


def test_elements_may_lie_ever_so_far_apart_along_an_axis():
    image = np.array([[1, 1, 1, 1], [1, 1, 1, 0], [1, 1, 1, 1], [0, 1, 1, 1], [1, 1, 1, 1]], bool)
    rows, columns = np.indices(image.shape)
    for down, along in [(1e100, 1e-100), (1e-100, 1e100), (1e100, 1e100), (1e-100, 1e-100)]:
        found = ndimage.distance_transform_edt(image, (down, along)).todense()
        ways = [np.hypot((rows - y) * down, (columns - x) * along) for y, x in np.argwhere(~image)]
        np.testing.assert_allclose(found, np.min(ways, axis=0), rtol=1e-12)


@pytest.mark.parametrize("sampling", [0, -1, np.nan, np.inf, 1e-200, (1, 2, 3), ((1, 2),)])
def test_elements_lie_a_positive_number_apart(sampling):
    with pytest.raises(ValueError, match="sampling is a positive number, or one for each of the 2"):
        ndimage.distance_transform_edt(np.eye(3), sampling)


def test_euclidean_distances_where_there_are_no_elements():
    for shape in [(0,), (0, 3), (3, 0), (2, 0, 3)]:
        assert ndimage.distance_transform_edt(np.zeros(shape)).shape == shape


@pytest.mark.parametrize("dtype", ["int8", "uint8", "int16", "uint16", "int32", "uint32", "int64"])
def test_regions_of_labels_of_any_dtype(dtype):
    labels = np.array([[0, 9, 9, 0], [4, 4, 9, 0], [4, 0, 0, 7]], dtype)
    image = np.arange(12.0).reshape(3, 4)
    names = ("area", "bbox", "centroid", "intensity_sum", "intensity_mean", "intensity_max")
    for given in (image, sa.asarray(image, format="rle")):
        found = ndimage.regions(labels, given, names)
        assert found["label"].dtype == dtype and found["label"].tolist() == [4, 7, 9]
        assert found["area"].tolist() == [3, 1, 3]
        assert found["bbox"].tolist() == [[1, 0, 3, 2], [2, 3, 3, 4], [0, 1, 2, 3]]
        np.testing.assert_allclose(found["intensity_mean"], ndi.mean(image, labels, [4, 7, 9]))
        np.testing.assert_allclose(found["intensity_max"], ndi.maximum(image, labels, [4, 7, 9]))
        np.testing.assert_allclose(found["intensity_sum"], ndi.sum(image, labels, [4, 7, 9]))
        middles = ndi.center_of_mass(labels > 0, labels, [4, 7, 9])
        np.testing.assert_allclose(found["centroid"], middles)


def test_regions_where_there_are_none():
    found = ndimage.regions(np.zeros((3, 4), np.int32))
    assert found["area"].shape == (0,) and found["bbox"].shape == (0, 4)
    table = ndimage.contingency_table(np.zeros((3, 4), np.int32), np.zeros((3, 4), np.int8))
    assert table.tolist() == [[12]]


def test_moments_are_sums_of_powers():
    labels = np.zeros((9, 12), np.int32)
    labels[2:7, 3:9], labels[4, 9:11] = 5, 5
    found = ndimage.regions(labels, properties=("moments", "moments_central", "perimeter"))
    y, x = np.nonzero(labels)
    for origin, name in (((2, 3), "moments"), ((y.mean(), x.mean()), "moments_central")):
        wanted = [[((y - origin[0]) ** p * (x - origin[1]) ** q).sum() for q in range(4)]
                  for p in range(4)]  # fmt: skip
        np.testing.assert_allclose(found[name][0], wanted, atol=1e-9)


def test_overlaps_count_the_background():
    rng = np.random.default_rng(0)
    one, other = rng.integers(0, 4, (6, 7)), rng.integers(0, 3, (6, 7)) * 100
    wanted = np.zeros((4, 201), np.int64)
    np.add.at(wanted, (one, other), 1)
    found = ndimage.contingency_table(sa.asarray(one, format="rle"), other)
    assert found.format == "csr"
    np.testing.assert_array_equal(found.todense(), wanted)


def test_overlaps_of_many_labels():
    rng = np.random.default_rng(0)
    one, other = (rng.permutation(100).reshape(4, 25) for _ in range(2))
    wanted = np.zeros((100, 100), np.int64)
    wanted[one, other] = 1
    found = ndimage.contingency_table(one, other)
    assert found.nstored == 100
    np.testing.assert_array_equal(found.todense(), wanted)


def test_new_labels():
    labels = np.array([[0, -3, -3], [500, 500, 8]])
    numbered, values = ndimage.relabel(labels)
    assert values.tolist() == [-3, 8, 500] and numbered.todense().tolist() == [[0, 1, 1], [3, 3, 2]]
    mapped = ndimage.map_labels(numbered, np.array([0, 2.5, 2.5, 0]))
    assert mapped.todense().tolist() == [[0, 2.5, 2.5], [0, 0, 2.5]] and mapped.nstored == 2
    with pytest.raises(IndexError, match="index 3 is out of bounds for axis 0 of values"):
        ndimage.map_labels(numbered, [0, 1])
    with pytest.raises(ValueError, match="label 0 being 0"):
        ndimage.map_labels(numbered, [1, 1, 1, 1])


def test_pages_are_levelled_by_moving_columns_and_rows():
    rng = np.random.default_rng(1)
    page = rng.random((30, 40)) < 0.4
    for angle in (0.0, 3.0, -8.0, 20.0):
        np.testing.assert_array_equal(ndimage.deskew(page, angle).todense(), _sheared(page, angle))
    lines = np.zeros((90, 120), bool)
    lines[20:70:10] = True
    turned = ndimage.deskew(lines, -2.0)
    assert abs(ndimage.skew_angle(turned) - 2.0) < 0.3
    assert ndimage.skew_angle(np.zeros((5, 5))) == 0
    assert ndimage.deskew(np.zeros((3, 0), bool), 1.0).shape == (3, 0)


def _sheared(page, angle):
    height, width = page.shape
    slope = np.tan(np.radians(angle))
    level, found = np.zeros_like(page), np.zeros_like(page)
    for x in range(width):
        shift = int(np.rint((x - width // 2) * slope))
        for y in range(max(0, -shift), min(height, height - shift)):
            level[y, x] = page[y + shift, x]
    for y in range(height):
        shift = int(np.rint((y - height // 2) * slope))
        for x in range(max(0, shift), min(width, width + shift)):
            found[y, x] = level[y, x - shift]
    return found


def test_images_without_elements():
    for shape in ((0, 4), (4, 0), (2, 0, 3)):
        for dtype in (bool, np.int16):
            image = np.zeros(shape, dtype)
            assert ndimage.distance_transform_cdt(image).shape == shape
            assert ndimage.binary_fill_holes(image).shape == shape
            assert ndimage.label(image)[1] == 0
            assert ndimage.find_objects(image) == []
            assert len(ndimage.regions(image)["label"]) == 0


def test_images_may_have_any_fill():
    image = np.random.default_rng(0).integers(0, 3, (6, 7))
    for fill in (1, 2):
        stored = sa.asarray(image, format="sparse-rle", fill_value=fill)
        assert stored.fill_value == fill
        np.testing.assert_array_equal(ndimage.label(stored)[0].todense(), ndi.label(image)[0])
        found = ndimage.regions(stored)["area"]
        assert found.tolist() == np.bincount(image.reshape(-1))[1:].tolist()
    inverted = ~sa.asarray(image > 0, format="sparse-rle")
    np.testing.assert_array_equal(ndimage.label(inverted)[0].todense(), ndi.label(image == 0)[0])


def test_what_cannot_be_an_image_is_refused():
    image = np.ones((3, 4), np.int32)
    with pytest.raises(ValueError, match="an axis at least"):
        ndimage.label(1)
    with pytest.raises(ValueError, match="one to three axes"):
        ndimage.label(np.ones((1, 1, 1, 1)))
    with pytest.raises(ValueError, match="connectivity is from 1 to 2"):
        ndimage.label(image, connectivity=3)
    with pytest.raises(ValueError, match="size is a positive number"):
        ndimage.binary_erosion(image, size=(1, 0))
    with pytest.raises(ValueError, match="size is a positive number"):
        ndimage.binary_dilation(image, size=(1, 2, 3))
    with pytest.raises(TypeError, match="labels are integers"):
        ndimage.regions(image * 0.5)
    with pytest.raises(ValueError, match="no property 'colour'"):
        ndimage.regions(image, properties=["colour"])
    with pytest.raises(ValueError, match="of images of two axes"):
        ndimage.regions(image[None], properties=["perimeter"])
    with pytest.raises(ValueError, match="of an image"):
        ndimage.regions(image, properties=["intensity_mean"])
    with pytest.raises(ValueError, match="the shape of the labels"):
        ndimage.regions(image, image[:2], ["intensity_mean"])
    with pytest.raises(TypeError, match="real numbers"):
        ndimage.regions(image, image * 1j, ["intensity_mean"])
    with pytest.raises(ValueError, match="equal shapes"):
        ndimage.contingency_table(image, image[:2])
    with pytest.raises(ValueError, match="not below 0"):
        ndimage.contingency_table(-image, image)
    with pytest.raises(ValueError, match="mode is"):
        ndimage.find_boundaries(image, "subpixel")
    with pytest.raises(ValueError, match="metric is one of"):
        ndimage.distance_transform_cdt(image, "euclidean")
    with pytest.raises(ValueError, match="two axes"):
        ndimage.skew_angle(image[0])
    with pytest.raises(ValueError, match="45 degrees"):
        ndimage.deskew(image, 60)
    with pytest.raises(ValueError, match="above 0"):
        ndimage.skew_angle(image, step=0)
    with pytest.raises(AttributeError, match="no attribute 'labell'"):
        ndimage.labell  # noqa: B018


@pytest.mark.parametrize("share", [0.05, 0.5, 0.95, 1.0])
@pytest.mark.parametrize("shape", [(40,), (30, 50), (7, 20, 33), (1, 1), (0, 3), (5, 1), (3, 4, 1)])
def test_the_nearest_of_the_background(shape: tuple[int, ...], share: float) -> None:
    """Of several one, which SciPy may choose otherwise."""
    random = np.random.default_rng(0)
    inside = random.random(shape) < share
    for sampling in (None, 0.7, tuple(random.uniform(0.5, 2, len(shape)))):
        distances, indices = ndimage.distance_transform_edt(inside, sampling, return_indices=True)
        alone = ndimage.distance_transform_edt(
            inside, sampling, return_distances=False, return_indices=True
        )
        places = np.asarray(indices)
        assert (places.dtype, places.shape) == (np.int32, (len(shape), *shape))
        np.testing.assert_array_equal(places, np.asarray(alone))
        if inside.all():
            assert (places == -1).all()
            continue
        assert not inside[tuple(places)].any()
        steps = np.broadcast_to(1.0 if sampling is None else sampling, len(shape))
        apart = (places - np.indices(shape)) * steps.reshape(-1, *[1] * len(shape))
        wanted = ndi.distance_transform_edt(inside, sampling)
        np.testing.assert_allclose(np.sqrt((apart**2).sum(axis=0)), wanted)
        np.testing.assert_allclose(np.asarray(distances), wanted)


def test_something_is_to_be_returned() -> None:
    with pytest.raises(ValueError, match="at least one of return_distances and return_indices"):
        ndimage.distance_transform_edt(np.eye(3), return_distances=False)


def test_one_property_is_asked_for_by_its_name() -> None:
    found = ndimage.regions(np.array([[0, 3, 3], [5, 3, 0]]), properties="area")
    assert list(found) == ["label", "area"]
    assert found["area"].tolist() == [3, 1]
