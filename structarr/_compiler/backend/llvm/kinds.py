"""Types of values in kernels, and what the operators of two types give: Numba's rules."""

from __future__ import annotations

import struct
from typing import Any, Final, NamedTuple

import numpy as np


class Untranslated(Exception):
    """A kernel has something that is not translated here; Numba compiles it."""


class Kind(NamedTuple):
    """The type of a number.

    Attributes
    ----------
    name : str
        NumPy's name of it.
    code : str
        One of "b", "i", "u", "f".
    bits : int
        Its width in memory.
    """

    name: str
    code: str
    bits: int

    @property
    def text(self) -> str:
        """LLVM's type of a value."""
        return "i1" if self.code == "b" else self.stored

    @property
    def stored(self) -> str:
        """LLVM's type of an element in memory."""
        if self.code == "f":
            return "double" if self.bits == 64 else "float"
        return f"i{self.bits}"

    @property
    def is_whole(self) -> bool:
        """Whether it is an integer or a boolean."""
        return self.code != "f"


KINDS: Final = {
    name: Kind(name, np.dtype(name).kind, 8 * np.dtype(name).itemsize)
    for name in (
        *("bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"),
        *("float32", "float64"),
    )
}
BOOL, INT, WORD = KINDS["bool"], KINDS["int64"], KINDS["uint64"]
SINGLE, DOUBLE = KINDS["float32"], KINDS["float64"]


class Number(NamedTuple):
    """A value as the text of an operand: a register, or a constant."""

    kind: Kind
    text: str
    constant: int | None = None  # the value of a whole literal


class Array(NamedTuple):
    """A buffer: the type of its elements, and the texts of its address and length."""

    kind: Kind
    data: str
    length: str


class Several(NamedTuple):
    """The values of a tuple."""

    values: tuple[Value, ...]


Value = Number | Array | Several | None
"""What an expression gives; None is Python's."""


def kind_of(dtype: Any) -> Kind:
    """The type of a dtype; only numbers that are no pairs have one."""
    found = KINDS.get(np.dtype(dtype).name)
    if found is None:
        raise Untranslated(f"values of {dtype}")
    return found


def constant(value: Any) -> Number:
    """A number that stands in the text."""
    if isinstance(value, bool | np.bool_):
        return Number(BOOL, "true" if value else "false", int(value))
    if isinstance(value, int):
        return Number(INT if value < 1 << 63 else WORD, str(value), value)
    if isinstance(value, np.integer):
        return Number(kind_of(value.dtype), str(int(value)), int(value))
    if isinstance(value, np.float32):
        return Number(SINGLE, _bits(float(value)))
    if isinstance(value, float):
        return Number(DOUBLE, _bits(value))
    raise Untranslated(f"the constant {value!r}")


def _bits(value: float) -> str:
    """A float by its bits, those of a double for narrower ones too."""
    (word,) = struct.unpack("<Q", struct.pack("<d", value))
    return f"0x{word:016X}"


def wide(kind: Kind) -> Kind:
    """The type of arithmetic on a type: no integer of fewer than 64 bits."""
    if kind.code == "f":
        return kind
    return WORD if kind.code == "u" else INT


def common(left: Kind, right: Kind) -> Kind:
    """The common type of two types' arithmetic."""
    left, right = wide(left), wide(right)
    if left == right:
        return left
    if left.is_whole and right.is_whole:
        return INT
    if SINGLE in (left, right) and DOUBLE not in (left, right):
        return DOUBLE  # an integer of 64 bits and a single float
    return DOUBLE


def joined(left: Kind, right: Kind) -> Kind | None:
    """The type of what may be of either; None where there is none."""
    if left == right:
        return left
    if left.code == right.code:
        return max(left, right, key=lambda one: one.bits)
    if WORD in (left, right) and left.is_whole and right.is_whole:
        return None
    return common(left, right)
