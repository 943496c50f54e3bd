"""Calls in pieces: thresholds at which every call that can be cut is cut into single rows."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from structarr import _choice, _pieces, _segments


@contextmanager
def in_pieces() -> Iterator[None]:
    """Within, work is cut however little it is; how many threads do it, an option says."""
    kept = _choice.LARGE, _pieces.WORK, _segments.LEAST
    _choice.LARGE, _pieces.WORK, _segments.LEAST = -1, 1e-12, 1
    try:
        yield
    finally:
        _choice.LARGE, _pieces.WORK, _segments.LEAST = kept
