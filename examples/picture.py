"""The picture of the main job: inputs, structure and result, a row for each expression."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import matplotlib

matplotlib.use("Agg")

import matplotlib.pyplot as plt
import numpy as np
from job import Job

INK, ACCENT, SOFT = "#1b3a57", "#d1495b", "#8fb8de"


def draw(jobs: Sequence[Job], path: Path) -> Path:
    """Draw the jobs (walking, galloping, tapering, blending) and return where the picture is."""
    walking, _, tapering, blending = jobs
    figure, axes = plt.subplots(3, 4, figsize=(15, 11.5), constrained_layout=True)
    _vector_row(axes[0], walking)
    _taper_row(axes[1], tapering)
    _blend_row(axes[2], blending)
    for panel in axes.flat:
        panel.tick_params(labelsize=7)
        panel.spines[["top", "right"]].set_visible(False)
    path.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(path, dpi=110)
    plt.close(figure)
    return path


def _vector_row(axes: Any, job: Job) -> None:
    a, x = job.operands["a"], job.operands["x"]
    matrix = a.to_scipy()
    _spots(axes[0], matrix, f"a: {a.format}, {a.nstored:,} stored")
    dense = x.todense()
    _bars(axes[1], np.flatnonzero(dense), dense, f"x: {x.format}, {x.nstored} stored")
    _meetings(axes[2], matrix, np.flatnonzero(dense))
    y = job.result.todense()
    axes[3].plot(y, color=INK, linewidth=0.7)
    _title(axes[3], f"a @ x: {job.result.format}")


def _meetings(panel: Any, matrix: Any, places: Any) -> None:
    """Show one row's stored columns above those of the vector, and where they meet."""
    counts = [len(np.intersect1d(_row(matrix, i), places)) for i in range(matrix.shape[0])]
    best = int(np.argmax(counts))
    row = _row(matrix, best)
    low, high = row[0] - 40, row[-1] + 40
    inside = places[(places >= low) & (places <= high)]
    both = np.intersect1d(row, inside)
    panel.vlines(both, 0.55, 1.95, color=ACCENT, linewidth=1.4)
    panel.plot(row, np.full(len(row), 2.0), "|", color=INK, markersize=16)
    panel.plot(inside, np.full(len(inside), 0.5), "|", color=INK, markersize=16)
    panel.set(xlim=(low, high), ylim=(0, 2.5), xlabel="column")
    panel.set_yticks([0.5, 2.0], ["x", f"a[{best}]"])
    _title(panel, "structure: two lists meet")


def _taper_row(axes: Any, job: Job) -> None:
    a, t = job.operands["a"], job.operands["t"]
    _spots(axes[0], a.to_scipy(), f"a: {a.format}, {a.nstored:,} stored")
    axes[1].imshow(t.todense(), cmap="Blues", interpolation="antialiased")
    _title(axes[1], f"t: {t.format}, {t.nstored:,} stored")
    _windows(axes[2], a.to_scipy(), t.todense(), t.shape[0])
    _spots(axes[3], job.result.to_scipy(), _outcome("a * t", job.result))


def _windows(panel: Any, matrix: Any, taper: Any, n: int) -> None:
    """Show of some rows what is stored, and the band that is all that is looked at."""
    for place, i in enumerate(np.linspace(0, n - 1, 14).astype(int)):
        band = np.flatnonzero(taper[i])
        panel.barh(place, band[-1] - band[0] + 1, left=band[0], color=SOFT, height=0.8)
        row = _row(matrix, i)
        inside = (row >= band[0]) & (row <= band[-1])
        panel.plot(row[inside], np.full(inside.sum(), place), "|", color=ACCENT, markersize=9)
        panel.plot(row[~inside], np.full((~inside).sum(), place), "|", color=INK, markersize=9)
    panel.set(xlim=(0, n), xlabel="column", ylabel="some rows", yticks=[])
    panel.invert_yaxis()
    _title(panel, "structure: red is met in the band, blue is skipped")


def _blend_row(axes: Any, job: Job) -> None:
    b, c = job.operands["b"], job.operands["c"]
    images = {"b": b.todense(), "c": c.todense(), "blend": job.result.todense()}
    for panel, name, array in (
        (axes[0], "b", b),
        (axes[1], "c", c),
        (axes[3], "blend", job.result),
    ):
        panel.imshow(images[name], cmap="gray", vmin=0, vmax=255, interpolation="antialiased")
        _title(panel, _outcome(name, array))
    _runs(axes[2], images)


def _runs(panel: Any, images: dict[str, Any]) -> None:
    """Show the runs of one row, with a mark where one ends and the next begins."""
    ends = [np.count_nonzero(np.diff(row.astype(int))) for row in images["blend"]]
    row = int(np.argsort(ends)[len(ends) * 9 // 10])
    strips = np.stack([image[row] for image in images.values()])
    panel.imshow(strips, cmap="gray", vmin=0, vmax=255, aspect="auto", interpolation="nearest")
    for place, strip in enumerate(strips):
        cuts = np.flatnonzero(np.diff(strip.astype(int))) + 0.5
        panel.vlines(cuts, place - 0.5, place - 0.3, color=ACCENT, linewidth=0.8)
        panel.axhline(place - 0.5, color="white", linewidth=3)
    panel.set_yticks(range(len(images)), list(images))
    panel.set_xlabel("column")
    _title(panel, f"structure: the runs of row {row}; red marks their ends")


def _spots(panel: Any, matrix: Any, title: str) -> None:
    """Show where a matrix stores something."""
    coo = matrix.tocoo()
    rows, columns = coo.coords
    panel.plot(columns, rows, ",", color=INK)
    panel.set(xlim=(0, matrix.shape[1]), ylim=(matrix.shape[0], 0), aspect="equal")
    _title(panel, title)


def _bars(panel: Any, places: Any, values: Any, title: str) -> None:
    panel.vlines(places, 0, values[places], color=INK, linewidth=1)
    panel.set(xlim=(0, len(values)), ylim=(0, 1.15 * values.max()), xlabel="index")
    _title(panel, title)


def _outcome(name: str, array: Any) -> str:
    dense = array.size * array.itemsize
    return f"{name}: {array.format}, {array.nbytes / dense:.1%} of dense"


def _row(matrix: Any, i: int) -> Any:
    return matrix.indices[matrix.indptr[i] : matrix.indptr[i + 1]]


def _title(panel: Any, text: str) -> None:
    panel.set_title(text, fontsize=9, color=INK)
