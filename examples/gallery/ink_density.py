"""How crowded is the ink around each inked pixel? A filter under a mask, computed there alone."""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.ndimage
from shared import blank, images, picture

import structarr as sa


def main() -> None:
    drawings, _ = images("omniglot")
    weights = np.exp(-(np.hypot(*np.mgrid[-7:8, -7:8]) ** 2) / 30)
    results = []
    for drawing in drawings[[0, 40, 80, 120, 160]]:
        ink = sa.asarray((drawing == 0).astype(np.float64), format="csr")

        near = np.where(ink != 0, sa.ndimage.correlate(ink, weights, mode="constant"), 0.0)

        wanted = scipy.ndimage.correlate(ink.todense(), weights, mode="constant")
        np.testing.assert_allclose(near.todense(), wanted * ink.todense(), atol=1e-12)
        assert near.format == "csr" and near.nstored == ink.nstored
        results.append(near)
    picture(draw, results, size=(9, 2.2))


def draw(figure: Any, results: list[sa.Array]) -> None:
    for panel, near in zip(blank(figure.subplots(1, len(results))), results, strict=True):
        panel.imshow(np.ma.masked_equal(near.todense(), 0), cmap="viridis")
        panel.set_title(f"{near.nstored / near.size:.0%} of the pixels")


if __name__ == "__main__":
    main()
