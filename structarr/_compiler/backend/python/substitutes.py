"""Functions that the interpreted tier calls instead of helpers: faster there, and the same."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable
from typing import Any, Final

import numpy as np

from structarr._compiler.runtime.output import differ
from structarr._compiler.runtime.values import power_int
from structarr._compiler.runtime.vectors import SCALARS


def _sort_range(buf: Any, lo: int, hi: int) -> None:
    np.asarray(buf)[lo:hi].sort()


def _list_marked(buf: Any, mask: Any, count: int, dim: int) -> None:
    np.asarray(buf)[:count].sort()


def _differ(a: Any, b: Any) -> bool:
    return bool(a != b and (a == a or b == b or differ(a, b)))


def _power_int(a: Any, b: Any) -> Any:
    # A place is one of Python's integers, whose powers grow beyond all memory.
    return power_int(np.int64(a) if type(a) is int else a, b)


SUBSTITUTES: Final[dict[str, Callable[..., Any]]] = {
    **dict.fromkeys(("search", "search_near", "search_back", "bisect"), bisect_left),
    "sort_range": _sort_range,
    "list_marked": _list_marked,
    "differ": _differ,
    "power_int": _power_int,
    **{helper: getattr(np, name) for helper, name in SCALARS.items()},
}
