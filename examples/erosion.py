"""Morphological erosion on runs: the least of the 3 x 3 pixels around each.

A window's minimum is taken along rows and then along columns, and beyond the image nothing is less
than 255. Both programs read three shifted copies of runs at once, step from one run's end to the
next, and store runs: a drawing costs its outlines, not its pixels.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import scipy.ndimage

import structarr as sa

DATA = Path(__file__).resolve().parent.parent / "data"

ALONG_ROWS = """
E[i, j] = min(coalesce(B[i, permit(j - 1)], 255), B[i, j], coalesce(B[i, permit(j + 1)], 255))
"""
ALONG_COLUMNS = """
E[i, j] = min(coalesce(B[permit(i - 1), j], 255), B[i, j], coalesce(B[permit(i + 1), j], 255))
"""


def main() -> None:
    with np.load(DATA / "images" / "humansketches_150.npz") as stored:
        image = stored["images"][0]
    B = sa.asarray(image, format="rle")

    E = sa.loops(ALONG_COLUMNS, B=sa.loops(ALONG_ROWS, B=B))

    expected = scipy.ndimage.grey_erosion(image, size=(3, 3), mode="constant", cval=255)
    np.testing.assert_array_equal(E.todense(), expected)
    assert str(E.format) == "rle"
    print(f"erosion: {B.nstored} runs give {E.nstored}, of {E.size} pixels, as SciPy")


if __name__ == "__main__":
    main()
