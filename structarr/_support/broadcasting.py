"""The shape of arrays that are broadcast."""

from __future__ import annotations

from typing import Final

import numpy as np

LONGEST: Final = (1 << 63) - 1
"""The most places of an axis: coordinates are integers of 64 bits."""


def countable(shape: tuple[int, ...]) -> tuple[int, ...]:
    """Return a shape; raise ValueError if an axis has more places than there are coordinates."""
    if shape and max(shape) > LONGEST:
        raise ValueError(
            f"an array of shape {shape} has more places on an axis than int64 counts; use several "
            "axes, or parts"
        )
    return shape


def broadcast(shapes: list[tuple[int, ...]]) -> tuple[int, ...]:
    """NumPy's broadcasting, whose own function takes longer than a small kernel."""
    ndim = max(map(len, shapes))
    lengths = [1] * ndim
    for shape in shapes:
        for k, n in enumerate(shape, ndim - len(shape)):
            if n != 1 and lengths[k] != n:
                if lengths[k] != 1:
                    return np.broadcast_shapes(*shapes)  # raises NumPy's own error
                lengths[k] = n
    return tuple(lengths)
