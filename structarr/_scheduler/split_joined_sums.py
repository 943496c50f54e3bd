"""Products with sums of which a term is a join: of the join, and of the other terms, one each.

`((x - mu) / s) @ b` of arrays side by side is `x @ (b / s) - (mu / s) @ b`, so that each part is
multiplied by its own structure and what other terms come to is computed once for all parts. A part
that may cancel them, such as dense numbers, stays in a sum with its stretch of them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import groupby, product
from math import prod
from typing import NamedTuple

from structarr._compiler.options import current
from structarr._lazy import graph
from structarr._lazy.graph import Node
from structarr._lazy.rewrite.push_joins import bounds, has_join, joined, stretch
from structarr._scheduler.other_fills import held_by
from structarr._scheduler.product_loops import Labels
from structarr._scheduler.reorder_products import Product
from structarr._scheduler.split_sums import added, multiplied
from structarr._scheduler.sum_terms import MOST_TERMS, Term, Terms, has_terms, labels_of
from structarr._scheduler.thin_terms import ALONE, TWICE, StoredTerm, is_full, is_thin, opposed


class Apart(NamedTuple):
    """A sum of products that a product of sums is, and the stored terms that must be thin."""

    node: Node
    sparse: tuple[StoredTerm, ...]


class _Sum(NamedTuple):
    """A factor: a join and other terms of a sum, times what all of them are multiplied by."""

    join: Node
    labels: Labels
    others: tuple[Term, ...]
    times: Term


Moved = Callable[[Node], Node]


def apart(node: Node, moved: Moved, settled: Moved, formed: Moved) -> Apart | None:
    """The sum of products that a sum over joins is; None of one that stays as it is.

    `moved` moves joins up, `settled` gives a vector its value, and `formed` a part that stays in
    its sum, which is asked for where it is multiplied by all parts.
    """
    if node.dtype.kind not in "fc" or current().strict_ieee or not has_terms(node):
        return None
    whole = Product.of(node, 1)
    if whole is None or whole.add != "add":
        return None
    terms_of = Terms(whole)
    sums: dict[int, _Sum] = {}
    for k, (factor, labels) in enumerate(zip(whole.nodes, whole.labels, strict=True)):
        if has_join(factor):
            found = _sum(terms_of.every(factor, labels), labels, moved)
            if found is None:
                return None
            sums[k] = found
    if not any([one.others for one in sums.values()]):
        return None
    if prod([1 + len(one.others) for one in sums.values()]) > MOST_TERMS:
        return None
    sums = {k: one if not one.others else _with_rows(one, formed) for k, one in sums.items()}
    several = sum([bool(one.others) for one in sums.values()]) > 1
    split = {k: _Splitting(one, TWICE if several else ALONE) for k, one in sums.items()}
    if not any([one.others and any(split[k].thin) for k, one in sums.items()]):
        return None
    factors: list[list[Term]] = []
    outside: list[Term] = []
    for k, labels in enumerate(whole.labels):
        if k not in sums:
            factors.append([Term(False, (whole.nodes[k],), (labels,))])
            continue
        inside, out = _parted(sums[k].times, whole.result)
        outside.append(out)
        factors += [[one] for one in inside]
        factors.append(split[k].terms(settled, formed if several else None))
    picks = list(product(*map(enumerate, _merged(factors, whole, settled))))
    parts = [part for pick in picks if (part := multiplied(whole, pick, ())) is not None]
    if len(parts) < len(picks):
        return None
    total = added(parts, whole)
    for one in outside:
        for factor, labels in zip(one.nodes, one.labels, strict=True):
            total = graph.elementwise("multiply", (total, _spread(factor, labels, whole.result)))
    sparse = tuple([term for one in split.values() for term in one.stored])
    return Apart(graph.broadcast_to(total, node.shape), sparse)


def _with_rows(one: _Sum, formed: Moved) -> _Sum:
    """A sum of whose join parts are stored arrays, where they are some rows of such."""
    parts = [
        formed(part) if part.kind == "take" and _is_listed(part.args[0]) else part
        for part in one.join.args
    ]
    return one._replace(join=joined(parts, one.join.data))


def _is_listed(node: Node) -> bool:
    return node.kind == "leaf" and not node.data.format.is_dense


def _sum(terms: Sequence[Term], labels: Labels, moved: Moved) -> _Sum | None:
    """A factor as a join and other terms, times what all have; None where it is not such a sum."""
    own = {*labels}
    leading = [
        (term, k)
        for term in terms
        for k, node in enumerate(term.nodes)
        if {*term.labels[k]} == own and has_join(node)
    ]
    if len(leading) != 1:
        return None
    ((main, place),) = leading
    others = [term for term in terms if term is not main]
    join = moved(main.nodes[place])
    if join.kind != "join" or main.negative:
        return None
    times = main._replace(nodes=_without(main.nodes, place), labels=_without(main.labels, place))
    if any([len(mine) > 1 for mine in times.labels]):
        return None
    left = [_divided(term, times) for term in others]
    if None in left or any([{*mine} >= own for one in left if one for mine in one.labels]):
        return None
    if any([not {*mine} <= own for one in left if one for mine in one.labels]):
        return None
    return _Sum(join, main.labels[place], tuple([one for one in left if one]), times)


def _without(every: tuple, place: int) -> tuple:  # type: ignore[type-arg]
    return (*every[:place], *every[place + 1 :])


def _divided(term: Term, times: Term) -> Term | None:
    """A term without the factors that all have; None where it lacks one."""
    left = list(zip(term.nodes, term.labels, strict=True))
    for one in zip(times.nodes, times.labels, strict=True):
        if one not in left:
            return None
        left.remove(one)
    return Term(term.negative, tuple([n for n, _ in left]), tuple([mine for _, mine in left]))


def _parted(times: Term, result: Labels) -> tuple[list[Term], Term]:
    """What terms are multiplied by, before they are summed and, along axes of the result, after."""
    inside: list[Term] = []
    out = Term(False, (), ())
    for node, mine in zip(times.nodes, times.labels, strict=True):
        if {*mine} <= {*result}:
            out = out._replace(nodes=(*out.nodes, node), labels=(*out.labels, mine))
        else:
            inside.append(Term(False, (node,), (mine,)))
    return inside, out


def _merged(factors: Sequence[list[Term]], whole: Product, settled: Moved) -> list[list[Term]]:
    """The factors, of which vectors along one summed axis are multiplied first."""
    found: list[list[Term]] = []
    vectors: dict[Labels, Node] = {}
    for terms in factors:
        (mine, *more) = terms[0].labels
        is_vector = len(terms) == 1 and not more and len(mine) < 2 and not {*mine} & {*whole.result}
        if not is_vector:
            found.append(terms)
            continue
        (node,) = terms[0].nodes
        other = vectors.get(mine)
        vectors[mine] = node if other is None else graph.elementwise("multiply", (other, node))
    return [*found, *[[Term(False, (settled(node),), (mine,))] for mine, node in vectors.items()]]


class _Splitting:
    """Which parts of a join leave its sum."""

    def __init__(self, one: _Sum, most: float) -> None:
        self._sum = one
        self.thin: list[bool] = []
        self.stored: list[StoredTerm] = []
        for part in one.join.args if one.others else ():
            term = self._stored(part, most)
            self.thin.append(term is not None)
            self.stored += [] if term is None else [term]

    def _stored(self, part: Node, most: float) -> StoredTerm | None:
        """The array of a part that cannot cancel other terms; None of any other part."""
        held = held_by(part)
        if held is None or held.format.is_dense or is_full(part, most):
            return None
        others = list(map(labels_of, self._sum.others))
        found = StoredTerm(held, opposed(held, self._sum.labels, others), most)
        return found if is_thin(*found) else None

    def terms(self, settled: Moved, formed: Moved | None) -> list[Term]:
        """The join, of which what stays in its sum is such a sum, and the other terms."""
        join, labels, others, _ = self._sum
        if not others:
            return [Term(False, (join,), (labels,))]
        others = tuple([one._replace(nodes=tuple(map(settled, one.nodes))) for one in others])
        if not all(self.thin):
            parts = zip(join.args, bounds(join), self.thin, strict=True)
            made = []
            for part, span, thin in parts:
                if not thin:
                    part = self._formed(part, span, others)
                    part = part if formed is None else formed(part)
                made.append(part)
            join = joined(made, join.data)
            others = tuple([self._where_split(one, settled) for one in others])
        return [Term(False, (join,), (labels,)), *others]

    def _formed(self, part: Node, span: tuple[int, int], others: Sequence[Term]) -> Node:
        axis, length = self._sum.join.data, self._sum.join.shape[self._sum.join.data]
        for term in others:
            value: Node | None = None
            for node, mine in zip(term.nodes, term.labels, strict=True):
                own = stretch(_spread(node, mine, self._sum.labels), axis, *span, length)
                value = own if value is None else graph.elementwise("multiply", (value, own))
            assert value is not None
            part = graph.elementwise("subtract" if term.negative else "add", (part, value))
        return part

    def _stretches(self) -> list[tuple[bool, int, int]]:
        """Whether parts leave the sum, from where and to where; neighbours alike are one."""
        found: list[tuple[bool, int, int]] = []
        for thin, parts in groupby(zip(self.thin, bounds(self._sum.join), strict=True), _first):
            spans = [span for _, span in parts]
            found.append((thin, spans[0][0], spans[-1][1]))
        return found

    def _where_split(self, term: Term, settled: Moved) -> Term:
        """Another term, zero along parts that stay in their sums."""
        join = self._sum.join
        label = self._sum.labels[join.data]
        zero = graph.number(0, join.dtype)
        place = next((k for k, mine in enumerate(term.labels) if mine == (label,)), None)
        parts = []
        for thin, start, stop in self._stretches():
            shape = (stop - start,)
            if not thin:
                parts.append(graph.broadcast_to(zero, shape))
            elif place is None:
                parts.append(graph.broadcast_to(graph.number(1, join.dtype), shape))
            else:
                parts.append(stretch(term.nodes[place], 0, start, stop, join.shape[join.data]))
        node = settled(joined(parts, 0))
        if place is None:
            return term._replace(nodes=(*term.nodes, node), labels=(*term.labels, (label,)))
        nodes = (*term.nodes[:place], node, *term.nodes[place + 1 :])
        return term._replace(nodes=nodes)


def _first(one: tuple[bool, tuple[int, int]]) -> bool:
    return one[0]


def _spread(node: Node, mine: Labels, labels: Labels) -> Node:
    """A vector or number with an axis for each label, of length one where it has none."""
    assert len(mine) < 2
    return graph.expand_dims(
        node, tuple([k for k, label in enumerate(labels) if label not in mine])
    )
