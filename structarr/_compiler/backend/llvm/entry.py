"""The function by which Python calls a kernel.

It reads NumPy's arrays and numbers itself, releases the lock of Python while the kernel runs, and
makes objects of what is returned.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from structarr._compiler.backend.llvm.arithmetic import converted
from structarr._compiler.backend.llvm.called import Written, call_of, parts_of
from structarr._compiler.backend.llvm.complex_numbers import paired
from structarr._compiler.backend.llvm.functions import set_error_locked, symbol_of
from structarr._compiler.backend.llvm.layout import AXES, DATA, LENGTHS, STRIDES, TYPE
from structarr._compiler.backend.llvm.writer import FAILED, Writer
from structarr._compiler.backend.params import Param
from structarr._compiler.backend.text.kinds import (
    BOOL,
    DOUBLE,
    DOUBLES,
    Array,
    Kind,
    Number,
    Untranslated,
    Value,
)

OTHERS: Final = "a kernel was called with other arguments than those that it was compiled for"
REFUSED: Final = "refused"


class Entry:
    """
    The function that calls a kernel, written line by line.

    Parameters
    ----------
    writer : Writer
        Where its lines go.
    params : tuple of Param
        What the kernel takes.
    kinds : sequence of Kind
        The types of that.
    """

    def __init__(self, writer: Writer, params: tuple[Param, ...], kinds: Sequence[Kind]) -> None:
        self._writer, self._params, self._kinds = writer, params, kinds

    def write(self, kernel: Written) -> None:
        """Write all of it."""
        writer = self._writer
        writer.leave_if(writer.set(f"icmp ne i64 %count, {len(self._params)}"), REFUSED)
        given = [self._arg(k) for k in range(len(self._params))]
        state = writer.call("PyEval_SaveThread", "ptr")
        parts = parts_of(writer, kernel, call_of(writer, kernel, given))
        writer.call("PyEval_RestoreThread", "void", f"ptr {state}")
        if kernel.fails:
            writer.fail_if(parts.pop(0))
        writer.end(f"ret ptr {self._made(kernel, parts)}")
        writer.open(REFUSED)
        set_error_locked(writer, "type_error", OTHERS)
        writer.goto(FAILED)
        writer.open(FAILED)
        writer.end("ret ptr null")

    # ------------------------------------------------------------------ arguments

    def _arg(self, place: int) -> Value:
        obj = self._load("ptr", "%given", 8 * place)
        kind = self._kinds[place]
        if self._params[place].array:
            return self._array(obj, kind)
        if kind == BOOL:
            return Number(kind, self._truth(obj))
        if kind.is_complex:
            return self._complex(obj, kind)
        return Number(kind, self._integer(obj, kind) if kind.is_whole else self._float(obj, kind))

    def _array(self, obj: str, kind: Kind) -> Array:
        """An array, which has one axis and elements of the right size beside each other."""
        writer = self._writer
        ours, own = symbol_of(writer, "ndarray"), self._load("ptr", obj, TYPE)
        other, read = writer.label("other"), writer.label("read")
        writer.fork(writer.set(f"icmp eq ptr {own}, {ours}"), read, other)
        writer.open(other)
        below = writer.call("PyType_IsSubtype", "i32", f"ptr {own}", f"ptr {ours}")
        writer.leave_if(writer.set(f"icmp eq i32 {below}, 0"), REFUSED)
        writer.goto(read)
        writer.open(read)
        axes = self._load("i32", obj, AXES)
        writer.leave_if(writer.set(f"icmp ne i32 {axes}, 1"), REFUSED)
        length = self._load("i64", self._load("ptr", obj, LENGTHS), 0)
        stride = self._load("i64", self._load("ptr", obj, STRIDES), 0)
        apart = writer.set(f"icmp ne i64 {stride}, {kind.bits // 8}")
        several = writer.set(f"icmp sgt i64 {length}, 1")
        writer.leave_if(writer.set(f"and i1 {apart}, {several}"), REFUSED)
        return Array(kind, self._load("ptr", obj, DATA), length)

    def _truth(self, obj: str) -> str:
        writer = self._writer
        found = writer.call("PyObject_IsTrue", "i32", f"ptr {obj}")
        writer.fail_if(writer.set(f"icmp eq i32 {found}, -1"))
        return writer.set(f"icmp eq i32 {found}, 1")

    def _integer(self, obj: str, kind: Kind) -> str:
        writer = self._writer
        whole = writer.call("PyNumber_Index", "ptr", f"ptr {obj}")
        writer.fail_if(writer.set(f"icmp eq ptr {whole}, null"))
        name = "PyLong_AsLongLong" if kind.code == "i" else "PyLong_AsUnsignedLongLong"
        found = writer.call(name, "i64", f"ptr {whole}")
        writer.call("Py_DecRef", "void", f"ptr {whole}")
        self._fail_if_set(writer.set(f"icmp eq i64 {found}, -1"))
        return found if kind.bits == 64 else writer.set(f"trunc i64 {found} to {kind.text}")

    def _float(self, obj: str, kind: Kind) -> str:
        writer = self._writer
        found = writer.call("PyFloat_AsDouble", "double", f"ptr {obj}")
        self._fail_if_set(writer.set(f"fcmp oeq double {found}, -1.0"))
        return found if kind == DOUBLE else writer.set(f"fptrunc double {found} to float")

    def _complex(self, obj: str, kind: Kind) -> Number:
        """A complex number, by way of Python's: not all of NumPy's are of its class."""
        writer = self._writer
        made = symbol_of(writer, "complex")
        whole = writer.call("PyObject_CallOneArg", "ptr", f"ptr {made}", f"ptr {obj}")
        writer.fail_if(writer.set(f"icmp eq ptr {whole}, null"))
        real, imag = (
            Number(DOUBLE, writer.call(f"PyComplex_{part}AsDouble", "double", f"ptr {whole}"))
            for part in ("Real", "Imag")
        )
        writer.call("Py_DecRef", "void", f"ptr {whole}")
        return converted(writer, paired(writer, DOUBLES, real, imag), kind)

    # -------------------------------------------------------------------- results

    def _made(self, kernel: Written, parts: Sequence[str]) -> str:
        """The result of a kernel, as an object of Python's."""
        writer = self._writer
        objects = [
            self._object(kind, part) for kind, part in zip(kernel.results, parts, strict=True)
        ]
        if kernel.is_tuple:
            made = writer.call("PyTuple_New", "ptr", f"i64 {len(objects)}")
            writer.fail_if(writer.set(f"icmp eq ptr {made}, null"))
            for k, one in enumerate(objects):
                writer.call("PyTuple_SetItem", "i32", f"ptr {made}", f"i64 {k}", f"ptr {one}")
            return made
        if objects:
            return objects[0]
        none = symbol_of(writer, "none")
        writer.call("Py_IncRef", "void", f"ptr {none}")
        return none

    def _object(self, kind: Kind, value: str) -> str:
        writer = self._writer
        if kind.is_whole:
            wide, way = value, "sext" if kind.code == "i" else "zext"
            if kind.text != "i64":
                wide = writer.set(f"{way} {kind.text} {value} to i64")
            name = {"b": "PyBool_FromLong", "i": "PyLong_FromLongLong"}.get(
                kind.code, "PyLong_FromUnsignedLongLong"
            )
            return writer.call(name, "ptr", f"i64 {wide}")
        if kind.is_complex:
            raise Untranslated("a complex result")
        if kind != DOUBLE:
            value = writer.set(f"fpext float {value} to double")
        return writer.call("PyFloat_FromDouble", "ptr", f"double {value}")

    # ---------------------------------------------------------------------- lines

    def _load(self, kind: str, base: str, offset: int) -> str:
        """A field of an object."""
        at = self._writer.set(f"getelementptr i8, ptr {base}, i64 {offset}")
        return self._writer.set(f"load {kind}, ptr {at}")

    def _fail_if_set(self, suspicious: str) -> None:
        """Fail where a value that stands for an error comes with one."""
        writer = self._writer
        asked, onward = writer.label("asked"), writer.label("onward")
        writer.end(f"br i1 {suspicious}, label %{asked}, label %{onward}, !prof !0")
        writer.open(asked)
        error = writer.call("PyErr_Occurred", "ptr")
        writer.fail_if(writer.set(f"icmp ne ptr {error}, null"))
        writer.goto(onward)
        writer.open(onward)
