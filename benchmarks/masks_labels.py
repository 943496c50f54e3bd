"""Maps of labels: components, properties, boundaries, overlaps, new labels and distances."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import scipy.ndimage as ndi

from benchmarks.masks_race import Call, Case, close, equal
from benchmarks.peers import library, opencv
from structarr import ndimage

PROPERTIES = ("area", "bbox", "centroid")


def cases(name: str, labels: Any) -> Iterator[Case]:
    """Yield what is measured of a map of labels."""
    moved = np.roll(labels, 3, axis=0)
    yield _components(f"components, {name}", labels)
    yield _properties(f"area, box, centroid, {name}", labels)
    yield _boxes(f"boxes, {name}", labels)
    if labels.ndim == 2:
        yield _perimeters(f"perimeters, {name}", labels)
    yield _boundaries(f"boundaries, {name}", labels)
    yield _overlaps(f"overlaps, {name}", labels, moved)
    yield _new_labels(f"new labels, {name}", labels)
    yield _distances(f"distances, {name}", labels)
    yield euclidean(f"euclidean distances, {name}", labels, False)


def _components(name: str, labels: Any) -> Case:
    near = {2: 4, 3: 6}[labels.ndim]
    peers: dict[str, Call] = {}
    if cc3d := library("cc3d", "masks"):
        peers["cc3d"] = lambda x: cc3d.connected_components(x, connectivity=near)
    if measure := library("skimage.measure", "masks"):
        peers["skimage"] = lambda x: measure.label(x, connectivity=1)
    return Case(name, (labels,), lambda a: ndimage.label(a, by_value=True)[0], peers, equal)


def _properties(name: str, labels: Any) -> Case:
    def theirs_of_cc3d(x: Any) -> Any:
        found = cc3d.statistics(x)
        kept = found["voxel_counts"] > 0
        kept[0] = False
        return found["voxel_counts"][kept], found["centroids"][kept]

    def theirs_of_skimage(x: Any) -> Any:
        found = measure.regionprops_table(x, properties=PROPERTIES)
        middles = [found[f"centroid-{axis}"] for axis in range(x.ndim)]
        return found["area"], np.stack(middles, axis=1)

    def theirs_of_opencv(x: Any) -> Any:
        moments = [cv2.moments((x == one).astype(np.uint8), True) for one in np.unique(x)[1:]]
        area = np.array([one["m00"] for one in moments])
        middles = np.array([[one["m01"], one["m10"]] for one in moments])
        return area, middles / area[:, None]

    def theirs_of_scipy(x: Any) -> Any:
        there = np.flatnonzero(np.bincount(x.reshape(-1)))[1:]
        ndi.find_objects(x)
        inside = np.ones(x.shape, np.uint8)
        return ndi.sum_labels(inside, x, there), np.array(ndi.center_of_mass(inside, x, there))

    def same(ours: Any, theirs: Any) -> bool:
        area, middle = theirs
        return np.array_equal(ours["area"], area) and np.allclose(ours["centroid"], middle)

    peers: dict[str, Call] = {"scipy": theirs_of_scipy}
    if cc3d := library("cc3d", "masks"):
        peers["cc3d"] = theirs_of_cc3d
    if measure := library("skimage.measure", "masks"):
        peers["skimage"] = theirs_of_skimage
    if labels.ndim == 2 and labels.max() < 200 and (cv2 := opencv()):
        peers["opencv"] = theirs_of_opencv
    ours = lambda a: ndimage.regions(a, properties=PROPERTIES)  # noqa: E731
    return Case(name, (labels,), ours, peers, same)


def _boxes(name: str, labels: Any) -> Case:
    """The case of bounding boxes, which SciPy and cc3d give as slices, empty where no label is."""

    def of_slices(found: Any) -> Any:
        starts = [[axis.start for axis in one] for one in found]
        return np.hstack([starts, [[axis.stop for axis in one] for one in found]])

    def theirs_of_cc3d(x: Any) -> Any:
        found = cc3d.statistics(x)
        kept = np.flatnonzero(found["voxel_counts"] > 0)
        return of_slices([found["bounding_boxes"][k] for k in kept if k])

    def theirs_of_skimage(x: Any) -> Any:
        found = measure.regionprops_table(x, properties=("bbox",))
        return np.stack([found[f"bbox-{k}"] for k in range(2 * x.ndim)], axis=1)

    def theirs_of_scipy(x: Any) -> Any:
        return of_slices([one for one in ndi.find_objects(x) if one is not None])

    def same(ours: Any, theirs: Any) -> bool:
        return np.array_equal(ours["bbox"], theirs)

    peers: dict[str, Call] = {"scipy": theirs_of_scipy}
    if cc3d := library("cc3d", "masks"):
        peers["cc3d"] = theirs_of_cc3d
    if measure := library("skimage.measure", "masks"):
        peers["skimage"] = theirs_of_skimage
    ours = lambda a: ndimage.regions(a, properties="bbox")  # noqa: E731
    return Case(name, (labels,), ours, peers, same)


def _perimeters(name: str, labels: Any) -> Case:
    peers: dict[str, Call] = {}
    if measure := library("skimage.measure", "masks"):
        peers["skimage"] = lambda x: measure.regionprops_table(x, properties=["perimeter"])
    ours = lambda a: ndimage.regions(a, properties=["perimeter"])  # noqa: E731
    return Case(name, (labels,), ours, peers, _same_perimeters)


def _same_perimeters(ours: Any, theirs: Any) -> bool:
    return np.allclose(ours["perimeter"], theirs["perimeter"])


def _boundaries(name: str, labels: Any) -> Case:
    peers: dict[str, Call] = {}
    if segmentation := library("skimage.segmentation", "masks"):
        peers["skimage"] = lambda x: segmentation.find_boundaries(x, connectivity=1)
    return Case(name, (labels,), lambda a: ndimage.find_boundaries(a).compute(), peers, equal)


def _overlaps(name: str, labels: Any, others: Any) -> Case:
    def same(ours: Any, theirs: Any) -> bool:
        return np.array_equal(ours.todense(), theirs)

    def counted(x: Any, y: Any) -> Any:
        shape = (int(x.max()) + 1, int(y.max()) + 1)
        keys = x.astype(np.int64) * shape[1] + y
        return np.bincount(keys.reshape(-1), minlength=shape[0] * shape[1]).reshape(shape)

    peers: dict[str, Call] = {"numpy": counted}
    if metrics := library("skimage.metrics", "masks"):
        peers["skimage"] = lambda x, y: metrics.contingency_table(x, y).toarray()
    return Case(name, (labels, others), ndimage.contingency_table, peers, same)


def _new_labels(name: str, labels: Any) -> Case:
    peers: dict[str, Call] = {}
    if segmentation := library("skimage.segmentation", "masks"):
        peers["skimage"] = lambda x: segmentation.relabel_sequential(x)[0]
    return Case(name, (labels,), lambda a: ndimage.relabel(a)[0], peers, equal)


def _distances(name: str, labels: Any) -> Case:
    peers: dict[str, Call] = {"scipy": lambda x: ndi.distance_transform_cdt(x, "taxicab")}
    ours = lambda a: ndimage.distance_transform_cdt(a, "taxicab")  # noqa: E731
    return Case(name, (labels,), ours, peers, equal)


def euclidean(name: str, image: Any, is_truth: bool) -> Case:
    """The case of Euclidean distances, which OpenCV gives in single precision, of planes."""
    peers: dict[str, Call] = {"scipy": ndi.distance_transform_edt}
    if image.ndim == 2 and (cv2 := opencv()):

        def theirs(x: Any) -> Any:
            inside = x if x.dtype == np.uint8 else (x != 0).view(np.uint8)
            return cv2.distanceTransform(inside, cv2.DIST_L2, cv2.DIST_MASK_PRECISE)

        peers["opencv"] = theirs
    return Case(name, (image,), ndimage.distance_transform_edt, peers, close, is_truth)
