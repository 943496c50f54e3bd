"""
The helper functions that kernels may call by their bare names.

Every public function of every public module in this folder is one. They are plain Python over
NumPy scalars and one-dimensional buffers; the compiled tier compiles the same functions.
"""

from __future__ import annotations

import hashlib
import inspect
import pkgutil
from collections.abc import Callable, Iterator
from functools import cache
from importlib import import_module
from types import ModuleType
from typing import Any

from structarr._compiler.runtime._mark import Traits

MODULES: tuple[ModuleType, ...] = tuple(
    import_module(f"{__name__}.{found.name}") for found in pkgutil.iter_modules(__path__)
)


def _public(module: ModuleType) -> Iterator[tuple[str, Callable[..., Any]]]:
    for name, value in vars(module).items():
        own = inspect.isfunction(value) and value.__module__ == module.__name__
        if own and not name.startswith("_"):
            yield name, value


def _gather() -> dict[str, Callable[..., Any]]:
    helpers: dict[str, Callable[..., Any]] = {}
    for module in MODULES:
        if module.__name__.rpartition(".")[2].startswith("_"):
            continue
        for name, function in _public(module):
            assert name not in helpers, f"two helpers are named {name}"
            helpers[name] = function
    return helpers


HELPERS: dict[str, Callable[..., Any]] = _gather()


_NONE = Traits()
_TRAITS: dict[str, Traits] = {
    name: vars(function).get("traits", _NONE) for name, function in HELPERS.items()
}


def traits(name: str) -> Traits:
    """Return what a helper declares to do."""
    return _TRAITS.get(name, _NONE)


@cache
def fingerprint() -> str:
    """Return a digest of the helpers' text: compiled kernels contain them."""
    digest = hashlib.sha256()
    for module in MODULES:
        digest.update(inspect.getsource(module).encode())
    return digest.hexdigest()
