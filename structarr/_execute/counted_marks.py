"""Counts of what is not zero in rows: of places alone, which pointers tell without a loop.

Whether a stored value equals the fill is asked of all at once, which is a loop without branches.
Where none does, as most often, the places are those of the array.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from structarr._execute.stand_ins import is_dense, replaced
from structarr._execute.steps import Marked, Step
from structarr._lazy.graph import Node, leaf
from structarr._storage.tensor import Tensor
from structarr._storage.unlike_fill import may_be_marked

MANY: Final = 1 << 14
"""The entries from which on to ask them takes less time than loops over rows."""


def by_marks(node: Node, run: Callable[[Step], Tensor]) -> Node:
    """Return a dense reduction of comparisons with the fill as one of marks of what differs."""
    if node.kind != "reduce" or node.ndim != 1:
        return node
    compared = node.args[0]
    while compared.kind == "convert":
        compared = compared.args[0]
    tensor = _compared(compared)
    if tensor is None or node.data[1] != tensor.format.order[1:]:
        return node
    if len(tensor.buffers[-1]) < MANY or not is_dense(node):
        return node
    made = replaced(node, {}, {id(compared): leaf(run(Marked(tensor)))})
    return made if is_dense(made) else node


def _compared(node: Node) -> Tensor | None:
    """The array whose elements a node compares with its fill; None of any other node."""
    if node.kind != "map" or node.data[0].name != "not_equal":
        return None
    one, other = node.args
    if one.kind != "leaf" or other.kind != "constant" or one.dtype != other.dtype:
        return None
    tensor: Tensor = one.data
    return tensor if may_be_marked(tensor) and tensor.fill == other.data else None
