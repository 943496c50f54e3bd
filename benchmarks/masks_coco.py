"""Batches of masks in COCO's code: ours beside pycocotools, on the same code."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Final

import numpy as np

from benchmarks.everyday_timing import Contender, race, warmed
from benchmarks.masks_memory import peak
from benchmarks.peers import library
from benchmarks.report import Row, row
from structarr import masks

HEIGHT: Final = 480
WIDTH: Final = 640


def ellipses(count: int, seed: int) -> Any:
    """Return masks of the size of COCO's images, an ellipse each, of shape (h, w, count)."""
    rng = np.random.default_rng(seed)
    y, x = np.mgrid[:HEIGHT, :WIDTH]
    found = np.zeros((HEIGHT, WIDTH, count), np.uint8, order="F")
    for k in range(count):
        (row, column), (tall, wide) = rng.random(2) * (HEIGHT, WIDTH), rng.uniform(5, 120, 2)
        found[:, :, k] = ((y - row) / tall) ** 2 + ((x - column) / wide) ** 2 < 1
    return found


def rows(count: int, seconds: float) -> Iterator[Row]:
    """Yield rows of each operation on `count` masks, and on all pairs with as many others."""
    coco = library("pycocotools.mask", "masks")
    if coco is None:
        return
    pixels, others = ellipses(count, 1), ellipses(count, 2)
    code, other = coco.encode(pixels), coco.encode(others)
    batch, second = masks.from_rle(code), masks.from_rle(other)
    crowd = [0] * count
    every: dict[str, tuple[Callable[[], Any], Callable[[], Any]]] = {
        "decode": (lambda: masks.from_rle(code), lambda: coco.decode(code)),
        "encode": (lambda: masks.to_rle(batch), lambda: coco.encode(pixels)),
        "area": (lambda: masks.area(batch), lambda: coco.area(code)),
        "bbox": (lambda: masks.bbox(batch), lambda: coco.toBbox(code)),
        "iou": (lambda: masks.iou(batch, second), lambda: coco.iou(code, other, crowd)),
        "merge": (
            lambda: masks.to_rle(masks.merge(batch)),
            lambda: [coco.merge(code)],
        ),
    }
    for name, (ours, theirs) in every.items():
        mine, peer = (Contender(call, tuple) for call in (ours, theirs))
        checked = _same(warmed(mine), warmed(peer))
        times = race({"ours": mine, "peer": peer}, seconds)
        case = f"coco {name}, {count} masks"
        yield row(case, "runs", times["ours"], "pycocotools", times["peer"], checked)
        if name == "iou":
            pairs = count * count
            yield row(
                f"{case}, a pair", "runs", times["ours"] / pairs, "pycocotools",
                times["peer"] / pairs, checked,
            )  # fmt: skip
        yield row(case, "bytes peak", peak(mine), "pycocotools", peak(peer), checked)


def _same(ours: Any, theirs: Any) -> bool:
    """Whether results are equal; decoded masks of pycocotools have their batch last."""
    if isinstance(ours, list):
        return bool(ours == theirs)
    if np.ndim(theirs) == 3:
        theirs = np.moveaxis(theirs, -1, 0)
    return bool(np.array_equal(np.asarray(ours), theirs))
