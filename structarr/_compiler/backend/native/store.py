"""Kernels on disk as object files, each with what it takes to load it."""

from __future__ import annotations

import hashlib
import json
import sys
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from structarr._compiler.backend.disk import folder, surroundings
from structarr._compiler.backend.params import Param
from structarr._compiler.backend.user_functions import Function


class Stored(NamedTuple):
    """A kernel as it is kept.

    Attributes
    ----------
    name : str
        The kernel's.
    symbols : list of str
        Those that the code refers to.
    numba : bool
        Whether some are of Numba.
    processor : list of str
        What the code is for, as LLVM calls it.
    code : bytes
        An object file.
    """

    name: str
    symbols: list[str]
    numba: bool
    processor: list[str]
    code: bytes

    def load(self) -> Callable[..., Any] | None:
        """The function that calls it; None where it cannot be loaded here.

        Numba has to be there if the code refers to it.
        """
        from structarr._compiler.backend.native import engine  # imports llvmlite

        if not engine.reads_arrays() or list(engine.processor()) != self.processor:
            return None
        try:
            engine.define(self.symbols)
            return engine.function(self.code, symbol(self.name))
        except (LookupError, RuntimeError):  # of another system that has the same processor
            return None


def symbol(kernel: str) -> str:
    """The name of the function that calls a kernel."""
    return f"{kernel}_entry"


def identify(source: str, params: tuple[Param, ...]) -> str:
    """Return a name that stands for the machine code: a hash of everything it depends on."""
    types = [(param.dtype, param.array, param.writable) for param in params]
    found = repr((source, types, surroundings.of_code()))
    return "k_" + hashlib.sha256(found.encode()).hexdigest()[:32]


def is_stable(users: Sequence[Function]) -> bool:
    """Whether a kernel's text means the same in another process."""
    return all(function.stable for function in users)


def find(name: str) -> Stored | None:
    """The kernel of a name; None where it is not there as a whole."""
    content = folder.read(f"{name}.kernel")
    if content is None:
        return None
    head, _, code = content.partition(b"\n")
    try:
        symbols, numba, processor = json.loads(head)
    except ValueError:
        return None
    return Stored(name, symbols, numba, processor, code)


def keep(kernel: Stored) -> None:
    """Keep a kernel for other processes."""
    head = json.dumps([kernel.symbols, kernel.numba, kernel.processor])
    folder.write(f"{kernel.name}.kernel", head.encode() + b"\n" + kernel.code)
    folder.flush()  # beside a compilation this takes no time


def is_loaded() -> bool:
    """Whether LLVM is there, which takes longer to import than a kernel to load."""
    return f"{__package__}.engine" in sys.modules
