"""The memory there is, and left, if the system tells: on Linux, of the process's groups too."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from time import monotonic
from typing import Final, NamedTuple

from structarr._support.control_groups import folders, text_of

UNKNOWN: Final = 2**40

_SYSTEM: Final = "/proc/meminfo"


class _Names(NamedTuple):
    """The files of a group, and the line of what it has read of files and can give back."""

    most: str
    used: str
    given_back: str


VERSIONS: Final = (
    _Names("memory.max", "memory.current", "inactive_file"),
    _Names("memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file"),
)
"""The names of both versions of control groups."""


RECENT = 0.5
"""The seconds for which what was left is taken to be left, by who asks for a small part of it."""

PART = 8
"""One in how many of the bytes that were left is a small part."""


def available() -> int:
    """The bytes that may still be allocated and used; if unknown, more than any machine has."""
    left = (_of_system(text_of(_SYSTEM), "MemAvailable"), _of_groups(_left))
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
    every = (_of_system(text_of(_SYSTEM), "MemTotal"), _of_groups(_most))
    return min([one for one in every if one is not None], default=0)


def _of_system(text: str, name: str) -> int | None:
    found = re.search(rf"^{name}:\s+(\d+) kB", text, re.MULTILINE)
    return int(found[1]) * 1024 if found else None


def _of_groups(asked: Callable[[str, _Names], int | None]) -> int | None:
    """The least that the process's own group, or one around it, answers."""
    found = [asked(folder, names) for folder in folders("memory") for names in VERSIONS]
    return min([one for one in found if one is not None], default=None)


def _most(folder: str, names: _Names) -> int | None:
    return _number(text_of(f"{folder}/{names.most}"))


def _left(folder: str, names: _Names) -> int | None:
    """What a group may still use, with what the system takes from it first where it is short."""
    most, used = _most(folder, names), _number(text_of(f"{folder}/{names.used}"))
    if most is None or used is None:
        return None
    line = rf"^{names.given_back} (\d+)$"
    files = re.search(line, text_of(f"{folder}/memory.stat"), re.MULTILINE)
    return max(most - max(used - int(files[1] if files else 0), 0), 0)


def _number(text: str) -> int | None:
    """A number of bytes; None where a file is not there or says that there is no limit."""
    return int(text) if text.strip().isdigit() else None
