"""The distances between all pairs of images: section 9.5 of the paper.

Images are rows. `o` is made by the innermost loop and used outside of it, which is the paper's
`where`. In the format `vbl` only the pixels that both images store are multiplied; with `rle`, two
runs are multiplied once and the product is counted as often as they are long.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import scipy.spatial

import structarr as sa

DATA = Path(__file__).resolve().parent.parent / "data"


@sa.kernel
def distances(A):
    images, pixels = A.shape
    R = np.zeros(images)
    for k in range(images):
        for ij in range(pixels):
            R[k] += A[k, ij] ** 2
    D = np.zeros((images, images))
    for k in range(images):
        for m in range(images):
            o = 0.0
            for ij in range(pixels):
                o += A[k, ij] * A[m, ij]
            D[k, m] = np.sqrt(R[k] + R[m] - 2 * o)
    return D


def main() -> None:
    for name, format in {"mnist": "vbl", "omniglot": "rle"}.items():
        with np.load(DATA / "images" / f"{name}.npz") as stored:
            images = stored["images"][:6].reshape(6, -1).astype(float)

        found = distances(sa.asarray(images, format=format))

        expected = scipy.spatial.distance.cdist(images, images)
        np.testing.assert_allclose(found.todense(), expected, atol=1e-6)

    print("image similarity: blocks and runs agree with SciPy's distances")


if __name__ == "__main__":
    main()
