"""Thicker lines and outlines: extremes over windows of a drawing that is stored as runs.

Slices of runs are runs, and so is the least of some of them.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.ndimage
from shared import blank, images, picture

import structarr as sa


def darkest(image: sa.Array, reach: int) -> sa.Array:
    """Return the least pixel of the square around each pixel; beyond the rim is paper."""
    image = np.pad(image, reach, constant_values=255)
    for _ in range(2):
        width = 1  # of the windows so far: it doubles
        while width < 2 * reach + 1:
            step = min(width, 2 * reach + 1 - width)
            image, width = np.minimum(image[:, :-step], image[:, step:]).compute(), width + step
        image = image.T
    return image


def main() -> None:
    drawing = images("humansketches_1111")[0][1, 150:950, 150:950]
    image = sa.asarray(drawing, format="rle")

    thick = darkest(image, 4)
    outline = thick - image + 255  # bytes wrap around: paper where both are ink or both paper

    wanted = scipy.ndimage.minimum_filter(drawing, 9, mode="constant", cval=255)
    np.testing.assert_array_equal(thick.todense(), wanted)
    assert thick.format == outline.format == "rle"
    picture(draw, {"image": image, "thick": thick, "outline": outline}, size=(9, 3.2))


def draw(figure: Any, shown: dict[str, sa.Array]) -> None:
    panels = blank(figure.subplots(1, len(shown)))
    for panel, (name, image) in zip(panels, shown.items(), strict=True):
        panel.imshow(image.todense(), cmap="gray", vmin=0, vmax=255, interpolation="antialiased")
        panel.set_title(f"{name}: {image.nstored:,} runs, {image.nbytes / image.size:.0%} of dense")


if __name__ == "__main__":
    main()
