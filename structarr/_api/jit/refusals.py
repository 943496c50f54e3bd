"""Refusals: what a trace cannot repeat, told with the line of the user's function it stands in."""

from __future__ import annotations

import linecache
import os
import sys
from collections.abc import Callable
from pathlib import Path
from types import CodeType, FrameType
from typing import Any, Final

import numpy as np

from structarr.errors import TraceError

_LIBRARIES: Final = tuple(
    f"{Path(found).parent}{os.sep}"
    for found in (sys.modules["structarr"].__file__, np.__file__)
    if found
)

_BRANCH = (
    "a branch on the value of an array cannot be repeated; use structarr.where(condition, a, b), "
    "or decide outside of the function"
)
_NUMBER = (
    "it asks for values, which are others at each call; compute with the array itself (one without "
    "axes takes part as a number does), or return it and look at it outside"
)
_SHAPE = (
    "the shape of its result depends on values; call it outside of the function and pass the "
    "result, or mask with structarr.where"
)
_PLACES = (
    "it looks up values at once, and by a mask the shape depends on them; use slices and "
    "structarr.where, or index outside of the function and pass the result"
)
_WRITE = "a write is not repeated; bind a name to structarr.where(mask, new, old)"
_LAYOUT = "how it is stored depends on values; ask outside of the function"

ADVICE: Final = {
    "__bool__": _BRANCH,
    "__contains__": _BRANCH,
    "__setitem__": _WRITE,
    "__getitem__": _PLACES,
    "memory": "a write to an argument is not repeated; write `x = x + 1` in place of `x += 1`",
    **dict.fromkeys(("format", "nstored", "nnz", "nbytes", "asformat"), _LAYOUT),
    **dict.fromkeys(
        (
            *("nonzero", "flatnonzero", "argwhere", "extract", "compress", "trim_zeros"),
            *("unique", "unique_all", "unique_counts", "unique_inverse", "unique_values"),
            *("union1d", "intersect1d", "setdiff1d", "setxor1d"),
        ),
        _SHAPE,
    ),
    **dict.fromkeys(
        (
            *("__float__", "__int__", "__complex__", "__index__", "__array__", "__iter__"),
            *("__str__", "__format__", "__dlpack__", "__reduce__"),
            *("item", "tolist", "todense", "tobytes", "to_scipy", "to_pandas"),
        ),
        _NUMBER,
    ),
}
_OTHER = "it looks at values at once; call it outside of the function and pass the result"


def is_library(frame: FrameType) -> bool:
    """Whether a frame runs this library's code or NumPy's."""
    return frame.f_code.co_filename.startswith(_LIBRARIES)


def refused(fact: str) -> TraceError:
    """The error for what the user's function is doing now."""
    frame: FrameType | None = sys._getframe(1)
    asked = fact
    while frame is not None and is_library(frame):
        asked = _name_of(frame)
        frame = frame.f_back
    advice = ADVICE.get(fact) or ADVICE.get(asked) or f"{asked}: {_OTHER}"
    if frame is None:
        return TraceError(advice)
    return refused_at(frame.f_code, frame.f_lineno, advice)


def refused_at(code: CodeType, line: int, why: str) -> TraceError:
    """The error for a line of a function."""
    file = code.co_filename
    text = linecache.getline(file, line).strip()
    shown = f" `{text}`" if text else ""
    return TraceError(f"{file}:{line}:{shown} in {code.co_name}, traced by structarr.jit: {why}")


def _name_of(frame: FrameType) -> str:
    """The name of the public function that a frame runs."""
    if frame.f_code.co_name == "__array_function__":
        return str(frame.f_locals["func"].__name__)
    return frame.f_code.co_name


def changed(function: Callable[..., Any]) -> TraceError:
    """The error for a function that writes to a container among its arguments."""
    code = getattr(function, "__code__", None)
    why = "it changes a container among its arguments, which is not repeated; return a new one"
    return TraceError(why) if code is None else refused_at(code, code.co_firstlineno, why)
