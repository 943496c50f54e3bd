"""Blending images into an image of the same structure: runs, lists that leave paper out, stacks."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from itertools import pairwise
from math import prod
from pathlib import Path
from typing import Any, Final

import numpy as np
import scipy.sparse as sp

import structarr as sa
from benchmarks import handwritten_blends as by_hand
from benchmarks.peers import file, opencv
from benchmarks.programs import Peer, buffers, compared, together, written
from benchmarks.report import Row

Pair = tuple[Any, Any]

ALPHA, BETA = 0.3, 0.7
NAMES: Final = ("omniglot", "humansketches_1111", "humansketches_150", "mnist", "quickdraw28")
IMAGES: Final = 11  # of each collection; each is blended with the next
FORMATS: Final = ("rle", "list", "dense", "auto")


def run(data: Path, quick: bool) -> Iterator[Row]:
    """Yield the rows of all collections of images."""
    seconds = 0.2 if quick else 1.0
    for name in NAMES[:1] if quick else NAMES:
        if (path := file(data / "images" / f"{name}.npz")) is not None:
            with np.load(path) as stored:
                images = stored["images"]
            yield from blended(name, list(pairwise(images[:IMAGES])), seconds)
            if name == "omniglot" and not quick:
                half = len(images) // 2
                stacks = images[:half], images[half : 2 * half]
                yield from blended(f"{name} stack", [stacks], seconds)
    if not quick and (path := file(data / "images" / "bilevel_scans.npz")) is not None:
        with np.load(path) as stored:
            pages = {name: 255 * page for name, page in stored.items()}
        for name, page in pages.items():
            mirrored = np.ascontiguousarray(page[:, ::-1])
            case = f"scan {name[:12]}"
            yield from blended(case, [(page, mirrored)], seconds, (*FORMATS, "packbits"))


def blended(
    name: str, pairs: Sequence[Pair], seconds: float, formats: Sequence[str] = FORMATS
) -> Iterator[Row]:
    """Yield the rows of some pairs of images, in some formats; a call blends all of them."""
    at = ", ".join("hij"[-pairs[0][0].ndim :])
    program = f"A[{at}] = uint8(rint(alpha * B[{at}] + beta * C[{at}]))"
    libraries = dict(_libraries(pairs))
    for format in formats:
        stored = [(_stored(b, format), _stored(c, format)) for b, c in pairs]
        jobs = [{"B": b, "C": c, "alpha": ALPHA, "beta": BETA} for b, c in stored]
        peers: Mapping[str, Peer] = libraries
        if format in BY_HAND:
            peers = {
                name: _together([make(*pair) for pair in stored])
                for name, make in BY_HAND[format].items()
            } | libraries
        yield from compared(f"{format} {name}", program, jobs, peers, seconds)
    for format in ("auto", "rle"):
        makes = [partial(_blend, *(_stored(one, format) for one in pair)) for pair in pairs]
        yield from written(f"picked {format} {name}", makes, libraries, seconds)


def _stored(image: Any, format: str) -> sa.Array:
    """An image; a format that leaves something out leaves out what is most common: paper."""
    if format not in ("list", "auto"):
        return sa.asarray(image, format=format)
    paper = np.bincount(image.ravel()).argmax()
    return sa.asarray(image, format=format, fill_value=paper)


def _blend(b: Any, c: Any) -> Any:
    return np.rint(ALPHA * b + BETA * c).astype(np.uint8)


def _libraries(pairs: Sequence[Pair]) -> Iterator[tuple[str, Peer]]:
    yield "numpy", _each(_blend, pairs)
    if (cv2 := opencv()) is not None:
        # OpenCV does not round as NumPy does.
        yield "opencv", _each(lambda b, c: cv2.addWeighted(b, ALPHA, c, BETA, 0.0), pairs, 1.0)


def _each(function: Callable[..., Any], pairs: Sequence[Pair], within: float = 0.0) -> Peer:
    calls = [partial(function, b, c) for b, c in pairs]
    return Peer(together(calls), lambda: [call() for call in calls], within)


def _together(peers: Sequence[Peer]) -> Peer:
    """The jobs of some peers of one job each."""
    return Peer(
        together([peer.call for peer in peers]),
        lambda: [result for peer in peers for result in peer.results()],
    )


# ------------------------------------------------------------------- by hand


def _runs(kernel: Any, b: sa.Array, c: sa.Array) -> Peer:
    out, call = _written(kernel, b, c)
    ptr, stop, val = out

    def row(i: int) -> Any:
        part = slice(ptr[i], ptr[i + 1])
        return np.repeat(val[part], np.diff(stop[part], prepend=0))

    return Peer(call, lambda: [_image([row(i) for i in range(len(ptr) - 1)], b)])


def _lists(b: sa.Array, c: sa.Array) -> Peer:
    fills = float(b.fill_value), float(c.fill_value)
    (ptr, idx, val), call = _written(by_hand.lists, b, c, *fills)
    paper = _blend(*map(np.float64, fills))

    def image() -> Any:
        # Explicit zeros are pixels as any others.
        shape, size = (len(ptr) - 1, b.shape[-1]), ptr[-1]
        dense = np.full(shape, paper)
        csr = sp.csr_array((np.ones(size), idx[:size], ptr), shape)
        dense[csr.nonzero()] = val[:size]
        return dense.reshape(b.shape)

    return Peer(call, lambda: [image()])


def _dense(b: sa.Array, c: sa.Array) -> Peer:
    out = np.empty(b.shape, np.uint8)
    parts = [buffer for one in (b, c) for buffer in buffers(one)]
    call = partial(by_hand.dense, out.reshape(-1), *_extents(b), ALPHA, BETA, *parts)
    return Peer(call, lambda: [out])


def _written(kernel: Any, b: sa.Array, c: sa.Array, *more: float) -> tuple[Any, Callable[[], Any]]:
    """The buffers of a result, larger than both images' by one, and the call that fills them."""
    first, second = buffers(b), buffers(c)
    out = tuple(np.zeros(x.size + y.size + 1, x.dtype) for x, y in zip(first, second, strict=True))
    out = (np.zeros_like(first[0]), *out[1:])
    return out, partial(kernel, *out, *_extents(b), ALPHA, BETA, *first, *second, *more)


def _extents(image: sa.Array) -> tuple[int, int]:
    return prod(image.shape[:-1]), image.shape[-1]


def _image(rows: Sequence[Any], like: sa.Array) -> Any:
    return np.stack(rows).reshape(like.shape)


BY_HAND: Final[Mapping[str, Mapping[str, Callable[[sa.Array, sa.Array], Peer]]]] = {
    "rle": {
        "handwritten": partial(_runs, by_hand.runs),
        "hand, branchless": partial(_runs, by_hand.runs_stepped),
    },
    "list": {"handwritten": _lists},
    "dense": {"handwritten": _dense},
}
