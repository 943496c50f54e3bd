"""The folder of kernels on disk: where it is, who may write to it, and how large it gets.

Every file is replaced as a whole, and processes that write the same name at once write the same
thing, so nothing needs a lock. A file begins with a digest of the rest: one that is cut or changed
is not there. When the folder exceeds its limits, what was not used for longest goes.
"""

from __future__ import annotations

import atexit
import functools
import hashlib
import os
import shutil
import stat
import sys
import tempfile
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from itertools import count
from pathlib import Path
from time import time
from typing import Final

from structarr._support.caches import clears
from structarr._support.locks import lock

DIGEST: Final = 32  # bytes of the digest that a file begins with
LIMIT: Final = 512  # MiB, unless STRUCTARR_CACHE_SIZE says otherwise
FILES: Final = 16_384  # at most, as a look at the folder takes some microseconds a file
KEPT: Final = 0.8  # the share of a limit that is left when it was exceeded
BETWEEN: Final = 64  # files that a process writes between two looks at the size
APART: Final = 600.0  # seconds between two looks of any processes
LOOKED: Final = "looked.json"  # a file that is as old as the last look
MOST: Final = 1024  # files that wait to be written

_written = count()


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
    if not stat.S_ISDIR(status.st_mode) or not os.access(place, os.R_OK | os.X_OK):
        return False
    return _is_private(status)


def _is_private(status: os.stat_result) -> bool:
    """Whether a folder or file is ours, and nobody else can write to it."""
    if not hasattr(os, "getuid"):
        return True
    return status.st_uid == os.getuid() and not status.st_mode & 0o022


def read(name: str) -> bytes | None:
    """The content of a file; None where it is not there, damaged, or may be another's.

    Paths are texts, as the system's calls take them: of a `Path` they raise TypeError where no
    memory is left to ask for its text, and a file with a buffer RuntimeError.
    """
    folder = directory()
    if folder is None:
        return None
    place = str(folder)
    path = os.path.join(place, name)
    try:
        with open(path, "rb", buffering=0) as file:
            if not (_is_private(os.lstat(place)) and _is_private(os.fstat(file.fileno()))):
                return None
            content = file.read()
    except OSError:
        return None
    if hashlib.sha256(content[DIGEST:]).digest() != content[:DIGEST]:
        return None
    with suppress(OSError):  # a folder may be read-only
        os.utime(path)
    return content[DIGEST:]


def is_empty() -> bool:
    """Whether nothing is kept: to ask that takes less time than to ask for states of files."""
    folder = directory()
    try:
        with os.scandir(folder or "") as entries:
            return next(entries, None) is None
    except OSError:
        return True


def write(name: str, content: bytes) -> None:
    """Keep a file; a full disk or a folder that is read-only is no error."""
    folder = directory()
    if folder is not None:
        _write(folder / name, content)


def _write(path: Path, content: bytes) -> None:
    with suppress(OSError):
        replace(path, hashlib.sha256(content).digest() + content)
    if next(_written) % BETWEEN == 0 and _is_due(path.parent):
        shrink(path.parent)


def _is_due(folder: Path) -> bool:
    """Whether no process has looked at a folder's size for a while; it is noted that one does."""
    mark = folder / LOOKED
    with suppress(OSError):
        if 0 <= time() - mark.stat().st_mtime < APART:  # a clock may have jumped
            return False
    with suppress(OSError):
        mark.touch(mode=0o600)
    return True


def later(name: Callable[[], str], make: Callable[[], bytes | None]) -> None:
    """Keep a file that is made when there is time: when code was compiled, or at the end.

    None stands for no content. Where many wait, one that waited for longest is written, so that no
    call has to write them all.
    """
    folder = directory()
    if folder is not None:
        _waiting.append((folder, name, make))
        if len(_waiting) > MOST:
            _write_one()


@clears
def flush() -> None:
    """Write all files that wait for it, which hold what they are made of until then."""
    with _writing:  # who asks for it finds the files there, whoever writes them
        while _waiting:
            _write_one()


def _write_one() -> None:
    """Write the file that waited for longest, if another thread has not written it just now."""
    try:
        folder, name, make = _waiting.popleft()
    except IndexError:
        return
    content = make()
    if content is not None:
        _write(folder / name(), content)


_writing = lock()
_waiting: deque[tuple[Path, Callable[[], str], Callable[[], bytes | None]]] = deque()
atexit.register(flush)


def shrink(folder: Path) -> None:
    """Remove what was not used for longest where a folder exceeds its limits."""
    limit = float(os.environ.get("STRUCTARR_CACHE_SIZE", LIMIT)) * (1 << 20)
    with os.scandir(folder) as entries:
        found = [_used(one) for one in entries if not one.name.endswith(".json")]
    size, count = sum([one for _, one, _ in found]), len(found)
    if size <= limit and count <= FILES:
        return
    for _, one, path in sorted(found):
        if size <= KEPT * limit and count <= KEPT * FILES:
            return
        with suppress(OSError):
            shutil.rmtree(path) if os.path.isdir(path) else os.unlink(path)
            size, count = size - one, count - 1


def _used(entry: os.DirEntry[str]) -> tuple[float, int, str]:
    """When a file, or a folder of files, was last used, its size and its path."""
    with suppress(OSError):
        states = [entry.stat()]
        if entry.is_dir():
            states += [one.stat() for one in Path(entry.path).rglob("*")]
        used = max([one.st_mtime for one in states])
        return used, sum([one.st_size for one in states]), entry.path
    return 0.0, 0, entry.path


def replace(path: Path, content: bytes, stamp: int | None = None) -> None:
    """Write a file that others see either whole or not at all; a stamp is when it was changed."""
    place = str(path)
    draft = f"{place}.{os.urandom(8).hex()}"
    try:
        with open(draft, "wb") as file:
            file.write(content)
        os.chmod(draft, 0o600)
        if stamp is not None:
            os.utime(draft, (stamp, stamp))
        os.replace(draft, place)
    finally:
        with suppress(FileNotFoundError):
            os.unlink(draft)
