"""Expected times of compiling and loading a kernel, in seconds.

As measured with Numba 0.68 and LLVM 22; it only has to be right within a factor of two.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Final

from structarr._compiler.backend.native import store

STEP: Final = 0.5e-6  # one innermost step, interpreted
START: Final = 0.45  # importing Numba, and what it does once at the first compilation
LLVM: Final = 0.035  # importing what compiles without Numba, or loads
LOAD: Final = 0.003  # a kernel from the disk
SHARE: Final = 0.4  # of the time of compiling that is interpreted before: later processes gain


def to_load(numba: bool) -> float:
    """The time of loading a kernel from the disk, by Numba or without it."""
    return LOAD + (_numba_start() if numba else _llvm_start())


def to_compile(lines: Sequence[int], numba: bool) -> float:
    """The time of compiling a kernel of functions of so many lines, by Numba or without it."""
    if numba:
        return _numba_start() + 0.05 + sum([0.005 * one + 8e-6 * one * one for one in lines])
    return _llvm_start() + 0.02 + 0.001 * sum(lines)


def _llvm_start() -> float:
    return 0.0 if store.is_loaded() else LLVM


def _numba_start() -> float:
    """Nothing once Numba is there, and has paid for a first compilation: once our module is."""
    compiled = sys.modules.get(f"{__package__}.numba.compiled")
    return 0.0 if getattr(compiled, "READY", False) else START  # it may be being imported
