"""The functions by which Python calls kernels without Numba, as code for LLVM.

They read NumPy's arrays and numbers themselves, release the lock of Python while the kernel runs,
and need nothing but Python's own functions: where a kernel needs no more, its object file serves a
process that has no Numba.
"""

from __future__ import annotations

from typing import Any, Final

from llvmlite import ir
from numba import types as _types
from numba.core import cgutils as _cgutils, compiler_machinery
from numba.core.compiler import Compiler
from numba.core.lowering import Lower
from numba.core.typed_passes import NativeLowering
from numba.np import arrayobj

from structarr._compiler.backend.llvm.layout import AXES, DATA, LENGTHS, STRIDES, TYPE
from structarr._compiler.backend.native.store import symbol
from structarr._compiler.backend.numba.calls import INT, OBJECT, WORD, address, call, set_error

# Without types:
cgutils: Any = _cgutils
types: Any = _types
arrays: Any = arrayobj
machinery: Any = compiler_machinery

OBJECTS: Final = OBJECT.as_pointer()
DOUBLE: Final = ir.DoubleType()

OTHERS: Final = "a kernel was called with other arguments than those that it was compiled for"


class _Lower(Lower):
    def create_cpython_wrapper(self, release_gil: bool = False) -> None:
        """Write our function in the place of Numba's, if it can translate what comes and goes."""
        if not all(map(_is_read, self.fndesc.argtypes)) or not _is_made(self.fndesc.restype):
            return
        module = self.context.create_module("entry")
        _Entry(self.context, module, self.fndesc).write()
        self.library.add_ir_module(module)


@machinery.register_pass(mutates_CFG=True, analysis_only=False)
class EntryLowering(NativeLowering):
    """Numba's last pass, with our functions for calls from Python."""

    _name = "structarr_entry_lowering"

    @property
    def lowering_class(self) -> Any:
        """The class that writes code for LLVM."""
        return _Lower


class Apart(Compiler):
    """A compiler of kernels, which write to no array that is another argument too."""

    def __init__(
        self, types: Any, target: Any, library: Any, args: Any, result: Any, flags: Any, local: Any
    ) -> None:
        flags.noalias = True
        start: Any = super().__init__
        start(types, target, library, args, result, flags, local)


class ApartByEntry(Apart):
    """The same with our functions for calls from Python."""

    def define_pipelines(self) -> list[Any]:
        """Numba's passes but for the last."""
        above: Any = super()
        found: list[Any] = above.define_pipelines()
        for one in found:
            one.passes = [
                (EntryLowering if kind is NativeLowering else kind, says)
                for kind, says in one.passes
            ]
            one._finalized = False
            one.finalize()
        return found


def _is_read(kind: Any) -> bool:
    """Whether an argument can be read here."""
    numbers = types.Boolean | types.Integer | types.Float | types.Complex
    return isinstance(kind, numbers | types.Array)


def _is_made(kind: Any) -> bool:
    """Whether a result can be made an object here."""
    if isinstance(kind, types.BaseTuple):
        return all(map(_is_made, kind))
    return isinstance(kind, types.NoneType | types.Boolean | types.Integer | types.Float)


class _Entry:
    """The function that calls a kernel, written line by line."""

    def __init__(self, context: Any, module: ir.Module, fndesc: Any) -> None:
        self._context, self._module, self._fndesc = context, module, fndesc
        kind = ir.FunctionType(OBJECT, [OBJECT, OBJECTS, WORD])
        function = ir.Function(module, kind, symbol(fndesc.qualname))
        self._builder = ir.IRBuilder(function.append_basic_block("entry"))
        self._refused = function.append_basic_block("refused")
        self._failed = function.append_basic_block("failed")
        self._given, self._count = function.args[1:]

    def write(self) -> None:
        """Write all of it."""
        builder, kinds = self._builder, self._fndesc.argtypes
        self._go_if(builder.icmp_signed("!=", self._count, WORD(len(kinds))), self._refused)
        args = [
            self._arg(builder.load(cgutils.gep(builder, self._given, k)), kind)
            for k, kind in enumerate(kinds)
        ]
        convention = self._context.call_conv
        kernel = ir.Function(
            self._module,
            convention.get_function_type(self._fndesc.restype, kinds),
            self._fndesc.llvm_func_name,
        )
        state = call(builder, "PyEval_SaveThread", OBJECT)
        status, result = convention.call_function(
            builder, kernel, self._fndesc.restype, kinds, args
        )
        call(builder, "PyEval_RestoreThread", ir.VoidType(), state)
        with builder.if_then(status.is_user_exc, likely=False):
            self._raise(builder.load(status.excinfoptr))
        self._go_if(status.is_error, self._failed)
        builder.ret(self._made(self._fndesc.restype, result))
        with builder.goto_block(self._refused):
            set_error(builder, "structarr_type_error", OTHERS)
            builder.branch(self._failed)
        with builder.goto_block(self._failed):
            builder.ret(OBJECT(None))

    # ------------------------------------------------------------------ arguments

    def _arg(self, obj: Any, kind: Any) -> Any:
        return self._array(obj, kind) if isinstance(kind, types.Array) else self._number(obj, kind)

    def _array(self, obj: Any, kind: Any) -> Any:
        """An array, which has one axis and elements of the right size beside each other."""
        builder = self._builder
        type_ = self._field(obj, TYPE, OBJECT)
        is_array = builder.icmp_unsigned("==", type_, address(builder, "structarr_ndarray"))
        with builder.if_then(builder.not_(is_array), likely=False):
            below = call(
                builder, "PyType_IsSubtype", INT, type_, address(builder, "structarr_ndarray")
            )
            self._go_if(builder.icmp_signed("==", below, INT(0)), self._refused)
        lengths = self._field(obj, LENGTHS, WORD.as_pointer())
        strides = self._field(obj, STRIDES, WORD.as_pointer())
        folded = builder.icmp_signed("!=", self._field(obj, AXES, INT), INT(1))
        self._go_if(folded, self._refused)
        element = self._context.get_data_type(kind.dtype)
        size = self._context.get_abi_sizeof(element)
        length = builder.load(lengths)
        apart = builder.icmp_signed("!=", builder.load(strides), WORD(size))
        several = builder.icmp_signed(">", length, WORD(1))
        self._go_if(builder.and_(apart, several), self._refused)
        made = self._context.make_array(kind)(self._context, builder)
        arrays.populate_array(
            made,
            data=self._field(obj, DATA, element.as_pointer()),
            shape=(length,),
            strides=(WORD(size),),
            itemsize=WORD(size),
            meminfo=None,
        )
        return made._getvalue()

    def _number(self, obj: Any, kind: Any) -> Any:
        builder, value = self._builder, self._context.get_value_type(kind)
        if isinstance(kind, types.Boolean):
            truth = call(builder, "PyObject_IsTrue", INT, obj)
            self._go_if(builder.icmp_signed("==", truth, INT(-1)), self._failed)
            return builder.icmp_signed("==", truth, INT(1))
        if isinstance(kind, types.Integer):
            return self._integer(obj, kind, value)
        if isinstance(kind, types.Float):
            double = call(builder, "PyFloat_AsDouble", DOUBLE, obj)
            self._fail_if_set(builder.fcmp_ordered("==", double, DOUBLE(-1.0)))
            return double if value == DOUBLE else builder.fptrunc(double, value)
        return self._complex(obj, kind)

    def _integer(self, obj: Any, kind: Any, value: Any) -> Any:
        builder = self._builder
        whole = call(builder, "PyNumber_Index", OBJECT, obj)
        self._go_if(cgutils.is_null(builder, whole), self._failed)
        name = "PyLong_AsLongLong" if kind.signed else "PyLong_AsUnsignedLongLong"
        found = call(builder, name, WORD, whole)
        call(builder, "Py_DecRef", ir.VoidType(), whole)
        self._fail_if_set(builder.icmp_signed("==", found, WORD(-1)))
        return found if value == WORD else builder.trunc(found, value)

    def _complex(self, obj: Any, kind: Any) -> Any:
        """A complex number, by way of Python's: not all of NumPy's are of its class."""
        builder = self._builder
        python = call(
            builder, "PyObject_CallOneArg", OBJECT, address(builder, "structarr_complex"), obj
        )
        self._go_if(cgutils.is_null(builder, python), self._failed)
        parts = [
            call(builder, f"PyComplex_{part}AsDouble", DOUBLE, python) for part in ("Real", "Imag")
        ]
        call(builder, "Py_DecRef", ir.VoidType(), python)
        made = self._context.make_complex(builder, kind)
        width = self._context.get_value_type(kind.underlying_float)
        narrow = [one if width == DOUBLE else builder.fptrunc(one, width) for one in parts]
        made.real, made.imag = narrow
        return made._getvalue()

    # -------------------------------------------------------------------- results

    def _made(self, kind: Any, value: Any) -> Any:
        """The result of a kernel, as an object of Python's."""
        builder = self._builder
        if isinstance(kind, types.NoneType):
            none = address(builder, "structarr_none")
            call(builder, "Py_IncRef", ir.VoidType(), none)
            return none
        if isinstance(kind, types.BaseTuple):
            made = call(builder, "PyTuple_New", OBJECT, WORD(len(kind)))
            self._go_if(cgutils.is_null(builder, made), self._failed)
            for k, part in enumerate(kind):
                one = self._made(part, builder.extract_value(value, k))
                call(builder, "PyTuple_SetItem", INT, made, WORD(k), one)
            return made
        if isinstance(kind, types.Boolean):
            return call(builder, "PyBool_FromLong", OBJECT, builder.zext(value, WORD))
        if isinstance(kind, types.Integer) and kind.signed:
            wide = value if value.type == WORD else builder.sext(value, WORD)
            return call(builder, "PyLong_FromLongLong", OBJECT, wide)
        if isinstance(kind, types.Integer):
            wide = value if value.type == WORD else builder.zext(value, WORD)
            return call(builder, "PyLong_FromUnsignedLongLong", OBJECT, wide)
        wide = value if value.type == DOUBLE else builder.fpext(value, DOUBLE)
        return call(builder, "PyFloat_FromDouble", OBJECT, wide)

    def _raise(self, error: Any) -> None:
        """Have Python raise an error of the kernel's, of which the code has a pickle."""
        builder = self._builder
        content = [builder.extract_value(error, k) for k in range(2)]
        content[1] = builder.sext(content[1], WORD)
        pickle = call(builder, "PyBytes_FromStringAndSize", OBJECT, *content)
        self._go_if(cgutils.is_null(builder, pickle), self._failed)
        unpickle = address(builder, "structarr_unpickle")
        parts = call(builder, "PyObject_CallOneArg", OBJECT, unpickle, pickle)
        self._go_if(cgutils.is_null(builder, parts), self._failed)
        own, args = (call(builder, "PyTuple_GetItem", OBJECT, parts, WORD(k)) for k in range(2))
        call(builder, "PyErr_SetObject", ir.VoidType(), own, args)
        builder.branch(self._failed)

    # ---------------------------------------------------------------------- lines

    def _field(self, obj: Any, offset: int, kind: Any) -> Any:
        place = self._builder.gep(obj, [WORD(offset)])
        return self._builder.load(self._builder.bitcast(place, kind.as_pointer()))

    def _go_if(self, cond: Any, block: Any) -> None:
        """Leave for a block under a condition that seldom holds."""
        with self._builder.if_then(cond, likely=False):
            self._builder.branch(block)

    def _fail_if_set(self, suspicious: Any) -> None:
        """Fail where a value that stands for an error comes with one."""
        builder = self._builder
        with builder.if_then(suspicious, likely=False):
            error = call(builder, "PyErr_Occurred", OBJECT)
            self._go_if(cgutils.is_not_null(builder, error), self._failed)
