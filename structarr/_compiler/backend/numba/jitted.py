"""Users' functions in compiled code. Imports Numba, as `compiled` does."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from types import CellType, FunctionType
from typing import Any
from weakref import WeakKeyDictionary

import numba
import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils as _cgutils
from numba.extending import intrinsic as _intrinsic, overload_attribute
from numba.np import arrayobj

from structarr._compiler.backend.native import engine
from structarr._compiler.backend.numba.calls import raise_numbers, raise_text
from structarr._compiler.backend.user_functions import Function
from structarr._compiler.runtime.output import OUTGROWN
from structarr._compiler.runtime.vectors import BLOCK, LOOPS, SCALARS
from structarr._support.debug import debug
from structarr.errors import OperatorError

njit: Any = numba.njit  # its stubs do not know all of its options
cgutils: Any = _cgutils  # without types
arrays: Any = arrayobj  # without types

# Without the wrapper for C callers, which nobody calls, compiling is a tenth faster.
OPTIONS = {
    "error_model": "numpy",
    "nogil": True,
    "boundscheck": debug("check"),  # an index beyond a buffer raises IndexError
    "no_cfunc_wrapper": True,
}


_KINDS: dict[Any, str] = {
    types.Boolean: "b",
    types.Integer: "i",
    types.Float: "f",
    types.Complex: "c",
}


FASTMATH = {"radd": {"reassoc"}}
"""LLVM's flags for helpers; for one alone, as they would change elementwise results too."""


def instruction(helper: str) -> Any:
    """Return the machine's instruction that does what a helper does; None if there is none."""
    make = _INSTRUCTIONS.get(helper)
    return None if make is None else make()


@overload_attribute(types.Boolean, "real")
def _real_of_boolean(x: Any) -> Any:
    """A truth value's real part, which Numba lacks: helpers take numbers of any type apart."""

    def value(x: Any) -> Any:  # Numba compares the annotations, too
        return x

    return value


@overload_attribute(types.Boolean, "imag")
def _imag_of_boolean(x: Any) -> Any:
    def zero(x: Any) -> Any:
        return False

    return zero


def _counted_zeros() -> Any:
    return _named("llvm.cttz", _of_word)


def _of_word(context: Any, word: Any) -> Any:
    """The zeros below the lowest bit that is set, of which there is one."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.cttz(args[0], ir.Constant(ir.IntType(1), 1))

    return types.int64(types.uint64), generate


def _as_words(context: Any, mask: Any) -> Any:
    """The same memory as words; there is a whole number of them."""
    words = types.Array(types.uint64, 1, "C")

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        given = context.make_array(mask)(context, builder, args[0])
        made = context.make_array(words)(context, builder)
        size = ir.Constant(WORD, 8)
        arrays.populate_array(
            made,
            data=builder.bitcast(given.data, made.data.type),
            shape=(builder.sdiv(builder.extract_value(given.shape, 0), size),),
            strides=(size,),
            itemsize=size,
            meminfo=None,
        )
        return made._getvalue()

    return words(mask), generate


def _of_floats(name: str) -> Any:
    """One of LLVM's functions of two floats."""

    def called(context: Any, left: Any, right: Any) -> Any:
        kind = types.float64 if types.float64 in (left, right) else left

        def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            width = context.get_value_type(kind)
            function = ir.FunctionType(width, [width, width])
            declared = builder.module.declare_intrinsic(name, [width], function)
            return builder.call(declared, args, fastmath=("nsz",))

        return kind(kind, kind), generate

    return _named(name, called)


def _named(name: str, called: Any) -> Any:
    called.__name__ = called.__qualname__ = name.replace(".", "_")
    return _intrinsic(called)


def _of_vectors(name: str) -> Any:
    """The inner loop of a function of NumPy's, whose address machine code finds by a symbol."""

    def unary(context: Any, buf: Any, lo: Any, hi: Any) -> Any:
        return _in_place(name, buf)

    def binary(context: Any, buf: Any, lo: Any, hi: Any, other: Any) -> Any:
        return _in_place(name, buf, other if isinstance(other, types.Array) else buf.dtype)

    return _named(f"vector_{name}", unary if getattr(np, name).nin == 1 else binary)


def _in_place(name: str, buf: Any, *others: Any) -> Any:
    """The call of a loop for a stretch of a buffer, which its results replace."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        whole, lo, hi, *values = args
        array = context.make_array(buf)(context, builder, whole)
        own = builder.bitcast(builder.gep(array.data, [lo]), cgutils.voidptr_t)
        operands = [(own, True)]
        for kind, one in zip(others, values, strict=True):
            if isinstance(kind, types.Array):
                data = context.make_array(kind)(context, builder, one).data
                operands.append((builder.bitcast(data, cgutils.voidptr_t), True))
            else:
                operands += _rooms(builder, [one])
        _apply(name, context, builder, buf.dtype, operands, own, builder.sub(hi, lo))
        return context.get_dummy_value()

    return types.none(buf, types.int64, types.int64, *others), generate


def _of_numbers(name: str) -> Any:
    """The inner loop of a function of NumPy's, for one number."""

    def unary(context: Any, x: Any) -> Any:
        return _alone(name, x)

    def binary(context: Any, x: Any, y: Any) -> Any:
        return _alone(name, x, x)

    return _named(f"scalar_{name}", unary if getattr(np, name).nin == 1 else binary)


def _alone(name: str, *kinds: Any) -> Any:
    """The call of a loop for numbers of one type."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        operands = _rooms(builder, args)
        result = cgutils.alloca_once(builder, args[0].type)
        place = builder.bitcast(result, cgutils.voidptr_t)
        _apply(name, context, builder, kinds[0], operands, place, ir.Constant(WORD, 1))
        return builder.load(result)

    return kinds[0](*kinds), generate


def _rooms(builder: Any, values: Iterable[Any]) -> list[tuple[Any, bool]]:
    """The addresses of numbers, none of which is one of a stretch."""
    return [
        (builder.bitcast(cgutils.alloca_once_value(builder, one), cgutils.voidptr_t), False)
        for one in values
    ]


def _apply(
    name: str,
    context: Any,
    builder: Any,
    kind: Any,
    operands: list[tuple[Any, bool]],
    result: Any,
    length: Any,
) -> None:
    """Call a loop of NumPy's on operands, and whether each is a stretch, and on the result."""
    size = context.get_abi_sizeof(context.get_value_type(kind))
    places = [*[place for place, _ in operands], result]
    steps = [ir.Constant(WORD, size * along) for along in (*[one for _, one in operands], True)]
    loop, last = _cell_of(builder, f"structarr_{name}_{kind}")
    lists = [_list_of(builder, *each) for each in (places, (length,), steps)]
    builder.call(loop, [*lists, last])


def _new_block(context: Any, zero: Any) -> Any:
    """Room for a block of values on the stack."""
    kind = types.Array(zero, 1, "C")

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        made = context.make_array(kind)(context, builder)
        value = context.get_data_type(zero)
        room = cgutils.alloca_once(builder, ir.ArrayType(value, BLOCK))
        size = ir.Constant(WORD, context.get_abi_sizeof(value))
        arrays.populate_array(
            made,
            data=builder.bitcast(room, made.data.type),
            shape=(ir.Constant(WORD, BLOCK),),
            strides=(size,),
            itemsize=size,
            meminfo=None,
        )
        return made._getvalue()

    return kind(zero), generate


WORD = ir.IntType(64)
_LOOP = ir.FunctionType(
    ir.VoidType(),
    [cgutils.voidptr_t.as_pointer(), WORD.as_pointer(), WORD.as_pointer(), cgutils.voidptr_t],
)


def _cell_of(builder: Any, symbol: str) -> tuple[Any, Any]:
    """The loop and its last argument, as they are at the symbol's address."""
    engine.define([symbol])
    pair = ir.ArrayType(cgutils.voidptr_t, 2)
    found = builder.module.globals.get(symbol) or ir.GlobalVariable(builder.module, pair, symbol)
    loop, last = (builder.load(cgutils.gep_inbounds(builder, found, 0, k)) for k in range(2))
    return builder.bitcast(loop, _LOOP.as_pointer()), last


def _list_of(builder: Any, *values: Any) -> Any:
    """A list in memory, as a pointer to its first element."""
    found = cgutils.alloca_once(builder, ir.ArrayType(values[0].type, len(values)))
    for k, value in enumerate(values):
        builder.store(value, cgutils.gep_inbounds(builder, found, 0, k))
    return cgutils.gep_inbounds(builder, found, 0, 0)


_INSTRUCTIONS: dict[str, Callable[[], Any]] = {
    "lowest": _counted_zeros,
    "words_of": partial(_named, "words_of", _as_words),
    "new_block": partial(_named, "new_block", _new_block),
    "overflow": partial(_named, "overflow", raise_text("structarr_runtime_error", OUTGROWN)),
    "out_of_bounds": partial(_named, "out_of_bounds", raise_numbers("structarr_index_error")),
    "rmax": partial(_of_floats, "llvm.maximum"),
    "rmin": partial(_of_floats, "llvm.minimum"),
    **{name: partial(_of_vectors, applied) for name, applied in LOOPS.items()},
    **{name: partial(_of_numbers, applied) for name, applied in SCALARS.items()},
}


def dispatchers(users: Iterable[Function]) -> dict[str, Any]:
    """Return functions for use in compiled code; each is compiled when it is needed."""
    return {function.name: _dispatcher(function.python, function.name) for function in users}


def clear() -> None:
    """Forget what was compiled, perhaps by half."""
    _compiled.clear()


def check(users: Iterable[Function]) -> None:
    """Refuse functions whose results do not fit the dtypes that they are taken for."""
    for function in users:
        for signature in _compiled[function.python].nopython_signatures:
            found = signature.return_type
            kind = next((k for one, k in _KINDS.items() if isinstance(found, one)), "O")
            # A number of the text is a literal.
            operand: Any = types.unliteral(signature.args[0])  # type: ignore[no-untyped-call]
            function.check("bool" if operand == types.boolean else str(operand), kind)


def explained(users: Iterable[Function], error: Exception) -> OperatorError | None:
    """Return what Numba says of a kernel in terms of the operator that it fails on, if it does."""
    if isinstance(error, OperatorError):
        return None
    for function in users:
        if not _dispatcher(function.python, function.name).overloads:
            return OperatorError(
                f"operator {function.title} cannot be compiled by Numba:\n{_reason(error)}\n"
                "It may use arithmetic, branches, loops, the functions of math and numpy, and "
                "other plain functions of this kind; or compute with "
                'structarr.options(tier="interpreted")'
            )
    return None


def _reason(error: Exception) -> str:
    """Numba's message without its trail through the functions."""
    lines = str(error).partition("\nDuring:")[0].splitlines()
    return "\n".join(line for line in lines if line and not line.startswith("Failed in"))


_compiled: WeakKeyDictionary[FunctionType, Any] = WeakKeyDictionary()


def _dispatcher(function: FunctionType, name: str) -> Any:
    """A frozen function, and all those that it calls, for use in compiled code."""
    known = _compiled.get(function)
    if known is None:
        known = _compiled[function] = _made(function, name)
    return known


def _made(function: FunctionType, name: str) -> Any:
    names = {key: _inner(value) for key, value in function.__globals__.items()}
    cells = tuple(CellType(_inner(cell.cell_contents)) for cell in function.__closure__ or ())
    twin = FunctionType(function.__code__, names, name, function.__defaults__, cells)
    twin.__qualname__ = name
    return njit(no_cpython_wrapper=True, **OPTIONS)(twin)


def _inner(value: Any) -> Any:
    return _dispatcher(value, value.__name__) if isinstance(value, FunctionType) else value
