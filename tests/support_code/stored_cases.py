"""The arrays of tests/fixtures: what was stored by earlier versions, and has to come back.

python tests/support_code/stored_cases.py FOLDER writes them as the version that is imported does.
"""

from __future__ import annotations

import os
import pickle
import sys
import tarfile
import tempfile
from collections.abc import Callable
from io import BytesIO
from pathlib import Path
from typing import Any, NamedTuple
from zipfile import ZipFile, ZipInfo

import numpy as np

import structarr as sa

STAMP = (2026, 1, 1, 0, 0, 0)  # of every member of a file

DATA = np.array([[0, 2, 0, 0, 0], [1, 0, 3, 3, 0], [0, 0, 0, 0, 0], [5, 6, 0, 0, 7]], float)
SQUARE = DATA[:, :4]
BAND = np.array([[1, 2, 0, 0], [0, 0, 3, 4], [0, 0, 0, 0], [0, 5, 6, 7]], float)
ONES = np.array([[0, 1, 1, 0], [1, 1, 1, 1], [0, 0, 0, 1], [0, 0, 0, 0]], float)
POINTS = np.array([[0, 0, 4], [5, 0, 0], [0, 6, 0]], float)
SOME = np.array([[0, 1 + 2j, 0], [1 - 2j, 4, 3j], [0, -3j, 0]])
RUNS = np.repeat(np.array([[1.0, 2.0, 0.0], [0.0, 0.0, 3.0]]), [3, 1, 4], axis=1)


class Stored(NamedTuple):
    """An array, how it is stored, and what is not stored."""

    data: Any
    format: str
    fill: Any = None


BY_FORMAT = {
    "triu": np.triu(SQUARE),
    "tril": np.tril(SQUARE),
    "symmetric": SQUARE + SQUARE.T,
    "hermitian": SOME,
    "dia": np.diag(np.arange(1.0, 5.0)) + np.diag(np.arange(1.0, 4.0), 1),
    "constant": np.full((3, 4), 2.5),
    "band": BAND,
    "interval": ONES,
    "point": POINTS,
    "rle": RUNS,
    "sparse-rle": RUNS,
    "packbits": RUNS,
    "1-bit": np.where(DATA == 0, 0.0, 2.5),
    "2-bit": np.clip(DATA, 0, 3),
}

NAMES = (
    *("dense", "csr", "csc", "dcsr", "dcsc", "list", "csf", "coo", "hash", "band", "vbl", "ragged"),
    *("point", "interval", "rle", "sparse-rle", "packbits", "bitmap", "triu", "tril", "symmetric"),
    *("hermitian", "dia", "bsr", "constant", "1-bit", "2-bit"),
)
DTYPES = (
    *("bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"),
    *("float32", "float64", "complex64", "complex128"),
)
FILLS = {"nan": np.nan, "inf": np.inf, "least": -np.inf, "negative zero": -0.0, "three": 3.0}
SHAPES = ((), (0,), (3,), (0, 3), (3, 0), (2, 0, 1), (2, 3, 2))


def cases() -> dict[str, Stored]:
    """Every array by its name."""
    found = {f"format {one}": Stored(_ragged(BY_FORMAT.get(one, DATA), one), one) for one in NAMES}
    for dtype in DTYPES:
        found[f"dtype {dtype}"] = Stored(DATA.astype(dtype), "csr")
    for name, fill in FILLS.items():
        special = np.where(DATA == 0, fill, DATA)
        special[1, 2:4] = np.nan, -np.inf
        for format in ("csr", "rle"):
            found[f"fill {name} {format}"] = Stored(special, format, fill)
    found["fill complex"] = Stored(np.where(DATA == 0, 1 - 2j, DATA), "csr", 1 - 2j)
    found["pattern"] = Stored(DATA != 0, "bitmap")
    for shape in SHAPES:
        for format in ("dense", "csf"):
            name = " x ".join(map(str, shape)) or "none"
            found[f"shape {name} {format}"] = Stored(np.ones(shape), format)
    return found


def _ragged(data: Any, format: str) -> Any:
    """Rows that end with what is not stored, where the format has no other."""
    return np.sort(data != 0, axis=1)[:, ::-1] * 2.0 if format == "ragged" else data


def array_of(case: Stored) -> Any:
    """The array of a case."""
    return sa.asarray(case.data, format=case.format, fill_value=case.fill).compute()


def objects() -> dict[str, Callable[[], Any]]:
    """What is pickled beside arrays: it is written by one version and read by another."""
    formats = sa.formats
    return {
        "layout": lambda: sa.asarray(DATA, format="csc").format,
        "format": lambda: formats.Format(formats.SparseList(formats.Element()), (0,), "int32"),
        "level": lambda: formats.Dense(formats.Tiles(formats.Element(), 2, 2)),
        "lazy": lambda: sa.asarray(DATA, format="csr") * 2,
        "many": lambda: {"a": [sa.asarray(DATA, format="rle")] * 2},
    }


def write(folder: Path) -> None:
    """Write the fixtures of this version: the same bytes each time."""
    arrays = {name: array_of(case) for name, case in cases().items()}
    pickles = {f"{name}.pickle": pickle.dumps(array, 5) for name, array in arrays.items()}
    for name, make in objects().items():
        pickles |= {f"{name}.{n}.pickle": pickle.dumps(make(), n) for n in (2, 5)}
    folder.mkdir(parents=True, exist_ok=True)
    _pack(folder / "files.tar.xz", {f"{n}.npz": _saved(array) for n, array in arrays.items()})
    _pack(folder / "pickles.tar.xz", pickles)


def read(archive: Path) -> dict[str, bytes]:
    """The members of an archive by their names."""
    with tarfile.open(archive) as packed:
        return {one.name: packed.extractfile(one).read() for one in packed}  # type: ignore[union-attr]


def _pack(path: Path, members: dict[str, bytes]) -> None:
    with tarfile.open(path, "w:xz") as packed:
        for name, content in members.items():
            info = tarfile.TarInfo(name)
            info.size = len(content)
            packed.addfile(info, BytesIO(content))


def _saved(array: Any) -> bytes:
    """The bytes of a file, whose members bear the time of writing, with another time."""
    with tempfile.TemporaryDirectory() as folder:
        sa.save(f"{folder}/a.npz", array)
        with ZipFile(f"{folder}/a.npz") as given, ZipFile(f"{folder}/b.npz", "w") as new:
            for member in given.infolist():
                new.writestr(ZipInfo(member.filename, STAMP), given.read(member))
        return Path(folder, "b.npz").read_bytes()


if __name__ == "__main__":
    os.environ.setdefault("STRUCTARR_CACHE_DIR", tempfile.mkdtemp())
    with sa.options(tier="interpreted"):
        write(Path(sys.argv[1]))
