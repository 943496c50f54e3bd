"""The operators as kernels spell them: a row each, which both targets of Python text share.

A row says how an operator is written for operands of some kinds, how tightly that binds, and what
else a printer asks of it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from enum import IntEnum
from math import pi
from typing import Final

from structarr._compiler.runtime import HELPERS, values
from structarr._compiler.runtime.vectors import UNARY
from structarr._support.records import record

VALUES: Final = {name for name, helper in HELPERS.items() if helper.__module__ == values.__name__}
"""The helpers that compute values: what they are given are no places."""


class Precedence(IntEnum):
    """The precedence of an expression's outermost operator, the loosest first."""

    CHOICE = 0
    AND = 1
    NOT = 2
    COMPARISON = 3
    BIT_OR = 4
    BIT_XOR = 5
    BIT_AND = 6
    SUM = 7
    PRODUCT = 8
    SIGN = 9
    POWER = 10
    ATOM = 11


@record(slots=True)
class Spelling:
    """
    An application of an operator.

    Parameters
    ----------
    template : str
        The text, in which ``{0}``, ``{1}``, ... are operands: atoms, or in brackets. In the table,
        ``{out}`` is the constructor of the result's dtype, ``{in}`` the operand's, ``{unsigned}``
        that of the operand's unsigned twin, ``{bits}`` its width, ``{wrong}`` what NumPy gives for
        an integer ``1 / 0``, ``{greatest}`` and ``{least}`` are an integer's bounds.
    precedence : Precedence
        That of the outermost operator.
    converts : bool
        Whether it is a call of the constructor of the result's dtype.
    selects : bool
        Whether its value is one of the operands, hence of their dtype.
    tells : bool
        Whether it tells NumPy's numbers from Python's that it is given.
    narrow : Spelling, optional
        What stands in its place for integers, and parts of complex numbers, of 32 bits at most.
    """

    template: str
    precedence: Precedence = Precedence.ATOM
    converts: bool = False
    selects: bool = False
    tells: bool = False
    narrow: Spelling | None = None


Row = Mapping[str, Spelling]
"""Spellings by kinds of the first operand, out of ``"biufc"``."""

_SIGNS: Final = {
    "|": Precedence.BIT_OR,
    "^": Precedence.BIT_XOR,
    "&": Precedence.BIT_AND,
    **dict.fromkeys("+-", Precedence.SUM),
    **dict.fromkeys(("*", "/", "//", "%"), Precedence.PRODUCT),
    "**": Precedence.POWER,
    **dict.fromkeys(("==", "!=", "<", "<=", ">", ">="), Precedence.COMPARISON),
}


def _infix(sign: str, left: str = "{0}", right: str = "{1}") -> Spelling:
    return Spelling(f"{left} {sign} {right}", _SIGNS[sign])


def _sign(sign: str) -> Spelling:
    return Spelling(f"{sign}{{0}}", Precedence.SIGN)


def _call(name: str, *operands: str, selects: bool = False) -> Spelling:
    text = f"{name}({', '.join(operands)})"
    return Spelling(text, selects=selects, tells=name in VALUES)


def _cast(inner: Spelling) -> Spelling:
    """A conversion to the dtype of the result."""
    return Spelling(f"{{out}}({inner.template})", converts=True, tells=inner.tells)


_SELF = Spelling("{0}", selects=True)
_ONE, _TWO, _PARTS = ("{0}",), ("{0}", "{1}"), ("{0}.real", "{0}.imag")


def _every(spelling: Spelling) -> Row:
    return {"biufc": spelling}


def _numpys(name: str, operands: tuple[str, ...] = _ONE) -> Spelling:
    return replace(_call(f"np.{name}", *operands), tells=True)


def _by_loop(name: str, operands: tuple[str, ...] = _ONE) -> Spelling:
    """A function as NumPy's loops compute it, whose bits no other function has."""
    return replace(_call(f"scalar_{name}", *operands), tells=True)


def _divided(wide: Spelling, name: str) -> Spelling:
    """A division of integers, which are divided as floats where these hold them with room."""
    return replace(wide, narrow=_call(f"{name}_narrow", *_TWO))


def _most(name: str) -> Spelling:
    return _call(name, *_TWO, selects=True)


_NEGATION = _cast(Spelling("not {0}", Precedence.NOT))
_UNSIGNED = ("{unsigned}(abs({0}))", "{unsigned}(abs({1}))")
WHOLE_POWER: Final = _infix("**")
"""A float to a power that is known to be whole."""

_POWER: Row = {
    "iu": _call("power_int", *_TWO),
    "f": _by_loop("power", _TWO),
    "c": _by_loop("root", _TWO),
}

SPELLINGS: Final[dict[str, Row]] = {
    # Arithmetic. Booleans add by "or" and multiply by "and", as in NumPy.
    "add": {"b": _infix("|"), "iufc": _infix("+")},
    "subtract": _every(_infix("-")),
    "multiply": {"b": _infix("&"), "iufc": _infix("*")},
    "divide": {"f": _infix("/"), "c": _cast(_call("divide_complex", *_TWO))},
    "floor_divide": {
        "i": _divided(_call("floor_divide_int", *_TWO), "floor_divide"),
        "u": _divided(_infix("//"), "floor_divide"),
        "f": _call("floor_divide_float", *_TWO),
    },
    "remainder": {
        "i": _divided(_call("remainder_int", *_TWO), "remainder"),
        "u": _divided(_infix("%"), "remainder"),
        "f": _call("remainder_float", *_TWO),
    },
    "fmod": {"i": _call("fmod_int", *_TWO), "u": _infix("%"), "f": _numpys("fmod", _TWO)},
    "power": _POWER,
    "float_power": _POWER,
    "negative": _every(_sign("-")),
    "positive": _every(_SELF),
    "absolute": {
        "bu": _SELF,
        "if": _call("abs", *_ONE),
        "c": replace(
            _call("absolute_double", *_PARTS), narrow=_cast(_call("absolute_single", *_PARTS))
        ),
    },
    "fabs": _every(_call("abs", *_ONE)),
    "sign": {
        "i": _cast(_call("sign_int", *_ONE)),
        "u": _cast(_infix("!=", right="0")),
        "f": _cast(_call("sign_float", *_ONE)),
        "c": _cast(_call("sign_complex", *_ONE)),
    },
    "square": _every(_call("square", *_ONE)),
    "reciprocal": {
        "iu": _cast(_call("reciprocal_int", "{0}", "{in}({wrong})")),
        "f": _infix("/", "{in}(1)", "{0}"),
        "c": _cast(_call("reciprocal_complex", *_ONE)),
    },
    "conjugate": {"biuf": _SELF, "c": _numpys("conjugate")},
    "real": {"biuf": _SELF, "c": Spelling("{0}.real")},
    "imag": {"biuf": _cast(Spelling("0")), "c": Spelling("{0}.imag")},
    "angle": {
        "f": _by_loop("arctan2", ("{in}(0)", "{0}")),
        "c": _by_loop("arctan2", ("{0}.imag", "{0}.real")),
    },
    "heaviside": _every(_cast(_call("heaviside", *_TWO))),
    "copysign": _every(_numpys("copysign", _TWO)),
    "nextafter": _every(_numpys("nextafter", _TWO)),
    "spacing": _every(_numpys("spacing", ("{0} + {in}(0)",))),
    "ldexp": _every(_call("ldexp", *_TWO)),
    # Rounding: integers are whole already. NumPy's round and rint halve to even.
    **{name: {"biu": _SELF, "fc": _numpys(name)} for name in ("rint", "floor", "ceil", "trunc")},
    "round": {"biu": _SELF, "fc": _numpys("rint")},
    # Transcendental functions.
    **{name: _every(_by_loop(name)) for name in UNARY},
    "arctan2": _every(_by_loop("arctan2", _TWO)),
    "sqrt": _every(_numpys("sqrt")),
    **dict.fromkeys(
        ("degrees", "rad2deg"), _every(_infix("*", right=f"({{in}}(180) / {{in}}({pi!r}))"))
    ),
    **dict.fromkeys(("radians", "deg2rad"), _every(_infix("*", right=f"{{in}}({pi / 180!r})"))),
    **{name: _every(_numpys(name, _TWO)) for name in ("hypot", "logaddexp", "logaddexp2", "gcd")},
    # Integers and bits.
    "lcm": _every(_cast(_call("lcm", *_UNSIGNED))),
    "bitwise_and": _every(_infix("&")),
    "bitwise_or": _every(_infix("|")),
    "bitwise_xor": _every(_infix("^")),
    "invert": {"b": _NEGATION, "iu": _sign("~")},
    "left_shift": _every(_call("left_shift", *_TWO, "{bits}")),
    "right_shift": _every(_call("right_shift", *_TWO, "{bits}")),
    "bitwise_count": _every(_cast(_call("bitwise_count", _UNSIGNED[0]))),
    # Comparisons and logic. Complex numbers are ordered by their real, then their imaginary parts.
    **{
        name: {"biuf": _infix(sign), "c": _numpys(name, _TWO)}
        for name, sign in (
            *(("greater", ">"), ("greater_equal", ">="), ("less", "<"), ("less_equal", "<=")),
        )
    },
    "equal": _every(_infix("==")),
    "not_equal": _every(_infix("!=")),
    **{
        name: {"b": _infix(sign), "iufc": _infix(sign, "({0} != 0)", "({1} != 0)")}
        for name, sign in (("logical_and", "&"), ("logical_or", "|"), ("logical_xor", "^"))
    },
    "logical_not": {"b": _NEGATION, "iufc": _infix("==", right="0")},
    "isnan": {"biu": Spelling("bool_(False)"), "fc": _call("isnan", *_ONE)},
    "isinf": {
        "biu": Spelling("bool_(False)"),
        "f": _infix("==", "abs({0})", "np.inf"),
        "c": _numpys("isinf"),
    },
    "isfinite": {"biu": Spelling("bool_(True)"), "fc": _call("isfinite", *_ONE)},
    "signbit": _every(_numpys("signbit")),
    # Selection.
    "maximum": {"b": _infix("|"), "iuf": _most("maximum"), "c": _numpys("maximum", _TWO)},
    "minimum": {"b": _infix("&"), "iuf": _most("minimum"), "c": _numpys("minimum", _TWO)},
    "fmax": {
        **{"b": _infix("|"), "iu": _most("maximum"), "f": _most("fmax")},
        "c": _numpys("fmax", _TWO),
    },
    "fmin": {
        **{"b": _infix("&"), "iu": _most("minimum"), "f": _most("fmin")},
        "c": _numpys("fmin", _TWO),
    },
    "where": _every(
        Spelling("{1} if {0} else {2}", Precedence.CHOICE, selects=True, tells=True),
    ),
    # Of which NumPy has none.
    "counted": {"c": _cast(_call("counted_complex", *_TWO))},
    "divide_parts": {"c": _cast(_call("divide_parts", *_TWO))},
    "min_plus_multiply": {
        "f": _infix("+"),
        "iu": _cast(_call("add_unless", *_TWO, "{in}({greatest})")),
    },
    "max_plus_multiply": {
        "f": _infix("+"),
        "i": _cast(_call("add_unless", *_TWO, "{in}({least})")),
    },
    "max_times_add": {"b": _infix("|"), "iuf": _most("maximum")},
}
"""The spellings of every operator that is no function from outside, by its name."""
