"""Pickles of objects that are made of functions: by name where modules have them, else by value."""

from __future__ import annotations

import pickle
import sys
from collections.abc import Callable
from typing import Any, Self


class Defined:
    """
    An object that a decorator makes of a function, copied and pickled as functions are.

    A copy is the object itself. A pickle has its name if other processes can import it. Of what a
    script, a notebook or another function defines, it has the parts that the object is made of,
    whose functions go by value.
    """

    def _parts(self) -> tuple[Callable[..., Any], *tuple[Any, ...]]:
        """A function of a module that makes an equal object, and what it takes."""
        raise NotImplementedError

    def __reduce__(self) -> str | tuple[Any, ...]:
        return self._path() or by_value(*self._parts())

    def __copy__(self) -> Self:
        return self

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        return self

    def _path(self) -> str | None:
        """The name by which other processes find the object in its module."""
        module, path = self.__module__, getattr(self, "__qualname__", "<locals>")
        if module == "__main__" or "<locals>" in path:
            return None
        found: Any = sys.modules.get(module)
        for name in path.split("."):
            found = getattr(found, name, None)
        return path if found is self else None


def by_value(make: Callable[..., Any], *parts: Any) -> tuple[Any, ...]:
    """
    Return what `__reduce__` returns of an object that `make` makes of its parts, by value.

    Raises
    ------
    pickle.PicklingError
        If cloudpickle is not installed.
    """
    try:
        import cloudpickle
    except ImportError:
        raise pickle.PicklingError(
            f"{make.__qualname__} of {parts} is defined in a script or function and so pickled by "
            "value: install cloudpickle, or define it in a module that other processes can import"
        ) from None
    return _remade, (make, cloudpickle.dumps(parts))


def _remade(make: Callable[..., Any], parts: bytes) -> Any:
    return make(*pickle.loads(parts))
