"""Profiles: which kernels ran within a block, how often and for how long."""

from __future__ import annotations

from time import perf_counter
from types import TracebackType
from typing import NamedTuple

from structarr._compiler.backend.kernel import Kernel, ignore, observe
from structarr._compiler.ir.show import show
from structarr._explain.candidates import duration
from structarr._explain.report import head_of
from structarr._support.events import Event


class KernelProfile(NamedTuple):
    """
    The calls and times of one kernel within a profile.

    Attributes
    ----------
    program : str
        The heart of its program in concrete index notation, or of its source if the program was
        made before, or is kept on disk.
    calls : int
        How often it ran; a call in pieces counts each piece.
    seconds : float
        How long all calls took together, on all threads.
    interpreted : int
        How many of the calls ran as plain Python.
    lowered, compiled, loaded : float
        Seconds for making its source, for compiling it, and for loading it from the disk.
    source : str
        The text of the kernel.
    """

    program: str
    calls: int
    seconds: float
    interpreted: int
    lowered: float
    compiled: float
    loaded: float
    source: str


class Conversion(NamedTuple):
    """A conversion of a stored array: to what, how many times, and how long all took together."""

    what: str
    times: int
    seconds: float


class profile:
    """
    Tell which kernels run within a block, how often and for how long, and what is done besides.

    All threads are watched, whoever starts them. Profiles may be nested. A call of a kernel takes
    about a microsecond longer within.

    Attributes
    ----------
    seconds : float
        From the beginning of the block to its end, or until now.
    kernels : tuple of KernelProfile
        The kernels, those that took longest first.
    conversions : tuple of Conversion
        The conversions to other formats and orders of axes; their kernels are among the others.

    See Also
    --------
    explain : The plan and the kernel of one expression.

    Examples
    --------
    >>> import numpy as np
    >>> import structarr as sa
    >>> a = sa.asarray(np.eye(3), format="csr")
    >>> with sa.options(tier="interpreted"), sa.profile() as p:
    ...     for _ in range(3):
    ...         y = (a @ np.ones(3)).compute()
    >>> [(one.calls, one.interpreted) for one in p.kernels]
    [(3, 3)]
    >>> print(p)
    3 calls of 1 kernel, ...
    """

    def __init__(self) -> None:
        self._events: list[Event] = []
        self._start: float | None = None
        self._stop: float | None = None

    def __enter__(self) -> profile:
        self._events, self._stop = [], None
        self._start = perf_counter()
        observe(self._note)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        ignore(self._note)
        self._stop = perf_counter()

    def _note(self, event: Event) -> None:
        self._events.append(event)

    @property
    def seconds(self) -> float:
        """From the beginning of the block to its end, or until now."""
        if self._start is None:
            return 0.0
        return (perf_counter() if self._stop is None else self._stop) - self._start

    @property
    def kernels(self) -> tuple[KernelProfile, ...]:
        """The kernels, those that took longest first."""
        events, programs = [*self._events], dict[Kernel, str]()
        by_kernel: dict[Kernel, list[tuple[str, float]]] = {}
        for kind, what, seconds in events:
            if kind == "lowered":
                kernel, stmt = what
                programs[kernel] = head_of(show(stmt)).rpartition(": ")[2]
                by_kernel.setdefault(kernel, []).append((kind, seconds))
            elif kind != "converted":
                by_kernel.setdefault(what, []).append((kind, seconds))
        found = [
            _profiled(kernel, programs.get(kernel) or _heart(kernel.source), told)
            for kernel, told in by_kernel.items()
        ]
        return tuple(sorted(found, key=_whole, reverse=True))

    @property
    def conversions(self) -> tuple[Conversion, ...]:
        """The conversions to other formats and orders of axes."""
        found: dict[str, list[float]] = {}
        for kind, what, seconds in [*self._events]:
            if kind == "converted":
                found.setdefault(what, []).append(seconds)
        return tuple(Conversion(what, len(each), sum(each)) for what, each in found.items())

    def __str__(self) -> str:
        kernels, conversions = self.kernels, self.conversions
        calls = sum(one.calls for one in kernels)
        spent = sum(one.seconds for one in kernels)
        many = "kernel" if len(kernels) == 1 else "kernels"
        said = f"{calls} calls of {len(kernels)} {many}, {duration(spent)}"
        lines = [f"{said} in {duration(self.seconds)}"]
        if kernels:
            head = "calls", "running", "interpreted", "lowering", "compiling", "loading", ""
            lines += map(_row, [head, *map(_cells, kernels)])
        for what, times, seconds in conversions:
            lines.append(f"converted {what}: {times} times, {duration(seconds)}")
        return "\n".join(lines)

    def __repr__(self) -> str:
        return f"<profile: {self}>"


def _profiled(kernel: Kernel, program: str, told: list[tuple[str, float]]) -> KernelProfile:
    took = {kind: sum(s for k, s in told if k == kind) for kind, _ in told}
    interpreted = sum(kind == "interpreted" for kind, _ in told)
    calls = interpreted + sum(kind == "called" for kind, _ in told)
    seconds = sum(took.get(kind, 0.0) for kind in ("interpreted", "stopped", "called"))
    lowered, compiled, loaded = (took.get(k, 0.0) for k in ("lowered", "compiled", "loaded"))
    found = (program, calls, seconds, interpreted, lowered, compiled, loaded)
    return KernelProfile(*found, kernel.source)


def _heart(source: str) -> str:
    """The last of the innermost lines of a kernel that assign something."""
    lines = [line for line in source.splitlines() if " = " in line or " += " in line]
    deepest = max((len(line) - len(line.lstrip()) for line in lines), default=0)
    inner = [line for line in lines if len(line) - len(line.lstrip()) == deepest]
    return inner[-1].strip() if inner else "a kernel"


def _whole(one: KernelProfile) -> float:
    return one.seconds + one.lowered + one.compiled + one.loaded


def _cells(one: KernelProfile) -> tuple[str, ...]:
    times = [duration(s) if s else "" for s in (one.lowered, one.compiled, one.loaded)]
    interpreted = str(one.interpreted) if one.interpreted else ""
    return str(one.calls), duration(one.seconds), interpreted, *times, one.program


def _row(cells: tuple[str, ...]) -> str:
    calls, running, interpreted, *times, program = cells
    text = " ".join([f"{calls:>6} {running:>8} {interpreted:>11}", *(f"{t:>9}" for t in times)])
    return f"{text}  {program}".rstrip()
