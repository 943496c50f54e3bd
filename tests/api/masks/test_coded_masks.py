"""Masks in COCO's code: known codes, round trips, and measures beside NumPy."""

from __future__ import annotations

import numpy as np
import pytest

import structarr as sa
from structarr import masks


@pytest.fixture(autouse=True)
def _interpreted():
    with sa.options(tier="interpreted"):
        yield


def _batch(shape, share, seed=0):
    return np.random.default_rng(seed).random(shape) < share


def _lengths(mask):
    """The lengths of runs down the columns, those of zeros first."""
    flat = np.concatenate(([False], mask.T.reshape(-1)))
    ends = np.append(np.flatnonzero(flat[1:] != flat[:-1]), mask.size)
    return np.diff(ends, prepend=0).tolist()


@pytest.mark.parametrize("size", [(5, 7), (1, 9), (9, 1), (1, 1), (13, 4)])
@pytest.mark.parametrize("share", [0, 0.1, 0.5, 0.9, 1])
def test_codes_come_back(size, share):
    batch = _batch((3, *size), share)
    lengths = [{"size": size, "counts": _lengths(one)} for one in batch]
    found = masks.from_rle(lengths)
    assert found.shape == batch.shape and found.dtype == bool
    np.testing.assert_array_equal(found.todense(), batch)
    codes = masks.to_rle(found)
    assert codes == masks.to_rle(batch)
    np.testing.assert_array_equal(masks.from_rle(codes).todense(), batch)
    texts = [{**code, "counts": code["counts"].decode()} for code in codes]
    np.testing.assert_array_equal(masks.from_rle([lengths[0], *texts[1:]]).todense(), batch)


@pytest.mark.parametrize("counts", [[3, 4, 50, 6], b"34b12", "34b12"])
def test_one_code_is_one_mask(counts):
    code = {"size": [9, 7], "counts": counts}
    found = masks.from_rle(code)
    assert found.shape == (9, 7)
    assert masks.to_rle(found) == [{"size": [9, 7], "counts": b"34b12"}]
    np.testing.assert_array_equal(found.todense(), masks.from_rle([code]).todense()[0])


def test_known_codes():
    mask = np.zeros((3, 4), np.uint8)
    assert masks.to_rle(mask) == [{"size": [3, 4], "counts": b"<"}]
    mask[1, 2] = 1
    assert masks.to_rle(mask) == [{"size": [3, 4], "counts": b"714"}]
    tall = np.zeros((1000, 1), np.uint8)
    tall[500:510] = 1
    # 500 in two groups of five bits, 10, and 490
    assert masks.to_rle(tall)[0]["counts"] == b"d?:Z?"


@pytest.mark.parametrize("size", [(6, 8), (1, 5), (5, 1)])
def test_measures(size):
    one, other = _batch((4, *size), 0.4), _batch((3, *size), 0.6, 1)
    one[0] = False
    stored = masks.from_rle(masks.to_rle(one))
    assert masks.area(stored).tolist() == one.sum(axis=(1, 2)).tolist()
    for box, mask in zip(masks.bbox(stored), one, strict=True):
        y, x = np.nonzero(mask)
        wanted = [x.min(), y.min(), np.ptp(x) + 1, np.ptp(y) + 1] if len(x) else [0] * 4
        assert box.tolist() == wanted
    common = (one[:, None] & other).sum(axis=(2, 3))
    union = (one[:, None] | other).sum(axis=(2, 3))
    np.testing.assert_array_equal(masks.iou(stored, other), common / union)
    crowd = masks.iou(stored, other, [1, 0, 1])
    own = one.sum(axis=(1, 2))[:, None]
    wanted = np.where([True, False, True], common / np.maximum(own, 1), common / union)
    np.testing.assert_array_equal(crowd, wanted)
    np.testing.assert_array_equal(masks.merge(other).todense(), other.any(axis=0))
    np.testing.assert_array_equal(masks.merge(other, intersect=True).todense(), other.all(axis=0))
    np.testing.assert_array_equal((stored[1] | stored[2]).todense(), one[1] | one[2])


@pytest.mark.parametrize("height", [1, 63, 64, 65, 128, 200])
@pytest.mark.parametrize("share", [0, 0.02, 0.5, 0.98, 1])
def test_merges_of_columns_of_several_words(height, share):
    for count in (1, 2, 5):
        batch = _batch((count, height, 6), share, count)
        batch[:, :, 1] = [True] * height
        batch[0, :, 2] = False
        batch[:, height // 3 : height // 2, 3] = True
        batch[-1, : height // 2, 4] = False
        found = masks.merge(batch)
        assert found.dtype == bool and found.shape == (height, 6)
        np.testing.assert_array_equal(found.todense(), batch.any(axis=0))
        common = masks.merge(batch, intersect=True)
        np.testing.assert_array_equal(common.todense(), batch.all(axis=0))
        assert masks.to_rle(common) == masks.to_rle(batch.all(axis=0))  # runs are maximal


def test_batches_without_masks():
    assert masks.from_rle([]).shape == (0, 0, 0)
    assert masks.to_rle(np.zeros((0, 3, 4))) == []
    assert masks.area(np.zeros((0, 3, 4))).shape == (0,)
    assert masks.iou(np.zeros((0, 3, 4)), np.ones((2, 3, 4))).shape == (0, 2)
    with pytest.raises(ValueError, match="no masks"):
        masks.merge(np.zeros((0, 3, 4)))


@pytest.mark.parametrize(
    ("code", "message"),
    [
        ({"size": [2, 2], "counts": [1, 2]}, "code 1 do not add up to its 2 \\* 2"),
        ({"size": [2, 2], "counts": [1, 4]}, "do not add up"),
        ({"size": [2, 2], "counts": [5, -1]}, "do not add up"),
        ({"size": [2, 2], "counts": b""}, "do not add up"),
        ({"size": [2, 2], "counts": b"\xff\xff"}, "do not add up"),
        ({"size": [2, 3], "counts": [6]}, "of one size"),
        ({"size": [-2, -2], "counts": [4]}, "of one size"),
    ],
)
def test_wrong_codes_are_refused(code, message):
    with pytest.raises(ValueError, match=message):
        masks.from_rle([{"size": [2, 2], "counts": [4]}, code])


def test_what_is_no_batch_is_refused():
    with pytest.raises(ValueError, match=r"\(masks, height, width\)"):
        masks.area(np.zeros(3))
    with pytest.raises(ValueError, match="of their size"):
        masks.iou(np.zeros((1, 2, 3)), np.zeros((1, 3, 2)))
    with pytest.raises(ValueError, match="iscrowd has a value for each of the 1 masks"):
        masks.iou(np.zeros((1, 2, 3)), np.zeros((1, 2, 3)), [0, 1])


def test_masks_may_have_any_fill():
    batch = _batch((2, 5, 6), 0.5)
    inverted = ~sa.asarray(batch, format="sparse-rle")
    assert inverted.fill_value and masks.to_rle(inverted) == masks.to_rle(~batch)
