"""Stored terms of sums that leave most to the other terms, which they cannot cancel then."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from math import prod
from typing import Final, NamedTuple

from structarr._lazy.graph import Node
from structarr._scheduler.expected_entries import expected_entries
from structarr._scheduler.product_loops import Labels
from structarr._storage.statistics import HALF as HALF, fullest, is_counted_by_row, stores_few
from structarr._storage.tensor import Tensor

ALONE: Final = 15 / 16
"""The share of a fiber that may be stored where a sum is a factor once.

What is left then is a quarter of its terms at least, as lengths of vectors.
"""
TWICE: Final = 3 / 4
"""The same where sums are multiplied with sums: squares of what is left are a sixteenth."""


class StoredTerm(NamedTuple):
    """A stored term of a sum, and the axes along which it must leave some to the other terms."""

    tensor: Tensor
    axes: tuple[int, ...]
    most: float = HALF  # the share of a fiber that it may store


def is_thin(tensor: Tensor, axes: Sequence[int], most: float = HALF) -> bool:
    """Whether a matrix stores few elements of each fiber along some axes.

    Then those of other terms that are not cancelled decide how large sums of products are.
    """
    if stores_few(tensor, axes, most):
        return True
    return all([fullest(tensor, axis, most) <= most for axis in axes])


def is_full(node: Node, most: float = HALF) -> bool:
    """Whether a term stores so much that others may cancel it."""
    return expected_entries(node) > most * prod(node.shape)


def opposed(tensor: Tensor, labels: Labels, others: Iterable[Collection[int]]) -> tuple[int, ...]:
    """The axes along which a stored term might cancel other terms, by the labels that these have.

    That is one along which another term is the same everywhere, if there is any.
    """
    found: set[int] = set()
    for other in others:
        same = [axis for axis, label in enumerate(labels) if label not in other]
        by_row = [axis for axis in same if is_counted_by_row(tensor, axis)]
        found |= {*(by_row or same)[:1]} or {*range(tensor.ndim)}
    return tuple(sorted(found))
