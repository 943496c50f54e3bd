"""The namespace under an option that says how new arrays are stored, as a module to be tested."""

from __future__ import annotations

from typing import Any

import structarr


def namespace(format: str) -> dict[str, Any]:
    """Make the option hold in this thread from now on; return the library's public names."""
    structarr.options(default_format=format, strict_ieee=True).__enter__()
    return {name: value for name, value in vars(structarr).items() if not _is_private(name)}


def _is_private(name: str) -> bool:
    return name.startswith("_") and not name.startswith("__array")
