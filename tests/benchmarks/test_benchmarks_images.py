"""The benchmarks of images: that kernels by hand are right, and rows are as promised."""

from __future__ import annotations

from itertools import islice, pairwise

import numpy as np
import pytest

from benchmarks import alpha, similarity
from benchmarks.peers import opencv

LIBRARIES = {"numpy", "opencv"} if opencv() else {"numpy"}


def _images(*shape):
    """Images of short runs, two thirds of them paper."""
    rng = np.random.default_rng(0)
    colours = rng.integers(0, 256, shape, dtype=np.uint8)
    return np.repeat(np.where(rng.random(shape) < 0.67, np.uint8(255), colours), 3, axis=-1)


@pytest.mark.long
def test_blends_of_runs_are_checked():
    rows = list(alpha.blended("random", list(pairwise(_images(3, 6, 5))), 0.01, ("rle",)))
    assert _cases(rows) == {"rle random", "picked auto random", "picked rle random"}
    assert {*alpha.BY_HAND["rle"], *LIBRARIES} == {
        row.peer for row in rows if row.case == "rle random"
    }
    assert all(row.checked for row in rows)


@pytest.mark.long
def test_distances_of_lists_are_checked(monkeypatch):
    monkeypatch.setattr(similarity, "BY_HAND", {"list": similarity.BY_HAND["list"]})
    rows = list(islice(similarity.pairs("random", _images(8, 5, 4), 0.01), 4))
    assert _cases(rows) == {"list random"}
    assert all(row.checked for row in rows)


@pytest.mark.long
@pytest.mark.parametrize("shape", [(6, 5), (3, 4, 5)], ids=["images", "stacks"])
def test_blends_of_several_images_are_checked(shape):
    pairs = list(pairwise(_images(3, *shape)))
    rows = list(alpha.blended("random", pairs, 0.01, (*alpha.FORMATS, "packbits")))
    peers = {case: {row.peer for row in rows if row.case == case} for case in _cases(rows)}
    assert all(
        peers[f"{format} random"] == {*by_hand, *LIBRARIES}
        for format, by_hand in alpha.BY_HAND.items()
    )
    assert peers["packbits random"] == peers["picked auto random"] == LIBRARIES
    assert {row.variant for row in rows} == {"kernel", "whole call"}
    assert all(row.checked for row in rows)


@pytest.mark.long
def test_distances_of_all_pairs_are_checked():
    rows = list(similarity.pairs("random", _images(8, 5, 4), 0.01))
    assert {"vbl random", "rle random", "picked auto random", "picked fill random"} <= _cases(rows)
    assert {"handwritten", "hand, uint8", "scipy", *LIBRARIES} <= {row.peer for row in rows}
    assert all(row.checked for row in rows)


def _cases(rows):
    return {row.case for row in rows}
