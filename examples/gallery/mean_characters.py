"""What drawings of one character by eight people have in common: means over runs.

Two values, paper and ink, make long runs; a mean over people is a sum of runs.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from shared import blank, images, picture

import structarr as sa


def main() -> None:
    drawings, labels = images("omniglot")
    ink = sa.asarray(1.0 - drawings / 255.0, format="sparse-rle")
    assert ink.nbytes < ink.size * ink.itemsize / 20

    means, spreads = [], []
    for name in np.unique(labels)[:8]:
        those = ink[np.flatnonzero(labels == name)]
        means.append(those.mean(axis=0).todense())
        spreads.append(those.std(axis=0).todense())

    first = 1.0 - drawings[labels == np.unique(labels)[0]] / 255.0
    np.testing.assert_allclose(means[0], first.mean(axis=0), atol=1e-12)
    np.testing.assert_allclose(spreads[0], first.std(axis=0), atol=1e-7)
    picture(draw, 1.0 - drawings[::8][:8] / 255.0, means, spreads, size=(9, 3.6))


def draw(figure: Any, ones: Any, means: list[Any], spreads: list[Any]) -> None:
    panels = figure.subplots(3, len(means))
    for row, (name, shown) in enumerate((("one", ones), ("mean", means), ("spread", spreads))):
        for panel, image in zip(blank(panels[row]), shown, strict=True):
            panel.imshow(image, cmap="Oranges" if row == 2 else "gray_r")
        panels[row, 0].set_ylabel(name)


if __name__ == "__main__":
    main()
