"""Traces of a function, each for arguments of one structure."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from enum import Enum
from typing import Any, Final, NamedTuple

import numpy as np

from structarr._api.core.operands import borrow
from structarr._api.jit.calls import Call
from structarr._api.jit.captured import GONE, Captured
from structarr._api.jit.containers import LEAF, Tree, built, flattened, rebuilding
from structarr._api.jit.numbers import FixedError, Prelude, Traced
from structarr._api.jit.states import SCALARS
from structarr._api.jit.tracing import Fact, Tracing, is_shared
from structarr._array import Array, of_tensor, store, stored
from structarr._execute.replay_table import Replay
from structarr._execute.trace import Coordinates, Trace
from structarr._storage.memo import OWN, owning
from structarr._storage.tensor import Tensor
from structarr.errors import DensificationError, TraceError

RETURNED: Final = (Array, np.ndarray, np.generic, np.dtype, type, range, slice, Enum)
"""Types of what a function may return beside numbers and texts."""


class Told(NamedTuple):
    """The place of a number among what the replay takes of the numbers."""

    place: int


class Entry(NamedTuple):
    """
    An entry of the table of traces: from a call's arguments to its results.

    Attributes
    ----------
    captured : Captured
        What the function reads from around it.
    replay : Replay or None
        From the values of the arrays among the arguments to the results'; None where the function
        is called each time.
    outputs : Outputs
        What it returns.
    facts : tuple
        What holds of the arrays among the arguments beside the key.
    prelude : Prelude or None
        What the replay computes of the numbers first.
    why : str
        Why there is no replay.
    quick : callable or None
        From the replay's results to what the function returns, if these are all and own memory.
    """

    captured: Captured
    replay: Replay | None
    outputs: Outputs
    facts: tuple[Fact | Coordinates, ...]
    prelude: Prelude | None
    why: str
    quick: Callable[[Any], Any] | None = None

    def told(self, given: Sequence[Tensor], numbers: Mapping[int, Any]) -> Sequence[Any] | None:
        """The scalars that a replay takes of a call's numbers; None where another trace fits."""
        try:
            if not self.captured.holds():
                return None
            for fact in self.facts:
                if not fact.hold(given):
                    return None
            return () if self.prelude is None else self.prelude(numbers, given)
        # Names that are gone, and what arithmetic raises: the function itself shall raise it.
        except (*GONE, ArithmeticError):
            return None

    def results(self, given: Sequence[Tensor], numbers: Mapping[int, Any]) -> tuple[Any] | None:
        """The outputs of a call of any lengths, in a tuple; None where the trace does not fit."""
        told = self.told(given, numbers)
        if told is None or self.replay is None:
            return None
        try:
            values = self.replay((*given, *told))
        except DensificationError:  # at other lengths it did fit; the planner says what would fit
            return None
        if values is None:
            return None
        several = values if isinstance(values, tuple) else (values,)
        if self.quick is not None and all([OWN in one.memo for one in several]):
            return (self.quick(values),)
        return (self.outputs.of(several, given, told),)

    def result(self, call: Call, told: Sequence[Any]) -> Any:
        """The outputs of a call that the trace fits."""
        values = None if self.replay is None else self.replay((*call.given, *told))
        if values is None:
            return computed(call)
        several = values if isinstance(values, tuple) else (values,)
        return self.outputs.of(several, call.given, told)


class Outputs(NamedTuple):
    """The outputs of a function: a container of results and of constants of the trace."""

    tree: Tree
    leaves: tuple[Any, ...]  # of a result its place, in a list
    shared: tuple[tuple[int, ...], ...]  # for each result, the arguments whose memory it may have

    def of(self, values: Sequence[Tensor], given: Sequence[Tensor], told: Sequence[Any]) -> Any:
        """The outputs of a call."""
        arrays = [
            _apart(value, [given[place] for place in places])
            for value, places in zip(values, self.shared, strict=True)
        ]
        return built(self.tree, [_fresh(one, arrays, told) for one in self.leaves])

    def quick(self) -> Callable[[Any], Any] | None:
        """The outputs of the replay's results, where all are arrays of their own."""
        if any(self.shared) or not all(type(one) is list for one in self.leaves):
            return None
        if [one[0] for one in self.leaves] != [*range(len(self.shared))]:
            return None
        build = rebuilding(self.tree)
        if len(self.shared) == 1:
            if self.tree is LEAF:
                return of_tensor
            return lambda value: build([of_tensor(value)])
        return lambda values: build([of_tensor(value) for value in values])


class Found(NamedTuple):
    """A trace, and what came of the call that was traced.

    Attributes
    ----------
    entry : Entry
        The trace.
    result
        What the call returns.
    values : list of Tensor
        The results among that.
    fixed : frozenset of int
        The numbers among the arguments that the trace is one value for, by place.
    trace : Trace
        Its steps.
    """

    entry: Entry
    result: Any
    values: list[Tensor]
    fixed: frozenset[int]
    trace: Trace


def traced(function: Callable[..., Any], call: Call, fixed: frozenset[int] = frozenset()) -> Found:
    """The trace of a call of a function, where `fixed` are numbers whose values it needs."""
    while True:
        captured = Captured(function, call.objects)
        if captured.opaque:
            return _untraced(captured, call)
        if captured.asks_types:
            fixed = frozenset(call.numbers)
        varying = {k: one for k, one in call.numbers.items() if k not in fixed}
        tracing = Tracing(call.given, call.written, captured.tensors, varying)
        try:
            entry, result, values = _traced(function, call, captured, tracing)
        except FixedError as error:
            fixed |= error.sources
        except Exception:
            if not varying:
                raise
            fixed |= varying.keys()  # what differs from a number of Python may have raised it
        else:
            if not (tracing.trace.is_masked and tracing.numbers.claimed):
                return Found(entry, result, values, fixed, tracing.trace)
            fixed |= varying.keys()


def opened(function: Callable[..., Any], call: Call) -> tuple[Entry, Any] | None:
    """The trace of a call that serves arrays of any lengths, and what the call returns.

    None where a trace depends on lengths, or on the value of a number.
    """
    captured = Captured(function, call.objects)
    if captured.opaque or captured.asks_types or not captured.is_length_free:
        return None
    tracing = Tracing(call.given, call.written, captured.tensors, call.numbers, opened=True)
    try:
        entry, result, _ = _traced(function, call, captured, tracing)
    except (FixedError, Exception):  # whoever calls the function is told of what is refused
        return None
    masked = tracing.trace.is_masked and tracing.numbers.claimed
    return None if masked or entry.replay is None else (entry, result)


def _untraced(captured: Captured, call: Call) -> Found:
    """The entry of a function that is not traced, but called each time."""
    why = f"nobody can tell whether {captured.opaque} changes"
    entry = Entry(captured, None, Outputs(LEAF, (), ()), (), None, why)
    return Found(entry, computed(call), [], frozenset(), Trace((), ()))


def _traced(
    function: Callable[..., Any], call: Call, captured: Captured, tracing: Tracing
) -> tuple[Entry, Any, list[Tensor]]:
    leaves: list[Any] = []
    tree = flattened(
        tracing.run(lambda: call.run(tracing.arguments(), tracing.numbers.arguments)), leaves
    )
    _check_leaves(leaves)
    captured.refuse_changes(function)
    captured.watch(tracing.seen)
    arrays: list[Array] = []
    kept = tuple([_kept(one, tracing, arrays) for one in leaves])
    values = tracing.values(arrays)
    replay: Replay | None
    if tracing.opened:
        shared = (tuple(range(len(tracing.given))),) * len(values)  # at other lengths another may
        replay = tracing.trace.general(values) if values else _nothing
        quick = Outputs(tree, kept, ((),) * len(values)).quick()  # for those of their own
    else:
        shared = tuple([tuple(is_shared(one, tracing.given)) for one in values])
        replay = tracing.trace.replay(values) if values else _nothing
        quick = Outputs(tree, kept, shared).quick()
    outputs = Outputs(tree, kept, shared)
    why = "" if replay else "some step is not one that a replay repeats"
    prelude = tracing.numbers.prelude()
    told = () if prelude is None else prelude(call.numbers, call.given)
    alike = tracing.trace.coordinates()
    facts: tuple[Fact | Coordinates, ...] = tuple(tracing.facts)
    facts += () if alike is None else (alike,)
    entry = Entry(captured, replay, outputs, facts, prelude, why, quick)
    return entry, outputs.of(values, call.given, told or ()), values


def once(function: Callable[..., Any], call: Call, captured: Captured) -> Any:
    """The outputs of a call that is watched as one that is traced, and leaves no trace."""
    if captured.opaque:
        return computed(call)
    tracing = Tracing(call.given, call.written, captured.tensors, {})
    leaves: list[Any] = []
    tree = flattened(tracing.run(lambda: call.run(tracing.arguments())), leaves)
    _check_leaves(leaves)
    captured.refuse_changes(function)
    arrays: list[Array] = []
    kept = tuple([_kept(one, tracing, arrays) for one in leaves])
    store(arrays)
    values = [stored(one) for one in arrays]
    shared = tuple([tuple(is_shared(one, tracing.given)) for one in values])
    return Outputs(tree, kept, shared).of(values, call.given, ())


def computed(call: Call) -> Any:
    """The computed outputs of an untraced call."""
    leaves: list[Any] = []
    arrays = [
        borrow(of_tensor(one)) if written else of_tensor(one)
        for one, written in zip(call.given, call.written, strict=True)
    ]
    tree = flattened(call.run(arrays), leaves)
    found = [_apart(stored(one), call.given) if isinstance(one, Array) else one for one in leaves]
    _check_leaves(leaves)
    return built(tree, found)


def _check_leaves(leaves: Sequence[Any]) -> None:
    """Raise TraceError for what may hold an array that is another at each call."""
    for one in leaves:
        plain = type(one) is Traced or type(one) in SCALARS or isinstance(one, RETURNED)
        if not plain or (isinstance(one, np.ndarray) and one.dtype.hasobject):
            raise TraceError(
                f"a function under structarr.jit returned {type(one).__name__}; return arrays, "
                "numbers, and tuples, lists, dictionaries and dataclasses of them"
            )


def _apart(value: Tensor, given: Sequence[Tensor]) -> Array:
    """The array of a result, of whose memory nobody else has any."""
    for one in () if OWN in value.memo else given:
        value = owning(value, one)
    return of_tensor(value)


def _kept(leaf: Any, tracing: Tracing, arrays: list[Array]) -> Any:
    """The record of a leaf of the outputs; results are appended to a list."""
    if type(leaf) is Traced:
        return Told(tracing.numbers.tell(leaf.name))
    if isinstance(leaf, Array) and tracing.watches(leaf):
        known = [place for place, one in enumerate(arrays) if one is leaf]
        if not known:
            arrays.append(leaf)
        return known or [len(arrays) - 1]
    return (leaf,)


def _fresh(kept: Any, arrays: Sequence[Array], told: Sequence[Any]) -> Any:
    """A leaf of the outputs, which nothing else refers to if it can be changed."""
    if type(kept) is list:
        return arrays[kept[0]]
    if type(kept) is Told:
        return told[kept.place]
    (value,) = kept
    if isinstance(value, Array | np.ndarray):
        return value.copy()
    return value


def _nothing(given: Any) -> tuple[Tensor, ...]:
    return ()
