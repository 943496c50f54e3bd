"""A bound on the memory of a process: what asks for too much fails, and not the machine."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

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
