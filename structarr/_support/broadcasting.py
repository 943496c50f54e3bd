"""The shape of arrays that are broadcast."""

from __future__ import annotations

import numpy as np


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
