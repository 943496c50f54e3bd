"""Functions that LLVM or C has, and what their calls are."""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from functools import partial
from typing import Final

from structarr._compiler.backend.llvm import bounds
from structarr._compiler.backend.llvm.arithmetic import (
    binary,
    chosen,
    compared,
    constant,
    converted,
    negated,
    truth,
)
from structarr._compiler.backend.llvm.complex_numbers import paired, parts
from structarr._compiler.backend.llvm.writer import Writer
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
)
from structarr._compiler.runtime.output import OUTGROWN
from structarr._compiler.runtime.vectors import BLOCK, LOOPS, SCALARS

Made = Callable[[Writer, Sequence[Value]], Value]
"""What writes the call of a function for some arguments."""


def _numbers(args: Sequence[Value]) -> list[Number]:
    found = [one for one in args if isinstance(one, Number)]
    if len(found) < len(args):
        raise Untranslated("a function of no numbers")
    return found


def _float_of(args: Sequence[Value], pairs: bool = False) -> tuple[Kind, list[Number]]:
    """Floats of one type; perhaps complex numbers of one."""
    numbers = _numbers(args)
    kind = numbers[0].kind
    if kind.is_whole or any(one.kind != kind for one in numbers):
        raise Untranslated("a function of numbers that are no floats of one type")
    if kind.is_complex and not pairs:
        raise Untranslated("a function of complex numbers")
    return kind, numbers


def _intrinsic(name: str, writer: Writer, args: Sequence[Value]) -> Number:
    """One of LLVM's functions of floats."""
    kind, numbers = _float_of(args)
    given = [f"{kind.text} {one.text}" for one in numbers]
    return Number(kind, writer.call(f"llvm.{name}.f{kind.bits}", kind.text, *given))


def _of_c(name: str, writer: Writer, args: Sequence[Value]) -> Number:
    """One of C's functions of floats."""
    kind, numbers = _float_of(args)
    given = [f"{kind.text} {one.text}" for one in numbers]
    return Number(kind, writer.call(name + "f" * (kind == SINGLE), kind.text, *given))


def _remainder(writer: Writer, args: Sequence[Value]) -> Number:
    kind, (a, b) = _float_of(args)
    return Number(kind, writer.set(f"frem {kind.text} {a.text}, {b.text}"))


def _copysign(writer: Writer, args: Sequence[Value]) -> Number:
    """A float with the sign of another, in the wider type of both."""
    a, b = _numbers(args)
    kind = a.kind if a.kind == b.kind else DOUBLE
    return _intrinsic("copysign", writer, [converted(writer, one, kind) for one in (a, b)])


def _signbit(writer: Writer, args: Sequence[Value]) -> Number:
    kind, (a,) = _float_of(args)
    bits = writer.set(f"bitcast {kind.text} {a.text} to i{kind.bits}")
    return Number(BOOL, writer.set(f"icmp slt i{kind.bits} {bits}, 0"))


def _ldexp(writer: Writer, args: Sequence[Value]) -> Number:
    """A float times a power of two, past whose range no exponent needs to go."""
    x, exponent = _numbers(args)
    if x.kind.is_whole or exponent.kind == WORD:
        raise Untranslated("a scaling of no float")
    wide = converted(writer, exponent, INT)
    kept = chosen(writer, "max", [chosen(writer, "min", [wide, constant(5000)]), constant(-5000)])
    given = f"{x.kind.text} {x.text}", f"i32 {writer.set(f'trunc i64 {kept.text} to i32')}"
    return Number(x.kind, writer.call("ldexp" + "f" * (x.kind == SINGLE), x.kind.text, *given))


def _absolute(writer: Writer, args: Sequence[Value]) -> Number:
    (a,) = _numbers(args)
    if a.kind.is_complex:
        return _of_c("hypot", writer, parts(writer, a))
    if not a.kind.is_whole:
        return _intrinsic("fabs", writer, args)
    if a.kind.code == "u":
        return a
    if a.kind.code != "i":
        raise Untranslated("the absolute value of what is no number")
    minus, wide = negated(writer, a), converted(writer, a, INT)
    below = compared(writer, ast.Lt(), wide, constant(0)).text
    return Number(INT, writer.set(f"select i1 {below}, i64 {minus.text}, i64 {wide.text}"))


def _rounded(writer: Writer, args: Sequence[Value]) -> Number:
    """The nearest whole number, of either part."""
    (a,) = _numbers(args)
    if not a.kind.is_complex:
        return _intrinsic("rint", writer, args)
    real, imag = (_intrinsic("rint", writer, [one]) for one in parts(writer, a))
    return paired(writer, a.kind, real, imag)


def _root(writer: Writer, args: Sequence[Value]) -> Number:
    """The square root; of complex numbers as NumPy's loop has it."""
    (a,) = _numbers(args)
    return (_scalar if a.kind.is_complex else _intrinsic)("sqrt", writer, args)


def _conjugate(writer: Writer, args: Sequence[Value]) -> Number:
    (a,) = _numbers(args)
    if not a.kind.is_complex:
        return a
    real, imag = parts(writer, a)
    return paired(writer, a.kind, real, negated(writer, imag))


def _extreme(name: str, writer: Writer, args: Sequence[Value]) -> Number:
    return chosen(writer, name, _numbers(args))


def _relaxed(name: str, writer: Writer, args: Sequence[Value]) -> Number:
    """The larger or smaller of two floats, NaN where one is, and either of two zeros."""
    a, b = _numbers(args)
    kind = common(a.kind, b.kind)
    x, y = (f"{kind.text} {converted(writer, one, kind).text}" for one in (a, b))
    if kind.is_whole:
        raise Untranslated("an extreme of integers that are taken for floats")
    found = writer.call(f"llvm.{name}.f{kind.bits}", kind.text, x, y, flags="nsz ")
    return Number(kind, found)


def _added(writer: Writer, args: Sequence[Value]) -> Number:
    """A sum in whatever order."""
    a, b = _numbers(args)
    return binary(writer, ast.Add(), a, b, "reassoc ")


def _length(writer: Writer, args: Sequence[Value]) -> Number:
    (buffer,) = args
    if not isinstance(buffer, Array):
        raise Untranslated("the length of no buffer")
    return Number(INT, buffer.length)


def _rarely(writer: Writer, args: Sequence[Value]) -> Number:
    (cond,) = _numbers(args)
    told = f"i1 {truth(writer, cond)}"
    return Number(BOOL, writer.call("llvm.expect.i1", "i1", told, "i1 false"))


def _lowest(writer: Writer, args: Sequence[Value]) -> Number:
    (word,) = _numbers(args)
    given = f"i64 {converted(writer, word, WORD).text}"
    return Number(INT, writer.call("llvm.cttz.i64", "i64", given, "i1 true"))


def _beyond(writer: Writer, args: Sequence[Value]) -> Number:
    index, length = [converted(writer, one, WORD) for one in _numbers(args)]
    return compared(writer, ast.GtE(), index, length)


def _words(writer: Writer, args: Sequence[Value]) -> Array:
    """The same memory as words; there is a whole number of them."""
    (mask,) = args
    if not isinstance(mask, Array) or mask.kind.bits != 8:
        raise Untranslated("words of no bytes")
    return Array(WORD, mask.data, writer.set(f"sdiv i64 {mask.length}, 8"))


def _fingers(writer: Writer, args: Sequence[Value]) -> Array:
    """Memory for so many integers, which the function frees when it ends."""
    place = writer.room("ptr")
    writer.first(f"store ptr null, ptr {place}")
    writer.owned.append(place)
    count = chosen(writer, "max", [converted(writer, _numbers(args)[0], INT), constant(0)])
    size = writer.set(f"shl i64 {count.text}, 3")
    old = writer.set(f"load ptr, ptr {place}")
    writer.call("PyMem_RawFree", "void", f"ptr {old}")
    made = writer.call("PyMem_RawMalloc", "ptr", f"i64 {size}")
    writer.line(f"store ptr {made}, ptr {place}")
    _fail_if(writer, writer.set(f"icmp eq ptr {made}, null"), "memory_error", "no memory")
    return Array(INT, made, count.text)


def _fail_if(writer: Writer, cond: str, kind: str, says: str) -> None:
    """Set an error and end the function under a condition that seldom holds."""
    fails, onward = writer.label("fails"), writer.label("onward")
    writer.end(f"br i1 {cond}, label %{fails}, label %{onward}, !prof !0")
    writer.open(fails)
    set_error(writer, kind, says)
    writer.fail_if("true")
    writer.goto(onward)
    writer.open(onward)


def set_error(writer: Writer, kind: str, says: str) -> None:
    """Have Python raise an error, whether or not its lock is held."""
    lock = writer.call("PyGILState_Ensure", "i32")
    set_error_locked(writer, kind, says)
    writer.call("PyGILState_Release", "void", f"i32 {lock}")


def set_error_locked(writer: Writer, kind: str, says: str) -> None:
    """Have Python raise an error; its lock is held."""
    content = says.encode() + b"\0"
    name = f"says.{kind}.{len(content)}"
    shown = "".join([f"\\{byte:02X}" for byte in content])
    text = f'@{name} = private constant [{len(content)} x i8] c"{shown}"'
    writer.declared.setdefault(name, text)
    writer.call("PyErr_SetString", "void", f"ptr {symbol_of(writer, kind)}", f"ptr @{name}")


def symbol_of(writer: Writer, name: str) -> str:
    """The address of an object, which goes by a symbol of ours."""
    writer.declare_variable(f"structarr_{name}", "i8")
    return f"@structarr_{name}"


def _fetch(writer: Writer, args: Sequence[Value]) -> None:
    """An address that the memory is asked for."""
    buffer, index = args
    if not isinstance(buffer, Array):
        raise Untranslated("an element of no buffer")
    at = converted(writer, _numbers([index])[0], INT).text
    place = writer.set(f"getelementptr {buffer.kind.text}, ptr {buffer.data}, i64 {at}")
    writer.call("llvm.prefetch.p0", "void", f"ptr {place}", "i32 0", "i32 3", "i32 1")


def _overflow(writer: Writer, args: Sequence[Value]) -> None:
    set_error(writer, "runtime_error", OUTGROWN)
    writer.fail_if("true")


def _out_of_bounds(writer: Writer, args: Sequence[Value]) -> None:
    """End by an error of three integers."""
    lock = writer.call("PyGILState_Ensure", "i32")
    made = writer.call("PyTuple_New", "ptr", "i64 3")
    for k, one in enumerate(_numbers(args)):
        given = f"i64 {converted(writer, one, INT).text}"
        number = writer.call("PyLong_FromLongLong", "ptr", given)
        writer.call("PyTuple_SetItem", "i32", f"ptr {made}", f"i64 {k}", f"ptr {number}")
    kind = symbol_of(writer, "index_error")
    writer.call("PyErr_SetObject", "void", f"ptr {kind}", f"ptr {made}")
    writer.call("Py_DecRef", "void", f"ptr {made}")
    writer.call("PyGILState_Release", "void", f"i32 {lock}")
    writer.fail_if("true")


def _vector(name: str, writer: Writer, args: Sequence[Value]) -> None:
    """A loop of NumPy's for a stretch of a buffer, which its results replace."""
    buffer, lo, hi, *others = args
    if not isinstance(buffer, Array) or buffer.kind.is_whole:
        raise Untranslated("a function of vectors of no floats")
    start, stop = (converted(writer, one, INT) for one in _numbers((lo, hi)))
    bounds.check_stretch(writer, buffer, start.text, stop.text)
    own = writer.set(
        f"getelementptr inbounds {buffer.kind.text}, ptr {buffer.data}, i64 {start.text}"
    )
    length = writer.set(f"sub i64 {stop.text}, {start.text}")
    values = [converted(writer, one, buffer.kind) for one in others if isinstance(one, Number)]
    beside = [one for one in others if isinstance(one, Array)]
    for one in beside:
        bounds.check_stretch(writer, one, "0", length)
    pairs = [(one.data, True) for one in beside]
    _apply(name, writer, buffer.kind, [(own, True), *pairs, *_rooms(writer, values)], own, length)


def _scalar(name: str, writer: Writer, args: Sequence[Value]) -> Number:
    """A function as a loop of NumPy's computes it, of one number."""
    kind, given = _float_of(args, pairs=True)
    places = _rooms(writer, given)
    _apply(name, writer, kind, places, places[0][0], "1")
    return Number(kind, writer.set(f"load {kind.text}, ptr {places[0][0]}"))


def _rooms(writer: Writer, values: Sequence[Number]) -> list[tuple[str, bool]]:
    """The addresses of numbers, none of which is one of a stretch."""
    found = []
    for one in values:
        found.append((writer.room(one.kind.text), False))
        writer.line(f"store {one.kind.text} {one.text}, ptr {found[-1][0]}")
    return found


def _apply(
    name: str,
    writer: Writer,
    kind: Kind,
    operands: Sequence[tuple[str, bool]],
    result: str,
    length: str,
) -> None:
    """Call a loop of NumPy's on operands, and whether each is a stretch, and on the result."""
    symbol = f"structarr_{name}_{kind.name}"
    writer.declare_variable(symbol, "[2 x ptr]")
    loop = writer.set(f"load ptr, ptr @{symbol}")
    second = writer.set(f"getelementptr inbounds ptr, ptr @{symbol}, i64 1")
    last = writer.set(f"load ptr, ptr {second}")
    size = kind.bits // 8
    lists = [
        _listed(writer, "ptr", [*[place for place, _ in operands], result]),
        _listed(writer, "i64", [length]),
        _listed(writer, "i64", [*[str(size * along) for _, along in operands], str(size)]),
    ]
    given = ", ".join([f"ptr {one}" for one in (*lists, last)])
    writer.line(f"call void {loop}({given})")


def _new_block(writer: Writer, args: Sequence[Value]) -> Array:
    """Room for a block of floats on the stack."""
    kind, _ = _float_of(args, pairs=True)
    return Array(kind, writer.room(f"[{BLOCK} x {kind.text}]"), str(BLOCK))


def _listed(writer: Writer, kind: str, values: Sequence[str]) -> str:
    """A list in memory."""
    found = writer.room(f"[{len(values)} x {kind}]")
    for k, value in enumerate(values):
        at = writer.set(f"getelementptr inbounds {kind}, ptr {found}, i64 {k}")
        writer.line(f"store {kind} {value}, ptr {at}")
    return found


FUNCTIONS: Final[dict[str, Made]] = {
    "len": _length,
    "abs": _absolute,
    **{name: partial(_extreme, name) for name in ("min", "max")},
    # LLVM's and C's; where both have one, the one that Numba takes.
    **{
        name: partial(_intrinsic, name)
        for name in ("exp", "exp2", "log", "log2", "log10", "sin", "cos")
    },
    **{name: partial(_intrinsic, name) for name in ("floor", "ceil", "trunc")},
    "sqrt": _root,
    "rint": _rounded,
    "conjugate": _conjugate,
    **{name: partial(_of_c, name) for name in ("log1p", "expm1", "tan", "sinh", "cosh", "tanh")},
    **{
        f"arc{name}": partial(_of_c, f"a{name}")
        for name in ("sin", "cos", "tan", "sinh", "cosh", "tanh")
    },
    **{name: partial(_of_c, name) for name in ("hypot", "nextafter")},
    "ldexp": _ldexp,
    "fmod": _remainder,
    "copysign": _copysign,
    "signbit": _signbit,
    # Helpers that are instructions.
    "radd": _added,
    "rmax": partial(_relaxed, "maximum"),
    "rmin": partial(_relaxed, "minimum"),
    "rarely": _rarely,
    "lowest": _lowest,
    "beyond": _beyond,
    "words_of": _words,
    "new_fingers": _fingers,
    "new_block": _new_block,
    "fetch": _fetch,
    "overflow": _overflow,
    "out_of_bounds": _out_of_bounds,
    "u": lambda writer, args: converted(writer, _numbers(args)[0], WORD),
    **{helper: partial(_vector, name) for helper, name in LOOPS.items()},
    **{helper: partial(_scalar, name) for helper, name in SCALARS.items()},
}
"""The functions that are no text, by name."""
