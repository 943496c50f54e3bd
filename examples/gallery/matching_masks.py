"""Which drawing is which: masks in COCO's code, compared by the runs that they have in common.

Each drawing is filled to a mask, moved a little, and looked for among all masks by the
intersection over union of all pairs.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from shared import blank, images, picture

import structarr as sa
from structarr import masks, ndimage

COUNT = 40


def main() -> None:
    drawings = images("humansketches_150")[0][:COUNT] < 230
    filled = [ndimage.binary_fill_holes(ndimage.binary_dilation(one, size=3)) for one in drawings]
    codes = masks.to_rle(sa.stack(filled))
    batch = masks.from_rle(codes)
    moved = masks.from_rle(masks.to_rle(np.roll(batch.todense(), (3, -4), axis=(1, 2))))

    overlap = masks.iou(moved, batch)

    one, other = moved.todense()[:, None], batch.todense()[None]
    wanted = (one & other).sum(axis=(2, 3)) / (one | other).sum(axis=(2, 3))
    np.testing.assert_array_equal(overlap, wanted)
    assert (overlap.argmax(axis=1) == np.arange(COUNT)).mean() > 0.8
    picture(draw, overlap, moved, batch, size=(9, 3))


def draw(figure: Any, overlap: np.ndarray, moved: sa.Array, batch: sa.Array) -> None:
    matrix, *panels = figure.subplots(1, 4, width_ratios=(1.3, 1, 1, 1))
    matrix.imshow(overlap, cmap="magma", vmin=0, vmax=1)
    matrix.set_title(f"{overlap.size:,} pairs, {batch.nbytes / batch.size:.2f} B a pixel")
    best = np.argsort(overlap.diagonal())[[-1, len(overlap) // 2, 3]]
    for panel, k in zip(blank(panels), best, strict=True):
        shown = np.ones((*batch.shape[1:], 3))
        shown[moved[int(k)].todense()] -= (0.1, 0.5, 0.8)
        shown[batch[int(k)].todense()] -= (0.6, 0.3, 0.1)
        panel.imshow(shown.clip(0, 1))
        panel.set_title(f"overlap {overlap[k, k]:.2f}")


if __name__ == "__main__":
    main()
