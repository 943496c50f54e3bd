"""Classes of users: their functions, and what is compared of them."""

from __future__ import annotations

import sys
from collections.abc import Hashable, Iterator
from dataclasses import is_dataclass
from types import FunctionType
from typing import Any, Final

from structarr._api.jit.states import OpaqueError, state

KNOWN: Final = (
    frozenset({"structarr", "numpy", "scipy", "numba", "pandas"}) | sys.stdlib_module_names
) - {"__main__"}
"""Packages whose functions read nothing from around them that changes."""


def is_known(one: Any) -> bool:
    """Whether a function or class is a library's."""
    root = (getattr(one, "__module__", None) or "").partition(".")[0]
    code = getattr(one, "__code__", None)
    return root in KNOWN or (code is not None and "site-packages" in code.co_filename)


def functions_of(kind: type) -> Iterator[tuple[str, FunctionType]]:
    """The functions of a class and of its bases, but for those of libraries, with their names."""
    for base in kind.__mro__:
        if is_known(base):
            continue
        for name, one in vars(base).items():
            found = one.fget if isinstance(one, property) else one
            for attribute in ("__func__", "__wrapped__"):
                found = getattr(found, attribute, found)
            if not isinstance(found, FunctionType) or is_known(found):
                continue
            made = is_dataclass(base) and found.__code__.co_filename == "<string>"
            if not made:  # by the decorator
                yield name, found


def class_state(kind: type) -> Hashable:
    """The state of a class: equal as long as its attributes are as they were.

    Examples
    --------
    >>> Config = type("Config", (), {"rate": 0.5, "__module__": "users"})
    >>> before = class_state(Config)
    >>> Config.rate = 0.25
    >>> class_state(Config) == before
    False
    """
    found = []
    for base in kind.__mro__:
        if not is_known(base):
            found += [(base, name, _told(one)) for name, one in vars(base).items()]
    return kind, tuple([one for one in found if one[1] not in _OWN])


_OWN: Final = frozenset({"__dict__", "__weakref__", "__doc__", "__module__", "__annotations__"})


def _told(value: Any) -> Hashable:
    try:
        return state(value)
    except OpaqueError:  # descriptors, above all
        return id(value)
