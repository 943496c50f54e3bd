"""TIFF files of one page: their fields, and the bytes of their strips."""

from __future__ import annotations

import struct
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

PACKBITS: Final = 32773
"""The compression of runs of bytes."""
_WIDTH, _LENGTH, _BITS, _COMPRESSION, _PHOTOMETRIC = 256, 257, 258, 259, 262
_OFFSETS, _SAMPLES, _ROWS, _COUNTS = 273, 277, 278, 279
_ORDER = 266
_SIZES: Final = {1: "B", 3: "H", 4: "I"}  # the types of fields that are read
_LEAST: Final = 8
_PALETTE: Final = 3  # samples are the numbers of colours


class TiffError(ValueError):
    """A file that is no TIFF, is damaged, or holds something that is not read here."""


@dataclass(frozen=True)
class Strips:
    """
    A page of one sample an element.

    Attributes
    ----------
    shape : tuple of int
        Its height and width.
    rows : int
        The rows of each strip, of which the last may have fewer.
    strips : sequence of bytes
        What is stored of each.
    is_zero_white : bool
        Whether 0 stands for white, so that bits of 1 are ink.
    bits : {1, 8}
        Of an element.
    """

    shape: tuple[int, int]
    rows: int
    strips: Sequence[bytes]
    is_zero_white: bool
    bits: int = 1


def parsed(data: bytes) -> Strips:
    """
    Read the first page of a TIFF file.

    Raises
    ------
    TiffError
        With the place of what is wrong.
    """
    order = {b"II*\0": "<", b"MM\0*": ">"}.get(data[:4])
    if order is None:
        raise TiffError("this is no TIFF file: it begins neither with II nor with MM")
    fields = _fields(data, order)
    height, width = _one(fields, _LENGTH, "ImageLength"), _one(fields, _WIDTH, "ImageWidth")
    kind = _one(fields, _COMPRESSION, "Compression", 1)
    bits = _one(fields, _BITS, "BitsPerSample", 1)
    samples = _one(fields, _SAMPLES, "SamplesPerPixel", 1)
    if kind != PACKBITS or bits not in (1, 8) or samples != 1:
        raise TiffError(
            f"pages of a sample of 1 or 8 bits compressed by PackBits ({PACKBITS}) are read, not "
            f"of {samples} of {bits} bits and compression {kind}"
        )
    if _one(fields, _ORDER, "FillOrder", 1) != 1:
        raise TiffError("bits are read from the highest on: FillOrder 2 is not")
    photometric = _one(fields, _PHOTOMETRIC, "PhotometricInterpretation", 0)
    if photometric not in (0, 1) and (photometric, bits) != (_PALETTE, 8):
        raise TiffError(
            "samples are from black to white, or from white to black, or 8 bits that number "
            f"colours, not photometric interpretation {photometric}"
        )
    offsets, counts = fields.get(_OFFSETS, ()), fields.get(_COUNTS, ())
    rows = min(_one(fields, _ROWS, "RowsPerStrip", height), max(height, 1))
    needed = -(-height // rows) if rows else -1
    if len(offsets) != needed or len(counts) != needed:
        raise TiffError(f"{height} rows in strips of {rows} do not lie in {len(offsets)} strips")
    strips = [_part(data, at, size) for at, size in zip(offsets, counts, strict=True)]
    return Strips((height, width), rows, strips, photometric == 0, bits)


def file_of(page: Strips) -> bytes:
    """The TIFF file of a page."""
    height, width = page.shape
    sizes = [len(one) for one in page.strips]
    offsets, at = [], _LEAST
    for size in sizes:
        offsets.append(at)
        at += size
    entries = {
        _WIDTH: [width],
        _LENGTH: [height],
        _BITS: [page.bits],
        _COMPRESSION: [PACKBITS],
        _PHOTOMETRIC: [0 if page.is_zero_white else 1],
        _OFFSETS: offsets,
        _SAMPLES: [1],
        _ROWS: [page.rows],
        _COUNTS: sizes,
    }
    content = b"".join(page.strips)
    start = _LEAST + len(content)
    pad = start % 2
    head = struct.pack("<4sI", b"II*\0", start + pad)
    return head + content + b"\0" * pad + _directory(entries, start + pad)


def _directory(entries: Mapping[int, Sequence[int]], start: int) -> bytes:
    """The list of fields, and behind it the values that have no place in it."""
    behind = start + 2 + 12 * len(entries) + 4
    lines, more = [struct.pack("<H", len(entries))], b""
    for tag, values in sorted(entries.items()):
        packed = struct.pack(f"<{len(values)}I", *values)
        if len(values) > 1:
            packed, more = struct.pack("<I", behind + len(more)), more + packed
        lines.append(struct.pack("<HHI4s", tag, 4, len(values), packed.ljust(4, b"\0")))
    return b"".join([*lines, struct.pack("<I", 0), more])


def _fields(data: bytes, order: str) -> dict[int, tuple[int, ...]]:
    """The fields of the first directory that are whole numbers."""
    (start,) = _unpacked(data, order + "I", 4)
    (count,) = _unpacked(data, order + "H", start)
    found: dict[int, tuple[int, ...]] = {}
    for k in range(count):
        at = start + 2 + 12 * k
        tag, kind, length = _unpacked(data, order + "HHI", at)
        if kind not in _SIZES:
            continue
        form = f"{order}{length}{_SIZES[kind]}"
        if struct.calcsize(form) > len(data):
            raise TiffError(f"field {tag} has more values than the file has bytes")
        inside = struct.calcsize(form) <= 4
        place = at + 8 if inside else _unpacked(data, order + "I", at + 8)[0]
        found[tag] = _unpacked(data, form, place)
    return found


def _one(fields: Mapping[int, Any], tag: int, name: str, default: int | None = None) -> int:
    values = fields.get(tag)
    if values:
        return int(values[0])
    if default is None:
        raise TiffError(f"the field {name} is missing")
    return default


def _unpacked(data: bytes, form: str, at: int) -> tuple[int, ...]:
    if at + struct.calcsize(form) > len(data):
        raise TiffError(f"the file ends before byte {at + struct.calcsize(form)}")
    return struct.unpack_from(form, data, at)


def _part(data: bytes, at: int, size: int) -> bytes:
    if at + size > len(data):
        raise TiffError(f"the file ends within a strip, before byte {at + size}")
    return data[at : at + size]
