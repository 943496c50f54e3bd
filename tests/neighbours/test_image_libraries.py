"""Images and maps of labels beside scikit-image, cc3d, OpenCV and Pillow."""

from __future__ import annotations

import numpy as np
import pytest

import structarr as sa
from structarr import ndimage

measure = pytest.importorskip("skimage.measure", reason="the extra masks brings it")
SHAPES = [(14, 17), (3, 40), (40, 3), (5, 6, 7)]


def _labels(shape, share, seed=0):
    rng = np.random.default_rng(seed)
    coarse = rng.integers(0, 4, tuple(-(-n // 3) for n in shape))
    for axis, n in enumerate(shape):
        coarse = np.repeat(coarse, 3, axis=axis).take(range(n), axis=axis)
    return np.where(rng.random(shape) < share, coarse, 0) * 5


@pytest.mark.parametrize("share", [0.3, 0.8, 1])
@pytest.mark.parametrize("shape", SHAPES)
def test_components_of_equal_values(shape, share):
    cc3d = pytest.importorskip("cc3d")
    labels = _labels(shape, share)
    for connectivity in range(1, len(shape) + 1):
        wanted, count = measure.label(labels, return_num=True, connectivity=connectivity)
        found, number = ndimage.label(labels, connectivity=connectivity, by_value=True)
        assert number == count
        np.testing.assert_array_equal(found.todense(), wanted)
    near = {2: 4, 3: 6}[len(shape)]
    found = ndimage.label(labels, by_value=True)[1]
    assert cc3d.connected_components(labels, connectivity=near, return_N=True)[1] == found


@pytest.mark.parametrize("share", [0.3, 0.8, 1])
@pytest.mark.parametrize("shape", SHAPES)
def test_properties(shape, share):
    labels = _labels(shape, share)
    image = np.random.default_rng(1).random(shape)
    names = ["label", "area", "intensity_mean", "intensity_min", "intensity_max"]
    split = {"bbox": 2 * len(shape), "centroid": len(shape)}
    if len(shape) == 2:
        names.append("perimeter")
    wanted = measure.regionprops_table(labels, image, properties=[*names, *split])
    found = ndimage.regions(labels, image, [*names[1:], *split])
    for name in names:
        np.testing.assert_allclose(found[name], wanted[name], rtol=1e-12)
    for name, parts in split.items():
        columns = np.stack([wanted[f"{name}-{k}"] for k in range(parts)], axis=1)
        np.testing.assert_allclose(found[name], columns, rtol=1e-12)


@pytest.mark.parametrize("share", [0.3, 1])
def test_moments(share):
    labels = _labels((14, 17), share)
    names = ("moments", "moments_central")
    wanted = measure.regionprops_table(labels, properties=names)
    found = ndimage.regions(labels, properties=names)
    for name in names:
        for p in range(4):
            for q in range(4):
                theirs = wanted[f"{name}-{p}-{q}"]
                np.testing.assert_allclose(found[name][:, p, q], theirs, rtol=1e-9, atol=1e-7)


@pytest.mark.parametrize("share", [0.3, 0.8, 1])
@pytest.mark.parametrize("shape", SHAPES)
def test_boundaries_overlaps_new_labels_and_specks(shape, share):
    from skimage.metrics import contingency_table
    from skimage.morphology import remove_small_objects
    from skimage.segmentation import find_boundaries, relabel_sequential

    labels, others = _labels(shape, share), _labels(shape, 0.9, seed=2)
    narrow = labels.astype(np.int16)  # the largest of wider labels is none of its floats
    for mode in ("thick", "inner", "outer"):
        for near in range(1, labels.ndim + 1):
            wanted = find_boundaries(narrow, connectivity=near, mode=mode)
            found = ndimage.find_boundaries(labels, mode, connectivity=near)
            np.testing.assert_array_equal(found.todense(), wanted)
    wanted = contingency_table(labels, others).toarray()
    np.testing.assert_array_equal(ndimage.contingency_table(labels, others).todense(), wanted)
    wanted = relabel_sequential(labels)[0]
    np.testing.assert_array_equal(ndimage.relabel(labels)[0].todense(), wanted)
    for size in (0, 1, 4, 30):
        for image in (labels, labels > 0):
            wanted = remove_small_objects(image, max_size=size)
            found = ndimage.remove_small_objects(image, size)
            np.testing.assert_array_equal(found.todense(), wanted)


def test_boxes_of_opencv():
    cv2 = pytest.importorskip("cv2")
    page = (np.random.default_rng(0).random((40, 50)) < 0.7).astype(np.uint8)
    for size in ((3, 3), (1, 7), (7, 1), (5, 9)):
        box = np.ones(size, np.uint8)
        wanted = cv2.erode(page, box, borderType=cv2.BORDER_CONSTANT, borderValue=0)
        np.testing.assert_array_equal(ndimage.binary_erosion(page, size=size).todense(), wanted)


@pytest.mark.parametrize("mode", ["1", "L", "RGB", "I;16", "F"])
def test_images_of_pillow_have_their_axes(mode):
    """Pillow offers Arrow's arrays of their elements, too, which have one axis."""
    image = pytest.importorskip("PIL.Image")
    levels = np.arange(12, dtype=np.uint8).reshape(3, 4) * 20
    made = image.fromarray(levels).convert(mode)
    for found in (sa.asarray(made), sa.asarray(made, format="sparse-rle")):
        np.testing.assert_array_equal(found.todense(), np.asarray(made))
    if mode != "RGB":
        np.testing.assert_array_equal(np.add(sa.ones((3, 4)), made), 1 + np.asarray(made))


def test_files_of_pillow(tmp_path):
    pillow = pytest.importorskip("PIL.Image")
    path = tmp_path / "page.tif"
    rng = np.random.default_rng(0)
    for shape in ((1, 1), (14, 17), (70, 130), (3, 2000)):
        page = np.repeat(rng.random(shape) < 0.3, 5, axis=1)
        ndimage.write_tiff(path, sa.asarray(page, format="sparse-rle"))
        with pillow.open(path) as read:
            assert read.info["compression"] == "packbits"
            np.testing.assert_array_equal(~np.asarray(read), page)
        for white in (0, 1):
            ours = ~page if white else page
            pillow.fromarray(ours).save(path, compression="packbits", tiffinfo={262: white})
            with pillow.open(path) as read:
                wanted = ~np.asarray(read)
            np.testing.assert_array_equal(ndimage.read_tiff(path).todense(), wanted)


def test_files_of_bytes_of_pillow(tmp_path):
    pillow = pytest.importorskip("PIL.Image")
    path = tmp_path / "page.tif"
    rng = np.random.default_rng(0)
    for shape in ((1, 1), (14, 17), (70, 130), (3, 2000)):
        page = np.repeat(rng.integers(0, 4, shape), 3, axis=1).astype(np.uint8) * 85
        ndimage.write_tiff(path, sa.asarray(page, format="sparse-rle"), bits=8)
        with pillow.open(path) as read:
            assert read.info["compression"] == "packbits" and read.mode == "L"
            np.testing.assert_array_equal(np.asarray(read), page)
        pillow.fromarray(page).save(path, compression="packbits")
        np.testing.assert_array_equal(ndimage.read_tiff(path).todense(), page)
        numbers = pillow.fromarray(page, "P")
        numbers.putpalette(list(range(256)) * 3)
        numbers.save(path, compression="packbits")
        np.testing.assert_array_equal(ndimage.read_tiff(path).todense(), page)


def test_functions_that_would_write_into_a_copy_of_ours_raise():
    morphology = pytest.importorskip("skimage.morphology")
    image = sa.asarray(_labels((14, 17), 0.3), format="csr")
    with pytest.raises((ValueError, TypeError), match=r"read-only|Multiple namespaces"):
        morphology.dilation(image)
    dense = np.asarray(image)
    np.testing.assert_array_equal(morphology.dilation(dense), morphology.dilation(image.todense()))
    if np.lib.NumpyVersion(np.__version__) >= "2.4.0":
        with pytest.raises(TypeError, match=r"give a NumPy array|Multiple namespaces"):
            morphology.remove_small_objects(image != 0, max_size=2)
