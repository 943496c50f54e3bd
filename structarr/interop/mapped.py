"""Tensors over files that are mapped into memory: read where a computation touches them."""

from __future__ import annotations

import mmap
import struct
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path
from typing import IO, ClassVar, Final
from zipfile import ZIP_STORED, BadZipFile, ZipInfo

import numpy as np

from structarr._storage.invariants import validate
from structarr._storage.mapped_files import Stamp, note
from structarr._storage.row_parts import Window, part
from structarr._storage.tensor import Tensor
from structarr._support.caches import room
from structarr.errors import FormatError
from structarr.formats.base import Level
from structarr.formats.entries import Array
from structarr.interop.npy import MOST, header_of

PARTS: Final = 64
"""The most parts that a tensor remembers."""

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


class Checked:
    """The rows of a tensor that were checked, as ranges in order.

    Examples
    --------
    >>> checked = Checked()
    >>> checked.add(2, 5)
    >>> checked.add(8, 9)
    >>> list(checked.gaps(0, 10))
    [(0, 2), (5, 8), (9, 10)]
    >>> checked.add(4, 8)
    >>> list(checked.gaps(3, 9))
    []
    """

    def __init__(self, whole: bool = False) -> None:
        self.whole = whole  # whether all is, and that no entry belongs to no row
        self._ranges: tuple[tuple[int, int], ...] = ()

    def gaps(self, lo: int, hi: int) -> Iterator[tuple[int, int]]:
        """The ranges that are left of a range."""
        if self.whole:
            return
        for begin, end in self._ranges:
            if lo < min(begin, hi):
                yield lo, min(begin, hi)
            lo = max(lo, end)
        if lo < hi:
            yield lo, hi

    def add(self, lo: int, hi: int) -> None:
        """Note a range; another thread's may be forgotten, and is checked again."""
        joined = [one for one in self._ranges if one[0] <= hi and lo <= one[1]]
        others = [one for one in self._ranges if one not in joined]
        begin = min([lo, *[one[0] for one in joined]])
        end = max([hi, *[one[1] for one in joined]])
        self._ranges = tuple(sorted([*others, (begin, end)]))


class MappedTensor(Tensor):
    """A tensor over a mapped file, whose buffers are checked when they are first asked for.

    Parts of its rows are tensors of their own, of which no more is checked than their rows. What
    was checked is known to all tensors over the same buffers.
    """

    __slots__ = ("_checked", "_first", "_mapping")

    by_parts: ClassVar[bool] = True

    _checked: Checked
    _first: int | None  # of a part, the number of its first row among those of the file
    _mapping: Mapping

    @classmethod
    def over(cls, tensor: Tensor, mapping: Mapping, trusted: bool) -> MappedTensor:
        """The same tensor, whose buffers lie in a mapped file."""
        return cls._made(tensor, tensor.buffers, mapping, Checked(trusted), None)

    @classmethod
    def _made(
        cls,
        like: Tensor,
        buffers: tuple[Array, ...],
        mapping: Mapping,
        checked: Checked,
        first: int | None,
    ) -> MappedTensor:
        made = cls(like.format, like.shape, like.dtype, like.fill, buffers)
        made._mapping, made._checked, made._first = mapping, checked, first
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
        if not self._checked.whole:
            self._check(found)
        return found

    @buffers.setter
    def buffers(self, made: tuple[Array, ...]) -> None:
        _slot.__set__(self, made)

    def _check(self, found: tuple[Array, ...]) -> None:
        """Check what was not checked of the rows, or all of the file."""
        if self._first is None:
            with self._told():
                validate(self.format, self.shape, self.dims, _by_level(self, found))
            self._checked.whole = True
            return
        for lo, hi in self._checked.gaps(self._first, self._first + self.dims[0]):
            rows = lo - self._first, hi - self._first
            dims = hi - lo, *self.dims[1:]
            axis = self.format.order[0]
            shape = (*self.shape[:axis], hi - lo, *self.shape[axis + 1 :])
            with self._told():
                those = part(self.format.levels, self.dims, found, *rows)
                validate(self.format, shape, dims, _by_level(self, those))
            self._checked.add(lo, hi)

    @property
    def counts(self) -> tuple[int, ...]:
        """The number of children of each level above the leaf, of buffers that are not checked."""
        found: tuple[int, ...] | None = self.memo.get("counts")
        if found is None:
            try:
                found = self.memo["counts"] = self._plain().counts
            except (IndexError, ValueError):
                return self._plain_of(self.buffers).counts  # which says what is wrong
        return found

    def transposed(self, axes: Sequence[int]) -> Tensor:
        """The tensor whose axis `k` is this one's axis `axes[k]`, with the same buffers."""
        turned = self._plain().transposed(axes)
        return self._made(turned, _buffers(self), self._mapping, self._checked, self._first)

    def part(self, lo: int, hi: int) -> Tensor | None:
        """The rows from one to another along the outermost level; None where they cannot be cut."""
        known: dict[Window, Tensor] = self.memo.setdefault("parts", {})
        found = known.get((lo, hi))
        if found is None:
            levels = self.format.levels
            if not levels[0].kind.arithmetic or not all(one.slicing for one in levels[:-1]):
                return None
            with self._told():
                found = room(known, PARTS)[lo, hi] = self._part(lo, hi)
        return found

    def _part(self, lo: int, hi: int) -> Tensor:
        raw, axis, shape = _buffers(self), self.format.order[0], self.shape
        _check_pointers(self.format.levels, self.dims, _by_level(self, raw), lo, hi)
        cut = part(self.format.levels, self.dims, raw, lo, hi)
        shape = (*shape[:axis], hi - lo, *shape[axis + 1 :])
        like = Tensor(self.format, shape, self.dtype, self.fill, cut)
        return self._made(like, cut, self._mapping, self._checked, (self._first or 0) + lo)

    def _plain(self) -> Tensor:
        """A tensor of the same buffers, none of which is checked."""
        return self._plain_of(_buffers(self))

    def _plain_of(self, buffers: tuple[Array, ...]) -> Tensor:
        return Tensor(self.format, self.shape, self.dtype, self.fill, buffers)

    @contextmanager
    def _told(self) -> Iterator[None]:
        """Within, errors of what is wrong with the buffers name the file."""
        try:
            yield
        except FormatError as error:
            raise FormatError(f"{self._mapping.file.path}: {error}") from error


def _check_pointers(
    levels: Sequence[Level],
    dims: Sequence[int],
    buffers: Sequence[tuple[Array, ...]],
    lo: int,
    hi: int,
) -> None:
    """Raise FormatError where pointers of some rows do not ascend, or leave the buffers.

    Rows that are cut out have pointers of their own, in which that would not be seen.
    """
    for level, dim, own in zip(levels[1:], (*dims[1:], 1), buffers[1:], strict=True):
        if level.slicing == "entries":
            ptr = own[0][lo : hi + 1]
            bad = len(ptr) != hi - lo + 1 or ptr[0] < 0
            if bad or any([ptr[-1] > len(one) for one in own[1:]]) or np.any(ptr[1:] < ptr[:-1]):
                raise FormatError(
                    f"level {type(level).__name__} buffer {level.buffers[0]!r} does not ascend "
                    f"within the entries that there are, in rows {lo} to {hi}; write the file anew"
                )
        try:
            lo, hi = level.between(lo, hi, dim, own)
        except (IndexError, ValueError) as error:
            raise FormatError(
                f"level {type(level).__name__}: {error}; write the file anew"
            ) from error


_slot = Tensor.__dict__["buffers"]
_buffers = _slot.__get__


def _by_level(tensor: Tensor, buffers: Sequence[Array]) -> list[tuple[Array, ...]]:
    left = iter(buffers)
    return [tuple([next(left) for _ in level.buffers]) for level in tensor.format.levels]
