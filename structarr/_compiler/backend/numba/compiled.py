"""The compiled tier. Importing this module imports Numba, so `kernel` does it when it must."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path
from types import CodeType, FunctionType, ModuleType
from typing import Any, TypeAlias

import numba
import numpy as np
from numba import types
from numba.core.errors import NumbaError
from numba.core.registry import cpu_target

from structarr._compiler import runtime
from structarr._compiler.backend.disk.folder import directory
from structarr._compiler.backend.native import engine, store, wide_divisions
from structarr._compiler.backend.native.object_symbols import undefined
from structarr._compiler.backend.native.store import Stored, identify, is_stable
from structarr._compiler.backend.numba import diskcache, jitted
from structarr._compiler.backend.numba.blas import import_without_blas
from structarr._compiler.backend.numba.entry import Apart, ApartByEntry
from structarr._compiler.backend.numba.jitted import OPTIONS, njit
from structarr._compiler.backend.params import Param
from structarr._compiler.backend.user_functions import Function
from structarr._compiler.runtime._constructors import CONSTRUCTORS
from structarr._compiler.runtime._mark import u
from structarr.errors import OperatorError

Users: TypeAlias = tuple[Function, ...]

NAMES = {"np": np, "u": np.uintp, **CONSTRUCTORS}


def compile_kernel(
    source: str, params: tuple[Param, ...], users: Users, stored: bool = False
) -> tuple[Callable[..., Any], bool]:
    """
    Compile a kernel, or load one that Numba has to call from the disk.

    The caller sees to it that only one thread is in here.

    Parameters
    ----------
    source : str
        Its text.
    params : tuple of Param
        What it takes.
    users : tuple of Function
        The functions of users that it calls.
    stored : bool
        Whether the disk probably has it as Numba calls it.

    Returns
    -------
    function : callable
        Takes the kernel's arguments. It checks that arrays are arrays of one axis and the right
        item size and no more: half of a dispatcher's call goes into types, which here are known.
    loaded : bool
        Whether it came from the disk.
    """
    name = identify(source, params)
    signature = tuple(_numba_type(param) for param in params)
    try:
        function = None
        if not stored:
            function = _natively(name, source, signature, users)
        if function is not None:
            return function, False
        dispatcher = _through_disk(name, source, signature, users)
    except BaseException as error:
        # A half-compiled helper must not be met again, Ctrl-C included.
        _compiled_helper.cache_clear()
        explained = jitted.explained(users, error) if isinstance(error, Exception) else None
        jitted.clear()
        if explained is not None:
            raise explained from error
        raise
    finally:
        sys.modules.pop(name, None)
    loaded = bool(dispatcher.stats.cache_hits)
    return dispatcher.overloads[signature].entry_point, loaded


def _numba_type(param: Param) -> Any:
    dtype = numba.from_dtype(np.dtype(param.dtype))
    return types.Array(dtype, 1, "C", readonly=not param.writable) if param.array else dtype


def _natively(
    name: str, text: str, signature: tuple[Any, ...], users: Users
) -> Callable[..., Any] | None:
    """A kernel that Python calls by a function of ours, kept on disk; None where Numba's is due.

    That is where an error is to be raised that has values of the kernel, or objects are of a kind
    that is not read here.
    """
    if not engine.reads_arrays():
        return None
    function = _define(name, text, f"<{name}>", users)
    dispatcher = njit(pipeline_class=ApartByEntry, **OPTIONS)(function)
    _compile(dispatcher, signature, users)
    code = dispatcher.overloads[signature].library._get_compiled_object()
    symbols = undefined(code)
    if symbols is None or "NRT_Allocate" in symbols:
        return None
    lacks = bool(engine.lacking(symbols))
    made = Stored(name, [*symbols], lacks, [*engine.processor()], code)
    found = made.load()
    if found is not None and is_stable(users):
        store.keep(made)
    return found


def _through_disk(name: str, text: str, signature: tuple[Any, ...], users: Users) -> Any:
    folder = directory()
    if folder is None or not is_stable(users):
        return _in_memory(name, text, signature, users)
    entry = diskcache.Entry(folder / name, text)
    try:
        entry.write_source()
        return _cached(name, text, signature, users, entry)
    except (NumbaError, OperatorError):
        raise
    except Exception:
        # A full disk, an entry that another version wrote: the cache is a help, not a need.
        return _in_memory(name, text, signature, users)


def _in_memory(name: str, text: str, signature: tuple[Any, ...], users: Users) -> Any:
    dispatcher = njit(pipeline_class=Apart, **OPTIONS)(_define(name, text, f"<{name}>", users))
    return _compile(dispatcher, signature, users)


def _cached(
    name: str, text: str, signature: tuple[Any, ...], users: Users, entry: diskcache.Entry
) -> Any:
    dispatcher = njit(cache=True, pipeline_class=Apart, **OPTIONS)(
        _define(name, text, str(entry.source), users)
    )
    folder = Path(dispatcher.stats.cache_path)
    if not entry.intact(folder):
        entry.discard(folder)
    _compile(dispatcher, signature, users)
    if not dispatcher.stats.cache_hits:
        entry.seal(folder)
    return dispatcher


def _compile(dispatcher: Any, signature: tuple[Any, ...], users: Users) -> Any:
    engine.define(wide_divisions.NAMES)  # Numba defines none
    try:
        dispatcher.compile(signature)
    except OSError:
        # Numba writes to the disk last: the kernel itself may be there.
        if signature not in dispatcher.overloads:
            raise
    dispatcher.disable_compile()
    jitted.check(users)
    return dispatcher


def _define(name: str, text: str, filename: str, users: Users) -> Callable[..., Any]:
    """
    Execute a kernel's text in a module of its own and return its first function, under the name.

    Numba finds the globals of a kernel by the module's name while it is compiled or loaded, and
    only then: the module is registered until `compile_kernel` returns.
    """
    module = ModuleType(name)
    module.__file__ = filename
    sys.modules[name] = module
    code = compile(text, filename, "exec")
    parts: dict[str, Any] = {}
    exec(code, vars(module), parts)
    function: Callable[..., Any] = next(iter(parts.values()))
    function.__name__ = function.__qualname__ = name
    for used in _mentioned(code):
        if used in NAMES:
            vars(module)[used] = NAMES[used]
        elif used in runtime.HELPERS:
            vars(module)[used] = _compiled_helper(runtime.HELPERS[used])
        elif used in parts:
            vars(module)[used] = njit(no_cpython_wrapper=True, **OPTIONS)(parts[used])
    vars(module).update(jitted.dispatchers(users))
    return function


def _mentioned(code: CodeType) -> tuple[str, ...]:
    """The global names in a text's functions."""
    functions = [one for one in code.co_consts if isinstance(one, CodeType)]
    return tuple(dict.fromkeys(name for one in functions for name in one.co_names))


@cache
def _compiled_helper(function: FunctionType) -> Any:
    """Return the helper for use in compiled code; it is compiled when a kernel first needs it."""
    instruction = jitted.instruction(function.__name__)
    if instruction is not None:
        return instruction
    names = dict(function.__globals__)
    for used in function.__code__.co_names:
        value = names.get(used)
        if value is function:
            continue  # an attribute of the same name, as in `np.ldexp`: helpers do not recurse
        if value is u:
            names[used] = np.uintp
        elif inspect.isfunction(value):
            names[used] = _compiled_helper(value)
    twin = FunctionType(
        function.__code__, names, function.__name__, function.__defaults__, function.__closure__
    )
    fastmath = jitted.FASTMATH.get(function.__name__, set())
    return njit(no_cpython_wrapper=True, fastmath=fastmath, **OPTIONS)(twin)


import_without_blas()

SYMBOLS = cpu_target.target_context  # made, so that LLVM knows the functions that code may refer to

READY = True  # the last line: whoever finds the module while it is being imported has to wait
