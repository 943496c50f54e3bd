"""The distances between all pairs of images, which are rows of pixels in several formats."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from math import gcd
from pathlib import Path
from typing import Any, Final

import numpy as np
from scipy.spatial.distance import cdist

import structarr as sa
from benchmarks import handwritten_images as by_hand
from benchmarks.peers import file, opencv
from benchmarks.programs import Peer, buffers, raced, values, written
from benchmarks.report import Row

NAMES: Final = ("mnist", "omniglot", "quickdraw28", "humansketches_150")
IMAGES: Final = 256
CACHE: Final = 1 << 18  # bytes
BY_HAND: Final[Mapping[str, Any]] = {
    "vbl": by_hand.blocks,
    "rle": by_hand.runs,
    "list": by_hand.lists,
    "dense": by_hand.dense,
}


@sa.kernel
def distances(A):  # type: ignore[no-untyped-def]
    """Return the distances between all rows: the paper's program, `o` being its `where`."""
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


def plain(a: Any) -> Any:
    """Return the same by a product of matrices, as one writes it for NumPy."""
    r = (a * a).sum(axis=1)
    return np.sqrt(r[:, None] + r - 2 * (a @ a.T))


def run(data: Path, quick: bool) -> Iterator[Row]:
    """Yield the rows of all collections of images."""
    for name in NAMES[:1] if quick else NAMES:
        if (path := file(data / "images" / f"{name}.npz")) is not None:
            with np.load(path) as stored:
                images = stored["images"][: 64 if quick else IMAGES]
            yield from pairs(name, images, 0.3 if quick else 3.0)


def pairs(name: str, images: Any, seconds: float) -> Iterator[Row]:
    """Yield the rows of some images in uint8, in every format."""
    rows = images.reshape(len(images), -1)
    background = np.bincount(rows.ravel()).argmax()
    # All images moved by the same image are as far from one another; now nothing is zero.
    ink = rows.astype(float) - background
    peers = dict(_libraries(rows, ink))
    for format, kernel in BY_HAND.items():
        a = sa.asarray(ink, format=format)
        hand = {"handwritten": _by_hand(kernel, len(a), *a.shape, *buffers(a)), **peers}
        yield from raced(f"{format} {name}", [partial(_distances, a)], hand, seconds)
    for format in ("auto", "vbl", "rle", "list"):
        a = sa.asarray(ink, format=format)
        yield from written(f"picked {format} {name}", [partial(plain, a)], peers, seconds)
    a = sa.asarray(rows.astype(float), format="list", fill_value=background)
    yield from written(f"picked fill {name}", [partial(plain, a)], peers, seconds)


def _distances(a: sa.Array) -> Any:
    with sa.options(tier="compiled"):
        return distances(a)


def _libraries(rows: Any, ink: Any) -> Iterator[tuple[str, Peer]]:
    yield "hand, uint8", _by_hand(by_hand.dense_bytes, len(rows), rows)
    yield "numpy", values(partial(plain, ink))
    yield "scipy", values(partial(cdist, ink, ink))
    if (cv2 := opencv()) is not None:
        yield "opencv", values(partial(_pairwise, cv2, rows))
        yield "opencv, no calls", _without_calls(cv2, rows)


def _pairwise(cv2: Any, rows: Any) -> list[list[float]]:
    """OpenCV, which has no distances of all pairs, called for each of them."""
    norm, kind, each = cv2.norm, cv2.NORM_L2, list(rows)
    return [[norm(a, b, kind) for b in each] for a in each]


def _without_calls(cv2: Any, rows: Any) -> Peer:
    """
    The same work, but that it takes next to no calls: an estimate.

    Pairs of several images at once fill the cache but not more, as often as there are pairs. What
    is left of calls is told by calls on images of one pixel.
    """
    images, pixels = rows.shape
    together = gcd(images, 1 << (max(1, CACHE // pixels).bit_length() - 1))
    stacks = rows.reshape(images // together, -1)
    return Peer(
        partial(_repeated, cv2, stacks, together),
        lambda: [_pairwise(cv2, rows)],
        overhead=partial(_repeated, cv2, stacks[:, :1].copy(), together),
    )


def _repeated(cv2: Any, rows: Any, times: int) -> None:
    for _ in range(times):
        _pairwise(cv2, rows)


def _by_hand(kernel: Any, images: int, *args: Any) -> Peer:
    out = np.empty((images, images))
    return Peer(partial(kernel, out, *args), lambda: [out])
