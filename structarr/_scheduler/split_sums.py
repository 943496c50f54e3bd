"""Products with sums of terms, as sums of products: no term takes the form of the sum.

`(a - mu) @ x` is `a @ x - mu @ x`, and `(a + u @ v.T) @ x` is `a @ x + u @ (v.T @ x)`: a sum of
something sparse and something of low rank is never formed. What is multiplied out is rounded
otherwise, though not by much, as a term that stores little leaves the sum to the others.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import product
from math import prod
from typing import Final, NamedTuple, TypeAlias

from structarr._compiler.options import current
from structarr._lazy import graph
from structarr._lazy.distributive import MOVED, multiplies
from structarr._lazy.graph import Node
from structarr._lazy.rewrite.other_part import with_other
from structarr._scheduler.cancellation import unless_cancelled
from structarr._scheduler.full_fibers import Filled
from structarr._scheduler.product_factors import measured
from structarr._scheduler.product_loops import Labels
from structarr._scheduler.product_order import MOST, Plan
from structarr._scheduler.reorder_products import Product
from structarr._scheduler.sum_terms import MOST_TERMS, Term, Terms, has_terms, labels_of
from structarr._scheduler.thin_terms import StoredTerm, is_thin
from structarr._scheduler.unlike_terms import Unlike, leave_much
from structarr._storage.density import fits
from structarr._storage.tensor import Tensor

GAIN: Final = 2.0  # times that a sum has to take what its products do
BETWEEN: Final = 10.0  # nanoseconds an entry: a loop over the full terms up to it begins and ends
MERGED: Final = 5.0  # nanoseconds an entry: lists are gone along together
SKETCHED: Final = 2e4  # nanoseconds of a sketch, whatever is stored
REFILL: Final = 1e5  # nanoseconds of a stored term that takes in others, whatever it stores
REFILLED: Final = 20.0  # and to compute it, an entry


Pick: TypeAlias = Sequence[tuple[int, Term]]  # a term of each factor, with its number


class Part(NamedTuple):
    """A product of a term of each factor, in the order in which it is multiplied, and its sign.

    It is added up `times` times, along axes along which it is the same.
    """

    negative: bool
    product: Product
    plan: Plan
    times: int


class Parts(NamedTuple):
    """A sum of products, and the stored terms that must leave most of each fiber to the others.

    Those that are `unlike` must not cancel each other. With it are its products, their nanoseconds,
    and those of the product of sums.
    """

    node: Node
    sparse: tuple[StoredTerm, ...]
    unlike: tuple[Unlike, ...]
    products: tuple[Part, ...]
    cost: float
    whole: float


class First(NamedTuple):
    """A sum in a product of sums that is computed first, as its products are fewer then.

    `within` are its own products, and `beyond` those of what is left with its value.
    """

    node: Node
    within: Parts
    beyond: Parts | First

    @property
    def cost(self) -> float:
        """The nanoseconds of all products."""
        return self.within.cost + self.beyond.cost


Refill: TypeAlias = Callable[[Filled], Node | None]


def first_of(
    node: Node,
    parts: Parts | None,
    is_dense: Callable[[Node], bool],
    stand_in: Callable[[Node], Tensor | None],
) -> First | None:
    """The innermost sum of a product that is better computed before the product is multiplied out.

    Of ``(a - mu).T @ ((a - mu) @ x)`` that is ``(a - mu) @ x``: the numbers of terms are added up,
    where they are multiplied in the `parts` of the whole. None where it is no faster, or not dense.
    """
    inner = next(_sums_within(node), None)
    if inner is None:
        return None
    within = split(inner, is_dense)
    value = None if within is None else stand_in(inner)
    if within is None or value is None or not value.format.is_dense:
        return None
    left = with_other(node, inner, graph.leaf(value))
    others = split(left, is_dense)
    beyond = first_of(left, others, is_dense, stand_in) or others
    found = None if beyond is None else First(inner, within, beyond)
    return None if found and parts and parts.cost < found.cost else found


def _sums_within(node: Node) -> Iterator[Node]:
    """The sums below a node that are factors of its product and have terms, innermost first."""
    if node.kind in MOVED or node.kind == "reduce" or multiplies(node):
        for arg in node.args:
            yield from _sums_within(arg)
            if arg.kind == "reduce" and has_terms(arg):
                yield arg


def split(
    node: Node,
    is_dense: Callable[[Node], bool],
    refill: Refill | None = None,
    whole_sums: frozenset[Node] = frozenset(),
) -> Parts | None:
    """The sum of products that a product of sums is; None of a node that is better as it is.

    Parameters
    ----------
    node : Node
        The product.
    is_dense : callable
        Says of a node whether its value is, as the sum's is.
    refill : callable, optional
        Returns a sum whose stored term takes in the others where it is full.
    whole_sums : frozenset of Node
        Sums of which that is so: nothing is left that their stored terms could cancel.
    """
    if node.dtype.kind not in "iufc" or not node.sums or current().strict_ieee:
        return None
    if not (node.kind == "reduce" or multiplies(node)) or not has_terms(node):
        return None
    whole = Product.of(node, 1, squares=True, mixed=True)
    if whole is None or whole.add != "add":
        return None
    terms_of = Terms(whole, whole_sums)
    factors = list(map(terms_of, whole.nodes, whole.labels))
    if prod(map(len, factors)) not in range(2, MOST_TERMS + 1):
        return None
    pair = _squared(whole)
    if pair and (whole.dtype.kind != "f" or sum(map(bool, whole.labels)) > 2):
        return None  # squares that are weighted may cancel wherever the weights are large
    picks = [pick for pick in product(*map(enumerate, factors)) if _is_in_order(pick, pair)]
    parts = [multiplied(whole, pick, pair) for pick in picks]
    made = [part for part in parts if part is not None]
    cost, unsplit = sum(one.plan.cost for one in made), whole.plan().cost
    unsplit += sum(_formed(whole, terms) for terms in factors)
    entries = sum(one.tensor.counts[-1] for one in terms_of.stored)
    unsplit += BETWEEN * (entries - terms_of.merged) + MERGED * terms_of.merged
    thin = () if pair else tuple([one for one in terms_of.stored if one.axes])
    unlike = () if pair else tuple(terms_of.unlike)
    if len(made) < len(parts) or cost * GAIN + SKETCHED * sum(map(len, unlike)) > unsplit:
        return None
    if not all(map(leave_much, unlike)):
        return None
    full = [one for one in thin if not is_thin(*one)]
    if not (_is_dense(whole, factors) or is_dense(node)):
        return None
    if not fits(prod(node.shape) * node.dtype.itemsize):  # what refuses it tells it as it stands
        return None
    if full:
        sums = {id(one.whole): one for one in terms_of.filled if one.term in full}
        taken_in = REFILL + REFILLED * entries
        if refill is None or len(sums) < len(full) or cost * GAIN + taken_in > unsplit:
            return None
        return _refilled(node, sums.values(), is_dense, refill)
    total = added(made, whole)
    if pair:
        terms = [(term.nodes, term.labels) for term in factors[pair[0]]]
        own = whole.labels[pair[0]]
        total = unless_cancelled(total, terms, own, whole.result, whole.lengths)
    total = graph.broadcast_to(total, node.shape)
    return Parts(total, thin, unlike, tuple(made), cost, unsplit)


def _refilled(
    node: Node, sums: Iterable[Filled], is_dense: Callable[[Node], bool], refill: Refill
) -> Parts | None:
    """The sum of products where stored terms of some sums have full fibers."""
    whole_sums = set()
    for one in sums:
        other = refill(one)
        if other is None:
            return None
        made = with_other(node, one.whole, other)
        if made is node:
            return None
        node = made
        whole_sums.add(other)
    return split(node, is_dense, None, frozenset(whole_sums))


def _squared(whole: Product) -> tuple[int, ...]:
    """The numbers of two equal factors, of which a product is the square; none of others."""
    same: dict[tuple[Node, Labels], int] = {}
    for k, key in enumerate(zip(whole.nodes, whole.labels, strict=True)):
        if same.setdefault(key, k) != k and key[1]:
            return same[key], k
    return ()


def _is_in_order(pick: Pick, pair: tuple[int, ...]) -> bool:
    """Whether the first of the terms of a square is no later than the second."""
    return not pair or pick[pair[0]][0] <= pick[pair[1]][0]


def _is_dense(whole: Product, factors: Sequence[Sequence[Term]]) -> bool:
    """Whether the result clearly is dense, as each axis is in full in some term.

    A product leaves out what one of its factors does, and a sum what all of its terms do.
    """
    left_out: set[int] = set()
    for terms in factors:
        left_out |= set.intersection(*map(_left_out, terms))
    return left_out.isdisjoint(whole.result)


def _left_out(term: Term) -> set[int]:
    """The labels of the axes along which a term leaves something out."""
    return {k for one in map(measured, term.nodes, term.labels) for k in one.lists}


def _formed(whole: Product, terms: Sequence[Term]) -> float:
    """The time to form the products that are terms of a sum."""
    found = 0.0
    for term in terms if len(terms) > 1 else ():
        made = Product(whole.dtype, whole.add)
        made.nodes, made.labels = list(term.nodes), list(term.labels)
        made.lengths = whole.lengths
        inner = labels_of(term)
        made.result = tuple(sorted(inner & {label for one in whole.labels for label in one}))
        if len(made.nodes) > 1:
            found += made.plan().cost
    return found


def multiplied(whole: Product, pick: Pick, pair: tuple[int, ...]) -> Part | None:
    """The product of a term of each factor; None if there are too many factors."""
    terms = [term for _, term in pick]
    made = Product(whole.dtype, whole.add)
    made.nodes = [node for term in terms for node in term.nodes]
    made.labels = [labels for term in terms for labels in term.labels]
    told = {label for mine in made.labels for label in mine}
    same = {label for mine in whole.labels for label in mine} - {*whole.result} - told
    made.lengths = whole.lengths
    made.result = tuple(label for label in whole.result if label in told)
    negative = sum(term.negative for term in terms) % 2 == 1
    times = prod(whole.lengths[label] for label in same)
    if pair and pick[pair[0]][0] != pick[pair[1]][0]:
        times *= 2
    return Part(negative, made, made.plan(), times) if len(made.nodes) <= MOST else None


def added(parts: Sequence[Part], whole: Product) -> Node:
    """The sum of products, those first that are added."""
    total: Node | None = None
    for negative, part, plan, times in sorted(parts, key=lambda one: one.negative):
        value = part.node(plan.tree, part.result)
        if times != 1:
            value = graph.elementwise("multiply", (value, graph.number(times, whole.dtype)))
        missing = [k for k, label in enumerate(whole.result) if label not in part.result]
        value = graph.expand_dims(value, tuple(missing))
        if total is None:
            total = graph.elementwise("negative", (value,)) if negative else value
        else:
            total = graph.elementwise("subtract" if negative else "add", (total, value))
    assert total is not None
    return total
