"""The planner: it turns an expression into the step that computes its value.

A choice may depend on a value, such as the number of elements that a factor of a product stores.
The step of that value is run while the expression is planned, by the executor that the planner is
given.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import TypeAlias
from weakref import ref

from structarr._execute import joins_in_format
from structarr._execute.choices import choice_for, choice_for_all
from structarr._execute.counted_marks import by_marks
from structarr._execute.dense_products import product_of
from structarr._execute.entries_by_rows import (
    by_rows,
    factors_by_rows,
    is_sum,
    product_by_rows,
    taken_by_rows,
)
from structarr._execute.epilogues import joined
from structarr._execute.fitting import are_any_order, is_known_to_fit, prepared_buffers
from structarr._execute.onto import begun
from structarr._execute.own_operands import own, transposed_in, with_parts, with_values
from structarr._execute.passes import PASSES
from structarr._execute.place import MOST, too_narrow
from structarr._execute.program_choice import Choice, Pick
from structarr._execute.relaid_operands import relaid
from structarr._execute.rows_by_entries import by_entries, with_vectors
from structarr._execute.stand_ins import is_alike, is_dense, replaced, stand_in
from structarr._execute.steps import (
    DERIVED,
    Added,
    Assemble,
    At,
    Call,
    Derive,
    Encode,
    Kronecker,
    Product,
    Relist,
    Split,
    Step,
    Stored,
    Together,
    Unpicked,
)
from structarr._execute.stored_values import StoredValues
from structarr._execute.turned_products import flipped, is_turned, unflipped
from structarr._lazy import graph
from structarr._lazy.graph import Node, leaf
from structarr._lazy.rewrite import reshapes
from structarr._lazy.rewrite.flatten_dense import flat, with_dense_sums
from structarr._lazy.rewrite.other_part import with_other
from structarr._lazy.rewrite.push_joins import is_vector
from structarr._scheduler import (
    columns_apart,
    epilogue,
    full_fibers,
    hoist,
    many_lists,
    number_fills,
    point_products,
    reorder_products,
    split_joins,
    split_sums,
    takes,
)
from structarr._scheduler.array_expression import Builder
from structarr._scheduler.dense_blocks import blocks_of
from structarr._scheduler.discordant import Discordant
from structarr._scheduler.operands import Operands
from structarr._scheduler.row_joins import rows_of
from structarr._scheduler.seen_counts import note
from structarr._scheduler.split_joined_sums import Apart
from structarr._storage.conform import conform
from structarr._storage.encoding import is_encoded
from structarr._storage.tensor import Tensor
from structarr._storage.transpose import is_listed, is_relisted, lists_of, pruned
from structarr.formats import Format, parse

Run: TypeAlias = Callable[[Step], Tensor]


class Planner:
    """Plans expressions; `run` executes a step whose result decides how the plan goes on.

    It is `surprised` if the next plan may be another: a value stores far more or less than is
    expected, or values decide on a format. A `counted` planner makes calls on vectors of stored
    values. One that `widens` takes positions of int64 where those of a format are too narrow. `new`
    are the tensors that its steps have made, which nobody else has.
    """

    __slots__ = ("_counted", "_new", "_run", "_used", "_widens", "surprised")

    def __init__(
        self,
        run: Run,
        counted: bool = False,
        widens: bool = False,
        new: Collection[Tensor] = (),
    ) -> None:
        self._run, self._counted, self._widens, self._new = run, counted, widens, new
        self.surprised = False
        # Values of parts as long as they are used, so that each way that is tried finds them.
        self._used: dict[tuple[int, bool], tuple[Node, ref[Tensor]]] = {}

    def plan(
        self,
        node: Node,
        fmt: Format | None = None,
        *,
        prune: bool = True,
        blas: bool = True,
        split: bool = True,
        diagonals: bool = True,
    ) -> Step:
        """The step that computes the value of a node.

        Parameters
        ----------
        node : Node
            The expression.
        fmt : Format, optional
            Of the value; None stands for what the structure algebra says.
        prune : bool
            Whether a value in a format that is asked for is stored without what equals the fill.
        blas : bool
            Whether NumPy may multiply dense arrays.
        split : bool
            Whether a product of sums may become a sum of products.
        diagonals : bool
            Whether what is diagonal by structure is stored as its whole diagonal.

        Raises
        ------
        FormatError
            If the format does not hold the value.
        DensificationError
            If a dense product would be larger than allowed.
        """
        return self._picked(self._planned(node, fmt, prune, blas, split, diagonals))

    def _planned(
        self,
        node: Node,
        fmt: Format | None = None,
        prune: bool = True,
        blas: bool = True,
        split: bool = True,
        diagonals: bool = True,
    ) -> Step | Unpicked:
        """The step that `plan` returns, or a call whose program is not picked yet."""
        if node.kind == "leaf" and (fmt is None or fmt is node.data.format):
            return Stored(node.data)
        parts: takes.Selected | split_sums.Parts | None
        node = reshapes.applied(node, self.value)  # places are read where arrays have their shapes
        apart = columns_apart.product_of(node, self.value) if blas else None
        if apart is not None:
            step = Product(*apart)
            return step if fmt is None else self._rewritten(leaf(self._run(step)), fmt, prune)
        if node.kind == "kron":
            formed = Kronecker(node.data.make, (self.value(node.args[0]), self.value(node.args[1])))
            return formed if fmt is None else self._rewritten(leaf(self._run(formed)), fmt, prune)
        wanted = fmt is not None and fmt.is_dense
        values = (self._listed_value, self._dense_value, wanted, self._onto)
        node = split_joins.applied(node, *values, self._whole if split else None)
        if node.kind == "leaf" and fmt is None:
            return Stored(node.data)
        if wanted and is_sum(node):
            node = taken_by_rows(node, self._run)
        parts = takes.selected(node, is_dense) if split else None
        if parts is not None and parts.is_exact:
            return self._planned(parts.node, fmt, prune, blas)
        if parts is None:
            node = self.rewritten(node, diagonals)
            if node.kind == "leaf" and fmt is None:
                return Stored(node.data)
            asked = fmt is not None and fmt.is_dense and is_sum(node)
            node = by_rows(node, self._run, self._dense_value, asked)
            node = with_vectors(node, self._dense_value)
            entries = by_entries(node, fmt, self._run)
            if entries is not None:
                return self.plan(*entries)
            node = by_marks(node, self._run)
            node = factors_by_rows(node, self._run)
            rows = product_by_rows(node, self._run) if fmt is None else None
            if rows is not None:
                return Derive("listed rows", self.plan(rows, blas=blas, split=split), None)
            if asked and fmt and is_dense(node):
                return Derive("laid out", self.plan(node, blas=blas, split=split), fmt)
            parts = split_sums.split(node, is_dense, self._refilled) if split else None
            first = split_sums.first_of(node, parts, is_dense, stand_in) if split else None
            if first is not None:
                value = leaf(self.value(first.node))
                return self._planned(with_other(node, first.node, value), fmt, prune, blas)
            if split and parts is None:
                before, node = node, number_fills.with_fills(node, stand_in)
                if node is not before:
                    parts = split_sums.split(node, is_dense, self._refilled)
        if parts is not None:
            # They are looked at in a dense array in any case.
            dense = None if is_dense(parts.node) else parse("dense", node.ndim)
            below = self.plan(parts.node, dense, split=False)
            sums = Split(below, node, parts.sparse, parts.unlike)
            if fmt is None:
                return sums
            return self._rewritten(leaf(self._run(sums)), fmt, prune)
        node = number_fills.settled(reorder_products.reordered(node), stand_in, is_alike)
        node = hoist.hoisted(node, is_alike)
        node = many_lists.bounded(node, is_alike)
        product = product_of(node, self.value) if blas else None
        if product is not None:
            if fmt is None:
                return product
            node = leaf(self._run(product))
        return self._rewritten(node, fmt, prune)

    def rewritten(self, node: Node, diagonals: bool = True) -> Node:
        """An expression after all passes that need no price."""
        if diagonals:
            node = point_products.applied(node, self._on_diagonal)
        for rewrite in PASSES:
            node = rewrite(node, self.value)
        return node

    def written(self, node: Node) -> Step:
        """The step of an expression whose last operation is as it stands."""
        return product_of(node, self.value) or self._picked(self._rewritten(node, None, True))

    def value(self, node: Node, diagonals: bool = True) -> Tensor:
        """The value of a node in the format that the algebra gives it."""
        key = id(node), diagonals
        known = self._used.get(key)
        found = None if known is None else known[1]()
        if found is None:
            found = self._run(self.plan(node, diagonals=diagonals))
            used = self._used
            used[key] = node, ref(found, lambda _: used.pop(key, None))
            if node.kind == "reduce" and found.counts and note(node, found.counts[-1]):
                self.surprised = True
        return found

    def forget(self) -> None:
        """Forget the values, and the expressions that they are the values of."""
        self._used.clear()

    def _dense_value(self, node: Node) -> Tensor:
        """The value of a node in dense format."""
        return self._run(self.plan(node, parse("dense", node.ndim)))

    def _listed_value(self, node: Node) -> Tensor:
        """The value of a part of a join, whose lists leave out the gaps of a diagonal."""
        return self.value(node, diagonals=False)

    def _whole(self, parts: Apart, node: Node) -> Tensor:
        """The value of a sum of products, or of the node in whose place it is if not finite."""
        return self._run(Split(self.plan(parts.node, split=False), node, parts.sparse))

    def _refilled(self, found: full_fibers.Filled) -> Node | None:
        """A sum with what is in the full fibers of its stored term as a term of its own."""
        if not found.is_counted:
            return None
        full = self._run(Derive(full_fibers.FULL, Stored(found.term.tensor), found.detail))
        others = self._run(Derive(full_fibers.OTHERS, Stored(full), None))
        left = self._dense_value(found.left(others))
        term = full_fibers.taken(found, full)
        taken = self._run(self.plan(term, found.format, prune=False, split=False))
        stored = graph.elementwise("add", (leaf(taken), full_fibers.others_of(found, others)))
        return graph.elementwise("add", (stored, full_fibers.beside(left, found.along)))

    def _on_diagonal(self, node: Node) -> Tensor:
        """The matrix with the value of a vector on its diagonal."""
        return self._run(Derive("on diagonal", self.plan(node, parse("dense", 1)), None))

    def wider(self, outgrown: Call) -> Step:
        """The step of an outgrown call, with positions of int64."""
        found, fmt = outgrown.choice.format, outgrown.format
        if found.index == "int64":
            raise too_narrow(found)
        fmt = fmt and self._wide(fmt)
        asked = (outgrown.node, fmt, outgrown.transposed)
        return self._picked(self._called(*asked, prune=outgrown.prune, wide=True))

    def _wide(self, fmt: Format) -> Format:
        """A format that was asked for with positions of int64, unless it was asked for exactly."""
        if not self._widens:
            raise too_narrow(fmt)
        return Format(fmt.root, fmt.order, "int64")

    def together(self, nodes: Sequence[Node]) -> tuple[Choice, Pick, Operands] | None:
        """One kernel for the values of several nodes; None if there is none."""
        builder = Builder(self.value)
        choice = choice_for_all(builder, nodes)
        if choice is None:
            return None
        # Operands' lengths are those of the first program: of its result, then of reduced axes.
        given = builder.operands(nodes[0], {})
        pick = choice.pick(given)
        return None if pick is None else (choice, pick, given)

    def _rewritten(
        self, node: Node, fmt: Format | None, prune: bool, transposed: bool = False
    ) -> Step | Unpicked:
        """The step of an expression to which all passes were applied."""
        if fmt is None:
            if node.kind == "take" and node.args[0].kind != "leaf":
                node = node.of([leaf(self.value(node.args[0])), node.args[1]])
            if node.kind == "take" and takes.is_copied(node):
                return At(self.plan(node.args[0]), node.args[1].data, node.data)
            if node.kind in DERIVED:
                return Derive(DERIVED[node.kind], self.plan(node.args[0]), node.data)
            blocks = blocks_of(node)
            if blocks is not None and len(blocks[1]) > 2:  # for two a kernel is as fast
                return Assemble(*blocks)
            rows = rows_of(node, is_alike)
            if rows is not None:
                return Together(tuple(rows))
            joined = self._epilogue(node)
            if joined is not None:
                return joined
            found = self._on_stored().of(node)
            if found is not None:
                return found
            node = with_dense_sums(node, is_dense, self.value)
            vectors = flat(node)
            if vectors is not None:
                step = self._rewritten(vectors, None, prune)
                return Derive("shaped", self._picked(step), node.shape) if node.shape else step
            return self._called(node, None, transposed)
        if node.kind == "reshape" or own(node) is not None or not are_any_order(node, fmt):
            node = leaf(self.value(node))
        if node.kind == "leaf" and node.data.format is fmt:
            return Stored(node.data)
        tensor = own(node)
        if tensor is not None and is_encoded(tensor, fmt):
            return Encode(tensor, fmt)
        relisted = self._relisted(node, fmt)
        if relisted is not None:
            return relisted
        in_tiles = self._on_stored().in_tiles(node, fmt, prune)
        if in_tiles is not None:
            return in_tiles
        if not is_known_to_fit(node, fmt):
            self.surprised = True  # values decide
            listed = pruned(self._run(self.plan(node, lists_of(fmt))))
            node, fmt = leaf(listed), conform(listed, fmt)
        by_tiles = self._on_stored().diagonal(node, fmt)
        if by_tiles is not None:
            return by_tiles
        node = joins_in_format.with_parts(node, fmt, lambda one: self._run(self.plan(one, fmt)))
        return self._called(node, fmt, transposed, prune=prune)

    def _epilogue(self, node: Node) -> Step | Unpicked | None:
        """The step of an expression that maps sums; None of any other.

        The last one may be mapped where it is computed, beside the values of the others.
        """
        totals = epilogue.totals_of(node)
        if not totals:
            return None
        *others, total = totals
        for other in others:
            node = with_other(node, other, leaf(self.value(other)))
        if epilogue.totals_of(node) != [total]:  # a value that is not dense stands beside it
            return self._rewritten(node, None, True)
        step = self._planned(total)
        found = self._joined(node, total, step)
        if found is not None:
            return found
        made = leaf(self._run(self._picked(step)))
        return self._rewritten(with_other(node, total, made), None, True)

    def _joined(self, node: Node, total: Node, step: Step | Unpicked) -> Call | None:
        """The call that maps a sum where it computes it; None where two calls take less time."""
        if not (isinstance(step, Unpicked) and step.node.kind == "reduce"):
            return None
        found = joined(node, total, step, self.value)
        pick = found and found.choice.pick(found.given)
        return found.picked(pick) if found and pick else None

    def _onto(self, node: Node, total: Node) -> Node | None:
        """The value of the map of a sum, as a leaf, where one call computes both; else None."""
        step = self._planned(total)
        if epilogue.totals_of(node) == [total] and is_vector(node):
            found = self._joined(node, total, step)
            if found is not None:
                return leaf(self._run(found))
        return self._begun(node, step)

    def _begun(self, node: Node, sums: Step | Unpicked) -> Node | None:
        """The value of a total and the sums that are added to it, in the place of the total."""
        before = node.args[0]
        if before.kind != "leaf" or before.data not in self._new or not isinstance(sums, Unpicked):
            return None
        found = begun(sums, before.data, self.value)
        if found is None:
            return None
        self._used = {key: one for key, one in self._used.items() if one[1]() is not before.data}
        return leaf(self._run(Added(found, before.data)))

    def _picked(self, step: Step | Unpicked) -> Step:
        """A step, with the program of a call picked and lowered.

        Where none can be lowered, what is below is computed first.
        """
        if isinstance(step, Call) or not isinstance(step, Unpicked):
            return step
        pick = step.choice.pick(step.given)
        if pick is None:
            return self.plan(with_values(step.node, self.value), step.format, prune=step.prune)
        return step.picked(pick)

    def _called(
        self,
        node: Node,
        fmt: Format | None,
        transposed: bool,
        *,
        prune: bool = True,
        wide: bool = False,
    ) -> Step | Unpicked:
        """The call of a kernel for a node, or what takes its place."""
        builder = Builder(self.value)
        choice = choice_for(builder, node, fmt, transposed, prune, wide)
        if isinstance(choice, Discordant):
            orders = {builder.tensors[number]: axes for number, axes in choice.orders.items()}
            parts = with_parts(node, orders, builder.settled, self.value, fmt is not None)
            if parts is not None:
                return self._planned(parts, fmt, prune)
            if fmt is None and not transposed and is_turned(node, builder, orders):
                return unflipped(self._picked(self._called(flipped(node), None, False)))
            moved = transposed_in(node, builder, choice, self.value, self._in_orders)
            if choice.conflict:
                return self._planned(moved, fmt, prune)
            return self._rewritten(moved, fmt, prune, transposed=True)
        stored = None if fmt is not None else self._on_stored().at_places(node, choice.format)
        if stored is not None:
            return stored
        given = builder.operands(node, {} if fmt is None else prepared_buffers(node, fmt))
        if fmt is None and not transposed and takes.is_read_again(node, choice.least, given):
            return self._planned(takes.formed(node, self.value))
        other = (
            None
            if fmt or transposed
            else relaid(node, choice, given, builder.settled, self._in_orders)
        )
        if other is not None:
            moved = replaced(other.node, self._in_orders(other.orders), builder.settled)
            step = self._called(moved, None, transposed=True)
            if not other.flipped:
                return step
            return unflipped(self._picked(step))
        made = (choice, given, tuple(builder.constants), node.shape, self._counted)
        return Unpicked(*made, node, fmt, prune, transposed)

    def _on_stored(self) -> StoredValues:
        counted = Planner(self._run, counted=True).plan
        return StoredValues(self._run, self.value, self.written, counted, self.plan)

    def _relisted(self, node: Node, fmt: Format) -> Relist | None:
        """A matrix as lists of entries or rows, in one pass; None where that takes a kernel."""
        tensor = own(node)
        if tensor is None or not is_relisted(tensor, fmt):
            return None
        if not is_listed(tensor):
            listed = Format(lists_of(tensor.format).root, tensor.format.order, fmt.index)
            tensor = self._run(self.plan(leaf(tensor), listed))
        if tensor.counts[-1] > MOST[fmt.index]:
            fmt = self._wide(fmt)
        return Relist(tensor, fmt)

    def _in_orders(self, orders: Mapping[Tensor, tuple[int, ...]]) -> dict[Tensor, Tensor]:
        """Tensors stored in other orders of their axes."""
        return {one: self._run(Derive("order", Stored(one), axes)) for one, axes in orders.items()}
