"""Types of values in kernels, and what the operators of two types give: Numba's rules."""

from __future__ import annotations

import ast
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
        One of "b", "i", "u", "f", "c".
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
        if self.is_complex:
            return f"{{ {self.part.text}, {self.part.text} }}"
        if self.code == "f":
            return "double" if self.bits == 64 else "float"
        return f"i{self.bits}"

    @property
    def is_whole(self) -> bool:
        """Whether it is an integer or a boolean."""
        return self.code not in "fc"

    @property
    def is_complex(self) -> bool:
        """Whether it is a pair of floats."""
        return self.code == "c"

    @property
    def part(self) -> Kind:
        """The type of the real part."""
        return KINDS[f"float{self.bits // 2}"] if self.is_complex else self


KINDS: Final = {
    name: Kind(name, np.dtype(name).kind, 8 * np.dtype(name).itemsize)
    for name in (
        *("bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"),
        *("float32", "float64", "complex64", "complex128"),
    )
}
BOOL, INT, WORD = KINDS["bool"], KINDS["int64"], KINDS["uint64"]
SINGLE, DOUBLE = KINDS["float32"], KINDS["float64"]
SINGLES, DOUBLES = KINDS["complex64"], KINDS["complex128"]


class Number(NamedTuple):
    """A value as the text of an operand in the language of a translation.

    Attributes
    ----------
    kind : Kind
        Its type.
    text : str
        The text.
    constant : int or None
        The value of a whole literal.
    is_atom : bool
        Whether the text needs no brackets, wherever it stands.
    """

    kind: Kind
    text: str
    constant: int | None = None
    is_atom: bool = True


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
    """The type of a dtype."""
    found = KINDS.get(np.dtype(dtype).name)
    if found is None:
        raise Untranslated(f"values of {dtype}")
    return found


def kind_of_constant(value: Any) -> Kind:
    """The type of a number that stands in a text."""
    if isinstance(value, bool | np.bool_):
        return BOOL
    if isinstance(value, int):
        return INT if value < 1 << 63 else WORD
    if isinstance(value, float) and not isinstance(value, np.generic):
        return DOUBLE
    if isinstance(value, complex) and not isinstance(value, np.generic):
        return DOUBLES
    if isinstance(value, np.number):
        return kind_of(value.dtype)
    raise Untranslated(f"the constant {value!r}")


def wrapped(value: int, kind: Kind) -> int:
    """An integer as the bits of a type hold it."""
    value &= (1 << kind.bits) - 1
    return value - (1 << kind.bits) if kind.code == "i" and value >> (kind.bits - 1) else value


def wide(kind: Kind) -> Kind:
    """The type of arithmetic on a type: no integer of fewer than 64 bits."""
    if not kind.is_whole:
        return kind
    return WORD if kind.code == "u" else INT


def common(left: Kind, right: Kind) -> Kind:
    """The common type of two types' arithmetic."""
    left, right = wide(left), wide(right)
    if left == right:
        return left
    if left.is_complex or right.is_complex:
        return SINGLES if {left.part, right.part} == {SINGLE} else DOUBLES
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


def operated(sign: ast.operator, left: Kind, right: Kind) -> Kind:
    """The type in which an operator but a shift works on two numbers: that of its value."""
    if left == right == BOOL and isinstance(sign, ast.BitAnd | ast.BitOr | ast.BitXor):
        return BOOL
    kind = common(left, right)
    if isinstance(sign, ast.Div) and kind.is_whole:
        kind = DOUBLE
    _check_narrow(kind, left, right)
    return kind


def _check_narrow(kind: Kind, *operands: Kind) -> None:
    """Leave single floats beside narrow integers to Numba, which takes either type for them."""
    is_single = SINGLE in operands or SINGLES in operands
    if is_single and any(one.is_whole and one != INT for one in operands):
        raise Untranslated("single floats and integers")
    if kind.part == DOUBLE and any(one.is_whole and one.code not in "ib" for one in operands):
        raise Untranslated("floats and integers without signs")
