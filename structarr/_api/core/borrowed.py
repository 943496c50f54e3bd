"""Operands whose buffers others can write: copied for a lazy result, or read at the call."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Final

from structarr._array import Array, stored
from structarr._execute.dense_values import is_read_dense
from structarr._lazy.graph import Node
from structarr._lazy.structure import NONE
from structarr._scheduler.expected_entries import expected_entries
from structarr._scheduler.machine import times
from structarr._storage.tensor import Tensor
from structarr._support.caches import room, table

SHARE: Final = 0.1  # of an operation's time that a copy may take
MOST: Final = 64 * 1024 * 1024  # bytes that are copied because that takes little time
LARGER: Final = 2.0  # times the copy, from which a result had better not be made for nothing
SMALLER: Final = 16.0  # times than the copy, a result may as well be there at once
PLACE: Final = 4  # bytes of the place of a stored element


def are_copied(borrowed: Sequence[Array], node: Node) -> bool:
    """Whether borrowed operands of an operation are copied, so that its result stays lazy.

    So they are where the result would be larger by far than they are, as a product of two thin
    matrices is, of which a mask may ask for little; where a copy costs little beside it; and where
    it has more bytes than the copy, its elements being stored with their places. A result that is
    far smaller than they are, as `x.T @ r` of a long `r`, is computed at once. One that is stored
    in lists, but is a dense value for NumPy, waits until somebody tells which of them he wants.
    Operations of one structure are treated alike.
    """
    size = sum([lent(array).nbytes for array in borrowed])
    key = node.number, size
    found = _decided.get(key)
    if found is None:
        found = _pays(size, node)
        if node.number != NONE:
            room(_decided)[key] = found
    return found


def decided(node: Node, size: int) -> bool | None:
    """Whether so many bytes are copied for an operation, or read; None where it is not known."""
    return _decided.get((node.number, size))


def lent(array: Array) -> Tensor:
    """The tensor of a borrowed operand, or of what it is a view of."""
    node = array._node
    if node.kind == "permute" and node.args[0].kind == "leaf":  # what few need is not made
        node = node.args[0]
    return node.data if node.kind == "leaf" else stored(array)


_decided: dict[tuple[int, int], bool] = table()


def _pays(size: int, node: Node) -> bool:
    """Whether copying so many bytes pays before an operation."""
    made = expected_entries(node)
    if made * node.dtype.itemsize > LARGER * size:
        return True
    if made < prod(node.shape) and made * (node.dtype.itemsize + PLACE) > size:
        return True
    if made * node.dtype.itemsize * SMALLER < size:
        return False
    if size <= MOST and is_read_dense(node):
        return True
    return size <= MOST and size * times().copy < SHARE * times().follow * _terms(node)


def _terms(node: Node) -> float:
    """About how many terms a sum of products has, stored elements being spread evenly."""
    if node.kind != "reduce":
        return float(expected_entries(node))
    arg = node.args[0]
    shares = [expected_entries(one) / prod(one.shape) for one in arg.args if prod(one.shape)]
    return float(prod(arg.shape) * prod(shares))
