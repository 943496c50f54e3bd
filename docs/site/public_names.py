"""The public names of the package, by the rooms in which they are defined."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from typing import Final

import structarr

MODULES: Final = (
    "structarr.csgraph",
    "structarr.errors",
    "structarr.fft",
    "structarr.formats",
    "structarr.linalg",
    "structarr.looplets",
    "structarr.masks",
    "structarr.ndimage",
    "structarr.cin",
    "structarr.protocols",
    "structarr.rules",
    "structarr.semirings",
    "structarr.targets",
    "structarr.testing",
)
"""The modules that users import from. What several have is explained where it comes first."""


def names_of(room: str) -> list[str]:
    """
    Return full public names: of a public module all, of a private room those that it defines.

    Examples
    --------
    >>> names_of("structarr._api.signal")
    ['structarr.convolve', 'structarr.correlate']
    """
    if room in MODULES:
        return [f"{room}.{name}" for name in _public(room)]
    names = names_of_package()
    return [name for name in names if f"{_home(found(name))}.".startswith(f"{room}.")]


def names_of_package() -> list[str]:
    """Return the public names of the package itself that are functions, classes or objects."""
    return [f"structarr.{name}" for name in _public("structarr")]


def found(name: str) -> object:
    """Return what a full name stands for."""
    module, _, last = name.rpartition(".")
    return getattr(import_module(module), last)


def explained_as(name: str) -> str:
    """Return the name under which a class is explained, of all the names that it has."""
    one = found(name)
    return _classes().get(one, name) if inspect.isclass(one) else name


@cache
def _classes() -> dict[type, str]:
    classes: dict[type, str] = {}
    for name in [*names_of_package(), *(name for module in MODULES for name in names_of(module))]:
        one = found(name)
        if inspect.isclass(one):
            classes.setdefault(one, name)
    return classes


def _home(found: object) -> str:
    """Return the module that defines a function, a class, or the class of an object."""
    return str(getattr(found, "__module__", None) or type(found).__module__)


def _public(module: str) -> Iterator[str]:
    home = import_module(module)
    for name in sorted(getattr(home, "__all__", dir(home)), key=str.lower):
        one = getattr(home, name)
        foreign = inspect.ismodule(one) or not _home(one).startswith(structarr.__name__)
        if not name.startswith("_") and not foreign:
            yield name
