"""The figures of the paper's evaluation, drawn from rows."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import inf
from pathlib import Path
from typing import Any, Final

import numpy as np

from benchmarks.barplots import bars
from benchmarks.boxplots import graphs, products
from benchmarks.drawing import INK, PEERS, colour_of, label_of, saved
from benchmarks.report import Row
from benchmarks.ways import break_even, case_of, density_of


def draw(rows: Mapping[str, Sequence[Row]], folder: Path, kind: str = "svg") -> list[Path]:
    """
    Draw a figure for each experiment that has rows; return the files.

    Parameters
    ----------
    rows : mapping of str to sequence of Row
        The rows of each experiment.
    folder : Path
        Where the figures go.
    kind : str
        What matplotlib is to write: "svg", "png", "pdf".

    Raises
    ------
    ImportError
        If matplotlib is not installed; ``pip install "structarr[plot]"`` brings it.
    """
    folder.mkdir(parents=True, exist_ok=True)
    drawn = []
    for name, picture in FIGURES.items():
        if rows.get(name):
            drawn.append(folder / f"{name}.{kind}")
            with saved(drawn[-1]) as pyplot:
                picture(pyplot, rows[name])
    return drawn


def curves(plt: Any, rows: Sequence[Row]) -> None:
    """Time against density: ours beside the libraries, and where they meet."""
    _, axis = plt.subplots(figsize=(6.4, 4.2), layout="constrained")
    lines: dict[tuple[str, str], dict[float, float]] = {}
    for row in rows:
        case = case_of("convolution", row.case)
        if (density := density_of(case.group)) is None:
            continue
        lines.setdefault((case.way, row.variant), {})[density] = row.seconds
        if not row.peer.startswith("hand"):
            lines.setdefault((row.peer, "peer"), {})[density] = row.peer_seconds
    ends = {}
    for (name, variant), points in lines.items():
        peer, whole = variant == "peer", variant == "whole call"
        colour = PEERS if peer else colour_of(name)
        x, y = np.transpose(sorted(points.items()))
        axis.loglog(
            x, 1e3 * y, color=colour, linewidth=1.2 if whole else 1.8, marker="o", markersize=3.5,
            linestyle=":" if whole else "-",
        )  # fmt: skip
        if not whole:
            ends[name] = (float(x[-1]), 1e3 * float(y[-1]))
    _names(axis, ends)
    _meeting(axis, rows)
    axis.set(xlabel="elements stored, %", ylabel="milliseconds")
    axis.set_title("masked 11 x 11 convolution; dotted: the whole call")
    axis.xaxis.set_major_formatter(lambda value, _: f"{value:g}")
    axis.yaxis.set_major_formatter(lambda value, _: f"{value:g}")
    axis.grid(True, which="major", linewidth=0.5, color="#e6e6e6")
    axis.margins(x=0.12)


def _names(axis: Any, ends: Mapping[str, tuple[float, float]]) -> None:
    """Name the curves where they end, those above first; a name gives way to the one above it."""
    room = inf
    for name, (x, y) in sorted(ends.items(), key=lambda item: -item[1][1]):
        room = min(y, room / 1.45)
        axis.annotate(
            label_of(name), (x, room), xytext=(7, 0), textcoords="offset points", va="center",
            color=colour_of(name),
        )  # fmt: skip


def _meeting(axis: Any, rows: Sequence[Row]) -> None:
    """Say where OpenCV becomes faster than the paper's program."""
    points = {}
    for row in rows:
        case = case_of("convolution", row.case)
        density = density_of(case.group)
        if (row.peer, row.variant, case.way) == ("opencv", "kernel", "masked") and density:
            points[density] = row
    density = break_even((density, row.ratio) for density, row in points.items())
    if density is None:
        return
    x = np.log(sorted(points))
    y = np.log([points[value].peer_seconds for value in sorted(points)])
    at = 1e3 * float(np.exp(np.interp(np.log(density), x, y)))
    axis.plot(density, at, marker="o", markersize=8, markerfacecolor="none", color=INK)
    axis.annotate(
        f"as fast at {density:.2g}%", (density, at), xytext=(-4, 12), textcoords="offset points",
        ha="right", color=INK,
    )  # fmt: skip


FIGURES: Final[Mapping[str, Callable[[Any, Sequence[Row]], None]]] = {
    "spmspv": products,
    "triangles": graphs,
    "convolution": curves,
    "alpha": bars("alpha"),
    "similarity": bars("similarity"),
}
