"""Replay: the kernels of an expression computed before are called for another of the same key.

Planning an expression takes longer than a small kernel runs.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from structarr._execute.expression_key import ExpressionKey
from structarr._execute.program_choice import Choice, Pick
from structarr._execute.steps import Call, Product
from structarr._lazy.graph import Node
from structarr._lazy.rewrite.on_stored_values import restored
from structarr._scheduler.blas import DenseProduct
from structarr._scheduler.operands import Operands
from structarr._scheduler.split_sums import is_thin
from structarr._storage.dense import finite
from structarr._storage.memo import DERIVED, Derive, origin_of
from structarr._storage.tensor import Tensor
from structarr._support.caches import room


@dataclass(frozen=True, slots=True)
class _Call:
    """A kernel of some of the tensors so far, and of some of the expression's scalars and sizes."""

    choice: Choice
    needs: tuple[int, ...]  # the tensors that it reads
    scalars: tuple[int, ...]
    sizes: tuple[int, ...]
    extents: tuple[int, ...]
    shape: tuple[int, ...]
    pick: Pick | None  # None where it depends on more than the key
    counted: bool  # whether lengths are numbers of stored values, which the key does not fix

    def __call__(self, own: ExpressionKey) -> Tensor | None:
        given = [own.tensors[k] for k in self.needs]
        scalars = [own.constants[k].data for k in self.scalars]
        sizes = [own.sizes[k] for k in self.sizes]
        extents, shape = (given[0].shape,) * 2 if self.counted else (self.extents, self.shape)
        operands = Operands(given, scalars, sizes, extents, {})
        pick = self.pick or self.choice.pick(operands)
        return None if pick is None else self.choice(operands, shape, pick)


@dataclass(frozen=True, slots=True)
class _Derived:
    """The derivation of a tensor that another remembers, such as a copy in another order."""

    derive: Derive
    needs: tuple[int]  # the tensor that remembers it
    detail: Any

    def __call__(self, own: ExpressionKey) -> Tensor:
        return self.derive(own.tensors[self.needs[0]], self.detail)


@dataclass(frozen=True, slots=True)
class _Restored:
    """A vector of values at the places of an array."""

    needs: tuple[int, ...]  # the array, and the vector

    def __call__(self, own: ExpressionKey) -> Tensor:
        owner, values = (own.tensors[k] for k in self.needs)
        return restored(owner, values)


@dataclass(frozen=True, slots=True)
class _Multiplied:
    """The product of two dense tensors, by NumPy's BLAS."""

    needs: tuple[int, ...]  # the factors
    product: DenseProduct

    def __call__(self, own: ExpressionKey) -> Tensor:
        self.product.check()
        left, right = (own.tensors[k] for k in self.needs)
        return self.product(left, right)


@dataclass(frozen=True, slots=True)
class _Split:
    """A sum of products in full, with a fill.

    None, which ends the replay, where it is not finite, or where a term may be cancelled.
    """

    needs: tuple[int, ...]  # the sum, and the terms
    fill: Any

    def __call__(self, own: ExpressionKey) -> Tensor | None:
        sums, *terms = (own.tensors[k] for k in self.needs)
        return finite(sums, self.fill) if all(map(is_thin, terms)) else None


_Step: TypeAlias = _Call | _Derived | _Restored | _Multiplied | _Split


@dataclass(frozen=True, slots=True)
class RecordedCalls:
    """Steps from an expression's operands to its value, each of which adds a tensor."""

    steps: tuple[tuple[_Step, tuple[int, ...]], ...]  # with the tensors that no later step needs
    result: int
    lengths: tuple[Node, ...] = ()  # the scalars beside the expression's own

    def __call__(self, own: ExpressionKey) -> Tensor | None:
        """The value of an expression; None where a kernel for its counts would be too large."""
        tensors: list[Any] = own.tensors
        own.constants += self.lengths
        for step, done in self.steps:
            made = step(own)
            if made is None:
                return None
            tensors.append(made)
            for k in done:
                tensors[k] = None  # so that the next step may reuse the memory
        return tensors[self.result]  # type: ignore[no-any-return]


class Record:
    """The steps that the executor ran for an expression, by the numbers of what they read."""

    def __init__(self, key: ExpressionKey) -> None:
        self._numbers = {tensor: k for k, tensor in enumerate(key.tensors)}
        self._settled = {*self._numbers}  # the tensors whose counts the key fixes
        self._given = len(key.tensors)
        self._scalars = {node: k for k, node in enumerate(key.constants)}
        self._lengths: list[Node] = []
        self._sizes = {size: k for k, size in enumerate(key.sizes)}
        self._steps: list[_Step] = []

    def call(self, step: Call, result: Tensor) -> None:
        """Note a call, unless it reads what no step gave."""
        given = step.given
        tensors = self._places(given.tensors)
        scalars = list(map(self._scalar, step.constants))
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
            self._add(_Restored(places), result)

    def product(self, step: Product, result: Tensor) -> None:
        """Note a product of dense arrays, unless one of them came of no step."""
        places = self._places((step.left, step.right))
        if places is not None:
            self._add(_Multiplied(places, step.product), result)

    def split(self, sums: Tensor, sparse: Sequence[Tensor], fill: Any, result: Tensor) -> None:
        """Note a sum of products, unless it or a term came of no step."""
        places = self._places((sums, *sparse))
        if places is not None:
            self._add(_Split(places, fill), result)

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
        steps = tuple(zip(self._steps, done, strict=True))
        return RecordedCalls(steps, place, tuple(self._lengths))

    def _scalar(self, node: Node) -> int | None:
        """The number of a scalar; None of one that the key does not fix."""
        if node.definition is not None and node not in self._scalars:
            self._scalars[node] = len(self._scalars)
            self._lengths.append(node)
        return self._scalars.get(node)

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
        return self._add(_Derived(DERIVED[name], (place,), detail), tensor)

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
