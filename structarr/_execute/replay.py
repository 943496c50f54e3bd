"""Expressions like one that was computed before: its kernels are called again, in its order.

To find out by which kernels an expression is computed takes longer than a small kernel runs. What
is found depends on the graph, on the operands' formats, lengths and magnitudes, on what the
compiler knows of scalars, and on the options, but on no value, so it holds for every expression in
which those agree: they have one key.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass
from itertools import count
from typing import Any, TypeAlias

from structarr._compiler.options import current
from structarr._execute.program_choice import Choice, Pick, magnitudes_of
from structarr._execute.steps import Call
from structarr._lazy.graph import Node, dtype_name
from structarr._lazy.rewrite.on_stored_values import places_of, restored
from structarr._scheduler.array_expression import known_of
from structarr._scheduler.operands import Operands
from structarr._scheduler.push_masks import annihilates
from structarr._storage.memo import DERIVED, Derive, origin_of
from structarr._storage.tensor import Tensor
from structarr._support.caches import room
from structarr._support.dtypes import zero

SIZED = ("join", "pad", "slide")
"""The kinds of nodes with lengths and places of their own, which seldom come again."""

_signatures: dict[Hashable, int] = {}
_fresh = count(1)


class ExpressionKey:
    """The key of an expression, which those of one recording share, and its own operands."""

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
        self.constants: list[Node] = []  # whose values are the scalars
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
        if node.sums and self.constants and self.key is not None:
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
        for value in [node.data for node in self.constants]:
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
    pick: Pick | None  # where it follows from what expressions of the key have in common
    counted: bool  # as long as what is stored, which expressions of a key have not in common

    @property
    def needs(self) -> tuple[int, ...]:
        """The tensors that it reads."""
        return self.tensors

    def __call__(self, own: ExpressionKey) -> Tensor | None:
        given = [own.tensors[k] for k in self.tensors]
        scalars = [own.constants[k].data for k in self.scalars]
        sizes = [own.sizes[k] for k in self.sizes]
        extents, shape = (given[0].shape,) * 2 if self.counted else (self.extents, self.shape)
        operands = Operands(given, scalars, sizes, extents, {})
        pick = self.pick or self.choice.pick(operands)
        return None if pick is None else self.choice(operands, shape, pick)


@dataclass(frozen=True, slots=True)
class _Derived:
    """A tensor that another remembers as long as it lives, such as a copy in another order."""

    derive: Derive
    tensor: int
    detail: Any

    @property
    def needs(self) -> tuple[int, ...]:
        """The tensor that remembers it."""
        return (self.tensor,)

    def __call__(self, own: ExpressionKey) -> Tensor:
        return self.derive(own.tensors[self.tensor], self.detail)


@dataclass(frozen=True, slots=True)
class _Restored:
    """A vector of values at the places of an array."""

    owner: int
    values: int

    @property
    def needs(self) -> tuple[int, ...]:
        """The array and the vector."""
        return self.owner, self.values

    def __call__(self, own: ExpressionKey) -> Tensor:
        return restored(own.tensors[self.owner], own.tensors[self.values])


_Step: TypeAlias = _Call | _Derived | _Restored


@dataclass(frozen=True, slots=True)
class RecordedCalls:
    """Steps from an expression's operands to its value, each of which adds a tensor."""

    steps: tuple[tuple[_Step, tuple[int, ...]], ...]  # each with what it is the last to need
    result: int

    def __call__(self, own: ExpressionKey) -> Tensor | None:
        """The value of an expression; None where a kernel for its counts would be too large."""
        tensors: list[Any] = own.tensors
        for step, done in self.steps:
            made = step(own)
            if made is None:
                return None
            tensors.append(made)
            for k in done:
                tensors[k] = None  # whose memory the next step may take
        return tensors[self.result]  # type: ignore[no-any-return]


class Record:
    """The steps that the executor ran for an expression, by the numbers of what they read."""

    def __init__(self, key: ExpressionKey) -> None:
        self._numbers = {tensor: k for k, tensor in enumerate(key.tensors)}
        self._settled = {*self._numbers}  # whose counts expressions of the key have in common
        self._given = len(key.tensors)
        self._scalars = {node: k for k, node in enumerate(key.constants)}
        self._sizes = {size: k for k, size in enumerate(key.sizes)}
        self._steps: list[_Step] = []

    def call(self, step: Call, result: Tensor) -> None:
        """Note a call, unless it reads what no step gave."""
        given = step.given
        tensors = self._places(given.tensors)
        scalars = [self._scalars.get(node) for node in step.constants]
        sizes = [self._sizes.get(size) for size in given.sizes]
        if tensors is None or None in scalars or None in sizes or given.prepared:
            return
        known = all([one.format.is_dense or one in self._settled for one in given.tensors])
        pick, counted = step.pick if known else None, step.counted and bool(tensors)
        numbers: tuple[Any, Any] = tuple(scalars), tuple(sizes)
        again = _Call(step.choice, tensors, *numbers, given.extents, step.shape, pick, counted)
        self._add(again, result)

    def restored(self, owner: Tensor, values: Tensor, result: Tensor) -> None:
        """Note that a vector became an array, unless one of them came of no step."""
        places = self._places((owner, values))
        if places is not None:
            self._add(_Restored(*places), result)

    def calls(self, result: Tensor) -> RecordedCalls | None:
        """How a tensor came about; None where that took more than what was noted."""
        place = self._number(result)
        if place is None:
            return None
        last = {k: number for number, step in enumerate(self._steps) for k in step.needs}
        first = self._given
        done = [
            tuple([k for k, number in last.items() if number == one and first <= k != place])
            for one in range(len(self._steps))
        ]
        return RecordedCalls(tuple(zip(self._steps, done, strict=True)), place)

    def _places(self, tensors: Sequence[Tensor]) -> tuple[int, ...] | None:
        found = [self._number(tensor) for tensor in tensors]
        return None if None in found else tuple(found)  # type: ignore[arg-type]

    def _number(self, tensor: Tensor) -> int | None:
        """The number of a tensor, for which a step is added if it was derived of one that has."""
        number = self._numbers.get(tensor)
        origin = origin_of(tensor) if number is None else None
        if origin is None:
            return number
        base, name, detail = origin
        place = self._number(base)
        if place is None:
            return None
        if place < self._given:
            self._settled.add(tensor)
        return self._add(_Derived(DERIVED[name], place, detail), tensor)

    def _add(self, step: _Step, result: Tensor) -> int:
        number = self._numbers[result] = self._given + len(self._steps)
        self._steps.append(step)
        return number


_recorded: dict[Hashable, RecordedCalls] = {}


def recorded(key: Hashable) -> RecordedCalls | None:
    """The calls of a key, if an expression with it was seen that has some."""
    return _recorded.get(key)


def remember(key: Hashable, calls: RecordedCalls) -> None:
    """Keep the calls of a key."""
    room(_recorded)[key] = calls
