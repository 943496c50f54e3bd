"""The operators: how each is spelled in a kernel, and its algebra as data.

A row of the table at the end is all that an operator is. Rewrite rules ask for the algebra; the
emitter asks for `Op.source`; dtypes are NumPy's business, settled before by `_dtypes.resolve`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from math import inf, nan, pi
from typing import Any, Final

Scalar = bool | int | float | complex
"""A Python scalar, read as the operand's dtype by a C cast (-1 is all ones, so True for bool)."""


@dataclass(frozen=True, slots=True, eq=False)
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
    spelling : mapping of str to str
        Source templates by kind of the first operand: each key is a string of kinds out of
        ``"biufc"`` (bool, signed, unsigned, float, complex). See `source`.
    left_identity, right_identity : scalar, optional
        ``f(v, x) = x``, or ``f(x, v) = x``.
    left_annihilator, right_annihilator : scalar, optional
        ``f(v, x) = v``, or ``f(x, v) = v``, for all finite `x` at which `f` is defined
        (``0 / 0`` is not: see `annihilates_exactly`).
    right_constant : pair of scalars, optional
        ``(v, c)`` with ``f(x, v) = c`` for all `x`, exactly: ``x ** 0 = 1``.
    identity_exactly, annihilates_exactly : str
        The kinds on which these hold to the bit for every value, NaN, infinities and signed zeros
        included. Strict IEEE semantics uses a fact on these kinds alone.
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
        What computes an operator from outside, which has no spelling: kernels call it by the
        operator's name, on operands of 64 bits.
    """

    name: str
    arity: int
    spelling: Mapping[str, str]
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

    def __repr__(self) -> str:
        return f"Op({self.name})"

    def __reduce__(self) -> tuple[object, ...]:
        # Copies and unpickled operators must be the interned one: they are equal by identity.
        return _restore, self._fields()

    def _fields(self) -> tuple[object, ...]:
        return tuple(getattr(self, field.name) for field in fields(self))

    def constants(self) -> tuple[Scalar | None, ...]:
        """The identities and annihilators that are declared."""
        identities = (self.left_identity, self.right_identity)
        return (*identities, self.left_annihilator, self.right_annihilator)

    def source(self, ins: tuple[str, ...], out: str) -> str:
        """Return the template of an application, in which ``{0}``, ``{1}``, ... are operands.

        Parameters
        ----------
        ins : tuple of str
            NumPy's names of the operands' dtypes. The texts put in must be atomic or in parentheses
            (a negative number is not atomic) and have exactly these dtypes.
        out : str
            The dtype that the application has in both tiers. The text is not atomic unless it
            is a call.

        Raises
        ------
        TypeError
            If the operator has no spelling for such operands.
        """
        if self.function is not None:
            return _called(self.name, ins, out)
        for kinds, template in self.spelling.items():
            if ins[0][0] in kinds:
                return _spell(template, ins[0], out)
        raise TypeError(f"{self.name} is not defined for {ins[0]} operands")


OPS: Final[dict[str, Op]] = {}
"""Every operator by name."""


CONSTANTS: Final[set[Scalar]] = {0, 1, -1, inf, -inf}
"""Numbers of which some operator's algebra speaks: the compiler is to know them."""


def define(op: Op) -> Op:
    """Enter an operator into `OPS`, and return the instance that bears its name.

    Raises
    ------
    ValueError
        If the name belongs to another definition.
    """
    known = OPS.setdefault(op.name, op)
    # Compared by text, as 1 and True, and 0.0 and -0.0, differ there, and NaN equals itself.
    if repr(known._fields()) != repr(op._fields()):
        raise ValueError(f"operator {op.name!r} is already defined otherwise; use another name")
    CONSTANTS.update(fact for fact in op.constants() if fact is not None)
    return known


def functions(names: tuple[str, ...]) -> dict[str, Any]:
    """The functions from outside among the names that a kernel's text uses."""
    ops = (OPS[name] for name in names if name in OPS)
    return {op.name: op.function for op in ops if op.function is not None}


def _restore(*values: object) -> Op:
    return define(Op(*values))  # type: ignore[arg-type]  # the fields of an Op, in order


# Integers that Numba's arithmetic widens to 64 bits; native integers wrap around as they are.
_NARROW = frozenset({"int8", "int16", "int32", "uint8", "uint16", "uint32"})
# Templates whose value is one of their operands, hence of its dtype.
_SELECT = frozenset({"{0}", "maximum({0}, {1})", "minimum({0}, {1})", "{1} if {0} else {2}"})


def _spell(template: str, operand: str, out: str) -> str:
    """Fill in the dtypes of a template, and cast where Numba would widen the result.

    ``{out}`` is the constructor of the result's dtype, ``{in}`` the operand's, ``{unsigned}`` that
    of the operand's unsigned twin, ``{bits}`` its width, ``{wrong}`` what NumPy gives for
    an integer ``1 / 0``, ``{greatest}`` and ``{least}`` are an integer's bounds.
    """
    casts = template.startswith("{out}(")
    bits = operand.strip("abcdefghijklmnopqrstuvwxyz") or "8"
    for hole, text in (
        ("{out}", _constructor(out)),
        ("{in}", _constructor(operand)),
        ("{unsigned}", f"uint{bits}"),
        ("{bits}", bits),
        ("{wrong}", _RECIPROCAL_OF_ZERO.get(operand, "0")),
        ("{greatest}", str(2 ** (int(bits) - (operand[0] != "u")) - 1)),
        ("{least}", str(-(2 ** (int(bits) - 1)))),
    ):
        template = template.replace(hole, text)
    if out in _NARROW and not casts and template not in _SELECT:
        return f"{out}({template})"
    return template


def _called(name: str, ins: tuple[str, ...], out: str) -> str:
    """A call of a function from outside, its operands widened to 64 bits."""
    args = []
    for k, operand in enumerate(ins):
        wide = widened(operand)
        args.append(f"{{{k}}}" if wide == operand else f"{wide}({{{k}}})")
    return f"{_constructor(out)}({name}({', '.join(args)}))"


def widened(dtype: str) -> str:
    """The dtype of 64 bits in which a function from outside takes an operand."""
    if dtype in _NARROW:
        return "int64"
    return {"float32": "float64", "complex64": "complex128"}.get(dtype, dtype)


# The bits that x86 and Arm leave for a float infinity cast to an integer, as NumPy's loops do it.
_RECIPROCAL_OF_ZERO = {"int32": "-2147483648", "int64": "-9223372036854775808"}


def _constructor(dtype: str) -> str:
    return "bool_" if dtype == "bool" else dtype


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


def _unary(name: str, spelling: str | Mapping[str, str], **algebra: object) -> None:
    _row(name, 1, spelling, algebra)


def _binary(name: str, spelling: str | Mapping[str, str], **algebra: object) -> None:
    _row(name, 2, spelling, algebra)


def _row(
    name: str, arity: int, spelling: str | Mapping[str, str], algebra: dict[str, object]
) -> None:
    if isinstance(spelling, str):
        spelling = {"biufc": spelling}
    for fact in ("identity", "annihilator"):  # on both sides
        if fact in algebra:
            algebra[f"left_{fact}"] = algebra[f"right_{fact}"] = algebra.pop(fact)
    define(Op(name, arity, spelling, **algebra))  # type: ignore[arg-type]  # rows are tested


_MONOID = {"commutative": True, "associative": True}
_LATTICE = {**_MONOID, "idempotent": True, "repeat": "once"}

# Arithmetic. Booleans add by "or" and multiply by "and", as in NumPy.
_binary(
    "add",
    {"b": "{0} | {1}", "iufc": "{0} + {1}"},
    identity=0,
    identity_exactly="biu",
    inverse="subtract",
    repeat="multiply",
    **_MONOID,
)
_binary(
    "subtract",
    "{0} - {1}",
    right_identity=0,
    inverse="add",
    expands_to=("add", "negative"),
)
_binary(
    "multiply",
    {"b": "{0} & {1}", "iufc": "{0} * {1}"},
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
    {"f": "{0} / {1}", "c": "{out}(divide_complex({0}, {1}))"},
    right_identity=1,
    identity_exactly="f",
    left_annihilator=0,
    annihilates_exactly="",
    inverse="multiply",
)
_binary(
    "floor_divide",
    {"i": "floor_divide_int({0}, {1})", "u": "{0} // {1}", "f": "floor_divide_float({0}, {1})"},
    left_annihilator=0,
)
_binary(
    "remainder",
    {"i": "remainder_int({0}, {1})", "u": "{0} % {1}", "f": "remainder_float({0}, {1})"},
    left_annihilator=0,
)
_binary(
    "fmod",
    {"i": "fmod_int({0}, {1})", "u": "{0} % {1}", "f": "np.fmod({0}, {1})"},
    left_annihilator=0,
)
_POWER = {"iu": "power_int({0}, {1})", "f": "{0} ** {1}"}
_POWER["c"] = "{out}(power_complex({0}, {1}))"
_POWER_FACTS = {
    "right_identity": 1,
    "identity_exactly": "iuf",
    "left_annihilator": 1,
    "annihilates_exactly": "iuf",
    "right_constant": (0, 1),
}
_binary("power", _POWER, **_POWER_FACTS)
_binary("float_power", _POWER, **_POWER_FACTS)
_unary("negative", "-{0}", involution=True, factors_out_of=("multiply", "divide"))
_unary("positive", "{0}")
_unary("absolute", {"bu": "{0}", "if": "abs({0})", "c": "np.absolute({0})"})
_unary("fabs", "abs({0})")
_unary(
    "sign",
    {
        "i": "{out}(sign_int({0}))",
        "u": "{out}({0} != 0)",
        "f": "{out}(sign_float({0}))",
        "c": "{out}(sign_complex({0}))",
    },
)
_unary("square", "square({0})")
_unary(
    "reciprocal",
    {
        "iu": "{out}(reciprocal_int({0}, {in}({wrong})))",
        "f": "{in}(1) / {0}",
        "c": "np.reciprocal({0})",
    },
)
_unary("conjugate", {"biuf": "{0}", "c": "np.conjugate({0})"}, involution=True)
_unary("real", {"biuf": "{0}", "c": "{0}.real"})
_unary("imag", {"biuf": "{out}(0)", "c": "{0}.imag"})
_unary("angle", {"f": "np.arctan2({in}(0), {0})", "c": "angle_complex({0})"})
_binary("heaviside", "{out}(heaviside({0}, {1}))")
_binary("copysign", "np.copysign({0}, {1})")
_binary("nextafter", "np.nextafter({0}, {1})")
_unary("spacing", "np.spacing({0} + {in}(0))")
_binary("ldexp", "ldexp({0}, {1})", left_annihilator=0, right_identity=0, annihilates_exactly="f")

# Rounding: integers are whole already. NumPy's round and rint halve to even.
for _name in ("rint", "floor", "ceil", "trunc"):
    _unary(_name, {"biu": "{0}", "fc": f"np.{_name}({{0}})"})
_unary("round", {"biu": "{0}", "fc": "np.rint({0})"})

# Transcendental functions, which NumPy and Numba round differently in the last places.
for _name in (
    *("exp", "exp2", "expm1", "log", "log2", "log10", "log1p", "sqrt", "cbrt"),
    *("sin", "cos", "tan", "arcsin", "arccos", "arctan"),
    *("sinh", "cosh", "tanh", "arcsinh", "arctanh"),
):
    _unary(_name, f"np.{_name}({{0}})")
_unary("arccosh", {"f": "np.arccosh({0})", "c": "{out}(arccosh_complex({0}))"})
for _name in ("degrees", "rad2deg"):
    _unary(_name, f"{{0}} * ({{in}}(180) / {{in}}({pi!r}))")
for _name in ("radians", "deg2rad"):
    _unary(_name, f"{{0}} * {{in}}({pi / 180!r})")
_binary("arctan2", "np.arctan2({0}, {1})")
_binary("hypot", "np.hypot({0}, {1})", **_MONOID)
_SOFT_MOST = {**_MONOID, "identity": -inf, "identity_exactly": "", "annihilator": inf}
for _name in ("logaddexp", "logaddexp2"):
    _binary(_name, f"np.{_name}({{0}}, {{1}})", **_SOFT_MOST)

# Integers and bits.
_binary("gcd", "np.gcd({0}, {1})", annihilator=1, **_MONOID)
_binary("lcm", "{out}(lcm({unsigned}(abs({0})), {unsigned}(abs({1}))))", annihilator=0, **_MONOID)
_binary(
    "bitwise_and",
    "{0} & {1}",
    identity=-1,
    annihilator=0,
    distributes_over=("bitwise_or", "bitwise_xor"),
    **_LATTICE,
)
_binary(
    "bitwise_or",
    "{0} | {1}",
    identity=0,
    annihilator=-1,
    distributes_over=("bitwise_and",),
    **_LATTICE,
)
_binary("bitwise_xor", "{0} ^ {1}", identity=0, inverse="bitwise_xor", **_MONOID)
_unary("invert", {"b": "{out}(not {0})", "iu": "~{0}"}, involution=True)
_SHIFT_FACTS = {"right_identity": 0, "left_annihilator": 0}
_binary("left_shift", "left_shift({0}, {1}, {bits})", **_SHIFT_FACTS)
_binary("right_shift", "right_shift({0}, {1}, {bits})", **_SHIFT_FACTS)
_unary("bitwise_count", "{out}(bitwise_count({unsigned}(abs({0}))))")

# Comparisons and logic. Complex numbers are ordered by their real, then their imaginary parts.
for _name, _sign in (
    *(("greater", ">"), ("greater_equal", ">="), ("less", "<"), ("less_equal", "<=")),
):
    _binary(_name, {"biuf": f"{{0}} {_sign} {{1}}", "c": f"np.{_name}({{0}}, {{1}})"})
_binary("equal", "{0} == {1}", commutative=True)
_binary("not_equal", "{0} != {1}", identity=False, **_MONOID)
_binary(
    "logical_and",
    {"b": "{0} & {1}", "iufc": "({0} != 0) & ({1} != 0)"},
    identity=True,
    annihilator=False,
    annihilates_exactly="biufc",
    distributes_over=("logical_or", "logical_xor"),
    **_LATTICE,
)
_binary(
    "logical_or",
    {"b": "{0} | {1}", "iufc": "({0} != 0) | ({1} != 0)"},
    identity=False,
    annihilator=True,
    annihilates_exactly="biufc",
    distributes_over=("logical_and",),
    **_LATTICE,
)
_binary(
    "logical_xor",
    {"b": "{0} ^ {1}", "iufc": "({0} != 0) ^ ({1} != 0)"},
    identity=False,
    inverse="logical_xor",
    **_MONOID,
)
_unary("logical_not", {"b": "{out}(not {0})", "iufc": "{0} == 0"}, involution=True)
_unary("isnan", {"biu": "bool_(False)", "fc": "isnan({0})"})
_unary("isinf", {"biu": "bool_(False)", "f": "abs({0}) == np.inf", "c": "np.isinf({0})"})
_unary("isfinite", {"biu": "bool_(True)", "fc": "isfinite({0})"})
_unary("signbit", "np.signbit({0})")

# Selection.
_MOST = {"identity": -inf, "identity_exactly": "biuf", "annihilator": inf}
_LEAST = {"identity": inf, "identity_exactly": "biuf", "annihilator": -inf}
_binary(
    "maximum",
    {"b": "{0} | {1}", "iuf": "maximum({0}, {1})", "c": "np.maximum({0}, {1})"},
    **_MOST,
    distributes_over=("minimum",),
    **_LATTICE,
)
_binary(
    "minimum",
    {"b": "{0} & {1}", "iuf": "minimum({0}, {1})", "c": "np.minimum({0}, {1})"},
    **_LEAST,
    distributes_over=("maximum",),
    **_LATTICE,
)
# fmax and fmin return the other operand of NaN, which is therefore their identity on floats.
_binary(
    "fmax",
    {"b": "{0} | {1}", "iu": "maximum({0}, {1})", "f": "fmax({0}, {1})", "c": "np.fmax({0}, {1})"},
    identity=nan,
    identity_exactly="f",
    annihilator=inf,
    annihilates_exactly="f",
    **_LATTICE,
)
_binary(
    "fmin",
    {"b": "{0} & {1}", "iu": "minimum({0}, {1})", "f": "fmin({0}, {1})", "c": "np.fmin({0}, {1})"},
    identity=nan,
    identity_exactly="f",
    annihilator=-inf,
    annihilates_exactly="f",
    **_LATTICE,
)
# The left operand times a float, as a sum of equal summands: each part is scaled.
_binary(
    "counted",
    {"c": "{out}(counted_complex({0}, {1}))"},
    right_identity=1,
    identity_exactly="c",
)
# Each part divided by a float; the quotient of complex numbers would make NaN of infinite parts.
_binary(
    "divide_parts",
    {"c": "{out}(divide_parts({0}, {1}))"},
    right_identity=1,
    identity_exactly="c",
)
_row("where", 3, "{1} if {0} else {2}", {})
