"""The compiled tier as a target."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from structarr._compiler.backend.disk.folder import directory, is_empty
from structarr._compiler.backend.native import store
from structarr._compiler.backend.numba import diskcache
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
        found = self.stored(source, params, users)
        if isinstance(found, store.Stored):
            if found.numba:
                from structarr._compiler.backend.numba import compiled  # imports Numba
            function = found.load()
            if function is not None:
                return function, True
        if found is not True and not self.is_due(users):
            from structarr._compiler.backend.native import direct  # imports llvmlite

            function = direct.compiled(source, params)
            if function is not None:
                return function, False
        from structarr._compiler.backend.numba import compiled

        return compiled.compile_kernel(source, params, users, found is True)

    def is_due(self, users: tuple[User, ...]) -> bool:
        """Whether a kernel is Numba's to compile, as far as one sees from outside."""
        return bool(users)

    def stored(
        self, source: str, params: tuple[Param, ...], users: tuple[User, ...]
    ) -> store.Stored | bool:
        """A kernel on disk; whether there is one that Numba has to load."""
        folder = directory()
        if folder is None or not store.is_stable(users) or is_empty():
            return False
        name = store.identify(source, params)
        return store.find(name) or diskcache.Entry(folder / name, "").exists()


NUMBA = NumbaTarget()
