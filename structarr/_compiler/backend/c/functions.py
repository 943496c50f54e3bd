"""Functions that are no text, and what their calls are in C."""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from functools import partial, reduce
from typing import Final

from structarr._compiler.backend.c.arithmetic import (
    atom,
    binary,
    compared,
    constant,
    converted,
    suffix,
    truth,
)
from structarr._compiler.backend.c.code import LEAVE, Code, type_of
from structarr._compiler.backend.c.complex_numbers import BOOLS, KNOWN, OWN
from structarr._compiler.backend.c.prelude import FLOATS
from structarr._compiler.backend.text.kinds import (
    BOOL,
    DOUBLE,
    INT,
    SINGLE,
    WORD,
    Array,
    Kind,
    Number,
    Untranslated,
    Value,
    common,
    wide,
)
from structarr._compiler.runtime.vectors import BLOCK, LOOPS, SCALARS

Made = Callable[[Code, Sequence[Value]], Value]
"""What writes the call of a function for some arguments."""

OUTGROWN: Final = 1
"""What a kernel returns whose result would outgrow its room."""

OUTSIDE: Final = 2
"""What a kernel returns that was asked for an index beyond an axis."""

NO_MEMORY: Final = 3
"""What a kernel returns that could not allocate memory."""


def numbers(args: Sequence[Value]) -> list[Number]:
    """Arguments that are all numbers."""
    found = [one for one in args if isinstance(one, Number)]
    if len(found) < len(args):
        raise Untranslated("a function of no numbers")
    return found


def _of_floats(name: str, code: Code, args: Sequence[Value]) -> Number:
    """One of C's functions of floats of one type."""
    given = numbers(args)
    kind = given[0].kind
    if kind.is_complex:
        raise Untranslated(f"{name} of complex numbers")
    if name == "copysign" and given[1].kind != kind:
        kind = DOUBLE
        given = [converted(code, one, kind) for one in given]
    if kind.is_whole or any(one.kind != kind for one in given):
        raise Untranslated(f"{name} of numbers that are no floats of one type")
    return Number(kind, _call(name, kind, [one.text for one in given]))


def _call(name: str, kind: Kind, args: Sequence[str]) -> str:
    return f"{name}{suffix(kind)}({', '.join(args)})"


def of_pairs(name: str, code: Code, given: Sequence[Number]) -> Number:
    """A function of complex numbers of one type, by NumPy's name of it."""
    kind = given[0].kind
    if any(one.kind != kind for one in given):
        raise Untranslated(f"{name} of numbers of several types")
    if name.startswith("greater"):
        return of_pairs(name.replace("greater", "less"), code, given[::-1])
    shown = [one.text for one in given]
    if name in KNOWN:
        return Number(kind, _call(KNOWN[name], kind, shown))
    if name not in OWN:
        raise Untranslated(f"{name} of complex numbers")
    return Number(BOOL if name in BOOLS else kind, code.call(OWN[name] + suffix(kind), *shown))


def _by_doubles(name: str, code: Code, args: Sequence[Value]) -> Number:
    """A function of the prelude, of doubles, whose value is of the type of its operands."""
    given = numbers(args)
    shown = [converted(code, one, DOUBLE).text for one in given]
    return converted(code, Number(DOUBLE, code.call(name, *shown)), given[0].kind)


def _of_doubles(name: str, code: Code, args: Sequence[Value]) -> Number:
    """One of C's functions of doubles, which numbers of other types are converted to."""
    shown = [converted(code, one, DOUBLE).text for one in numbers(args)]
    return Number(DOUBLE, f"{name}({', '.join(shown)})")


def _spacing(code: Code, args: Sequence[Value]) -> Number:
    (x,) = numbers(args)
    return Number(x.kind, code.call(f"spacing{suffix(x.kind)}", x.text))


def _ldexp(code: Code, args: Sequence[Value]) -> Number:
    x, exponent = numbers(args)
    return Number(x.kind, _call("ldexp", x.kind, [x.text, f"(int){atom(exponent)}"]))


def _gcd(code: Code, args: Sequence[Value]) -> Number:
    given = numbers(args)
    kind = wide(given[0].kind)
    words = [converted(code, _absolute(code, [one]), WORD).text for one in given]
    return converted(code, Number(WORD, code.call("gcd_word", *words)), kind)


def _signbit(code: Code, args: Sequence[Value]) -> Number:
    (x,) = numbers(args)
    return Number(BOOL, f"signbit({x.text}) != 0", None, False)


def _absolute(code: Code, args: Sequence[Value]) -> Number:
    (x,) = numbers(args)
    if x.kind.is_complex:
        return Number(x.kind.part, _call("cabs", x.kind, [x.text]))
    if not x.kind.is_whole:
        return Number(x.kind, _call("fabs", x.kind, [x.text]))
    if x.kind.code != "i":
        return converted(code, x, WORD)
    return Number(INT, code.call("abs_int", converted(code, x, INT).text))


def extreme(name: str, code: Code, args: Sequence[Value]) -> Number:
    """The least or largest of some numbers, the first of equal ones."""

    def of_two(left: Number, right: Number) -> Number:
        kind = common(left.kind, right.kind)
        if left.kind == right.kind in (SINGLE, DOUBLE):
            return Number(kind, code.call(f"{name}_{type_of(kind)}", left.text, right.text))
        if not kind.is_whole or (WORD in (left.kind, right.kind) and kind == INT):
            raise Untranslated(f"{name} of numbers of several types")
        shown = [converted(code, one, kind).text for one in (left, right)]
        return Number(kind, code.call(f"{name}_{'int' if kind == INT else 'word'}", *shown))

    return reduce(of_two, numbers(args))


def _length(code: Code, args: Sequence[Value]) -> Number:
    (buffer,) = args
    if not isinstance(buffer, Array):
        raise Untranslated("the length of no buffer")
    return Number(INT, buffer.length)


def _sum(code: Code, args: Sequence[Value]) -> Number:
    return binary(code, ast.Add(), *numbers(args))


def _same(code: Code, args: Sequence[Value]) -> Number:
    return truth(*numbers(args))


def _lowest(code: Code, args: Sequence[Value]) -> Number:
    (word,) = numbers(args)
    return Number(INT, code.call("lowest_bit", converted(code, word, WORD).text))


def _beyond(code: Code, args: Sequence[Value]) -> Number:
    index, length = [converted(code, one, WORD) for one in numbers(args)]
    return compared(code, ast.GtE(), index, length)


def _words(code: Code, args: Sequence[Value]) -> Array:
    """The same memory as words; there is a whole number of them."""
    (mask,) = args
    if not isinstance(mask, Array) or mask.kind.bits != 8:
        raise Untranslated("words of no bytes")
    code.written.add(mask.data)
    return Array(WORD, f"(uint64_t *){mask.data}", f"{mask.length} / 8")


def _fingers(code: Code, args: Sequence[Value]) -> Array:
    """Memory for so many integers, which the function frees when it ends."""
    count = extreme("max", code, [converted(code, numbers(args)[0], INT), constant(0)])
    pointer, length = code.declare("int64_t *", "fingers"), code.declare("int64_t ", "rows")
    code.owned.append(pointer)
    code.line(f"{length} = {count.text};")
    code.line(f"free({pointer});")
    code.line(f"{pointer} = malloc((size_t){length} * 8 + 8);")
    with code.block(f"if ({pointer} == 0)"):
        fail(code, NO_MEMORY)
    return Array(INT, pointer, length)


def fail(code: Code, status: int) -> None:
    """End the function by an error."""
    code.line(f"status = {status};")
    code.line(LEAVE)


def _overflow(code: Code, args: Sequence[Value]) -> None:
    fail(code, OUTGROWN)


def _out_of_bounds(code: Code, args: Sequence[Value]) -> None:
    for k, one in enumerate(numbers(args)):
        code.line(f"where[{k}] = {converted(code, one, INT).text};")
    fail(code, OUTSIDE)


def _vector(name: str, code: Code, args: Sequence[Value]) -> None:
    """A function of each element of a stretch of a buffer, which its results replace."""
    buffer, lo, hi, *others = args
    if not isinstance(buffer, Array):
        raise Untranslated("a function of vectors of no buffer")
    start, stop = (converted(code, one, INT) for one in numbers((lo, hi)))
    code.written.add(buffer.data)
    at = code.variable(INT, "at")
    given = [
        Number(buffer.kind, f"{one.data}[{at} - {atom(start)}]")
        if isinstance(one, Array)
        else converted(code, one, buffer.kind)
        for one in others
        if isinstance(one, Array | Number)
    ]
    with code.block(f"for ({at} = {start.text}; {at} < {stop.text}; {at}++)"):
        element = Number(buffer.kind, f"{buffer.data}[{at}]")
        code.line(f"{element.text} = {_scalar(name, code, [element, *given]).text};")


def _scalar(name: str, code: Code, args: Sequence[Value]) -> Number:
    """A function of numbers of one type."""
    made = ufunc(name)
    found = made and made(code, args)
    if not isinstance(found, Number):
        raise Untranslated(f"{name}, which C has not")
    return found


def _new_block(code: Code, args: Sequence[Value]) -> Array:
    """Room for a block of values."""
    (zero,) = numbers(args)
    return Array(zero.kind, code.room(zero.kind, "block", BLOCK), str(BLOCK))


HELPERS: Final[dict[str, Made]] = {
    "radd": _sum,
    "rarely": _same,
    "lowest": _lowest,
    "beyond": _beyond,
    "words_of": _words,
    "new_fingers": _fingers,
    "new_block": _new_block,
    "overflow": _overflow,
    "out_of_bounds": _out_of_bounds,
    "u": lambda code, args: converted(code, numbers(args)[0], WORD),
    **{helper: partial(_vector, name) for helper, name in LOOPS.items()},
    **{helper: partial(_scalar, name) for helper, name in SCALARS.items()},
}
"""The helpers of kernels that are no text here, by name."""

BUILTINS: Final[dict[str, Made]] = {
    "len": _length,
    "abs": _absolute,
    **{name: partial(extreme, name) for name in ("min", "max")},
}
"""Functions of Python's, by name."""

MATH: Final[dict[str, Made]] = {
    name: partial(_of_doubles, own)
    for name, own in {
        **{name: name for name in ("sqrt", "exp", "expm1", "log1p", "log2", "log10", "fabs")},
        **{name: name for name in ("sin", "cos", "tan", "sinh", "cosh", "tanh", "hypot", "pow")},
        **{name: name for name in ("asin", "acos", "atan", "asinh", "acosh", "atanh", "atan2")},
        "copysign": "copysign",
    }.items()
}
"""Functions of Python's module of mathematics, by name."""

UFUNCS: Final[dict[str, Made]] = {
    **{name: partial(_of_floats, own) for name, own in FLOATS.items()},
    **{name: partial(_by_doubles, name) for name in ("logaddexp", "logaddexp2")},
    "absolute": _absolute,
    "signbit": _signbit,
    "spacing": _spacing,
    "ldexp": _ldexp,
    "gcd": _gcd,
}
"""Functions of NumPy's, by name."""


def ufunc(name: str) -> Made | None:
    """What writes the call of a function of NumPy's; None where C has none like it."""
    own = UFUNCS.get(name)
    if name not in KNOWN and name not in OWN and name not in BOOLS:
        return own

    def made(code: Code, args: Sequence[Value]) -> Value:
        given = numbers(args)
        if given[0].kind.is_complex:
            return of_pairs(name, code, given)
        if own is None:
            raise Untranslated(f"{name} of real numbers")
        return own(code, args)

    return made
