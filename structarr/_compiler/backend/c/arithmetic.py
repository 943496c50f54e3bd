"""Conversions and operators of numbers in C."""

from __future__ import annotations

import ast
import math
from typing import Any, Final

from structarr._compiler.backend.c.code import Code, type_of
from structarr._compiler.backend.c.complex_numbers import MAKER
from structarr._compiler.backend.text.kinds import (
    BOOL,
    INT,
    KINDS,
    SINGLE,
    WORD,
    Kind,
    Number,
    Untranslated,
    common,
    kind_of_constant,
    operated,
    wide,
    wrapped,
)

SIGNS: Final[dict[type[ast.operator], str]] = {
    **{ast.Add: "+", ast.Sub: "-", ast.Mult: "*"},
    **{ast.BitAnd: "&", ast.BitOr: "|", ast.BitXor: "^"},
}
COMPARISONS: Final[dict[type[ast.cmpop], str]] = {
    **{ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">="},
    **{ast.Eq: "==", ast.NotEq: "!="},
}
EXACT: Final = 1 << 24
"""Integers below are floats of any width as they are."""

WHOLE: Final = {INT: "int64_of", KINDS["int32"]: "int32_of"}
DIVISIONS: Final = {
    (ast.FloorDiv, INT): "floor_div",
    (ast.Mod, INT): "floor_mod",
    (ast.FloorDiv, WORD): "div_word",
    (ast.Mod, WORD): "mod_word",
}


def atom(value: Number) -> str:
    """A number as an operand of anything."""
    return value.text if value.is_atom else f"({value.text})"


def constant(value: Any) -> Number:
    """A number that stands in the text."""
    kind = kind_of_constant(value)
    if kind == BOOL:
        return Number(BOOL, "true" if value else "false", int(value))
    return _whole(kind, int(value)) if kind.is_whole else _float(kind, complex(value))


def _whole(kind: Kind, value: int) -> Number:
    """An integer of a type."""
    shown = f"({type_of(kind)}){value}"
    if kind == WORD:
        shown = f"UINT64_C({value})"
    if kind == INT:
        shown = str(value) if abs(value) < 1 << 31 else f"INT64_C({value})"
    return Number(kind, "INT64_MIN" if value == -(1 << 63) else shown, value, value >= 0)


def _float(kind: Kind, value: complex) -> Number:
    if kind.is_complex:
        parts = [_real(kind.part, one).text for one in (value.real, value.imag)]
        return Number(kind, f"{MAKER}{suffix(kind)}({', '.join(parts)})")
    return _real(kind, value.real)


def _real(kind: Kind, value: float) -> Number:
    if math.isnan(value):
        return Number(kind, "NAN")
    positive = math.copysign(1.0, value) > 0
    if math.isinf(value):
        return Number(kind, "INFINITY" if positive else "-INFINITY", None, positive)
    return Number(kind, f"{value!r}{suffix(kind)}", None, positive)


def suffix(kind: Kind) -> str:
    """What the names of C's functions of a type of floats end in."""
    return "f" * (kind.part == SINGLE)


def converted(code: Code, value: Number, kind: Kind) -> Number:
    """A number of another type, as the constructor of that type makes it."""
    own = value.kind
    if own == kind:
        return value
    if value.constant is not None and kind.is_whole and kind != BOOL:
        return _whole(kind, wrapped(value.constant, kind))
    if kind == BOOL:
        return truth(value)
    if value.constant is not None and abs(value.constant) < EXACT:
        return _float(kind, float(value.constant))
    if own.is_complex and not kind.is_complex:
        raise Untranslated(f"a conversion of complex numbers to {kind.name}")
    if own.is_whole or not kind.is_whole:
        return Number(kind, f"({type_of(kind)}){atom(value)}")
    if kind not in WHOLE:
        raise Untranslated(f"a conversion of floats to {kind.name}")
    return Number(kind, code.call(WHOLE[kind], value.text))


def assigned(code: Code, value: Number, kind: Kind) -> str:
    """The text of a number that a variable of a type is set to, to which C converts some itself."""
    own = value.kind
    is_wider = own.code == kind.code in ("i", "u") and own.bits <= kind.bits
    return value.text if is_wider else converted(code, value, kind).text


def truth(value: Number) -> Number:
    """Whether a number is not zero."""
    return value if value.kind == BOOL else Number(BOOL, f"{atom(value)} != 0", None, False)


def binary(code: Code, sign: ast.operator, left: Number, right: Number) -> Number:
    """Two numbers under an operator."""
    if isinstance(sign, ast.LShift | ast.RShift):
        return _shifted(code, sign, left, right)
    if isinstance(sign, ast.Pow) and right.constant == 2 and wide(left.kind) == INT:
        return binary(code, ast.Mult(), left, left)
    kind = operated(sign, left.kind, right.kind)
    if left.kind == right.kind == BOOL != kind:
        raise Untranslated("arithmetic of conditions")  # which NumPy does on bits
    if kind.is_whole and left.constant is not None and right.constant is not None:
        left = Number(kind, f"({type_of(kind)}){atom(left)}")
    a, b = (atom(converted(code, one, kind)) for one in (left, right))
    if (type(sign), kind) in DIVISIONS:
        return Number(kind, code.call(DIVISIONS[type(sign), kind], a, b))
    if isinstance(sign, ast.Pow) and not kind.is_whole:
        name = f"pair_power{suffix(kind)}" if kind.is_complex else f"pow{suffix(kind)}"
        return Number(kind, code.call(name, a, b) if kind.is_complex else f"{name}({a}, {b})")
    if kind.is_complex and isinstance(sign, ast.Mult):
        return Number(kind, code.call(f"times{suffix(kind)}", a, b))
    if kind.is_complex and isinstance(sign, ast.Div):
        raise Untranslated("a quotient of complex numbers")
    shown = SIGNS.get(type(sign), "")
    if not kind.is_whole:
        shown = "/" if isinstance(sign, ast.Div) else shown * (shown in "+-*")
    if not shown:
        raise Untranslated(f"the operator {type(sign).__name__}")
    return Number(kind, f"{a} {shown} {b}", None, False)


def _shifted(code: Code, sign: ast.operator, left: Number, right: Number) -> Number:
    if not (left.kind.is_whole and right.kind.is_whole) or BOOL in (left.kind, right.kind):
        raise Untranslated("a shift of no integers")
    kind = wide(left.kind)
    by = atom(right)
    if isinstance(sign, ast.RShift):
        return Number(kind, f"{atom(converted(code, left, kind))} >> {by}", None, False)
    word = Number(WORD, f"{atom(converted(code, left, WORD))} << {by}", None, False)
    return converted(code, word, kind)


def compared(code: Code, sign: ast.cmpop, left: Number, right: Number) -> Number:
    """Whether two numbers compare as they do in mathematics."""
    shown = COMPARISONS.get(type(sign))
    if shown is None:
        raise Untranslated(f"the comparison {type(sign).__name__}")
    kind = left.kind if left.kind == right.kind else common(left.kind, right.kind)
    if kind.is_complex and not isinstance(sign, ast.Eq | ast.NotEq):
        raise Untranslated("an order of complex numbers")
    if kind == INT and WORD in (left.kind, right.kind):
        return _across_signs(code, sign, left, right)
    a, b = (atom(converted(code, one, kind)) for one in (left, right))
    return Number(BOOL, f"{a} {shown} {b}", None, False)


def _across_signs(code: Code, sign: ast.cmpop, left: Number, right: Number) -> Number:
    """Whether integers with and without a sign compare: one below zero is below all others."""
    signed = right if left.kind == WORD else left
    a, b = (atom(converted(code, one, WORD)) for one in (left, right))
    if signed.constant is not None and signed.constant >= 0:
        return Number(BOOL, f"{a} {COMPARISONS[type(sign)]} {b}", None, False)
    larger = (ast.Gt, ast.GtE) if left.kind == WORD else (ast.Lt, ast.LtE)
    told = "true" if isinstance(sign, (ast.NotEq, *larger)) else "false"
    shown = f"{atom(signed)} < 0 ? {told} : {a} {COMPARISONS[type(sign)]} {b}"
    return Number(BOOL, shown, None, False)


def negated(code: Code, value: Number) -> Number:
    """A number with the other sign."""
    if value.constant is not None and value.kind != BOOL:
        return constant(-value.constant)
    kind = wide(value.kind)
    return Number(kind, f"-{atom(converted(code, value, kind))}", None, False)


def inverted(code: Code, value: Number) -> Number:
    """An integer with all its bits changed."""
    if not value.kind.is_whole or value.kind == BOOL:
        raise Untranslated("the inverse of no integer")
    kind = wide(value.kind)
    return Number(kind, f"~{atom(converted(code, value, kind))}", None, False)
