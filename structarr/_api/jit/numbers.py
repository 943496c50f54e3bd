"""Numbers among the arguments: what a trace computes with them, their values left open."""

from __future__ import annotations

import operator
from collections.abc import Callable, Hashable, Mapping, Sequence
from typing import Any, Final, TypeAlias

import numpy as np

from structarr._array import FUNCTIONS, WEAK, Array, Number
from structarr._compiler.backend.python.host import straight
from structarr._execute.expression_key import known_scalars, unknown_beside
from structarr._execute.trace import Trace
from structarr._lazy.node import Node
from structarr._scheduler.inputs import told_of
from structarr._storage.tensor import Tensor
from structarr._support import dtypes

Prelude: TypeAlias = Callable[[Mapping[int, Any], Sequence[Tensor]], tuple[Any, ...] | None]
"""From the numbers of a call, and the values of its arrays, whose lengths are numbers too.

They lead to what the replay takes of the numbers; None where the trace is another.
"""

LENGTHS: Final = -1
"""What stands for the lengths of all arrays among the places of numbers."""

VARYING: Final = frozenset({int, float, complex, np.float32, np.float64})
"""Types of arguments that are numbers which vary; any other number is the same for a trace."""


class FixedError(BaseException):
    """Raised where a trace needs the value of numbers: they are told by their places."""

    def __init__(self, sources: frozenset[int]) -> None:
        self.sources = sources


class Numbers:
    """The numbers of one trace, and the lines that compute them at each replay."""

    def __init__(self, values: Mapping[int, Any], trace: Trace) -> None:
        self._trace = trace
        self._names: dict[str, Any] = {"scalars_known": known_scalars}
        self._lines = [f"n{place} = N[{place}]" for place in values]
        self._told: list[str] = []
        self._fixed: frozenset[int] = frozenset()
        self._claimed: list[Any] = []
        self._lengths: dict[int, Traced] = {}
        self._places: dict[Hashable, int] = {}  # of conversions among what is told
        self.arguments = {
            place: Traced(value, f"n{place}", frozenset({place}), self)
            for place, value in values.items()
        }

    def length(self, value: int, place: int, axis: int) -> Traced:
        """The length of an axis of the array in a place among those of the call."""
        if value not in self._lengths:
            name = f"s{place}_{axis}"
            self._lines.append(f"{name} = A[{place}].shape[{axis}]")
            self._lengths[value] = Traced(value, name, frozenset({LENGTHS}), self)
        return self._lengths[value]

    def fix(self, sources: frozenset[int]) -> Any:
        """Make the trace one for the values of numbers."""
        self._fixed |= sources
        raise FixedError(sources)

    def settle(self) -> None:
        """Raise FixedError if the values of numbers were needed."""
        if self._fixed:
            raise FixedError(self._fixed)

    def named(self, value: Any) -> str:
        """The name of an object that is the same at each replay."""
        name = f"v{len(self._names)}"
        self._names[name] = value
        return name

    def derive(self, code: str, value: Any, sources: frozenset[int]) -> Traced:
        """A number that follows from others; its type is as here at each replay."""
        name = f"d{len(self._lines)}"
        kind = self.named(type(value))
        self._lines += [f"{name} = {code}", f"if type({name}) is not {kind}: return None"]
        return Traced(value, name, sources, self)

    def decide(self, code: str, outcome: bool) -> bool:
        """Note a condition that is as here at each replay."""
        self._lines.append(f"if bool({code}) is not {outcome}: return None")
        return outcome

    def tell(self, name: str) -> int:
        """The place of a number among what the replay takes."""
        self._told.append(name)
        return len(self._told) - 1

    def claim(self, number: Traced, node: Node, op: str) -> None:
        """Note the scalar of an expression that a number is converted to."""
        kind = node.dtype
        convert = _conversion(kind, op)
        own = number.name, kind, convert is kind.type
        place = self._places.get(own)
        if place is None or not own[-1]:
            place = self._places[own] = self.tell(f"{self.named(convert)}({number.name})")
            self._claimed.append((place, node.data))
        self._trace.scalar(node.data, place)

    def prelude(self) -> Prelude | None:
        """The scalars that a replay computes of its numbers first; None where there are none."""
        if not self.arguments and not self._lengths:
            return None
        lines = [*self._lines, f"told = ({''.join([f'{one}, ' for one in self._told])})"]
        if self._claimed:
            numbers = told_of(self._trace.operators)
            others = [one.item() for one in self._trace.constants]
            others = [repr(one) if type(one) is complex else one for one in others]
            scalars = [data for _, data in self._claimed]
            known = known_scalars(scalars, numbers, others)
            taken = ", ".join([f"told[{place}]" for place, _ in self._claimed])
            facts = f"scalars_known([{taken}], {self.named(numbers)}, {self.named(others)})"
            other = f"{facts} != {self.named(known)}"
            avoided = unknown_beside(scalars, numbers, others)
            if avoided is not None:  # what most are: to find the facts takes a microsecond
                items = [f"u{place}" for place, _ in self._claimed]
                lines += [f"u{place} = told[{place}].item()" for place, _ in self._claimed]
                plain = [f"{one} == {one} and {one} not in {self.named(avoided)}" for one in items]
                plain.append(f"len({{{', '.join(items)}}}) == {len(items)}")
                other = f"not ({' and '.join(plain)}) and {other}"
            lines.append(f"if {other}: return None")
        return straight("N, A", lines, "told", self._names)

    @property
    def claimed(self) -> frozenset[int]:
        """The places of all numbers, if some is part of an expression."""
        if not self._claimed:
            return frozenset()
        return frozenset([*self.arguments, *[LENGTHS for _ in self._lengths]])


class Traced(Number):
    """
    A number that is another at each replay.

    Arithmetic gives another one, and a comparison is part of what a trace depends on. Whoever needs
    the value itself makes the trace one for this value.
    """

    __slots__ = ("_numbers", "_sources", "name", "value")

    def __init__(self, value: Any, name: str, sources: frozenset[int], numbers: Numbers) -> None:
        self.value, self.name, self._sources, self._numbers = value, name, sources, numbers

    def claim(self, node: Node, op: str) -> None:
        """Note the scalar of an expression that it is converted to."""
        self._numbers.claim(self, node, op)

    def fix(self) -> Any:
        """Make the trace one for this value."""
        return self._numbers.fix(self._sources)

    @property
    def __class__(self) -> Any:
        return type(self.value)

    @__class__.setter
    def __class__(self, kind: Any) -> None:
        self.fix()

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__array_") or name in ("__len__", "__iter__", "fields"):
            raise AttributeError(name)
        return self.fix()

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **kwargs: Any) -> Any:
        if method != "__call__" or FUNCTIONS.found(ufunc) is None:
            return self.fix()
        if LENGTHS in self._sources and not any([isinstance(one, Array) for one in inputs]):
            return self.fix()  # a number of NumPy's
        return FUNCTIONS[ufunc](*inputs, **kwargs)

    def __array__(self, *args: Any, **kwargs: Any) -> Any:
        return self.fix()

    def __bool__(self) -> bool:
        return self._numbers.decide(self.name, bool(self.value))

    def _unary(self, code: str, function: Callable[[Any], Any]) -> Any:
        return self._numbers.derive(code.format(self.name), function(self.value), self._sources)

    def __neg__(self) -> Any:
        return self._unary("-{}", operator.neg)

    def __pos__(self) -> Any:
        return self._unary("+{}", operator.pos)

    def __abs__(self) -> Any:
        return self._unary("abs({})", abs)


def _is_number(value: Any) -> bool:
    return type(value) is Traced or type(value) in WEAK or isinstance(value, np.generic)


def _both(one: Traced, other: Any) -> tuple[Any, str, frozenset[int]]:
    """The value, the name and the sources of the other operand."""
    if type(other) is Traced:
        return other.value, other.name, one._sources | other._sources
    return other, one._numbers.named(other), one._sources


def _arithmetic(symbol: str, function: Callable[[Any, Any], Any], reflected: bool) -> Any:
    def method(self: Traced, other: Any) -> Any:
        if not _is_number(other):
            return NotImplemented
        value, name, sources = _both(self, other)
        if reflected:
            code = f"{name} {symbol} {self.name}"
            return self._numbers.derive(code, function(value, self.value), sources)
        code = f"{self.name} {symbol} {name}"
        return self._numbers.derive(code, function(self.value, value), sources)

    return method


def _comparison(symbol: str, function: Callable[[Any, Any], Any]) -> Any:
    def method(self: Traced, other: Any) -> Any:
        if not _is_number(other):
            return NotImplemented
        value, name, _ = _both(self, other)
        outcome = bool(function(self.value, value))
        return self._numbers.decide(f"{self.name} {symbol} {name}", outcome)

    return method


def _conversion(kind: np.dtype[Any], op: str) -> Callable[[Any], Any]:
    """The conversion of a number to a scalar of a dtype, as an operand of an operator."""
    if op != "where" and kind.kind not in "iu":
        return kind.type  # without a frame of its own
    taken = dtypes.wrapped if op == "where" else dtypes.scalar
    return lambda value: kind.type(taken(value, kind) if type(value) in WEAK else value)


for _name, _symbol in (
    ("add", "+"),
    ("sub", "-"),
    ("mul", "*"),
    ("truediv", "/"),
    ("floordiv", "//"),
    ("mod", "%"),
    ("pow", "**"),
):
    _function = getattr(operator, _name)
    setattr(Traced, f"__{_name}__", _arithmetic(_symbol, _function, reflected=False))
    setattr(Traced, f"__r{_name}__", _arithmetic(_symbol, _function, reflected=True))
for _name, _symbol in (
    ("eq", "=="),
    ("ne", "!="),
    ("lt", "<"),
    ("le", "<="),
    ("gt", ">"),
    ("ge", ">="),
):
    setattr(Traced, f"__{_name}__", _comparison(_symbol, getattr(operator, _name)))
for _name in (
    *("float", "int", "index", "complex", "round", "trunc", "floor", "ceil", "divmod", "rdivmod"),
    *("str", "repr", "format", "hash", "reduce_ex", "copy", "deepcopy"),
):
    setattr(Traced, f"__{_name}__", lambda self, *args: self.fix())
