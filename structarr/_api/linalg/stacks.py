"""Products of stacks of vectors and matrices, summed over one axis of each."""

from __future__ import annotations

from functools import cache, partial

from structarr._api.core.call_sites import EXPECTED, FEW
from structarr._api.core.eager_mode import finished
from structarr._api.core.expressions import CHAIN_LIMIT, beside_borrowed, derive
from structarr._api.core.operands import as_array, copied_leaf, turned_leaf
from structarr._api.core.uses import LONG, note_use, settle_parts
from structarr._api.linalg.contraction import contraction_of
from structarr._api.linalg.read_at_once import read_at_once
from structarr._api.linalg.semirings import Semiring
from structarr._array import Array
from structarr._compiler.options import EAGER
from structarr._lazy import graph
from structarr._lazy.contraction import Labels
from structarr._lazy.node import Shape


def operands(name: str, x1: object, x2: object, least: tuple[int, int]) -> tuple[Array, Array]:
    """Two factors as arrays of at least some numbers of axes."""
    left, right = as_array(x1), as_array(x2)
    if len(left._node.shape) >= least[0] and len(right._node.shape) >= least[1]:
        return left, right
    number = int(left.ndim >= least[0])
    raise ValueError(
        f"{name}: Input operand {number} does not have enough dimensions (has "
        f"{(left, right)[number].ndim}, requires {least[number]})"
    )


def check_core(name: str, left: Shape, right: Shape, mine: int, others: int) -> None:
    """Raise ValueError where the axes that are summed differ in length."""
    if left[mine] != right[others]:
        raise ValueError(
            f"{name}: Input operand 1 has a mismatch in its core dimension: size {right[others]} "
            f"is different from {left[mine]}, for shapes {left} and {right}"
        )


def _check_stacks(
    name: str, left: tuple[int, ...], right: tuple[int, ...], mine: int, others: int
) -> None:
    """Raise ValueError where the axes that stand before the last ones cannot be broadcast."""
    stacks = left[: len(left) - mine], right[: len(right) - others]
    for one, other in zip(stacks[0][::-1], stacks[1][::-1], strict=False):
        if one != other and 1 not in (one, other):
            raise ValueError(
                f"{name}: stacks of shapes {stacks[0]} and {stacks[1]} cannot be broadcast, of "
                f"operands of shapes {left} and {right}"
            )


def product_again(name: str, x1: object, x2: object) -> Array | None:
    """The product of operands like those of an earlier one of a name; None of others."""
    cost = x1._cost if type(x1) is Array else 0
    others = x2._cost if type(x2) is Array else 0
    if (cost or others) and (cost >= FEW or others >= FEW or EXPECTED):
        settle_parts(x1, x2)
        cost = x1._cost if type(x1) is Array else 0
        others = x2._cost if type(x2) is Array else 0
    one = x1._node if type(x1) is Array and x1._plain else copied_leaf(x1) or turned_leaf(x1)
    two = x2._node if type(x2) is Array and x2._plain else copied_leaf(x2) or turned_leaf(x2)
    if one is None or two is None:
        read = read_at_once(name, x1, x2, 0) if two is None else read_at_once(name, x2, x1, 1)
        if not isinstance(read, graph.Node):
            return read
        one, two = read if one is None else one, read if two is None else two
    node = graph.again(name, one, two)
    cost += others
    if node is None or cost >= CHAIN_LIMIT:
        return None
    made = Array(node, cost + 1)
    if cost >= LONG or one.sums or two.sums:
        note_use(*[operand for operand in (x1, x2) if type(operand) is Array])
    return finished(made) if EAGER else made


def stacked_product(
    name: str, left: Array, right: Array, mine: str, others: str, semiring: Semiring | None = None
) -> Array:
    """Products of stacks; a letter names each of the last axes, and "s" those that are summed."""
    cost = left._cost + right._cost
    if semiring is None and cost < CHAIN_LIMIT and left._plain and right._plain:
        made = Array(_product(name, mine, others, None, left._node, right._node), cost + 1)
        note_use(left, right)
        return finished(made) if EAGER else made
    make = partial(_product, name, mine, others, semiring)
    if semiring is not None or cost >= CHAIN_LIMIT or not (left._product is right._product is None):
        return derive(make, left, right)
    return beside_borrowed(make(left._node, right._node), make, cost, (left, right))


def _product(
    name: str,
    mine: str,
    others: str,
    semiring: Semiring | None,
    left: graph.Node,
    right: graph.Node,
) -> graph.Node:
    """The node of a product of two stacks; what was made of operands like these is looked up."""
    node = graph.again(name, left, right) if semiring is None else None
    if node is not None:
        return node
    one, two = left.shape, right.shape
    labels, result, place, other = _of_stacks(len(one), len(two), mine, others)
    check_core(name, one, two, place, other)
    _check_stacks(name, one, two, len(mine[-len(one) :]), len(others[: len(two)]))
    made = contraction_of(labels, result, (left.dtype, right.dtype), semiring)(left, right)
    if semiring is None:
        graph.note(name, made, left, right)
    return made


@cache
def _of_stacks(
    left: int, right: int, mine: str, others: str
) -> tuple[tuple[Labels, Labels], Labels, int, int]:
    """The names of the axes of two factors and of the product, and the places of what is summed."""
    mine, others = mine[-left:], others[:right]  # vectors have no rows and columns
    stacks = stacked(left - len(mine)), stacked(right - len(others))
    labels = (*stacks[0], *mine), (*stacks[1], *others)
    result = (*max(stacks, key=len), *(mine + others).replace("s", ""))
    return labels, result, mine.index("s") - len(mine), others.index("s") - len(others)


def stacked(count: int) -> Labels:
    """Names for axes that are broadcast: counted from the right."""
    return tuple(f"stack{place}" for place in range(count, 0, -1))
