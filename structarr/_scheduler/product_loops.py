"""The time of the loops over a product of factors, by the counts of what they store.

Elements are supposed to be spread evenly, and independently of other factors.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from math import inf, prod
from typing import Final, NamedTuple, TypeAlias

from structarr._scheduler.machine import Times

Labels: TypeAlias = tuple[int, ...]

COPY: Final = 10.0
"""How many calls of kernels a copy in another order takes that stores nothing."""


class Factor(NamedTuple):
    """One factor: the labels of its axes, and how much it stores.

    Lists are read from the outermost level in, so the loop over an inner level is within those over
    the outer ones. A factor that is computed first is stored in any order.
    """

    labels: Labels
    stored: float
    lists: Labels = ()  # the labels of sparse modes
    nested: Labels = ()  # the labels in the order of levels, if loops must follow it
    name: int = -1  # the same of factors that are the same array; -1 of one that is no other's
    skews: tuple[float, ...] = ()  # for each label, of the squares of what is stored at an index
    number: int = 0  # of the structure of the array

    @property
    def dense(self) -> bool:
        """Whether everything is stored."""
        return not self.lists

    @property
    def turns(self) -> bool:
        """Whether it is of rows of lists, which are stored as columns where loops ask for that."""
        return bool(self.nested) and len(self.lists) == len(self.labels) - 1 > 0

    def is_list(self, label: int, outer: frozenset[int]) -> bool:
        """Whether a loop inside others follows a list; of rows, that which comes first does not."""
        if self.turns and label in self.labels:
            return not outer.isdisjoint(self.labels)
        return label in self.lists


class Loops:
    """Loops over labels, of which the lengths are known."""

    def __init__(self, lengths: Mapping[int, float], ns: Times) -> None:
        self.lengths, self._ns = lengths, ns

    def times(
        self, factors: list[Factor], every: frozenset[int], listed: frozenset[int]
    ) -> tuple[float, Labels]:
        """The time of the loops in their cheapest order, and that.

        What is added up is gathered in a row: all but one of the labels that are listed in the
        result come before those that are summed over.
        """
        times: dict[frozenset[int], tuple[float, Labels]] = {frozenset(): (0.0, ())}
        for _ in range(len(every)):
            longer: dict[frozenset[int], tuple[float, Labels]] = {}
            for outer, (time, order) in times.items():
                is_row = len(listed - outer) < 2
                for label in every - outer:
                    if not (is_row or label in listed):
                        continue
                    inner = outer | {label}
                    total = time + self._turns(factors, outer, label)
                    total += self._moves(factors, outer, label)
                    if total < longer.get(inner, (inf, ()))[0]:
                        longer[inner] = total, (*order, label)
            times = longer
        return times[every]

    def _moves(self, factors: list[Factor], outer: frozenset[int], label: int) -> float:
        """The time of storing factors in another order: a loop further in is of a level above."""
        moved = [
            factor
            for factor in factors
            if label in factor.nested
            and not outer.issuperset(factor.nested[: factor.nested.index(label)])
        ]
        return sum(factor.stored * self._ns.move + COPY * self._ns.call for factor in moved)

    def _turns(self, factors: list[Factor], outer: frozenset[int], label: int) -> float:
        """The time of one loop inside others: what leads it is the shortest list."""
        length, ns = self.lengths[label], self._ns
        lists = []
        for factor in factors:
            if factor.is_list(label, outer):
                here = self._count(factor, outer)
                lists.append(self._count(factor, outer | {label}) / here if here else 0.0)
        reached = self.size(outer) * prod(
            min(1.0, factor.stored / size)
            if (size := self.size(outer & set(factor.labels)))
            else 0.0
            for factor in factors
        )
        if lists and min(lists) < length:
            return reached * (ns.enter + min(lists) * ns.follow * (1 + 0.5 * (len(lists) - 1)))
        return reached * length * ns.sweep

    def _count(self, factor: Factor, some: frozenset[int]) -> float:
        """The number of different indices of some labels at which a factor stores something."""
        return min(factor.stored, self.size(some & set(factor.labels)))

    def share(self, factor: Factor) -> float:
        size = self.size(set(factor.labels))
        return factor.stored / size if size else 0.0

    def size(self, labels: Iterable[int]) -> float:
        return prod((self.lengths[label] for label in set(labels)), start=1.0)
