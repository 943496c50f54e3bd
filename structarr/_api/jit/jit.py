"""`jit`: functions of arrays whose calls are replayed without building expressions."""

from __future__ import annotations

import functools
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from types import MethodType
from typing import Any, Final, overload
from weakref import WeakSet, ref

import numpy as np

from structarr._api.jit.arguments import dense_operand, general_key
from structarr._api.jit.calls import Call
from structarr._api.jit.captured import Captured
from structarr._api.jit.entries import Entry, once, opened, traced
from structarr._api.jit.numbers import VARYING
from structarr._array import WATCHER, Array, stored
from structarr._compiler.options import Options, current, settled
from structarr._explain.traces import TraceExplanation, explain_trace
from structarr._lazy import structure
from structarr._storage.mapped_files import FILES
from structarr._storage.tensor import Tensor
from structarr._support.by_value import Defined
from structarr._support.caches import clears, room

MOST = 256  # the most keys of a function, whose traces keep what they read
FEW = 8  # calls of one structure that are not traced, where others differ in lengths alone
OFTEN = 32  # calls of one structure by a trace that serves any lengths
VARIANTS = 8  # the most traces of one key, which differ by what they read around the arguments


_made: Final[WeakSet[Jit]] = WeakSet()


@clears
def _forget() -> None:
    for one in list(_made):
        one.forget()


def _none() -> None:
    """The options of a function that nobody called."""


class Jit(Defined):
    """A function of arrays that is traced once for each structure of its arguments."""

    def __init__(self, function: Callable[..., Any], static_argnames: frozenset[str]) -> None:
        functools.update_wrapper(self, function)
        _made.add(self)
        self._function = function
        self._static = static_argnames
        self._table: dict[Hashable, list[Entry]] = {}
        self._fixed: dict[Hashable, frozenset[int]] = {}
        self._seen: dict[Hashable, int] = {}  # keys of general structures, and calls of a key
        # Traces that serve any lengths; None where there can be none.
        self._any_length: dict[Hashable, list[Entry] | None] = {}
        self._uses: dict[Hashable, int] = {}  # calls of a key by traces that serve any lengths
        # For some options, the last traces of arguments that are arrays and numbers alone. Options
        # that nobody else holds end, so that eager ones do not slow down what comes after them.
        self._quick: tuple[Callable[[], Options | None], dict[Hashable, Any]] = (_none, {})

        # What the last call without a trace read from around it: to read bytecode takes longer.
        self._captured: Captured | None = None

    def _parts(self) -> tuple[Callable[..., Any], *tuple[Any, ...]]:
        """What makes an equal function, without its traces."""
        return Jit, self._function, self._static

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        own, traces = self._quick
        if current() is not own() or WATCHER.get() is not None or FILES:
            return self._called(args, kwargs)
        values = (*args, *kwargs.values()) if kwargs else args
        given: list[Any] = []
        key: list[Any] = [*kwargs]
        numbers: dict[int, Any] = {}
        for arg in values:
            kind = type(arg)
            if kind is Array:
                tensor = arg._tensor
                if tensor is None:
                    return self._called(args, kwargs)
                number = tensor.memo.get("number")
                key.append(structure.of_tensor(tensor) if number is None else number)
                given.append(tensor)
            elif kind is np.ndarray:
                tensor, number = dense_operand(arg)
                key.append(number)
                given.append(tensor)
            elif kind in VARYING:
                numbers[len(key) - len(kwargs)] = arg
                key.append(kind)
            else:
                return self._called(args, kwargs)
        entry = traces.get(tuple(key))
        if len({*given}) < len(given):
            return self._called(args, kwargs)
        if entry is not None:
            told = entry.told(given, numbers)
            if told is not None:
                found = entry.replay((*given, *told))
                if found is not None:
                    return entry.quick(found)
            return self._called(args, kwargs)
        entry = traces.get(general_key(key, given))
        if entry is None:
            return self._called(args, kwargs)
        uses = self._uses.get(tuple(key), 0) + 1
        if uses > OFTEN:  # its own trace is some microseconds quicker
            return self._called(args, kwargs, alone=True)
        room(self._uses, MOST, light=True)[tuple(key)] = uses
        results = entry.results(given, numbers)
        return self._called(args, kwargs) if results is None else results[0]

    def _called(self, args: Sequence[Any], kwargs: dict[str, Any], alone: bool = False) -> Any:
        """The result of a call with any arguments; it is traced if it is to be traced `alone`."""
        if WATCHER.get() is not None:  # within another trace, which this becomes part of
            return self._function(*args, **kwargs)
        call = Call(self._function, self._static, args, kwargs)
        asked = settled()
        options = asked.planned, asked.densify_limit, asked.default_format, asked.forced
        fixed = self._fixed.get((options, call.key), frozenset())
        entries = self._table.get((options, call.fixed_key(fixed)), [])
        for entry in entries:
            told = entry.told(call.given, call.numbers)
            if told is not None:
                if not fixed:
                    self._keep_quick(asked, entry, args, kwargs)
                return entry.result(call, told)
        if not entries and not alone and self._is_one_of_many(call, options):
            found = self._opened(call, options, asked, args, kwargs)
            if found is not None:
                return found[0]
            captured = self._captured
            if captured is None or not captured.serves(call.objects):
                captured = self._captured = Captured(self._function, call.objects)
            return once(self._function, call, captured)
        made = traced(self._function, call, fixed)
        room(self._fixed, MOST)[options, call.key] = made.fixed
        others = entries if len(entries) < VARIANTS else []
        room(self._table, MOST)[options, call.fixed_key(made.fixed)] = [*others, made.entry]
        if not made.fixed:
            self._keep_quick(asked, made.entry, args, kwargs)
        return made.result

    def _is_one_of_many(self, call: Call, options: Hashable) -> bool:
        """Whether calls that differ in lengths alone were traced, and few were like this one.

        A trace takes several times as long as the call of the function.
        """
        general = call.general_key
        if general is None:
            return False
        if (options, general) not in self._seen:
            room(self._seen, MOST, light=True)[options, general] = 0
            return False
        times = self._seen.get((options, call.key), 0) + 1
        room(self._seen, MOST, light=True)[options, call.key] = times
        return times <= FEW

    def _opened(
        self,
        call: Call,
        options: Hashable,
        asked: Options,
        args: Sequence[Any],
        kwargs: Mapping[str, Any],
    ) -> tuple[Any] | None:
        """The result of a call, in a tuple, if it can be traced for arrays of any lengths."""
        known = self._quick_key(args, kwargs)
        key = None if known is None else general_key(known, call.given)
        if key is None:
            return None
        entries = self._any_length.get((options, key), [])
        if entries is None:  # it cannot be
            return None
        for entry in entries:
            found = entry.results(call.given, call.numbers)
            if found is not None:
                self._remember(asked, key, entry)
                return found
        made = opened(self._function, call) if len(entries) < VARIANTS else None
        if made is None:
            room(self._any_length, MOST)[options, key] = entries or None
            return None
        entry, result = made
        room(self._any_length, MOST)[options, key] = [*entries, entry]
        self._remember(asked, key, entry)
        return (result,)

    def _keep_quick(
        self, options: Options, entry: Entry, args: Sequence[Any], kwargs: Mapping[str, Any]
    ) -> None:
        """Remember a trace for arguments that are arrays and numbers alone."""
        if entry.quick is not None and entry.replay is not None:
            key = self._quick_key(args, kwargs)
            if key is not None:
                self._remember(options, tuple(key), entry)

    def _remember(self, options: Options, key: Hashable, entry: Entry) -> None:
        own, traces = self._quick
        kept = traces if own() is options else {}
        room(kept, MOST)[key] = entry
        self._quick = ref(options), kept

    def _quick_key(self, args: Sequence[Any], kwargs: Mapping[str, Any]) -> list[Any] | None:
        """The key of arguments that are arrays and numbers alone; None of others."""
        if self._static:
            return None
        key: list[Any] = [*kwargs]
        seen: set[Tensor] = set()
        for arg in (*args, *kwargs.values()):
            kind = type(arg)
            if kind is Array:
                if arg._tensor is None:  # it is taken apart
                    return None
                tensor = stored(arg)
                if tensor in seen:
                    return None
                seen.add(tensor)
                key.append(structure.of_tensor(tensor))
            elif kind is np.ndarray and arg.ndim:
                key.append(dense_operand(arg)[1])
            elif kind in VARYING:
                key.append(kind)
            else:
                return None
        return None if structure.NONE in key else key

    def explain(self, *args: Any, **kwargs: Any) -> TraceExplanation:
        """
        Explain what a call runs: the steps of its replay, and each kernel.

        The function is traced for that, and its kernels run.

        Parameters
        ----------
        *args, **kwargs
            What the function would be called with.

        Returns
        -------
        TraceExplanation
            With `replay`, the lines that run; `stages`, the explanation of each kernel; `cin` and
            `kernel`, their programs and sources; and `why`, the reason if there is no replay.
            ``str()`` reads well.

        Examples
        --------
        >>> import numpy as np
        >>> import structarr as sa
        >>> double = sa.jit(lambda x: x + x * 2.5)
        >>> print(double.explain(np.ones(3)).cin)
        for i in [0, i_n): C[i] = A[i] + (A[i] * scalar0)
        """
        found = traced(self._function, Call(self._function, self._static, args, kwargs))
        return explain_trace(found.trace.written(found.values), found.entry.why)

    def forget(self) -> None:
        """Forget all traces."""
        self._quick = (_none, {})
        self._captured = None
        self._table.clear()
        self._fixed.clear()
        self._seen.clear()
        self._any_length.clear()
        self._uses.clear()

    def __get__(self, instance: Any, owner: Any = None) -> Any:
        return self if instance is None else MethodType(self, instance)


@overload
def jit(function: Callable[..., Any], /) -> Jit: ...
@overload
def jit(*, static_argnames: str | Iterable[str] = ...) -> Callable[[Callable[..., Any]], Jit]: ...


def jit(
    function: Callable[..., Any] | None = None, /, *, static_argnames: str | Iterable[str] = ()
) -> Any:
    """
    Trace a function of arrays once for each structure of its arguments, and replay it from then on.

    A replay builds no expressions: it checks the arguments and what the function reads from around
    it, and calls the kernels.

    Parameters
    ----------
    function : callable
        From arrays to arrays; without it, a decorator is returned.
    static_argnames : str or iterable of str
        The parameters whose arguments are the same for all calls of a trace; they can be hashed.

    Returns
    -------
    callable
        Takes the same arguments and returns arrays that are computed.

    Raises
    ------
    TraceError
        If the function does what no replay can repeat: it branches on a value, writes to an
        argument or to a variable around it, draws random numbers.

    See Also
    --------
    kernel : Programs of loops.
    compute : Several arrays at once.

    Examples
    --------
    >>> import numpy as np
    >>> import structarr as sa
    >>> @sa.jit
    ... def mean(x):
    ...     return x.sum() / x.shape[0]
    >>> float(mean(np.array([1.0, 2.0]))), float(mean(np.array([1.0, 2.0, 6.0])))
    (1.5, 3.0)
    """
    names = (static_argnames,) if isinstance(static_argnames, str) else tuple(static_argnames)
    if function is None:
        return lambda one: Jit(one, frozenset(names))
    return Jit(function, frozenset(names))
