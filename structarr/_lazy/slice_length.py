"""Lengths of slices, which expressions are given beside their arrays."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple


class SliceLength(NamedTuple):
    """The length of a slice along an axis that it cuts.

    Structures of expressions have it too; those that share a general structure have other ones.
    """

    length: int


def told(lengths: Iterable[int]) -> tuple[SliceLength, ...]:
    """The lengths that are told: 0 and 1 are known of all that share a general structure."""
    return tuple([SliceLength(n) for n in lengths if n > 1])
