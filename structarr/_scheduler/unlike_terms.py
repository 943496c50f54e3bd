"""Stored terms of a sum that may cancel each other, as the same matrix with another sign does.

`(a - b) @ x` is rounded as `a @ x` and `b @ x` are where it is multiplied out. Where `a` and `b`
are nearly equal, that is worse by far than the product with their difference.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import hypot, sqrt
from typing import Any, Final, NamedTuple, TypeAlias
from weakref import ref

from structarr._lazy.node import Node
from structarr._storage.sketches import norm, product, sketch
from structarr._storage.tensor import Tensor
from structarr.formats.entries import Array

LOSS: Final = 16.0
"""Times as large as a sum that its terms may be, as norms of matrices."""

LIKE: Final = 3 / 4
"""The share of a matrix's entries from which on another one has about as many."""


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
    >>> import numpy as np
    >>> from structarr._storage.dense import from_dense
    >>> one = from_dense(np.eye(3))
    >>> are_unlike([(one, (), False, False), (one, (np.float64(2),), False, True)])
    True
    >>> are_unlike([(one, (), False, False), (one, (np.float64(1),), True, True)])
    False
    """
    rest = [term[1:] for term in terms]
    memo = terms[0][0].memo
    known = memo.get("unlike")
    if known is not None and known[0] == rest and _are(known[1], terms):
        return bool(known[2])
    found = _is_one_larger(terms) or _leave_much(terms)
    memo["unlike"] = rest, [ref(term[0]) for term in terms], found
    return found


def _is_one_larger(terms: Sequence[Factored]) -> bool:
    """Whether one term is so much larger than all others, as norms, that they leave enough of it.

    The norms take a third of the time of the sketches, and are not asked for where matrices store
    about as much and no numbers are beside them: then they are about the same.
    """
    counts = [len(one[0].buffers[-1]) for one in terms]
    if LIKE * max(counts) < min(counts) and not any([one[1] for one in terms]):
        return False
    sizes: list[float] = []
    for tensor, numbers, *_ in terms:
        size = norm(tensor)
        if size is None:
            return False
        for one in numbers:
            value = one.item()
            size *= hypot(value.real, value.imag)  # `abs` of such as are too large is an error
        sizes.append(size)
    total = sum(sizes)
    return LOSS * (2 * max(sizes) - total) >= total  # never so if one of them is not finite


def _leave_much(terms: Sequence[Factored]) -> bool:
    """Whether the norm of a sum of sketches is a part of those of its terms, if that is finite."""
    total = sizes = 0.0
    before: list[tuple[complex, Array]] = []
    for tensor, numbers, turned, negative in terms:
        sums, square = sketch(tensor, turned)
        times: complex = -1.0 if negative else 1.0
        for one in numbers:  # as Python's numbers, which overflow silently
            times *= one.item()
        square *= times.real * times.real + times.imag * times.imag
        sizes += sqrt(square)
        total += square
        for other, earlier in before:
            total += 2 * (other.conjugate() * times * product(earlier, sums)).real
        before.append((times, sums))
    return LOSS * sqrt(max(total, 0.0)) >= sizes


def _are(known: Sequence[ref[Tensor]], terms: Sequence[Factored]) -> bool:
    """Whether matrices are those that were asked about."""
    return all([one() is term[0] for one, term in zip(known, terms, strict=True)])
