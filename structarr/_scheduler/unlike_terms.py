"""Stored terms of a sum that may cancel each other, as the same matrix with another sign does.

`(a - b) @ x` is rounded as `a @ x` and `b @ x` are where it is multiplied out. Where `a` and `b`
are nearly equal, that is worse by far than the product with their difference.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, NamedTuple, TypeAlias

import numpy as np

from structarr._lazy.node import Node
from structarr._storage.sketches import sketch
from structarr._storage.tensor import Tensor

LOSS: Final = 16.0
"""Times as large as a sum that its terms may be, as norms of matrices."""


class Scaled(NamedTuple):
    """A stored matrix, and the numbers that it is multiplied by."""

    tensor: Tensor
    numbers: tuple[Node, ...]
    turned: bool  # whether its axes are swapped
    negative: bool  # whether it is subtracted


Unlike: TypeAlias = tuple[Scaled, ...]
"""Terms of one sum that must not cancel each other."""


Factored: TypeAlias = tuple[Tensor, Sequence[Any], bool, bool]
"""A matrix, the numbers that it is multiplied by, and what `Scaled` tells besides."""


def leave_much(terms: Unlike) -> bool:
    """Whether terms of a sum leave most of each other."""
    return are_unlike([(one.tensor, [by.data for by in one.numbers], *one[2:]) for one in terms])


def are_unlike(terms: Sequence[Factored]) -> bool:
    """
    Whether a sum of matrices, times numbers, turned and subtracted or not, is as large as they are.

    Examples
    --------
    >>> from structarr._storage.dense import from_dense
    >>> one = from_dense(np.eye(3))
    >>> are_unlike([(one, (), False, False), (one, (2.0,), False, True)])
    True
    >>> are_unlike([(one, (), False, False), (one, (1.0,), True, True)])
    False
    """
    total: Any = 0.0
    sizes = 0.0
    with np.errstate(all="ignore"):
        for tensor, numbers, turned, negative in terms:
            term = sketch(tensor, turned)
            for one in numbers:
                term = term * one
            total = total - term if negative else total + term
            sizes += _size(term)
        return bool(LOSS * _size(total) >= sizes)


def _size(found: Any) -> float:
    return float(np.sqrt(np.vdot(found, found).real))
