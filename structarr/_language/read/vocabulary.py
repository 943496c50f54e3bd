"""The words of the language: what Python's signs and functions are called by the operators."""

from __future__ import annotations

import ast
from typing import Final

import numpy as np

from structarr._support import dtypes

BINARY: Final[dict[type[ast.operator], str]] = {
    ast.Add: "add",
    ast.Sub: "subtract",
    ast.Mult: "multiply",
    ast.Div: "divide",
    ast.FloorDiv: "floor_divide",
    ast.Mod: "remainder",
    ast.Pow: "power",
    ast.BitAnd: "bitwise_and",
    ast.BitOr: "bitwise_or",
    ast.BitXor: "bitwise_xor",
    ast.LShift: "left_shift",
    ast.RShift: "right_shift",
}

UNARY: Final[dict[type[ast.unaryop], str]] = {
    ast.USub: "negative",
    ast.UAdd: "positive",
    ast.Not: "logical_not",
    ast.Invert: "invert",
}

COMPARISONS: Final[dict[type[ast.cmpop], str]] = {
    ast.Eq: "equal",
    ast.NotEq: "not_equal",
    ast.Lt: "less",
    ast.LtE: "less_equal",
    ast.Gt: "greater",
    ast.GtE: "greater_equal",
}

LOGICAL: Final[dict[type[ast.boolop], str]] = {ast.And: "logical_and", ast.Or: "logical_or"}

PADDINGS: Final = frozenset({"edge", "circular", "reflect", "symmetric"})
PROTOCOLS: Final = frozenset({"walk", "gallop", "locate", "permit"}) | PADDINGS

CONSTANTS: Final = {"inf": np.inf, "nan": np.nan, "pi": np.pi, "e": np.e}
"""What is a number as an attribute: `np.inf`."""

MAKERS: Final = {
    "zeros": ("shape", "dtype"),
    "ones": ("shape", "dtype"),
    "empty": ("shape", "dtype"),
    "full": ("shape", "fill_value", "dtype"),
}
"""The functions that make an array, with their arguments."""

REFUSED: Final = {
    "math.remainder": "it rounds to the nearest, unlike `np.remainder`: "
    "write `x - y * np.rint(x / y)`",
}
"""Functions of a name that means another operator here."""

_BUILTINS = {"min": "minimum", "max": "maximum", "and": "logical_and", "or": "logical_or"}
_PYTHON_TYPES: dict[str, type] = {kind.__name__: kind for kind in (bool, int, float, complex)}
_STORED = (
    *("float32", "float64", "complex64", "complex128"),
    *(f"{sign}int{bits}" for sign in ("", "u") for bits in (8, 16, 32, 64)),
)
_CASTS = {*_PYTHON_TYPES, "bool_", *_STORED}
CASTS: Final = {f"astype:{dtype}": dtype for dtype in ("bool", *_STORED)}
"""The operators that convert a value, with the dtypes that they convert it to."""


def operator(name: str) -> str:
    """Return the operator that a function's name means, itself if it is nobody's other name.

    >>> operator("max"), operator("acos"), operator("mine"), operator("float")
    ('maximum', 'arccos', 'mine', 'astype:float64')
    """
    if name in _CASTS:
        return f"astype:{dtype(name)}"
    ufunc = vars(np).get(_BUILTINS.get(name, name))
    return ufunc.__name__ if isinstance(ufunc, np.ufunc) else name


def dtype(name: str) -> str:
    """Return NumPy's name of a dtype that is called `name` in a program.

    Raises
    ------
    TypeError
        If it is no dtype, or none that can be stored.

    Examples
    --------
    >>> dtype("float"), dtype("double"), dtype("u1")
    ('float64', 'float64', 'uint8')
    """
    kind = _PYTHON_TYPES.get(name) or vars(np).get(name)
    if not isinstance(kind, type) and not name.isidentifier():
        raise TypeError(f"{name!r} is no dtype")
    return str(dtypes.check(kind if isinstance(kind, type) else name).name)
