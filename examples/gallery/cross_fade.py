"""Fading one drawing into another: sums of runs are runs, a third of the bytes of pixels."""

from __future__ import annotations

from typing import Any

import numpy as np
from shared import blank, images, picture

import structarr as sa


def main() -> None:
    drawings, _ = images("humansketches_1111")
    a, b = (sa.asarray(one, format="rle") for one in drawings[[0, 2]])

    frames = [
        np.rint((1 - t) * a + t * b).astype(np.uint8).compute() for t in (0, 0.25, 0.5, 0.75, 1)
    ]

    half = np.rint(0.5 * drawings[0] + 0.5 * drawings[2]).astype(np.uint8)
    np.testing.assert_array_equal(frames[2].todense(), half)
    assert all(frame.format == "rle" for frame in frames)
    picture(draw, frames, size=(9, 2.2))


def draw(figure: Any, frames: list[sa.Array]) -> None:
    for panel, frame in zip(blank(figure.subplots(1, len(frames))), frames, strict=True):
        panel.imshow(frame.todense(), cmap="gray", interpolation="antialiased")
        panel.set_title(f"{frame.nstored:,} runs, {frame.nbytes / frame.size:.0%}")


if __name__ == "__main__":
    main()
