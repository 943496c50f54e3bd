"""Calls of a loop with values of the kinds of the call before, by a function written for them.

What a name stands for is looked at by its kind at each call. For calls that take as long as a few
thousand runs that is most of the time, so that these looks are written out, as the text of a
function without loops over names. It gives up, and the call is made as the first one is, wherever
it meets anything else: another type or dtype, arrays that share memory, too little room.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final, NamedTuple

import numpy as np

from structarr._compiler.backend.python.interpret import Outlived
from structarr._language.runs.call import LEAST, SPARE, STEPS, TYPES, runs_format, stopped
from structarr._language.runs.kinds import Called, Kind, Rows, Scalar, Shape, State
from structarr._language.runs.lifted import Loop
from structarr._language.runs.loop_kernel import LoopKernel
from structarr._storage.tensor import Tensor
from structarr._support.buffer_pool import copied, empty

Repeated = Callable[[dict[str, Any]], tuple[Any, ...] | None]
"""Takes the local variables; returns the values of `Loop.given`, or None where it gives up."""

NOTHING: Final = object()
C_ORDER: Final = 0x1
OWNS: Final = 0x4
ALIGNED: Final = 0x100
WRITEABLE: Final = 0x400
"""The bits of an array's flags, which are asked for at once."""

SMALL: Final = 1 << 14
"""So few runs are in memory that is not pooled."""


class FirstCall(NamedTuple):
    """
    A call of a loop that was made.

    Attributes
    ----------
    loop : Loop
        The loop.
    kernel : LoopKernel
        Its kernel for these kinds.
    kinds : mapping
        What its names stand for.
    values, around : mapping
        Their values: local ones, and those from around the function.
    arrays : Arrays
        What knows the user's arrays.
    """

    loop: Loop
    kernel: LoopKernel
    kinds: Mapping[str, Kind]
    values: Mapping[str, Any]
    around: Mapping[str, Any]
    arrays: Any


def repeated(first: FirstCall) -> Repeated | None:
    """
    Return what makes a call again.

    None where a number may be too large, which has to be looked for each time, and for a loop that
    is given nothing.
    """
    if first.kernel.plan.unsigned or not first.kernel.params:
        return None
    text = _Text(first)
    for name in first.loop.names:
        text.look(name)
    text.call()
    return text.function()


class _Text:
    """The lines of the function, and the objects that it refers to."""

    def __init__(self, first: FirstCall) -> None:
        self._loop, self._kernel, self._kinds, self._values, self._around, arrays = first
        self._lines: list[str] = []
        self._numbers = {
            name: k for k, name in enumerate(dict.fromkeys((*first.kinds, *first.loop.names)))
        }
        self._args: dict[str, list[str]] = {}
        self._known: dict[str, Any] = {
            "around": first.around,
            "NOTHING": NOTHING,
            "arrays": arrays,
            "run": first.kernel.kernel,
            "Outlived": Outlived,
            "ndarray": np.ndarray,
            "may_share": np.may_share_memory,
            "zeros": np.zeros,
            "empty": empty,
            "int64": np.dtype(np.int64),
            "copied": copied,
            "Tensor": Tensor,
            "stopped": stopped,
            "kernel": first.kernel,
        }

    def look(self, name: str) -> None:
        """Give up where a name stands for something else; note what the kernel is given for it."""
        kind, own = self._kinds.get(name), f"v{self._numbers[name]}"
        is_local = name in self._values
        found = self._values[name] if is_local else self._around.get(name, NOTHING)
        where = "values" if is_local or name in self._loop.assigned else "around"
        self._lines.append(f"{own} = {where}.get({name!r}, NOTHING)")
        match kind:
            case None | Called():
                self._unless(f"{own} is {self._object(found)}")
                self._args[name] = []
            case Scalar():
                self._unless(f"type({own}) is {self._object(type(found))}")
                self._args[name] = [own]
            case Shape(ndim):
                self._unless(f"type({own}) is {self._object(type(found))} and {own}.ndim == {ndim}")
                self._args[name] = self._lengths(own, f"{own}.shape", ndim)
            case State():
                self._state(name, own, kind)
            case Rows(written=False):
                self._rows(name, own, kind)
            case Rows():
                self._result(name, own, kind)

    def _state(self, name: str, own: str, kind: State) -> None:
        dtype = self._object(np.dtype(kind.dtype))
        self._unless(
            f"type({own}) is ndarray and {own}.ndim == {kind.ndim} and {own}.dtype == {dtype}"
        )
        wanted = C_ORDER | ALIGNED | WRITEABLE * kind.written
        self._lines.append(f"flags = {own}.flags.num")
        self._unless(f"flags & {wanted} == {wanted}")
        if any(name in pair for pair in self._kernel.plan.apart):
            self._lines.append(f"{own}_owns = flags & {OWNS}")
        flat = own if kind.ndim == 1 else f"{own}.reshape(-1)"
        self._args[name] = [flat, *self._lengths(own, f"{own}.shape", kind.ndim)]

    def _rows(self, name: str, own: str, kind: Rows) -> None:
        dtype = self._object(np.dtype(kind.dtype))
        stored = self._object(runs_format(kind.ndim, kind.positions))
        self._unless(f"{own} is not NOTHING")
        self._lines.append(f"{own} = arrays.runs({own})")
        self._unless(f"{own}.format is {stored} and {own}.dtype == {dtype}")
        parts = [f"{own}_{part}" for part in ("ptr", "start", "stop", "val")]
        self._lines.append(f"{', '.join(parts)} = {own}.buffers")
        one = [np.zeros(1, at) for at in (kind.positions, kind.positions, kind.dtype)]
        self._lines += [  # loops over several rows read an element in any case
            f"if not len({own}_val):",
            f"    {own}_start, {own}_stop, {own}_val = {self._object(tuple(one))}",
        ]
        lengths = self._lengths(own, f"{own}.shape", kind.ndim)
        self._args[name] = [*parts, f"{own}.fill", *lengths]

    def _result(self, name: str, own: str, kind: Rows) -> None:
        dtype = self._object(np.dtype(kind.dtype))
        self._lines.append(f"{own} = arrays.tensor({own})")
        self._unless(
            f"{own} is not None and len({own}.shape) == {kind.ndim} and {own}.dtype == {dtype} "
            f"and {own}.is_constant"
        )
        lengths = self._lengths(own, f"{own}.shape", kind.ndim)
        rows = " * ".join(["1", *lengths[:-1]])
        self._lines.append(f"{own}_rows = {rows}")
        long = f"max({own}_rows, {', '.join(lengths)}) >= {1 << 31}"
        self._unless(long if kind.positions == "int64" else f"not {long}")
        parts = [f"{own}_{part}" for part in ("ptr", "start", "stop", "val", "at")]
        self._lines.append(
            f"{own}_fill = {self._object(np.dtype(kind.dtype).type)}({own}.constant)"
        )
        self._args[name] = [*parts, f"{own}_fill", *lengths]

    def _lengths(self, own: str, shape: str, ndim: int) -> list[str]:
        """The variables that are the lengths of an array's axes."""
        found = [f"{own}_n{axis}" for axis in range(ndim)]
        if found:
            self._lines.append(f"{', '.join(found)}, = {shape}")
        return found

    def call(self) -> None:
        """Make the call, and return what it gives."""
        plan, kernel, number = self._kernel.plan, self._kernel, self._numbers
        if plan.written:  # the slow call knows what to do where a call is stopped
            self._unless("run.compiled is not None or not run.may_stop")
        for a, b in [(f"v{number[one]}", f"v{number[other]}") for one, other in plan.apart]:
            # Two arrays that own their memory do not share it, which takes less time to see.
            owned = f"{a}_owns and {b}_owns and {a} is not {b}"
            self._unless(f"({owned}) or not may_share({a}, {b})")
        read = [f"len(v{number[name]}_val)" for name in plan.read]
        rows = [f"len(v{number[name]}_ptr)" for name in plan.read]
        sizes = [f"v{number[name]}.size" for name in plan.states]
        self._lines.append(f"read = {' + '.join(['0', *read])}")
        for name in plan.results:
            self._room(f"v{number[name]}", self._kinds[name])
        for name in plan.saved:
            self._lines.append(f"v{number[name]}_saved = v{number[name]}.copy()")
        args = ", ".join([one for name in self._kinds for one in self._args[name]])
        work = f"{STEPS} * ({' + '.join(['read', *rows, *sizes])})"
        self._lines += ["try:", f"    found = run(({args},), {work})"]
        self._lines += ["except Outlived:", "    return None"]
        self._lines.append("except IndexError as problem:")
        if not plan.results:
            self._lines.append("    raise stopped(kernel, problem) from None")
        else:  # too little room, or else the slow call finds what there is to say
            for name in plan.saved:
                self._lines.append(f"    v{number[name]}[...] = v{number[name]}_saved")
            self._lines.append("    return None")
        given = [self._after(name, kernel) for name in self._loop.given]
        self._lines.append(f"return ({''.join([f'{one}, ' for one in given])})")

    def _room(self, own: str, kind: Kind) -> None:
        """The buffers of a result before the loop."""
        assert isinstance(kind, Rows)
        positions, dtype = (self._object(np.dtype(one)) for one in (kind.positions, kind.dtype))
        self._lines += [
            f"{own}_room = max({LEAST}, {SPARE} * read + {own}_rows)",
            f"{own}_ptr = zeros({own}_rows + 1, {positions})",
            f"{own}_start = empty({own}_room, {positions})",
            f"{own}_stop = empty({own}_room, {positions})",
            f"{own}_val = empty({own}_room, {dtype})",
            f"{own}_at = zeros(2, int64)",
        ]

    def _after(self, name: str, kernel: LoopKernel) -> str:
        """The value of a name after the loop."""
        own, kind = f"v{self._numbers[name]}", self._kinds[name]
        if name in kernel.returned:
            assert isinstance(kind, Scalar)
            return f"{self._object(TYPES[kind.kind])}(found[{kernel.returned.index(name)}])"
        if not (isinstance(kind, Rows) and kind.written):
            return own
        stored = self._object(runs_format(kind.ndim, kind.positions))
        self._lines.append(f"count = int({own}_at[0])")
        parts = [f"{own}_{part}" for part in ("start", "stop", "val")]
        self._lines.append(f"if count != {own}_room:")
        self._lines += [
            f"    {part} = {part}[:count].copy() if count < {SMALL} else copied({part}[:count])"
            for part in parts
        ]
        buffers = f"({own}_ptr, {', '.join(parts)})"
        lengths = "".join([f"{own}_n{axis}, " for axis in range(kind.ndim)])
        made = f"Tensor({stored}, ({lengths}), {own}.dtype, {own}_fill, {buffers})"
        return f"arrays.array({made})"

    def _unless(self, condition: str) -> None:
        self._lines += [f"if not ({condition}):", "    return None"]

    def _object(self, value: Any) -> str:
        """The name of an object in the text."""
        name = f"c{len(self._known)}"
        self._known[name] = value
        return name

    def function(self) -> Repeated:
        """The function that the lines are."""
        text = "\n".join(["def again(values):", *[f"    {line}" for line in self._lines], ""])
        exec(compile(text, "<a call of a loop>", "exec"), self._known)
        found: Repeated = self._known["again"]
        return found
