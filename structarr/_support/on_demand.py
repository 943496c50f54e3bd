"""Names on demand: public names whose modules are imported when one of them is asked for."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any


def homes(package: str, modules: Mapping[str, str]) -> dict[str, tuple[str, str]]:
    """
    Return where each name is: a module, and the name there.

    Parameters
    ----------
    package : str
        What the modules' names begin with.
    modules : mapping of str to str
        Modules to their names, between spaces; ``name=there`` where it has another name there.

    Examples
    --------
    >>> homes("numpy", {"fft": "fftn", "linalg": "trace=matrix_trace"})
    {'fftn': ('numpy.fft', 'fftn'), 'trace': ('numpy.linalg', 'matrix_trace')}
    """
    found = {}
    for module, names in modules.items():
        for told in names.split():
            name, _, there = told.partition("=")
            found[name] = f"{package}.{module}", there or name
    return found


def on_demand(
    module: str, places: Mapping[str, tuple[str, str]]
) -> tuple[Callable[[str], Any], Callable[[], list[str]]]:
    """
    Return the functions ``__getattr__`` and ``__dir__`` of a module.

    The first gives the module the names that are asked for.

    Parameters
    ----------
    module : str
        The module's name.
    places : mapping of str to tuple of str
        As `homes` returns them.

    Examples
    --------
    >>> get, listed = on_demand(__name__, homes("numpy", {"linalg": "det"}))
    >>> "det" in listed(), get("det").__name__
    (True, 'det')
    """

    def get(name: str) -> Any:
        if name not in places:
            told = f"module {module!r} has no attribute {name!r}"
            raise AttributeError(told, name=name, obj=sys.modules[module])
        home, there = places[name]
        found = getattr(import_module(home), there)
        setattr(sys.modules[module], name, found)
        return found

    def listed() -> list[str]:
        return sorted({*vars(sys.modules[module]), *places})

    return get, listed
