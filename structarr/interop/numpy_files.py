"""Files of NumPy's: .npy of one dense array, .npz of SciPy's, of pydata/sparse, or of our own."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Final
from zipfile import ZipFile

import numpy as np

from structarr._storage.coordinates import from_coordinates
from structarr._storage.dense import from_dense
from structarr._storage.tensor import Tensor
from structarr.errors import FormatError
from structarr.formats import parse
from structarr.interop import files
from structarr.interop.followed_files import for_reading
from structarr.interop.foreign import AsStored
from structarr.interop.foreign_files import check_announced, check_there, member
from structarr.interop.layouts import READERS
from structarr.interop.npy import header_of
from structarr.interop.scipy import to_scipy


def read(path: Path) -> Tensor:
    """
    Return the array of an .npz file, whoever of the three wrote it, or of an .npy file.

    Raises
    ------
    FormatError
        If it has several arrays of NumPy's, or an array announces more than there is.
    """
    if path.suffix == ".npy":
        return from_dense(_plain(path))
    with for_reading(path) as file, ZipFile(file) as archive:
        names = {name.removesuffix(".npy") for name in archive.namelist()}
        if files.DESCRIPTION in names:
            return files.load(path)
        if {"data", "shape", "fill_value"} <= names:
            return _of_pydata(archive, names)
        if "format" in names:
            return _of_scipy(archive)
        if len(names) == 1:
            return from_dense(member(archive, names.pop()))
    raise FormatError(
        f"it holds several arrays, {', '.join(sorted(names)[:5])}: take one by numpy.load, and "
        "structarr.asarray"
    )


def _plain(path: Path) -> Any:
    with open(path, "rb") as file:
        head = header_of(file, path.name)
    size = int(np.prod(head.shape, dtype=object)) * head.dtype.itemsize
    check_there(size, path.stat().st_size - head.length, f"an array of shape {head.shape}")
    check_announced(size, "its header")
    return np.load(path, allow_pickle=False)


_PARTS: Final = {
    "csr": ("data", "indices", "indptr"),
    "csc": ("data", "indices", "indptr"),
    "bsr": ("data", "indices", "indptr"),
    "dia": ("data", "offsets"),
    "coo": ("data",),
}


def _of_scipy(archive: ZipFile) -> Tensor:
    """SciPy's buffers, read by the readers of its layouts, which trust nothing."""
    told = member(archive, "format").item()
    layout = told.decode("ascii") if isinstance(told, bytes) else str(told)
    if layout not in _PARTS:
        raise FormatError(f"its layout {layout!r} is none of {', '.join(_PARTS)}")
    shape = tuple(int(length) for length in member(archive, "shape"))
    parts: dict[str, Any] = {name: member(archive, name) for name in _PARTS[layout]}
    if layout == "coo":
        own = [name for name in ("row", "col") if f"{name}.npy" in archive.namelist()]
        places = [member(archive, name) for name in own] if own else [*member(archive, "coords")]
        parts["coords"] = tuple(places)
    return READERS[layout](SimpleNamespace(format=layout, shape=shape, **parts))


def _of_pydata(archive: ZipFile, names: set[str]) -> Tensor:
    shape = tuple(int(length) for length in member(archive, "shape"))
    values, fill = member(archive, "data"), member(archive, "fill_value").item()
    if "coords" in names:
        coords = tuple(member(archive, "coords"))
        return from_coordinates(coords, values, shape, fill, parse("coo", len(shape)))
    axes = tuple(int(axis) for axis in member(archive, "compressed_axes"))
    if len(shape) != 2 or axes not in ((0,), (1,)):
        raise FormatError(
            f"it is GCXS of shape {shape} compressed along {axes}: save .asformat('coo')"
        )
    ptr, idx = (member(archive, name).astype(np.int64) for name in ("indptr", "indices"))
    format = parse("csr" if axes == (0,) else "csc", 2, "int64")
    return Tensor.checked(format, shape, fill, (ptr, idx, values))


def write(path: Path, stored: AsStored) -> None:
    """
    Write .npz as `structarr.save` does, in any format; .npy of all elements.

    Raises
    ------
    OSError
        If the file cannot be written.
    """
    if path.suffix != ".npy":
        files.save(path, stored(None))
        return
    own = stored("dense")
    with files.replacing(path) as file:
        np.save(file, own.buffers[-1].reshape(own.shape), allow_pickle=False)


def _writer(save: Callable[[Any, AsStored], None]) -> Callable[[Path, AsStored], None]:
    def write(path: Path, stored: AsStored) -> None:
        with files.replacing(path) as file:
            save(file, stored)

    return write


def _save_scipy(file: Any, stored: AsStored) -> None:
    from scipy.sparse import save_npz

    save_npz(file, to_scipy(stored(None)))


def _save_pydata(file: Any, stored: AsStored) -> None:
    import sparse

    from structarr.interop.pydata_sparse import made

    sparse.save_npz(file, made(stored, "coo", "pydata_sparse"))


write_scipy, write_pydata = _writer(_save_scipy), _writer(_save_pydata)
