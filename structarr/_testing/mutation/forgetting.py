"""What the package remembers of calls, forgotten: each test runs as if it were the first one."""

from __future__ import annotations

import functools
import gc
from collections.abc import Callable
from typing import Final

from structarr._support.caches import clear_cache

KEPT: Final = ("structarr._compiler.backend.", "structarr._support.", "structarr._testing.")
"""Modules that are no mutants, and remember what a test cannot change."""


def forgetting() -> Callable[[], None]:
    """A function that forgets, beside all tables, what the functions of this process remember."""
    functions = [one for one in gc.get_objects() if isinstance(one, functools._lru_cache_wrapper)]
    own = [one for one in functions if _is_forgotten(getattr(one, "__module__", None) or "")]

    def forget() -> None:
        clear_cache()
        for one in own:
            one.cache_clear()

    return forget


def _is_forgotten(module: str) -> bool:
    return module.startswith("structarr.") and not module.startswith(KEPT)
