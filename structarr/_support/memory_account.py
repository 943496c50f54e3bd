"""The memory account: the bytes of results, temporaries and pools, and the limit that they obey.

It counts what the buffer pool and the pool of workspaces have made and not freed yet. Memory that
waits in a pool is freed before a request is refused.
"""

from __future__ import annotations

import gc
from collections.abc import Callable
from typing import Final, TypeVar

from structarr.errors import MemoryLimitError

F = TypeVar("F", bound=Callable[[], None])

# By the identity of what holds them. Its operations need no lock: memory may be freed at any point.
_bytes: Final[dict[int, int]] = {}
_frees: Final[list[Callable[[], None]]] = []
_limits: Final[list[Callable[[], int | None]]] = []


class Held:
    """Bytes that are counted until this is gone."""

    __slots__ = ()

    def __init__(self, nbytes: int) -> None:
        """Raises MemoryLimitError, with nothing counted, if there would be too many."""
        _bytes[id(self)] = nbytes
        most = limit()
        if most is not None and held() > most:
            free_all()
            if held() > most:
                del _bytes[id(self)]
                raise _refused(nbytes, most)

    def __del__(self) -> None:
        _bytes.pop(id(self), None)


def held() -> int:
    """The bytes of results, temporaries and pools."""
    return sum(list(_bytes.values()))


def limit() -> int | None:
    """The most bytes that there may be; None if nothing limits them."""
    return _limits[-1]() if _limits else None


def limited_by(function: Callable[[], int | None]) -> None:
    """Take the limit from a function."""
    _limits.append(function)


def frees(function: F) -> F:
    """Make a refusal wait until a function has freed what is not in use."""
    _frees.append(function)
    return function


def free_all() -> None:
    """Free what waits in pools, and what objects hold that know each other."""
    frees: list[Callable[[], object]] = [*_frees, gc.collect, *_frees]
    for free in frees:
        free()


def _refused(nbytes: int, most: int) -> MemoryLimitError:
    return MemoryLimitError(
        f"{nbytes} bytes more are needed, and results, temporaries and pools hold {held()} of the "
        f"{most} that memory_limit allows: delete arrays that are not needed any more, compute "
        "less at a time (structarr.save writes an expression that is not computed yet by pieces), "
        "or allow more with structarr.options(memory_limit=...)"
    )
