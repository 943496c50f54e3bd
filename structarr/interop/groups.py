"""Groups of HDF5 and Zarr: binsparse, AnnData's sparse matrices, and dense arrays."""

from __future__ import annotations

import json
import secrets
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from math import prod
from pathlib import Path
from typing import Any, Final

import numpy as np

from structarr._storage.dense import from_dense
from structarr._storage.tensor import Tensor
from structarr._support import dtypes
from structarr.errors import FormatError
from structarr.formats import parse
from structarr.formats.entries import Array
from structarr.interop import binsparse
from structarr.interop.files import replacing
from structarr.interop.foreign import AsStored
from structarr.interop.foreign_files import check_announced

_ANNDATA: Final = {"csr_matrix": "csr", "csc_matrix": "csc"}
_CODECS: Final = frozenset(
    {
        *("blosc", "bytes", "bz2", "crc32c", "delta", "fixedscaleoffset", "gzip", "lz4", "lzma"),
        *("sharding_indexed", "shuffle", "transpose", "zlib", "zstd"),
    }
)
"""The codecs of Zarr's by which a file is read; others may run what is in it, as "pickle" does."""


def read(path: Path, key: str | None = None, rows: slice | None = None) -> Tensor:
    """
    Return the array of a group, or of a file's root; of some rows alone if these are given.

    Raises
    ------
    FormatError
        If the group is of no known kind, or announces more than fits into memory.
    """
    with _root(path) as root:
        name = key or ("X" if path.suffix == ".h5ad" else "")
        if name and name not in root:
            raise FormatError(f"there is no {name!r} in it, but {', '.join(list(root)[:10])}")
        found = root[name] if name else root
        if hasattr(found, "dtype"):
            return from_dense(_array(found, rows))
        if "binsparse" in found.attrs:
            return _of_binsparse(found, rows)
        if found.attrs.get("encoding-type") in _ANNDATA:
            return _of_anndata(found, rows)
        if len(list(found)) == 1 and not name:
            (only,) = found
            if hasattr(found[only], "dtype"):
                return from_dense(_array(found[only], rows))
        raise FormatError(
            f"{name or 'the root'!r} is neither binsparse nor a sparse matrix of AnnData; give a "
            f"key for one of {', '.join(list(found)[:10])}"
        )


@contextmanager
def _root(path: Path) -> Iterator[Any]:
    if path.suffix == ".zarr":
        import zarr

        yield zarr.open(str(path), mode="r")
        return
    import h5py

    with h5py.File(path, "r") as file:
        yield file


def _array(found: Any, rows: slice | None = None) -> Array:
    """A dense array of a file, or some of its rows, if there is memory for it."""
    dtypes.check(found.dtype)
    _check_codecs(found)
    length = found.shape[0] if found.shape else 1
    count = length if rows is None else len(range(*rows.indices(length)))
    check_announced(
        prod((count, *found.shape[1:])) * found.dtype.itemsize, f"an array of shape {found.shape}"
    )
    return np.asarray(found[()] if rows is None else found[rows])


def _check_codecs(found: Any) -> None:
    """Refuse an array of Zarr that is decoded by what may run code."""
    metadata = getattr(found, "metadata", None)
    if metadata is None:
        return
    told = metadata.to_dict()
    parts = [*(told.get("codecs") or ()), *(told.get("filters") or ()), told.get("compressor")]
    for part in parts:
        plain = part if isinstance(part, dict) or part is None else part.get_config()
        name = "" if plain is None else str(plain.get("name", plain.get("id", "")))
        if name and name.removeprefix("numcodecs.") not in _CODECS:
            raise FormatError(f"it is coded by {name!r}, which is not read, as it may run code")


def _of_binsparse(group: Any, rows: slice | None) -> Tensor:
    told = group.attrs["binsparse"]
    told = json.loads(told) if isinstance(told, (str, bytes)) else dict(told)
    if rows is not None:
        raise FormatError("rows= reads dense arrays and AnnData's: slice the array that is read")
    return binsparse.tensor_of(told.get("binsparse", told), lambda name: _array(group[name]))


def _of_anndata(group: Any, rows: slice | None) -> Tensor:
    layout = _ANNDATA[group.attrs["encoding-type"]]
    shape = [int(length) for length in group.attrs["shape"]]
    pointers = _array(group["indptr"]).astype(np.int64)
    first, last = 0, len(pointers) - 1
    if rows is not None:
        first, last, step = rows.indices(shape[0])
        if layout == "csc" or step != 1:
            raise FormatError("rows= reads rows one after the other of a csr matrix")
        last = max(first, last)
        pointers, shape[0] = pointers[first : last + 1], last - first
    part = slice(int(pointers[0]), int(pointers[-1]))
    indices, values = _array(group["indices"], part), _array(group["data"], part)
    index = "int32" if indices.dtype == np.int32 and len(values) < 2**31 else "int64"
    ptr, idx = (pointers - pointers[0]).astype(index), indices.astype(index, copy=False)
    return Tensor.checked(parse(layout, 2, index), tuple(shape), 0, (ptr, idx, values))


def write(path: Path, stored: AsStored) -> None:
    """
    Write an array in any format as binsparse.

    Raises
    ------
    OSError
        If the file cannot be written; what was there before is unchanged.
    """
    told, arrays = binsparse.descriptor_of(stored(None))
    if path.suffix == ".zarr":
        _write_zarr(path, told, arrays)
        return
    import h5py

    with replacing(path) as file, h5py.File(file, "w") as group:
        group.attrs["binsparse"] = json.dumps({"binsparse": told}, indent=2, sort_keys=True)
        for name, array in arrays.items():
            group.create_dataset(name, data=array)


def _write_zarr(path: Path, told: dict[str, Any], arrays: dict[str, Array]) -> None:
    """A folder that takes the place of another when it is complete."""
    import zarr

    beside = path.with_name(f"{path.name}.{secrets.token_hex(4)}.tmp")
    try:
        group: Any = zarr.open_group(str(beside), mode="w")
        for name, array in arrays.items():
            group.create_array(name, data=np.ascontiguousarray(array))
        group.attrs["binsparse"] = {"binsparse": told}
        _replace(beside, path)
    finally:
        shutil.rmtree(beside, ignore_errors=True)


def _replace(beside: Path, path: Path) -> None:
    if not path.exists():
        beside.rename(path)
        return
    if not (path / "zarr.json").exists() and not (path / ".zgroup").exists():
        raise FileExistsError(f"{path} is there, and no group of Zarr: it is not replaced")
    former = path.with_name(f"{path.name}.{secrets.token_hex(4)}.old")
    path.rename(former)
    try:
        beside.rename(path)
    except OSError:
        former.rename(path)
        raise
    shutil.rmtree(former)
