"""Tensors in files: a zip archive of a description in JSON and NumPy's .npy for each buffer.

`numpy.load` opens such a file too, without structarr. Nothing in it is executed when it is read.
"""

from __future__ import annotations

import errno
import json
import os
import secrets
import struct
import sys
import zlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any, Final, NamedTuple, TypeAlias
from zipfile import BadZipFile, ZipFile

import numpy as np

from structarr import formats
from structarr._storage.earlier_layouts import in_this_layout
from structarr._storage.tensor import Tensor
from structarr.errors import FormatError
from structarr.formats import Format, Level
from structarr.formats.entries import Array
from structarr.interop.followed_files import following, for_reading, for_writing
from structarr.interop.foreign_files import member
from structarr.interop.mapped import MappedTensor, Mapping, padded

Location: TypeAlias = str | os.PathLike[str]

VERSION: Final = 1
DESCRIPTION: Final = "structarr.json"

# A full disk, a quota, the greatest size of a file.
_NO_ROOM: Final = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)

# Exceptions of reading a damaged archive.
_DAMAGE = (
    *(BadZipFile, zlib.error, struct.error, EOFError, OverflowError, RecursionError),
    *(AttributeError, LookupError, NotImplementedError, RuntimeError, TypeError, ValueError),
    OSError,  # a seek to before the file's beginning
)


def save(path: Location, tensor: Tensor) -> None:
    """
    Write a tensor to a file, which is either as it was before or complete.

    Raises
    ------
    FormatError
        If a level is defined inside a function: a reader could not know it.
    OSError
        If the file cannot be written.

    Examples
    --------
    >>> import tempfile
    >>> from structarr._storage.dense import from_dense
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     save(f"{folder}/a.npz", from_dense(np.arange(3)))
    ...     load(f"{folder}/a.npz")
    <Tensor dense of shape (3,), dtype int64, fill 0: 3 stored, 24 bytes>
    """
    summary = Summary(tensor.format, tensor.shape, tensor.dtype, len(tensor.buffers))
    with replacing(Path(path)) as file, ZipFile(file, "w") as archive:
        write_summary(archive, summary)
        write_array(archive, "fill", np.asarray(tensor.fill))
        for number, buffer in enumerate(tensor.buffers):
            write_array(archive, f"buffer{number}", buffer)


def load(path: Location, mmap: bool = False, trusted: bool = False) -> Tensor:
    """
    Read a tensor from a file that `save` wrote.

    Parameters
    ----------
    path : str or path-like
        The file.
    mmap : bool
        Whether buffers are mapped, and read where they are touched; else everything is read.
    trusted : bool
        Whether the invariants of the levels are taken for granted. Else they are checked: of mapped
        buffers when they are first asked for.

    Raises
    ------
    FormatError
        If the file is damaged, of another kind, or needs a newer version.
    OSError
        If there is no such file, or it cannot be read.
    """
    with following(f"reading {os.fspath(path)}"), for_reading(Path(path)) as file:
        try:
            mapping = Mapping(Path(path).resolve(), file) if mmap else None
            return _read(file, mapping, trusted)
        except FormatError as error:
            raise FormatError(f"{os.fspath(path)}: {error}") from error
        except _DAMAGE as error:
            raise FormatError(
                f"{os.fspath(path)} is damaged, or was not written by structarr.save: "
                f"{type(error).__name__}: {error}; write it anew"
            ) from error


class Summary(NamedTuple):
    """The header of a file: all of a tensor but its fill and its buffers."""

    format: Format
    shape: tuple[int, ...]
    dtype: np.dtype[Any]
    buffers: int


@contextmanager
def replacing(path: Path) -> Iterator[IO[bytes]]:
    """A file that takes the place of another when the block ends, and vanishes if it fails.

    Raises
    ------
    OSError
        If there is no room for it: the other file is as it was.
    """
    target = path.resolve()  # a link stays, and its target is replaced
    if not target.parent.is_dir():
        raise FileNotFoundError(f"cannot write {path}: there is no folder {target.parent}")
    if target.is_dir():
        raise IsADirectoryError(f"cannot write {path}: it is a folder; name a file in it")
    beside = target.with_name(f"{target.name}.{secrets.token_hex(4)}.tmp")
    try:
        with for_writing(beside, path) as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        beside.replace(target)
    except OSError as error:
        if error.errno not in _NO_ROOM:
            raise
        told = f"{error.strerror}; what was there before is unchanged"
        raise OSError(error.errno, told, os.fspath(path)) from error
    finally:
        beside.unlink(missing_ok=True)


def write_array(archive: ZipFile, name: str, array: Array) -> None:
    """Write an array as a .npy file of an archive."""
    info = padded(f"{name}.npy", archive.start_dir)
    with archive.open(info, "w", force_zip64=True) as member:
        np.lib.format.write_array(member, array, allow_pickle=False)


def write_summary(archive: ZipFile, summary: Summary) -> None:
    """Write what a file says of a tensor.

    Raises
    ------
    FormatError
        If a level is defined inside a function: a reader could not know it.
    """
    archive.writestr(DESCRIPTION, json.dumps(described(summary), indent=1))


def described(summary: Summary) -> dict[str, Any]:
    """The same in JSON's terms.

    Raises
    ------
    FormatError
        If a level is defined inside a function: a reader could not know it.
    """
    return {
        "version": VERSION,
        "format": _spelled(summary.format.root),
        "order": summary.format.order,
        "index": summary.format.index,
        "shape": summary.shape,
        "dtype": summary.dtype.name,
        "buffers": summary.buffers,
    }


def _spelled(value: Any) -> Any:
    """A level as its name and fields, in JSON's terms."""
    if isinstance(value, Level):
        fields = {field: _spelled(getattr(value, field)) for field in value._fields}
        layout = {"layout": value.layout} if value.layout > 1 else {}
        return {"level": _name_of(type(value)), **layout, **fields}
    if isinstance(value, tuple):
        return [_spelled(item) for item in value]
    if value is None or type(value) in (bool, int, float, str):
        return value
    raise FormatError(f"a level's field {value!r} cannot be saved: convert with .asformat first")


def _name_of(kind: type[Level]) -> str:
    """A level's name, with its module's if it comes from outside."""
    name = kind.__name__
    if getattr(formats, name, None) is kind:
        return name
    if _outside(kind.__module__, name) is not kind:
        raise FormatError(
            f"level {name} is neither one of structarr.formats nor defined at the top of module "
            f"{kind.__module__}, so that a file with it could not be read: convert the array with "
            ".asformat first"
        )
    return f"{kind.__module__}.{name}"


def _outside(module: str, name: str) -> Any:
    """A name of another package's module that is imported already: a file imports none."""
    if module.partition(".")[0] == "structarr" or module not in sys.modules:
        return None
    return vars(sys.modules[module]).get(name)


def _read(file: IO[bytes], mapping: Mapping | None, trusted: bool) -> Tensor:
    with ZipFile(file) as archive:
        if DESCRIPTION not in archive.namelist():
            raise FormatError(
                f"there is no {DESCRIPTION} in it, so structarr.save did not write it; "
                "numpy.load and scipy.sparse.load_npz read their own files"
            )
        description = json.loads(archive.read(DESCRIPTION))
        _check_version(description)
        fill = _array(archive, "fill")
        count = range(description["buffers"])  # which may be wrong: the first that lacks ends it
        buffers = [_array(archive, f"buffer{number}", mapping) for number in count]
    valid = trusted or mapping is not None
    tensor = of_description(description, fill[()], buffers, valid)
    if mapping is None or is_earlier(tensor.format, description["format"], "child"):
        return tensor
    return MappedTensor.over(tensor, mapping, trusted)


def of_description(
    description: dict[str, Any], fill: Any, buffers: Sequence[Array], valid: bool = False
) -> Tensor:
    """The tensor of what `described` says and of its buffers, whose invariants are checked.

    Raises
    ------
    FormatError
        If it needs a newer version, or the buffers do not fit it.
    """
    _check_version(description)
    shape, order = tuple(description["shape"]), tuple(description["order"])
    asked = Format(_level(description["format"]), order, description["index"])
    format = formats.parse(asked, len(shape))
    if is_earlier(format, description["format"], "child"):
        buffers = in_this_layout(format, shape, buffers)
    return Tensor.checked(format, shape, fill, buffers, description["dtype"], valid)


def is_earlier(format: Format, told: dict[str, Any], below: str) -> bool:
    """Whether a level is stored in another layout than it was by the version that told of it."""
    for level in format.levels:
        if int(told.get("layout", 1)) < level.layout:
            return True
        told = told.get(below, {})
    return False


def _check_version(description: dict[str, Any]) -> None:
    if description["version"] != VERSION:
        raise FormatError(
            f"it is of version {description['version']} of structarr's files and this library "
            f"reads version {VERSION}: update structarr"
        )


def _array(archive: ZipFile, name: str, mapping: Mapping | None = None) -> Array:
    mapped = None if mapping is None else mapping.array(archive.getinfo(f"{name}.npy"))
    if mapped is not None:
        return mapped
    return member(archive, name)


def _level(spelled: Any) -> Level:
    fields = {name: _field(value) for name, value in spelled.items()}
    name = fields.pop("level")
    layout = fields.pop("layout", 1)
    module, _, own = name.rpartition(".")
    kind = _outside(module, own) if module else vars(formats).get(name)
    if not (isinstance(kind, type) and issubclass(kind, Level) and kind is not Level):
        raise FormatError(
            f"level {name!r} is unknown: "
            + (f"import {module} first" if module else "update structarr")
            + ", to the version that wrote the file"
        )
    if layout > kind.layout:
        raise FormatError(f"level {name} is in layout {layout}: update structarr")
    if not kind.leaf and not isinstance(fields.get("child"), Level):
        raise FormatError(f"level {name} has no level below it: write the file anew")
    level: Level = kind(**fields)
    return level


def _field(value: Any) -> Any:
    if isinstance(value, dict):
        return _level(value)
    return tuple(map(_field, value)) if isinstance(value, list) else value
