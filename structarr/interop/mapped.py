"""Tensors over files that are mapped into memory: read where a computation touches them."""

from __future__ import annotations

import mmap
import struct
from collections.abc import Sequence
from io import BytesIO
from pathlib import Path
from typing import IO, Final
from zipfile import ZIP_STORED, BadZipFile, ZipInfo

import numpy as np

from structarr._storage.invariants import validate
from structarr._storage.mapped_files import Stamp, note
from structarr._storage.tensor import Tensor
from structarr.errors import FormatError
from structarr.formats.entries import Array
from structarr.interop.npy import MOST, header_of

ALIGNED: Final = 64
"""The bytes of which the places of buffers in a file are multiples."""

_LOCAL: Final = struct.Struct("<4s22xHH")  # of a member's header: mark, lengths of name and extra
_PADDING: Final = 0x7061  # the mark of extra bytes of a member's header that are padding
_ZIP64: Final = 20  # the bytes that `zipfile` adds for the sizes of a member


def padded(name: str, begin: int) -> ZipInfo:
    """A member that begins at some place of an archive, and whose content begins aligned."""
    info = ZipInfo(name)
    bare = begin + _LOCAL.size + len(name.encode()) + 4 + _ZIP64
    room = -bare % ALIGNED
    info.extra = struct.pack("<HH", _PADDING, room) + bytes(room)
    return info


class Mapping:
    """A file in memory, which is read where it is touched."""

    def __init__(self, path: Path, file: IO[bytes]) -> None:
        stamp = Stamp.of(path)
        self._memory = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        self.file = note(path, self._memory, stamp)

    def array(self, member: ZipInfo) -> Array | None:
        """The elements of a .npy file; None where it is compressed."""
        if member.compress_type != ZIP_STORED:
            return None
        mark, *lengths = _LOCAL.unpack_from(self._memory, member.header_offset)
        if mark != b"PK\x03\x04":
            raise BadZipFile(f"{member.filename} is not where the archive says")
        begin = member.header_offset + _LOCAL.size + sum(lengths)
        end = begin + member.file_size
        if end > len(self._memory):
            raise EOFError(f"{member.filename} ends beyond the file")
        head = header_of(BytesIO(self._memory[begin : min(end, begin + MOST)]), member.filename)
        count = int(np.prod(head.shape, dtype=np.int64))
        if count * head.dtype.itemsize > end - begin - head.length:
            raise EOFError(f"{member.filename} is shorter than its header says")
        if not count:
            return np.empty(head.shape, head.dtype)
        found: Array = np.frombuffer(self._memory, head.dtype, count, begin + head.length)
        return found.reshape(head.shape, order="F" if head.by_columns else "C")


class MappedTensor(Tensor):
    """A tensor over a mapped file, whose buffers are checked when they are first asked for."""

    __slots__ = ("_is_checked", "_mapping")

    _is_checked: bool
    _mapping: Mapping

    @classmethod
    def over(cls, tensor: Tensor, mapping: Mapping, trusted: bool) -> MappedTensor:
        """The same tensor, whose buffers lie in a mapped file."""
        made = cls(tensor.format, tensor.shape, tensor.dtype, tensor.fill, tensor.buffers)
        made._mapping, made._is_checked = mapping, trusted
        return made

    @property
    def nbytes(self) -> int:
        """The bytes of all buffers, none of which is read."""
        return sum([buffer.nbytes for buffer in _buffers(self)])

    @property
    def buffers(self) -> tuple[Array, ...]:
        """The buffers, of a file that is as it was and of which the invariants hold.

        Raises
        ------
        FormatError
            If they break an invariant of a level.
        OSError
            If the file has changed.
        """
        found: tuple[Array, ...] = _buffers(self)
        self._mapping.file.check()
        if not self._is_checked:
            try:
                validate(self.format, self.shape, self.dims, _by_level(self, found))
            except FormatError as error:
                raise FormatError(f"{self._mapping.file.path}: {error}") from error
            self._is_checked = True
        return found

    @buffers.setter
    def buffers(self, made: tuple[Array, ...]) -> None:
        _slot.__set__(self, made)


_slot = Tensor.__dict__["buffers"]
_buffers = _slot.__get__


def _by_level(tensor: Tensor, buffers: Sequence[Array]) -> list[tuple[Array, ...]]:
    left = iter(buffers)
    return [tuple([next(left) for _ in level.buffers]) for level in tensor.format.levels]
