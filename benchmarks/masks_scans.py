"""Scanned pages: components, morphology, holes, specks and profiles."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any, Final

import numpy as np
import scipy.ndimage as ndi

from benchmarks.masks_labels import euclidean
from benchmarks.masks_race import Call, Case, alike, equal
from benchmarks.peers import library, opencv
from structarr import ndimage

SIZES: Final = ((3, 3), (1, 25), (25, 1), (51, 51))
OPERATIONS: Final = ("erosion", "dilation", "opening", "closing")


def cases(name: str, page: Any, quick: bool) -> Iterator[Case]:
    """Yield what is measured of a page, of which what is True is ink."""
    ink = (page.astype(np.uint8),)
    yield _components(f"components, {name}", ink)
    for size in SIZES[-1:] if quick else SIZES:
        for operation in OPERATIONS[:1] if quick else OPERATIONS:
            yield _morphology(f"{operation} {size[0]}x{size[1]}, {name}", ink, operation, size)
    yield _holes(f"holes, {name}", ink)
    yield _specks(f"specks, {name}", ink)
    yield _profiles(f"profiles, {name}", ink)
    yield euclidean(f"euclidean distances, {name}", ink[0], True)


def _components(name: str, ink: tuple[Any]) -> Case:
    peers: dict[str, Call] = {"scipy": lambda x: ndi.label(x, np.ones((3, 3)))[0]}
    if cv2 := opencv():
        peers["opencv"] = lambda x: cv2.connectedComponents(x, connectivity=8)[1]
    if cc3d := library("cc3d", "masks"):
        peers["cc3d"] = lambda x: cc3d.connected_components(x, connectivity=8)
    if measure := library("skimage.measure", "masks"):
        peers["skimage"] = lambda x: measure.label(x, connectivity=2)
    return Case(name, ink, lambda a: ndimage.label(a, connectivity=2)[0], peers, alike, True)


def _morphology(name: str, ink: tuple[Any], operation: str, size: tuple[int, int]) -> Case:
    ours = getattr(ndimage, f"binary_{operation}")
    box = np.ones(size, np.uint8)
    peers: dict[str, Call] = {}
    if size[0] * size[1] < 10:  # of larger boxes it takes seconds
        peers["scipy"] = partial(getattr(ndi, f"binary_{operation}"), structure=box)
    if cv2 := opencv():
        codes = (cv2.MORPH_ERODE, cv2.MORPH_DILATE, cv2.MORPH_OPEN, cv2.MORPH_CLOSE)
        code = dict(zip(OPERATIONS, codes, strict=True))[operation]
        border = {"borderType": cv2.BORDER_CONSTANT, "borderValue": 0}
        peers["opencv"] = lambda x: cv2.morphologyEx(x, code, box, **border)
    return Case(name, ink, lambda a: ours(a, size=size).compute(), peers, equal, True)


def _holes(name: str, ink: tuple[Any]) -> Case:
    peers: dict[str, Call] = {"scipy": ndi.binary_fill_holes}
    if cv2 := opencv():

        def flooded(x: Any) -> Any:
            outside = np.pad(x, 1)
            cv2.floodFill(outside, None, (0, 0), 2)
            return outside[1:-1, 1:-1] != 2

        peers["opencv"] = flooded
    return Case(name, ink, lambda a: ndimage.binary_fill_holes(a).compute(), peers, equal, True)


def _specks(name: str, ink: tuple[Any]) -> Case:
    peers: dict[str, Call] = {}
    if cv2 := opencv():

        def kept(x: Any) -> Any:
            _, labels, stats, _ = cv2.connectedComponentsWithStats(x, connectivity=4)
            large = stats[:, cv2.CC_STAT_AREA] > 20
            large[0] = False
            return large[labels]

        peers["opencv"] = kept
    if morphology := library("skimage.morphology", "masks"):
        peers["skimage"] = lambda x: morphology.remove_small_objects(x != 0, max_size=20)
    if cc3d := library("cc3d", "masks"):
        peers["cc3d"] = lambda x: cc3d.dust(x, threshold=21, connectivity=4) != 0
    ours = lambda a: ndimage.remove_small_objects(a, 20)  # noqa: E731
    return Case(name, ink, ours, peers, equal, True)


def _profiles(name: str, ink: tuple[Any]) -> Case:
    def ours(a: Any) -> Any:
        return np.concatenate([np.asarray(a.sum(axis=axis)) for axis in (0, 1)])

    def theirs(x: Any) -> Any:
        return np.concatenate([x.sum(axis=axis, dtype=np.int64) for axis in (0, 1)])

    peers: dict[str, Call] = {"numpy": theirs}
    if cv2 := opencv():
        peers["opencv"] = lambda x: np.concatenate(
            [cv2.reduce(x, k, cv2.REDUCE_SUM, dtype=cv2.CV_32S).reshape(-1) for k in (0, 1)]
        )
    return Case(name, ink, ours, peers, equal, True)
