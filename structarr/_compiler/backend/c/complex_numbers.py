"""Complex numbers in C, whose operators are written out: C's own treat infinities otherwise."""

from __future__ import annotations

from typing import Final

MAKER: Final = "complex_of"
"""The function that makes a complex number of its parts, which C99 has no other way to write."""

_TEMPLATES: Final = {
    MAKER: """static {pair} {name}({part} real, {part} imag) {{
    union {{ {part} parts[2]; {pair} whole; }} both;
    both.parts[0] = real;
    both.parts[1] = imag;
    return both.whole;
}}""",
    "times": """static {pair} {name}({pair} a, {pair} b) {{
    return {make}({real}(a) * {real}(b) - {imag}(a) * {imag}(b),
        {real}(a) * {imag}(b) + {imag}(a) * {real}(b));
}}""",
    "reciprocal": """static {pair} {name}({pair} z) {{
    {part} x = {real}(z), y = {imag}(z), ratio, size;
    if (fabs{f}(y) <= fabs{f}(x)) {{
        ratio = y / x;
        size = x + y * ratio;
        return {make}(1 / size, -ratio / size);
    }}
    ratio = x / y;
    size = x * ratio + y;
    return {make}(ratio / size, -1 / size);
}}""",
    "pair_power": """static {pair} {name}({pair} base, {pair} exponent) {{
    {part} whole = {real}(exponent);
    if (base == 0 && exponent != 0) return {make}(whole > 0 ? 0 : NAN, whole > 0 ? 0 : NAN);
    if ({imag}(exponent) != 0 || whole != floor{f}(whole) || fabs{f}(whole) >= 100)
        return cpow{f}(base, exponent);
    int left = (int)fabs{f}(whole);
    {pair} found = base, square = base;
    if (left == 0) return 1;
    for (; (left & 1) == 0; left >>= 1) found = square = times{f}(square, square);
    while (left >>= 1) {{
        square = times{f}(square, square);
        if (left & 1) found = times{f}(found, square);
    }}
    return whole < 0 ? reciprocal{f}(found) : found;
}}""",
    "parts_rint": """static {pair} {name}({pair} z) {{
    return {make}(rint{f}({real}(z)), rint{f}({imag}(z)));
}}""",
    "pair_isinf": """static bool {name}({pair} z) {{
    return isinf({real}(z)) || isinf({imag}(z));
}}""",
    "pair_less": """static bool {name}({pair} a, {pair} b) {{
    return ({real}(a) < {real}(b) && {imag}(a) == {imag}(a) && {imag}(b) == {imag}(b))
        || ({real}(a) == {real}(b) && {imag}(a) < {imag}(b));
}}""",
    "pair_less_equal": """static bool {name}({pair} a, {pair} b) {{
    return ({real}(a) < {real}(b) && {imag}(a) == {imag}(a) && {imag}(b) == {imag}(b))
        || ({real}(a) == {real}(b) && {imag}(a) <= {imag}(b));
}}""",
    "pair_exp2": """static {pair} {name}({pair} z) {{
    {part} scale = 0.6931471805599453{f};
    return cexp{f}({make}({real}(z) * scale, {imag}(z) * scale));
}}""",
    "pair_log2": """static {pair} {name}({pair} z) {{
    {part} scale = 1.4426950408889634{f};
    z = clog{f}(z);
    return {make}({real}(z) * scale, {imag}(z) * scale);
}}""",
    "pair_log10": """static {pair} {name}({pair} z) {{
    {part} scale = 0.4342944819032518{f};
    z = clog{f}(z);
    return {make}({real}(z) * scale, {imag}(z) * scale);
}}""",
    "pair_expm1": """static {pair} {name}({pair} z) {{
    {part} x = {real}(z), y = {imag}(z), half = sin{f}(y / 2);
    return {make}(expm1{f}(x) * cos{f}(y) - 2 * half * half, exp{f}(x) * sin{f}(y));
}}""",
    "pair_log1p": """static {pair} {name}({pair} z) {{
    {part} x = {real}(z) + 1, y = {imag}(z);
    return {make}(log{f}(hypot{f}(x, y)), atan2{f}(y, x));
}}""",
    **{
        name: f"""static {{pair}} {{name}}({{pair}} a, {{pair}} b) {{{{
    return {no_number} != {no_number} || pair_less_equal{{f}}({order}) ? a : b;
}}}}"""
        for name, no_number, order in (
            *(("pair_maximum", "a", "b, a"), ("pair_minimum", "a", "a, b")),
            *(("pair_fmax", "b", "b, a"), ("pair_fmin", "b", "a, b")),
        )
    },
}

TEXTS: Final = {
    f"{name}{f}": template.format(
        **{"name": f"{name}{f}", "make": f"{MAKER}{f}", "f": f, "part": part},
        **{"pair": f"{part} complex", "real": f"creal{f}", "imag": f"cimag{f}"},
    )
    for name, template in _TEMPLATES.items()
    for f, part in (("", "double"), ("f", "float"))
}
"""The functions by their names; those of single floats end in "f"."""

FIRST: Final = (
    *(f"{MAKER}f", MAKER, "timesf", "times", "reciprocalf", "reciprocal"),
    *("pair_less_equalf", "pair_less_equal"),
)
"""Those that others call, each before those that it is called by."""

OWN: Final = {
    **{name: f"pair_{name}" for name in ("exp2", "log2", "log10", "expm1", "log1p", "isinf")},
    **{name: f"pair_{name}" for name in ("maximum", "minimum", "fmax", "fmin")},
    "power": "pair_power",
    "rint": "parts_rint",
    "reciprocal": "reciprocal",
    "less": "pair_less",
    "less_equal": "pair_less_equal",
}
"""Functions of complex numbers that are written out, by NumPy's names."""

KNOWN: Final = {
    **{name: f"c{name}" for name in ("exp", "log", "sqrt", "sin", "cos", "tan")},
    **{name: f"c{name}" for name in ("sinh", "cosh", "tanh")},
    **{f"arc{name}": f"ca{name}" for name in ("sin", "cos", "tan", "sinh", "cosh", "tanh")},
    "conjugate": "conj",
}
"""C's functions of complex numbers, by NumPy's names."""

PARTS: Final = ("creal", "cimag", "cabs", "cpow")
"""C's other functions of complex numbers that are called."""

BOOLS: Final = ("isinf", "less", "less_equal", "greater", "greater_equal")
"""Functions of complex numbers that tell whether something is so."""

WORDS: Final = {
    *TEXTS,
    *("complex", "I", "_Complex_I"),
    *(f"{name}{f}" for name in (*KNOWN.values(), *PARTS) for f in ("", "f")),
}
"""The names that no variable may have."""
