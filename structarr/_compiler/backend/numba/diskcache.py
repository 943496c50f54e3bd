"""
The cache of kernels that Numba itself has to call.

Each has a folder of its own, named by a hash of everything that its machine code depends on: its
text, for Numba to find; Numba's own two files; and their digests. Every file is replaced as a
whole, and processes that compile the same kernel at once write the same thing, so nothing needs a
lock. Whatever does not agree with its digest is removed and compiled again.
"""

from __future__ import annotations

import hashlib
import json
from contextlib import suppress
from pathlib import Path

from structarr._compiler.backend.disk.folder import replace

# Numba takes a text's modification time for its version: ours is the name's hash.
STAMP = 1_000_000_000


class Entry:
    """
    The files of one kernel.

    Parameters
    ----------
    folder : Path
        The kernel's own folder.
    text : str
        The source that the entry is for.
    """

    def __init__(self, folder: Path, text: str) -> None:
        self.source = folder / f"{folder.name}.py"
        self._digests = folder / "digests.json"
        self._text = text.encode()

    def write_source(self) -> None:
        """Put the text where Numba looks for it, unless it is there."""
        with suppress(OSError):
            same = self.source.read_bytes() == self._text
            if same and self.source.stat().st_mtime == STAMP:
                return
        self.source.parent.mkdir(mode=0o700, exist_ok=True)
        replace(self.source, self._text, STAMP)

    def exists(self) -> bool:
        """Whether the kernel has been stored, in whatever condition."""
        return self._digests.exists()

    def intact(self, folder: Path) -> bool:
        """Whether Numba's files in the folder are those that were sealed."""
        try:
            digests = json.loads(self._digests.read_bytes())
            return bool(digests) and digests == {name: _digest(folder / name) for name in digests}
        except (OSError, ValueError, TypeError):
            return False

    def seal(self, folder: Path) -> None:
        """Remember the digests of Numba's files in the folder."""
        digests = {path.name: _digest(path) for path in _numba_files(folder)}
        replace(self._digests, json.dumps(digests).encode(), STAMP)

    def discard(self, folder: Path) -> None:
        """Remove what Numba stored in the folder."""
        for path in (self._digests, *_numba_files(folder)):
            with suppress(OSError):
                path.unlink()


def _numba_files(folder: Path) -> list[Path]:
    return [*folder.glob("*.nbi"), *folder.glob("*.nbc")]


def _digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()
