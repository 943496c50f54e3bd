"""What a kernel takes, and the names its text may use."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np


@dataclass(frozen=True, slots=True)
class Param:
    """
    One parameter of a kernel.

    Parameters
    ----------
    name : str
        As in the kernel's ``def`` line.
    dtype : str
        NumPy's name of the type: "float64", "int32", "bool", ...
    array : bool
        Whether it is a one-dimensional C-contiguous array, rather than a scalar.
    writable : bool
        Whether the kernel writes to the array.
    """

    name: str
    dtype: str
    array: bool
    writable: bool


# The scalar constructors of kernel text, which are NumPy's own in both tiers.
CONSTRUCTORS: dict[str, Any] = {
    name: getattr(np, name)
    for name in (
        *("bool_", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"),
        *("float32", "float64", "complex64", "complex128"),
    )
}
