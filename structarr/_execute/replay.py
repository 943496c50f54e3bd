"""Expressions like one that was computed before: its kernels are called again, in its order.

To find out by which kernels an expression is computed takes longer than a small kernel runs. What
is found depends on the graph, on the operands' formats, lengths and magnitudes, on what the
compiler knows of scalars, and on the options, but on no value, so it holds for every expression in
which those agree: it is a recipe.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import count
from typing import Any, TypeAlias

from structarr._compiler.options import current
from structarr._execute.program_choice import Choice, Pick, magnitudes_of
from structarr._lazy.graph import Node, dtype_name
from structarr._lazy.rewrite.on_stored_values import places_of, restored
from structarr._scheduler.array_expression import known_of
from structarr._scheduler.operands import Operands
from structarr._scheduler.push_masks import annihilates
from structarr._storage.memo import DERIVED, Derive
from structarr._storage.tensor import Tensor
from structarr._support.caches import room
from structarr._support.dtypes import zero

SIZED = ("join", "pad", "slide")
"""The kinds of nodes with lengths and places of their own, which seldom come again."""

_signatures: dict[Hashable, int] = {}
_fresh = count(1)


class Likeness:
    """What expressions of one recipe have in common, and what one of them has of its own."""

    __slots__ = (
        "_defined",
        "_maps",
        "_places",
        "_seen",
        "_slices",
        "key",
        "scalars",
        "sizes",
        "tensors",
    )

    def __init__(self, node: Node) -> None:
        options = current()
        self.tensors: list[Tensor] = []
        self.scalars: list[Any] = []
        self.sizes: list[int] = []  # where slices start
        self._slices: list[tuple[int | None, tuple[int, ...]]] = []  # of which leaf, from where
        self._maps: list[Node] = []
        self._defined: list[Node] = []
        self._seen: dict[int, int] = {}
        self._places: dict[tuple[int, ...], int] = {}
        self.key: list[Hashable] | None = [options.strict_ieee, options.rules]
        if options.forced is not None:
            self.key.append(("forced", options.forced.program))
        self._visit(node)
        if node.sums and self.scalars and self.key is not None:
            self.key += self._scalars()
        if len(self._slices) > 1 and self.key is not None:
            self.key += self._equal_slices()
        if len(set(self.sizes)) < len(self.sizes) and self.key is not None:
            self.key += [self.sizes.index(size) for size in self.sizes]  # which are equal

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
            key.append(~number)  # no signature is below zero
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
            self.scalars.append(node.data)
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
        """Which slices may be equal, and are then computed once: those of one array are."""
        told = all(number is not None for number, _ in self._slices)  # of which array each is
        same: dict[Hashable, int] = {}
        for number, starts in self._slices:
            yield same.setdefault((number if told else None, starts), len(same))

    def _leaf(self, tensor: Tensor, key: list[Hashable]) -> None:
        number = self._seen.get(id(tensor))
        if number is not None:
            key.append(~number)
            return
        self._seen[id(tensor)] = len(self._seen)
        if tensor.format.is_dense:  # of which there are most: nothing is to be found out first
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
        """What rewriting sums asks of scalars: which are equal, and which fills decide a result."""
        same: dict[Hashable, int] = {}
        for value in self.scalars:
            yield same.setdefault((value.dtype, value.tobytes()), len(same))
        for node in self._defined:
            self._made(node, node.definition.args)  # type: ignore[union-attr]
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
    """A number that tensors share which only their values and coordinates tell apart, and places.

    It is 0 for a tensor of one value everywhere, which is an operand of its own. The places are
    what tells which arrays store at the same ones.
    """
    if tensor.is_constant:
        return 0, ()
    fill, counts = tensor.fill.tobytes(), magnitudes_of(tensor)
    parts = tensor.format, tensor.shape, tensor.dtype, fill, counts
    number = room(_signatures).setdefault(parts, next(_fresh))
    found = tensor.memo["signature"] = number, places_of(tensor)
    return found


@dataclass(frozen=True, slots=True)
class _Call:
    """A kernel of some of the tensors so far, and of some of the expression's scalars and sizes."""

    choice: Choice
    tensors: tuple[int, ...]
    scalars: tuple[int, ...]
    sizes: tuple[int, ...]
    extents: tuple[int, ...]
    shape: tuple[int, ...]
    pick: Pick | None  # where it follows from what expressions of the recipe have in common
    counted: bool  # as long as what is stored, which expressions of a recipe have not in common

    @property
    def needs(self) -> tuple[int, ...]:
        """The tensors that it reads."""
        return self.tensors

    def __call__(self, like: Likeness) -> Tensor:
        given = [like.tensors[k] for k in self.tensors]
        scalars = [like.scalars[k] for k in self.scalars]
        sizes = [like.sizes[k] for k in self.sizes]
        extents, shape = (given[0].shape,) * 2 if self.counted else (self.extents, self.shape)
        return self.choice(Operands(given, scalars, sizes, extents, {}), shape, self.pick)


@dataclass(frozen=True, slots=True)
class _Derived:
    """What is remembered of a tensor as long as it lives, such as a copy in another order."""

    derive: Derive
    tensor: int
    detail: Any

    @property
    def needs(self) -> tuple[int, ...]:
        """The tensor that remembers it."""
        return (self.tensor,)

    def __call__(self, like: Likeness) -> Tensor:
        return self.derive(like.tensors[self.tensor], self.detail)


@dataclass(frozen=True, slots=True)
class _Restored:
    """A vector of values at the places of an array."""

    owner: int
    values: int

    @property
    def needs(self) -> tuple[int, ...]:
        """The array and the vector."""
        return self.owner, self.values

    def __call__(self, like: Likeness) -> Tensor:
        return restored(like.tensors[self.owner], like.tensors[self.values])


_Step: TypeAlias = _Call | _Derived | _Restored


@dataclass(frozen=True, slots=True)
class Recipe:
    """Steps from an expression's operands to its value, each of which adds a tensor."""

    steps: tuple[tuple[_Step, tuple[int, ...]], ...]  # each with what it is the last to need
    result: int

    def __call__(self, like: Likeness) -> Tensor:
        """The value of an expression."""
        tensors: list[Any] = like.tensors
        for step, done in self.steps:
            tensors.append(step(like))
            for k in done:
                tensors[k] = None  # whose memory the next step may take
        return tensors[self.result]  # type: ignore[no-any-return]


class _Unknown(Exception):
    """An operand that comes from none of the steps."""


class Trace:
    """The kernels called while an expression is computed, with what each was given."""

    def __init__(self, like: Likeness) -> None:
        self._scalars = {id(value): k for k, value in enumerate(like.scalars)}
        self._sizes = {size: k for k, size in enumerate(like.sizes)}
        self._given = tuple(like.tensors)
        self._tensors = list(like.tensors)
        self._calls: list[tuple[Tensor, Choice, Operands, tuple[int, ...], bool]] = []
        self.counted = False  # while vectors of what is stored are computed
        self._steps: list[_Step] = []
        self.restored: list[tuple[Tensor, Tensor, Tensor]] = []  # results, owners, values

    def add(self, result: Tensor, choice: Choice, given: Operands, shape: tuple[int, ...]) -> None:
        """Note a call."""
        counted = self.counted and bool(given.tensors)
        self._calls.append((result, choice, given, shape, counted))

    @contextmanager
    def counting(self) -> Iterator[None]:
        """Within, calls are of vectors of what is stored."""
        before, self.counted = self.counted, True
        try:
            yield
        finally:
            self.counted = before

    def recipe(self, result: Tensor) -> Recipe | None:
        """How a tensor came about; None where it was not by calls of kernels alone."""
        try:
            place = self._place(result)
        except _Unknown:
            return None
        first = len(self._tensors) - len(self._steps)
        last = {k: number for number, step in enumerate(self._steps) for k in step.needs}
        done = [
            tuple([k for k, number in last.items() if number == one and first <= k != place])
            for one in range(len(self._steps))
        ]
        return Recipe(tuple(zip(self._steps, done, strict=True)), place)

    def _place(self, tensor: Tensor) -> int:
        """Where a tensor is among the operands and what the steps add; steps are added for it."""
        for k, one in enumerate(self._tensors):
            if one is tensor:
                return k
        step = self._derivation(tensor) or self._restoration(tensor) or self._call(tensor)
        self._steps.append(step)
        self._tensors.append(tensor)
        return len(self._tensors) - 1

    def _derivation(self, tensor: Tensor) -> _Derived | None:
        # What a tensor remembers comes first: it is not to be computed again.
        bases = [*self._tensors, *[result for result, *_ in self._calls + self.restored]]
        for base in bases:
            for key, value in base.memo.copy().items():  # to which other threads add
                if value is tensor and isinstance(key, tuple) and key[0] in DERIVED:
                    return _Derived(DERIVED[key[0]], self._place(base), key[1])
        return None

    def _restoration(self, tensor: Tensor) -> _Restored | None:
        for result, owner, values in self.restored:
            if result is tensor:
                return _Restored(self._place(owner), self._place(values))
        return None

    def _is_given(self, tensor: Tensor) -> bool:
        """Whether a tensor is an operand of the expression, or what one remembers."""
        return any(
            tensor is one or any(tensor is value for value in one.memo.copy().values())
            for one in self._given
        )

    def _call(self, tensor: Tensor) -> _Call:
        found = next((one for one in self._calls if one[0] is tensor), None)
        if found is None:
            raise _Unknown
        _, choice, given, shape, counted = found
        if given.prepared:
            raise _Unknown
        try:
            scalars = tuple([self._scalars[id(value)] for value in given.scalars])
            sizes = tuple([self._sizes[n] for n in given.sizes])
        except KeyError:
            raise _Unknown from None
        places = tuple([self._place(one) for one in given.tensors])
        known = all([one.format.is_dense or self._is_given(one) for one in given.tensors])
        pick = choice.pick(given) if known else None
        return _Call(choice, places, scalars, sizes, given.extents, shape, pick, counted)


_recipes: dict[Hashable, Recipe] = {}


def recipe_of(key: Hashable) -> Recipe | None:
    """The recipe of a key, if an expression with it was seen that has one."""
    return _recipes.get(key)


def remember(key: Hashable, recipe: Recipe) -> None:
    """Keep the recipe of a key."""
    room(_recipes)[key] = recipe
