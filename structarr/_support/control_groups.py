"""The control groups of this process, by which Linux limits processors and memory.

Names of files are texts: a `Path` raises TypeError where its text finds no memory.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from os.path import isdir, normpath
from typing import Final

GROUPS: Final = "/sys/fs/cgroup"
"""Where the groups are folders: of version 1 below a folder for each controller."""

OWN: Final = "/proc/self/cgroup"
"""The groups of this process, a line for each hierarchy: number, controllers and path."""


def folders(controller: str) -> Iterator[str]:
    """
    The folders of the groups that limit this process, each before those around it.

    A container may see the groups of its host by paths that are not there; the folders around them
    tell what is limited then.

    Parameters
    ----------
    controller : str
        What is limited, such as ``"memory"``, where each controller has groups of its own.
    """
    with suppress(ValueError):
        for line in text_of(OWN).splitlines():
            _, names, path = line.split(":", 2)
            if names and controller not in names.split(","):
                continue
            top = _hierarchy(names, controller)
            inner = normpath(f"/{path}").strip("/")
            while inner:
                yield f"{top}/{inner}"
                inner = inner.rpartition("/")[0]
            yield top


def _hierarchy(names: str, controller: str) -> str:
    """The folder of a hierarchy: that of version 2 is beside or around those of version 1.

    One of several controllers may be named after one of them alone.
    """
    one, other = (names, f"/{controller}") if names else ("unified", "")
    return f"{GROUPS}/{one}" if isdir(f"{GROUPS}/{one}") else f"{GROUPS}{other}"


def text_of(path: str) -> str:
    """The content of a file, or nothing."""
    try:
        with open(path, "rb", buffering=0) as file:
            return file.read().decode()
    except OSError:
        return ""
