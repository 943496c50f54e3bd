"""Pictures: PNG, PBM and their kin by Pillow, TIFF by tifffile, of which PackBits stays packed."""

from __future__ import annotations

import struct
from pathlib import Path
from typing import IO, Any, Final

import numpy as np

from structarr._storage.dense import from_dense
from structarr._storage.tensor import Tensor
from structarr.errors import FormatError
from structarr.formats import Dense, Element, Format, PackBits
from structarr.formats.entries import Array
from structarr.interop.files import replacing
from structarr.interop.foreign import AsStored
from structarr.interop.foreign_files import check_announced
from structarr.interop.pack_bits import packed, unpacked

TIFF: Final = (".tif", ".tiff")
_PACKBITS: Final = 32773
_BYTES: Final = {"1": 1, "L": 1, "P": 1, "I;16": 2, "I": 4, "F": 4}


def read(path: Path) -> Tensor:
    """
    Return a picture's elements, with an axis for the bands of a coloured one.

    Black and white is bool. A TIFF of bytes in PackBits is read into the format "packbits" without
    being unpacked.

    Raises
    ------
    FormatError
        If it announces more elements than fit into memory.
    """
    return _tiff(path) if path.suffix.lower() in TIFF else _by_pillow(path)


def _by_pillow(path: Path) -> Tensor:
    from PIL import Image

    with Image.open(path) as image:
        width, height = image.size
        size = _BYTES.get(image.mode, 1) * len(image.getbands())
        check_announced(2.0 * size * width * height, f"a picture of {width} by {height}")
        return from_dense(np.array(image))


def _tiff(path: Path) -> Tensor:
    import tifffile

    with tifffile.TiffFile(path) as file:
        page: Any = file.pages[0]
        check_announced(2.0 * page.nbytes, f"a picture of shape {page.shape}")
        plain = page.dtype == np.uint8 and len(page.shape) == 2 and not page.is_tiled
        if page.compression == _PACKBITS and plain and page.predictor == 1 and page.fillorder == 1:
            return _packed(page, file.filehandle)
        return from_dense(page.asarray())


def _packed(page: Any, file: IO[bytes]) -> Tensor:
    """The segments of all strips; each row begins anew, as the format of files has it."""
    rows, columns = page.shape
    parts = []
    for offset, count in zip(page.dataoffsets, page.databytecounts, strict=True):
        file.seek(offset)
        content = file.read(count)
        if len(content) < count:
            raise FormatError(f"a strip of {count} bytes ends after {len(content)}")
        parts.append(np.frombuffer(content, np.uint8))
    segments = unpacked(parts, rows, columns)
    format = Format(Dense(PackBits(Element())), (0, 1), "int64")
    return Tensor.checked(format, (rows, columns), 0, segments, np.dtype(np.uint8))


def write(path: Path, stored: AsStored) -> None:
    """
    Write a picture; of bytes in the format "packbits", a TIFF's strips as they are stored.

    Raises
    ------
    FormatError
        If the shape or the dtype is none of a picture's.
    """
    tensor = stored(None)
    if not (tensor.ndim == 2 or (tensor.ndim == 3 and tensor.shape[2] in (3, 4))):
        raise FormatError(f"a picture has two axes, or a third of 3 or 4 bands, not {tensor.shape}")
    if path.suffix.lower() in TIFF:
        _write_tiff(path, tensor, stored)
        return
    from PIL import Image

    if tensor.dtype not in (np.bool_, np.uint8, np.uint16):
        raise FormatError(f"a picture has bool, uint8 or uint16, not {tensor.dtype}: astype first")
    kinds = Image.registered_extensions()
    with replacing(path) as file:
        Image.fromarray(_elements(stored)).save(file, kinds[path.suffix.lower()])


def _write_tiff(path: Path, tensor: Tensor, stored: AsStored) -> None:
    import tifffile

    own = tensor.ndim == 2 and isinstance(tensor.format.levels[1], PackBits)
    with replacing(path) as file:
        if own and tensor.dtype == np.uint8 and tensor.format.order == (0, 1):
            file.write(_tiff_of(packed(tensor), *tensor.shape))
        else:
            tifffile.imwrite(file, _elements(stored), metadata=None)


def _tiff_of(strip: bytes, rows: int, columns: int) -> bytes:
    """A TIFF of one strip in PackBits, which tifffile writes with further packages alone."""
    tags = {  # in rising order, as the format has it
        256: columns,
        257: rows,
        258: 8,  # bits of an element
        259: _PACKBITS,
        262: 1,  # zero is black
        273: 8,  # where the strip begins
        277: 1,  # elements of a pixel
        278: rows,
        279: len(strip),
    }
    padding = b"\0" * (len(strip) % 2)
    first = 8 + len(strip) + len(padding)
    entries = b"".join(struct.pack("<HHII", tag, 4, 1, value) for tag, value in tags.items())
    directory = struct.pack("<H", len(tags)) + entries + struct.pack("<I", 0)
    return struct.pack("<2sHI", b"II", 42, first) + strip + padding + directory


def _elements(stored: AsStored) -> Array:
    own = stored("dense")
    values: Array = own.buffers[-1].reshape(own.shape)
    return values
