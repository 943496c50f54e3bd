"""Principal components of images that are mostly zero, without subtracting their mean.

``x - mean`` would store every pixel; products with it are multiplied out instead.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from shared import FIRST, blank, images, picture

import structarr as sa


def main() -> None:
    pixels, _ = images("mnist")
    x = sa.asarray(pixels.reshape(len(pixels), -1) / 255.0, format="csr")
    mean = np.asarray(x.mean(axis=0))

    basis = np.linalg.qr(np.random.default_rng(0).random((x.shape[1], 12)))[0]
    for _ in range(60):  # subspace iteration
        scores = (x - mean) @ basis
        basis = np.linalg.qr(np.asarray((x - mean).T @ scores))[0]
    scores = np.asarray((x - mean) @ basis)
    shares = (scores**2).sum(axis=0) / float(((x - mean) ** 2).sum())

    singular = np.linalg.svd(x.todense() - mean, compute_uv=False)
    np.testing.assert_allclose(shares[:5], (singular**2 / (singular**2).sum())[:5], rtol=1e-2)
    picture(draw, mean, basis, shares, size=(9, 2.6))


def draw(figure: Any, mean: Any, basis: Any, shares: Any) -> None:
    grid = figure.add_gridspec(2, 7)
    faces = [mean, *basis.T[:7]]
    panels = [figure.add_subplot(grid[k // 4, k % 4]) for k in range(8)]
    for k, panel in enumerate(blank(panels)):
        panel.imshow(faces[k].reshape(28, 28), cmap="RdBu_r" if k else "gray_r")
        panel.set_title(f"{shares[k - 1]:.0%}" if k else "mean", fontsize=8)
    right = figure.add_subplot(grid[:, 4:])
    right.bar(range(1, len(shares) + 1), 100 * shares, color=FIRST)
    right.set(xlabel="component", title="share of the variance, per cent")


if __name__ == "__main__":
    main()
