"""A page tidied up as a scanner's program does it: levelled, specks left out, regions counted.

The page is a drawing, turned by two degrees and strewn with specks. Nothing of it is ever made
dense; each step takes time for runs.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.ndimage
from shared import blank, images, picture

import structarr as sa
from structarr import ndimage


def main() -> None:
    drawing = images("humansketches_1111")[0][1] < 128
    dust = np.random.default_rng(0).random(drawing.shape) < 0.002
    page, specks = (sa.asarray(one, format="sparse-rle") for one in (drawing, dust))
    scan = ndimage.deskew(page, -2.0) | specks

    clean = ndimage.remove_small_objects(ndimage.deskew(scan), max_size=30, connectivity=2)
    thick = ndimage.binary_closing(ndimage.binary_dilation(clean, size=3), size=5)
    parts, count = ndimage.label(~thick)
    found = ndimage.regions(parts, properties=("area", "centroid"))

    assert abs(ndimage.skew_angle(clean)) < abs(ndimage.skew_angle(scan))
    assert clean.format == thick.format == parts.format == "sparse-rle"
    assert count == scipy.ndimage.label(~thick.todense())[1] == len(found["area"])
    picture(draw, {"scan": scan, "tidied": clean, "regions": parts}, found, size=(9, 3.3))


def draw(figure: Any, shown: dict[str, sa.Array], found: dict[str, Any]) -> None:
    panels = blank(figure.subplots(1, len(shown)))
    for panel, (name, image) in zip(panels, shown.items(), strict=True):
        pixels = image.todense()
        if name == "regions":
            panel.imshow(np.ma.masked_equal((pixels * 7) % 20, 0), cmap="tab20")
            y, x = found["centroid"][found["area"] > 2000].T
            panel.plot(x, y, "k+", markersize=5)
        else:
            panel.imshow(~pixels, cmap="gray", interpolation="antialiased")
        panel.set_title(
            f"{name}: {image.nstored:,} runs, {image.nbytes / pixels.size:.2f} B a pixel"
        )


if __name__ == "__main__":
    main()
