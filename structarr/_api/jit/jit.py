"""`jit`: functions of arrays whose calls are replayed without building expressions."""

from __future__ import annotations

import functools
from collections.abc import Callable, Hashable, Iterable, Sequence
from types import MethodType
from typing import Any, Final, overload
from weakref import WeakSet

import numpy as np

from structarr._api.jit.calls import Call
from structarr._api.jit.entries import Entry, traced
from structarr._array import WATCHER, Array, stored
from structarr._compiler.options import current
from structarr._lazy import structure
from structarr._storage.dense import from_dense
from structarr._support.caches import clears, room

MOST = 256  # the most keys of a function, whose traces keep what they read
VARIANTS = 8  # the most traces of one key, which differ by what they read around the arguments


_made: Final[WeakSet[Jit]] = WeakSet()


@clears
def _forget() -> None:
    for one in list(_made):
        one.forget()


class Jit:
    """A function of arrays that is traced once for each structure of its arguments."""

    def __init__(self, function: Callable[..., Any], static_argnames: frozenset[str]) -> None:
        functools.update_wrapper(self, function)
        _made.add(self)
        self._function = function
        self._static = static_argnames
        self._table: dict[Hashable, list[Entry]] = {}
        self._fixed: dict[Hashable, frozenset[int]] = {}
        self._quick: dict[Hashable, tuple[Entry, Callable[[Any], Any]]] = {}

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        if kwargs or WATCHER.get() is not None:
            return self._called(args, kwargs)
        options = current()
        key: list[Any] = [
            options.planned,
            options.densify_limit,
            options.default_format,
            options.forced,
        ]
        given = []
        for arg in args:
            kind = type(arg)
            if kind is Array and arg._tensor is not None:
                tensor = arg._tensor
                key.append(structure.of_tensor(tensor))
            elif kind is np.ndarray and arg.ndim:
                tensor = from_dense(arg)
                key.append(-structure.of_tensor(tensor))
            else:
                return self._called(args, kwargs)
            given.append(tensor)
        found = self._quick.get(tuple(key))
        if found is not None:
            entry, build = found
            if entry.replay is not None and entry.fits(given):
                values = entry.replay(tuple(given))
                if values is not None:
                    return build(values)
        return self._called(args, kwargs)

    def _called(self, args: Sequence[Any], kwargs: dict[str, Any]) -> Any:
        """The result of a call with any arguments."""
        if WATCHER.get() is not None:  # within another trace, which this becomes part of
            return self._function(*args, **kwargs)
        call = Call(self._function, self._static, args, kwargs)
        options = _options()
        fixed = self._fixed.get((options, call.key), frozenset())
        entries = self._table.get((options, call.fixed_key(fixed)), [])
        for entry in entries:
            told = entry.told(call)
            if told is not None:
                self._keep_quick(options, entry, args, kwargs)
                return entry.result(call, told)
        entry, result, fixed = traced(self._function, call, fixed)
        room(self._fixed, MOST)[options, call.key] = fixed
        others = entries if len(entries) < VARIANTS else []
        room(self._table, MOST)[options, call.fixed_key(fixed)] = [*others, entry]
        self._keep_quick(options, entry, args, kwargs)
        return result

    def _keep_quick(
        self, options: tuple[Hashable, ...], entry: Entry, args: Sequence[Any], named: Any
    ) -> None:
        """Remember a trace by the numbers of arguments that are arrays alone."""
        build = entry.outputs.quick()
        if named or self._static or build is None or entry.replay is None:
            return
        key: list[Hashable] = [*options]
        for arg in args:
            kind = type(arg)
            if kind is Array:
                key.append(structure.of_tensor(stored(arg)))
            elif kind is np.ndarray and arg.ndim:
                key.append(-structure.of_tensor(from_dense(arg)))
            else:
                return
        if structure.NONE not in key[len(options) :]:
            room(self._quick, MOST)[tuple(key)] = entry, build

    def forget(self) -> None:
        """Forget all traces."""
        for kept in (self._table, self._fixed, self._quick):
            kept.clear()

    def __get__(self, instance: Any, owner: Any = None) -> Any:
        return self if instance is None else MethodType(self, instance)


def _options() -> tuple[Hashable, ...]:
    """The options that a trace depends on."""
    options = current()
    return options.planned, options.densify_limit, options.default_format, options.forced


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
