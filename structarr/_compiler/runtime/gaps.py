"""Gaps among floats: a NaN of our own where nothing is stored, told apart by its bits.

Its value and whether there is one are one load, where a mask beside the values would be another;
and loops that load no bytes are vectorised.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from structarr._compiler.runtime._mark import Traits, helper

_GAP64 = 0x7FF8_73747275_6374
_GAP32 = 0x7FC0_7361
_NAN64, _NAN32 = np.float64(np.nan), np.float32(np.nan)


def gap_float64() -> Any:
    """Return the gap among values of 64 bits."""
    return np.int64(_GAP64).view(np.float64)


def gap_float32() -> Any:
    """Return the gap among values of 32 bits."""
    return np.int32(_GAP32).view(np.float32)


@helper(Traits(tests_gap=True))
def there_float64(value: Any) -> Any:
    """Return whether a value of 64 bits is no gap."""
    return np.float64(value).view(np.int64) != _GAP64


@helper(Traits(tests_gap=True))
def there_float32(value: Any) -> Any:
    """Return whether a value of 32 bits is no gap."""
    return np.float32(value).view(np.int32) != _GAP32


def filled_float64(value: Any) -> Any:
    """Return a value that is no gap: of those, what comes from outside is a NaN like any other."""
    return value if there_float64(value) else _NAN64


def filled_float32(value: Any) -> Any:
    """Return a value that is no gap: of those, what comes from outside is a NaN like any other."""
    return value if there_float32(value) else _NAN32
