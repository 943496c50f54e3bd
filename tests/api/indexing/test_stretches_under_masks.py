"""`image[mask]` with a mask of runs copies stretches: no element outside of it is looked at."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import structarr as sa
from structarr._api.core import gathering

RANDOM = np.random.default_rng(0)
IMAGE = RANDOM.integers(0, 9, (40, 120))
MASK = np.zeros((40, 120), bool)
MASK[3:20, 10:90] = True
MASK[5:9, 100:] = True
MASK[30, :] = True


@pytest.mark.parametrize("format", ["sparse-rle", "interval", "rle", "csr", "dense", "bitmap"])
@pytest.mark.parametrize("dtype", [np.int64, np.float32, np.uint8, bool, complex])
def test_elements_are_numpys(format: str, dtype: Any) -> None:
    mask = MASK & (np.arange(120) < 100) if format == "interval" else MASK
    image = IMAGE.astype(dtype)
    made = sa.asarray(image)[sa.asarray(mask, format=format)]
    assert made.dtype == dtype and np.array_equal(np.asarray(made), image[mask])


def test_masks_of_other_shapes() -> None:
    for mask in (np.zeros((40, 120), bool), np.ones((40, 120), bool), MASK.T.copy().T):
        made = sa.asarray(IMAGE)[sa.asarray(mask, format="sparse-rle")]
        assert np.array_equal(np.asarray(made), IMAGE[mask])
    cube = np.stack([MASK, ~MASK, MASK[::-1]])
    images = RANDOM.random(cube.shape)
    assert np.array_equal(
        np.asarray(sa.asarray(images)[sa.asarray(cube, format="sparse-rle")]), images[cube]
    )
    line = MASK[3]
    assert np.array_equal(
        np.asarray(sa.asarray(IMAGE[3])[sa.asarray(line, format="sparse-rle")]), IMAGE[3][line]
    )
    turned = np.asfortranarray(IMAGE)
    assert np.array_equal(
        np.asarray(sa.asarray(turned)[sa.asarray(MASK, format="sparse-rle")]), turned[MASK]
    )


def test_false_may_be_stored() -> None:
    mask = sa.asarray(MASK, format="sparse-rle")
    hidden = sa.where(mask, sa.asarray(IMAGE > 4, format="rle"), False)
    assert np.array_equal(np.asarray(sa.asarray(IMAGE)[hidden]), IMAGE[MASK & (IMAGE > 4)])


def test_runs_are_neither_spelled_out_nor_listed(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("dense_of", "dense_to_read", "places_of", "coordinates", "entries_of", "elements"):
        monkeypatch.setattr(gathering, name, None)
    made = sa.asarray(IMAGE)[sa.asarray(MASK, format="sparse-rle")]
    assert np.array_equal(np.asarray(made), IMAGE[MASK])
