"""The functions behind methods and protocols: `structarr._api` publishes them here."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

FUNCTIONS: Final[dict[Any, Callable[..., Any]]] = {}
"""NumPy's functions and ufuncs to ours."""

UFUNC_METHODS: Final[dict[str, Callable[..., Any]]] = {}
"""A ufunc's methods by name: each gets the ufunc, its inputs and its keywords."""
