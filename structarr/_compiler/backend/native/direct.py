"""Kernels compiled by LLVM alone, without Numba. Importing this module imports llvmlite."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from structarr._compiler.backend.llvm.module import translated
from structarr._compiler.backend.native import emit, engine, store
from structarr._compiler.backend.native.object_symbols import undefined
from structarr._compiler.backend.params import Param
from structarr._compiler.backend.text.kinds import Untranslated


def compiled(source: str, params: tuple[Param, ...]) -> Callable[..., Any] | None:
    """
    A kernel in machine code, kept on disk; None where it is Numba's to compile.

    Parameters
    ----------
    source : str
        Its text, which calls no functions of users.
    params : tuple of Param
        What it takes.
    """
    if not engine.reads_arrays():
        return None
    name = store.identify(source, params)
    try:
        code = emit.object_file(translated(store.symbol(name), source, params))
    except Untranslated:
        return None
    symbols = None if code is None else undefined(code)
    if code is None or symbols is None or engine.lacking(symbols):
        return None
    made = store.Stored(name, [*symbols], False, [*engine.processor()], code)
    found = made.load()
    if found is not None:
        store.keep(made)
    return found
