"""The format of new arrays whose caller names none."""

from __future__ import annotations

from structarr._array import Array
from structarr._compiler.options import current
from structarr.formats.names import takes


def placed(array: Array) -> Array:
    """Return a new array stored as `options(default_format=...)` wants it."""
    name = current().default_format
    if name is None or not takes(name, array.ndim) or not array.ndim:
        return array
    return array.asformat(name)
