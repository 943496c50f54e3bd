"""The watcher of a function that is traced."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from copy import deepcopy
from types import FrameType
from typing import Any, Final, NamedTuple

import numpy as np

from structarr._api.jit.numbers import LENGTHS, Numbers
from structarr._api.jit.refusals import is_library, refused
from structarr._array import WATCHER, Array, of_tensor, stored
from structarr._execute.trace import Trace, leaves_of
from structarr._lazy import graph
from structarr._scheduler.hoist import is_cheap_number
from structarr._storage.tensor import Tensor
from structarr._value import FACTS, USED
from structarr.errors import TraceError

COUNTS: Final = ("nstored", "nnz", "nbytes")
"""The facts that the structure of an argument leaves open."""


class Fact(NamedTuple):
    """A fact that a trace read of an argument."""

    place: int
    name: str
    value: Any

    def hold(self, given: Sequence[Tensor]) -> bool:
        """Whether it is so of other arguments."""
        return bool(FACTS[self.name](given[self.place]) == self.value)


class Tracing:
    """
    The arguments of one trace, and what is asked of them.

    Parameters
    ----------
    given : sequence of Tensor
        The values of the arguments that are arrays.
    written : sequence of bool
        Which of them the caller may write to by other means.
    fixed : sequence of Tensor
        The values of arrays that the function reads from around it.
    varying : mapping of int to number
        The arguments that are numbers and may be others at each replay, by place.
    opened : bool
        Whether the lengths of the arrays may be others, too.
    """

    def __init__(
        self,
        given: Sequence[Tensor],
        written: Sequence[bool],
        fixed: Sequence[Tensor],
        varying: Mapping[int, Any],
        opened: bool = False,
    ) -> None:
        self.given = [_own(one) for one in given]  # tensors that no one else has
        self.opened = opened
        self.trace = Trace(self.given, fixed, bool(varying) or opened)
        self.numbers = Numbers(varying, self.trace)
        self.facts: list[Fact] = []
        self.seen: set[Tensor] = set()  # fixed ones whose values were looked at
        self._refused: TraceError | None = None
        self._places = {one: place for place, one in enumerate(self.given)}
        self._written = {one for one, flag in zip(self.given, written, strict=True) if flag}

    def arguments(self) -> list[Array]:
        """The arrays that stand for the arguments."""
        return [Array(graph.leaf(one)) for one in self.given]

    def run(self, function: Callable[[], Any]) -> Any:
        """Call a function while it is watched."""
        token = WATCHER.set(self)
        try:
            found = function()
        finally:
            WATCHER.reset(token)
        if self._refused is not None:  # and the function went on
            raise self._refused
        self.numbers.settle()
        return found

    def watches(self, array: Array) -> bool:
        """Whether an array depends on the arguments; told of each that is looked at."""
        if self.trace.depends(array._node):
            return True
        self.seen |= leaves_of(array._node)
        return False

    def told(self, array: Array, fact: str) -> Any:
        """The answer to a question about an array that depends on the arguments."""
        tensor = self._argument(array)
        if fact == "memory" and tensor not in self._written:
            return None
        if fact == "fill":  # which follows from structure and from numbers
            return self.numbers.fix(self.numbers.claimed) if self.numbers.claimed else None
        if tensor is None or fact not in FACTS:
            self._refused = refused(fact)
            raise self._refused
        value = FACTS[fact](tensor)
        if fact in COUNTS:
            self.facts.append(Fact(self._places[tensor], fact, value))
        return value

    def lengths(self, array: Array, frame: FrameType) -> tuple[Any, ...]:
        """The lengths of an array's axes, as a frame reads them."""
        shape = array._node.shape
        if not self._tells(array, frame):
            return shape
        return tuple([self._length(n) for n in shape])

    def read(self, array: Array, frame: FrameType) -> None:
        """Note that a frame reads them as they are."""
        if self._tells(array, frame):
            self.numbers.fix(frozenset({LENGTHS}))

    def _tells(self, array: Array, frame: FrameType) -> bool:
        """Whether a length may be another at a replay, and it is not the library that asks."""
        return self.opened and not is_library(frame) and self.trace.depends(array._node)

    def _length(self, n: int) -> Any:
        """A length, which is that of an argument's axis; 0 and 1 are the same at each replay."""
        if n < 2:
            return n
        for place, one in enumerate(self.given):
            if n in one.shape:
                return self.numbers.length(n, place, one.shape.index(n))
        return self.numbers.fix(frozenset({LENGTHS}))

    def settle(self, array: Array) -> None:
        """Compute an array as a step of its own, or the sums that a cheap number is made of."""
        if is_cheap_number(array._node):
            array._node = self.trace.of_sums(array._node)
            array._cost %= USED
            return
        (tensor,) = self.values([array])
        self.trace.hold(array._node, tensor)
        array._node, array._cost = graph.leaf(tensor), 0
        array._product, array._plain = None, not array._borrowed

    def applied(self, function: Callable[[list[Any]], Array], args: Sequence[Any]) -> Array:
        """The array of a function that looks at the values of its arguments, as a step."""
        places = [
            place for place, one in enumerate(args) if isinstance(one, Array) and self.watches(one)
        ]
        kept = np.ndarray, dict, list
        fixed = [deepcopy(one) if isinstance(one, kept) else one for one in args]

        def compute(*tensors: Tensor) -> Tensor:
            given = [*fixed]
            for place, one in zip(places, tensors, strict=True):
                given[place] = of_tensor(one)
            return stored(function(given))

        nodes = [args[place]._node for place in places]
        return Array(graph.leaf(self._apart(self.trace.applied, compute, nodes)))

    def values(self, arrays: Sequence[Array]) -> list[Tensor]:
        """The values of arrays that depend on the arguments."""
        found: list[Tensor] = self._apart(self.trace.values, [array._node for array in arrays])
        return found

    @staticmethod
    def _apart(compute: Callable[..., Any], *args: Any) -> Any:
        """The result of a function that is called while nothing is watched."""
        token = WATCHER.set(None)
        try:
            return compute(*args)
        finally:
            WATCHER.reset(token)

    def _argument(self, array: Array) -> Tensor | None:
        node = array._node
        if node.definition is None and node.kind == "leaf" and node.data in self._places:
            return node.data  # type: ignore[no-any-return]
        return None


def is_shared(result: Tensor, given: Sequence[Tensor]) -> list[int]:
    """The arguments whose memory a result has, by place."""
    values = result.buffers[-1:]
    return [
        place
        for place, one in enumerate(given)
        if any(map(np.may_share_memory, values, one.buffers[-1:]))
    ]


def _own(tensor: Tensor) -> Tensor:
    """A tensor with the buffers of another, which nothing else refers to."""
    return Tensor(tensor.format, tensor.shape, tensor.dtype, tensor.fill, tensor.buffers)
