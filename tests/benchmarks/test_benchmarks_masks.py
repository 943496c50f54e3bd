"""The benchmark of masks: that rows are checked, and memory is counted."""

from __future__ import annotations

import numpy as np
import pytest

from benchmarks import masks, masks_labels, masks_memory, masks_race, masks_scans
from benchmarks.everyday_timing import Contender

VARIANTS = {"runs", "from pixels", "bytes peak"}


def _rows(cases):
    return [row for case in cases for row in masks_race.compared(case, 0.001)]


@pytest.mark.long
def test_pages_are_checked():
    page = np.random.default_rng(0).random((30, 40)) < 0.6
    rows = _rows(masks_scans.cases("random", page, True))
    assert {row.variant for row in rows} == VARIANTS
    assert {"scipy", "numpy"} <= {row.peer for row in rows}
    assert all(row.checked for row in rows)


@pytest.mark.long
def test_maps_of_labels_are_checked():
    labels = np.random.default_rng(0).integers(0, 4, (20, 30)).astype(np.uint8)
    rows = _rows(masks_labels.cases("random", labels))
    assert {row.case.rpartition(", ")[0] for row in rows} >= {"overlaps", "distances"}
    assert all(row.checked for row in rows)
    assert "overlaps" in masks.summary(rows)


def test_peaks_of_memory_are_counted():
    size = 1 << 24
    assert masks_memory.peak(Contender(lambda: np.ones(size, np.uint8), tuple)) > 0.9 * size
    assert masks_memory.peak(Contender(lambda: None, tuple)) < 0.1 * size


def test_maps_are_alike_however_they_are_numbered():
    assert masks_race.alike(np.array([0, 1, 2, 2]), np.array([0, 7, 3, 3]))
    assert not masks_race.alike(np.array([0, 1, 2, 2]), np.array([0, 1, 1, 1]))
    assert not masks_race.alike(np.array([0, 1]), np.array([1, 0]))
