"""Digests of all that machine code and plans depend on beside the structure of operands.

None of this imports Numba or LLVM: a process that finds all its kernels on disk needs little of
either.
"""

from __future__ import annotations

import hashlib
import os
import platform
import sys
import time
from collections.abc import Iterable
from contextlib import suppress
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final

import numpy as np

from structarr._compiler.backend.disk import folder
from structarr._support.debug import debug

PACKAGE: Final = Path(__file__).parents[3]

LOWERING: Final = (
    *("_compiler", "_scheduler", "_execute", "_lazy", "_language", "_storage", "_support"),
    "formats",
)
"""The folders of the package whose files decide which kernels there are."""

TRANSLATING: Final = (
    *("_compiler/runtime", "_compiler/backend/text", "_compiler/backend/llvm"),
    *("_compiler/backend/native", "_compiler/backend/numba"),
)
"""Those that decide what becomes of a kernel's text."""

IMPORTED: Final = time.time_ns()

_UNRELATED: Final = ("NUMBA_CACHE_DIR", "NUMBA_NUM_THREADS")


@cache
def of_code() -> tuple[Any, ...]:
    """The digest of the surroundings of machine code."""
    numba = tuple(
        sorted(
            [
                (name, value)
                for name, value in os.environ.items()
                if name.startswith("NUMBA_") and name not in _UNRELATED
            ]
        )
    )
    versions = (sys.version, np.__version__, _version("numba"), _version("llvmlite"))
    checks = ("check",) * debug("check")  # what checks no index is never taken for what does
    return (*versions, numba, processor(), digest(TRANSLATING), *checks)


@cache
def of_plans() -> tuple[Any, ...]:
    """The digest of the surroundings of plans: kernels and their calls."""
    # The files may not say what was imported, if they were changed since. Those that were read for
    # a digest may have been changed after they were listed.
    is_read = _known(LOWERING) is None
    state = digest(LOWERING)
    if max([file[-1] for file in (_found(LOWERING) if is_read else _listed(LOWERING))]) > IMPORTED:
        state = f"of process {os.getpid()} at {IMPORTED}"
    return (*of_code(), state)


@cache
def processor() -> str:
    """The processor with its features, as the system tells it."""
    with suppress(OSError), open("/proc/cpuinfo") as file:
        wanted = ("vendor_id", "model name", "flags", "Features", "CPU part")
        found = {}
        for line in file:
            name, _, value = line.partition(":")
            if name.strip() in found:
                break  # the next processor
            if name.strip() in wanted:
                found[name.strip()] = value.strip()
        if found:
            return repr((platform.machine(), sorted(found.items())))
    return repr((platform.machine(), platform.processor()))


def _version(package: str) -> str:
    """The version of a package, which is not imported for it; empty where it is not there."""
    with suppress(ImportError, ValueError, OSError):
        found = find_spec(package)
        if found is not None and found.origin is not None:
            place = Path(found.origin).parent
            return _hash([(place / "_version.py").read_bytes()])
    return ""


@cache
def digest(folders: tuple[str, ...]) -> str:
    """A digest of the package's own files in some folders.

    Reading them takes longer than to ask whether they were changed: the digest is kept on disk
    under the states of all files.
    """
    known = _known(folders)
    if known is not None:
        return known.decode()
    found = hashlib.sha256()
    for path, *_ in _listed(folders):
        with open(path, "rb", buffering=0) as file:
            found.update(hashlib.sha256(file.read()).digest())
    text = found.hexdigest()
    folder.write(_name(folders), text.encode())
    return text


def is_known() -> bool:
    """Whether the digests of the package are: if not, no other process can have kept a plan."""
    if folder.is_empty():
        return False
    return _known(LOWERING) is not None and _known(TRANSLATING) is not None


@cache
def _known(folders: tuple[str, ...]) -> bytes | None:
    return folder.read(_name(folders))


@cache
def _name(folders: tuple[str, ...]) -> str:
    return f"{_hash([repr(_listed(folders)).encode()])}.files"


@cache
def _listed(folders: tuple[str, ...]) -> list[tuple[str, int, int, int]]:
    """What `_found` gives as it was when somebody first asked; of those in `LOWERING`, as then."""
    if folders == LOWERING or not {name.split("/")[0] for name in folders} <= {*LOWERING}:
        return _found(folders)
    below = tuple([os.path.join(PACKAGE, *name.split("/"), "") for name in folders])
    return [file for file in _listed(LOWERING) if file[0].startswith(below)]


def _found(folders: tuple[str, ...]) -> list[tuple[str, int, int, int]]:
    """The files in some folders, and their states: none stays the same where one is changed."""
    found: list[tuple[str, int, int, int]] = []
    left = [os.path.join(PACKAGE, name) for name in folders]  # those found are appended
    for place in left:
        with os.scandir(place) as entries:
            for one in entries:
                name = one.name
                if name.endswith(".py"):
                    state = one.stat()
                    times = state.st_mtime_ns, state.st_ctime_ns
                    found.append((one.path, state.st_size, *times))
                elif name != "__pycache__" and one.is_dir():
                    left.append(one.path)
    return sorted(found)


def _hash(parts: Iterable[bytes]) -> str:
    found = hashlib.sha256()
    for part in parts:
        found.update(hashlib.sha256(part).digest())
    return found.hexdigest()
