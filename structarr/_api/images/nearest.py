"""Which element of the background is nearest: its place along each axis, found with distances."""

from __future__ import annotations

from typing import Any

import numpy as np

from structarr._api.programs.loops import kernel
from structarr._api.programs.over_runs import runs
from structarr._array import Array


class Nearest:
    """For each element of a volume, where the nearest one of the background is, axis by axis.

    Along the last axis that is the nearest of its own row; along another one, which line has the
    nearest, whose own place along the axes behind is known by then.
    """

    def __init__(self, volume: Array) -> None:
        self._shape = volume.shape
        self._along: list[np.ndarray | None] = [None, None, None]
        if all(volume.shape):
            rows = self._plain(2)
            _beside_runs(volume, rows)
            self._along[2] = rows

    def along(self, axis: int) -> np.ndarray:
        """The places along an axis, each element's own as long as nobody writes others."""
        found = self._along[axis]
        if found is None:
            found = self._along[axis] = self._plain(axis)
        return found

    def _plain(self, axis: int) -> np.ndarray:
        lengths = [n if k == axis else 1 for k, n in enumerate(self._shape)]
        own = np.arange(self._shape[axis], dtype=np.int32).reshape(lengths)
        return np.broadcast_to(own, self._shape).reshape(-1).copy()

    def indices(self, squares: np.ndarray, ndim: int) -> np.ndarray:
        """The places along the last axes of the volume; -1 where nothing is near."""
        places = [self.along(axis).reshape(self._shape) for axis in range(3)]
        _, second, third = np.indices(self._shape, np.int32, sparse=True)
        first = places[0]
        second = places[1][first, second, third]
        third = places[2][first, second, third]
        found = np.stack([first, second, third][3 - ndim :])
        return np.where(np.isinf(squares), np.int32(-1), found)


@kernel
def _beside_runs(image: Any, near: Any) -> None:
    """The nearest element of a row on either side of its run."""
    width = image.shape[2]
    for z in range(image.shape[0]):
        for y in range(image.shape[1]):
            base = (z * image.shape[1] + y) * width
            for start, stop, _value in runs(image[z, y]):
                middle = (start + stop) // 2
                if start == 0:
                    middle = 0
                if stop == width:
                    middle = stop
                if start > 0 or stop < width:
                    near[base + start : base + middle] = start - 1
                    near[base + middle : base + stop] = stop
