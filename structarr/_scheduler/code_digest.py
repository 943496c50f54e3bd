"""Digests of code from outside that lowering runs: of formats, looplets, rules and their functions.

What belongs to the package goes by its name, as the package has a digest of its own; so does what
belongs to Python or NumPy. Of what another process may have otherwise, such as an array, a list
that may grow or a module, there is no digest.
"""

from __future__ import annotations

import dataclasses
import functools
import hashlib
from enum import Enum
from types import BuiltinFunctionType, CodeType, FunctionType, MappingProxyType, ModuleType
from typing import Any, Final

import numpy as np

from structarr._compiler.backend.function_digest import MODULES, globals_of, parts_of_code
from structarr._compiler.backend.user_functions import Function
from structarr._compiler.ir.node import Interning, Node
from structarr._compiler.ir.ops import Op
from structarr._compiler.ir.ruleset import Rule, RuleSet

_PLAIN: Final = (bool, int, float, complex, str, bytes, type(None), type(Ellipsis))

_MADE: Final = frozenset(
    {
        *("__dict__", "__weakref__", "__doc__", "__annotations__", "__match_args__", "__slots__"),
        *("__firstlineno__", "__static_attributes__", "_bit", "_bits", "_fills", "_found"),
        *("_abc_impl", "__annotate__", "__annotations_cache__", "_arity", "_endings", "_interned"),
    }
)
"""Names in a class that Python or a metaclass makes, of what is digested beside them."""


class _Unstable(Exception):
    """Something that has no digest."""


def is_own(value: Any) -> bool:
    """Whether a class or function is the package's, and goes by its name."""
    module = getattr(value, "__module__", None) or ""
    top = module.partition(".")[0]
    return top == "structarr" and "<locals>" not in getattr(value, "__qualname__", "<locals>")


@functools.lru_cache(256)
def class_digest(kind: type) -> str | None:
    """A digest of a class from outside, with all that it inherits; None if it has none."""
    return digest(kind)


def digest(*values: Any) -> str | None:
    """A digest of values; None where another process may have others under the same names."""
    try:
        text = _Walk().text(values)
    except (_Unstable, RecursionError, ValueError):  # ValueError: a name that is not there yet
        return None
    return hashlib.sha256(text.encode()).hexdigest()[:32]


class _Walk:
    def __init__(self) -> None:
        self._seen: dict[int, int] = {}  # what is being looked at, or was

    def text(self, value: Any) -> str:
        """A text that only an equal value has."""
        kind = type(value)
        if kind in _PLAIN:
            return f"{kind.__name__} {value!r}"
        if kind in (tuple, frozenset):
            parts = [self.text(part) for part in value]
            return f"{kind.__name__}({', '.join(sorted(parts) if kind is frozenset else parts)})"
        if kind in (dict, MappingProxyType):
            items = [f"{self.text(key)}: {self.text(one)}" for key, one in value.items()]
            return f"{{{', '.join(sorted(items))}}}"
        if isinstance(value, np.generic | np.dtype):
            return f"{kind.__name__} {value!r}"
        if isinstance(value, Enum):
            return f"{self.text(kind)}.{value.name}"
        named = _named(value)
        if named is not None:
            return named
        number = self._seen.get(id(value))
        if number is not None:
            return f"seen {number}"
        self._seen[id(value)] = len(self._seen)
        return f"{kind.__name__}({self._parts(value)})"

    def _parts(self, value: Any) -> str:
        """The parts of a value, as text."""
        match value:
            case FunctionType():
                return self._function(value)
            case CodeType():
                return self.text(parts_of_code(value))
            case type():
                return self._class(value)
            case staticmethod() | classmethod():
                return self.text(value.__func__)
            case property():
                return self.text((value.fget, value.fset, value.fdel))
            case functools.cached_property():
                return self.text(value.func)
            case functools.partial():
                return self.text((value.func, value.args, value.keywords))
            case Function():
                if not value.stable:
                    raise _Unstable(value.name)
                return value.name
            case Op():
                return self.text((value.name, value.function))
            case Rule():
                spoken = frozenset(value.constants)
                parts = (value.name, value.head, value.rewrite, value.op, value.of, spoken)
                return self.text(parts)
            case RuleSet():
                return self.text(value.rules)
            case Node():
                fields = [getattr(value, field) for field in type(value)._fields]
                return self.text((type(value), *fields))
        if hasattr(value, "__wrapped__"):
            return self.text(value.__wrapped__)
        if dataclasses.is_dataclass(value):
            found = {one.name: getattr(value, one.name) for one in dataclasses.fields(value)}
        else:
            found = _state_of(value)
        return self.text((type(value), found))

    def _function(self, function: FunctionType) -> str:
        cells = tuple([cell.cell_contents for cell in function.__closure__ or ()])
        given = (function.__defaults__, function.__kwdefaults__, cells)
        if (function.__module__ or "").partition(".")[0] == "structarr":  # made within one of ours
            return self.text((function.__module__, function.__qualname__, *given))
        known = {
            name: function.__globals__[name]
            for name in globals_of(function.__code__)
            if name in function.__globals__
        }
        return self.text((function.__code__, known, *given))

    def _class(self, kind: type) -> str:
        own = {name: one for name, one in vars(kind).items() if name not in _MADE}
        if isinstance(kind, Interning):
            own = {k: one for k, one in own.items() if k not in kind._fields}
            own["_defaults"] = dict(kind._defaults)
            own["_walked"] = tuple(kind._walked)
        return self.text((kind.__module__, kind.__qualname__, tuple(kind.__bases__), own))


def _state_of(value: Any) -> dict[str, Any]:
    """The attributes of an object whose class is written in Python."""
    if not isinstance(type(value).__init__, FunctionType | type(object.__init__)):
        raise _Unstable(type(value))
    if getattr(type(value), "__slots__", ()) or not hasattr(value, "__dict__"):
        raise _Unstable(type(value))
    return dict(vars(value))


def _named(value: Any) -> str | None:
    """The name by which every process has a value; None if there is none."""
    if isinstance(value, ModuleType):
        top = value.__name__.partition(".")[0]
        if value.__name__ in MODULES or top == "structarr":
            return f"module {value.__name__}"
        raise _Unstable(value)
    if isinstance(value, type | FunctionType) and is_own(value):
        return f"{value.__module__}.{value.__qualname__}"
    if isinstance(value, type | BuiltinFunctionType | FunctionType):
        module = getattr(value, "__module__", None) or ""
        if module in (*MODULES, "typing", "collections.abc", "abc") and hasattr(value, "__name__"):
            return f"{module}.{value.__qualname__}"
    name: str = getattr(value, "__name__", "")
    if isinstance(value, np.ufunc) and vars(np).get(name) is value:
        return f"numpy.{name}"
    return None
