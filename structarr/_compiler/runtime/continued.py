"""Places within an array of indices far beyond its ends, for arrays that are padded."""

from __future__ import annotations


def turned(i: int, dim: int) -> int:
    """Return the place of an index in circles of length `dim`, which is not 0."""
    return i % dim


def mirrored(i: int, dim: int, repeated: int) -> int:
    """Return the place of an index between two mirrors; `repeated` is 1 where the edge is twice."""
    turn = 2 * dim - 2 + 2 * repeated
    if turn == 0:
        return 0
    place = i % turn
    if place < dim:
        return place
    return turn - place - repeated
