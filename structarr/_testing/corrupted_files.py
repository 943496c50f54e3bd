"""Files that are corrupted at random: bytes that are changed or missing, and parts that are wrong.

The checksums of an archive refuse nearly all changes of its bytes, so that parts are changed
within, too, and get the checksums of what they are then.
"""

from __future__ import annotations

import io
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final
from zipfile import ZipFile

import numpy as np

import structarr as sa
from structarr.errors import FormatError

WITHIN: Final = 0.4  # the share of archives of which a part is changed
CUT: Final = 0.2  # the share of contents that are cut
MOST: Final = 5  # bytes that are changed
FOREIGN: Final[tuple[tuple[str, Any], ...]] = (
    *(("a.npy", None), ("a.tns", None), ("a.mtx", None), ("a.npz", "numpy")),
    *(("a.npz", "scipy-npz"), ("a.npz", "pydata-npz"), ("a.mtx.gz", None)),
)
"""Files of other programs: their names, and their kinds where names do not tell."""

VALUES: Final[tuple[Any, ...]] = (
    *(-1, 0, 1, 7, 2**31, 2**62, 2**63 - 1, 1e300),
    *("", "a", None, True, [], {}, [0, 0]),
)
"""What an entry of a description is replaced by."""


def own(rng: np.random.Generator, folder: Path, array: Any) -> Path:
    """A corrupted file of `sa.save`."""
    path = folder / "array.npz"
    sa.save(path, array)
    if rng.random() < WITHIN:
        _change_within(rng, path)
    else:
        path.write_bytes(_changed(rng, path.read_bytes()))
    return path


def foreign(rng: np.random.Generator, folder: Path, array: Any) -> tuple[Path, Any]:
    """A corrupted file of another program's kind, and the kind where its name does not tell."""
    name, kind = FOREIGN[int(rng.integers(len(FOREIGN)))]
    try:
        sa.write(folder / name, array, kind=kind)
    except (FormatError, ImportError, TypeError, ValueError):
        # A kind of matrices, or of numbers, or of a program that is not here.
        name, kind = "a.npy", None
        sa.write(folder / name, array)
    path = folder / name
    if path.suffix == ".npz" and rng.random() < WITHIN:
        _change_within(rng, path)
    else:
        path.write_bytes(_changed(rng, path.read_bytes()))
    return path, kind


def _changed(rng: np.random.Generator, content: bytes) -> bytes:
    """Other bytes at some places, or fewer."""
    found = bytearray(content)
    if not found or rng.random() < CUT:
        return bytes(found[: int(rng.integers(len(found) + 1))])
    for place in rng.integers(len(found), size=int(rng.integers(1, MOST + 1))):
        found[place] = int(rng.integers(256))
    return bytes(found)


def _change_within(rng: np.random.Generator, path: Path) -> None:
    """Change a part of an archive, and write it anew."""
    with ZipFile(path) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    name = sorted(parts)[int(rng.integers(len(parts)))]
    if name.endswith(".json") and rng.random() < 0.7:
        parts[name] = _described_otherwise(rng, parts[name])
    else:
        parts[name] = _changed(rng, parts[name])
    written = io.BytesIO()
    with ZipFile(written, "w") as archive:
        for one, content in parts.items():
            archive.writestr(one, content)
    path.write_bytes(written.getvalue())


def _described_otherwise(rng: np.random.Generator, content: bytes) -> bytes:
    """A description of which one entry is another, at any depth."""
    whole = json.loads(content)
    places = [*_places(whole)]
    inside, key = places[int(rng.integers(len(places)))]
    inside[key] = VALUES[int(rng.integers(len(VALUES)))]
    return json.dumps(whole).encode()


def _places(value: Any) -> Sequence[tuple[Any, Any]]:
    """Every entry of nested lists and dictionaries, as what it is in, and its key."""
    if not isinstance(value, list | dict):
        return []
    keys = range(len(value)) if isinstance(value, list) else [*value]
    return [one for key in keys for one in ((value, key), *_places(value[key]))]
