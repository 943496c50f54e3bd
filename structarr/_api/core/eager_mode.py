"""Eager mode: each operation is computed at the call, as the option `eager` asks."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextvars import ContextVar
from typing import Any, Final

from structarr._array import WATCHER, Array, settle
from structarr._compiler.options import current

_WITHIN: Final[ContextVar[bool]] = ContextVar("structarr_within", default=False)
"""Whether a function is called that is one operation, however many it is made of."""


def separate() -> bool:
    """Whether operations are computed one by one."""
    return current().eager and not _WITHIN.get() and WATCHER.get() is None


def finished(array: Array) -> Array:
    """Return an operation's result, computed if operations are computed one by one."""
    if separate():
        settle(array)
    return array


def as_one(function: Callable[..., Any], args: Sequence[Any], kwargs: Mapping[str, Any]) -> Any:
    """
    Call a function of several operations, and compute its result alone.

    What is between them is never formed: it would not leave out what the operands do.
    """
    token = _WITHIN.set(True)
    try:
        made = function(*args, **kwargs)
    finally:
        _WITHIN.reset(token)
    return finished(made) if isinstance(made, Array) else made
