"""Files by their suffix: a matrix in Matrix Market, a tensor of FROSTT, a mask of COCO."""

from __future__ import annotations

import tempfile
from pathlib import Path

import numpy as np
import scipy.sparse as sp

import structarr as sa


def written(folder: Path) -> dict[str, sa.Array]:
    """Write one array of each kind, and return them by the names of their files."""
    mask = np.zeros((60, 80), bool)
    mask[20:50, 10:70] = True
    arrays = {
        "matrix.mtx.gz": sa.asarray(sp.random_array((200, 100), density=0.02, rng=0)),
        "tensor.tns": sa.from_coordinates(([0, 2, 3], [1, 0, 4], [0, 5, 1]), [1.5, -2.0, 0.1]),
        "mask.json": sa.asarray(mask),
    }
    for name, array in arrays.items():
        sa.write(folder / name, array)
    return arrays


def main() -> None:
    """Write and read each, and tell in which format it comes back."""
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        told = []
        for name, array in written(folder).items():
            found = sa.read(folder / name)
            assert np.allclose(found.todense(), array.todense())
            told.append(f"{name} is {found.format}, {found.nstored} stored")
        print("; ".join(told))


if __name__ == "__main__":
    main()
