"""What the values of an image are under each label."""

from __future__ import annotations

from typing import Any

import numpy as np

from structarr._api.images.rows import as_volume
from structarr._api.programs.loops import kernel
from structarr._api.programs.over_runs import in_runs, runs
from structarr._array import Array, of_tensor, stored


def intensities(labels: Array, image: Array, shape: tuple[int, ...], count: int) -> dict[str, Any]:
    """The mean, sum, minimum and maximum of an image's values under each of some labels."""
    if image.shape != shape:
        raise ValueError(f"the image has the shape of the labels, {shape}, not {image.shape}")
    if image.dtype.kind not in "biuf":
        raise TypeError(f"the image is of real numbers, not {image.dtype}")
    sums = np.zeros((count + 1, 4))
    sums[:, 1], sums[:, 2] = np.inf, -np.inf
    if stored(image).format.is_dense:
        _of_elements(labels, np.asarray(image).reshape(labels.shape), sums)
    else:
        _of_runs(labels, as_volume(of_tensor(in_runs(image))), sums)
    found = sums[1:]
    exact = np.float64 if image.dtype.kind == "f" else np.int64
    return {
        "intensity_sum": found[:, 0],
        "intensity_min": found[:, 1].astype(exact),
        "intensity_max": found[:, 2].astype(exact),
        "intensity_mean": found[:, 0] / found[:, 3],
    }


@kernel
def _of_elements(labels: Any, image: Any, found: Any) -> None:
    """Look at each element that has a label."""
    for z in range(labels.shape[0]):
        for y in range(labels.shape[1]):
            for start, stop, label in runs(labels[z, y]):
                total = 0.0
                least = found[label, 1]
                most = found[label, 2]
                for x in range(start, stop):
                    value = float(image[z, y, x])
                    total += value
                    least = min(least, value)
                    most = max(most, value)
                found[label, 0] += total
                found[label, 1] = least
                found[label, 2] = most
                found[label, 3] += stop - start


@kernel
def _of_runs(labels: Any, image: Any, found: Any) -> None:
    """Look at each stretch in which neither the label nor the image changes."""
    for z in range(labels.shape[0]):
        for y in range(labels.shape[1]):
            for start, stop, label, value in runs(labels[z, y], image[z, y]):
                if label != 0:
                    found[label, 0] += float(value) * (stop - start)
                    found[label, 1] = min(found[label, 1], float(value))
                    found[label, 2] = max(found[label, 2], float(value))
                    found[label, 3] += stop - start
