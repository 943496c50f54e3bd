"""The compiled tier as a target."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from structarr._compiler.backend.numba.source import source
from structarr._compiler.backend.params import Param
from structarr._compiler.backend.user_functions import Function as User, called
from structarr._compiler.ir.kernel import Function


class NumbaTarget:
    """Kernels compiled by Numba, which is imported when the first is."""

    def source(self, functions: Sequence[Function]) -> str:
        """The text of a kernel; equal texts with equal parameters are one kernel."""
        return source(functions)

    def build(self, functions: Sequence[Function], params: tuple[Param, ...]) -> Callable[..., Any]:
        """The kernel as a function in machine code."""
        return self.compile(self.source(functions), params, called(functions))[0]

    def compile(
        self, source: str, params: tuple[Param, ...], users: tuple[User, ...]
    ) -> tuple[Callable[..., Any], bool]:
        """The kernel of a text that calls functions of users, and whether it came from the disk."""
        from structarr._compiler.backend.numba import compiled  # imports Numba

        return compiled.compile_kernel(source, params, users)


NUMBA = NumbaTarget()
