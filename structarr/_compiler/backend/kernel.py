"""A kernel and the choice of its tier."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable, Sequence
from math import inf
from time import perf_counter
from typing import Any, Final, TypeAlias
from weakref import WeakSet

from structarr._compiler.backend import behind, compile_time
from structarr._compiler.backend.native import store
from structarr._compiler.backend.numba.target import NUMBA
from structarr._compiler.backend.params import Param
from structarr._compiler.backend.protocol import Target, TextTarget
from structarr._compiler.backend.python.interpret import Interpreted, Outlived
from structarr._compiler.backend.python.target import PYTHON
from structarr._compiler.backend.user_functions import Function as User, called
from structarr._compiler.ir.kernel import Function, lines_of
from structarr._compiler.ir.ops import has_operators_from_outside
from structarr._compiler.options import current
from structarr._compiler.progress import announced
from structarr._support import events
from structarr._support.caches import room, table
from structarr._support.debug import debug
from structarr._support.locks import lock
from structarr._support.once import once
from structarr._support.uninterrupted import uninterrupted

WAIT: Final = 0.02
"""Seconds that an interpreted call waits at most for what is compiled behind it."""

Functions: TypeAlias = tuple[Function, ...] | Callable[[], tuple[Function, ...]]
"""The functions of a kernel, or what gives them."""

_counts: Counter[str] = Counter()
_kernels: dict[tuple[str, tuple[Param, ...]], Kernel] = table()

# One compilation at a time. A fork has to wait for its end, as Numba has locks of its own, too.
_compiling = lock()

_members = lock()
_alive: WeakSet[Kernel] = WeakSet()  # those of plans that outlive the table, too


def build(functions: Sequence[Function], params: tuple[Param, ...]) -> Kernel:
    """
    Return the kernel of some functions, which the tiers run as their targets build it.

    Parameters
    ----------
    functions : sequence of Function
        The kernel, and after it the functions that it calls.
    params : tuple of Param
        Its parameters in order.

    Returns
    -------
    Kernel
        The same object for the same text and parameters. Nothing is compiled yet.
    """
    return of_text(NUMBA.source(functions), params, tuple(functions))


def of_text(source: str, params: tuple[Param, ...], functions: Functions = ()) -> Kernel:
    """
    Return the kernel of a source text, which a kernel by hand may be as well.

    Parameters
    ----------
    source : str
        The ``def`` of a function that returns nothing, an integer or a tuple, and after it those of
        functions that it calls.
    params : tuple of Param
        Its parameters in order.
    functions : tuple of Function or callable
        What the text was made of, or what gives it; without it, the interpreted tier runs the text
        itself.
    """
    kernel = _kernels.get((source, params))
    if kernel is not None:
        return kernel
    if debug("kernel"):
        print(source, file=sys.stderr)
    return room(_kernels).setdefault((source, params), Kernel(source, params, functions))


def statistics() -> dict[str, int]:
    """Return how many kernels this process compiled and loaded, and its interpreted calls."""
    return {name: _counts[name] for name in ("compiled", "loaded", "interpreted_calls")}


class Timed:
    """A compiled function whose calls observers are told of."""

    def __init__(self, kernel: Kernel, function: Callable[..., Any]) -> None:
        self.kernel = kernel
        self.function = function

    def __call__(self, *args: Any) -> Any:
        start = perf_counter()
        try:
            return self.function(*args)
        finally:
            events.tell("called", self.kernel, perf_counter() - start)


def observe(observer: Callable[[events.Event], object]) -> None:
    """Tell somebody of all calls of kernels, whoever makes them."""
    with _compiling:
        events.observers.append(observer)
        for kernel in _known():
            if kernel.compiled is not None and not isinstance(kernel.compiled, Timed):
                kernel.compiled = Timed(kernel, kernel.compiled)


def ignore(observer: Callable[[events.Event], object]) -> None:
    """Tell somebody no longer."""
    with _compiling:
        events.observers.remove(observer)
        for kernel in () if events.observers else _known():
            if isinstance(kernel.compiled, Timed):
                kernel.compiled = kernel.compiled.function


def _known() -> list[Kernel]:
    with _members:
        return list(_alive)


class Kernel:
    """
    A function that runs interpreted or compiled.

    Attributes
    ----------
    source : str
        The text that is compiled.
    params : tuple of Param
        What it takes.
    compiled : callable or None
        The compiled function, once there is one; a caller in a hurry may call it directly. It
        trusts that every array is one-dimensional, C-contiguous and of the declared dtype.
    """

    def __init__(self, source: str, params: tuple[Param, ...], functions: Functions) -> None:
        self.source = source
        self._functions = functions
        self.params = params
        self.compiled: Callable[..., Any] | None = None
        self._interpreted: Interpreted | None = None
        self._last: tuple[Any, Callable[..., Any]] | None = None  # by a target from outside
        self._spent = 0.0  # seconds of interpreted calls so far
        self._is_outlived = False  # whether one of them took too long
        self._is_awaited = False  # whether it is compiled while calls go on
        self._stored: store.Stored | bool | None = None  # on disk; None before a look
        with _members:
            _alive.add(self)

    @property
    def functions(self) -> tuple[Function, ...]:
        """Its functions; those of a kernel from the disk are read when they are asked for."""
        if callable(self._functions):
            self._functions = self._functions()
        return self._functions

    def __call__(self, args: tuple[Any, ...], work: float) -> Any:
        """
        Run the kernel.

        Parameters
        ----------
        args : tuple
            One-dimensional C-contiguous arrays and scalars, as declared.
        work : float
            An estimate of the number of innermost steps.

        Returns
        -------
        None, int or tuple
            What the text returns.

        Raises
        ------
        Outlived
            If it was interpreted for as long as compiling takes. It may have written to any array;
            the next call compiles.
        """
        options = current()
        if self.compiled is not None and options.compiles:
            return self.compiled(*args)
        if options.target is not None:
            return self._by(options.target)(*args)
        if self._should_compile(work):
            return self.compile()(*args)
        before = self._spent
        result = self.interpret(args)
        self._compile_behind(self._spent - before)
        return result

    def compile(self) -> Callable[..., Any]:
        """Compile the kernel if that has not been done, and return the compiled function."""
        return self.compiled or uninterrupted(self._compile_once)

    def _compile_once(self) -> Callable[..., Any]:
        with _compiling:
            if self.compiled is None:
                compiled = self._compile()
                self.compiled = Timed(self, compiled) if events.observers else compiled
            return self.compiled

    @property
    def may_stop(self) -> bool:
        """Whether a call may be interpreted until that has taken as long as compiling would."""
        options = current()
        is_free = options.tier == "auto" and not options.deterministic
        return self.compiled is None and options.target is None and is_free

    def interpret(self, args: tuple[Any, ...]) -> Any:
        """Run the kernel as plain Python."""
        _counts["interpreted_calls"] += 1
        start = perf_counter()
        left = self._seconds_to_compile if self.may_stop else None
        outcome: events.Kind = "interpreted"
        try:
            return self._as_python().within(left, args)
        except Outlived:
            self._is_outlived = True
            outcome = "stopped"  # the call starts anew, compiled
            raise
        finally:
            seconds = perf_counter() - start
            self._spent += seconds
            if events.observers:
                events.tell(outcome, self, seconds)

    def _by(self, target: Target) -> Callable[..., Any]:
        """The kernel as another target builds it, of which the last is kept."""
        if self._last is None or self._last[0] is not target:
            self._last = target, self._built_by(target)
        return self._last[1]

    def _built_by(self, target: Target) -> Callable[..., Any]:
        if self.functions:
            return target.build(self.functions, self.params)
        if isinstance(target, TextTarget):
            return target.build_text(self.source, self.params)
        return self._as_python()  # a text, of which the target knows nothing

    def _as_python(self) -> Interpreted:
        if self._interpreted is None and self.functions:
            self._interpreted = PYTHON.build(self.functions, self.params)
        elif self._interpreted is None:
            self._interpreted = PYTHON.build_text(self.source, self.params)
        return self._interpreted

    def _should_compile(self, work: float) -> bool:
        """Whether a call waits for machine code, which it does for its own work alone."""
        options = current()
        if options.tier != "auto":
            return bool(options.tier == "compiled")
        if options.deterministic:  # else the bits of sums would depend on what time calls took
            return True
        return self._pays(inf if self._is_outlived else work * compile_time.STEP)

    def _compile_behind(self, seconds: float) -> None:
        """Compile while calls are interpreted, once they have taken as long as would pay for it.

        A call that took some seconds waits as long for what is compiled behind it.
        """
        if self.compiled is not None or not self.may_stop:
            return
        if not self._is_awaited and self._pays(self._spent):
            self._is_awaited = True
            behind.later(self.compile)
        behind.give_way(min(seconds, WAIT))

    def _pays(self, interpreted: float) -> bool:
        """Whether machine code pays for seconds of interpreted calls; for few no disk is read."""
        if interpreted < compile_time.SHARE * compile_time.to_load(False):
            return False
        seconds = self._seconds_to_compile()
        return interpreted > (seconds if self._stored else compile_time.SHARE * seconds)

    def _seconds_to_compile(self) -> float:
        if self._stored is None:
            self._stored = NUMBA.stored(self.source, self.params, self.users)
        if isinstance(self._stored, store.Stored):
            return compile_time.to_load(self._stored.numba)
        if self._stored:
            return compile_time.to_load(True)
        return compile_time.to_compile(self._lines, NUMBA.is_due(self.users))

    @once
    def users(self) -> tuple[User, ...]:
        """The functions of users that it calls."""
        return called(self.functions) if has_operators_from_outside() else ()

    @once
    def _lines(self) -> list[int]:
        """The numbers of lines of its functions."""
        known = [2 + lines_of(one.block) for one in self.functions]
        return known or [self.source.count("\n")]

    def _compile(self) -> Callable[..., Any]:
        start, expected = perf_counter(), self._seconds_to_compile()
        lines = self.source.count("\n")
        with announced(f"compiling a kernel of {lines} lines, about {expected:.0f} s", expected):
            function, loaded = NUMBA.compile(self.source, self.params, self.users)
        outcome: events.Kind = "loaded" if loaded else "compiled"
        _counts[outcome] += 1
        events.tell(outcome, self, perf_counter() - start)
        if debug("build"):
            seconds = perf_counter() - start
            print(f"structarr: {outcome} {lines} lines in {seconds:.3f} s", file=sys.stderr)
        return function
