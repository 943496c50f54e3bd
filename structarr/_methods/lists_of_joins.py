"""Lists of arrays side by side, made of the parts: the dense whole is never formed.

Numbers beside categories are dense as one array, by the algebra of structures. Who asks for lists
of them, as other libraries take them, gets those in one pass.
"""

from __future__ import annotations

from typing import Final

from structarr._execute import compute
from structarr._execute.joins_in_format import is_filled_up
from structarr._lazy.graph import Node
from structarr._lazy.structure import NONE
from structarr._scheduler.inputs import index_of, positioned
from structarr._storage.tensor import Tensor
from structarr._support.caches import room, table
from structarr._value import Lazy, is_open
from structarr.formats import parse

_spread: Final[dict[int, bool]] = table()
"""Whether expressions of a structure are dense, though parts of them leave something out."""


def listed(array: Lazy, format: str) -> Tensor | None:
    """The value of a matrix in "csr" or "csc", where it would be dense of parts that are not."""
    node = array._node
    if array._tensor is not None or node.kind == "leaf" or is_open(array) or not _is_spread(node):
        return None
    asked = positioned(parse(format, 2), index_of(node))
    return compute.in_format(node, asked, widens=True)


def _is_spread(node: Node) -> bool:
    if node.sums or node.ndim != 2 or node.fill != 0:
        return False
    found = _spread.get(node.number)
    if found is None:
        found = is_filled_up(node)
        if node.number != NONE:
            room(_spread, light=True)[node.number] = found
    return found
