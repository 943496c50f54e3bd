"""Arrays in files of the command line: which reader and writer a file has."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, Final
from zipfile import BadZipFile, ZipFile

import numpy as np

from structarr._api.core.operands import as_array
from structarr._api.creation.files import load, save
from structarr._array import Array
from structarr._compiler.progress import announced
from structarr.errors import FormatError

SPEED: Final = {".mtx": 2e7, ".gz": 5e6}
"""Bytes a second of slow readers, to tell when there is a wait."""

READS: Final = ".npz (of structarr, or of scipy.sparse.save_npz), .npy, .mtx and .mtx.gz"


def read(name: str) -> Array:
    """
    Return the array of a file, read by its kind.

    Raises
    ------
    FormatError
        If the file is damaged or of no known kind.
    OSError
        If it cannot be read.
    """
    path = Path(name)
    seconds = path.stat().st_size / SPEED.get(path.suffix, 1e9)
    with announced(f"reading {name}, about {seconds:.0f} s", seconds):
        try:
            return as_array(_reader(path)(name))
        except (ValueError, EOFError, BadZipFile, KeyError) as error:
            if isinstance(error, FormatError):
                raise
            raise FormatError(f"{name} cannot be read: {error}") from error


def write(name: str, array: Array) -> None:
    """
    Write an array: .npz by structarr, .npy dense, .mtx as Matrix Market.

    Raises
    ------
    FormatError
        If the name's ending is none of these.
    OSError
        If the file cannot be written.
    """
    path = Path(name)
    match path.suffix:
        case ".npz":
            save(path, array)
        case ".npy":
            np.save(path, np.asarray(array))
        case ".mtx":
            from scipy.io import mmwrite  # SciPy takes 0.2 s to import

            mmwrite(path, array.to_scipy("coo"))
        case _:
            raise FormatError(f"{name}: write .npz, .npy or .mtx")


def _reader(path: Path) -> Callable[[str], Any]:
    if path.suffix == ".npy":
        return lambda name: np.load(name, allow_pickle=False)
    if path.suffix == ".mtx" or path.suffixes[-2:] == [".mtx", ".gz"]:
        from scipy.io import mmread

        return lambda name: _sparse(mmread(name))
    if path.suffix != ".npz":
        raise FormatError(f"{path} is of no kind that is known; there are {READS}")
    with ZipFile(path) as archive:
        members = set(archive.namelist())
    if "structarr.json" in members:
        return load
    if "format.npy" not in members:
        raise FormatError(
            f"{path} holds several arrays of NumPy; save one with structarr.save or numpy.save"
        )
    from scipy.sparse import load_npz

    return lambda name: load_npz(name)


def _sparse(found: Any) -> Any:
    """A dense array, or a sparse one as rows."""
    return found if isinstance(found, np.ndarray) else found.tocsr()
