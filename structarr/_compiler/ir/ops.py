"""The operators: their names, and their algebra as data.

A row of the table at the end is all that an operator is to the compiler's passes. How a kernel
computes it is each target's business; dtypes are NumPy's, settled before by `dtypes.resolve`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import fields
from math import inf, nan
from typing import Any, Final
from weakref import WeakValueDictionary

from structarr._support.records import record

Scalar = bool | int | float | complex
"""A Python scalar, read as the operand's dtype by a C cast (-1 is all ones, so True for bool)."""


@record(slots=True, weak=True, eq=False)
class Op:
    """A scalar operator, named as NumPy names its ufunc; one instance a name, equal by identity.

    Every algebraic fact is about operands and a result of ONE dtype: the left identity False of
    `logical_or` says nothing of ``logical_or(False, 5.0)``. Facts ignore the sign of zero and
    overflow of floats unless they are *exact*; rounding is a matter of `associative` and
    `distributes_over`, which rules must not use on floats.

    Parameters
    ----------
    name : str
        The name, unique among all operators.
    arity : int
        The number of operands.
    left_identity, right_identity : scalar, optional
        ``f(v, x) = x``, or ``f(x, v) = x``.
    left_annihilator, right_annihilator : scalar, optional
        ``f(v, x) = v``, or ``f(x, v) = v``, for all finite `x` at which `f` is defined
        (``0 / 0`` is not: see `annihilates_exactly`).
    right_constant : pair of scalars, optional
        ``(v, c)`` with ``f(x, v) = c`` for all `x`, exactly: ``x ** 0 = 1``.
    identity_exactly, annihilates_exactly : str
        The kinds, out of ``"biufc"`` (bool, signed, unsigned, float, complex), on which these hold
        to the bit for every value, NaN, infinities and signed zeros included. Strict IEEE semantics
        uses a fact on these kinds alone.
    commutative, associative, idempotent : bool
        ``f(a, b) = f(b, a)``; ``f(f(a, b), c) = f(a, f(b, c))``; ``f(a, a) = a``.
    involution : bool
        ``f(f(a)) = a``, for a unary operator.
    inverse : str, optional
        The operator that undoes it: ``inverse(f(a, b), b) = a``.
    expands_to : pair of str, optional
        ``(g, h)`` with ``f(a, b) = g(a, h(b))``: ``a - b = a + (-b)``, exactly.
    distributes_over : tuple of str
        Operators `g` with ``f(a, g(b, c)) = g(f(a, b), f(a, c))``, barring overflow.
    factors_out_of : tuple of str
        Operators `g` with ``g(f(a), b) = f(g(a, b)) = g(a, f(b))``, exactly, for a unary operator.
    repeat : str, optional
        What `n` updates by one value amount to: an operator `g` with
        ``f(...f(f(x, v), v)..., v) = f(x, g(v, n))``, or ``"once"`` for any positive number.
        The factor `n` of "multiply" may wrap around in the operands' dtype. The exponent of "power"
        may not: give an integer power its exponent as int64 beside a narrower base. Or the name of
        an operator from outside, for which the factor is cast to the operands' dtype.
    function : callable, optional
        What computes an operator from outside, of which no target knows anything else: kernels
        call it by the operator's name, on operands of 64 bits.
    others : tuple of Op
        The operators from outside that its facts name, which live as long as it does.
    """

    name: str
    arity: int
    left_identity: Scalar | None = None
    right_identity: Scalar | None = None
    left_annihilator: Scalar | None = None
    right_annihilator: Scalar | None = None
    right_constant: tuple[Scalar, Scalar] | None = None
    identity_exactly: str = "biufc"
    annihilates_exactly: str = "biu"
    commutative: bool = False
    associative: bool = False
    idempotent: bool = False
    involution: bool = False
    inverse: str | None = None
    expands_to: tuple[str, str] | None = None
    distributes_over: tuple[str, ...] = ()
    factors_out_of: tuple[str, ...] = ()
    repeat: str | None = None
    function: Callable[..., Any] | None = None
    others: tuple[Op, ...] = ()

    def __repr__(self) -> str:
        return f"Op({self.name})"

    def __reduce__(self) -> tuple[object, ...]:
        # Copies and unpickled operators must be the interned one: they are equal by identity.
        return _restore, self._fields()

    def _fields(self) -> tuple[object, ...]:
        return tuple(getattr(self, field.name) for field in fields(self))

    def constants(self) -> frozenset[Scalar]:
        """The identities and annihilators that it declares, and those that its facts name."""
        identities = (self.left_identity, self.right_identity)
        sides = (*identities, self.left_annihilator, self.right_annihilator)
        own = frozenset([one for one in sides if one is not None])
        return own.union(*[other.constants() for other in self.others])


OPS: Final[dict[str, Op]] = {}
"""The package's own operators by name."""


CONSTANTS: Final[set[Scalar]] = {0, 1, -1, inf, -inf}
"""Numbers of which their algebra speaks: the compiler is to know them."""

_outside: Final[WeakValueDictionary[str, Op]] = WeakValueDictionary()


def operator_named(name: str) -> Op | None:
    """Return the operator of a `name`, one from outside as long as something holds it; or None."""
    return OPS.get(name) or _outside.get(name)


def has_operators_from_outside() -> bool:
    """Whether there may be any operator that is not of the package."""
    return bool(_outside)


def operator(name: str) -> Op:
    """The operator of a name that is known to have one."""
    return OPS.get(name) or _outside[name]


def define(op: Op) -> Op:
    """Make an operator known by its name, and return the instance that bears it.

    Raises
    ------
    ValueError
        If the name belongs to another definition.
    """
    table = OPS if op.function is None else _outside
    known = operator_named(op.name) or table.setdefault(op.name, op)
    # Compared by text, as 1 and True, and 0.0 and -0.0, differ there, and NaN equals itself.
    if repr(known._fields()) != repr(op._fields()):
        raise ValueError(f"operator {op.name!r} is already defined otherwise; use another name")
    if op.function is None:
        CONSTANTS.update(op.constants())
    return known


def _restore(*values: object) -> Op:
    return define(Op(*values))  # type: ignore[arg-type]  # the fields of an Op, in order


UNSUPPORTED: Final[Mapping[str, str]] = {
    "divmod": "has two results: use floor_divide and remainder",
    "modf": "has two results: use trunc and subtract",
    "frexp": "has two results: use log2, floor and ldexp",
    "isnat": "is for datetime64 and timedelta64, which are not stored",
    "matmul": "is a contraction, not an operator on scalars",
    "vecdot": "is a contraction, not an operator on scalars",
    "matvec": "is a contraction, not an operator on scalars",
    "vecmat": "is a contraction, not an operator on scalars",
}
"""NumPy's numeric ufuncs that are no `Op`, and why."""


def _unary(*names: str, **algebra: object) -> None:
    for name in names:
        _row(name, 1, algebra)


def _binary(*names: str, **algebra: object) -> None:
    for name in names:
        _row(name, 2, algebra)


def _row(name: str, arity: int, algebra: Mapping[str, object]) -> None:
    facts = dict(algebra)
    for fact in ("identity", "annihilator"):  # on both sides
        if fact in facts:
            facts[f"left_{fact}"] = facts[f"right_{fact}"] = facts.pop(fact)
    define(Op(name, arity, **facts))  # type: ignore[arg-type]  # rows are tested


_MONOID = {"commutative": True, "associative": True}
_LATTICE = {**_MONOID, "idempotent": True, "repeat": "once"}

# Arithmetic. Booleans add by "or" and multiply by "and", as in NumPy.
_binary(
    "add",
    identity=0,
    identity_exactly="biu",
    inverse="subtract",
    repeat="multiply",
    **_MONOID,
)
_binary("subtract", right_identity=0, inverse="add", expands_to=("add", "negative"))
_binary(
    "multiply",
    identity=1,
    identity_exactly="biuf",
    annihilator=0,
    inverse="divide",
    distributes_over=("add", "subtract"),
    repeat="power",
    **_MONOID,
)
_binary(
    "divide",
    right_identity=1,
    identity_exactly="f",
    left_annihilator=0,
    annihilates_exactly="",
    inverse="multiply",
)
_binary("floor_divide", "remainder", "fmod", left_annihilator=0)
_binary(
    *("power", "float_power"),
    right_identity=1,
    identity_exactly="iuf",
    left_annihilator=1,
    annihilates_exactly="iuf",
    right_constant=(0, 1),
)
_unary("negative", involution=True, factors_out_of=("multiply", "divide"))
_unary("positive", "absolute", "fabs", "sign", "square", "reciprocal")
_unary("conjugate", involution=True)
_unary("real", "imag", "angle")
_binary("heaviside", "copysign", "nextafter")
_unary("spacing")
_binary("ldexp", left_annihilator=0, right_identity=0, annihilates_exactly="f")

# Rounding: NumPy's round and rint halve to even.
_unary("rint", "floor", "ceil", "trunc", "round")

# Transcendental functions.
_unary("exp", "exp2", "expm1", "log", "log2", "log10", "log1p", "sqrt", "cbrt")
_unary("sin", "cos", "tan", "arcsin", "arccos", "arctan")
_unary("sinh", "cosh", "tanh", "arcsinh", "arctanh", "arccosh")
_unary("degrees", "rad2deg", "radians", "deg2rad")
_binary("arctan2")
_binary("hypot", **_MONOID)
_SOFT_MOST = {**_MONOID, "identity": -inf, "identity_exactly": "", "annihilator": inf}
_binary("logaddexp", "logaddexp2", **_SOFT_MOST)

# Integers and bits.
_binary("gcd", annihilator=1, **_MONOID)
_binary("lcm", annihilator=0, **_MONOID)
_binary(
    "bitwise_and",
    identity=-1,
    annihilator=0,
    distributes_over=("bitwise_or", "bitwise_xor"),
    **_LATTICE,
)
_binary("bitwise_or", identity=0, annihilator=-1, distributes_over=("bitwise_and",), **_LATTICE)
_binary("bitwise_xor", identity=0, inverse="bitwise_xor", **_MONOID)
_unary("invert", involution=True)
_binary("left_shift", "right_shift", right_identity=0, left_annihilator=0)
_unary("bitwise_count")

# Comparisons and logic. Complex numbers are ordered by their real, then their imaginary parts.
_binary("greater", "greater_equal", "less", "less_equal")
_binary("equal", commutative=True)
_binary("not_equal", identity=False, **_MONOID)
_binary(
    "logical_and",
    identity=True,
    annihilator=False,
    annihilates_exactly="biufc",
    distributes_over=("logical_or", "logical_xor"),
    **_LATTICE,
)
_binary(
    "logical_or",
    identity=False,
    annihilator=True,
    annihilates_exactly="biufc",
    distributes_over=("logical_and",),
    **_LATTICE,
)
_binary("logical_xor", identity=False, inverse="logical_xor", **_MONOID)
_unary("logical_not", involution=True)
_unary("isnan", "isinf", "isfinite", "signbit")

# Selection.
_MOST = {"identity": -inf, "identity_exactly": "biuf", "annihilator": inf}
_LEAST = {"identity": inf, "identity_exactly": "biuf", "annihilator": -inf}
_binary("maximum", **_MOST, distributes_over=("minimum",), **_LATTICE)
_binary("minimum", **_LEAST, distributes_over=("maximum",), **_LATTICE)
# fmax and fmin return the other operand of NaN, which is therefore their identity on floats.
_NUMBER = {"identity": nan, "identity_exactly": "f", "annihilates_exactly": "f"}
_binary("fmax", annihilator=inf, **_NUMBER, **_LATTICE)
_binary("fmin", annihilator=-inf, **_NUMBER, **_LATTICE)
# A complex number times a float as a sum of equal summands, and divided by a float: each part by
# itself, as complex arithmetic would make NaN of infinite parts.
_binary("counted", "divide_parts", right_identity=1, identity_exactly="c")
_row("where", 3, {})
