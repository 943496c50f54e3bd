"""The functions behind methods and protocols: `structarr._api` publishes them here."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any, Final


class Published(dict[Any, Callable[..., Any]]):
    """Functions by what they stand for; the module of one is imported when it is asked for."""

    def __init__(self, bring: Callable[[Any], object]) -> None:
        self._bring = bring

    def __missing__(self, key: Any) -> Callable[..., Any]:
        self._bring(key)
        if key in self:
            return self[key]
        raise KeyError(key)

    def found(self, key: Any) -> Callable[..., Any] | None:
        """The function for a key, if there is one."""
        if key not in self:
            self._bring(key)
        return self.get(key)


UNNAMED: Final = (
    "composed.numpy_names",
    "core.dense_or_refused",
    "creation.like_argument",
    "creation.stored_region",
    "indexing.indexing",
    "indexing.sliding",
)
"""Modules that publish what no public name leads to, in `structarr._api`."""


def _bring(twin: Any) -> None:
    """Import the module that publishes a function: most have the name of NumPy's."""
    home = (getattr(twin, "__module__", None) or "numpy").replace("numpy", "structarr", 1)
    name = getattr(twin, "__name__", None)
    if name is not None and home in ("structarr", "structarr.fft", "structarr.linalg"):
        getattr(import_module(home), name, None)
    if twin not in FUNCTIONS:
        for module in UNNAMED:
            import_module(f"structarr._api.{module}")


def bring_all() -> None:
    """Import whatever publishes a function, for who lists them."""
    for home in ("structarr", "structarr.fft", "structarr.linalg"):
        namespace: Any = import_module(home)
        for name in namespace.__all__:
            getattr(namespace, name)
    for module in (*UNNAMED, "composed.ufuncs"):
        import_module(f"structarr._api.{module}")


FUNCTIONS: Final = Published(_bring)
"""NumPy's functions and ufuncs to ours."""

UFUNC_METHODS: Final = Published(lambda name: import_module("structarr._api.composed.ufuncs"))
"""A ufunc's methods by name: each gets the ufunc, its inputs and its keywords."""
