"""The scalar constructors of kernel text, which are NumPy's own in both tiers."""

from __future__ import annotations

from typing import Any

import numpy as np

CONSTRUCTORS: dict[str, Any] = {
    name: getattr(np, name)
    for name in (
        *("bool_", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"),
        *("float32", "float64", "complex64", "complex128"),
    )
}
