"""Two images blended, run by run: section 9.4 of the paper.

Where both images are runs, so is the result: the kernel takes one step for each run of either, and
the rounded sum is stored as runs again.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

import structarr as sa

DATA = Path(__file__).resolve().parent.parent / "data"


def main() -> None:
    with np.load(DATA / "images" / "omniglot.npz") as stored:
        b, c = stored["images"][:2]
    B, C = sa.asarray(b, format="rle"), sa.asarray(c, format="rle")

    A = sa.loops(
        "A[i, j] = uint8(round(alpha * B[i, j] + beta * C[i, j]))", B=B, C=C, alpha=0.7, beta=0.3
    )

    np.testing.assert_array_equal(A.todense(), np.round(0.7 * b + 0.3 * c).astype(np.uint8))
    assert str(A.format) == "rle"
    assert A.dtype == np.uint8
    print(f"alpha blending: {B.nstored} and {C.nstored} runs give {A.nstored} of {A.size} pixels")


if __name__ == "__main__":
    main()
