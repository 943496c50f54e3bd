"""The order in which the factors of a sum of products are multiplied, by their counts.

A tree says which factors one loop nest multiplies; a branch is computed first. Binary trees and the
product of all factors at once are priced, recursively. Elements are supposed to be spread
evenly, and independently of other factors. Branches hang together by labels, where they can; of
many factors only those of neighbours are tried.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import combinations
from math import exp, log2, prod
from typing import NamedTuple, TypeAlias

from structarr._scheduler.machine import Times, times
from structarr._scheduler.product_loops import Factor, Labels, Loops
from structarr._scheduler.seen_counts import seen, state
from structarr._support.caches import cleared

MOST = 7  # the most factors of which all trees are priced
AT_ONCE = 4  # the most factors of a branch that one loop nest may multiply
LONGEST = 24  # the most factors; more are multiplied in the user's order
LESS = 0.75  # of the time of the user's order, which another one has to take to be preferred

Tree: TypeAlias = tuple["int | Tree", ...]


def form_of(
    tree: Tree | int, factors: Sequence[tuple[int, Labels]], kept: Iterable[int]
) -> Hashable:
    """The form of a branch, by the names and labels of factors: equal ones compute the same.

    Labels have the numbers in which they come.
    """
    seen: dict[int, int] = {}

    def told(part: Tree | int) -> Hashable:
        if not isinstance(part, int):
            return tuple(map(told, part))
        name, labels = factors[part]
        return name, tuple([seen.setdefault(label, len(seen)) for label in labels])

    return told(tree), frozenset([seen[label] for label in kept])


def numbers_of(tree: Tree | int) -> list[int]:
    """The factors of a tree."""
    return [tree] if isinstance(tree, int) else [k for part in tree for k in numbers_of(part)]


class Plan(NamedTuple):
    """A tree, the nanoseconds that it is expected to take, and what is known of sparse branches.

    The labels of a branch come in the order of the loops that make it. With what it is expected to
    store is the key under which it is remembered if that is wrong.
    """

    tree: Tree
    cost: float
    orders: Mapping[Tree, Labels]
    expected: Mapping[Tree, tuple[Hashable, float]]


def best(factors: Sequence[Factor], result: Labels, lengths: Mapping[int, int]) -> Plan:
    """The tree that is expected to be fastest; of equal ones the flattest."""
    return ranked(factors, result, lengths)[0]


def ranked(
    factors: Sequence[Factor], result: Labels, lengths: Mapping[int, int], written: Tree = ()
) -> tuple[Plan, ...]:
    """A tree for each way to begin at the root, of the fastest branches, the best one first.

    What is `written` comes first if it is expected to take hardly longer.
    """
    rounded = tuple(
        f._replace(stored=_rounded(f.stored), skews=tuple(map(_rounded, f.skews))) for f in factors
    )
    sizes = tuple((k, _rounded(n)) for k, n in sorted(lengths.items()))
    return _ranked(rounded, result, sizes, times(), state(), written)


def _rounded(number: float) -> float:
    """A number to the nearest power of two, so that calls of about one size share a tree."""
    return float(1 << round(log2(number))) if number >= 1 else 0.0


@cleared
@lru_cache(1024)
def _ranked(
    factors: tuple[Factor, ...],
    result: Labels,
    lengths: tuple[tuple[int, float], ...],
    ns: Times,
    known: int,
    written: Tree,
) -> tuple[Plan, ...]:
    return tuple(_Orders(factors, result, dict(lengths), ns, known).plans(written))


class _Made(NamedTuple):
    cost: float
    tree: Tree | int
    value: Factor


class _Orders:
    def __init__(
        self,
        factors: tuple[Factor, ...],
        result: Labels,
        lengths: Mapping[int, float],
        ns: Times,
        known: int,
    ) -> None:
        self._corrects = known > 0
        self.factors, self.result, self._ns = factors, frozenset(result), ns
        self._loops = Loops(lengths, ns)
        self._known: dict[frozenset[int], _Made] = {}
        self._connected: dict[frozenset[int], bool] = {}
        self.orders: dict[Tree, Labels] = {}
        self.expected: dict[Tree, tuple[Hashable, float]] = {}
        names = [k if one.name < 0 else one.name for k, one in enumerate(factors)]
        self._named = [(name, one.labels) for name, one in zip(names, factors, strict=True)]
        self._repeated = len({*names}) < len(names)

    def plans(self, written: Tree) -> list[Plan]:
        """A tree for each way to make the product of all factors, the cheapest first.

        What is written comes before what is expected to take little less.
        """
        every = frozenset(range(len(self.factors)))
        kept = self._kept(every)
        found = [self._joined(parts, kept, None, None) for parts in self._ways(every, kept)]
        found.sort(key=lambda one: one.cost)
        spelled = self._spelled(written) if written else found[0]
        if LESS * spelled.cost < found[0].cost and spelled.tree != found[0].tree:
            found = [spelled, *[one for one in found if one.tree != spelled.tree]]
        trees = [one.tree if isinstance(one.tree, tuple) else (one.tree,) for one in found]
        return [
            Plan(tree, one.cost, self.orders, self.expected)
            for tree, one in zip(trees, found, strict=True)
        ]

    def _made(self, some: frozenset[int]) -> _Made:
        """The cheapest way to the product of some factors, summed as far as others allow."""
        found = self._known.get(some)
        if found is None:
            kept = self._kept(some)
            product, stored = self._seen(some, kept)
            for parts in self._ways(some, kept):
                if self._repeated:
                    parts.sort(key=self._place)
                found = self._joined(parts, kept, found, stored)
            assert found is not None
            self._known[some] = found
            self._expect(product, found)
        return found

    def _spelled(self, tree: Tree) -> _Made:
        """The product of factors in the order of a tree."""
        parts = [
            _Made(0.0, part, self.factors[part]) if isinstance(part, int) else self._spelled(part)
            for part in tree
        ]
        some = frozenset(numbers_of(tree))
        kept = self._kept(some)
        if len(some) == len(self.factors):
            return self._joined(parts, kept, None, None)
        product, stored = self._seen(some, kept)
        found = self._joined(parts, kept, None, stored)
        self._expect(product, found)
        return found

    def _expect(self, product: Hashable, found: _Made) -> None:
        """Note how much the product of some factors is expected to store, if it is sparse."""
        if isinstance(found.tree, tuple) and not found.value.dense:
            self.expected[found.tree] = product, found.value.stored

    def _seen(self, some: frozenset[int], kept: frozenset[int]) -> tuple[Hashable, float | None]:
        """The form of the product of some factors, and what it was seen to store."""
        numbers = sorted(some)
        factors = [(self.factors[k].number, self.factors[k].labels) for k in numbers]
        product = form_of(tuple(range(len(numbers))), factors, kept)
        return product, seen(product) if self._corrects else None

    def _ways(self, some: frozenset[int], kept: frozenset[int]) -> Iterable[list[_Made]]:
        """The ways to make some factors' product in one loop nest."""
        numbers = sorted(some)
        plain = [_Made(0.0, k, self.factors[k]) for k in numbers]
        at_once = len(numbers) <= (MOST if len(some) == len(self.factors) else AT_ONCE)
        if at_once:
            yield plain
        if at_once and len(numbers) > 1:
            summed = [self._made(frozenset({k})) for k in numbers]
            if any(one.tree != k for one, k in zip(summed, numbers, strict=True)):
                yield summed
        if len(numbers) > 2:
            for left in self._halves(numbers):
                halves = left, some - left
                # What sums nothing is multiplied where it is read: loops over all factors have it.
                if not at_once or all(map(self._is_made, halves)):
                    yield [self._made(part) for part in halves]

    def _halves(self, numbers: list[int]) -> list[frozenset[int]]:
        """The parts of a cut in two, one of each two: of neighbours, where there are many factors.

        Each part hangs together by labels, if there is such a cut.
        """
        every = frozenset(numbers)
        if len(self.factors) > MOST:
            lefts = [frozenset(numbers[:size]) for size in range(1, len(numbers))]
        else:
            sizes = range(1, len(numbers) // 2 + 1)
            lefts = [frozenset(left) for size in sizes for left in combinations(numbers, size)]
        whole = [one for one in lefts if self._hangs(one) and self._hangs(every - one)]
        return whole or lefts

    def _is_made(self, some: frozenset[int]) -> bool:
        """Whether factors are one, or their product is a sum, which is computed first."""
        labels = {label for k in some for label in self.factors[k].labels}
        return len(some) == 1 or not labels <= self._kept(some)

    def _hangs(self, some: frozenset[int]) -> bool:
        """Whether factors are connected by the labels that they share."""
        if some not in self._connected:
            reached, *left = ({*self.factors[k].labels} for k in sorted(some))
            while near := [one for one in left if not one or one & reached]:
                left = [one for one in left if one and not one & reached]
                reached = reached.union(*near)
            self._connected[some] = not left
        return self._connected[some]

    def _kept(self, some: frozenset[int]) -> frozenset[int]:
        """The labels of some factors that others or the result have too."""
        mine = {label for k in some for label in self.factors[k].labels}
        outside = {
            label
            for k, factor in enumerate(self.factors)
            if k not in some
            for label in factor.labels
        }
        return frozenset(mine & (outside | self.result))

    def _joined(
        self, parts: list[_Made], kept: frozenset[int], least: _Made | None, stored: float | None
    ) -> _Made:
        """Some values multiplied in one loop nest, or what is known to take less time."""
        if len(parts) == 1 and kept >= {*parts[0].value.labels}:
            return parts[0]
        costs = [part.cost for part in parts]
        if self._repeated:  # a branch that comes again is computed once
            costs = [*{self._form(part): part.cost for part in parts if part.cost}.values()]
        cost = sum(costs) + self._ns.call
        if least is not None and cost >= least.cost:
            return least
        factors = [part.value for part in parts]
        value, turns = self._value(factors, kept)
        if stored is not None and not value.dense:
            value = value._replace(stored=stored)
        time, order = self._time(factors, kept, value, turns)
        cost += time
        if least is not None and cost >= least.cost:
            return least
        tree = tuple(part.tree for part in parts)
        if not value.dense and len(kept) > 2:  # matrices are stored either way
            labels = tuple([label for label in order if label in kept])
            self.orders[tree] = labels
            value = value._replace(labels=labels, nested=labels)
        return _Made(cost, tree, value)

    def _place(self, part: _Made) -> int:
        """Factors come by their names, so that branches of the same are alike, then branches."""
        return self._named[part.tree][0] if isinstance(part.tree, int) else len(self.factors)

    def _form(self, part: _Made) -> Hashable:
        return form_of(part.tree, self._named, part.value.labels)

    def _value(self, factors: list[Factor], kept: frozenset[int]) -> tuple[Factor, float]:
        """The entries that a product stores, and the number of terms that it sums."""
        every = {label for factor in factors for label in factor.labels}
        terms = self._loops.size(every) * prod(self._loops.share(factor) for factor in factors)
        terms *= self._skew(factors)
        room = self._loops.size(kept)
        labels = tuple(sorted(kept))
        lists = tuple(k for k in labels if any(k in factor.lists for factor in factors))
        sparse = [factor for factor in factors if not factor.dense]
        led = kept.intersection(*[factor.labels for factor in sparse])
        apart = kept.intersection([k for factor in sparse for k in factor.labels])
        if all(factor.turns for factor in sparse):
            if len(apart) == len(led) == 1:
                lists = ()  # the rows of what is left are dense
            elif not lists:  # rows that meet rows are stored as columns, which lists lead
                lists = tuple(sorted(apart))[1:]
        if len(labels) < 2 or not lists:
            return Factor(labels, room), terms
        # Sums over what dense factors alone have meet the same elements again and again.
        placed = kept.union(*[factor.labels for factor in sparse])
        met = terms * self._loops.size(placed) / max(self._loops.size(every | placed), 1.0)
        stored = room * (1 - exp(-met / room)) if room else 0.0
        return Factor(labels, stored, lists), terms

    def _time(
        self, factors: list[Factor], kept: frozenset[int], value: Factor, terms: float
    ) -> tuple[float, Labels]:
        """The time of a loop nest, and its loops from the outermost one."""
        if all(factor.dense for factor in factors):
            is_blas = len(factors) == 2 and len(kept) > 1
            return terms * (self._ns.blas if is_blas else self._ns.sweep), ()
        every = frozenset(label for factor in factors for label in factor.labels)
        writes = self._ns.append
        if every - kept and len(kept) > 1 and not self._is_masked(factors, kept):
            writes = self._ns.append if value.dense else self._ns.gather
        turns, order = self._loops.times(factors, every, frozenset() if value.dense else kept)
        return turns * self._skew(factors) + value.stored * writes, order

    def _skew(self, factors: list[Factor]) -> float:
        """The skew: terms over those of an even spread of entries.

        An array that meets itself along an axis meets there what it stores at the same index.
        """
        found = 1.0
        for one, other in combinations(factors, 2) if self._repeated else ():
            if one.name == other.name >= 0 and one.skews and one.labels != other.labels:
                alike = zip(one.labels, other.labels, one.skews, strict=True)
                found *= prod(skew for label, mine, skew in alike if label == mine)
        return found

    def _is_masked(self, factors: list[Factor], kept: frozenset[int]) -> bool:
        """Whether a factor says in order which elements there are."""
        return any(not factor.dense and kept <= set(factor.labels) for factor in factors)
