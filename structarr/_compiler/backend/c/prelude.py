"""What C lacks, as functions of C: a kernel is printed with those that it calls."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from structarr._compiler.backend.c import complex_numbers

_DIVIDED = """static int64_t {name}(int64_t a, int64_t b) {{
    if (b == 0 || (a == INT64_MIN && b == -1)) return 0;
    int64_t rest = a % b, turned = rest != 0 && (rest ^ b) < 0;
    return {value};
}}"""

_EXTREME = """static {kind} {name}({kind} a, {kind} b) {{
    return b {sign} a ? b : a;
}}"""

_BITS = """static {to} {name}({own} x) {{
    union {{ {own} own; {to} to; }} both;
    both.own = x;
    return both.to;
}}"""

_SUMMED = """static double {name}(double a, double b) {{
    double top = a > b ? a : b, low = a > b ? b : a;
    if (a == b) return a + {of_two};
    return a != a || b != b ? a + b : top + {of_sum};
}}"""

_WHOLE = """static {kind} {name}(double x) {{
    return x >= -{bound} && x < {bound} ? ({kind})x : {least};
}}"""

TEXTS: Final[dict[str, str]] = {
    "floor_div": _DIVIDED.format(name="floor_div", value="a / b - turned"),
    "floor_mod": _DIVIDED.format(name="floor_mod", value="turned ? rest + b : rest"),
    "div_word": "static uint64_t div_word(uint64_t a, uint64_t b) {\n"
    "    return b == 0 ? 0 : a / b;\n}",
    "mod_word": "static uint64_t mod_word(uint64_t a, uint64_t b) {\n"
    "    return b == 0 ? 0 : a % b;\n}",
    **{
        f"{name}_{short}": _EXTREME.format(kind=kind, name=f"{name}_{short}", sign=sign)
        for name, sign in (("min", "<"), ("max", ">"))
        for short, kind in (
            *(("int", "int64_t"), ("word", "uint64_t")),
            *(("double", "double"), ("float", "float")),
        )
    },
    "abs_int": "static int64_t abs_int(int64_t x) {\n    return x < 0 ? -x : x;\n}",
    "gcd_word": "static uint64_t gcd_word(uint64_t a, uint64_t b) {\n"
    "    while (b != 0) {\n        uint64_t rest = a % b;\n        a = b;\n        b = rest;\n"
    "    }\n    return a;\n}",
    "lowest_bit": "static int64_t lowest_bit(uint64_t word) {\n    int64_t place = 0;\n"
    "    for (; (word & 1) == 0; word >>= 1) place++;\n    return place;\n}",
    "int64_of": _WHOLE.format(
        kind="int64_t", name="int64_of", bound="9223372036854775808.0", least="INT64_MIN"
    ),
    "int32_of": "static int32_t int32_of(double x) {\n"
    "    return x > -2147483649.0 && x < 2147483648.0 ? (int32_t)x : INT32_MIN;\n}",
    **{
        name: _BITS.format(name=name, own=own, to=to)
        for name, own, to in (
            ("double_bits", "double", "int64_t"),
            ("float_bits", "float", "int32_t"),
            ("double_of_bits", "int64_t", "double"),
            ("float_of_bits", "int32_t", "float"),
        )
    },
    "logaddexp": _SUMMED.format(
        name="logaddexp", of_two="0.6931471805599453", of_sum="log1p(exp(low - top))"
    ),
    "logaddexp2": _SUMMED.format(
        name="logaddexp2", of_two="1.0", of_sum="1.4426950408889634 * log1p(exp2(low - top))"
    ),
    "spacing": "static double spacing(double x) {\n"
    "    return isinf(x) ? NAN : nextafter(x, x < 0 ? -INFINITY : INFINITY) - x;\n}",
    "spacingf": "static float spacingf(float x) {\n"
    "    return isinf(x) ? NAN : nextafterf(x, x < 0 ? -INFINITY : INFINITY) - x;\n}",
}
"""The functions by their names."""

FLOATS: Final[dict[str, str]] = {
    **{
        name: name
        for name in (
            *("sqrt", "cbrt", "exp", "exp2", "expm1", "log", "log2", "log10", "log1p"),
            *("sin", "cos", "tan", "sinh", "cosh", "tanh"),
            *("rint", "floor", "ceil", "trunc", "fmod", "copysign", "hypot", "nextafter"),
        )
    },
    **{f"arc{name}": f"a{name}" for name in ("sin", "cos", "tan", "sinh", "cosh", "tanh")},
    "arctan2": "atan2",
    "power": "pow",
}
"""C's functions of floats by NumPy's names; those of single floats end in "f"."""

HEAD: Final = """\
#include <assert.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
"""

COMPLEX: Final = "#include <complex.h>\n"
"""The header of complex numbers, for kernels that have some."""

WORDS: Final = {
    *("auto", "break", "case", "char", "const", "continue", "default", "do", "double", "else"),
    *("enum", "extern", "float", "for", "goto", "if", "inline", "int", "long", "register"),
    *("restrict", "return", "short", "signed", "sizeof", "static", "struct", "switch", "typedef"),
    *("union", "unsigned", "void", "volatile", "while", "bool", "true", "false", "assert"),
    *("malloc", "free", "main", "NAN", "INFINITY", "signbit", "isinf", "fabs", "ldexp"),
    *("finish", "status", "where", *TEXTS, *FLOATS.values(), *complex_numbers.WORDS),
}
"""The names that no variable may have."""


def prelude(used: Iterable[str], texts: Iterable[str]) -> str:
    """The functions of some names, and those that they or some texts call."""
    every, names = {**TEXTS, **complex_numbers.TEXTS}, {*used}
    for one in reversed(complex_numbers.FIRST):
        called = (*texts, *[every[name] for name in names])
        if any(re.search(rf"\b{one}\(", text) for text in called):
            names.add(one)
    first = [one for one in complex_numbers.FIRST if one in names]
    return "\n\n".join([every[name] for name in (*first, *sorted(names - {*first}))])
