"""TIFF files compressed by PackBits: round trips, and files that are damaged."""

from __future__ import annotations

import struct

import numpy as np
import pytest

import structarr as sa
from structarr import ndimage


@pytest.fixture(autouse=True)
def _interpreted():
    with sa.options(tier="interpreted"):
        yield


@pytest.mark.parametrize("shape", [(1, 1), (1, 9), (9, 1), (3, 8), (70, 21), (2, 1200)])
def test_pages_come_back(shape, tmp_path):
    rng = np.random.default_rng(0)
    path = tmp_path / "page.tif"
    for share in (0, 0.02, 0.4, 0.98, 1):
        page = rng.random(shape) < share
        ndimage.write_tiff(path, page)
        found = ndimage.read_tiff(path)
        assert found.format == "sparse-rle" and found.dtype == bool
        np.testing.assert_array_equal(found.todense(), page)


@pytest.mark.parametrize("shape", [(1, 1), (1, 9), (9, 1), (70, 21), (2, 1200), (3, 129)])
def test_pages_of_bytes_come_back(shape, tmp_path):
    rng = np.random.default_rng(0)
    path = tmp_path / "page.tif"
    noise = rng.integers(0, 256, shape).astype(np.uint8)
    steps = np.sort(rng.integers(0, 4, shape), axis=1).astype(np.uint8) * 80
    pairs = np.repeat(noise, 2, axis=1)[:, : shape[1]]
    for page in (noise, noise % 2, steps, 255 - steps, pairs, np.zeros_like(noise)):
        for given in (page, sa.asarray(page, format="sparse-rle"), sa.asarray(page, format="rle")):
            ndimage.write_tiff(path, given, bits=8)
            found = ndimage.read_tiff(path)
            assert found.format == "sparse-rle" and found.dtype == np.uint8
            np.testing.assert_array_equal(found.todense(), page)
    ndimage.write_tiff(path, page > 0, bits=8)
    np.testing.assert_array_equal(ndimage.read_tiff(path).todense(), page > 0)


def test_bytes_take_a_code_for_each_run(tmp_path):
    page = np.zeros((100, 1000), np.uint8)
    page[:, 300:600] = 7
    ndimage.write_tiff(tmp_path / "page.tif", page, bits=8)
    # 300, 300 and 400 elements in codes of 128 at most: 3, 3 and 4 of two bytes each
    assert (tmp_path / "page.tif").stat().st_size < 100 * 20 + 200


def _file(strip, width=8, height=1, compression=32773, photometric=0, bits=1, order="<"):
    """A file of one strip, made by hand."""
    fields = [(256, width), (257, height), (258, bits), (259, compression), (262, photometric),
              (273, 8), (278, height), (279, len(strip))]  # fmt: skip
    start = 8 + len(strip)
    head = struct.pack(order + "2sHI", b"II" if order == "<" else b"MM", 42, start)
    entries = [struct.pack(order + "HHII", tag, 4, 1, value) for tag, value in fields]
    return head + strip + struct.pack(order + "H", len(fields)) + b"".join(entries) + b"\0" * 4


@pytest.mark.parametrize("order", ["<", ">"])
def test_codes_are_literal_repeated_or_nothing(order, tmp_path):
    path = tmp_path / "page.tif"
    # 128 stands for nothing; one byte as it is; a byte twice, over the ends of rows
    path.write_bytes(_file(bytes([128, 0, 0b10100000, 255, 255]), 8, 3, order=order))
    wanted = [[1, 0, 1, 0, 0, 0, 0, 0], [1] * 8, [1] * 8]
    assert ndimage.read_tiff(path).todense().astype(int).tolist() == wanted
    path.write_bytes(_file(bytes([0, 0b10100000]), 4, photometric=1, order=order))
    assert ndimage.read_tiff(path).todense().astype(int).tolist() == [[0, 1, 0, 1]]
    for photometric, wanted in enumerate([[[246, 255], [255, 255]], [[9, 0], [0, 0]], None]):
        if wanted is not None:
            content = _file(bytes([0, 9, 128, 254, 0]), 2, 2, photometric=photometric, bits=8)
            path.write_bytes(content)
            assert ndimage.read_tiff(path).tolist() == wanted


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"GIF89a", "no TIFF file"),
        (b"II*\0", "the file ends before byte 8"),
        (_file(b"\0\0")[:-30], "the file ends before byte"),
        (_file(b"\0\0", compression=4), "compression 4"),
        (_file(b"\0\0", bits=4), "not of 1 of 4 bits"),
        (_file(b"\0\0", photometric=3), "photometric interpretation 3"),
        (_file(b"\0\0", bits=8), "strip 0 does not hold as many bytes as its rows"),
        (_file(b"\xf8\0\0", bits=8), "strip 0 does not hold as many bytes as its rows"),
        (_file(b"\xf9", bits=8), "strip 0 does not hold as many bytes as its rows"),
        (_file(b"\0\0", photometric=2), "photometric interpretation 2"),
        (_file(b"\0\0", height=2), "strip 0 does not hold as many bytes as its rows"),
        (_file(b"\0\0\0\0"), "strip 0 does not hold as many bytes as its rows"),
        (_file(b"\x05\0"), "strip 0 does not hold as many bytes as its rows"),
        (_file(b"\x00"), "strip 0 does not hold as many bytes as its rows"),
    ],
)
def test_damaged_files_are_refused(content, message, tmp_path):
    path = tmp_path / "page.tif"
    path.write_bytes(content)
    with pytest.raises(ValueError, match=message):
        ndimage.read_tiff(path)


@pytest.mark.parametrize("bits", [1, 8])
def test_every_byte_may_be_wrong(bits, tmp_path):
    """No damage of one byte does more than raise or give another page."""
    page = np.random.default_rng(1).random((5, 30)) < 0.5
    path = tmp_path / "page.tif"
    ndimage.write_tiff(path, page, bits=bits)
    content = path.read_bytes()
    for place in range(len(content)):
        for value in (0, 1, 127, 129, 255):
            path.write_bytes(content[:place] + bytes([value]) + content[place + 1 :])
            try:
                found = ndimage.read_tiff(path)
            except ValueError:
                continue
            assert found.ndim == 2


def test_what_is_no_page_is_not_written(tmp_path):
    for image in (np.ones(3), np.ones((0, 3))):
        with pytest.raises(ValueError, match="two axes"):
            ndimage.write_tiff(tmp_path / "page.tif", image)
    with pytest.raises(ValueError, match="an element has 1 bit or 8, not 2"):
        ndimage.write_tiff(tmp_path / "page.tif", np.ones((2, 3), np.uint8), bits=2)
    with pytest.raises(TypeError, match="of dtype uint8, not int64"):
        ndimage.write_tiff(tmp_path / "page.tif", np.ones((2, 3), np.int64), bits=8)
