"""The interpreted tier: a kernel's text as plain Python."""

from __future__ import annotations

import ast
import hashlib
import linecache
from collections.abc import Callable, Iterator, Mapping
from itertools import chain, repeat
from math import inf
from operator import index
from time import perf_counter
from types import CodeType, MappingProxyType
from typing import Any, Final, Self
from weakref import finalize

import numpy as np

from structarr._compiler.backend.params import Param
from structarr._compiler.backend.python.substitutes import SUBSTITUTES
from structarr._compiler.runtime import HELPERS
from structarr._compiler.runtime._constructors import CONSTRUCTORS
from structarr._compiler.runtime._mark import u

_WORD = (1 << 64) - 1


def _wrapping(make: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """A constructor of integers that takes places, which are Python's, as the compiled one does."""
    zero, one = make(0), make(1)

    def convert(value: Any) -> Any:
        kind = type(value)
        if kind is np.bool_ or kind is bool:  # NumPy's way from truth takes ten times as long
            return one if value else zero
        if kind is int:
            try:
                return make(value)
            except OverflowError:
                return make(np.uint64(value & _WORD))
        return make(value)

    return convert


NAMESPACE: dict[str, Any] = {
    "np": np,
    "u": u,
    **CONSTRUCTORS,
    **{
        name: _wrapping(make) for name, make in CONSTRUCTORS.items() if issubclass(make, np.integer)
    },
    **HELPERS,
    **SUBSTITUTES,
}


OFTEN: Final = 256
"""The turns of loops after which an interpreted call looks at the clock."""


class Outlived(Exception):
    """An interpreted call took as long as it was allowed to: the kernel had better be compiled."""


class _Clock:
    """Turns of loops, until a call has taken so many seconds, which a call of a few never asks."""

    def __init__(self, seconds: Callable[[], float]) -> None:
        self._seconds = seconds
        self._start = perf_counter()
        self._end: float | None = None  # for the first turns there is none, and none is asked

    def __iter__(self) -> Self:
        return self

    def __next__(self) -> Iterator[None]:
        if self._end is None:
            self._end = inf
        elif self._end == inf:
            self._end = self._start + self._seconds()
        if perf_counter() > self._end:
            raise Outlived
        return repeat(None, OFTEN)


class Interpreted:
    """
    A kernel as plain Python.

    Integer buffers come as memoryviews, whose reads take half the time of an array's.

    Parameters
    ----------
    source : str
        Its text.
    params : tuple of Param
        What it takes.
    known : mapping
        What else its text refers to.
    takes_turns : bool
        Whether its first parameter is an iterator that each turn of each loop advances.
    tree : ast.Module, optional
        What is run in the place of the text, which tracebacks show.
    """

    __slots__ = ("__weakref__", "_converters", "_function", "_source", "_takes_turns")

    def __init__(
        self,
        source: str,
        params: tuple[Param, ...],
        known: Mapping[str, Any] = MappingProxyType({}),
        takes_turns: bool = False,
        tree: ast.Module | None = None,
    ) -> None:
        self._source = source
        self._takes_turns = takes_turns
        self._converters = [_converter(param) for param in params]
        code = _compile(source if tree is None else tree, source)
        self._function = _define(code, known)
        finalize(self, linecache.cache.pop, code.co_filename, None).atexit = False

    def __call__(self, *args: Any) -> Any:
        """Run the kernel, silently where NumPy's scalars would warn of overflow or division."""
        return self.within(None, args)

    def within(self, seconds: Callable[[], float] | None, args: tuple[Any, ...]) -> Any:
        """
        Run the kernel, for as many seconds at most.

        Raises
        ------
        Outlived
            If it takes longer. It may have written to any array.
        """
        given = [convert(arg) for convert, arg in zip(self._converters, args, strict=True)]
        if self._takes_turns:
            given.insert(0, repeat(None) if seconds is None else _turns(seconds))
        # NumPy keeps this state in a context variable, so no other thread sees it.
        with np.errstate(all="ignore"):
            return self._function(*given)


def _turns(seconds: Callable[[], float]) -> Iterator[None]:
    """The counter that loops advance; it raises `Outlived` after so many seconds."""
    return chain.from_iterable(_Clock(seconds))


def _converter(param: Param) -> Callable[[Any], Any]:
    if param.array:
        return memoryview if param.counts else _unchanged
    if param.counts:
        return index  # sizes and positions: Python's own integers are the fastest
    scalar: Callable[[Any], Any] = np.dtype(param.dtype).type
    return scalar


def _unchanged(array: Any) -> Any:
    return array


def _compile(text: str | ast.Module, source: str) -> CodeType:
    """The code of a text, under the name of the kernel's own."""
    filename = f"<structarr kernel {hashlib.sha256(source.encode()).hexdigest()[:12]}>"
    # No modification time: `linecache.checkcache` then keeps the entry, and tracebacks show it.
    linecache.cache[filename] = (len(source), None, source.splitlines(keepends=True), filename)
    return compile(text, filename, "exec")


def _define(code: CodeType, known: Mapping[str, Any]) -> Callable[..., Any]:
    """Execute the text and return its first function, which may call the others."""
    defined: dict[str, Any] = {}
    scope = {**NAMESPACE, **known}
    exec(code, scope, defined)
    scope.update(defined)
    return next(iter(defined.values()))  # type: ignore[no-any-return]
