"""Captured values of a function: globals, closure variables, and attributes of either."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from operator import is_
from types import CodeType, FunctionType, MethodType, ModuleType
from typing import Any, Final

import numpy as np

from structarr._api.jit.classes import KNOWN, class_state, functions_of, is_known
from structarr._api.jit.length_free import (
    is_code_length_free,
    is_length_free,
    is_value_length_free,
)
from structarr._api.jit.reads import CHANGES, IMPURE, attributes_of, reads
from structarr._api.jit.refusals import refused_at
from structarr._api.jit.states import (
    DEPTH,
    RANDOM,
    SCALARS,
    OpaqueError,
    attributes,
    contents,
    same,
    state,
)
from structarr._array import Array, stored
from structarr._compiler.backend.python.host import straight
from structarr._storage.buffers import writable
from structarr._storage.tensor import Tensor
from structarr.errors import TraceError

DRAWING: Final = frozenset(
    {"default_rng", "rand", "randn", "random_array", "random", "rvs", "now", "today", "utcnow"}
)
"""Names of functions of libraries that draw random numbers, or tell the time."""

OPAQUE: Final = frozenset({"environ", "getenv", "argv", "stdin"})
"""Names of what libraries have of the process, which changes."""

DYNAMIC: Final = frozenset({"eval", "exec", "globals", "locals", "vars", "open", "input", "dir"})
"""Builtin functions that read more than their arguments."""

_MAKING: Final = frozenset({"__init__", "__new__", "__post_init__", "__init_subclass__"})

GONE: Final = (AttributeError, LookupError, ValueError, OpaqueError)
"""What telling raises where a name is gone, or nobody can tell any more."""


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
        self._objects = objects
        self._names: dict[str, Any] = {"same": same, "state": state, "contents": contents}
        self._names["class_state"] = class_state
        self._checks: dict[str, None] = {}
        self._seen: set[int] = set()
        self._called: set[str] = set()  # the names of all attributes that some function reads
        self._classes: dict[type, bool] = {}  # whether each is called, too
        self.asks_types = False  # whether the very type of a number may matter
        self._makes_numbers = False  # whether some value may make numbers of lengths
        self._where: tuple[CodeType, int] | None = None
        self.holds: Callable[[], bool] = lambda: True
        for one in (function, *objects):
            self._visit(one, self._named(one))
        self._visit_methods()
        self.close()

    @property
    def is_length_free(self) -> bool:
        """Whether no number is made of a length but in the functions' own code."""
        return not self._makes_numbers and all(map(is_length_free, self._called))

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

    def serves(self, objects: Sequence[Any]) -> bool:
        """Whether another look, with some arguments that may change, would find the same."""
        alike = len(objects) == len(self._objects) and all(map(is_, objects, self._objects))
        return alike and self._is_as_it_was()

    def _is_as_it_was(self) -> bool:
        try:
            return self.holds()
        except GONE:
            return False

    def refuse_changes(self, function: Callable[..., Any]) -> None:
        """Raise TraceError if a value is not as it was before the function ran."""
        if not self._is_as_it_was():
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
        self._makes_numbers |= not is_value_length_free(value)
        self._refuse_if(isinstance(value, RANDOM))
        if kind in SCALARS:
            self._check(f"({path} is {known} or same({path}, {known}))")
        elif isinstance(value, Array):
            tensor = self._named(stored(value))
            self.tensors.append(self._names[tensor])
            self._check(f"{path} is {known} and {known}._tensor is {tensor}")
        elif isinstance(value, type):
            self._class(value, path, known, called=True)
        elif isinstance(value, np.ndarray) and not writable(value):
            self._check(f"{path} is {known}")
        elif isinstance(value, ModuleType):
            self._check(f"{path} is {known}")
            if value.__name__.partition(".")[0] not in KNOWN:
                self.opaque = self.opaque or path  # what is read through a local name
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
        self._makes_numbers |= not is_value_length_free(value)
        self._refuse_if(isinstance(value, RANDOM))
        if isinstance(value, Array):
            self.tensors.append(stored(value))
        elif isinstance(value, dict):
            for one in value.values():
                self._inside(one, depth + 1)
        elif isinstance(value, list | tuple):
            for one in value:
                self._inside(one, depth + 1)
        elif isinstance(value, FunctionType | MethodType | partial):
            self._visit(value, self._named(value))
        elif isinstance(value, type):
            self._class(value, self._named(value), self._named(value), called=True)
        elif depth < DEPTH and not isinstance(value, ModuleType):
            if not is_known(type(value)):
                self._class(type(value), f"type({self._named(value)})", self._named(type(value)))
            self._inside(attributes(value), depth + 1)

    def _class(self, kind: type, path: str, known: str, called: bool = False) -> None:
        """Note a class, whose functions may be called."""
        self._check(f"{path} is {known}")
        if not is_known(kind):
            self._classes[kind] = called or self._classes.get(kind, False)
            self._check(f"class_state({known}) == {self._named(class_state(kind))}")

    def _visit_methods(self) -> None:
        """Note what those functions of classes read that some function may call."""
        count = -1
        while count < len(self._seen):
            count = len(self._seen)
            for kind, called in [*self._classes.items()]:
                for name, function in functions_of(kind):
                    implied = name.startswith("__") and (called or name not in _MAKING)
                    if implied or name in self._called:
                        self._function(function)

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
            self._refuse_if(module.startswith(tuple(IMPURE)) or isinstance(own, RANDOM))
            if not (hasattr(type(value), "__self__") or isinstance(value, np.ufunc)):
                return is_known(type(value)) and self._kept(path, known)
            if not (own is None or isinstance(own, ModuleType)):  # a method written in C
                self._visit(own, f"{path}.__self__")
            return self._kept(path, known)
        self._check(f"{path} is {known}")
        self._refuse_if((inner.__module__ or "").partition(".")[0] in IMPURE)
        if not is_known(inner):
            self._function(inner)
        return True

    def _kept(self, path: str, known: str) -> bool:
        self._check(f"{path} is {known}")
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
        self._called |= attributes_of(function.__code__)
        self._makes_numbers |= not is_code_length_free(function.__code__)
        for read in reads(function.__code__, frozenset(free), frozenset()):
            self._where = read.code, read.line
            first = read.names[0]
            if first.startswith("import "):  # a module that is then read through a local name
                self.opaque = self.opaque or first
                continue
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
                self.asks_types |= first == "type"
                if first in DYNAMIC:
                    self.opaque = self.opaque or first
        self._where = before

    def _chain(self, value: Any, path: str, names: tuple[str, ...]) -> None:
        """Note what attributes lead to."""
        for name in names:
            if isinstance(value, ModuleType):
                self._check(f"{path} is {self._named(value)}")
                self._refuse_if(value.__name__ in IMPURE)
                known = value.__name__.partition(".")[0] in KNOWN
                value = getattr(value, name, None)
                self._refuse_if(known and name in DRAWING)
                if known and name in OPAQUE:
                    self.opaque = self.opaque or f"{path}.{name}"
                if known and not isinstance(value, ModuleType | type):
                    self._makes_numbers |= not is_value_length_free(value)
                    return
            elif isinstance(value, type):
                self._refuse_if(is_known(value) and name in DRAWING)
                break
            elif name in getattr(value, "__dict__", ()) and not isinstance(value, Array):
                value = vars(value)[name]
            else:
                break
            path = f"{path}.{name}"
        self._refuse_if(isinstance(value, ModuleType) and value.__name__ in IMPURE)
        self._visit(value, path)

    def _refuse_if(self, changes: bool) -> None:
        """Raise TraceError for what returns something else at each call."""
        if changes:
            raise TraceError(CHANGES) if self._where is None else refused_at(*self._where, CHANGES)
