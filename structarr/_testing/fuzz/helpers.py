"""Functions that programs call beside NumPy's: they do nothing to NumPy's arrays."""

from __future__ import annotations

from typing import Any, Final

import structarr as sa
from structarr._array import Array as OurArray


def _asformat(array: Any, format: Any) -> Any:
    return array.asformat(format) if isinstance(array, OurArray) else array


def _looked_at(array: Any) -> Any:
    return array.compute() if isinstance(array, OurArray) else array


def _led(array: Any, name: str) -> Any:
    return getattr(sa, name)(array) if isinstance(array, OurArray) else array


HELPERS: Final = {"asformat": _asformat, "looked_at": _looked_at, "led": _led}
HELPERS_PLAIN: Final = {
    "asformat": lambda array, format: array,
    "looked_at": lambda array: array,
    "led": lambda array, name: array,
}
