"""Random operands in every format, and random values over them as text that is Python too."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from fitting import fitted, formats_for
from hypothesis import strategies as st
from strategies import stored, values

from structarr._array import of_tensor

Draw = Callable[..., Any]
Range = tuple[int, int]  # half-open

PALETTES = (
    *[("float64",)] * 4,
    *[("int64",)] * 2,
    *(("float32",), ("int8",), ("uint8",), ("bool",), ("complex128",)),
    *(("float64", "int64"), ("int8", "float32"), ("int64", "bool"), ("float64", "complex128")),
)


@dataclass
class Operand:
    """An argument: what the program is called with, and what its oracle is."""

    name: str
    data: Any
    given: Any

    def __repr__(self) -> str:
        if not isinstance(self.data, np.ndarray):
            return f"{self.name} = {self.data!r}"
        told = getattr(self.given, "format", None)
        fill = getattr(self.given, "fill_value", None)
        return f"{self.name} = {self.data!r} as {told!r} fill {fill!r}"


@dataclass
class Case:
    """A program with its operands."""

    text: str
    operands: list[Operand] = field(default_factory=list)

    def __repr__(self) -> str:
        return "\n".join([self.text, *map(repr, self.operands)])


@st.composite
def operands(draw: Draw, name: str, shape: tuple[int, ...], dtype: str) -> Operand:
    """An array in some format."""
    fill = draw(st.sampled_from([0, 0, 0, 1]))
    fmt = draw(formats_for(shape, "float64" if fill else dtype))
    data = fitted(draw(values(shape, dtype, fill)), fmt, np.dtype(dtype).type(fill))
    return Operand(name, data, of_tensor(stored(data, fmt, fill)))


@st.composite
def gathers(draw: Draw, name: str, length: int, target: int) -> Operand:
    """An array of indices into an axis."""
    fmt = draw(formats_for((length,)))
    chosen = st.lists(st.integers(0, max(target - 1, 0)), min_size=length, max_size=length)
    data = fitted(np.array(draw(chosen), "int64"), fmt, np.int64(0))
    return Operand(name, data, of_tensor(stored(data, fmt)))


class Speaker:
    """Writes values; it knows how far every index runs, so that it stays inside."""

    def __init__(self, draw: Draw) -> None:
        self.draw = draw
        lengths = st.sampled_from([3, 4, 2, 1, 5, 0])
        self.dims = [draw(lengths), draw(lengths)]
        self.palette = draw(st.sampled_from(PALETTES))
        self.kind = np.result_type(*map(np.dtype, self.palette)).kind
        self.operands: list[Operand] = []
        self.readable: dict[str, tuple[int, ...]] = {}
        self.ranges: dict[str, Range] = {}  # of the indices around
        self.gathers: dict[str, tuple[int, Range]] = {}
        self.scalars: list[str] = []
        self.shift = 0  # what `c` is
        self.temps: set[str] = set()
        self.reads = draw(st.integers(1, 6))  # how many are left: kernels multiply with them
        self._make_operands()

    # ------------------------------------------------------------- choices

    def pick(self, *choices: Any) -> Any:
        return self.draw(st.sampled_from(choices))

    def chance(self, one_in: int) -> bool:
        return self.draw(st.integers(0, one_in - 1)) == one_in - 1

    # ------------------------------------------------------------- operands

    def _make_operands(self) -> None:
        n, m = self.dims
        shapes = {"x": (n,), "z": (m,), "A": (n, m), "B": (m, self.pick(n, m))}
        for name, shape in shapes.items():
            self._operand(name, shape)
        if self.chance(6):
            self._operand("T", (n, m, 2))
        for name, length, target in (("f", n, m), ("g", m, n)):
            if self.chance(3):
                found = self.draw(gathers(name, length, target))
                self.operands.append(found)
                ends = (int(found.data.min()), int(found.data.max()) + 1) if length else (0, 0)
                self.gathers[name] = length, ends
        if self.chance(2):
            self.shift = self.pick(0, 1, 2, 3, -1)
            self.operands.append(Operand("c", self.shift, self.shift))
            self.scalars.append("c")
        if self.chance(2):
            strong = np.dtype(self.palette[0]).type(self.pick(0, 1, 2))
            self.operands.append(Operand("w", strong, strong))
            self.scalars.append("w")

    def _operand(self, name: str, shape: tuple[int, ...]) -> None:
        self.operands.append(self.draw(operands(name, shape, self.pick(*self.palette))))
        self.readable[name] = shape

    def length(self, wanted: int) -> str:
        """A length, in one of the ways to write it."""
        told = [str(wanted)]
        for name, shape in self.readable.items():
            if name in self.temps:
                continue
            told += [f"{name}.shape[{k}]" for k, n in enumerate(shape) if n == wanted]
            told += [f"len({name})"] * (len(shape) == 1 and shape[0] == wanted)
        return self.draw(st.sampled_from(told[::-1]))

    # ------------------------------------------------------------- indices

    def affine(self, length: int) -> tuple[str, Range]:
        """An expression of indices, and how far it runs."""
        fits = [i for i, (lo, hi) in self.ranges.items() if lo >= 0 and hi <= length]
        if fits and not self.chance(5):
            index = self.draw(st.sampled_from(fits[::-1]))
            return index, self.ranges[index]
        if not self.ranges:
            return str(max(length - 1, 0)), (max(length - 1, 0), max(length, 1))
        index, other = (self.draw(st.sampled_from([*self.ranges])) for _ in range(2))
        (lo, hi), (low, high) = self.ranges[index], self.ranges[other]
        shift = self.pick(1, 2)
        found = [
            (f"{index} + {shift}", lo + shift, hi + shift),
            (f"{index} - {shift}", lo - shift, hi - shift),
            (f"2*{index} + 1", 2 * lo + 1, 2 * hi),
            (f"{length} - 1 - {index}", length - hi, length - lo),
            (f"offset({shift}, {index})", lo - shift, hi - shift),
            (f"window({shift}, {length}, {index})", lo + shift, hi + shift),
        ]
        if index != other:
            found += [
                (f"{index} + {other}", lo + low, hi + high - 1),
                (f"{index} - {other}", lo - high + 1, hi - low),
                (f"{index} + {other} - {shift}", lo + low - shift, hi + high - 1 - shift),
            ]
        if "c" in self.scalars:
            found.append((f"{index} + c", lo + self.shift, hi + self.shift))
        for name, (own, ends) in self.gathers.items():
            if lo >= 0 and hi <= own:
                found += [(f"{name}[{index}]", *ends)] * 4
        text, start, stop = self.draw(st.sampled_from(found))
        return text, (start, stop)

    def read(self) -> str:
        """An element of an array; where it may be outside, guarded or permitted."""
        self.reads -= 1
        name = self.draw(st.sampled_from([*self.readable]))
        indices, guards, permitted = [], [], False
        for length in self.readable[name]:
            text, (lo, hi) = self.affine(length)
            if lo < 0 or hi > length:
                if self.chance(2):
                    permitted, text = True, f"permit({text})"
                else:
                    guards += [f"{text} >= 0"] * (lo < 0) + [f"{text} < {length}"] * (hi > length)
            elif self.chance(5):
                text = f"{self.pick('walk', 'gallop', 'locate')}({text})"
            indices.append(text)
        found = f"{name}[{', '.join(indices)}]"
        if permitted:
            found = f"coalesce({found}, {self.pick(0, 1)})"
        return f"({found} if {' and '.join(guards)} else 0)" if guards else found

    # ------------------------------------------------------------- values

    def value(self, depth: int) -> str:
        kind = self.draw(st.integers(0, 11)) if depth else 0
        if self.reads <= 0:
            return self.leaf()
        if kind <= 2:
            return self.read()
        if kind == 3:
            return self.leaf()
        if kind == 4:
            return f"({self.value(depth - 1)} if {self.condition(depth - 1)} else {self.read()})"
        left, right = self.value(depth - 1), self.value(depth - 1)
        if kind == 5 and self.kind not in "cb":
            return f"{self.pick('min', 'max')}({left}, {right})"
        if kind == 6 and self.kind in "if":
            return f"({left} - {right})"
        if kind == 7 and self.kind not in "b":
            return f"abs({left})" if self.kind != "c" else f"-{left}"
        return f"{left} * {right}" if kind < 11 else f"({left} + {right})"

    def leaf(self) -> str:
        choices = [self.pick("1", "2", "0"), *self.scalars]
        if self.kind in "fc":
            choices.append(self.pick("0.5", "2.0"))
        choices += [index for index, (lo, _) in self.ranges.items() if lo >= 0]
        return self.draw(st.sampled_from(choices))

    def condition(self, depth: int) -> str:
        """A condition on values, or on indices."""
        kind = self.draw(st.integers(0, 7))
        if kind == 0 and depth:
            return f"({self.condition(0)} {self.pick('and', 'or')} {self.condition(0)})"
        if kind == 1 and depth:
            return f"not {self.condition(0)}"
        if (kind <= 4 or self.reads <= 0) and self.ranges:
            return self.mask()
        left = self.read()
        if self.kind == "c":
            return f"{left} {self.pick('==', '!=')} {self.pick(0, 1)}"
        return self.pick(left, f"{left} > 0", f"{left} == {self.read()}", f"{left} != 0")

    def mask(self) -> str:
        index, other = (self.draw(st.sampled_from([*self.ranges])) for _ in range(2))
        sign = self.pick("<=", "<", "==", ">=", ">", "!=")
        choices = [f"{index} {sign} {other}", f"{index} {sign} {other} + 1", f"{index} {sign} 1"]
        choices += [f"0 <= {index} - {other} < 2", f"{index} + 1 {sign} 2*{other}"]
        if "c" in self.scalars:
            choices.append(f"{index} {sign} {other} - c")
        for name, (own, _) in self.gathers.items():
            lo, hi = self.ranges[other]
            if lo >= 0 and hi <= own:
                choices += [f"{index} {sign} {name}[{other}]"] * 2
        return self.draw(st.sampled_from(choices))
