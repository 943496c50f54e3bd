"""A target of kernels that has them compiled by the C compiler of the machine."""

from __future__ import annotations

import ctypes
import hashlib
import shutil
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final, cast

import numpy as np

from structarr._compiler.backend.c.code import type_of
from structarr._compiler.backend.c.functions import NO_MEMORY, OUTGROWN, OUTSIDE
from structarr._compiler.backend.c.module import Translated, translated
from structarr._compiler.backend.numba.source import source
from structarr._compiler.backend.text.kinds import Untranslated, kind_of
from structarr._compiler.backend.user_functions import called
from structarr._compiler.runtime.output import OUTGROWN as SAYS
from structarr.targets import PYTHON, Function, Param

COMPILERS: Final = ("cc", "gcc", "clang")
FLAGS: Final = (
    *("-std=c99", "-O1", "-shared", "-fPIC", "-fwrapv", "-ffp-contract=off"),
    *("-Wall", "-Wno-unknown-warning-option", "-Wno-unused", "-Wno-tautological-compare"),
    *("-Wno-bool-compare", "-Werror"),
)
CHECKS: Final = ("-g", "-fsanitize=address,undefined", "-fno-sanitize-recover=all")
"""What has a kernel end the process where it reads or writes what is not its own."""


def compiler() -> str | None:
    """The C compiler of this machine, if there is one."""
    return next(filter(None, map(shutil.which, COMPILERS)), None)


class Library:
    """
    Kernels of C, compiled in a folder of their own.

    Parameters
    ----------
    checked : bool
        As `CTarget` has it.
    """

    def __init__(self, checked: bool = False) -> None:
        self.checked = checked
        self._folder = TemporaryDirectory(prefix="structarr-c-")
        self._known: dict[str, ctypes.CDLL] = {}

    def kernel(self, found: Translated, params: tuple[Param, ...]) -> Callable[..., Any]:
        """A kernel as a function of Python's."""
        name = hashlib.sha256(found.text.encode()).hexdigest()[:20]
        if name not in self._known:
            path = Path(self._folder.name) / name
            text = found.text + _by_pointers(found, params)
            self._known[name] = shared_library(path, text, self.checked)
        return _Kernel(self._known[name].by_pointers, found, params, self.checked)


def _by_pointers(found: Translated, params: tuple[Param, ...]) -> str:
    """A function that calls a kernel, and takes its complex numbers by pointers, as ctypes can."""
    declared, given = [], []
    for k, param in enumerate(params):
        kind = type_of(kind_of(param.dtype))
        if param.array:
            declared += [f"{kind} *x{k}", f"int64_t n{k}"]
            given += [f"x{k}", f"n{k}"]
        else:
            is_complex = kind_of(param.dtype).is_complex
            declared.append(f"{kind} {'*' * is_complex}x{k}")
            given.append(f"{'*' * is_complex}x{k}")
    for k, result in enumerate(found.results):
        declared.append(f"{type_of(result)} *r{k}")
        given.append(f"r{k}")
    head = f"int by_pointers({', '.join([*declared, 'int64_t *where'])})"
    return f"\n{head} {{\n    return kernel({', '.join([*given, 'where'])});\n}}\n"


def shared_library(path: Path, text: str, checked: bool = False) -> ctypes.CDLL:
    """
    A text of C as a library, which is loaded.

    Raises
    ------
    RuntimeError
        If there is no compiler, or it refuses the text.
    """
    own = compiler()
    if own is None:
        raise RuntimeError("there is no C compiler")
    written, library = path.with_suffix(".c"), path.with_suffix(".so")
    written.write_text(text, encoding="utf-8")
    words = [own, *FLAGS, *CHECKS * checked, str(written), "-o", str(library), "-lm"]
    run = subprocess.run(words, capture_output=True, text=True, check=False)
    if run.returncode:
        raise RuntimeError(f"the C compiler refuses a kernel:\n{run.stderr}\n{text}")
    return ctypes.CDLL(str(library))


class CTarget:
    """
    Kernels as C, compiled.

    Kernels that are not translated to C are left to the interpreted tier.

    Parameters
    ----------
    checked : bool
        Whether kernels end the process where they read or write beyond their buffers, or where C
        leaves open what happens. The process must have been started with the compiler's libraries
        for that (`python -m structarr.testing c --checked` does).

    Attributes
    ----------
    built, left : int
        How many kernels were compiled, and how many were left to the interpreted tier.
    """

    def __init__(self, checked: bool = False) -> None:
        self.built = self.left = 0
        self._library = Library(checked)

    def __repr__(self) -> str:
        return f"CTarget({self._library.checked})"

    def build(self, functions: Sequence[Function], params: tuple[Param, ...]) -> Callable[..., Any]:
        """The kernel in machine code."""
        try:
            found = translated(source(functions), params, users=called(functions))
        except Untranslated:
            self.left += 1
            return cast(Callable[..., Any], PYTHON.build(functions, params))
        self.built += 1
        return self._library.kernel(found, params)

    def build_text(self, text: str, params: tuple[Param, ...]) -> Callable[..., Any]:
        """The kernel of a text in machine code."""
        try:
            found = translated(text, params)
        except Untranslated:
            self.left += 1
            return cast(Callable[..., Any], PYTHON.build_text(text, params))
        self.built += 1
        return self._library.kernel(found, params)


class _Kernel:
    """The call of a kernel."""

    def __init__(
        self, function: Any, found: Translated, params: tuple[Param, ...], checked: bool
    ) -> None:
        self._function, self._params, self._checked = function, params, checked
        self._results = [np.dtype(kind.name) for kind in found.results]
        self._is_tuple = found.is_tuple
        function.restype = ctypes.c_int

    def __call__(self, *args: Any) -> Any:
        given: list[Any] = []
        own = [
            one.copy() if self._checked and param.array else one for one, param in self._of(args)
        ]
        for one, param in self._of(own):
            given += _array(one) if param.array else [_number(one, param.dtype)]
        results = [np.zeros(1, dtype) for dtype in self._results]
        where = (ctypes.c_int64 * 3)()
        status = self._function(*given, *[_pointer(one) for one in results], where)
        for one, kept, param in zip(own, args, self._params, strict=True):
            if one is not kept and param.array and param.writable:
                kept[...] = one
        _check(status, where)
        values = tuple([one.item() for one in results])
        return values if self._is_tuple else values[0] if values else None

    def _of(self, args: Sequence[Any]) -> list[tuple[Any, Param]]:
        return list(zip(args, self._params, strict=True))


def _array(one: Any) -> list[Any]:
    return [_pointer(one), ctypes.c_int64(len(one))]


def _pointer(one: Any) -> Any:
    return one.ctypes.data_as(ctypes.c_void_p)  # which keeps it alive


def _number(value: Any, dtype: str) -> Any:
    own = np.dtype(dtype).type(value)
    if own.dtype.kind == "c":
        return _pointer(np.array([own]))
    return np.ctypeslib.as_ctypes_type(own.dtype)(own.item())


def _check(status: int, where: Any) -> None:
    if status == OUTGROWN:
        raise RuntimeError(SAYS)
    if status == OUTSIDE:
        raise IndexError(*where)
    if status == NO_MEMORY:
        raise MemoryError("no memory")


def preloaded() -> str:
    """The libraries that a process must be started with to run checked kernels."""
    own = compiler()
    if own is None or not sys.platform.startswith("linux"):
        raise RuntimeError("checked kernels need a C compiler, and Linux")
    asked = [[own, f"-print-file-name={name}.so"] for name in ("libasan", "libubsan")]
    return " ".join([subprocess.check_output(words, text=True).strip() for words in asked])
