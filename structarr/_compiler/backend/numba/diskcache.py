"""
The cache of compiled kernels on disk.

Each kernel has a folder of its own, named by a hash of everything that its machine code depends
on: its text, for Numba to find; Numba's own two files; and their digests. Every file is replaced
as a whole, and processes that compile the same kernel at once write the same thing, so nothing
needs a lock. Whatever does not agree with its digest is removed and compiled again.
"""

from __future__ import annotations

import functools
import hashlib
import json
import os
import stat
import sys
import tempfile
from contextlib import suppress
from pathlib import Path
from uuid import uuid4

# Numba takes a text's modification time for its version: ours is the name's hash.
STAMP = 1_000_000_000


def directory() -> Path | None:
    """Return the user's folder of kernels, or None where there is no safe place for one."""
    return _directory(os.environ.get("STRUCTARR_CACHE_DIR"))


@functools.lru_cache(8)
def _directory(override: str | None) -> Path | None:
    user = os.getuid() if hasattr(os, "getuid") else "user"
    shared = Path(tempfile.gettempdir(), f"structarr-{user}")
    for place in (Path(override) if override else _platform_cache(), shared):
        if _make_private(place) and _make_private(place / "kernels"):
            return place / "kernels"
    return None


def _platform_cache() -> Path:
    home = Path(os.path.expanduser("~"))
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA", home), "structarr", "cache")
    if sys.platform == "darwin":
        return home / "Library" / "Caches" / "structarr"
    return Path(os.environ.get("XDG_CACHE_HOME") or home / ".cache", "structarr")


def _make_private(place: Path) -> bool:
    """Make the folder; say whether it is ours and nobody else can write to it: we run its code."""
    try:
        place.mkdir(mode=0o700, parents=True, exist_ok=True)
        status = place.lstat()
    except OSError:
        return False
    if not stat.S_ISDIR(status.st_mode) or not os.access(place, os.W_OK | os.X_OK):
        return False
    if not hasattr(os, "getuid"):
        return True
    return status.st_uid == os.getuid() and not status.st_mode & 0o022


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
        _replace(self.source, self._text)

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
        _replace(self._digests, json.dumps(digests).encode())

    def discard(self, folder: Path) -> None:
        """Remove what Numba stored in the folder."""
        for path in (self._digests, *_numba_files(folder)):
            with suppress(OSError):
                path.unlink()


def _numba_files(folder: Path) -> list[Path]:
    return [*folder.glob("*.nbi"), *folder.glob("*.nbc")]


def _digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def _replace(path: Path, content: bytes) -> None:
    """Write a file that others see either whole or not at all."""
    draft = path.with_name(f"{path.name}.{uuid4().hex[:16]}")
    try:
        draft.write_bytes(content)
        os.utime(draft, (STAMP, STAMP))
        os.replace(draft, path)
    finally:
        draft.unlink(missing_ok=True)
