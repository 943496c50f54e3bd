"""One run of a loop's kernel: its arguments, room for results, and what it gives."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from math import prod
from typing import Any, Final

import numpy as np

from structarr._compiler.backend.python.interpret import Outlived
from structarr._language.runs.kinds import Kind, Rows, Scalar
from structarr._language.runs.loop_kernel import LoopKernel
from structarr._storage.tensor import Tensor
from structarr._support.buffer_pool import copied, empty
from structarr.errors import ProgramError
from structarr.formats import Dense, Element, Format, Level, SparseRunList
from structarr.formats.entries import Array

STEPS: Final = 8
"""Steps for each run and element that a loop meets, as far as choosing the tier needs them."""
SPARE: Final = 2
"""Runs of a result that there is room for at first, for each run that is read, beside one for each
row; pages of memory that nothing is written to are not taken."""
MORE: Final = 16
"""How many times as many there is room for at most where there was too little."""
LEAST: Final = 64
"""The least number of runs that there is room for."""
TYPES: Final = {"int": int, "float": float, "bool": bool}
"""The types of numbers that a loop gives."""


@cache
def runs_format(ndim: int, index: str) -> Format:
    """The format in which the last of some axes is stored as runs."""
    level: Level = SparseRunList(Element())
    for _ in range(ndim - 1):
        level = Dense(level)
    return Format(level, tuple(range(ndim)), index)


@dataclass
class LoopCall:
    """A kernel, what the names of its loop stand for, and their values."""

    kernel: LoopKernel
    kinds: Mapping[str, Kind]
    values: Mapping[str, Any]
    shapes: Mapping[str, tuple[int, ...]]

    def run(self) -> dict[str, Any]:
        """The values of names after the loop: numbers, results, and None for what is in place."""
        self._check_apart()
        self._check_signs()
        plan, kernel = self.kernel.plan, self.kernel.kernel
        kept = plan.written if kernel.may_stop else plan.saved
        saved = {name: self.values[name].copy() for name in kept}
        read = sum([len(self.values[name].buffers[-1]) for name in plan.read])
        rooms = {name: max(LEAST, SPARE * read + self._rows(name)) for name in plan.results}
        work = STEPS * (read + self._work())
        while True:
            begun = {name: self._begun(name, room) for name, room in rooms.items()}
            try:
                return self._after(kernel(self._arguments(begun), work), begun)
            except IndexError as problem:
                self._make_room(problem, rooms, begun)
            except Outlived:
                pass  # the next call is compiled
            for name, before in saved.items():
                self.values[name][...] = before

    def _after(self, returned: Any, begun: Mapping[str, Sequence[Any]]) -> dict[str, Any]:
        found: dict[str, Any] = dict.fromkeys(self.kinds)
        for name, value in zip(self.kernel.returned, returned or (), strict=True):
            kind = self.kinds[name]
            assert isinstance(kind, Scalar)
            found[name] = TYPES[kind.kind](value)
        for name, parts in begun.items():
            found[name] = self._result(name, parts)
        return found

    # ------------------------------------------------------------------ arguments

    def _arguments(self, begun: Mapping[str, Sequence[Any]]) -> tuple[Any, ...]:
        """What the kernel's parameters stand for, in the order of names."""
        args: list[Any] = []
        for name, kind in self.kinds.items():
            value = begun[name] if name in begun else self.values[name]
            args += kind.arguments(value, self.shapes.get(name, ()))
        return tuple(args)

    def _rows(self, name: str) -> int:
        """How many rows an array has."""
        return prod(self.shapes[name][:-1])

    def _begun(self, name: str, size: int) -> Sequence[Any]:
        """The buffers of a result before the loop, how far it is, and its fill value."""
        kind = self.kinds[name]
        assert isinstance(kind, Rows)
        return (
            np.zeros(self._rows(name) + 1, kind.positions),
            empty(size, np.dtype(kind.positions)),
            empty(size, np.dtype(kind.positions)),
            empty(size, np.dtype(kind.dtype)),
            np.zeros(2, np.int64),
            np.dtype(kind.dtype).type(self.values[name]),
        )

    def _result(self, name: str, begun: Sequence[Any]) -> Tensor:
        kind = self.kinds[name]
        assert isinstance(kind, Rows)
        ptr, *parts, at, fill = begun
        count = int(at[0])
        stored = runs_format(kind.ndim, kind.positions)
        buffers: tuple[Array, ...] = (ptr, *[trimmed(one, count) for one in parts])
        return Tensor(stored, self.shapes[name], np.dtype(kind.dtype), fill, buffers)

    # --------------------------------------------------------------------- checks

    def _make_room(
        self, problem: IndexError, rooms: dict[str, int], begun: Mapping[str, Sequence[Any]]
    ) -> None:
        """Make more of the room that was too small; raise what else a kernel stopped for.

        It is as much as all rows take if those to come have as many runs, twice as much at least.
        """
        number, _, _ = problem.args
        what = self.kernel.sites[number].what
        if not what.startswith("room "):
            raise stopped(self.kernel, problem) from None
        name = what.removeprefix("room ")
        most = int(np.iinfo(self.kinds[name].positions).max)  # type: ignore[union-attr]
        if 2 * rooms[name] > most:
            raise OverflowError(f"{name} has more runs than its positions can count")
        done = int(begun[name][4][1]) + 1
        rooms[name] = min(rooms[name] * max(2, min(-(-self._rows(name) // done), MORE)), most)

    def _check_apart(self) -> None:
        """Refuse arrays that share memory, where one is written."""
        for one, other in self.kernel.plan.apart:
            if np.may_share_memory(self.values[one], self.values[other]):
                raise ProgramError(f"{one} and {other} share memory, and the loop writes there")

    def _check_signs(self) -> None:
        """Refuse numbers that no integer with a sign holds."""
        for name in self.kernel.plan.unsigned:
            value = self.values[name]
            held = value.buffers[-1] if isinstance(value, Tensor) else np.asarray(value)
            if held.size and held.max() >= 1 << 63:
                raise OverflowError(f"{name} has numbers of 2**63 and more")

    def _work(self) -> int:
        """How many rows and elements there are."""
        plan, values = self.kernel.plan, self.values
        rows: int = sum([len(values[name].buffers[0]) for name in plan.read])
        elements: int = sum([values[name].size for name in plan.states])
        return rows + elements


def stopped(kernel: LoopKernel, problem: IndexError) -> Exception:
    """What to raise where a kernel has stopped, but for too little room."""
    number, index, length = problem.args
    site = kernel.sites[number]
    error = site.source.error(_message(site.what, index, length), site.node)
    return _told(site.what, index, length)(str(error))


def trimmed(buffer: Array, count: int) -> Array:
    """As much of a buffer as was written, in memory of no other size."""
    return buffer if len(buffer) == count else copied(buffer[:count])


def _told(what: str, index: int, length: int) -> type[Exception]:
    if what == "division by zero":
        return ZeroDivisionError
    if what in ("order", "behind"):
        return ProgramError
    return ValueError if what in ("length", "stretches") else IndexError


def _message(what: str, index: int, length: int) -> str:
    if what == "division by zero":
        return "division by zero"
    if what == "order":
        return (
            f"runs are written in the order of rows, and in a row from left to right: this one "
            f"is at {index}, where {length} is the first place left"
        )
    if what == "length":
        return f"rows that are read together are as long as each other, not {index} and {length}"
    if what == "stretches":
        return f"stretches of one statement are equally long, not {index} and {length}"
    if what == "behind":
        return (
            f"a stretch begins {index} elements before one of the same array that is written: read "
            "it from another array"
        )
    counted = "; in programs no index counts from the end" if index < 0 else ""
    return f"index {index} is out of bounds for {what}, of length {length}{counted}"
