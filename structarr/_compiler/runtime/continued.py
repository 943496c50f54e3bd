"""Where what continues an array far beyond its ends is found within it, of an index of any sign."""

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
