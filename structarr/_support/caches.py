"""Tables of bounded size, for results that are made once for each structure."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, TypeVar

K = TypeVar("K")
V = TypeVar("V")
F = TypeVar("F", bound=Callable[..., Any])

MOST: Final = 4096
"""Entries of a table, of some 50 kB each."""

LIGHT: Final = 16
"""Times as many entries of a table whose entries take some hundred bytes."""

_clearing: Final[list[Callable[[], None]]] = []


def table() -> dict[Any, Any]:
    """Return a table of a module, which `clear_cache` empties."""
    made: dict[Any, Any] = {}
    _clearing.append(made.clear)
    return made


def cleared(function: F) -> F:
    """Make `clear_cache` empty the table of a function under `lru_cache`."""
    _clearing.append(function.cache_clear)  # type: ignore[attr-defined]
    return function


def clears(function: Callable[[], None]) -> Callable[[], None]:
    """Make `clear_cache` call a function."""
    _clearing.append(function)
    return function


def clear_cache() -> None:
    """
    Free what is kept between calls: kernels, programs, and memory that waits for the next results.

    All of it is bounded and made again when it is needed, so that no result changes; the next calls
    take as long as first ones. Machine code on disk stays, and so does what arrays remember of
    themselves, such as a copy in another order.

    See Also
    --------
    show_versions : Where kernels are kept on disk.

    Examples
    --------
    >>> import structarr as sa
    >>> sa.clear_cache()
    """
    for clear in _clearing:
        clear()


def room(table: dict[K, V], most: int | None = None, light: bool = False) -> dict[K, V]:
    """
    Return a table for a new entry, after forgetting all where it has `most` or `MOST`.

    Tables of `light` entries may have `LIGHT` times as many.

    Forgotten entries are made again when needed; compiled kernels are found on disk.

    Examples
    --------
    >>> table = dict.fromkeys(range(MOST))
    >>> room(table)["new"] = None
    >>> list(table)
    ['new']
    """
    if len(table) >= ((MOST if most is None else most) * (LIGHT if light else 1)):
        table.clear()
    return table
