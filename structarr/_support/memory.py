"""The memory there is, and left, if the system tells: on Linux, of the process's group too."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from time import monotonic

UNKNOWN = 2**40

_SYSTEM = Path("/proc/meminfo")
_GROUP = Path("/sys/fs/cgroup")


RECENT = 0.5
"""The seconds for which what was left is taken to be left, by who asks for a small part of it."""

PART = 8
"""One in how many of the bytes that were left is a small part."""


def available() -> int:
    """The bytes that may still be allocated and used; if unknown, more than any machine has."""
    left = (_of_system(_text(_SYSTEM)), _of_group(_GROUP))
    return min([one for one in left if one is not None], default=UNKNOWN)


def available_for(size: int) -> int:
    """The bytes that are available to who asks for so many: files of the system tell, now and then.

    To read them takes as long as a product of a matrix with 10^5 entries.
    """
    known = _lately.get("left")
    if known is not None and size < known[1] // PART and monotonic() < known[0]:
        return known[1]
    left = available()
    _lately["left"] = monotonic() + RECENT, left
    return left


_lately: dict[str, tuple[float, int]] = {}


@cache
def installed() -> int:
    """The bytes that the system, or the process's group, has at most; if unknown, none."""
    found = re.search(r"^MemTotal:\s+(\d+) kB", _text(_SYSTEM), re.MULTILINE)
    group = re.search(r"^\d+", _text(_GROUP / "memory.max"))
    every = [found and int(found[1]) * 1024, group and int(group[0])]
    return min([one for one in every if one is not None], default=0)


def _of_system(text: str) -> int | None:
    found = re.search(r"^MemAvailable:\s+(\d+) kB", text, re.MULTILINE)
    return int(found[1]) * 1024 if found else None


def _of_group(folder: Path) -> int | None:
    most, used = _text(folder / "memory.max").strip(), _text(folder / "memory.current").strip()
    return max(int(most) - int(used), 0) if most.isdigit() and used.isdigit() else None


def _text(path: Path) -> str:
    """The content of a file; a `Path` raises TypeError where its text finds no memory."""
    try:
        with open(str(path), "rb", buffering=0) as file:
            return file.read().decode()
    except OSError:
        return ""
