"""Stand-ins for values that are not computed: tensors of their formats, without buffers."""

from __future__ import annotations

from collections.abc import Mapping
from math import prod

from structarr._execute.choices import choice_for
from structarr._lazy.graph import Node, leaf
from structarr._lazy.rewrite import reshapes
from structarr._scheduler import kronecker, reorder_products
from structarr._scheduler.array_expression import Builder
from structarr._scheduler.discordant import Discordant
from structarr._scheduler.expected_entries import all_dense, expected_entries
from structarr._storage.tensor import Tensor
from structarr._storage.transpose import is_listed, reordered_lists
from structarr._storage.views import expanded, permuted
from structarr.formats import Format, parse


def is_dense(node: Node) -> bool:
    """Whether the value of an expression, as it stands, is dense; False where that is not clear."""
    if all_dense(node):
        return True
    made = stand_in(node)
    return made is not None and made.format.is_dense


def is_alike(node: Node, other: Node) -> bool:
    """Whether the values of two expressions have the same format; False where that is not clear."""
    found = StandIns()
    return found(node).format is found(other).format and found.clear


def stand_in(node: Node) -> Tensor | None:
    """The stand-in of an expression's value; None where its format is not clear."""
    found = StandIns()
    made = found(node)
    return made if found.clear else None


class StandIns:
    """Finds the formats of values by structure alone.

    Attributes
    ----------
    clear : bool
        Whether all were found; a dense one stands for a value whose format depends on more.
    """

    def __init__(self) -> None:
        self.clear = True

    def __call__(self, node: Node) -> Tensor:
        """The stand-in of a node's value."""
        match node.kind:
            case "leaf":
                return node.data  # type: ignore[no-any-return]
            case "first":
                return self(node.args[0])
            case "permute":
                return permuted(self(node.args[0]), node.data)
            case "expand":
                view = expanded(self(node.args[0]), node.data)
                # A view derives its counts from buffers, which a stand-in does not have.
                return view if view.buffers else _without_buffers(node, view.format)
            case "reshape":
                self.clear = False
                return _dense(node)
        if kronecker.has_any(node):  # which of several formats it is formed in is its own
            self.clear = False
            return _dense(node)
        if all_dense(node):
            return _dense(node)
        planned = self._planned(node)
        if planned.kind == "reshape":
            return self(planned)
        format = self._format(planned, False)
        return _without_buffers(node, format) if format else _dense(node)

    def _planned(self, node: Node) -> Node:
        """A node as calls are planned for it, of which none reshapes its operands.

        It may be reshaped itself.
        """
        return reorder_products.reordered(reshapes.applied(node, self))

    def _format(self, node: Node, transposed: bool) -> Format | None:
        builder = Builder(self)
        choice = choice_for(builder, node, None, transposed, True, False)
        if isinstance(choice, Discordant):
            moved = {builder.tensors[k]: axes for k, axes in choice.orders.items()}
            known = all(len(axes) == one.ndim and _is_moved(one) for one, axes in moved.items())
            if known and not (transposed or choice.conflict):
                table = {
                    one: _without_buffers(leaf(one), _moved(one.format, axes))
                    for one, axes in moved.items()
                }
                return self._format(replaced(node, table, builder.settled), True)
        elif not choice.format.is_constant:
            return choice.format
        self.clear = False
        return None


def _is_moved(tensor: Tensor) -> bool:
    """Whether it is known how a tensor is stored with its axes in another order."""
    return tensor.format.is_dense or is_listed(tensor)


def _moved(format: Format, axes: tuple[int, ...]) -> Format:
    """The format of an array with its axes in another order."""
    if format.is_dense:
        return Format(format.root, axes, format.index)
    return reordered_lists(format, axes)


def replaced(node: Node, table: Mapping[Tensor, Tensor], settled: Mapping[int, Node]) -> Node:
    """The node with other tensors in the places of some, and of what is settled its value."""
    node = settled.get(id(node), node)
    if node.kind == "leaf":
        return leaf(table.get(node.data, node.data))
    return node.of([replaced(arg, table, settled) for arg in node.args])


def _dense(node: Node) -> Tensor:
    """A dense tensor of a node's shape."""
    return _without_buffers(node, parse("dense", node.ndim))


def _without_buffers(node: Node, format: Format) -> Tensor:
    """A tensor of a node's shape that stores about as much."""
    size, counts = 1, []
    for axis in format.order:
        size *= node.shape[axis]
        counts.append(min(size, expected_entries(node)))
    counts[-1:] = [prod(node.shape)] if format.is_dense and counts else counts[-1:]
    return Tensor(format, node.shape, node.dtype, node.fill, (), {"counts": tuple(counts)})
