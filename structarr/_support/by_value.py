"""Pickles of objects that are made of functions: by name where modules have them, else by value."""

from __future__ import annotations

import pickle
import sys
from collections.abc import Callable
from typing import Any


def reduced(made: Any, make: Callable[..., Any], *parts: Any) -> str | tuple[Any, ...]:
    """
    Return what `__reduce__` returns of an object that a decorator made.

    As of functions, it is a name if other processes can import it. Of what a script or notebook
    defines, or a function within, it is how it is made of its parts, whose functions go by value.

    Parameters
    ----------
    made : object
        What is pickled, with the name and module of its function.
    make : callable
        Makes it of its parts; a function of a module.
    *parts : object
        What `make` takes.

    Raises
    ------
    pickle.PicklingError
        If it goes by value and cloudpickle is not installed, or does not take the parts.
    """
    return str(made.__qualname__) if _is_importable(made) else by_value(make, *parts)


def by_value(make: Callable[..., Any], *parts: Any) -> tuple[Any, ...]:
    """Return what `__reduce__` returns of an object that `make` makes of its parts, by value."""
    try:
        import cloudpickle
    except ImportError:
        raise pickle.PicklingError(
            f"{make.__qualname__} of {parts} is defined in a script or function and so pickled by "
            "value: install cloudpickle, or define it in a module that other processes can import"
        ) from None
    return _remade, (make, cloudpickle.dumps(parts))


def _is_importable(made: Any) -> bool:
    module, path = getattr(made, "__module__", None), getattr(made, "__qualname__", "<locals>")
    if module in (None, "__main__") or "<locals>" in path:
        return False
    found: Any = sys.modules.get(module)
    for name in path.split("."):
        found = getattr(found, name, None)
    return found is made


def _remade(make: Callable[..., Any], parts: bytes) -> Any:
    return make(*pickle.loads(parts))
