"""Calls of Python's own functions in machine code, and errors that kernels raise by them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

from llvmlite import ir
from numba import types
from numba.core import cgutils as _cgutils

from structarr._compiler.backend.native import engine

cgutils: Any = _cgutils  # without types

OBJECT: Final = cgutils.voidptr_t
INT: Final = ir.IntType(32)
WORD: Final = ir.IntType(64)
TRUTH: Final = ir.IntType(1)


def address(builder: Any, name: str) -> Any:
    """The address of an object, which goes by a symbol of ours."""
    engine.define([name])
    module = builder.module
    found = module.globals.get(name) or ir.GlobalVariable(module, ir.IntType(8), name)
    return builder.bitcast(found, OBJECT)


def call(builder: Any, name: str, kind: Any, *args: Any) -> Any:
    """The call of a function of C's."""
    called = ir.FunctionType(kind, [one.type for one in args])
    return builder.call(cgutils.get_or_insert_function(builder.module, called, name), args)


def set_error(builder: Any, kind: str, says: str) -> None:
    """Have Python raise an error; it must be locked."""
    content = cgutils.make_bytearray(says.encode() + b"\0")
    text = cgutils.global_constant(builder, "structarr_says", content)
    words = builder.bitcast(text, OBJECT)
    call(builder, "PyErr_SetString", ir.VoidType(), address(builder, kind), words)


def raise_text(kind: str, says: str) -> Callable[..., Any]:
    """An intrinsic without arguments that ends a kernel with an error."""

    def called(context: Any) -> Any:
        return types.none(), _raising(lambda builder, _: set_error(builder, kind, says))

    return called


def raise_numbers(kind: str) -> Callable[..., Any]:
    """An intrinsic that ends a kernel with an error of the three integers that it is given."""

    def called(context: Any, site: Any, index: Any, dim: Any) -> Any:
        made = _raising(lambda builder, numbers: _set_numbers(builder, kind, numbers))
        return types.none(types.int64, types.int64, types.int64), made

    return called


def _raising(set_error: Callable[[Any, Any], None]) -> Callable[..., Any]:
    """The writer of code that sets an error and leaves the function."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        with builder.if_then(TRUTH(1)):
            lock = call(builder, "PyGILState_Ensure", INT)
            set_error(builder, args)
            call(builder, "PyGILState_Release", ir.VoidType(), lock)
            context.call_conv.return_exc(builder)
        return context.get_dummy_value()

    return generate


def _set_numbers(builder: Any, kind: str, numbers: Sequence[Any]) -> None:
    made = call(builder, "PyTuple_New", OBJECT, WORD(len(numbers)))
    for k, one in enumerate(numbers):
        number = call(builder, "PyLong_FromLongLong", OBJECT, one)
        call(builder, "PyTuple_SetItem", INT, made, WORD(k), number)
    call(builder, "PyErr_SetObject", ir.VoidType(), address(builder, kind), made)
    call(builder, "Py_DecRef", ir.VoidType(), made)
