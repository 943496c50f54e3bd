"""Conversions and operators of numbers, as Numba understands Python's under NumPy's errors."""

from __future__ import annotations

import ast
import struct
from typing import Any, Final

from structarr._compiler.backend.llvm.complex_numbers import paired, parts
from structarr._compiler.backend.llvm.writer import Writer
from structarr._compiler.backend.text.kinds import (
    BOOL,
    INT,
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

WHOLE: Final[dict[type[ast.operator], str]] = {
    **{ast.Add: "add", ast.Sub: "sub", ast.Mult: "mul"},
    **{ast.BitAnd: "and", ast.BitOr: "or", ast.BitXor: "xor"},
}
FLOATS: Final[dict[type[ast.operator], str]] = {
    **{ast.Add: "fadd", ast.Sub: "fsub", ast.Mult: "fmul", ast.Div: "fdiv"},
}
UNITS: Final = {
    "double": ("i64", 0x4330000000000000, 2.0**52),
    "float": ("i32", 0x4B000000, 2.0**23),
}
"""The numbers in whose fractions the lowest bit is one, by their bits and their values."""
ORDERED: Final[dict[type[ast.cmpop], str]] = {
    **{ast.Lt: "lt", ast.LtE: "le", ast.Gt: "gt", ast.GtE: "ge"},
}


def constant(value: Any) -> Number:
    """A number that stands in the text."""
    kind = kind_of_constant(value)
    if kind.is_complex:
        part = kind.part.text
        return Number(kind, f"{{ {part} {_bits(value.real)}, {part} {_bits(value.imag)} }}")
    if kind == BOOL:
        return Number(BOOL, "true" if value else "false", int(value))
    if kind.is_whole:
        return Number(kind, str(int(value)), int(value))
    return Number(kind, _bits(float(value)))


def _bits(value: float) -> str:
    """A float by its bits, those of a double for narrower ones too."""
    (word,) = struct.unpack("<Q", struct.pack("<d", value))
    return f"0x{word:016X}"


def converted(writer: Writer, value: Number, kind: Kind) -> Number:
    """A number of another type, as the constructor of that type makes it."""
    own = value.kind
    if own == kind:
        return value
    if own.is_complex or kind.is_complex:
        return _of_parts(writer, value, kind)
    if value.constant is not None and kind.is_whole and kind != BOOL:
        return Number(kind, str(wrapped(value.constant, kind)), wrapped(value.constant, kind))
    if kind == BOOL:
        return Number(BOOL, truth(writer, value))
    if own.is_whole and kind.is_whole and own.bits == kind.bits and own != BOOL:
        return Number(kind, value.text)
    if own == BOOL and kind.text in UNITS:
        return _of_truth(writer, value.text, kind)
    return Number(kind, writer.set(f"{_way(own, kind)} {own.text} {value.text} to {kind.text}"))


def _of_truth(writer: Writer, truth: str, kind: Kind) -> Number:
    """A float of a boolean: the lowest bit of a fraction, of which the rest is taken off.

    LLVM branches where it converts one itself, which is slow if nobody can foretell it.
    """
    word, bits, value = UNITS[kind.text]
    low = writer.set(f"zext i1 {truth} to {word}")
    whole = writer.set(f"bitcast {word} {writer.set(f'or {word} {low}, {bits}')} to {kind.text}")
    return Number(kind, writer.set(f"fsub {kind.text} {whole}, {_bits(value)}"))


def _of_parts(writer: Writer, value: Number, kind: Kind) -> Number:
    """A complex number of another type, or a number as a complex one."""
    if kind == BOOL:
        return Number(BOOL, truth(writer, value))
    if not kind.is_complex:
        raise Untranslated(f"a conversion of complex numbers to {kind.name}")
    real, imag = (converted(writer, one, kind.part) for one in parts(writer, value))
    return paired(writer, kind, real, imag)


def _way(own: Kind, kind: Kind) -> str:
    """The instruction that converts a number of one type to another."""
    if own.is_whole and kind.is_whole:
        if own != BOOL and kind.bits < own.bits:
            return "trunc"
        return "sext" if own.code == "i" else "zext"
    if own.is_whole:
        return "sitofp" if own.code == "i" else "uitofp"
    if kind.is_whole:
        return "fptosi" if kind.code == "i" else "fptoui"
    return "fpext" if kind.bits > own.bits else "fptrunc"


def truth(writer: Writer, value: Number) -> str:
    """Whether a number is not zero."""
    if value.kind == BOOL:
        return value.text
    if value.kind.is_complex:
        real, imag = (truth(writer, one) for one in parts(writer, value))
        return writer.set(f"or i1 {real}, {imag}")
    if value.kind.is_whole:
        return writer.set(f"icmp ne {value.kind.text} {value.text}, 0")
    return writer.set(f"fcmp une {value.kind.text} {value.text}, 0.0")


def binary(
    writer: Writer,
    sign: ast.operator,
    left: Number,
    right: Number,
    flags: str = "",
    bounded: bool = False,
) -> Number:
    """Two numbers under an operator; flags are LLVM's of floats.

    Integers wrap around, as NumPy's do, unless they are `bounded`, as places in buffers are.
    """
    if isinstance(sign, ast.LShift | ast.RShift):
        return _shifted(writer, sign, left, right)
    kind = operated(sign, left.kind, right.kind)
    if kind == BOOL:
        return Number(BOOL, writer.set(f"{WHOLE[type(sign)]} i1 {left.text}, {right.text}"))
    if kind.is_complex:
        both = [converted(writer, one, kind) for one in (left, right)]
        return _of_pairs(writer, sign, both[0], both[1], flags)
    a, b = (converted(writer, one, kind).text for one in (left, right))
    if not kind.is_whole:
        return _of_floats(writer, sign, kind, a, b, flags)
    if isinstance(sign, ast.FloorDiv | ast.Mod):
        return _divided(writer, sign, kind, a, b)
    name = WHOLE.get(type(sign))
    if name is None:
        raise Untranslated(f"the operator {sign}")
    never_wraps = bounded and kind == INT and name in ("add", "sub", "mul")
    return Number(kind, writer.set(f"{name} {'nsw ' * never_wraps}{kind.text} {a}, {b}"))


def _of_floats(
    writer: Writer, sign: ast.operator, kind: Kind, a: str, b: str, flags: str
) -> Number:
    if isinstance(sign, ast.Pow):
        name = f"llvm.pow.f{kind.bits}"
        args = (f"{kind.text} {a}", f"{kind.text} {b}")
        return Number(kind, writer.call(name, kind.text, *args))
    name = FLOATS.get(type(sign), "")
    if not name:
        raise Untranslated(f"the operator {sign} of floats")
    return Number(kind, writer.set(f"{name} {flags}{kind.text} {a}, {b}"))


def _of_pairs(
    writer: Writer, sign: ast.operator, left: Number, right: Number, flags: str
) -> Number:
    """A sum, difference or product of complex numbers of one type."""
    kind, own = left.kind, left.kind.part

    def of(sign: ast.operator, one: Number, other: Number) -> Number:
        return _of_floats(writer, sign, own, one.text, other.text, flags)

    (a, b), (c, d) = parts(writer, left), parts(writer, right)
    if isinstance(sign, ast.Mult):
        real = of(ast.Sub(), of(sign, a, c), of(sign, b, d))
        return paired(writer, kind, real, of(ast.Add(), of(sign, a, d), of(sign, b, c)))
    if not isinstance(sign, ast.Add | ast.Sub):
        raise Untranslated(f"the operator {sign} of complex numbers")
    return paired(writer, kind, of(sign, a, c), of(sign, b, d))


def _shifted(writer: Writer, sign: ast.operator, left: Number, right: Number) -> Number:
    if not (left.kind.is_whole and right.kind.is_whole) or BOOL in (left.kind, right.kind):
        raise Untranslated("a shift of no integers")
    kind = wide(left.kind)
    a, b = (converted(writer, one, kind).text for one in (left, right))
    right_name = "ashr" if kind == INT else "lshr"
    name = "shl" if isinstance(sign, ast.LShift) else right_name
    return Number(kind, writer.set(f"{name} {kind.text} {a}, {b}"))


def _divided(writer: Writer, sign: ast.operator, kind: Kind, a: str, b: str) -> Number:
    """A quotient rounded down or its remainder; 0 over zero, and of the least integer over -1."""
    remains = isinstance(sign, ast.Mod)
    bad = writer.set(f"icmp eq i64 {b}, 0")
    if kind == INT:
        least = writer.set(f"icmp eq i64 {a}, {-(1 << 63)}")
        minus = writer.set(f"icmp eq i64 {b}, -1")
        both = writer.set(f"and i1 {least}, {minus}")
        bad = writer.set(f"or i1 {bad}, {both}")
    begin, divide, end = writer.block, writer.label("divide"), writer.label("divided")
    writer.end(f"br i1 {bad}, label %{end}, label %{divide}, !prof !0")
    writer.open(divide)
    found = _rounded_down(writer, remains, a, b) if kind == INT else ""
    if kind == WORD:
        found = writer.set(f"{'urem' if remains else 'udiv'} i64 {a}, {b}")
    writer.goto(end)
    writer.open(end)
    return Number(kind, writer.set(f"phi i64 [ 0, %{begin} ], [ {found}, %{divide} ]"))


def _rounded_down(writer: Writer, remains: bool, a: str, b: str) -> str:
    rest = writer.set(f"srem i64 {a}, {b}")
    crossed = writer.set(f"xor i64 {b}, {rest}")
    unlike = writer.set(f"icmp slt i64 {crossed}, 0")
    some = writer.set(f"icmp ne i64 {rest}, 0")
    turned = writer.set(f"and i1 {some}, {unlike}")
    if remains:
        moved = writer.set(f"add i64 {rest}, {b}")
        return writer.set(f"select i1 {turned}, i64 {moved}, i64 {rest}")
    whole = writer.set(f"sdiv i64 {a}, {b}")
    below = writer.set(f"sub i64 {whole}, 1")
    return writer.set(f"select i1 {turned}, i64 {below}, i64 {whole}")


def compared(writer: Writer, sign: ast.cmpop, left: Number, right: Number) -> Number:
    """Whether two numbers compare as they do in mathematics."""
    if not isinstance(sign, ast.Eq | ast.NotEq) and type(sign) not in ORDERED:
        raise Untranslated(f"the comparison {sign}")
    kind = left.kind if left.kind == right.kind else common(left.kind, right.kind)
    if kind == INT and WORD in (left.kind, right.kind):
        return _across_signs(writer, sign, left, right)
    if kind.is_complex:
        return _of_equal_parts(
            writer, sign, *[converted(writer, one, kind) for one in (left, right)]
        )
    a, b = (converted(writer, one, kind).text for one in (left, right))
    return Number(BOOL, writer.set(f"{_comparison(sign, kind)} {kind.text} {a}, {b}"))


def _of_equal_parts(writer: Writer, sign: ast.cmpop, left: Number, right: Number) -> Number:
    """Whether both parts of two complex numbers are equal, or are not both."""
    if type(sign) in ORDERED:
        raise Untranslated("an order of complex numbers")
    pairs = zip(parts(writer, left), parts(writer, right), strict=True)
    real, imag = (compared(writer, sign, *pair).text for pair in pairs)
    both = "and" if isinstance(sign, ast.Eq) else "or"
    return Number(BOOL, writer.set(f"{both} i1 {real}, {imag}"))


def _comparison(sign: ast.cmpop, kind: Kind) -> str:
    """The instruction that compares two numbers of a type; NaN is unlike all."""
    equal, ordered = isinstance(sign, ast.Eq), ORDERED.get(type(sign), "")
    if not kind.is_whole:
        return f"fcmp {f'o{ordered}' if ordered else 'oeq' if equal else 'une'}"
    if ordered:
        return f"icmp {'s' if kind.code == 'i' else 'u'}{ordered}"
    return f"icmp {'eq' if equal else 'ne'}"


def _across_signs(writer: Writer, sign: ast.cmpop, left: Number, right: Number) -> Number:
    """Whether integers with and without a sign compare: one below zero is below all others."""
    a, b = (converted(writer, one, INT).text for one in (left, right))
    found = writer.set(f"{_comparison(sign, WORD)} i64 {a}, {b}")
    signed = b if left.kind == WORD else a
    below = writer.set(f"icmp slt i64 {signed}, 0")
    larger = (ast.Gt, ast.GtE) if left.kind == WORD else (ast.Lt, ast.LtE)
    holds = isinstance(sign, (ast.NotEq, *larger))
    told = "true" if holds else "false"
    return Number(BOOL, writer.set(f"select i1 {below}, i1 {told}, i1 {found}"))


def negated(writer: Writer, value: Number) -> Number:
    """A number with the other sign."""
    if value.constant is not None and value.kind != BOOL:
        return constant(-value.constant)
    kind = wide(value.kind)
    if kind.is_complex:
        real, imag = (negated(writer, one) for one in parts(writer, value))
        return paired(writer, kind, real, imag)
    if not kind.is_whole:
        return Number(kind, writer.set(f"fneg {kind.text} {value.text}"))
    wider = converted(writer, value, kind).text
    return Number(kind, writer.set(f"sub {kind.text} 0, {wider}"))


def inverted(writer: Writer, value: Number) -> Number:
    """An integer with all its bits changed."""
    if not value.kind.is_whole or value.kind == BOOL:
        raise Untranslated("the inverse of no integer")
    kind = wide(value.kind)
    wider = converted(writer, value, kind).text
    return Number(kind, writer.set(f"xor {kind.text} {wider}, -1"))


def chosen(writer: Writer, name: str, args: list[Number]) -> Number:
    """The least or largest of some integers, the first of equal ones."""
    best, *others = args
    for other in others:
        if not (best.kind.is_whole and other.kind.is_whole):
            raise Untranslated(f"{name} of floats")
        sign: Any = ast.Lt() if name == "min" else ast.Gt()
        kind = common(best.kind, other.kind)
        a, b = (converted(writer, one, kind) for one in (best, other))
        taken = compared(writer, sign, b, a).text
        picked = writer.set(f"select i1 {taken}, {kind.text} {b.text}, {kind.text} {a.text}")
        best = Number(kind, picked)
    return best
