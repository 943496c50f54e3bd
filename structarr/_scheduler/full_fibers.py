"""Stored terms that fill some fibers: there they take what the other terms add.

In `(a - mu) @ x`, a column of `a` that is nearly full may cancel with `mu`, so the product must not
be split along it. `a - mu` is `b - nu` as well, where `b` has the differences in such columns, and
`nu` has zeros for them: nothing is left that cancels, and `b` stores hardly more than `a`.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from structarr._lazy import graph
from structarr._lazy.graph import Node
from structarr._scheduler.thin_terms import StoredTerm
from structarr._storage.coordinates import nested
from structarr._storage.dense import from_dense
from structarr._storage.statistics import counted_along
from structarr._storage.tensor import Tensor
from structarr._storage.transpose import is_listed
from structarr.formats import Format, parse
from structarr.formats.entries import Array


class Filled(NamedTuple):
    """A sum of two axes, the stored term of it, and the sum of all others.

    The others are the same along the axis `along` of the sum, where they have length one, which is
    the only axis of `term`.
    """

    whole: Node
    term: StoredTerm
    stored: Node
    rest: Node
    along: int

    @property
    def fibers(self) -> Array | None:
        """The numbers of the fibers that store too much; None where these are not counted."""
        held, (axis,), most = self.term
        if not is_listed(held):
            return None
        return np.flatnonzero(counted_along(held, axis) > most * held.shape[axis])

    @property
    def vector(self) -> Node:
        """The sum of the other terms, as a vector."""
        vector = graph.squeeze(self.rest, (self.along,))
        return graph.broadcast_to(vector, (self.whole.shape[1 - self.along],))

    @property
    def format(self) -> Format:
        """The lists in which the stored term is kept with what it takes."""
        own = self.term.tensor.format
        moved = self.term.axes[0] != self.along
        order = own.order[::-1] if moved else own.order
        outer = self.whole.shape[order[0]] <= self.term.tensor.counts[-1]
        return nested([outer, False], order, own.index)


def filled(whole: Node, term: StoredTerm, stored: Node, rest: Node, along: int) -> Filled | None:
    """A stored term of a sum beside others; None of a sum that has other axes or another dtype."""
    alike = whole.ndim == 2 and stored.dtype == rest.dtype == whole.dtype
    return Filled(whole, term, stored, rest, along) if alike else None


def parts_of(found: Filled, fibers: Array, rest: Array) -> tuple[Node, Node]:
    """The stored term with what it takes in some fibers, and the vector of what is left.

    `rest` is the value of the vector, which is changed.
    """
    dtype, length = found.whole.dtype, found.whole.shape[1 - found.along]
    rest[fibers] = 0
    kept = np.ones(length, dtype)
    kept[fibers] = 0
    ptr, ones = np.array([0, len(fibers)], np.int64), np.ones(len(fibers), dtype)
    buffers = (ptr, fibers.astype(np.int64), ones)
    some = Tensor(parse("list", 1, "int64"), (length,), dtype, dtype.type(0), buffers)
    taken = graph.elementwise("multiply", (found.whole, _beside(some, found.along)))
    left = graph.elementwise("multiply", (found.stored, _beside(from_dense(kept), found.along)))
    return graph.elementwise("add", (taken, left)), _beside(from_dense(rest), found.along)


def _beside(vector: Tensor, along: int) -> Node:
    """A vector as a matrix that is the same along an axis."""
    return graph.expand_dims(graph.leaf(vector), (along,))
