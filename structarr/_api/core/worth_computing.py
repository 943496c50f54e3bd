"""Which values are worth computing once for all expressions that have them as a part."""

from __future__ import annotations

from math import prod
from typing import Final

from structarr._compiler.options import current
from structarr._execute.stand_ins import is_dense
from structarr._lazy import graph
from structarr._lazy.node import nodes_of
from structarr._lazy.structure import NONE
from structarr._scheduler.expected_entries import expected_entries
from structarr._storage.tensor import Tensor
from structarr._support.caches import room, table

FEW_A_ROW: Final = 16
"""The entries for each index of the longest axis that are as cheap to keep as vectors."""

VIEWS: Final = frozenset(("permute", "expand", "squeeze", "reshape", "lead", "first", "spread"))
"""The kinds of nodes whose values are those of their arguments in another place."""

_short: dict[int, bool] = table()
_sparse: dict[int, bool] = table()


def is_short(node: graph.Node) -> bool:
    """Whether a value has no more elements than an operand of its expression stores.

    Expressions of one structure are treated alike.
    """
    found = _short.get(node.number)
    if found is None:
        found = prod(node.shape) <= _most_stored(node)
        if node.number != NONE:
            room(_short)[node.number] = found
    return found


def has_few_entries(node: graph.Node) -> bool:
    """Whether the entries of a value are about as many as vectors along its axes have.

    Views have none of their own, and arrays side by side are worth more as their parts are stored.
    Expressions of one structure are treated alike.
    """
    found = _sparse.get(node.number)
    if found is None:
        found = node.kind not in VIEWS and not any([one.kind == "join" for one in nodes_of(node)])
        found = found and (is_short(node) or not is_dense(node))
        if found:
            entries = expected_entries(node)
            found = entries <= max(_most_stored(node), FEW_A_ROW * max(node.shape))
            found = found and entries * node.dtype.itemsize <= current().densify_limit
        if node.number != NONE:
            room(_sparse)[node.number] = found
    return found


def _most_stored(node: graph.Node) -> int:
    """The number of elements that an operand of an expression stores at most."""
    return max([one.nstored for one in node.given if isinstance(one, Tensor)], default=1)
