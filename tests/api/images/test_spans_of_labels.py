"""Regions whose labels are few and close together, or spread widely: measured alike."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from structarr import ndimage

PLACES = np.random.default_rng(3).integers(0, 6, (9, 31)).repeat(3, axis=1)


@pytest.mark.parametrize(
    "labels",
    [
        np.array([0, 1, 2, 4, 5, 9], np.uint8),
        np.array([0, -3, -2, 1, 2, 7], np.int16),
        np.array([0, 1, 5_000, 70_000, 70_001, 2**40], np.int64),
        np.array([0, -(2**63), -(2**63) + 1, -(2**63) + 4, -(2**63) + 5, -(2**63) + 9], np.int64),
        np.array([0, 2**63 - 2, 2**63 - 1, 2**63, 2**63 + 1, 2**64 - 1], np.uint64),
        np.array([0, 2**63, 2**63 + 1, 2**63 + 2, 2**63 + 3, 2**63 + 9], np.uint64),
        np.array([False, True, True, True, True, True]),
    ],
    ids=["close", "negative", "wide", "least", "unsigned", "large", "truth"],
)
def test_regions_are_those_of_each_label(labels: Any) -> None:
    image = labels[PLACES]
    found = ndimage.regions(image)
    there = np.unique(image)
    there = there[there != 0]
    assert found["label"].tolist() == there.tolist()
    assert found["label"].dtype == image.dtype
    for k, label in enumerate(there):
        y, x = np.nonzero(image == label)
        assert found["area"][k] == len(y)
        assert found["bbox"][k].tolist() == [y.min(), x.min(), y.max() + 1, x.max() + 1]
        assert np.allclose(found["centroid"][k], [y.mean(), x.mean()])


def test_regions_of_a_table_are_those_of_numbers() -> None:
    image = np.zeros((4, 5, 6), np.int32)
    image[1:3, 2, 1:5], image[0], image[3, 4, 5] = 200, 3, 255
    names = ("area", "bbox", "centroid")
    few, more = ndimage.regions(image), ndimage.regions(image, image, (*names, "intensity_max"))
    assert all(np.array_equal(few[name], more[name]) for name in ("label", *names))
    assert more["intensity_max"].tolist() == [3, 200, 255]


@pytest.mark.parametrize("connectivity", [1, 2, 3])
def test_components_whose_parts_meet_late(connectivity: int) -> None:
    """Combs and spirals, whose teeth are united one after the other, in any order."""
    scipy = pytest.importorskip("scipy.ndimage")
    comb = np.zeros((5, 40, 41), np.uint8)
    comb[:, :, ::2] = 1
    comb[-1, -1] = 1
    stairs = np.indices((5, 40, 41)).sum(axis=0) % 7 < 3
    for image in (
        comb,
        comb[:, ::-1],
        comb[::-1],
        stairs,
        np.random.default_rng(1).random((6, 30, 31)) < 0.35,
    ):
        cross = scipy.generate_binary_structure(3, connectivity)
        wanted, count = scipy.label(image, cross)
        found, own = ndimage.label(image, connectivity=connectivity)
        assert own == count
        assert np.array_equal(found.todense(), wanted)


def test_relabelling_narrow_labels_that_are_far_apart() -> None:
    labels = np.random.default_rng(5).integers(-100, 100, (8, 50)).astype(np.int8)
    numbered, values = ndimage.relabel(labels)
    assert np.array_equal(np.append(values, 0)[numbered.todense() - 1], labels)
