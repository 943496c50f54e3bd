"""Masked convolution of sparse grids with a dense square: neighbours of what is stored."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any, Final

import numpy as np
import scipy.sparse as sp
from scipy import ndimage

import structarr as sa
from benchmarks.handwritten_programs import convolve, convolve_cursors
from benchmarks.peers import file, opencv
from benchmarks.programs import Peer, buffers, compared, values, written
from benchmarks.report import Row, row

SIDE: Final = 11
PROGRAM: Final = """
C[i, k] += (
    (A[i, k] != 0)
    * coalesce(A[permit(offset(5 - i, j)), permit(offset(5 - k, l))], 0)
    * coalesce(F[permit(j), permit(l)], 0)
)
"""
DENSITIES: Final = (0.001, 0.003, 0.01, 0.02, 0.03, 0.05, 0.08, 0.1, 0.15, 0.2)
PAPERS: Final = 0.05  # the density at which the paper's kernel falls behind OpenCV
IMAGES: Final = ("humansketches_1111", "omniglot")


def run(data: Path, quick: bool) -> Iterator[Row]:
    """Yield the rows of random grids of all densities, where OpenCV overtakes, and of images."""
    side, seconds = (300, 0.3) if quick else (1000, 2.0)
    rows: dict[float, list[Row]] = {}
    for density in (0.003, 0.03, 0.1) if quick else DENSITIES:
        rows[density] = list(masked(f"{100 * density:g}%", random(side, density), seconds))
        yield from rows[density]
    for variant in ("masked", "picked"):
        yield from break_even(variant, rows)
    for name in () if quick else IMAGES:
        if (path := file(data / "images" / f"{name}.npz")) is not None:
            with np.load(path) as stored:
                paper = float(stored["images"].max())
                ink = paper - stored["images"][0]
            share = 100 * np.count_nonzero(ink) / ink.size
            yield from masked(f"{name} {share:.2g}%", ink, seconds)


def random(side: int, density: float) -> Any:
    """Return a grid of normally distributed values at random places."""
    numbers = np.random.default_rng(0)
    return numbers.standard_normal((side, side)) * (numbers.random((side, side)) < density)


def masked(name: str, grid: Any, seconds: float) -> Iterator[Row]:
    """Yield the rows of a grid: of the paper's program, and of plain NumPy."""
    square = np.random.default_rng(1).standard_normal((SIDE, SIDE))
    stored = sa.asarray(grid, format="csr")
    job = {"A": stored, "F": square, "order": "ikjl", "extents": {"j": SIDE, "l": SIDE}}
    peers = {
        "handwritten": _by_hand(convolve, stored, square),
        "hand, cursors": _by_hand(convolve_cursors, stored, square),
        "scipy": values(lambda: ndimage.correlate(grid, square, mode="constant") * (grid != 0)),
    }
    if (cv2 := opencv()) is not None:
        flat = cv2.BORDER_CONSTANT
        peers["opencv"] = values(
            lambda: cv2.filter2D(grid, -1, square, borderType=flat) * (grid != 0)
        )
    yield from compared(f"masked {name}", PROGRAM, [job], peers, seconds)
    yield from written(f"picked {name}", [partial(_plain, stored, square)], peers, seconds)


def _plain(grid: Any, square: Any) -> Any:
    return np.where(grid != 0, sa.ndimage.correlate(grid, square, mode="constant"), 0)


def break_even(variant: str, rows: dict[float, Sequence[Row]]) -> Iterator[Row]:
    """
    Yield the density in per cent at which OpenCV is as fast as a kernel, beside the paper's.

    Densities stand where other rows have seconds, ours as the peer's: a ratio above 1 is better.
    Between two measured densities the logarithm of the ratio is a straight line of the density's.
    """
    ratios = [
        (density, one.ratio)
        for density, each in rows.items()
        for one in each
        if one.case.startswith(variant) and (one.variant, one.peer) == ("kernel", "opencv")
    ]
    behind = [k for k, (_, ratio) in enumerate(ratios) if ratio < 1]
    if not behind or behind[0] == 0:
        return
    (low, above), (high, below) = ratios[behind[0] - 1], ratios[behind[0]]
    part = np.log(above) / np.log(above / below)
    density = low * (high / low) ** part
    checked = all(one.checked for each in rows.values() for one in each)
    yield row(f"{variant} break-even", "density, %", 100 * PAPERS, "opencv", 100 * density, checked)


def _by_hand(kernel: Any, stored: sa.Array, square: Any) -> Peer:
    ptr, idx, val = (buffer.copy() for buffer in buffers(stored))
    args = (ptr, idx, val, stored.shape, *buffers(stored), square.ravel(), SIDE)
    return Peer(
        partial(kernel, *args), lambda: [sp.csr_array((val, idx, ptr), stored.shape).toarray()]
    )
