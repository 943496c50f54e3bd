"""Kinds of files: which file here reads and writes each, told by the suffix."""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any, Final

from structarr._compiler.progress import announced
from structarr._storage.tensor import Tensor
from structarr._support.meant import meant
from structarr.errors import FormatError
from structarr.interop.followed_files import following
from structarr.interop.foreign import AsStored
from structarr.interop.foreign_files import Location, reading


@dataclass(frozen=True, slots=True)
class FileKind:
    """
    A kind of files.

    Parameters
    ----------
    module : str
        The file here that reads it.
    suffixes : tuple of str
        By which it is known, beginning with a point.
    writes : str
        The name of what writes it there.
    speed : float
        The bytes a second that are read, to tell when there is a wait.
    parts : bool
        Whether a file holds several arrays, of which a key tells one.
    """

    module: str
    suffixes: tuple[str, ...]
    writes: str = "write"
    speed: float = 1e9
    parts: bool = False


_PICTURES: Final = (".png", ".pbm", ".pgm", ".bmp", ".tif", ".tiff")

KINDS: Final = {
    "numpy": FileKind("numpy_files", (".npz", ".npy")),
    "scipy-npz": FileKind("numpy_files", (), "write_scipy"),
    "pydata-npz": FileKind("numpy_files", (), "write_pydata"),
    "matrix-market": FileKind("matrix_market", (".mtx", ".mtx.gz"), speed=2e8),
    "frostt": FileKind("frostt", (".tns", ".tns.gz"), speed=2e7),
    "group": FileKind("groups", (".h5", ".hdf5", ".h5ad", ".zarr"), parts=True),
    "picture": FileKind("images", _PICTURES, speed=1e8),
    "coco": FileKind("coco", (".json",)),
    "plink": FileKind("plink", (".bed",), speed=1e8),
}
"""Each kind that there is, by its name."""

SUFFIXES: Final = {suffix: name for name, kind in KINDS.items() for suffix in kind.suffixes}
"""The name of the kind of each suffix."""


def kind_of(path: Path, asked: str | None = None) -> FileKind:
    """
    Return the kind of a file, by its name unless it is asked for.

    Raises
    ------
    FormatError
        If none is known.

    Examples
    --------
    >>> kind_of(Path("a.mtx.gz")).module
    'matrix_market'
    """
    if asked is not None:
        if asked not in KINDS:
            raise FormatError(
                f"there is no kind {asked!r} of files; {meant(asked, tuple(KINDS))}there are "
                f"{', '.join(KINDS)}"
            )
        return KINDS[asked]
    endings = [suffix.lower() for suffix in path.suffixes[-2:]]
    for suffix in ("".join(endings), endings[-1] if endings else ""):
        if suffix in SUFFIXES:
            return KINDS[SUFFIXES[suffix]]
    raise FormatError(
        f"{path}: files that end in {endings[-1] if endings else 'nothing'!r} are not known; there "
        f"are {', '.join(SUFFIXES)}"
    )


def read(
    place: Location, kind: str | None = None, key: str | None = None, rows: slice | None = None
) -> Tensor:
    """
    Return the array of a file.

    Raises
    ------
    FormatError
        If the file is damaged, or of no known kind.
    OSError
        If it cannot be read.
    """
    path = Path(place)
    own = kind_of(path, kind)
    parts: dict[str, Any] = {"key": key, "rows": rows}
    given = {name: value for name, value in parts.items() if value is not None}
    if given and not own.parts:
        raise FormatError(
            f"{path}: such a file holds one array, so that {', '.join(given)} has no use"
        )
    seconds = path.stat().st_size / own.speed
    told = announced(f"reading {path}, about {seconds:.0f} s", seconds)
    with told, following(f"reading {path}"), reading(path):
        found: Tensor = import_module(f"structarr.interop.{own.module}").read(path, **given)
        return found


def write(place: Location, stored: AsStored, kind: str | None = None) -> None:
    """
    Write an array to a file, which is either as it was before or complete.

    Raises
    ------
    FormatError
        If there is no such kind of files, or it has no place for the array.
    OSError
        If the file cannot be written.
    """
    path = Path(place)
    own = kind_of(path, kind)
    seconds = stored(None).nbytes / own.speed
    with announced(f"writing {path}, about {seconds:.0f} s", seconds):
        getattr(import_module(f"structarr.interop.{own.module}"), own.writes)(path, stored)
