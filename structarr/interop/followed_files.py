"""Files of which it is told how far they are read or written, by the option `progress`."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path
from typing import IO, Any, Final

from structarr._compiler.progress import followed

_PIECE: Final = 1 << 24
"""The most bytes that are read at a time, lest a long read tells nothing."""

_reads: ContextVar[Callable[..., None] | None] = ContextVar("reads", default=None)


@contextmanager
def following(text: str) -> Iterator[None]:
    """Tell how far the files are that `for_reading` opens inside the block."""
    with followed(text) as follow:
        token = _reads.set(follow)
        try:
            yield
        finally:
            _reads.reset(token)


def told(share: float) -> None:
    """Tell which part of the content is read, where no file is read on that would tell it."""
    follow = _reads.get()
    if follow is not None:
        follow(share)


def for_reading(path: Path) -> IO[bytes]:
    """
    Open a file to read it.

    Examples
    --------
    >>> with for_reading(Path(__file__)) as file, following("reading"):
    ...     file.read(3)
    b'\"\"\"'
    """
    follow = _reads.get()
    return open(path, "rb") if follow is None else io.BufferedReader(_Read(path, follow))


@contextmanager
def for_writing(path: Path, shown: Path) -> Iterator[IO[bytes]]:
    """Open a new file to write it; it is told as the one that is `shown`."""
    with (
        followed(f"writing {shown}") as follow,
        io.BufferedWriter(_Written(path, follow)) as file,
    ):
        yield file


class _Read(io.FileIO):
    """A file that tells which part of it is read."""

    def __init__(self, path: Path, follow: Callable[..., None]) -> None:
        super().__init__(path, "rb")
        self._follow, self._size = follow, max(path.stat().st_size, 1)

    def readinto(self, buffer: Any) -> int:
        """Read on, not more than a piece."""
        count = super().readinto(memoryview(buffer)[:_PIECE])
        self._follow(self.tell() / self._size)
        return count or 0

    def readall(self) -> bytes:
        """Read all that is left, by pieces."""
        pieces = []
        while piece := self.read(_PIECE):
            pieces.append(piece)
            self._follow(self.tell() / self._size)
        return b"".join(pieces)


class _Written(io.FileIO):
    """A file that tells how much of it is written."""

    def __init__(self, path: Path, follow: Callable[..., None]) -> None:
        super().__init__(path, "xb")
        self._follow = follow

    def write(self, content: Any) -> int:
        """Write on."""
        count = super().write(content)
        self._follow(None, f"{self.tell() / 1e6:.0f} MB")
        return count
