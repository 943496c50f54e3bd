"""Images, masks and labels under options that change how arrays are made and computed."""

from __future__ import annotations

import numpy as np
import pytest

import structarr as sa
from structarr import masks, ndimage, runs

OPTIONS = [{"default_format": name} for name in ("dense", "csr", "sparse-rle", "coo")]
OPTIONS += [{"strict_ieee": True}, {"deterministic": True}]


@sa.kernel
def _filled(rows):
    found = sa.zeros(rows.shape, dtype=rows.dtype)
    for i in range(rows.shape[0]):
        for start, stop, value in runs(rows[i]):
            found[i, start:stop] = value
    return found


def _results(path):
    rng = np.random.default_rng(0)
    image, labels = rng.random((9, 12)) < 0.6, rng.integers(0, 4, (9, 12))
    yield _filled(labels)
    for name in ("erosion", "dilation", "opening", "closing", "fill_holes", "propagation"):
        yield getattr(ndimage, f"binary_{name}")(image)
    yield ndimage.binary_erosion(image, size=(2, 5), border_value=1)
    yield ndimage.label(image)[0]
    yield ndimage.label(labels, by_value=True)[0]
    yield from ndimage.regions(labels, labels, ("area", "centroid", "intensity_mean")).values()
    yield ndimage.regions(labels, properties="perimeter")["perimeter"]
    yield ndimage.mean(image, labels, [0, 1, 2])
    yield ndimage.find_boundaries(labels)
    yield ndimage.contingency_table(labels, image)
    yield ndimage.relabel(labels * 3)[0]
    yield ndimage.map_labels(labels, [0, 2, 2, 1])
    yield ndimage.remove_small_objects(image, 3)
    yield ndimage.distance_transform_cdt(image)
    yield ndimage.distance_transform_edt(image)
    yield ndimage.deskew(image, 5.0)
    ndimage.write_tiff(path, image)
    yield ndimage.read_tiff(path)
    yield masks.from_rle(masks.to_rle(image))
    yield masks.merge(image[None])
    yield masks.iou(image, ~image)
    yield masks.bbox(image)


@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_results_are_the_same(options, tmp_path):
    wanted = list(_results(tmp_path / "page.tif"))
    with sa.options(**options):
        found = list(_results(tmp_path / "page.tif"))
    for one, other in zip(found, wanted, strict=True):
        np.testing.assert_array_equal(np.asarray(one), np.asarray(other))
