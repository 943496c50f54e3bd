"""Reading digits by the nearest of some that are known: distances of all pairs of images.

Rows of pixels are stored as blocks. The distances are one expression.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from shared import SECOND, THIRD, blank, images, picture

import structarr as sa


def main() -> None:
    pixels, labels = images("mnist")
    flat = sa.asarray(pixels.reshape(len(pixels), -1).astype(np.float64), format="vbl")
    known, asked = flat[:200], flat[200:]

    squares = (flat * flat).sum(axis=1)
    far = squares[200:, None] + squares[:200] - 2 * (asked @ known.T)
    nearest = np.asarray(far.argmin(axis=1))
    right = labels[nearest] == labels[200:]

    plain = pixels.reshape(len(pixels), -1).astype(float)
    wanted = ((plain[200:, None] - plain[None, :200]) ** 2).sum(axis=2)
    np.testing.assert_allclose(np.asarray(far), wanted)
    assert right.mean() > 0.6  # of 200 known ones
    picture(draw, flat, pixels, nearest, right, size=(9, 2.6))


def draw(figure: Any, flat: sa.Array, pixels: Any, nearest: Any, right: Any) -> None:
    shown = [*np.flatnonzero(right)[:8], *np.flatnonzero(~right)[:4]]
    panels = figure.subplots(2, len(shown))
    for column, k in enumerate(shown):
        for panel, image in zip(blank(panels[:, column]), (200 + k, nearest[k]), strict=True):
            panel.imshow(pixels[image], cmap="gray_r")
        panels[0, column].set_title("=" if right[k] else "≠", color=THIRD if right[k] else SECOND)
    panels[0, 0].set_ylabel("asked")
    panels[1, 0].set_ylabel("nearest")
    saved = flat.nbytes / (flat.size * flat.itemsize)
    figure.suptitle(f"{right.mean():.0%} of {len(right)} digits; {saved:.0%} of dense bytes")


if __name__ == "__main__":
    main()
