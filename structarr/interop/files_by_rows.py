"""Tensors written to files by pieces: each holds some rows; their buffers are joined on disk."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO, Any, Final
from zipfile import ZipFile

import numpy as np

from structarr._storage.tensor import Tensor
from structarr.errors import FormatError
from structarr.formats.entries import Array
from structarr.interop.files import Location, Summary, replacing, write_array, write_summary
from structarr.interop.mapped import padded

MOST: Final = {name: int(np.iinfo(name).max) for name in ("int32", "int64")}
"""The most entries that positions of a dtype count."""

CHUNK: Final = 1 << 20
"""The bytes that are copied at a time."""


def save_rows(path: Location, shape: tuple[int, ...], parts: Iterable[Tensor]) -> None:
    """
    Write a tensor whose rows along its outermost level are given by parts, at least one, in order.

    No more than a part is in memory. Each buffer is written to a file of its own first, which has
    no name and vanishes with the process.

    Raises
    ------
    FormatError
        If a part is stored otherwise than the first one, or positions cannot count all entries.
    OSError
        If a file cannot be written.
    """
    target = Path(path)
    with replacing(target) as file, ExitStack() as stack:
        joined: list[_Joined] = []
        first: Tensor | None = None
        for part in parts:
            if first is None:
                first = _empty(part)
                joined = _joined(part, target.resolve().parent, stack)
            _check_same(first, part)
            for one, buffer in zip(joined, part.buffers, strict=True):
                one.append(buffer)
            del part  # before the next one is computed
        assert first is not None
        with ZipFile(file, "w") as archive:
            write_summary(archive, Summary(first.format, shape, first.dtype, len(joined)))
            write_array(archive, "fill", np.asarray(first.fill))
            for number, one in enumerate(joined):
                one.write(archive, f"buffer{number}")


class _Joined:
    """A buffer of which parts are appended to a file."""

    def __init__(self, file: IO[bytes], dtype: np.dtype[Any], pointer: bool) -> None:
        self._file, self._dtype, self._pointer = file, dtype, pointer
        self._count = self._children = 0

    def append(self, buffer: Array) -> None:
        """Append a part; pointers are increased by the children before it."""
        part = buffer.reshape(-1)
        if self._pointer:
            part = part[int(self._count > 0) :].astype(np.int64) + self._children
            self._children = int(part[-1]) if len(part) else self._children
            if self._children > MOST[self._dtype.name]:
                raise FormatError(
                    f"the result stores more entries than {self._dtype} positions can count; "
                    "save it in a format of int64 positions, by .asformat"
                )
        self._count += len(part)
        self._file.write(np.ascontiguousarray(part, self._dtype).data.cast("B"))

    def write(self, archive: ZipFile, name: str) -> None:
        """Write the whole as a .npy file of an archive."""
        head = {
            "descr": np.lib.format.dtype_to_descr(self._dtype),
            "fortran_order": False,
            "shape": (self._count,),
        }
        info = padded(f"{name}.npy", archive.start_dir)
        self._file.seek(0)
        with archive.open(info, "w", force_zip64=True) as member:
            np.lib.format.write_array_header_1_0(member, head)
            while chunk := self._file.read(CHUNK):
                member.write(chunk)


def _joined(part: Tensor, folder: Path, stack: ExitStack) -> list[_Joined]:
    levels = part.format.levels
    pointers = [name in level.cumulative for level in levels for name in level.buffers]
    return [
        _Joined(stack.enter_context(TemporaryFile(dir=folder)), buffer.dtype, pointer)
        for buffer, pointer in zip(part.buffers, pointers, strict=True)
    ]


def _empty(part: Tensor) -> Tensor:
    """The empty part that takes the place of the first when that is gone."""
    none = tuple([np.empty(0, buffer.dtype) for buffer in part.buffers])
    return Tensor(part.format, part.shape, part.dtype, part.fill, none)


def _check_same(first: Tensor, part: Tensor) -> None:
    fills = [np.asarray(one.fill).tobytes() for one in (first, part)]
    if (first.format, first.dtype) != (part.format, part.dtype) or fills[0] != fills[1]:
        raise FormatError(
            f"rows are stored as {part.format} of {part.dtype}, the first ones as "
            f"{first.format} of {first.dtype}: compute the array before it is saved"
        )
