"""Masked convolution of sparse grids with a dense square: neighbours of what is stored."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any, Final

import numpy as np
import scipy.sparse as sp
from scipy import ndimage

import structarr as sa
from benchmarks.handwritten_programs import convolve
from benchmarks.peers import opencv
from benchmarks.programs import Peer, buffers, compared, values
from benchmarks.report import Row

SIDE = 11
PROGRAM: Final = """
C[i, k] += (
    (A[i, k] != 0)
    * coalesce(A[permit(offset(5 - i, j)), permit(offset(5 - k, l))], 0)
    * coalesce(F[permit(j), permit(l)], 0)
)
"""
DENSITIES: Final = (0.001, 0.003, 0.01, 0.03, 0.1)


def run(data: Path, quick: bool) -> Iterator[Row]:
    """Yield the rows of all densities; the grids are random."""
    for density in DENSITIES[1::2] if quick else DENSITIES:
        yield from masked(300 if quick else 1000, density, 0.3 if quick else 2.0)


def masked(side: int, density: float, seconds: float) -> Iterator[Row]:
    """Yield the rows of a grid."""
    random = np.random.default_rng(0)
    grid = random.standard_normal((side, side)) * (random.random((side, side)) < density)
    square = random.standard_normal((SIDE, SIDE))
    stored = sa.asarray(grid, format="csr")
    extents = {"j": SIDE, "l": SIDE}
    job = {"A": stored, "F": square, "order": "ikjl", "extents": extents}
    peers = {
        "handwritten": _by_hand(stored, square),
        "scipy": values(
            lambda: ndimage.correlate(grid, square, mode="constant") * (grid != 0),
        ),
    }
    if (cv2 := opencv()) is not None:
        flat = cv2.BORDER_CONSTANT
        peers["opencv"] = values(
            lambda: cv2.filter2D(grid, -1, square, borderType=flat) * (grid != 0)
        )
    yield from compared(f"masked {100 * density:g}%", PROGRAM, [job], peers, seconds)


def _by_hand(stored: sa.Array, square: Any) -> Peer:
    ptr, idx, val = (buffer.copy() for buffer in buffers(stored))
    args = (ptr, idx, val, stored.shape, *buffers(stored), square.ravel(), SIDE)
    return Peer(
        partial(convolve, *args), lambda: [sp.csr_array((val, idx, ptr), stored.shape).toarray()]
    )
