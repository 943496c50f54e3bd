"""The array API's inspection of the library."""

from __future__ import annotations

from typing import Any

import numpy as np

__version__ = "0.1.0"
__array_api_version__ = "2025.12"

_NAMES = (
    *("bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"),
    *("float32", "float64", "complex64", "complex128"),
)


class Info:
    """Answers to the array API's inspection."""

    def capabilities(self) -> dict[str, Any]:
        """Return the optional parts of the standard, and whether they are implemented."""
        return {
            "boolean indexing": True,
            "data-dependent shapes": True,
            "max dimensions": 32,
        }

    def default_device(self) -> str:
        """Return the device that arrays are made on."""
        return "cpu"

    def devices(self) -> tuple[str, ...]:
        """Return all devices."""
        return ("cpu",)

    def default_dtypes(self, *, device: str | None = None) -> dict[str, np.dtype[Any]]:
        """Return the dtypes of results made of Python scalars."""
        return {
            "real floating": np.dtype("float64"),
            "complex floating": np.dtype("complex128"),
            "integral": np.dtype("int64"),
            "indexing": np.dtype("int64"),
        }

    def dtypes(self, *, device: str | None = None, kind: Any = None) -> dict[str, np.dtype[Any]]:
        """Return the dtypes of a kind, or all, by name."""
        every = {name: np.dtype(name) for name in _NAMES}
        if kind is None:
            return every
        return {name: dtype for name, dtype in every.items() if np.isdtype(dtype, kind)}


def __array_namespace_info__() -> Info:
    """Return the array API's inspection of the library."""
    return Info()
