"""Keys of expressions; expressions of equal keys are computed by the same calls of kernels.

The calls of an expression depend on its graph, on its operands' formats, lengths and magnitudes, on
what the compiler knows of scalars, and on the options, but on no value.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from itertools import count

from structarr._compiler.options import current
from structarr._execute.program_choice import magnitudes_of
from structarr._lazy.graph import Node, dtype_name
from structarr._lazy.rewrite.on_stored_values import places_of
from structarr._scheduler.inputs import known_of
from structarr._scheduler.push_masks import annihilates, may_mask
from structarr._storage.tensor import Tensor
from structarr._support.caches import room
from structarr._support.dtypes import zero

SIZED = ("join", "pad", "slide")
"""The kinds of nodes with lengths and places of their own, which seldom come again."""

_signatures: dict[Hashable, int] = {}
_fresh = count(1)


class ExpressionKey:
    """The key of an expression, with the operands that tell it from others of the key."""

    __slots__ = (
        "_defined",
        "_maps",
        "_places",
        "_seen",
        "_slices",
        "constants",
        "key",
        "sizes",
        "tensors",
    )

    def __init__(self, node: Node) -> None:
        options = current()
        self.tensors: list[Tensor] = []
        self.constants: list[Node] = []  # the nodes of the scalars
        self.sizes: list[int] = []  # the starts of slices
        self._slices: list[tuple[int | None, tuple[int, ...]]] = []  # the leaf's number, the starts
        self._maps: list[Node] = []
        self._defined: list[Node] = []
        self._seen: dict[int, int] = {}
        self._places: dict[tuple[int, ...], int] = {}
        self.key: list[Hashable] | None = [options.strict_ieee, options.rules]
        if options.forced is not None:
            self.key.append(("forced", options.forced.program))
        self._visit(node)
        if node.sums and self.constants and self.key is not None:
            self.key += self._scalars()
        if len(self._slices) > 1 and self.key is not None:
            self.key += self._equal_slices()
        if len(set(self.sizes)) < len(self.sizes) and self.key is not None:
            self.key += [self.sizes.index(size) for size in self.sizes]  # the equal ones among them

    def _visit(self, node: Node) -> None:
        key = self.key
        if key is None:
            return
        definition = node.definition
        if definition is None and node.kind == "leaf":
            self._leaf(node.data, key)
            return
        number = self._seen.get(id(node))
        if number is not None:
            key.append(~number)  # signatures are not negative
            return
        self._seen[id(node)] = len(self._seen)
        if definition is not None:
            for arg in definition.args:
                self._visit(arg)
            key += (definition.make, len(definition.args))
            self._defined.append(node)
        elif node.kind == "slice":
            (arg,) = node.args
            self._visit(arg)
            starts, steps = node.data
            self._slices.append((self._leaf_number(arg), starts))
            key += ("slice", steps, node.shape)
            axes = zip(starts, steps, arg.shape, node.shape, strict=True)
            self.sizes += [start for start, step, n, m in axes if n != m or step != 1]
        elif node.kind in SIZED:
            self.key = None
        elif node.kind == "constant":
            self.constants.append(node)
            key += ("constant", node.dtype, known_of(node.data, dtype_name(node.dtype), False))
        else:
            for arg in node.args:
                self._visit(arg)
            key += (node.kind, len(node.args), node.data, node.shape, node.dtype)
            if node.kind == "map":
                self._maps.append(node)

    def _leaf_number(self, node: Node) -> int | None:
        """The number of the tensor that a node is; None of an expression."""
        is_leaf = node.definition is None and node.kind == "leaf"
        return self._seen.get(id(node.data)) if is_leaf else None

    def _equal_slices(self) -> Iterator[Hashable]:
        """A number for each slice; slices of one array from equal starts share one."""
        of_leaves = all(number is not None for number, _ in self._slices)
        same: dict[Hashable, int] = {}
        for number, starts in self._slices:
            yield same.setdefault((number if of_leaves else None, starts), len(same))

    def _leaf(self, tensor: Tensor, key: list[Hashable]) -> None:
        number = self._seen.get(id(tensor))
        if number is not None:
            key.append(~number)
            return
        self._seen[id(tensor)] = len(self._seen)
        if tensor.format.is_dense:  # the common case needs no signature
            self.tensors.append(tensor)
            fill = 0 if tensor.fill is zero(tensor.dtype) else tensor.fill.tobytes()
            key += (tensor.format, tensor.shape, tensor.dtype, fill)
            return
        signature, places = tensor.memo.get("signature") or _signature(tensor)
        if not signature:
            self.key = None
            return
        self.tensors.append(tensor)
        key += (signature, self._places.setdefault(places, len(self._places)))

    def _scalars(self) -> Iterator[Hashable]:
        """The properties of scalars that rewriting of sums reads: equality and annihilation."""
        same: dict[Hashable, int] = {}
        for value in [node.data for node in self.constants]:
            yield same.setdefault((value.dtype, value.tobytes()), len(same))
        for node in self._defined:
            self._made(node, node.definition.args)  # type: ignore[union-attr]
        if any(map(may_mask, self._maps)):
            for node in self._maps:
                for place in range(len(node.args)):
                    yield annihilates(node, place)

    def _made(self, node: Node, args: Sequence[Node]) -> None:
        """Add the maps that a definition makes of its arguments."""
        if node.kind == "map":
            self._maps.append(node)
        for arg in node.args:
            if not any(arg is one for one in args):
                self._made(arg, args)


def _signature(tensor: Tensor) -> tuple[int, tuple[int, ...]]:
    """The number of a tensor's structure, and the identity of its coordinates.

    The number is 0 for a tensor of one value, which is always an operand of its own. Arrays with
    equal coordinates have equal identities.
    """
    if tensor.is_constant:
        return 0, ()
    fill, counts = tensor.fill.tobytes(), magnitudes_of(tensor)
    parts = tensor.format, tensor.shape, tensor.dtype, fill, counts
    number = room(_signatures).setdefault(parts, next(_fresh))
    found = tensor.memo["signature"] = number, places_of(tensor)
    return found
