"""Mapped files: those in memory, and whether arrays over them can still be read.

A view of a mapped array is an array of its own, whose memory is the file's as well. So files are
asked before a computation, and only if one has changed it is found out which operands lie in it.
"""

from __future__ import annotations

import mmap
import os
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Final, NamedTuple
from weakref import finalize

import numpy as np

from structarr._storage.tensor import Tensor
from structarr.formats.entries import Array


class Stamp(NamedTuple):
    """The stamp by which a mapped file is known to be the same."""

    device: int
    inode: int
    size: int
    time: int

    @classmethod
    def of(cls, path: Path) -> Stamp:
        """The stamp of a file as it is now."""
        found = os.stat(path)
        return cls(found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns)


class File(NamedTuple):
    """A file as it was mapped, and where its content lies in memory."""

    path: Path
    stamp: Stamp
    begin: int
    end: int

    def check(self) -> None:
        """Raise OSError if the file is no longer the one that was mapped."""
        try:
            same = Stamp.of(self.path) == self.stamp
        except FileNotFoundError:
            return  # its content is kept as long as it is mapped
        if not same:
            raise OSError(
                f"{self.path} has changed since it was mapped; load it again with structarr.load, "
                "or copy arrays that are to outlive their file"
            )

    def holds(self, buffer: Array) -> bool:
        """Whether a buffer lies in it."""
        start: int = buffer.__array_interface__["data"][0]
        return buffer.size > 0 and self.begin <= start < self.end


FILES: Final[dict[int, File]] = {}
"""The files that any array lies in, as long as their memory is used, by its identity."""


def note(path: Path, memory: mmap.mmap, stamp: Stamp) -> File:
    """Return a file, which is remembered as long as its memory is used."""
    begin: int = np.frombuffer(memory, np.uint8).__array_interface__["data"][0]
    found = FILES[id(memory)] = File(path, stamp, begin, begin + len(memory))
    finalize(memory, FILES.pop, id(memory), None).atexit = False
    return found


def check(given: Iterable[Any]) -> None:
    """Raise OSError if an operand lies in a file that is no longer the one that was mapped."""
    for file in list(FILES.values()):
        try:
            file.check()
        except OSError:
            tensors = [one for one in given if isinstance(one, Tensor)]
            if any(file.holds(buffer) for one in tensors for buffer in _buffers(one)):
                raise


_buffers = Tensor.__dict__["buffers"].__get__
