"""Random values over operands, as text that is Python too."""

from __future__ import annotations

from typing import Final

import numpy as np

from structarr._testing.fuzz.loops.operands import (
    FUNCTIONS,
    Argument,
    Draws,
    Function,
    Given,
    Scalar,
    random_array,
    random_places,
)

Range = tuple[int, int]  # half-open

PALETTES: Final = (
    *[("float64",)] * 6,
    *[("int64",)] * 3,
    *(("float32",), ("int8",), ("uint8",), ("bool",), ("bool",), ("complex128",), ("complex64",)),
    *(("int16",), ("uint32",), ("int32",), ("uint64",)),
    *(("float64", "int64"), ("int8", "float32"), ("int64", "bool"), ("float64", "complex128")),
    *(("uint8", "int16"), ("float64", "bool"), ("float32", "float64")),
)
PADDINGS: Final = ("edge", "circular", "reflect", "symmetric")
_CALLS: Final = {
    "b": ("np.logical_not({0})", "({0} == {1})", "({0} != {1})", "({0} | {1})", "({0} & {1})"),
    "i": ("np.sign({0})", "({0} // {1})", "({0} % {1})", "({0} & {1})", "({0} ^ {1})"),
    "u": ("({0} // {1})", "({0} % {1})", "({0} | {1})", "np.square({0})", "np.maximum({0}, {1})"),
    "f": (
        *("np.floor({0})", "np.sign({0})", "np.fmax({0}, {1})", "np.fmin({0}, {1})"),
        *("({0} / {1})", "np.square({0})", "({0} % {1})", "({0} // {1})", "np.isnan({0})"),
    ),
    "c": ("np.conj({0})", "({0} - {1})", "np.square({0})"),
}
"""Calls of reads, by the kind of what they give."""


class Speaker(Draws):
    """Writes values; it knows how far every index runs, so that it stays inside."""

    def __init__(self, rng: np.random.Generator, odd: bool) -> None:
        super().__init__(rng)
        self.odd = odd
        self.dims = [self.pick(3, 4, 2, 1, 5, 0, 7), self.pick(3, 4, 2, 1, 5, 0)]
        if self.chance(12):
            self.dims[self.pick(0, 1)] = self.pick(17, 33)
        self.palette = self.among(PALETTES)
        if len(self.palette) > 1:  # what promotes to floats would not be exact
            self.odd = odd and all(np.dtype(one).kind in "fcb" for one in self.palette)
        self.kind = np.result_type(*map(np.dtype, self.palette)).kind
        self.operands: list[Argument] = []
        self.readable: dict[str, tuple[int, ...]] = {}
        self.ranges: dict[str, Range] = {}  # of the indices around
        self.gathers: dict[str, tuple[int, Range]] = {}
        self.scalars: list[str] = []
        self.functions: list[str] = []
        self.shift = 0  # what `c` is
        self.temps: set[str] = set()
        self.reads = int(rng.integers(1, 7))  # how many are left: kernels multiply with them
        self._make_operands()

    # ------------------------------------------------------------- operands

    def _make_operands(self) -> None:
        n, m = self.dims
        for name, shape in {"x": (n,), "z": (m,), "A": (n, m), "B": (m, self.pick(n, m))}.items():
            self._array(name, shape)
        if self.chance(6):
            self._array("T", (n, m, 2))
        for name, length, target in (("f", n, m), ("g", m, n)):
            if self.chance(3):
                self._gather(name, length, target)
        if self.chance(2):
            self.shift = self.pick(0, 1, 2, 3, -1)
            self._scalar("c", self.shift)
        if self.chance(2):
            self._scalar("w", np.dtype(self.palette[0]).type(self.pick(0, 1, 2)))
        if self.chance(4) and {*self.palette} <= {"float64", "int64"} and not self.odd:
            lines, facts = self.among(FUNCTIONS)
            self.operands.append(Function("h", lines, facts))
            self.functions.append("h")

    def _array(self, name: str, shape: tuple[int, ...]) -> None:
        dtype = self.pick(*self.palette)
        self.operands.append(random_array(self, name, shape, dtype, self.odd))
        self.readable[name] = shape

    def _gather(self, name: str, length: int, target: int) -> None:
        found = random_places(self, name, length, target)
        data = found.operand.data
        self.operands.append(found)
        ends = (int(data.min()), int(data.max()) + 1) if length else (0, 0)
        self.gathers[name] = length, ends

    def _scalar(self, name: str, value: object) -> None:
        self.operands.append(Scalar(name, value))
        self.scalars.append(name)

    def arrays(self) -> list[Given]:
        """The operands that are arrays."""
        return [one for one in self.operands if isinstance(one, Given)]

    def length(self, wanted: int) -> str:
        """A length, in one of the ways to write it."""
        told = [str(wanted)]
        for name, shape in self.readable.items():
            if name in self.temps:
                continue
            told += [f"{name}.shape[{k}]" for k, n in enumerate(shape) if n == wanted]
            told += [f"len({name})"] * (len(shape) == 1 and shape[0] == wanted)
        return self.among(told)

    # ------------------------------------------------------------- indices

    def affine(self, length: int) -> tuple[str, Range]:
        """An expression of indices, and how far it runs."""
        fits = [i for i, (lo, hi) in self.ranges.items() if lo >= 0 and hi <= length]
        if fits and not self.chance(5):
            index = self.among(fits)
            return index, self.ranges[index]
        if not self.ranges:
            return str(max(length - 1, 0)), (max(length - 1, 0), max(length, 1))
        index, other = self.among([*self.ranges]), self.among([*self.ranges])
        (lo, hi), (low, high) = self.ranges[index], self.ranges[other]
        shift = self.pick(1, 2)
        found = [
            (f"{index} + {shift}", (lo + shift, hi + shift)),
            (f"{index} - {shift}", (lo - shift, hi - shift)),
            (f"2*{index} + 1", (2 * lo + 1, 2 * hi)),
            (f"{length} - 1 - {index}", (length - hi, length - lo)),
            (f"offset({shift}, {index})", (lo - shift, hi - shift)),
            (f"window({shift}, {length}, {index})", (lo + shift, hi + shift)),
        ]
        if index != other:
            found += [
                (f"{index} + {other}", (lo + low, hi + high - 1)),
                (f"{index} - {other}", (lo - high + 1, hi - low)),
                (f"{index} + {other} - {shift}", (lo + low - shift, hi + high - 1 - shift)),
            ]
        if "c" in self.scalars:
            found.append((f"{index} + c", (lo + self.shift, hi + self.shift)))
        for name, (own, ends) in self.gathers.items():
            if lo >= 0 and hi <= own:
                found += [(f"{name}[{index}]", ends)] * 4
        return self.among(found)

    def read(self) -> str:
        """An element of an array; where it may be outside, guarded, permitted or continued."""
        self.reads -= 1
        name = self.among([*self.readable])
        indices, guards, permitted = [], [], False
        for length in self.readable[name]:
            text, (lo, hi) = self.affine(length)
            if lo < 0 or hi > length:
                ways = [mode for mode in PADDINGS if _continues(mode, lo, hi, length)]
                if self.chance(2):
                    permitted, text = True, f"permit({text})"
                elif ways and name not in self.temps and self.chance(2):
                    text = f"{self.among(ways)}({text})"
                else:
                    guards += [f"{text} >= 0"] * (lo < 0) + [f"{text} < {length}"] * (hi > length)
            elif self.chance(5):
                text = f"{self.pick('walk', 'gallop', 'locate')}({text})"
            indices.append(text)
        found = f"{name}[{', '.join(indices)}]"
        if permitted:
            found = f"coalesce({found}, {self.pick(*self.weak)})"
        return f"({found} if {' and '.join(guards)} else {self.weak[0]})" if guards else found

    @property
    def weak(self) -> tuple[str, str]:
        """Numbers that change no dtype."""
        return ("False", "True") if self.kind == "b" else ("0", "1")

    # ------------------------------------------------------------- values

    def value(self, depth: int) -> str:
        """A value, some operations deep."""
        kind = int(self.rng.integers(0, 14)) if depth else 0
        if self.reads <= 0:
            return self.leaf()
        if kind <= 2:
            return self.read()
        if kind == 3:
            return self.leaf()
        if kind == 4:
            return f"({self.value(depth - 1)} if {self.condition(depth - 1)} else {self.read()})"
        if kind == 12:
            return self.among(_CALLS[self.kind]).format(self.read(), self.read())
        left, right = self.value(depth - 1), self.value(depth - 1)
        if kind == 13 and self.functions:
            return f"{self.among(self.functions)}({left}, {right})"
        if kind == 5 and self.kind not in "cb":
            return f"{self.pick('min', 'max')}({left}, {right})"
        if kind == 6 and self.kind in "if":
            return f"({left} - {right})"
        if kind == 7 and self.kind not in "b":
            return f"abs({left})" if self.kind != "c" else f"-{left}"
        return f"{left} * {right}" if kind < 11 else f"({left} + {right})"

    def leaf(self) -> str:
        """A number, a scalar or an index."""
        choices = [self.pick(*self.weak, "2"), *self.scalars]
        if self.kind in "fc":
            choices.append(self.pick("0.5", "2.0"))
        choices += [index for index, (lo, _) in self.ranges.items() if lo >= 0]
        return self.among(choices)

    def condition(self, depth: int) -> str:
        """A condition on values, or on indices."""
        kind = int(self.rng.integers(0, 8))
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
        """A comparison of indices."""
        index, other = self.among([*self.ranges]), self.among([*self.ranges])
        sign = self.pick("<=", "<", "==", ">=", ">", "!=")
        choices = [f"{index} {sign} {other}", f"{index} {sign} {other} + 1", f"{index} {sign} 1"]
        choices += [f"0 <= {index} - {other} < 2", f"{index} + 1 {sign} 2*{other}"]
        if "c" in self.scalars:
            choices.append(f"{index} {sign} {other} - c")
        for name, (own, _) in self.gathers.items():
            lo, hi = self.ranges[other]
            if lo >= 0 and hi <= own:
                choices += [f"{index} {sign} {name}[{other}]"] * 2
        return self.among(choices)


def _continues(mode: str, lo: int, hi: int, length: int) -> bool:
    """Whether what is outside is no further away than the array is long."""
    reach = length - (mode == "reflect")
    return length > 0 and lo >= -reach and hi <= length + reach
