"""What a function may use whose trace serves arrays of any lengths.

A length that the function's own code reads is a number of the call. What the libraries make of
lengths inside of them, such as the divisor of a mean, would be the same at each replay: functions
that make no such numbers are listed here, and all else is not replayed at other lengths.
"""

from __future__ import annotations

import dis
import sys
from enum import Enum
from functools import partial
from types import BuiltinFunctionType, CodeType, FunctionType, MethodType, ModuleType
from typing import Any, Final

import numpy as np

from structarr._api.jit.classes import is_known
from structarr._array import Array

FREE: Final = frozenset(
    {
        *("T", "mT", "transpose", "permute_dims", "matrix_transpose", "expand_dims"),
        *("dtype", "ndim", "shape", "size", "compute", "astype", "where"),
        *("sum", "prod", "max", "min", "any", "all", "real", "imag"),
        *("dot", "vdot", "vecdot", "matmul", "tensordot", "einsum", "outer"),
    }
)
"""Names of what makes no number of a length, beside those of ufuncs."""

INDIRECT: Final = frozenset(
    {"getattr", "attrgetter", "methodcaller", "vars", "dir", "__getattribute__", "__dict__"}
)
"""Names of what reads attributes whose names no code tells."""

STANDARD: Final = frozenset(
    {"builtins", "math", "cmath", "operator", "_operator", "functools", "_functools", "itertools"}
    | {"collections", "_collections", "dataclasses", "enum", "types", "typing", "abc"}
)
"""Modules that read lengths as a user's code does."""

_PLAIN: Final = (np.ufunc, np.generic, np.dtype, np.ndarray, Array, Enum)
_CALLED: Final = (type, FunctionType, BuiltinFunctionType, MethodType, partial)


def is_length_free(name: str) -> bool:
    """Whether what has a name, as a function's code reads it, makes no numbers of lengths."""
    if name in FREE:
        return True
    if name in vars(np) or name in np.__all__:
        found = vars(np).get(name)
        return isinstance(found, (np.ufunc, float)) or _is_scalar(found)
    return not (name in INDIRECT or hasattr(Array, name) or name in _ours().__all__)


def is_code_length_free(code: CodeType) -> bool:
    """Whether a function imports nothing, and catches no errors, whose texts tell lengths."""
    inner = [one for one in code.co_consts if isinstance(one, CodeType)]
    imports = any([one.opname == "IMPORT_NAME" for one in dis.get_instructions(code)])
    return not (code.co_exceptiontable or imports) and all(map(is_code_length_free, inner))


def is_value_length_free(value: Any) -> bool:
    """Whether a value that a function reads from around it makes no numbers of lengths.

    What the user's own functions read is asked apart.
    """
    if isinstance(value, _PLAIN) or _is_scalar(value):
        return True
    root, name = _root(value), getattr(value, "__name__", "")
    if isinstance(value, ModuleType) or name in INDIRECT:
        return False
    if root in STANDARD:
        return not callable(value) or isinstance(value, _CALLED)
    if root in ("numpy", "structarr") and not _is_wrapped(value):
        return is_length_free(name) and any(
            [getattr(space, name, None) is value for space in (np, _ours())]
        )
    file = getattr(sys.modules.get(root), "__file__", None) or ""
    installed = "site-packages" in file or root in sys.stdlib_module_names - {"__main__"}
    return not (installed or is_known(value))


def _root(value: Any) -> str:
    """The package that a value, or its class, is defined in."""
    module = getattr(value, "__module__", None)
    if module is None:  # a method that is written in C
        owner = getattr(value, "__self__", None)
        module = type(value if owner is None else owner).__module__
    return str(module).partition(".")[0]


def _is_wrapped(value: Any) -> bool:
    """Whether a function is made of one of the user's, as by `jit`."""
    inner = getattr(value, "__wrapped__", value)
    return isinstance(inner, FunctionType) and not is_known(inner)


def _is_scalar(value: Any) -> bool:
    """Whether a value is a type of NumPy's scalars."""
    return isinstance(value, type) and issubclass(value, np.generic)


def _ours() -> Any:
    return sys.modules["structarr"]
