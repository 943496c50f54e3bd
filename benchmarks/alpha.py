"""Blending images of runs into an image of runs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import Any, Final

import numpy as np

import structarr as sa
from benchmarks.handwritten_programs import blend
from benchmarks.peers import file, opencv
from benchmarks.programs import Peer, buffers, compared, together
from benchmarks.report import Row

PROGRAM = "A[i, j] = uint8(rint(alpha * B[i, j] + beta * C[i, j]))"
ALPHA, BETA = 0.3, 0.7
NAMES: Final = ("omniglot", "humansketches_1111", "humansketches_150", "mnist", "quickdraw28")
IMAGES = 11  # of each collection; each is blended with the next


def run(data: Path, quick: bool) -> Iterator[Row]:
    """Yield the rows of all collections of images."""
    for name in NAMES[:1] if quick else NAMES:
        if (path := file(data / "images" / f"{name}.npz")) is not None:
            images = np.load(path)["images"][:IMAGES]
            yield from blended(name, images, 0.2 if quick else 1.0)


def blended(name: str, images: Sequence[Any], seconds: float) -> Iterator[Row]:
    """Yield the rows of some images; a call blends each with the next."""
    runs = [sa.asarray(image, format="rle") for image in images]
    jobs = [{"B": b, "C": c, "alpha": ALPHA, "beta": BETA} for b, c in pairwise(runs)]
    pairs = list(pairwise(images))
    peers = {"handwritten": _by_hand(runs), "numpy": _dense(_blend, pairs)}
    if (cv2 := opencv()) is not None:
        # OpenCV does not round as NumPy does.
        weighted = partial(cv2.addWeighted, alpha=ALPHA, beta=BETA, gamma=0.0)
        peers["opencv"] = _dense(lambda b, c: weighted(src1=b, src2=c), pairs, within=1)
    yield from compared(name, PROGRAM, jobs, peers, seconds)


def _blend(b: Any, c: Any) -> Any:
    return np.rint(ALPHA * b + BETA * c).astype(np.uint8)


def _dense(function: Any, pairs: Sequence[tuple[Any, Any]], within: float = 0.0) -> Peer:
    call = together([partial(function, b, c) for b, c in pairs])
    return Peer(call, lambda: [function(b, c) for b, c in pairs], within)


def _by_hand(runs: Sequence[sa.Array]) -> Peer:
    calls, outs = [], []
    for b, c in pairwise(runs):
        first, second = buffers(b), buffers(c)
        out = tuple(np.zeros(x.size + y.size, x.dtype) for x, y in zip(first, second, strict=True))
        calls.append(partial(blend, *out, *b.shape, ALPHA, BETA, *first, *second))
        outs.append((out, b.shape))
    return Peer(together(calls), lambda: [_unpacked(out, shape) for out, shape in outs])


def _unpacked(runs: tuple[Any, ...], shape: tuple[int, ...]) -> Any:
    ptr, stop, val = runs
    image = np.empty(shape, val.dtype)
    for i in range(shape[0]):
        ends = stop[ptr[i] : ptr[i + 1]]
        image[i] = np.repeat(val[ptr[i] : ptr[i + 1]], np.diff(ends, prepend=0))
    return image
