"""What the names in a loop over runs stand for, as far as its kernel depends on it.

Kinds are tuples, of a length or content of their own, as every call looks for its kernel by them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from typing import Any, Final, NamedTuple, TypeAlias

import numpy as np

from structarr._compiler.backend.params import Param
from structarr._compiler.runtime import HELPERS
from structarr._storage.tensor import Tensor


class Rows(NamedTuple):
    """An array whose rows are runs: an operand, or a result that the loop writes in order.

    Attributes
    ----------
    ndim : int
        The number of axes, of which the last is that of the runs.
    dtype : str
        Of the values.
    positions : str
        The dtype of positions and bounds.
    written : bool
        Whether it is a result.
    """

    ndim: int
    dtype: str
    positions: str
    written: bool

    def params(self, name: str) -> list[tuple[str, Param]]:
        """The parameters of a kernel that stand for it, by their names."""
        own = self.written
        found = [(part, Param(self.positions, True, own, True)) for part in parts_of(name)[:3]]
        found.append((parts_of(name)[3], Param(self.dtype, True, own)))
        if own:
            found.append((f"{name}__at", Param("int64", True, True, True)))
        found.append((f"{name}__fill", Param(self.dtype, False, False)))
        return found + _lengths(name, self.ndim)

    def arguments(self, value: Tensor | Sequence[Any], shape: tuple[int, ...]) -> Sequence[Any]:
        """What a call gives for these, of a tensor, or of a result's buffers, `at` and fill."""
        if isinstance(value, Tensor):
            ptr, start, stop, val = value.buffers
            if not len(val):  # loops over several rows read an element in any case
                start, stop, val = [np.zeros(1, one.dtype) for one in (start, stop, val)]
            return (ptr, start, stop, val, value.fill, *shape)
        return (*value, *shape)


class State(NamedTuple):
    """An array of NumPy's, of which the loop reads and writes elements at any place."""

    ndim: int
    dtype: str
    written: bool

    def params(self, name: str) -> list[tuple[str, Param]]:
        """The parameters of a kernel that stand for it, by their names."""
        own = Param(self.dtype, True, self.written, self.dtype == "int64")
        return [(spelled(name), own), *_lengths(name, self.ndim)]

    def arguments(self, value: Any, shape: tuple[int, ...]) -> Sequence[Any]:
        """What a call gives for these."""
        return (value.reshape(-1), *shape)


class Shape(NamedTuple):
    """An array of which the loop asks for lengths alone."""

    ndim: int

    def params(self, name: str) -> list[tuple[str, Param]]:
        """The parameters of a kernel that are its lengths."""
        return _lengths(name, self.ndim)

    def arguments(self, value: Any, shape: tuple[int, ...]) -> Sequence[Any]:
        """What a call gives for these."""
        return shape


class Scalar(NamedTuple):
    """A number: "int", "float" or "bool"."""

    kind: str

    def params(self, name: str) -> list[tuple[str, Param]]:
        """The parameter of a kernel that stands for it."""
        return [(spelled(name), Param(DTYPES[self.kind], False, False, self.kind == "int"))]

    def arguments(self, value: Any, shape: tuple[int, ...]) -> Sequence[Any]:
        """What a call gives for it."""
        return (value,)


class Called(NamedTuple):
    """A plain function, whose lines are compiled with the loop."""

    function: Callable[..., Any]

    def params(self, name: str) -> list[tuple[str, Param]]:
        """A function is part of the text."""
        return []

    def arguments(self, value: Any, shape: tuple[int, ...]) -> Sequence[Any]:
        """A function is part of the text."""
        return ()


Kind: TypeAlias = Rows | State | Shape | Scalar | Called

DTYPES: Final = {"int": "int64", "float": "float64", "bool": "bool"}
"""The dtypes in which numbers are computed."""

CONSTRUCTORS: Final = {"int": "int64", "float": "float64", "bool": "bool_"}
"""What kernels convert numbers by."""


def _lengths(name: str, ndim: int) -> list[tuple[str, Param]]:
    size = Param("int64", False, False, True)
    return [(length(name, axis), size) for axis in range(ndim)]


TAKEN: Final = frozenset(HELPERS) | {"u", "np", "min", "max", "abs", "len", "range", "bool_"}
"""Names that mean something in every kernel; so do those of dtypes."""


@cache
def spelled(name: str) -> str:
    """A user's name in the text of a kernel."""
    return f"{name}_" if name in TAKEN or hasattr(np, name) else name


@cache
def length(name: str, axis: int) -> str:
    """The parameter that is the length of an axis."""
    return f"{name}__n{axis}"


@cache
def parts_of(name: str) -> tuple[str, str, str, str]:
    """The parameters that are the buffers of an array of runs."""
    return f"{name}__ptr", f"{name}__start", f"{name}__stop", f"{name}__val"


def kind_of_dtype(dtype: str) -> str | None:
    """The kind of number as which values of a dtype are computed; None if there is none."""
    return {"b": "bool", "i": "int", "u": "int", "f": "float"}.get(np.dtype(dtype).kind)


NUMBERS: Final = {int: Scalar("int"), float: Scalar("float"), bool: Scalar("bool")}
"""The kinds of Python's own numbers, the usual ones."""


def kind_of_number(value: Any) -> str | None:
    """The kind of a scalar; None if it is no real number."""
    if isinstance(value, bool | np.bool_):
        return "bool"
    if isinstance(value, int | np.integer):
        return "int"
    return "float" if isinstance(value, float | np.floating) else None


def constructor(dtype: str) -> str:
    """The name by which kernels convert to a dtype."""
    return "bool_" if dtype == "bool" else dtype


def joined(kinds: list[str]) -> str:
    """The kind that holds numbers of some kinds."""
    return max(kinds, key=("bool", "int", "float").index)
