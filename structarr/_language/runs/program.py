"""A program over runs: a function whose loops are compiled for the arrays of each call."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from math import prod
from types import FunctionType, ModuleType
from typing import Any, Final, NamedTuple, Protocol

import numpy as np

from structarr._language.runs.call import LoopCall
from structarr._language.runs.kinds import (
    NUMBERS,
    Called,
    Kind,
    Rows,
    Scalar,
    Shape,
    State,
    kind_of_dtype,
    kind_of_number,
)
from structarr._language.runs.lifted import Loop, definition, enclosing, lifted, loops_of, source_of
from structarr._language.runs.loop_kernel import LoopKernel, loop_kernel
from structarr._language.runs.repeated import FirstCall, Repeated, repeated
from structarr._storage.tensor import Tensor
from structarr._support.caches import room
from structarr.errors import ProgramError

MISSING: Final = object()
"""The value of a name that has none."""
KEPT: Final = 4
"""How many kinds of calls of a loop have a function of their own."""
_NOTHING: Final = (ModuleType, type)
"""The classes of what a kernel does without: what it calls by their names, it knows itself."""


class Arrays(Protocol):
    """What a program is told of the user's arrays, which are made in a layer above."""

    def tensor(self, value: Any) -> Tensor | None:
        """The tensor of an array of ours; None for other values."""

    def runs(self, value: Any) -> Tensor:
        """The tensor of an array in which the last axis is stored as runs."""

    def array(self, tensor: Tensor) -> Any:
        """The array of a tensor."""


class RunProgram:
    """
    A function with loops over runs.

    Parameters
    ----------
    function : function
        The function.
    arrays : Arrays
        What knows the user's arrays.
    """

    def __init__(self, function: FunctionType, arrays: Arrays) -> None:
        self._source = source_of(function)
        self._loops = loops_of(self._source)
        self._around = enclosing(function)
        self._arrays = arrays
        self._kernels: dict[Any, LoopKernel] = {}
        self._again: list[list[Repeated]] = [[] for _ in self._loops]
        self._seen: dict[Any, bool] = {}  # kinds of calls, and whether they have one of `_again`
        self._run = lifted(function, source_of(function), self._loop)

    def __call__(self, *args: Any, **named: Any) -> Any:
        return self._run(*args, **named)

    @property
    def parameters(self) -> tuple[str, ...]:
        """The names of the function's arguments."""
        args = definition(self._source).args
        return tuple([one.arg for one in (*args.posonlyargs, *args.args, *args.kwonlyargs)])

    @property
    def written(self) -> frozenset[str]:
        """The arguments of which loops write elements, or that they hand to functions."""
        every = [one.elements | one.stretches for one in self._loops]
        return frozenset().union(*every) & {*self.parameters}

    @property
    def kernels(self) -> tuple[str, ...]:
        """The texts of the kernels of the calls so far."""
        return tuple([one.kernel.source for one in self._kernels.values()])

    def _loop(self, number: int, values: dict[str, Any]) -> tuple[Any, ...]:
        """Run a loop; return what it gives."""
        for again in self._again[number]:
            found = again(values)
            if found is not None:
                return found
        loop = self._loops[number]
        call = self._first(number, loop, values)
        after = call.run()
        self._remember(number, loop, call, values)
        return tuple([self._returned(after[name], values.get(name)) for name in loop.given])

    def _remember(self, number: int, loop: Loop, call: LoopCall, values: Mapping[str, Any]) -> None:
        """Have further calls of these kinds made by a function of their own, from the second on."""
        types = tuple([type(values.get(name)) for name in loop.names])
        key = (number, types, tuple(call.kinds.items()))
        is_known = self._seen.get(key)
        room(self._seen)[key] = is_known is not None
        if is_known is False:
            made = repeated(
                FirstCall(loop, call.kernel, call.kinds, values, self._around, self._arrays)
            )
            if made is not None:
                self._again[number] = [made, *self._again[number][: KEPT - 1]]

    def _first(self, number: int, loop: Loop, values: dict[str, Any]) -> LoopCall:
        """The call of a loop for values of any kinds."""
        found = _Given({}, {}, {})
        for name in loop.names:
            value = self._value(name, loop, values)
            if value is not MISSING:
                self._give(name, value, loop, found)
        numbers = [name for name in loop.given if isinstance(found.kinds.get(name), Scalar)]
        for name in loop.given:
            if name not in found.kinds and name not in loop.stretches:
                raise self._source.error(
                    f"{name} is read after this loop: give it a value before, as it may end at "
                    "once",
                    loop.node,
                )
        key = (number, tuple(found.kinds.items()))
        scratch = loop.scratch if self._around.get("np") is np else ()
        kernel = self._kernels.get(key)
        if kernel is None:
            kernel = loop_kernel(loop.node, found.kinds, numbers, self._source, scratch)
            room(self._kernels)[key] = kernel
        return LoopCall(kernel, found.kinds, found.values, found.shapes)

    def _value(self, name: str, loop: Loop, values: dict[str, Any]) -> Any:
        """What a name stands for before a loop."""
        value = values.get(name, MISSING)
        if value is MISSING and name not in loop.assigned:
            return self._around.get(name, MISSING)
        return value

    def _returned(self, value: Any, before: Any) -> Any:
        if isinstance(value, Tensor):
            return self._arrays.array(value)
        return before if value is None else value

    def _give(self, name: str, value: Any, loop: Loop, found: _Given) -> None:
        """Note what a name stands for."""
        number = NUMBERS.get(type(value))
        if number is not None:
            found.kinds[name], found.values[name] = number, value
            return
        if isinstance(value, _NOTHING):
            return
        if name in loop.stretches and self._arrays.tensor(value) is not None:
            found.put(name, *_result(name, self._arrays.tensor(value), loop, self._source))
        elif name in loop.rows:
            tensor = self._arrays.runs(value)
            rows = Rows(tensor.ndim, _real(tensor.dtype, name), tensor.format.index, False)
            found.put(name, rows, tensor, tensor.shape)
        elif isinstance(value, FunctionType):
            found.put(name, Called(value), None, ())
        elif (kind := kind_of_number(value)) is not None:
            found.put(name, Scalar(kind), value, ())
        elif isinstance(value, np.ndarray) or self._arrays.tensor(value) is not None:
            if name in loop.looked_at:
                found.put(name, *_state(name, value, loop))
            else:
                found.put(name, Shape(value.ndim), None, value.shape)
        elif name not in loop.assigned and callable(value):
            return
        else:
            raise ProgramError(
                f"{name} is {type(value).__name__}: loops over runs take arrays, real numbers and "
                "plain functions"
            )


class _Given(NamedTuple):
    """What the names of a loop stand for, their values, and the shapes of arrays."""

    kinds: dict[str, Kind]
    values: dict[str, Any]
    shapes: dict[str, tuple[int, ...]]

    def put(self, name: str, kind: Kind, value: Any, shape: tuple[int, ...]) -> None:
        self.kinds[name], self.values[name], self.shapes[name] = kind, value, shape


def _real(dtype: np.dtype[Any], name: str) -> str:
    found = _name_of(dtype)
    if found is None:
        raise TypeError(f"{name} is {dtype}: loops over runs take booleans and real numbers")
    return found


@cache
def _name_of(dtype: np.dtype[Any]) -> str | None:
    """The name of a dtype of real numbers, which NumPy makes anew each time."""
    return None if kind_of_dtype(dtype.name) is None else dtype.name


def _result(
    name: str, tensor: Tensor | None, loop: Loop, source: Any
) -> tuple[Kind, Any, tuple[int, ...]]:
    """A result, which is empty before the loop."""
    assert tensor is not None
    if not tensor.ndim:
        raise source.error(f"{name} has no axis of runs", loop.node)
    if not tensor.is_constant:
        raise source.error(
            f"{name} holds something already: a loop writes runs into an array that was made by "
            "sa.zeros or sa.full just before",
            loop.node,
        )
    long = max((*tensor.shape, prod(tensor.shape[:-1]))) >= 1 << 31
    index = "int64" if long else "int32"
    kind = Rows(tensor.ndim, _real(tensor.dtype, name), index, True)
    return kind, tensor.constant, tensor.shape


def _state(name: str, value: Any, loop: Loop) -> tuple[Kind, Any, tuple[int, ...]]:
    """An array of NumPy's, used in place."""
    written = name in loop.elements or name in loop.stretches
    array = value
    if not isinstance(value, np.ndarray):
        if written:
            raise ProgramError(
                f"{name} is an array of structarr, whose elements cannot be set one by one: make "
                "it by NumPy, or write runs, as in `C[i, start:stop] = value`"
            )
        if value.format.name != "dense":
            raise ProgramError(
                f"{name} is stored as {value.format.name}, and a loop reads its elements one by "
                "one: read its rows by `runs`, or give np.asarray of it"
            )
        array = np.asarray(value)
    if not array.ndim:
        raise ProgramError(f"{name} has no axes: give the number itself, {name}[()]")
    if not (array.flags.c_contiguous and array.flags.aligned and array.dtype.isnative):
        if written:
            raise ProgramError(f"{name} is not contiguous: the loop writes into it, give a copy")
        array = np.ascontiguousarray(array, array.dtype.newbyteorder("="))
    if written and not array.flags.writeable:
        raise ProgramError(f"{name} is read-only, and the loop writes into it: give a copy")
    return State(array.ndim, _real(array.dtype, name), written), array, array.shape
