"""Reading files that anybody may have written: what they announce is compared with what there is.

Nothing in a file is executed, and nothing large is allocated before the announced size is checked.
"""

from __future__ import annotations

import bz2
import gzip
import io
import os
import struct
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any, Final, TypeAlias
from zipfile import BadZipFile, ZipFile

import numpy as np

from structarr._support.memory import available
from structarr.errors import FormatError, StructarrError
from structarr.formats.entries import Array
from structarr.interop.followed_files import for_reading
from structarr.interop.npy import header_of

Location: TypeAlias = str | os.PathLike[str]

_DAMAGE: Final = (
    *(BadZipFile, zlib.error, struct.error, EOFError, OverflowError, RecursionError),
    *(AttributeError, LookupError, NotImplementedError, RuntimeError, TypeError, ValueError),
)

RATIO: Final = 1032
"""The most bytes that one compressed byte can stand for, by deflate."""


@contextmanager
def reading(path: Location) -> Iterator[None]:
    """
    Name the file in the errors of reading it.

    Raises
    ------
    FormatError
        If it is damaged, or of another kind.
    """
    try:
        yield
    except FormatError as error:
        raise FormatError(f"{os.fspath(path)}: {error}") from error
    except (StructarrError, FileNotFoundError, PermissionError, IsADirectoryError):
        raise
    except (*_DAMAGE, OSError) as error:
        raise FormatError(
            f"{os.fspath(path)} is damaged, or of another kind than its name says: "
            f"{type(error).__name__}: {error}"
        ) from error


def check_announced(size: float, what: str) -> None:
    """
    Refuse an announced number of bytes for which there is no room.

    Raises
    ------
    FormatError
        If there is less memory.
    """
    free = available()
    if size > free:
        raise FormatError(f"{what} announces {size:.3g} bytes, and {free:.3g} are free")


def check_there(needed: float, there: int, what: str) -> None:
    """
    Refuse what is announced if the file is too short to hold it.

    Raises
    ------
    FormatError
        If it is.
    """
    if needed > there:
        raise FormatError(
            f"{what} takes {needed:.3g} bytes at least, and there are {there}: the file is cut "
            "short, or its header is wrong"
        )


def longest(path: Path) -> int:
    """The most bytes that a file can hold, compressed or not."""
    size = path.stat().st_size
    return size * (RATIO if path.suffix == ".gz" else 50_000 if path.suffix == ".bz2" else 1)


def opened(path: Path) -> IO[bytes]:
    """A file, of one that is compressed the content, of which no more is given than fits."""
    if path.suffix == ".gz":
        return io.BufferedReader(_Bounded(gzip.open(for_reading(path))))
    if path.suffix == ".bz2":
        return io.BufferedReader(_Bounded(bz2.open(for_reading(path))))
    return for_reading(path)


class _Bounded(io.RawIOBase):
    """The content of a compressed file, up to as many bytes as there is memory for."""

    def __init__(self, file: Any) -> None:
        self._file, self._left = file, available()

    def readable(self) -> bool:
        """It is."""
        return True

    def readinto(self, buffer: Any) -> int:
        """Read on, unless too much has come."""
        count = int(self._file.readinto(buffer))
        self._left -= count
        if self._left < 0:
            raise FormatError("it unpacks to more bytes than there is memory for")
        return count

    def close(self) -> None:
        """Close the file, too."""
        self._file.close()
        super().close()


def member(archive: ZipFile, name: str) -> Array:
    """
    Return an array of an archive of .npy files.

    Raises
    ------
    FormatError
        If it is not there, announces more than there is, or than fits into memory.
    """
    try:
        info = archive.getinfo(f"{name}.npy")
    except KeyError:
        raise FormatError(f"it is damaged: there is no {name}.npy in it") from None
    check_there(info.file_size, RATIO * info.compress_size + 1024, f"{name}.npy")
    check_announced(info.file_size, f"{name}.npy")
    with archive.open(info) as file:
        head = header_of(file, f"{name}.npy")
        size = int(np.prod(head.shape, dtype=object)) * head.dtype.itemsize
        if size != info.file_size - head.length:
            raise FormatError(
                f"{name}.npy announces {size} bytes of shape {head.shape}, and there are "
                f"{info.file_size - head.length}"
            )
        content = file.read()
    elements: Array = np.frombuffer(content, head.dtype)
    return elements.reshape(head.shape, order="F" if head.by_columns else "C")
