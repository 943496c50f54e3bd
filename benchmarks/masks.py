"""Images, masks and maps of labels as runs, beside libraries that compute on pixels."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from statistics import geometric_mean
from typing import Any

import numpy as np
from scipy.ndimage import label

from benchmarks import masks_coco, masks_labels, masks_scans
from benchmarks.masks_race import compared
from benchmarks.peers import file
from benchmarks.report import Row

SECONDS = 0.3  # for each case


def run(data: Path, quick: bool) -> Iterator[Row]:
    """Yield the rows of masks, pages and maps of labels."""
    seconds = SECONDS / 10 if quick else SECONDS
    yield from masks_coco.rows(20 if quick else 200, seconds)
    for name, page in _pages(data, quick):
        for case in masks_scans.cases(name, page, quick):
            yield from compared(case, seconds)
    for name, labels in _maps(data, quick):
        for case in masks_labels.cases(name, labels):
            yield from compared(case, seconds)


def summary(rows: Iterable[Row]) -> str:
    """The geometric mean over the fastest peer of each case, for each family of cases."""
    fastest: dict[tuple[str, str], float] = {}
    for row in rows:
        key = (row.case, row.variant)
        fastest[key] = min(fastest.get(key, row.ratio), row.ratio)
    families: dict[tuple[str, str], list[float]] = {}
    for (case, variant), ratio in fastest.items():
        families.setdefault((case.split(",")[0].split(" ")[0], variant), []).append(ratio)
    lines = [
        f"{family:14} {variant:12} {geometric_mean(ratios):8.2f} over the best peer, {len(ratios)}"
        for (family, variant), ratios in sorted(families.items())
    ]
    return "\n".join(lines)


def _pages(data: Path, quick: bool) -> Iterator[tuple[str, Any]]:
    """Scans, of which 1 is ink; drawings, of which white is paper."""
    path = file(data / "images" / "bilevel_scans.npz")
    if path is not None:
        with np.load(path) as held:
            for name in held.files[2:3] if quick else held.files:
                yield name, held[name] == 1
    path = file(data / "images" / "humansketches_1111.npz")
    if path is not None:
        with np.load(path) as held:
            yield "sketch", held["images"][1] < 128


def _maps(data: Path, quick: bool) -> Iterator[tuple[str, Any]]:
    """Labels of a volume and of a slice of it; else regions between the lines of a drawing."""
    path = file(data / "other" / "allen_atlas_labels.npz")
    if path is not None:
        with np.load(path) as held:
            volume = held["labels"]
        yield "atlas slice", np.ascontiguousarray(volume[:, 120, :])
        yield "atlas", np.ascontiguousarray(volume[:, ::8, :]) if quick else volume
    path = file(data / "images" / "humansketches_1111.npz")
    if path is not None:
        with np.load(path) as held:
            drawing = held["images"][1] < 128
        yield "sketch regions", label(~drawing)[0].astype(np.uint16)
