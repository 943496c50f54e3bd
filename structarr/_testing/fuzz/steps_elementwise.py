"""Random steps that go element by element."""

from __future__ import annotations

from typing import Final

from structarr._testing.fuzz.draft import Draft
from structarr._testing.fuzz.values import DTYPES
from structarr._testing.fuzz.words import words

UNARY: Final = words(
    "negative positive absolute sign square sqrt exp expm1 log1p log sin cos tan arctan "
    "arcsinh tanh floor ceil trunc rint isnan isinf isfinite signbit logical_not "
    "conjugate reciprocal cbrt exp2 log2 log10 deg2rad rad2deg fabs arccos arcsin "
    "arccosh arctanh sinh cosh"
)
INTEGER: Final = ("invert", "bitwise_count")
BINARY: Final = words(
    "add subtract multiply maximum minimum add multiply subtract divide floor_divide "
    "remainder fmod power float_power fmax fmin hypot arctan2 copysign "
    "logaddexp logaddexp2 heaviside equal not_equal less less_equal greater greater_equal "
    "logical_and logical_or logical_xor"
)
INTEGERS: Final = words("bitwise_and bitwise_or bitwise_xor left_shift right_shift gcd lcm")
PARTS: Final = words(
    "real imag angle isreal iscomplex nan_to_num fix sinc conj isposinf isneginf real_if_close i0"
)
OPERATORS: Final = ("+", "-", "*", "+", "*", "/", "//", "%", "**", "<", "<=", "==", "!=", ">", ">=")
BITS: Final = ("&", "|", "^", "<<", ">>")


def unary(d: Draft) -> str | None:
    """A ufunc of one operand."""
    if d.chance(0.1) and (x := d.var(kinds="biu")):
        return f"np.{d.one(INTEGER)}({x})"
    if d.chance(0.02) and (x := d.var(kinds="f")):  # of integers NumPy tells float16's
        return f"np.spacing({x})"
    x = d.var()
    return x and f"np.{d.one(UNARY)}({x})"


def binary(d: Draft) -> str | None:
    """A ufunc of two operands."""
    integer = d.chance(0.12)
    x = d.var(kinds="biu" if integer else "biufc")
    if x is None:
        return None
    y = d.mate(x)
    if d.chance(0.4):
        op = d.one(BITS if integer else OPERATORS)
        return f"{x} {op} {y}" if d.chance(0.7) else f"{y} {op} {x}"
    name = d.one(INTEGERS if integer else BINARY)
    return f"np.{name}({x}, {y})" if d.chance(0.7) else f"np.{name}({y}, {x})"


def where(d: Draft) -> str | None:
    """A choice of two by a condition."""
    x = d.var()
    if x is None:
        return None
    y, z = d.mate(x), d.mate(x)
    parts = [x, y, z]
    order = [int(k) for k in d.rng.permutation(3)]
    a, b, c = (parts[k] for k in order)
    return f"np.where({a}, {b}, {c})"


def clip(d: Draft) -> str | None:
    """Values between bounds."""
    x = d.var(kinds="biuf")
    low, high = d.one(("None", "0", "-1", "1")), d.one(("None", "2", "3", "1"))
    return x and f"np.clip({x}, {low}, {high})"


def astype(d: Draft) -> str | None:
    """Another dtype."""
    x = d.var()
    dtype = d.one(DTYPES)
    if x is None:
        return None
    kind = d.values[x].dtype.kind if hasattr(d.values[x], "dtype") else "f"
    if kind in "fc" and not dtype.startswith(("f", "c", "b")):
        # Of NaN and what is too large C does not say what becomes an integer.
        return (
            f"np.clip(np.nan_to_num({x}), -100, 100).astype('{dtype}')"
            if kind == "f" and (not dtype.startswith("u"))
            else None
        )
    return f"{x}.astype('{dtype}')" if d.chance(0.7) else f"np.astype({x}, np.{dtype})"


def parts(d: Draft) -> str | None:
    """Parts and predicates of numbers."""
    x = d.var()
    return x and f"np.{d.one(PARTS)}({x})"


def round_(d: Draft) -> str | None:
    """Rounded to decimals."""
    x = d.var()
    return x and f"np.round({x}, {d.number(-1, 2)})"


def close(d: Draft) -> str | None:
    """Elements that are close, or arrays that are equal."""
    x = d.var()
    if x is None:
        return None
    name = d.one(("isclose", "isclose", "allclose", "array_equal", "array_equiv"))
    return f"np.{name}({x}, {d.mate(x)})"


def several(d: Draft) -> str | None:
    """One of several results."""
    x = d.var(kinds="biuf")
    if x is None:
        return None
    k = d.number(0, 1)
    if d.chance(0.5):
        return f"np.{d.one(('modf', 'frexp'))}({x})[{k}]"
    return f"np.divmod({x}, {d.mate(x)})[{k}]"


def choose(d: Draft) -> str | None:
    """Choices among several arrays."""
    x = d.var(kinds="biuf")
    if x is None:
        return None
    y, z = d.mate(x), d.mate(x)
    if d.chance(0.4):
        return f"np.choose({x} > 0, [{y}, {z}])"
    if d.chance(0.3):
        return f"np.piecewise({x}, [{x} > 0], [{d.number(0, 3)}, {d.number(-2, 2)}])"
    return f"np.select([{x} > 0, {x} < 0], [{y}, {z}], {d.number(-1, 2)})"


def with_dtype(d: Draft) -> str | None:
    """A ufunc with a dtype that is asked for."""
    x = d.var(kinds="biuf")
    if x is None:
        return None
    dtype = d.one(("float64", "float32", "complex128"))
    return f"np.{d.one(('add', 'multiply', 'maximum'))}({x}, {d.mate(x)}, dtype='{dtype}')"


def outer(d: Draft) -> str | None:
    """A ufunc of each pair of elements."""
    x, y = d.var(most=2), d.var(most=2)
    name = d.one(("add", "multiply", "maximum", "subtract", "less", "minimum", "divide"))
    return x and y and f"np.{name}.outer({x}, {y})"


STEPS: Final = {
    "unary": (10, unary),
    "binary": (26, binary),
    "where": (5, where),
    "clip": (2, clip),
    "astype": (4, astype),
    "parts": (2, parts),
    "round": (1, round_),
    "close": (1.5, close),
    "several": (1, several),
    "choose": (1.5, choose),
    "with_dtype": (1, with_dtype),
    "ufunc.outer": (1.5, outer),
}
