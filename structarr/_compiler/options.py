"""Options that hold in the current context."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from itertools import count
from types import TracebackType
from typing import TYPE_CHECKING, Any, Final, Protocol, TypedDict, Unpack
from weakref import finalize

from structarr._compiler.ir.ruleset import Rule, RuleSet, as_rules
from structarr._support.array_types import FormatName, Tier
from structarr._support.caches import room, table
from structarr._support.debug import debug
from structarr._support.meant import meant
from structarr._support.memory_account import limited_by
from structarr._support.records import record

EAGER: Final[dict[int, bool]] = {}
"""The eager options that anyone holds, by identity: to ask for those that hold takes part of a
call's time, and there is none to take where this is empty."""

CHECKS: list[Callable[[str], object]] = []
"""What raises FormatError for a `default_format` that there is not: formats are known above."""

TIERS = ("auto", "interpreted", "compiled")


@record(slots=True)
class Forced:
    """Choices that tests make in place of the scheduler; `structarr._testing.forcing` sets them.

    Attributes
    ----------
    program : int, optional
        Which of the programs that compute the same is taken, counted from the plainest, and again
        from it beyond the last.
    pieces : int, optional
        In how many pieces calls are made that can be, however short they are.
    witness : callable, optional
        Told of each call of a kernel, when it is done: a `structarr._execute.program_choice.Call`.
    checked : bool, optional
        Whether kernels check the facts that lowering takes as true; else `STRUCTARR_DEBUG` says so.
    """

    program: int | None = None
    pieces: int | None = None
    witness: Callable[[Any], object] | None = None
    checked: bool | None = None


@record(slots=True, weak=True)
class Options:
    """The values of all options at one moment; `options` says what they mean."""

    tier: Any = "auto"
    strict_ieee: bool = False
    densify_limit: int = 2**27
    memory_limit: int | None = None
    threads: int | None = None
    rules: RuleSet | None = None
    default_format: FormatName | None = None
    progress: Callable[[str], object] | bool | None = None
    deterministic: bool = False
    eager: bool = False
    forced: Forced | None = dataclasses.field(default=None, repr=False)  # not an option for users
    target: Any = dataclasses.field(init=False, repr=False)  # that a tier is; None for our own
    compiles: bool = dataclasses.field(init=False, repr=False)  # whether kernels may be compiled
    checked: bool = dataclasses.field(init=False, repr=False)  # whether kernels check facts
    planned: int = dataclasses.field(init=False, repr=False, compare=False)
    """The number of all on which plans depend."""

    def __post_init__(self) -> None:
        ours = isinstance(self.tier, str)
        if ours and self.tier not in TIERS:
            raise ValueError(
                f"there is no tier {self.tier!r}; {meant(self.tier, TIERS)}the tiers are "
                f"{', '.join(TIERS)}"
            )
        if not ours and not callable(getattr(self.tier, "build", None)):
            raise TypeError(
                f"tier must be one of {', '.join(TIERS)}, or a target with a method `build` (see "
                f"structarr.targets), not {self.tier!r}"
            )
        object.__setattr__(self, "target", None if ours else self.tier)
        object.__setattr__(self, "compiles", ours and self.tier != "interpreted")
        for name in ("strict_ieee", "deterministic", "eager"):
            if not isinstance(getattr(self, name), bool):
                raise TypeError(f"{name} must be True or False, not {getattr(self, name)!r}")
        if self.eager:
            EAGER[id(self)] = True
            finalize(self, EAGER.pop, id(self), None).atexit = False
        _check_count("densify_limit", self.densify_limit, least=0)
        for name, least in (("threads", 1), ("memory_limit", 0)):
            if getattr(self, name) is not None:
                _check_count(name, getattr(self, name), least)
        object.__setattr__(self, "rules", as_rules(self.rules))
        if not isinstance(self.default_format, str | None):
            raise TypeError(
                f"default_format must be a format's name or None, not {self.default_format!r}"
            )
        if self.default_format is not None:
            for check in CHECKS:
                check(self.default_format)
        if not (isinstance(self.progress, bool | None) or callable(self.progress)):
            raise TypeError(f"progress must be a bool, callable or None, not {self.progress!r}")
        forced = None if self.forced is None else (self.forced.program,)
        told = None if self.forced is None else self.forced.checked
        object.__setattr__(self, "checked", debug("facts") if told is None else told)
        planned = self.strict_ieee, self.rules, self.checked, forced, self.deterministic
        object.__setattr__(self, "planned", _number_of(planned))

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any:
            # Of `_UNTOLD` alone: a context that asks for the first time keeps what holds for good
            # at that moment, so that no computation sees options change.
            if name not in _FIELDS:
                raise AttributeError(name)
            return getattr(settled(), name)


def _check_count(name: str, value: object, least: int) -> None:
    if not isinstance(value, int) or isinstance(value, bool):
        raise TypeError(f"{name} must be an integer, not {value!r}")
    if value < least:
        raise ValueError(f"{name} must be at least {least}, not {value}")


def _number_of(planned: Hashable) -> int:
    return room(_numbers).setdefault(planned, next(_fresh))


_numbers: dict[Hashable, int] = table()
_fresh = count(1)
_FIELDS = frozenset(field.name for field in dataclasses.fields(Options))
_NAMES = tuple(field.name for field in dataclasses.fields(Options) if field.repr)
_UNTOLD = Options.__new__(Options)
_current: ContextVar[Options] = ContextVar("structarr_options", default=_UNTOLD)
_lasting = [Options()]  # those that hold for good: in every context that has not asked yet
_current.set(_lasting[0])

# The bound method, as every operation asks for the options and a wrapper would cost a call.
current: Callable[[], Options] = _current.get
limited_by(lambda: current().memory_limit)


def settled() -> Options:
    """The options of the current context, as an object that no other context can take for its own.

    `current` may return one that stands for the options of whichever context asks it.
    """
    if _current.get() is _UNTOLD:
        _current.set(_lasting[0])
    return _current.get()


class Building(Protocol):
    """A target of kernels: see `structarr.targets.Target`."""

    @property
    def build(self) -> Callable[..., Any]:
        """The method that makes a kernel callable."""


class Changes(TypedDict, total=False):
    """The options that may be changed, with the types of their values."""

    tier: Tier | Building
    strict_ieee: bool
    densify_limit: int
    threads: int | None
    rules: RuleSet | Rule | Iterable[RuleSet | Rule] | None
    default_format: FormatName | None
    progress: Callable[[str], object] | bool | None
    deterministic: bool
    eager: bool
    memory_limit: int | None


class _Read(type):
    """The class of `options`, which tells those that hold."""

    @property
    def current(cls) -> Options:
        """The options that hold in the current context."""
        return dataclasses.replace(current())


def set_options(**changes: Unpack[Changes]) -> None:
    """
    Change options for good, in this context and in threads that begin later.

    Threads that have begun to compute keep the options that they have, so that nothing changes
    within a computation.

    Parameters
    ----------
    **changes
        As `options` takes them.

    Raises
    ------
    TypeError
        If there is no option of that name, or a value is of the wrong type.
    ValueError
        If a value is out of range, or names what there is not.

    See Also
    --------
    options : Changes for a block.

    Examples
    --------
    >>> import structarr as sa
    >>> sa.set_options(densify_limit=2**30)
    >>> sa.options.current.densify_limit == 2**30
    True
    >>> sa.set_options(densify_limit=2**27)
    """
    _check_names(changes)
    given: dict[str, Any] = {**changes}
    made = dataclasses.replace(_lasting[0], **given)
    _current.set(dataclasses.replace(current(), **given))
    _lasting[0] = made


def _check_names(changes: Mapping[str, Any]) -> None:
    for name in changes:
        if name not in _NAMES:
            raise TypeError(
                f"there is no option {name!r}; {meant(name, _NAMES)}the options are "
                f"{', '.join(_NAMES)}"
            )


class options(metaclass=_Read):
    """
    Options of computations, changed for a ``with`` block or from the call on.

    Used as a context manager, the options that held before the call come back at the end of the
    block. Options belong to the current context (`contextvars`):
    tasks and threads do not disturb each other, the library's own threads have the options of the
    call, and a thread of yours starts from those that `set_options` set.

    ``options.current`` tells those that hold.

    Parameters
    ----------
    tier : {"auto", "interpreted", "compiled"} or target
        How kernels run: as plain Python, compiled, or whichever takes less time in sum; or by a
        target of your own (`structarr.targets`).
    strict_ieee : bool
        Whether structural zeros obey IEEE 754 to the letter, so that ``0 * inf`` is NaN.
    densify_limit : int
        The size in bytes up to which an operation may make a dense array that nobody asked for.
    memory_limit : int or None
        The most bytes that results, temporaries and what waits in pools may take together in this
        process, but for blocks below 128 KiB and what NumPy takes while it sorts or factors; None
        stands for no limit. Pools are emptied before `MemoryLimitError` is raised.
    threads : int or None
        How many threads a call that takes long may use; the result is the same for any number of
        them. None stands for all processors that the process may use, by its affinity, its control
        group and `OMP_NUM_THREADS`, or fewer if threadpoolctl limits the threads of libraries; and
        for one in any thread but the main one, and in processes of pools (of multiprocessing,
        joblib or Dask), as the others compute there at the same time.
    rules : RuleSet, rule, iterable of them, or None
        Rewrite rules that are applied before the package's own; see `structarr.rules`.
    default_format : str or None
        The name of the format in which `asarray` stores dense data, and in which the functions
        that create arrays store theirs, unless they are told another; "auto" is one. Arrays with
        a number of axes that it is not for are stored as without the option.
    progress : bool, callable or None
        Whether a line tells of compilations and calls of kernels that take more than a second, on
        the standard error; None stands for where that is a terminal or a notebook. A function is
        called with the text instead, before a compilation and as pieces of a call are done.
    deterministic : bool
        Whether the bits of a result depend on its operands alone. Else what earlier calls showed
        to be estimated badly may change the order in which products are multiplied, what earlier
        expressions used twice is computed alone, and the time that calls took decides when a kernel
        is compiled, which adds up floats in another order.
        With it, the tier "auto" compiles every kernel before it runs.
    eager : bool
        Whether each operation is computed at the call, so that errors come and time passes there.
        Nothing is fused then, and what is between operations takes memory. Views stay lazy, as do
        functions under `jit` while they are traced.

    Raises
    ------
    TypeError
        If there is no option of that name, or a value is of the wrong type.
    ValueError
        If a value is out of range, or names what there is not.

    See Also
    --------
    set_options : Changes for good.

    Examples
    --------
    >>> from structarr._compiler.options import current, options
    >>> with options(threads=4) as inside:
    ...     inside.threads
    4
    >>> current().threads is None, options.current.tier
    (True, 'auto')
    """

    def __init__(self, **changes: Unpack[Changes]) -> None:
        _check_names(changes)
        self._changes: dict[str, Any] = {**changes}
        self._before: Options | None = None
        self._apply()

    def _apply(self) -> None:
        before = current()
        _current.set(dataclasses.replace(before, **self._changes))
        self._before = before

    def __enter__(self) -> Options:
        # None after the block has ended, as the object may be entered again.
        if self._before is None:
            self._apply()
        return current()

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        # Without the token, as a generator may end its block in another context.
        if self._before is not None:
            _current.set(self._before)
            self._before = None

    def __repr__(self) -> str:
        changes = ", ".join(f"{name}={value!r}" for name, value in self._changes.items())
        return f"options({changes})"


@contextmanager
def force(forced: Forced) -> Iterator[None]:
    """Decide in the place of the scheduler, for a block."""
    before = current().forced
    _current.set(dataclasses.replace(current(), forced=forced))
    try:
        yield
    finally:
        _current.set(dataclasses.replace(current(), forced=before))
