"""What a function reads from around it: globals, closures, and attributes of either."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from functools import partial
from types import CodeType, FunctionType, MethodType, ModuleType
from typing import Any, Final

import numpy as np

from structarr._api.jit.reads import CHANGES, IMPURE, reads
from structarr._api.jit.refusals import refused_at
from structarr._api.jit.states import (
    RANDOM,
    SCALARS,
    OpaqueError,
    contents,
    same,
    state,
)
from structarr._array import Array, stored
from structarr._compiler.backend.python.host import straight
from structarr._storage.buffers import writable
from structarr._storage.tensor import Tensor
from structarr.errors import TraceError

DRAWING: Final = frozenset({"default_rng", "rand", "randn", "random_array", "random", "rvs"})
"""Names of functions of libraries that draw random numbers."""

KNOWN: Final = (
    frozenset({"structarr", "numpy", "scipy", "numba", "pandas"}) | sys.stdlib_module_names
)
"""Packages whose functions read nothing from around them that changes."""


GONE: Final = (AttributeError, LookupError, ValueError)
"""What telling raises where a name is gone."""


class Captured:
    """
    The values that a function reads from around it, with how to tell that they are as they were.

    Parameters
    ----------
    function : callable
        The function.
    objects : sequence
        Arguments that may change.

    Attributes
    ----------
    tensors : list of Tensor
        The values of arrays among them.
    opaque : str
        The code of one of which nobody can tell; empty if there is none.

    Raises
    ------
    TraceError
        If the function reads random numbers or writes to what is around it.
    """

    def __init__(self, function: Callable[..., Any], objects: Sequence[Any] = ()) -> None:
        self.tensors: list[Tensor] = []
        self.opaque = ""
        self._names: dict[str, Any] = {"same": same, "state": state, "contents": contents}
        self._checks: dict[str, None] = {}
        self._seen: set[int] = set()
        self._where: tuple[CodeType, int] | None = None
        self.holds: Callable[[], bool] = lambda: True
        for one in (function, *objects):
            self._visit(one, self._named(one))
        self.close()

    def watch(self, seen: set[Tensor]) -> None:
        """Compare the contents of arrays, too, whose values were looked at."""
        for tensor in self.tensors:
            if tensor in seen and any(map(writable, tensor.buffers[-1:])):
                name = self._named(tensor)
                self._check(f"contents({name}) == {self._named(contents(tensor))}")
        self.close()

    def close(self) -> None:
        """Write the function that tells whether all values are as they were."""
        self.holds = straight("", (), " and ".join(self._checks) or "True", self._names)

    def refuse_changes(self, function: Callable[..., Any]) -> None:
        """Raise TraceError if a value is not as it was before the function ran."""
        try:
            held = self.holds()
        except GONE:
            held = False
        if not held:
            name = getattr(function, "__name__", repr(function))
            raise TraceError(
                f"{name} changes what it reads from around it, which a trace does not repeat; pass "
                "it as an argument, and return the new value"
            )

    def _named(self, value: Any) -> str:
        name = f"v{len(self._names)}"
        self._names[name] = value
        return name

    def _check(self, code: str) -> None:
        self._checks[code] = None

    def _visit(self, value: Any, path: str) -> None:
        """Note a value that is found at a path."""
        known = self._named(value)
        kind = type(value)
        if kind in SCALARS:
            self._check(f"({path} is {known} or same({path}, {known}))")
        elif isinstance(value, RANDOM):
            raise self._refused(CHANGES)
        elif isinstance(value, Array):
            tensor = self._named(stored(value))
            self.tensors.append(self._names[tensor])
            self._check(f"{path} is {known} and {known}._tensor is {tensor}")
        elif (isinstance(value, np.ndarray) and not writable(value)) or isinstance(
            value, ModuleType | type
        ):
            self._check(f"{path} is {known}")
        elif callable(value) and self._is_function(value, path, known):
            return
        else:
            self._state(value, path)

    def _state(self, value: Any, path: str) -> None:
        """Note an object that may change."""
        try:
            found = self._named(state(value))
        except OpaqueError:
            self.opaque = self.opaque or path
            return
        self._check(f"state({path}) == {found}")
        self._inside(value, 0)

    def _inside(self, value: Any, depth: int) -> None:
        """Note the arrays and functions in an object, which are its own as long as it is."""
        if isinstance(value, Array):
            self.tensors.append(stored(value))
        elif isinstance(value, RANDOM):
            raise self._refused(CHANGES)
        elif isinstance(value, dict):
            for one in value.values():
                self._inside(one, depth + 1)
        elif isinstance(value, list | tuple):
            for one in value:
                self._inside(one, depth + 1)
        elif isinstance(value, FunctionType | MethodType | partial):
            self._visit(value, self._named(value))
        elif depth < 12 and hasattr(value, "__dict__") and not isinstance(value, type | ModuleType):
            self._inside(vars(value), depth + 1)

    def _is_function(self, value: Any, path: str, known: str) -> bool:
        """Note a function with all that it reads; whether it is one."""
        if isinstance(value, partial):
            self._check(f"{path} is {known}")
            for part in (value.func, *value.args, *value.keywords.values()):
                self._visit(part, self._named(part))
            return True
        if isinstance(value, MethodType):
            self._visit(value.__func__, f"{path}.__func__")
            self._visit(value.__self__, f"{path}.__self__")
            return True
        inner = value if isinstance(value, FunctionType) else getattr(value, "__wrapped__", value)
        if not isinstance(inner, FunctionType):
            module = getattr(value, "__module__", None) or ""
            own = getattr(value, "__self__", None)
            if module.startswith(tuple(IMPURE)) or isinstance(own, RANDOM):
                raise self._refused(CHANGES)
            if hasattr(type(value), "__get__") or isinstance(value, np.ufunc):  # of C
                self._check(f"{path} is {known}")
                return True
            return False
        self._check(f"{path} is {known}")
        module = inner.__module__ or ""
        if module.partition(".")[0] in IMPURE:
            raise self._refused(CHANGES)
        if not _is_known(inner):
            self._function(inner)
        return True

    def _function(self, function: FunctionType) -> None:
        """Note all that a function of the user's reads."""
        if id(function) in self._seen:
            return
        self._seen.add(id(function))
        own = self._named(function)
        self._check(f"{own}.__code__ is {self._named(function.__code__)}")
        self._check(f"{own}.__defaults__ is {self._named(function.__defaults__)}")
        for part in function.__defaults__ or ():
            self._visit(part, self._named(part))
        for name, part in (function.__kwdefaults__ or {}).items():
            self._visit(part, f"{own}.__kwdefaults__[{name!r}]")
        space = self._named(function.__globals__)
        free = function.__code__.co_freevars
        cells = dict(zip(free, function.__closure__ or (), strict=True))
        before = self._where
        for read in reads(function.__code__, frozenset(free), frozenset()):
            self._where = read.code, read.line
            first = read.names[0]
            if read.is_free:
                try:
                    value = cells[first].cell_contents
                except ValueError:  # not yet bound
                    continue
                self._chain(value, f"{self._named(cells[first])}.cell_contents", read.names[1:])
            elif first in function.__globals__:
                self._chain(function.__globals__[first], f"{space}[{first!r}]", read.names[1:])
            else:
                self._check(f"{first!r} not in {space}")
        self._where = before

    def _chain(self, value: Any, path: str, names: tuple[str, ...]) -> None:
        """Note what attributes lead to."""
        for name in names:
            if isinstance(value, ModuleType):
                self._check(f"{path} is {self._named(value)}")
                self._refuse_impure(value)
                known = value.__name__.partition(".")[0] in KNOWN
                value = getattr(value, name, None)
                if known and name in DRAWING:
                    raise self._refused(CHANGES)
                if known and not isinstance(value, ModuleType):
                    return
            elif name in getattr(value, "__dict__", ()) and not isinstance(value, type | Array):
                value = vars(value)[name]
            else:
                break
            path = f"{path}.{name}"
        if isinstance(value, ModuleType):
            self._refuse_impure(value)
        self._visit(value, path)

    def _refuse_impure(self, module: ModuleType) -> None:
        if module.__name__ in IMPURE:
            raise self._refused(CHANGES)

    def _refused(self, why: str) -> TraceError:
        if self._where is None:
            return TraceError(why)
        return refused_at(*self._where, why)


def _is_known(function: FunctionType) -> bool:
    root = (function.__module__ or "").partition(".")[0]
    return root in KNOWN - {"__main__"} or "site-packages" in function.__code__.co_filename
