"""The histogram of an image under a mask: a scatter, only where the mask stores something."""

from __future__ import annotations

from pathlib import Path

import numpy as np

import structarr as sa

DATA = Path(__file__).resolve().parent.parent / "data"


@sa.kernel
def histogram(image, mask):
    H = np.zeros(256, np.int64)
    for i in range(image.shape[0]):
        for j in range(image.shape[1]):
            if mask[i, j]:
                H[image[i, j]] += 1
    return H


def main() -> None:
    with np.load(DATA / "images" / "mnist.npz") as stored:
        image, other = stored["images"][:2]
    mask = other > 128

    H = histogram(image, sa.asarray(mask, format="csr"))

    np.testing.assert_array_equal(H.todense(), np.bincount(image[mask], minlength=256))
    print(f"masked histogram: {mask.sum()} of {image.size} pixels are counted, as by NumPy")


if __name__ == "__main__":
    main()
