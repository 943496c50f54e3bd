"""What the scripts of the gallery share: the sample data, and where pictures go."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import matplotlib

matplotlib.use("Agg")

import matplotlib.pyplot as plt
import numpy as np
import scipy.sparse as sp

import structarr as sa

ROOT = Path(__file__).resolve().parents[2]
INK, FIRST, SECOND, THIRD, PALE = "#333333", "#0969da", "#c2550a", "#1a7f37", "#d1d9e0"
STYLE = {
    "font.size": 9, "axes.titlesize": 9, "axes.titlelocation": "left", "axes.edgecolor": PALE,
    "axes.labelcolor": INK, "text.color": INK, "xtick.color": INK, "ytick.color": INK,
    "axes.spines.top": False, "axes.spines.right": False, "figure.facecolor": "white",
    "legend.frameon": False, "image.interpolation": "none", "figure.constrained_layout.use": True,
}  # fmt: skip


def matrix(name: str, dtype: Any = None) -> sa.Array:
    """Return a matrix of the sample data."""
    found = sp.load_npz(ROOT / "data" / f"{name}.npz")
    return sa.asarray(found if dtype is None else found.astype(dtype))


def images(name: str) -> tuple[np.ndarray, np.ndarray]:
    """Return images of the sample data, and their labels."""
    with np.load(ROOT / "data" / "images" / f"{name}.npz") as held:
        return held["images"], held["labels"]


def picture(draw: Callable[..., None], *results: Any, size: tuple[float, float] = (8, 3)) -> None:
    """Draw results into a figure, and save it as the first argument says, or in out/gallery."""
    script = Path(sys.argv[0]).stem
    path = Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "out" / "gallery" / f"{script}.png"
    path.parent.mkdir(parents=True, exist_ok=True)
    with plt.rc_context(STYLE):
        figure = plt.figure(figsize=size)
        draw(figure, *results)
        figure.savefig(path, dpi=100, pil_kwargs={"optimize": True})
        plt.close(figure)
    print(f"{script}: {path}")


def blank(panels: Any) -> Iterator[Any]:
    """Yield panels without ticks and frames."""
    for panel in np.ravel(panels):
        panel.set(xticks=[], yticks=[])
        panel.spines[:].set_visible(False)
        yield panel
