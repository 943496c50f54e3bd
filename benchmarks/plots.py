"""Pictures of benchmarks: growth on logarithmic axes, with its slopes."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import numpy as np

from benchmarks.report import Row

Points = dict[str, list[tuple[float, float]]]
PANELS = {"time": ("seconds a call", "Time"), "bytes": ("bytes allocated", "Memory")}


def growth(rows: Iterable[Row], path: Path) -> None:
    """
    Draw the rows of `scaling` that tell how time and memory grow; a slope of 1 is linear.

    Raises
    ------
    ImportError
        If matplotlib is not installed; ``pip install structarr[plot]`` brings it.
    """
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    every = list(rows)
    figure, axes = plt.subplots(1, 2, figsize=(11, 4.8), layout="constrained")
    for axis, (variant, (unit, title)) in zip(axes, PANELS.items(), strict=True):
        for name, points in points_of(every, variant).items():
            sizes, values = np.transpose(sorted(points))
            label = f"{name}   slope {slope(sizes, values):.2f}"
            axis.loglog(sizes, values, marker="o", markersize=4, linewidth=1.5, label=label)
        axis.set(xlabel="stored entries of each operand", ylabel=unit)
        axis.set_title(title, loc="left")
        axis.grid(True, which="major", linewidth=0.5, alpha=0.4)
        axis.spines[["top", "right"]].set_visible(False)
        axis.legend(frameon=False, fontsize=9)
    path.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(path, dpi=150)
    plt.close(figure)


def points_of(rows: Iterable[Row], variant: str) -> Points:
    """The sizes and figures of each case."""
    found: Points = {}
    for one in rows:
        name, _, size = one.case.rpartition(" ")
        if one.variant == variant and one.peer == "SciPy":
            found.setdefault(name, []).append((float(size), one.seconds))
    return found


def slope(sizes: np.ndarray, values: np.ndarray) -> float:
    """The exponent of the power of the size that fits best."""
    return float(np.polyfit(np.log(sizes), np.log(values), 1)[0])
