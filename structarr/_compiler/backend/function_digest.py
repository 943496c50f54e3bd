"""Plain functions, frozen: what they refer to is read once, and a digest stands for all of it.

A kernel must mean the same in both tiers and in the next process, whatever happens to a module's
variables in between.
"""

from __future__ import annotations

import builtins
import dis
import hashlib
from collections.abc import Iterator
from itertools import count
from types import BuiltinFunctionType, CellType, CodeType, FunctionType, ModuleType
from typing import Any

import numpy as np

from structarr.errors import OperatorError

MODULES = ("builtins", "math", "cmath", "operator", "numpy")
"""What these hold changes with their versions alone."""

_PLAIN = (bool, int, float, complex, str, bytes, type(None), type(Ellipsis))
_numbers = count()


def freeze(function: FunctionType) -> tuple[FunctionType, str, bool]:
    """
    Freeze a function with all functions that it calls.

    Returns
    -------
    frozen : function
        The same code with globals and a closure of its own.
    digest : str
        Equal for equal code and equal values of what it refers to.
    stable : bool
        Whether the digest means the same in another process. It does not if the function refers to
        an array, an object or a module other than `MODULES`; no other function has it then.

    Raises
    ------
    OperatorError
        If the function calls itself, or refers to a name that is not there.
    """
    frozen = _Freezer().function(function)
    return (frozen, *digest(frozen))


def digest(*values: object) -> tuple[str, bool]:
    """Return a digest of values and whether it means the same in another process."""
    unstable: list[Any] = []
    text = _of(values, unstable)
    return hashlib.sha256(text.encode()).hexdigest(), not unstable


class _Freezer:
    def __init__(self) -> None:
        self._open: list[FunctionType] = []
        self._done: dict[FunctionType, FunctionType] = {}

    def function(self, function: FunctionType) -> FunctionType:
        if function not in self._done:
            if function in self._open:
                raise OperatorError(f"{function.__name__} calls itself; write a loop instead")
            self._open.append(function)
            self._done[function] = self._frozen(function)
            self._open.pop()
        return self._done[function]

    def _frozen(self, function: FunctionType) -> FunctionType:
        # The name of a module that every process has: Numba looks for it when it loads a kernel.
        names: dict[str, Any] = {"__builtins__": builtins, "__name__": __name__}
        for name in globals_of(function.__code__):
            names[name] = self._value(_global(function, name))
        cells = [CellType(self._value(_cell(function, k))) for k in range(_free(function))]
        return FunctionType(
            function.__code__, names, function.__name__, function.__defaults__, tuple(cells)
        )

    def _value(self, value: Any) -> Any:
        value = getattr(value, "py_func", value)  # what a function compiled by Numba was made of
        return self.function(value) if isinstance(value, FunctionType) else value


def _free(function: FunctionType) -> int:
    return len(function.__code__.co_freevars)


def _cell(function: FunctionType, place: int) -> Any:
    assert function.__closure__ is not None
    try:
        return function.__closure__[place].cell_contents
    except ValueError:
        name = function.__code__.co_freevars[place]
        raise OperatorError(_nowhere(function, name)) from None


def _global(function: FunctionType, name: str) -> Any:
    if name in function.__globals__:
        return function.__globals__[name]
    if hasattr(builtins, name):
        return getattr(builtins, name)
    raise OperatorError(_nowhere(function, name))


def _nowhere(function: FunctionType, name: str) -> str:
    if name == function.__name__:
        return f"{name} calls itself; write a loop instead"
    return (
        f"{function.__name__} refers to {name!r}, which is not there yet: what an operator refers "
        "to is read when the operator is made, so define it before"
    )


def globals_of(code: CodeType) -> Iterator[str]:
    """The global names that some code and the functions inside it read."""
    for step in dis.get_instructions(code):
        if step.opname in ("LOAD_GLOBAL", "LOAD_NAME"):
            yield step.argval
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from globals_of(constant)


def _of_function(function: FunctionType, unstable: list[Any]) -> str:
    names = sorted(set(globals_of(function.__code__)))
    refers = [(name, function.__globals__[name]) for name in names]
    closed = [cell.cell_contents for cell in function.__closure__ or ()]
    return _of((function.__code__, function.__defaults__, tuple(refers), tuple(closed)), unstable)


def _of(value: Any, unstable: list[Any]) -> str:
    """A text that only an equal value has; values whose text another process lacks are listed."""
    if isinstance(value, tuple | frozenset):
        parts = [_of(part, unstable) for part in value]
        if isinstance(value, frozenset):
            parts.sort()
        return f"{type(value).__name__}({', '.join(parts)})"
    if isinstance(value, FunctionType):
        return _of_function(value, unstable)
    if isinstance(value, CodeType):
        return _of_code(value, unstable)
    if type(value) in _PLAIN or isinstance(value, np.generic | np.dtype):
        return f"{type(value).__name__} {value!r}"
    name = _of_name(value)
    if name is None:
        unstable.append(value)
        return f"unstable {next(_numbers)}"
    return name


def _of_name(value: Any) -> str | None:
    """A module, function or class that goes by its name."""
    if isinstance(value, ModuleType) and value.__name__ in MODULES:
        return f"module {value.__name__}"
    if isinstance(value, type | BuiltinFunctionType) and value.__module__ in MODULES:
        return f"{value.__module__}.{value.__qualname__}"
    name: str = getattr(value, "__name__", "")
    if isinstance(value, np.ufunc) and vars(np).get(name) is value:
        return f"numpy.{name}"
    return None


def _of_code(code: CodeType, unstable: list[Any]) -> str:
    return _of(parts_of_code(code), unstable)


def parts_of_code(code: CodeType) -> tuple[Any, ...]:
    """All of some code but where it stands in a file."""
    made = (code.co_argcount, code.co_code, code.co_exceptiontable, code.co_flags)
    named = (code.co_names, code.co_varnames, code.co_freevars, code.co_cellvars)
    return (*made, *named, code.co_consts)
