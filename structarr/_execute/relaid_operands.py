"""Matrices that are copied to the other order of their axes.

A copy reads each element once; a product may read a row or column again for every entry. So may one
of lists of rows that meets each row of the one with each of the other. An elementwise operation
goes through dense matrices as they lie, not as a few entries beside them do.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from math import inf, prod
from typing import Final, NamedTuple

from structarr._execute.choices import choice_for
from structarr._execute.own_operands import InOrders, with_twins
from structarr._execute.program_choice import Choice
from structarr._execute.stand_ins import StandIns, replaced
from structarr._execute.turned_products import flipped
from structarr._lazy.graph import Node
from structarr._lazy.node import nodes_of
from structarr._scheduler.array_expression import Builder
from structarr._scheduler.discordant import Discordant
from structarr._scheduler.operands import Operands
from structarr._scheduler.reorder_products import Product
from structarr._storage.tensor import Tensor
from structarr._storage.transpose import is_listed, is_relisted, reordered_lists
from structarr.formats import Diagonals, Format

COPIED: Final = 1e-9
"""Seconds to copy an element of a matrix to another order."""

LARGE: Final = 1 << 12
"""The least number of elements of a matrix whose order lists follow."""

LONG: Final = 1e-4
"""Seconds of a product from which on other orders are tried."""

MANY: Final = 100.0
"""How many copies of all entries such a product takes."""

ENTRY: Final = 4
"""How many elements are read in another order in the time to copy an entry of a list."""

GAIN: Final = 1.25
"""How many times as long a product has to take without the copies."""

SORTED: Final = 5e-8
"""Seconds to put an entry of a list of three axes and more in another order."""


class Relaid(NamedTuple):
    """A sum of products that takes less time, by copies in other orders.

    Attributes
    ----------
    node : Node
        The sum, with its axes swapped if it is `flipped`.
    orders : dict
        The orders of the matrices to copy.
    flipped : bool
        Whether the result has to be copied as well.
    """

    node: Node
    orders: dict[Tensor, tuple[int, ...]]
    flipped: bool


def relaid(
    node: Node,
    choice: Choice,
    given: Operands,
    settled: Mapping[int, Node],
    in_orders: InOrders,
) -> Relaid | None:
    """The best way to read dense matrices in another order; None if they stay as they are.

    Parameters
    ----------
    node : Node
        An expression.
    choice : Choice
        Its programs, of operands as they are.
    given : Operands
        The operands.
    settled : mapping
        Nodes that stand for others, by the identity of those.
    in_orders : callable
        Stores tensors in other orders of their axes.
    """
    if node.kind == "map":
        return _lists_turned(node, choice, given)
    if node.kind != "reduce" or (node.ndim < 2 and not choice.format.is_dense):
        return None
    if not choice.format.is_dense:
        diagonals = _diagonals_turned(node, choice, given, settled)
        return diagonals or _lists_relaid(node, choice, given, settled, in_orders)
    matrices = [one for one in given.tensors if _is_matrix(one)]
    if len(matrices) == len(given.tensors):
        return None
    if not matrices:
        several = sum([one.ndim > 1 for one in given.tensors]) > 1
        return _lists_relaid(node, choice, given, settled, in_orders) if several else None
    least = choice.least(given)
    if least < LONG:
        return None
    found = []
    for moved in _some(matrices):
        orders = {one: one.format.order[::-1] for one in moved}
        stand_ins = {one: _stand_in(one, axes) for one, axes in orders.items()}
        other = replaced(node, stand_ins, settled)
        copies = sum(one.counts[-1] for one in moved)
        if orders:
            found.append((COPIED * copies + _seconds_of(other, choice.format), orders, False))
        if node.ndim == 2:
            copies += prod(node.shape)
            seconds = COPIED * copies + _seconds_of(flipped(other), choice.format)
            found.append((seconds, orders, True))
    best, orders, swapped = min(found, key=lambda one: one[0])
    if GAIN * best >= least:
        return None
    return Relaid(flipped(node) if swapped else node, orders, swapped)


def _some(matrices: Sequence[Tensor]) -> list[Sequence[Tensor]]:
    """Each choice of up to two matrices, none of them first; of more, none or all."""
    if len(matrices) == 1:
        return [(), matrices]
    return [(), *[(one,) for one in matrices if len(matrices) == 2], matrices]


def _lists_turned(node: Node, choice: Choice, given: Operands) -> Relaid | None:
    """Lists beside dense matrices in the order of those; None where they are or copies are long."""
    matrices = {one.format.order for one in given.tensors if _is_matrix(one)}
    if len(matrices) != 1 or not choice.format.is_dense or node.ndim != 2:
        return None
    if prod(node.shape) < LARGE:
        return None
    (axes,) = matrices
    lists = [one for one in given.tensors if is_listed(one) and one.format.order == axes[::-1]]
    if not all(is_relisted(one, _turned(one)) for one in lists):
        return None
    if not lists or ENTRY * sum(one.counts[-1] for one in lists) > prod(node.shape):
        return None
    return Relaid(node, dict.fromkeys(lists, axes), False)


def _diagonals_turned(
    node: Node, choice: Choice, given: Operands, settled: Mapping[int, Node]
) -> Relaid | None:
    """A product of matrices of diagonals by columns; None where its rows take no longer.

    Rows of a tall matrix have hardly any of its diagonals, which each of them searches.
    """
    if len(given.tensors) != 2 or not all(_are_diagonals(one) for one in given.tensors):
        return None
    turned = {one: _mirrored_stand_in(one) for one in given.tensors}
    seconds = _seconds_of(flipped(replaced(node, turned, settled)), choice.format)
    # Each element meets those of one row, and what they add up to is copied as lists are.
    one, other = given.tensors
    terms = min(one.counts[-1] * _widest(other), other.counts[-1] * _widest(one))
    if GAIN * (COPIED * ENTRY * terms + seconds) >= choice.least(given):
        return None
    return Relaid(flipped(node), {one: one.format.order[::-1] for one in turned}, True)


def _are_diagonals(tensor: Tensor) -> bool:
    return tensor.ndim == 2 and type(tensor.format.levels[1]) is Diagonals


def _widest(tensor: Tensor) -> int:
    """The elements of a row of diagonals."""
    return min(len(tensor.buffers[0]), tensor.dims[1])


def _mirrored_stand_in(tensor: Tensor) -> Tensor:
    """A matrix of diagonals in the other order of its axes, without its elements."""
    outer, inner, _ = tensor.format.levels
    assert inner.mirrored is not None
    axes = tensor.format.order[::-1]
    format = Format(outer.above(inner.mirrored), axes, tensor.format.index)
    return Tensor(format, tensor.shape, tensor.dtype, tensor.fill, (), {"counts": tensor.counts})


def _lists_relaid(
    node: Node,
    choice: Choice,
    given: Operands,
    settled: Mapping[int, Node],
    in_orders: InOrders,
) -> Relaid | None:
    """The list of entries to be put in another order; None if none gains by it.

    Of one that is read twice, as in `a @ a.T`, one twin is.
    """
    lists = [one for one in given.tensors if is_listed(one) and _is_moved(one)]
    least = choice.least(given) if lists else 0.0
    if least < LONG or least < MANY * COPIED * sum(one.counts[-1] for one in lists):
        return None
    if len(lists) == 1:
        twins = with_twins(node, settled, Counter())
        every = [one.data for one in nodes_of(twins) if one.kind == "leaf"]
        alike = [one for one in every if one.format is lists[0].format]
        alike = [one for one in alike if one.ndim == lists[0].ndim]
        if len(alike) > 1:
            node, lists = twins, alike
    found: list[tuple[float, int, Relaid]] = []
    for place, (one, axes) in enumerate(_other_orders(node, lists).items()):
        moved = replaced(node, in_orders({one: axes}), settled)
        seconds = _seconds_of(moved, choice.format)
        seconds += SORTED * one.counts[-1] if one.ndim > 2 else 0.0
        found.append((seconds, place, Relaid(node, {one: axes}, False)))
    if not found:
        return None
    best, _, other = min(found, key=lambda one: one[:2])
    return other if GAIN * best < least else None


def _is_moved(tensor: Tensor) -> bool:
    """Whether lists of coordinates may be put in another order in little time."""
    return tensor.ndim > 2 or is_relisted(tensor, _turned(tensor))


def _other_orders(node: Node, lists: Sequence[Tensor]) -> dict[Tensor, tuple[int, ...]]:
    """Another order for each list: the axes that the other factor has come first, as they do there.

    So each element of the one meets those of the other that it is multiplied with, and no more.
    """
    if all([one.ndim == 2 for one in lists]):
        return {one: one.format.order[::-1] for one in lists}
    product = Product.of(node, deep=False, mixed=True)
    factors = [] if product is None else zip(product.nodes, product.labels, strict=True)
    stored = [(one.data, own) for one, own in factors if one.kind == "leaf" and one.data in lists]
    if len(stored) != 2:
        return {}
    labels = [[own[axis] for axis in one.format.order] for one, own in stored]
    found: dict[Tensor, tuple[int, ...]] = {}
    for (one, _), mine, others in zip(stored, labels, labels[::-1], strict=True):
        ranks = [others.index(label) if label in others else len(others) for label in mine]
        places = sorted(range(one.ndim), key=ranks.__getitem__)
        axes = tuple([one.format.order[place] for place in places])
        if axes != one.format.order:
            found[one] = axes
    return found


def _turned(tensor: Tensor) -> Format:
    """The format of lists in the other order of their axes."""
    return reordered_lists(tensor.format, tensor.format.order[::-1])


def _seconds_of(node: Node, format: Format) -> float:
    """The least expected time of an expression of stand-ins, as they lie, with such a result."""
    builder = Builder(StandIns())
    choice = choice_for(builder, node, None, False, True, False)
    if isinstance(choice, Discordant):
        return inf
    if choice.format is not format and not (choice.format.is_dense and format.is_dense):
        return inf
    return choice.least(builder.operands(node, {}))


def _is_matrix(tensor: Tensor) -> bool:
    return tensor.ndim == 2 and tensor.format.is_dense


def _stand_in(tensor: Tensor, axes: Sequence[int]) -> Tensor:
    """A matrix in another order, without its elements."""
    format = Format(tensor.format.root, tuple(axes), tensor.format.index)
    return Tensor(format, tensor.shape, tensor.dtype, tensor.fill, ())
