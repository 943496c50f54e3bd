"""Object files as functions of Python's, by LLVM alone. Importing this module imports llvmlite."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Iterable
from contextlib import suppress
from functools import cache
from pickle import loads
from queue import Empty, SimpleQueue
from typing import Any, Final

import numpy as np
from llvmlite import binding

from structarr._compiler.backend.llvm.layout import AXES, DATA, LENGTHS, STRIDES, TYPE
from structarr._compiler.backend.llvm.piece_entry import ENDING
from structarr._compiler.backend.native import ufunc_loops, wide_divisions
from structarr._compiler.runtime.vectors import DTYPES, SCALARS
from structarr._support.caches import clears
from structarr._support.uninterrupted import MANY, heard

FASTCALL = 0x80  # how Python hands over arguments: a list of objects in memory, and their number


class _Method(ctypes.Structure):
    """The record by which Python describes a function of C's."""

    _fields_ = (
        ("name", ctypes.c_char_p),
        ("function", ctypes.c_void_p),
        ("flags", ctypes.c_int),
        ("says", ctypes.c_char_p),
    )


_ENGINES: Final[dict[int, Any]] = {}
"""The engines of machine code, by the places of the functions that they hold.

Each call of LLVM takes a lock, which an interrupt of the main thread between taking it and the call
would leave taken for good. Functions may end anywhere, so these do not take their engines along.
"""

_LEFT: Final[SimpleQueue[int]] = SimpleQueue()
"""The places of functions that are gone, for a thread that compiles to dispose of their engines."""


class _Code:
    """The machine code of a function, which Python keeps as the function's `self`.

    Attributes
    ----------
    piece : int
        The address of the function for machine code (`llvm.piece_entry`); 0 if there is none.
    """

    def __init__(self, method: _Method, piece: int) -> None:
        self.method = method
        self.piece = piece

    def __del__(self, left: SimpleQueue[int] = _LEFT) -> None:
        left.put(self.method.function)


def _dispose() -> None:
    """Give back the memory of code whose functions are gone."""
    with suppress(Empty):
        while True:
            _ENGINES.pop(_LEFT.get_nowait()).close()


@clears
def _cleared() -> None:
    if not _LEFT.empty():
        heard(_dispose, MANY)  # by a thread that no interrupt reaches


_LOOPS = {
    f"structarr_{name}_{dtype}": (name, dtype)
    for name in (*SCALARS.values(), "sqrt")
    for dtype in DTYPES
}
OBJECTS = {
    f"structarr_{name}": one
    for name, one in {
        "ndarray": np.ndarray,
        "none": None,
        "complex": complex,
        "type_error": TypeError,
        "index_error": IndexError,
        "runtime_error": RuntimeError,
        "memory_error": MemoryError,
        "unpickle": loads,
    }.items()
}
"""The objects to which code refers by the addresses of symbols; names that Numba has not taken."""

NEVER_CALLED = "NRT_MemInfo_call_dtor"
"""What Numba's code frees arrays by that it made; those of kernels without any are not counted."""


@cache
def reads_arrays() -> bool:
    """Whether arrays are laid out in memory as machine code reads them."""
    one = np.arange(3)
    place = id(one)
    word = ctypes.c_ssize_t.from_address
    if ctypes.sizeof(ctypes.c_void_p) != 8 or word(place + TYPE).value != id(np.ndarray):
        return False
    own = word(place + DATA).value == one.__array_interface__["data"][0]
    if not own or ctypes.c_int.from_address(place + AXES).value != 1:
        return False
    length, stride = (word(word(place + at).value).value for at in (LENGTHS, STRIDES))
    return (length, stride) == (3, one.itemsize)


@cache
def processor() -> tuple[str, str, str]:
    """The target of machine code: the system, the processor's name and its features."""
    name, features = binding.get_host_cpu_name(), binding.get_host_cpu_features().flatten()
    return binding.get_process_triple(), name, features + _tuning(name)


def _tuning(name: str) -> str:
    """What LLVM is told of a processor beside its features.

    Where vectors are gathered and scattered one element after the other, in steps of microcode,
    LLVM takes them for cheap all the same: sums of short rows of constant length then took twice as
    long as one by one, extremes with their places three times, and elements that few entries are
    written to three times, as a scatter takes as long where it writes nothing.
    """
    return ",+prefer-no-gather,+prefer-no-scatter" if name.startswith("znver") else ""


def lacking(names: Iterable[str]) -> list[str]:
    """Of some symbols, those that neither this package nor the process has without Numba."""
    return [name for name in names if _address(name) is None]


def define(names: Iterable[str]) -> None:
    """Tell LLVM of symbols, as it ends the process where it meets one that it does not know.

    Raises
    ------
    LookupError
        If there is none of a name.
    """
    for name in names:
        if binding.address_of_symbol(name) is None:
            address = _address(name)
            if address is None:
                raise LookupError(f"machine code refers to {name}, which is not there")
            binding.add_symbol(name, address)


@cache
def _address(name: str) -> int | None:
    """Where the process has a function or variable of C's, or we have."""
    if name in OBJECTS:
        return id(OBJECTS[name])
    if name in _LOOPS:
        return ufunc_loops.address(_cell(name))
    if name in wide_divisions.NAMES:
        return wide_divisions.address(name)
    if name == NEVER_CALLED:
        name = "abs"  # which does no harm
    try:
        return ctypes.addressof(ctypes.c_char.in_dll(ctypes.pythonapi, name))
    except (ValueError, AttributeError):
        return None


@cache
def _cell(symbol: str) -> Any:
    """Where machine code finds a loop of NumPy's, for as long as the process lives."""
    return ufunc_loops.cell(*_LOOPS[symbol])


def function(code: bytes, name: str) -> Callable[..., Any]:
    """The function of a name in an object file, all of whose symbols are defined."""
    _dispose()
    machine = _target().create_target_machine(jit=True)  # an engine owns its own, as its module
    engine = binding.create_mcjit_compiler(binding.parse_assembly(""), machine)
    engine.add_object_file(binding.ObjectFileRef.from_data(code))
    engine.finalize_object()
    address = engine.get_function_address(name)
    if not address:
        raise LookupError(f"no {name} in an object file")
    method = _Method(name.encode(), address, FASTCALL, None)
    _ENGINES[address] = engine
    code_of = _Code(method, engine.get_function_address(name + ENDING))
    made: Callable[..., Any] = _new(ctypes.byref(method), code_of, None)
    return made


@cache
def _target() -> Any:
    initialize()
    return binding.Target.from_default_triple()


@cache
def initialize() -> None:
    """Have LLVM know the processor."""
    binding.initialize_native_target()
    binding.initialize_native_asmprinter()


_new = ctypes.pythonapi.PyCFunction_NewEx
_new.restype = ctypes.py_object
_new.argtypes = (ctypes.c_void_p, ctypes.py_object, ctypes.py_object)
