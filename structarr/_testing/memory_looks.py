"""Looks at the memory of a process, between which nothing may grow.

Before a look, all that is kept between calls is emptied: the tables of `sa.clear_cache`, and those
of functions that keep a bounded number of results, which forget some in the course of things
anyway. What is left is what calls cannot but leave.
"""

from __future__ import annotations

import ctypes
import functools
import gc
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final, NamedTuple

import structarr as sa
from structarr._support import memory_account

PACKAGE: Final = "structarr"


class Look(NamedTuple):
    """What there is in memory.

    Attributes
    ----------
    types : Counter
        How many objects there are of each type, of those that Python's collector knows.
    blocks : int
        Blocks of memory that Python has for objects of any type.
    held : int
        Bytes that results and pools hold.
    allocated : int
        Bytes that libraries of C have taken from the system's allocator; 0 where it does not tell.
    resident : float
        MiB of the process; 0 where the system does not tell.
    modules : frozenset of str
        What was imported.
    """

    types: Counter[str]
    blocks: int
    held: int
    allocated: int
    resident: float
    modules: frozenset[str]

    @property
    def objects(self) -> int:
        """Objects of all types."""
        return self.types.total()


def look() -> Look:
    """Empty what is bounded, collect what is garbage, and say what is left."""
    sa.clear_cache()
    for table in bounded_tables():
        table.cache_clear()
    gc.collect()
    # Python keeps the names of the attributes that it last looked up in classes, 4,096 at most:
    # until it has as many, every look would find more.
    sys._clear_type_cache()
    blocks = sys.getallocatedblocks()
    types = Counter([_name(type(one)) for one in gc.get_objects()])
    modules = frozenset(sys.modules)
    return Look(types, blocks, memory_account.held(), _allocated(), _resident(), modules)


def bounded_tables() -> Iterator[Any]:
    """The functions of the package that keep a bounded number of results."""
    for one in gc.get_objects():
        is_own = type(one) is functools._lru_cache_wrapper and _is_own(one)
        if is_own and one.cache_info().maxsize is not None:
            yield one


def _is_own(function: Any) -> bool:
    return str(function.__module__).partition(".")[0] == PACKAGE


def _name(kind: type) -> str:
    module = kind.__dict__.get("__module__", "")
    return f"{module}.{kind.__qualname__}" if isinstance(module, str) else kind.__qualname__


class _Mallinfo(ctypes.Structure):
    """What the allocator of glibc tells of itself."""

    _fields_ = [
        (name, ctypes.c_size_t)
        for name in (
            *("arena", "ordblks", "smblks", "hblks", "hblkhd"),
            *("usmblks", "fsmblks", "uordblks", "fordblks", "keepcost"),
        )
    ]


def _allocated() -> int:
    tell = getattr(ctypes.CDLL(None), "mallinfo2", None) if sys.platform == "linux" else None
    if tell is None:
        return 0
    tell.restype = _Mallinfo
    found = tell()
    return int(found.uordblks + found.hblkhd)


def _resident() -> float:
    path = Path("/proc/self/statm")
    if not path.exists():
        return 0.0
    import resource  # which Windows has not

    return int(path.read_text().split()[1]) * resource.getpagesize() / (1 << 20)
