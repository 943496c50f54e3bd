"""What a function may use whose trace serves arrays of any lengths.

A length that the function itself reads is a number of the call. What the libraries make of lengths
inside of them, such as the divisor of a mean, would be the same at each replay: functions that do
not are listed here.
"""

from __future__ import annotations

import sys
from enum import Enum
from types import CodeType, FunctionType, ModuleType
from typing import Any, Final

import numpy as np

from structarr._api.jit.classes import is_known
from structarr._array import Array

NAMES: Final = frozenset(
    {
        *("T", "mT", "transpose", "permute_dims", "matrix_transpose", "expand_dims"),
        *("dtype", "ndim", "shape", "size", "compute", "astype", "where"),
        *("sum", "prod", "max", "min", "any", "all", "real", "imag"),
        *("dot", "vdot", "vecdot", "matmul", "tensordot", "einsum", "outer"),
    }
)
"""Names of arrays and of functions that make no number of a length, beside those of ufuncs."""

_PLAIN: Final = (np.ufunc, np.generic, np.dtype, np.ndarray, Array, Enum)


def is_length_free(name: str) -> bool:
    """Whether what the libraries have by a name makes no numbers of lengths."""
    if name in NAMES:
        return True
    found = getattr(np, name, None)
    if found is not None:
        return isinstance(found, (np.ufunc, float)) or _is_kind(found)
    return not (hasattr(Array, name) or name in _ours().__all__)


def is_code_length_free(code: CodeType) -> bool:
    """Whether a function reads such names alone, and catches no errors, which tell of lengths."""
    inner = [one for one in code.co_consts if isinstance(one, CodeType)]
    return not code.co_exceptiontable and all(map(is_code_length_free, inner))


def is_value_length_free(value: Any) -> bool:
    """Whether a value that a function reads makes no numbers of lengths, if it is a library's."""
    if isinstance(value, ModuleType):
        return False
    if isinstance(value, _PLAIN) or _is_kind(value):
        return True
    module = getattr(value, "__module__", None)
    if module is None:  # a method that is written in C
        owner = getattr(value, "__self__", None)
        module = type(value if owner is None else owner).__module__
    root = module.partition(".")[0]
    if root in ("numpy", "structarr") and not _is_the_users(value):
        name = getattr(value, "__name__", "")
        spaces = np, _ours()
        return is_length_free(name) and any([getattr(one, name, None) is value for one in spaces])
    return root in sys.stdlib_module_names or not is_known(value)


def _is_the_users(value: Any) -> bool:
    """Whether a function is made of one of the user's, as by `jit`."""
    inner = getattr(value, "__wrapped__", value)
    return isinstance(inner, FunctionType) and not is_known(inner)


def _is_kind(value: Any) -> bool:
    return isinstance(value, type) and issubclass(value, np.generic)


def _ours() -> Any:
    return sys.modules["structarr"]
