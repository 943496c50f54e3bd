"""Traces of a function, each for arguments of one structure."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from structarr._api.jit.calls import Call
from structarr._api.jit.captured import Captured, is_held
from structarr._api.jit.containers import Tree, built, flattened, rebuilding
from structarr._api.jit.tracing import Fact, Tracing, is_shared
from structarr._array import Array, of_tensor, stored
from structarr._execute.replay import Replay
from structarr._storage.memo import owning
from structarr._storage.tensor import Tensor


class Entry:
    """
    How the results of a call follow from its arguments.

    Attributes
    ----------
    replay : Replay or None
        From the values of the arrays among the arguments to the results'; None where the function
        is called each time.
    why : str
        Why it is.
    """

    def __init__(
        self,
        captured: Captured,
        replay: Replay | None,
        outputs: Outputs,
        facts: Sequence[Fact] = (),
        why: str = "",
    ) -> None:
        self.captured, self.replay, self.outputs, self.why = captured, replay, outputs, why
        self._facts = tuple(facts)

    def fits(self, given: Sequence[Tensor]) -> bool:
        """Whether the trace is that of a call with some arrays."""
        return is_held(self.captured) and all([fact.holds(given) for fact in self._facts])

    def result(self, call: Call) -> Any:
        """What a call returns that the trace fits."""
        values = None if self.replay is None else self.replay(tuple(call.given))
        if values is None:
            return computed(call)
        several = values if isinstance(values, tuple) else (values,)
        return self.outputs.of(several, call.given)


class Outputs(NamedTuple):
    """What a function returns: a container of results, and of what is the same for all calls."""

    tree: Tree
    leaves: tuple[Any, ...]  # of a result its place, in a list
    shared: tuple[tuple[int, ...], ...]  # for each result, the arguments whose memory it may have

    def of(self, values: Sequence[Tensor], given: Sequence[Tensor]) -> Any:
        """The outputs of a call."""
        arrays = [
            _apart(value, [given[place] for place in places])
            for value, places in zip(values, self.shared, strict=True)
        ]
        return built(self.tree, [_fresh(one, arrays) for one in self.leaves])

    def quick(self) -> Callable[[Any], Any] | None:
        """The outputs of the replay's results, where all are arrays of their own."""
        if any(self.shared) or not all(type(one) is list for one in self.leaves):
            return None
        if [one[0] for one in self.leaves] != [*range(len(self.shared))]:
            return None
        build = rebuilding(self.tree)
        if len(self.shared) == 1:
            return lambda value: build([of_tensor(value)])
        return lambda values: build([of_tensor(value) for value in values])


def traced(function: Callable[..., Any], call: Call) -> tuple[Entry, Any]:
    """The trace of a call of a function, and what it returns."""
    captured = Captured(function)
    tracing = Tracing(call.given, call.written, captured.tensors)
    leaves: list[Any] = []
    tree = flattened(tracing.run(lambda: call.run(tracing.arguments())), leaves)
    captured.refuse_changes(function)
    captured.watch(tracing.seen)
    arrays: list[Array] = []
    kept = [_kept(one, tracing, arrays) for one in leaves]
    values = tracing.values(arrays)
    shared = tuple([tuple(is_shared(one, tracing.given)) for one in values])
    outputs = Outputs(tree, tuple(kept), shared)
    replay = tracing.trace.replay(values) if values else _nothing
    why = "" if replay else "some step is not one that a replay repeats"
    if captured.opaque:
        replay, why = None, f"nobody can tell whether {captured.opaque} changes"
    return Entry(captured, replay, outputs, tracing.facts, why), outputs.of(values, call.given)


def computed(call: Call) -> Any:
    """What a call returns without a trace, computed."""
    leaves: list[Any] = []
    tree = flattened(call.run([of_tensor(one) for one in call.given]), leaves)
    found = [
        _apart(stored(one), call.given) if isinstance(one, Array) else one for one in leaves
    ]
    return built(tree, found)


def _apart(value: Tensor, given: Sequence[Tensor]) -> Array:
    """The array of a result, of whose memory nobody else has any."""
    for one in given:
        value = owning(value, one)
    return of_tensor(value)


def _kept(leaf: Any, tracing: Tracing, arrays: list[Array]) -> Any:
    """What is kept of a leaf of the outputs; results are appended to a list."""
    if isinstance(leaf, Array) and tracing.watches(leaf):
        known = [place for place, one in enumerate(arrays) if one is leaf]
        if not known:
            arrays.append(leaf)
        return known or [len(arrays) - 1]
    return (leaf,)


def _fresh(kept: Any, arrays: Sequence[Array]) -> Any:
    """A leaf of the outputs, which nothing else refers to if it can be changed."""
    if type(kept) is list:
        return arrays[kept[0]]
    (value,) = kept
    if isinstance(value, Array | np.ndarray):
        return value.copy()
    return value


def _nothing(given: Any) -> tuple[Tensor, ...]:
    return ()
