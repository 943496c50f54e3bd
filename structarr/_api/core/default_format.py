"""The format of new arrays: the one that the caller names, or that of the options."""

from __future__ import annotations

from structarr._array import Array, Spec
from structarr._compiler.options import current
from structarr.formats.names import takes


def placed(array: Array, format: Spec | None = None) -> Array:
    """Return a new array in a format, or stored as `options(default_format=...)` wants it."""
    if format is not None:
        return array if array.format == format else array.asformat(format)
    name = current().default_format
    if name is None or not takes(name, array.ndim) or not array.ndim:
        return array
    return array.asformat(name)
