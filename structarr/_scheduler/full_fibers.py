"""Stored terms that fill some fibers: there they take what the other terms add.

In `(a - mu) @ x`, a column of `a` that is nearly full may cancel with `mu`, so the product must not
be split along it. `a - mu` is `b + c - nu` as well, where `b` has the differences in such columns,
`c` is `a` in all others, and `nu` has zeros for them: nothing is left that cancels, and `b` stores
hardly more than `a`. Which columns these are is derived of a matrix, so that a plan serves others.
"""

from __future__ import annotations

from typing import Final, NamedTuple, TypeAlias

import numpy as np

from structarr._lazy import graph
from structarr._lazy.graph import Node
from structarr._scheduler.thin_terms import StoredTerm
from structarr._storage.coordinates import nested
from structarr._storage.dense import from_dense
from structarr._storage.memo import derived
from structarr._storage.statistics import counted_along
from structarr._storage.tensor import Tensor
from structarr._storage.transpose import is_listed
from structarr.formats import Format, parse

Detail: TypeAlias = tuple[int, float, str]
"""An axis, the share of a fiber along it that may be stored, and the dtype of the ones."""

FULL: Final = "full fibers"
OTHERS: Final = "other fibers"
"""The names under which a matrix, and the list of its full fibers, remember these."""


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
    def is_counted(self) -> bool:
        """Whether it is counted what fibers of the stored term hold."""
        return is_listed(self.term.tensor)

    @property
    def detail(self) -> Detail:
        """What tells, of the stored term, which fibers store too much."""
        return self.term.axes[0], self.term.most, self.whole.dtype.name

    def left(self, others: Tensor) -> Node:
        """The sum of the other terms as a vector, with zeros where fibers store too much."""
        there = graph.elementwise("not_equal", (graph.leaf(others), self._zero))
        return graph.elementwise("where", (there, self.vector, self._zero))

    @property
    def _zero(self) -> Node:
        return graph.number(self.whole.dtype.type(0), self.whole.dtype)

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


def taken(found: Filled, full: Tensor) -> Node:
    """The sum in the full fibers, of which there is a list, and zeros elsewhere."""
    return graph.elementwise("multiply", (found.whole, beside(full, found.along)))


def others_of(found: Filled, others: Tensor) -> Node:
    """The stored term in all other fibers, for which there are ones."""
    return graph.elementwise("multiply", (found.stored, beside(others, found.along)))


@derived(FULL)
def full_fibers(tensor: Tensor, detail: Detail) -> Tensor:
    """A list of ones, for the fibers of a matrix of lists that store too much along an axis."""
    axis, most, name = detail
    fibers = np.flatnonzero(counted_along(tensor, axis) > most * tensor.shape[axis])
    dtype, shape = np.dtype(name), (tensor.shape[1 - axis],)
    buffers = np.array([0, len(fibers)], np.int64), fibers, np.ones(len(fibers), dtype)
    return Tensor(parse("list", 1, "int64"), shape, dtype, dtype.type(0), buffers)


@derived(OTHERS)
def other_fibers(full: Tensor, detail: None) -> Tensor:
    """A dense vector of ones for all fibers but those, and zeros."""
    ones = np.ones(full.shape, full.dtype)
    ones[full.buffers[1]] = 0
    return from_dense(ones)


def beside(vector: Tensor, along: int) -> Node:
    """A vector as a matrix that is the same along an axis."""
    return graph.expand_dims(graph.leaf(vector), (along,))
