"""Calls in pieces: thresholds at which every call that can be cut is cut into single rows."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from structarr._execute import call_size, owned_ranges, partition_cuts, partition_rooms


@contextmanager
def in_pieces(owned: bool = False) -> Iterator[None]:
    """Within, work is cut however little it is; how many threads do it, an option says.

    Pieces own ranges of rows of sums, where they can, or have sums of their own.
    """
    search, owned_ranges.SEARCH = owned_ranges.SEARCH, -1.0 if owned else 0.0  # type: ignore[misc]
    kept = call_size.LARGE, partition_cuts.WORK, partition_cuts.COMBINING, partition_rooms.LEAST
    seldom = call_size.PARTIAL, partition_cuts.GATHERING, partition_cuts.ADDING
    listed, partition_cuts.LISTED = partition_cuts.LISTED, 0.0
    call_size.LARGE, partition_cuts.WORK, partition_rooms.LEAST = -1, 1e-12, 1
    partition_cuts.COMBINING = partition_cuts.GATHERING = call_size.PARTIAL = 0.0
    partition_cuts.ADDING = 0.0
    try:
        yield
    finally:
        owned_ranges.SEARCH = search  # type: ignore[misc]
        call_size.LARGE, partition_cuts.WORK, partition_cuts.COMBINING, partition_rooms.LEAST = kept
        call_size.PARTIAL, partition_cuts.GATHERING, partition_cuts.ADDING = seldom
        partition_cuts.LISTED = listed
