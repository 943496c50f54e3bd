"""Lazy values: an expression, and its value once something has looked at it."""

from __future__ import annotations

import operator
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from contextvars import ContextVar
from types import FrameType
from typing import Any, Final, Protocol, Self

from structarr._execute import compute as _compute
from structarr._execute.dense_values import PLAIN, dense_to_read
from structarr._lazy import graph
from structarr._lazy.node import Given
from structarr._lazy.rewrite.known_values import KNOWN, know, with_values
from structarr._lazy.side_by_side import is_joined, is_spread
from structarr._lazy.told import is_light
from structarr._storage import mapped_files
from structarr._storage.dense import from_own
from structarr._storage.mapped_files import FILES
from structarr._storage.nnz import nnz
from structarr._storage.tensor import Tensor
from structarr._support.array_types import NumPyArray

USED: Final = 1 << 16
"""What is added to the cost of an array that has become a part of an expression, if it is noted."""


class Lazy:
    """An expression, and its value if something has looked at it; `Array` tells its parameters."""

    __slots__ = (
        "__weakref__",
        "_borrowed",
        "_cost",
        "_dense",
        "_node",
        "_plain",
        "_product",
        "_site",
        "_tensor",
        "_uses",
        "_whole",
    )

    _uses: int  # the expressions that it was a part of, if it has several axes
    _site: int  # where it first became a part of an expression, if its cost tells that it did

    def __init__(self, node: graph.Node, cost: int = 0, tensor: Tensor | None = None) -> None:
        self._node = node
        self._cost = cost
        self._tensor = tensor
        # The value as NumPy read it, where that is dense and the array's own is not.
        self._dense: Tensor | None = None
        # The value that was looked at of arrays side by side, of which the parts are computed with.
        self._whole: Tensor | None = None
        # Whether others can write to the buffers; its expressions are then computed at once.
        self._borrowed = False
        # BLAS for a product of two dense arrays, which is faster than a kernel.
        self._product: Callable[[], NumPyArray | None] | None = None
        # Whether the array is neither borrowed nor such a product: both are tested at once.
        self._plain = True

    @classmethod
    def _of(cls, tensor: Tensor) -> Self:
        """The array of stored data."""
        return cls(graph.leaf(tensor), 0, tensor)

    def _twin(self) -> Self:
        """Another array of the same value, independent of later assignments to this one."""
        twin = type(self)(self._node, self._cost, self._tensor)
        twin._borrowed, twin._product, twin._plain = self._borrowed, self._product, self._plain
        if self._cost:
            twin._site = getattr(self, "_site", 0)
        return twin


class Watcher(Protocol):
    """A watcher of a function of arrays, some of which have no values of their own yet."""

    def watches(self, array: Any) -> bool:
        """Whether an array has no value of its own; told of each array that is looked at."""

    def told(self, array: Any, fact: str) -> Any:
        """The answer to a question about it; TraceError where no trace may depend on that."""

    def lengths(self, array: Any, frame: FrameType) -> tuple[Any, ...]:
        """The lengths of an array's axes, as a frame reads them."""

    def read(self, array: Any, frame: FrameType) -> None:
        """Note that a frame reads them as they are."""

    def settle(self, array: Any) -> None:
        """Compute such an array as a step of its own."""

    def applied(self, function: Callable[[list[Any]], Any], args: Sequence[Any]) -> Any:
        """The array of a function that looks at the values of its arguments, as a step."""


WATCHER: Final[ContextVar[Watcher | None]] = ContextVar("structarr_watcher", default=None)
"""Who is asked before arrays are computed, while a function is traced."""

_watching: Final = WATCHER.get


def stored(array: Lazy) -> Tensor:
    """
    Return the tensor that holds an array's value; a lazy array is computed, once.

    Parameters
    ----------
    array : Array
        The array.

    Returns
    -------
    Tensor
        With `buffers`, the NumPy arrays of all levels and the leaf, outermost first; `format`,
        `dims` and `fill`. They are shared, and must not be written.

    See Also
    --------
    structarr.Array.compute : Computes an array, and returns it.

    Examples
    --------
    >>> import structarr as sa
    >>> a = sa.asarray([[0, 3, 0], [5, 0, 7]], format="csr")
    >>> [buffer.tolist() for buffer in stored(a).buffers]
    [[0, 1, 3], [1, 0, 2], [3, 5, 7]]
    """
    watcher = _watching()
    if watcher is not None and watcher.watches(array):
        watcher.told(array, "value")
    return _stored(array)


def _stored(array: Lazy) -> Tensor:
    """The value of an array that nobody watches."""
    tensor = array._tensor
    if FILES:
        mapped_files.check(array._node.given if tensor is None else (tensor,))
    if tensor is None:
        shortcut = array._product
        value = None if shortcut is None else shortcut()
        if value is None:
            tensor = _compute.value(_ready(array) if KNOWN else array._node)
        else:
            tensor = from_own(value)
        _keep(array, tensor)
    return tensor


def value_of(node: graph.Node, cost: int) -> Tensor:
    """The value of an expression of so many operations that no array has, and nobody watches."""
    if FILES:
        mapped_files.check(node.given)
    return _compute.value(_with_values(node, cost) if KNOWN else node)


def value_again(number: int, given: Given) -> Tensor | None:
    """The value of an expression of which its structure tells all; None where it is planned."""
    return None if FILES or KNOWN else _compute.again(number, given)


def _ready(array: Lazy) -> graph.Node:
    """An array's expression, with values of parts that other arrays have computed."""
    return _with_values(array._node, array._cost)


def _with_values(node: graph.Node, cost: int) -> graph.Node:
    return with_values(node) if node.sums and cost > 1 else node


def to_read(array: Lazy) -> Tensor:
    """An array's value for NumPy: dense where its own are lists that would only be copied."""
    tensor = array._tensor
    if tensor is not None and not FILES and _watching() is None:  # what most are
        return tensor
    if tensor is not None or _watching() is not None:
        return stored(array)
    node = array._node
    if node.sums and node.number in PLAIN:  # what most are: a sum is no join either
        return _stored(array)
    if array._dense is None and array._product is None:
        array._dense = dense_to_read(_ready(array) if KNOWN else node)
    return seen(array) if array._dense is None else array._dense


def seen(array: Lazy) -> Tensor:
    """An array's value for who looks at it, and for no more.

    Arrays side by side are put together, but stay the parts for what is computed of them, if these
    take far fewer bytes: dense numbers beside categories would be dense for good.
    """
    if array._tensor is not None or not array._plain or _watching() is not None:
        return stored(array)
    if array._node.sums or not is_joined(array._node):
        return _stored(array)
    if array._whole is None:
        if FILES:
            mapped_files.check(array._node.given)
        tensor = _compute.value(_ready(array) if KNOWN else array._node)
        if not is_spread(array._node, tensor):
            _keep(array, tensor)
            return tensor
        array._whole = tensor
    return array._whole


def at_hand(array: Lazy) -> Tensor | None:
    """An array's value if it is known, or so small that it is computed; None if neither."""
    if array._tensor is None and _watching() is None and is_light(array._node):
        with suppress(Exception):  # whoever asks for the value is told
            return stored(array)
    return array._tensor


def note_lengths(array: Lazy) -> None:
    """Note that the caller's caller takes the lengths as they are."""
    watcher = _watching()
    if watcher is not None:
        watcher.read(array, sys._getframe(2))


def is_open(array: Lazy) -> bool:
    """Whether an array is one of a function that is traced, and has no value of its own."""
    watcher = _watching()
    return watcher is not None and watcher.watches(array)


def settle(array: Lazy) -> None:
    """Compute an array without looking at its value."""
    watcher = _watching()
    if watcher is not None and watcher.watches(array):
        watcher.settle(array)
    else:
        _stored(array)


FACTS: Final[dict[str, Callable[[Tensor], Any]]] = {
    "format": operator.attrgetter("format"),
    "nbytes": operator.attrgetter("nbytes"),
    "nnz": nnz,
    "nstored": operator.attrgetter("nstored"),
}
"""What a trace may depend on beside the structure of its operands."""


def told(array: Lazy, fact: str) -> Any:
    """A fact about how an array is stored."""
    watcher = _watching()
    if watcher is not None and watcher.watches(array):
        return watcher.told(array, fact)
    return FACTS[fact](seen(array))


def step(function: Callable[[Any], Any], array: Lazy) -> Any:
    """The result, as a step of the trace, of a function that looks at values."""
    watcher = _watching()
    assert watcher is not None
    return watcher.applied(lambda given: function(given[0]), [array])


def store(arrays: Sequence[Lazy]) -> None:
    """Compute arrays together."""
    if _watching() is not None:
        for array in arrays:
            settle(array)
        return
    lazy = [array for array in arrays if array._tensor is None and array._product is None]
    tensors = _compute.values([_ready(array) if KNOWN else array._node for array in lazy])
    for array, tensor in zip(lazy, tensors, strict=True):
        _keep(array, tensor)
    for array in arrays:
        stored(array)


def _keep(array: Lazy, tensor: Tensor) -> None:
    # Several threads may have computed the value; all computed the same.
    array._tensor, array._product, array._plain = tensor, None, not array._borrowed
    array._dense = array._whole = None
    if array._node.sums and array._cost >= USED:
        know(array._node, tensor)
    array._node, array._cost = graph.leaf(tensor), 0
