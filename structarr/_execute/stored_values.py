"""Steps on vectors of stored values, and on arrays by tiles, of which the planner plans parts."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from structarr._execute.choices import choice_for
from structarr._execute.stand_ins import is_dense
from structarr._execute.steps import Call, Complete, Derive, Restore, Step, Stored
from structarr._lazy.graph import Node
from structarr._lazy.rewrite.flatten_dense import dense
from structarr._lazy.rewrite.on_stored_values import on_values, owner_of
from structarr._lazy.rewrite.on_tiles import OnTiles
from structarr._lazy.rewrite.sums_on_tiles import diagonal_on_tiles, sum_on_tiles
from structarr._scheduler.array_expression import Builder
from structarr._scheduler.discordant import Discordant
from structarr._scheduler.whole_sums import whole_of
from structarr._storage.tensor import Tensor
from structarr._storage.tile_views import Sides, are_lists_of_blocks
from structarr.formats import Format, Tiles


class StoredValues(NamedTuple):
    """Steps of expressions by what their operands store.

    Attributes
    ----------
    run : callable
        Runs a step.
    value : callable
        The value of a node.
    plan : callable
        The step of a node, after all passes that take whole expressions.
    counted : callable
        The step of a node, of vectors of stored values.
    laid_out : callable
        The step of a node in a format.
    """

    run: Callable[[Step], Tensor]
    value: Callable[[Node], Tensor]
    plan: Callable[[Node], Step]
    counted: Callable[[Node], Step]
    laid_out: Callable[[Node, Format], Step]

    def at_places(self, node: Node, fmt: Format) -> Step | None:
        """The step of an expression that is stored at its operands' places; None of any other."""
        owner = owner_of(node, fmt)
        if owner is None:
            return None
        step = self.counted(on_values(node))
        if not (isinstance(step, Call) and step.choice.format.is_dense):
            return None
        return Restore(owner, step)

    def of(self, node: Node) -> Step | None:
        """The step of matrices in tiles, or of all that arrays store; None of any other."""
        return self._by_tiles(node) or self._whole(node) or self._sum_by_tiles(node)

    def _sum_by_tiles(self, node: Node) -> Step | None:
        """The step of a dense sum of products with a matrix in tiles; None of any other."""
        found = sum_on_tiles(node)
        if found is None or not (self._is_dense(node) and self._is_dense(found)):
            return None
        step = self.plan(found)
        return Derive("shaped", step, node.shape) if node.shape else step

    def diagonal(self, node: Node, fmt: Format) -> Step | None:
        """The step of a dense vector with a diagonal of tiles; None of any other."""
        found = diagonal_on_tiles(node) if fmt.is_dense else None
        if found is None:
            return None
        return Derive("shaped", self.laid_out(found, dense(found.ndim, fmt.index)), node.shape)

    def _is_dense(self, node: Node) -> bool:
        """Whether a kernel gives the value of a node as a dense array, of operands as they lie."""
        choice = choice_for(Builder(self.value), node, None, False, True, False)
        return not isinstance(choice, Discordant) and choice.format.is_dense

    def _whole(self, node: Node) -> Step | None:
        """The step of a reduction of all that arrays store at the same places; None of others."""
        found = whole_of(node)
        if found is None:
            return None
        step = self.counted(found.node)
        return step if found.fill is None else Complete(step, found.owner, *found.fill)

    def _by_tiles(self, node: Node) -> Step | None:
        """The step of an elementwise expression of matrices in tiles; None of any other."""
        return self._on_tiles(node, None)

    def in_tiles(self, node: Node, fmt: Format, prune: bool) -> Step | None:
        """The step of such an expression in the tiles of an operand; None of any other.

        With `prune`, tiles of nothing but the fill are left out.
        """
        if fmt.order != (0, 1) or type(fmt.levels[1]) is not Tiles:
            return None
        step = self._on_tiles(node, fmt)
        return step if step is None or not prune else Derive("told tiles", step, None)

    def _on_tiles(self, node: Node, fmt: Format | None) -> Step | None:
        on_tiles = OnTiles(self._retiled, is_dense, self.value)
        format = on_tiles.format_of(node)
        if format is None or (fmt is not None and format is not fmt):
            return None
        stored = self.at_places(node, format)
        if stored is not None:
            return stored
        found = on_tiles.of(node)
        choice = choice_for(Builder(self.value), found, None, False, True, False)
        if isinstance(choice, Discordant) or not are_lists_of_blocks(choice.format):
            return None
        if fmt is not None and choice.format.index != fmt.index:
            return None
        return Derive("in tiles", self.plan(found), None)

    def _retiled(self, tensor: Tensor, sides: Sides) -> Tensor:
        """A matrix in tiles in larger ones, by rows."""
        by_rows = Derive("order", Stored(tensor), (0, 1))
        return self.run(Derive("in larger tiles", by_rows, sides))
