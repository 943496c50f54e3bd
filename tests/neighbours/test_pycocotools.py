"""Masks beside pycocotools, bit for bit."""

from __future__ import annotations

import numpy as np
import pytest

import structarr as sa
from structarr import masks

coco = pytest.importorskip("pycocotools.mask", reason="the extra masks brings it")

SIZES = [(5, 7), (1, 9), (9, 1), (1, 1), (30, 40), (64, 48)]


def _coded(size, share, count, seed):
    rng = np.random.default_rng(seed)
    pixels = (rng.random((*size, count)) < share).astype(np.uint8)
    if seed % 2:  # runs that are longer than a column
        pixels = np.repeat(pixels, 3, axis=1)[:, : size[1]]
    return pixels, coco.encode(np.asfortranarray(pixels))


@pytest.mark.parametrize("tier", ["interpreted", "compiled"])
@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("share", [0, 0.02, 0.5, 0.98, 1])
def test_all_of_it(tier, size, share):
    with sa.options(tier=tier):
        for seed in range(2):
            pixels, codes = _coded(size, share, 5, seed)
            batch = masks.from_rle(codes)
            np.testing.assert_array_equal(batch.todense(), np.moveaxis(pixels, -1, 0))
            assert masks.to_rle(batch) == codes
            assert masks.area(batch).tobytes() == coco.area(codes).tobytes()
            assert masks.bbox(batch).tobytes() == coco.toBbox(codes).tobytes()
            for intersect in (False, True):
                (merged,) = masks.to_rle(masks.merge(batch, intersect))
                assert merged == coco.merge(codes, intersect)
            _, others = _coded(size, 0.4, 3, seed + 10)
            for crowd in ([0, 0, 0], [1, 0, 1]):
                found = masks.iou(batch, masks.from_rle(others), crowd)
                wanted = np.ascontiguousarray(coco.iou(codes, others, crowd))
                assert found.tobytes() == wanted.tobytes()
