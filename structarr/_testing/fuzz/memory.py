"""The memory of a process that runs programs: bounded, and full of what nothing may read."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final
from unittest.mock import patch

from structarr._support import buffer_pool

MOST: Final = 4 << 30


@contextmanager
def bounded(most: int = MOST) -> Iterator[None]:
    """Within, allocations beyond a bound raise MemoryError, where the system has such bounds."""
    try:
        import resource
    except ImportError:  # Windows has none
        yield
        return
    soft, hard = resource.getrlimit(resource.RLIMIT_DATA)
    least = most if hard == resource.RLIM_INFINITY else min(most, hard)
    resource.setrlimit(resource.RLIMIT_DATA, (least, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_DATA, (soft, hard))


@contextmanager
def dirtied() -> Iterator[None]:
    """Within, buffers for kernels to write are full of 99s, where they would be zero by chance.

    Plans that are made before keep their buffers as they are.
    """
    made = buffer_pool.empty

    def dirty(size: int, dtype: Any) -> Any:
        found = made(size, dtype)
        found.fill(99)
        return found

    with patch.object(buffer_pool, "empty", dirty):
        yield
