"""NumPy's memory by an allocator of ours, which counts, and fails where it is told to.

It is of C, as arrays are freed where an error is on its way, and no line of Python may run.
"""

from __future__ import annotations

import ctypes
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

import numpy as np

from structarr._testing.c_target import shared_library

TEXT: Final = """
#include <stdlib.h>

long asked = 0, failing = -1, alive = 0;

static void *counted(void *found) {
    alive += found != 0;
    return found;
}

static void *own_malloc(void *ctx, size_t size) {
    return asked++ == failing ? 0 : counted(malloc(size ? size : 1));
}

static void *own_calloc(void *ctx, size_t count, size_t size) {
    return asked++ == failing ? 0 : counted(calloc(count ? count : 1, size ? size : 1));
}

static void *own_realloc(void *ctx, void *old, size_t size) {
    if (asked++ == failing) return 0;
    return old ? realloc(old, size ? size : 1) : counted(malloc(size ? size : 1));
}

static void own_free(void *ctx, void *old, size_t size) {
    alive -= old != 0;
    free(old);
}

struct {
    char name[127];
    unsigned char version;
    void *ctx;
    void *(*malloc)(void *, size_t);
    void *(*calloc)(void *, size_t, size_t);
    void *(*realloc)(void *, void *, size_t);
    void (*free)(void *, void *, size_t);
} handler = {"structarr_counted", 1, 0, own_malloc, own_calloc, own_realloc, own_free};

const char kind[] = "mem_handler";
"""

SET_HANDLER: Final = 304
"""The place of `PyDataMem_SetHandler` in the table of NumPy's functions for C."""


class Allocations:
    """The allocations of NumPy's arrays: how many were asked for, and how many are left."""

    def __init__(self, library: ctypes.CDLL) -> None:
        self._numbers = {
            name: ctypes.c_long.in_dll(library, name) for name in ("asked", "failing", "alive")
        }

    @property
    def asked(self) -> int:
        """How many there were since the last `fail`."""
        return self._numbers["asked"].value

    @property
    def alive(self) -> int:
        """How many arrays' memory is in use."""
        return self._numbers["alive"].value

    def fail(self, number: int = -1) -> None:
        """Count anew, and have one of those to come fail, counted from 0; none by default."""
        self._numbers["asked"].value = 0
        self._numbers["failing"].value = number


@contextmanager
def counted() -> Iterator[Allocations]:
    """Within, this thread's arrays have memory that is counted, and that may be refused."""
    library = _library()
    found = Allocations(library)
    before = _set(_capsule(library))
    try:
        yield found
    finally:
        found.fail()
        _set(before)


@cache
def _library() -> ctypes.CDLL:
    with TemporaryDirectory(prefix="structarr-c-") as folder:
        return shared_library(Path(folder) / "allocations", TEXT)


def _capsule(library: ctypes.CDLL) -> Any:
    """The handler as NumPy takes it."""
    make = ctypes.pythonapi.PyCapsule_New
    make.restype = ctypes.py_object
    make.argtypes = [ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p]
    handler = ctypes.c_char.in_dll(library, "handler")
    kind = ctypes.c_char.in_dll(library, "kind")
    return make(ctypes.addressof(handler), ctypes.addressof(kind), None)


def _set(capsule: Any) -> Any:
    """Have NumPy take memory by a handler; return the one before."""
    pointer = ctypes.pythonapi.PyCapsule_GetPointer
    pointer.restype, pointer.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
    table = pointer(np._core._multiarray_umath._ARRAY_API, None)  # type: ignore[attr-defined]
    place = ctypes.cast(table, ctypes.POINTER(ctypes.c_void_p))[SET_HANDLER]
    return ctypes.PYFUNCTYPE(ctypes.py_object, ctypes.py_object)(place)(capsule)
