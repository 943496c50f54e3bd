"""Lazy results: arrays that are expressions of their operands."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from functools import partial
from typing import Any, Final

import numpy as np

from structarr._api.core.borrowed import are_copied, decided, lent
from structarr._api.core.call_sites import EXPECTED, FEW
from structarr._api.core.eager_mode import finished
from structarr._api.core.operands import as_array, borrow, lift, of_numpy_scalar, owned, unborrowed
from structarr._api.core.uses import LONG, length_of, note_use, settle_parts
from structarr._array import WEAK, Array, Number, NumPyArray, settle, stored
from structarr._compiler.options import EAGER
from structarr._lazy import graph
from structarr._scheduler.expected_entries import all_dense
from structarr._storage.dense import dense_view
from structarr._support import dtypes

# The most operations of a lazy expression, counted as a tree; the operands of more are computed.
CHAIN_LIMIT: Final = 64


def combine(op: str, left: Any, right: Any) -> Array:
    """Return a binary operator's lazy result; the common cases take no more than they need."""
    if EAGER:
        return apply(op, (left, right))
    kind, other = type(left), type(right)
    if kind is Array and other in WEAK:
        array, scalar = left, right
    elif other is Array and kind in WEAK:
        array, scalar = right, left
    else:
        return _combined(op, left, right)
    cost, site = array._cost, 0
    if cost and (cost >= FEW or EXPECTED):
        site = settle_parts(array)
        cost = array._cost
    if not array._plain or cost >= CHAIN_LIMIT or (op in BEYOND and not _is_within(array, scalar)):
        return apply(op, (left, right))
    node = array._node
    if array is left:
        known = graph.outlined((op, node.number, other))
        result = graph.elementwise(op, (node, right)) if known is None else known(node, right)
    else:
        known = graph.outlined((op, kind, node.number))
        result = graph.elementwise(op, (left, node)) if known is None else known(left, node)
    made = Array(result, cost + 1)
    if cost >= LONG or node.sums:
        note_use(array, site=site)
    return made


def _combined(op: str, left: Any, right: Any) -> Array:
    """The lazy result of two arrays, one of which may be NumPy's, or a scalar of NumPy's."""
    if type(left) is not Array:
        left = _of_numpys(left)
    if type(right) is not Array:
        right = _of_numpys(right)
    if not type(left) is type(right) is Array:
        return apply(op, (left, right))
    mine, others, site = left._cost, right._cost, 0
    if (mine or others) and (mine >= FEW or others >= FEW or EXPECTED):
        site = settle_parts(left, right)
        mine, others = left._cost, right._cost
    cost = mine + others
    if cost >= CHAIN_LIMIT or not (left._plain and right._plain):
        return apply(op, (left, right))
    made = Array(graph.binary(op, left._node, right._node), cost + 1)
    if cost >= LONG or left._node.sums or right._node.sums:
        note_use(left, right, site=site)
    return made


def _of_numpys(value: Any) -> Any:
    """What is NumPy's as an array; anything else as it is."""
    if type(value) is np.ndarray:
        return as_array(value)
    return of_numpy_scalar(value) if isinstance(value, np.generic) else value


def _is_within(array: Array, scalar: Any) -> bool:
    """Whether a scalar is certainly none that comparisons take out of the bounds of a dtype."""
    return type(scalar) is not int or array._node.dtype.kind in "fc"


def apply(op: str, operands: Sequence[Any]) -> Array:
    """Return an elementwise operator's lazy result."""
    if len(operands) == 1 and type(operands[0]) is Array:
        (array,) = operands
        return named(op, lambda node: graph.elementwise(op, (node,)), array)
    lifted = [lift(value) for value in operands]
    arrays = [value for value in lifted if isinstance(value, Array)]

    def make(*nodes: graph.Node) -> graph.Node:
        left = iter(nodes)
        args = [next(left) if isinstance(value, Array) else value for value in lifted]
        if any([isinstance(value, Number) for value in lifted]):
            return _of_numbers(op, args)
        try:
            return graph.elementwise(op, args)
        except OverflowError:
            # Only comparisons of integers take a Python integer out of the dtype's bounds.
            if op not in BEYOND or not any(node.dtype.kind in "biu" for node in nodes):
                raise
            return graph.elementwise(*_within_bounds(op, args))

    return _finish(make, _settle(arrays), arrays)


def _of_numbers(op: str, args: Sequence[Any]) -> graph.Node:
    """Return an operation some of whose operands are numbers that vary."""
    numbers = [one for one in args if isinstance(one, Number)]
    if op == "power" and isinstance(args[1], Number):  # the operation depends on the exponent
        args[1].fix()
    try:
        node = graph.elementwise(
            op, [one.value if isinstance(one, Number) else one for one in args]
        )
    except OverflowError:
        numbers[0].fix()
        raise
    for one, arg in zip(args, node.args, strict=True):
        if isinstance(one, Number):
            one.claim(arg, op)
    return node


# Comparisons with an integer out of bounds, as comparisons with the nearest bound of the dtype: by
# the first operator if the integer is above all values, by the second if it is below.
BEYOND: Final[Mapping[str, tuple[str, str]]] = {
    "less": ("less_equal", "less"),
    "less_equal": ("less_equal", "less"),
    "greater": ("greater", "greater_equal"),
    "greater_equal": ("greater", "greater_equal"),
    "equal": ("greater", "less"),
    "not_equal": ("less_equal", "greater_equal"),
}
_MIRRORED: Final[Mapping[str, str]] = {
    "less": "greater",
    "less_equal": "greater_equal",
    "greater": "less",
    "greater_equal": "less_equal",
}


def _within_bounds(op: str, args: list[Any]) -> tuple[str, list[Any]]:
    """Return a comparison with an integer out of bounds as one within them."""
    left, right = args
    if isinstance(left, int):
        return _within_bounds(_MIRRORED.get(op, op), [right, left])
    bounds = np.iinfo(np.int64 if left.dtype.kind == "b" else left.dtype)
    above = right > bounds.max
    return BEYOND[op][0 if above else 1], [left, int(bounds.max if above else bounds.min)]


def derive(make: Callable[..., graph.Node], *arrays: Array) -> Array:
    """Return the lazy result of a function from the arrays' nodes to a node."""
    cost = 0
    for array in arrays:
        cost += array._cost if array._plain else CHAIN_LIMIT
    if cost < CHAIN_LIMIT:  # the common case; settling would take a twentieth of the call
        if cost:
            settle_parts(*arrays)
            cost = sum([array._cost for array in arrays])
        made = Array(make(*[array._node for array in arrays]), cost + 1)
        note_use(*arrays)
        return finished(made) if EAGER else made
    return _finish(make, _settle(arrays), arrays)


def derived_again(key: Hashable, arrays: Sequence[Array]) -> Array | None:
    """Return what `derive` gave of arrays like these, and was noted by a key; None if nothing."""
    cost = 0
    for array in arrays:
        cost += array._cost if array._plain else CHAIN_LIMIT
    if cost >= CHAIN_LIMIT:
        return _copied_again(key, arrays)
    if cost:
        settle_parts(*arrays)
        cost = sum([array._cost for array in arrays])
    node = graph.again(key, *[array._node for array in arrays])
    if node is None:
        return None
    made = Array(node, cost + 1)
    if cost:
        note_use(*arrays)
    return finished(made) if EAGER else made


def _copied_again(key: Hashable, arrays: Sequence[Array]) -> Array | None:
    """The same where operands are borrowed, and were copied for an expression like this one."""
    borrowed = [array for array in arrays if array._borrowed]
    if not borrowed or any([not (array._plain or array._borrowed) for array in arrays]):
        return None
    node = graph.again(key, *[array._node for array in arrays])
    if node is None or not decided(node, sum([lent(array).nbytes for array in borrowed])):
        return None
    return derived_again(key, [unborrowed(array) for array in arrays])


def note_derived(key: Hashable, made: Array, arrays: Sequence[Array]) -> None:
    """Note what `derive` gave of arrays, or of copies of them, by a key for `derived_again`."""
    node = made._node
    args = graph.args_of(node)
    if [one.number for one in args] == [array._node.number for array in arrays]:
        graph.note(key, node, *args)


def named(key: Hashable, make: Callable[[graph.Node], graph.Node], array: Array) -> Array:
    """Return the lazy result of an operation that a key says all about but the operand."""
    if not array._plain or array._cost >= CHAIN_LIMIT:
        return derive(make, array)
    if array._cost:
        settle_parts(array)
    node = graph.of_one_again(key, array._node)
    if node is None:
        node = make(array._node)
        graph.note(key, node, array._node)
    return _of_one(node, array)


def _of_one(node: graph.Node, array: Array) -> Array:
    """The result of an operation on one array."""
    made = Array(node, array._cost + 1)
    if array._cost >= LONG or array._node.sums:
        note_use(array)
    return finished(made) if EAGER else made


def again(key: Hashable, array: Any) -> Array | None:
    """Return what `named` gave for a key and an operand like this one; None if nothing."""
    if type(array) is not Array or not array._plain or (cost := array._cost) >= CHAIN_LIMIT:
        return None
    node = graph.of_one_again(key, array._node)
    if node is None:
        return None
    if cost:
        settle_parts(array)
        if array._cost != cost:
            node = graph.of_one_again(key, array._node) or node
    # Written out, as `x.T` of a stored array is asked for often.
    if array._cost >= LONG or array._node.sums or EAGER:
        return _of_one(node, array)
    return Array(node, array._cost + 1)


def viewed(make: Callable[[graph.Node], graph.Node], array: Array) -> Array:
    """Return an operand with its axes rearranged, as lazy and as borrowed as before."""
    cost = array._cost if array._plain else CHAIN_LIMIT
    if cost >= CHAIN_LIMIT:
        cost = _settle((array,))
    node = make(array._node)
    if node is array._node:
        return array
    result = Array(node, cost + 1)
    note_use(array)
    return borrow(result) if array._borrowed else result


def view(make: Callable[[graph.Node], graph.Node], array: Array) -> Array:
    """Return a new array whose axes are rearranged, as lazy as the operand."""
    result = viewed(make, array)
    return result if result is not array and not result._borrowed else owned(result)


def _settle(arrays: Sequence[Array]) -> int:
    """Compute operands that should not become part of an expression; return the others' cost.

    A sum that is a part of another expression already is computed for both, unless its value is
    larger than what it is computed of. Of operands that are too long together, the longest come
    first: what is short, such as the deviations `a - a.mean(axis=0)`, may never be formed.
    """
    for array in arrays:
        if array._product is not None:
            settle(array)
    settle_parts(*arrays)
    left = sorted(arrays, key=length_of)
    cost = sum(map(length_of, left))
    while cost >= CHAIN_LIMIT:
        settle(left.pop())
        cost = sum(map(length_of, left))
    note_use(*arrays)
    return cost


def _finish(make: Callable[..., graph.Node], cost: int, arrays: Sequence[Array]) -> Array:
    """Return a result that later changes of borrowed operands do not reach."""
    return beside_borrowed(make(*[array._node for array in arrays]), make, cost, arrays)


def beside_borrowed(
    node: graph.Node, make: Callable[..., graph.Node], cost: int, arrays: Sequence[Array]
) -> Array:
    """Return the same of a node that was made, some of whose operands may be borrowed."""
    borrowed = [array for array in arrays if array._borrowed]
    if borrowed and are_copied(borrowed, node):
        own = [unborrowed(array) for array in arrays]
        made = Array(make(*[array._node for array in own]), cost + 1)
        return finished(made) if EAGER else made
    result = Array(node, cost + 1)
    if borrowed:
        settle(result)
    return finished(result) if EAGER else result


def product(make: Callable[..., graph.Node], numpys: Callable[..., Any], *arrays: Array) -> Array:
    """Return a lazy product, which NumPy's own function computes if all operands are dense."""
    cost = _settle(arrays)
    result = Array(make(*[array._node for array in arrays]), cost + 1)
    if all([all_dense(array._node) for array in arrays]):
        result._product, result._plain = partial(_multiplied, arrays, numpys), False
    if any([array._borrowed for array in arrays]):
        settle(result)
    return finished(result) if EAGER else result


def _multiplied(arrays: Sequence[Array], numpys: Callable[..., Any]) -> NumPyArray | None:
    views = [dense_view(stored(array)) for array in arrays]
    if any(view is None for view in views):
        return None
    with np.errstate(all="ignore"):
        return np.asarray(numpys(*views))


def cast(array: Array, dtype: np.dtype[Any], casting: Any, what: str) -> Array:
    """Return an array cast to a dtype, if the casting rule allows it."""
    if array.dtype == dtype:
        return array
    if not np.can_cast(array.dtype, dtype, casting):
        raise TypeError(
            f"Cannot cast {what} from {array.dtype!r} to {dtype!r} with casting rule {casting!r}; "
            f"convert with .astype({dtype.name!r})"
        )
    return named(("cast", dtype), lambda node: graph.astype(node, dtype), array)


def product_dtype(left: np.dtype[Any], right: np.dtype[Any]) -> np.dtype[Any]:
    """Return the dtype of products."""
    return np.dtype(dtypes.resolve("multiply", (left, right))[1])


def conjugated(array: Array) -> Array:
    """Return the complex conjugates, of complex numbers."""
    return apply("conjugate", (array,)) if array.dtype.kind == "c" else array
