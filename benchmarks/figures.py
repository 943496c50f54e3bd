"""The figures of the paper's evaluation, drawn from rows: boxes, curves and bars of ratios."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from fnmatch import fnmatch
from math import ceil
from pathlib import Path
from typing import Any, Final

import numpy as np

from benchmarks.drawing import (
    AIM,
    BLOCKS,
    FINCH,
    INK,
    LOOKUPS,
    MERGES,
    PEERS,
    colour_of,
    is_peer,
    label_of,
    ratio_axis,
    saved,
    short,
)
from benchmarks.report import Row
from benchmarks.targets import TACO, TARGETS
from benchmarks.ways import break_even, case_of, geometric

Boxes = dict[str, list[float]]
Ratios = list[float]  # of a kernel alone and of its whole call, or of a library

APART: Final = ("lower",)  # ways that are beside a merge of their own


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


def products(plt: Any, rows: Sequence[Row]) -> None:
    """Boxes of the speed-ups over TACO's merge: a panel for either density of the vector."""
    panels = {"10%": "x is filled to 10%", "10": "x stores 10 elements"}
    every = {group: boxes("spmspv", rows, group) for group in panels}
    names = _in_order(name for found in every.values() for name in found)
    height = 1.5 + 0.25 * len(names)
    figure, axes = plt.subplots(1, 2, figsize=(9.6, height), layout="constrained")
    for axis, (group, title) in zip(axes, panels.items(), strict=True):
        _boxes(axis, every[group], names, "spmspv", group)
        axis.set_title(title, pad=14)
    axes[1].tick_params(labelleft=False)
    _legend(figure)


def graphs(plt: Any, rows: Sequence[Row]) -> None:
    """Boxes of the speed-ups over TACO's merge."""
    found = boxes("triangles", rows, "")
    height = 1.4 + 0.27 * len(found)
    figure, axis = plt.subplots(figsize=(6.8, height), layout="constrained")
    _boxes(axis, found, _in_order(found), "triangles", "")
    _legend(figure)


def boxes(experiment: str, rows: Iterable[Row], group: str) -> Boxes:
    """
    Return the speed-ups over TACO's merge of each way and of each peer, member by member.

    Whole calls are there for what is picked, as nobody calls its kernel alone.
    """
    ours: Boxes = {}
    base: dict[str, float] = {}
    theirs: dict[str, dict[str, float]] = {}
    for row in rows:
        case = case_of(experiment, row.case)
        if case.group != group or case.way in APART:
            continue
        if row.peer != TACO:
            if not row.peer.startswith("hand"):
                theirs.setdefault(row.peer, {})[case.member] = row.peer_seconds
            continue
        base[case.member] = row.peer_seconds
        if row.variant == "kernel":
            ours.setdefault(case.way, []).append(row.ratio)
        elif case.way == "picked":
            ours.setdefault("picked, whole call", []).append(row.ratio)
    for peer, times in theirs.items():
        ours[peer] = [base[member] / seconds for member, seconds in times.items()]
    return ours


def _in_order(names: Iterable[str]) -> list[str]:
    """Ours by families, then the libraries; within each as they were measured."""
    families = (MERGES, BLOCKS, LOOKUPS, PEERS)
    return sorted(dict.fromkeys(names), key=lambda name: families.index(colour_of(name)))


def _boxes(axis: Any, found: Boxes, names: Sequence[str], experiment: str, group: str) -> None:
    """Draw boxes from the top down, with a gap between families, and the means beside them."""
    places, place = {}, 0.0
    for before, name in zip([None, *names], names, strict=False):
        place -= 1.5 if before is not None and colour_of(before) != colour_of(name) else 1.0
        places[name] = place
    drawn = axis.boxplot(
        list(found.values()), positions=[places[name] for name in found], widths=0.6,
        orientation="horizontal", whis=(0, 100), patch_artist=True, showcaps=False,
        manage_ticks=False,
    )  # fmt: skip
    for k, name in enumerate(found):
        colour = colour_of(name)
        drawn["boxes"][k].set(facecolor=colour, linewidth=0, zorder=3)
        drawn["medians"][k].set(color="white", linewidth=1.4, zorder=4)
        for whisker in drawn["whiskers"][2 * k : 2 * k + 2]:
            whisker.set(color=colour, linewidth=1.2)
        axis.text(
            1.02, places[name], short(geometric(found[name]).mean), va="center", fontsize=8,
            color=colour, transform=axis.get_yaxis_transform(),
        )  # fmt: skip
    axis.text(1.02, 1.0, "mean", fontsize=8, transform=axis.transAxes, va="bottom")
    _aims(axis, places, experiment, group)
    axis.set_xscale("log")
    axis.set_yticks(list(places.values()), [label_of(name) for name in places])
    for tick, name in zip(axis.get_yticklabels(), places, strict=True):
        tick.set_color(PEERS if is_peer(name) else INK)
    axis.set_ylim(place - 0.7, -0.3)
    axis.axvline(1, color=INK, linewidth=0.9, zorder=1)
    ratio_axis(axis)
    axis.set_xlabel("times as fast as TACO's merge")


def _aims(axis: Any, places: Mapping[str, float], experiment: str, group: str) -> None:
    """Mark the targets, and what the paper's Finch reached, as means of the same kind."""
    for target in TARGETS:
        if (target.experiment, target.group, target.kind) != (experiment, group, "mean"):
            continue
        fitting = [name for name in places if fnmatch(name, target.ways[-1])]
        # Where it is of no way in particular, it is of ours all together: beside the first.
        if not fitting:
            continue
        axis.plot(target.target, places[fitting[0]], **AIM)
        if target.paper is not None:
            axis.plot(target.paper, places[fitting[0]], **FINCH)


def _legend(figure: Any) -> None:
    from matplotlib.lines import Line2D

    marks = {"target (mean)": AIM, "the paper's Finch (mean)": FINCH}
    handles = [Line2D([], [], linestyle="", label=label, **mark) for label, mark in marks.items()]
    figure.legend(handles=handles, loc="outside lower center", ncols=2, frameon=False, fontsize=8)


def curves(plt: Any, rows: Sequence[Row]) -> None:
    """Time against density: ours beside the libraries, and where they meet."""
    _, axis = plt.subplots(figsize=(6.4, 4.2), layout="constrained")
    lines: dict[tuple[str, str], dict[float, float]] = {}
    for row in rows:
        case = case_of("convolution", row.case)
        density = float(case.group.rstrip("%"))
        lines.setdefault((case.way, row.variant), {})[density] = row.seconds
        if row.peer != "handwritten":
            lines.setdefault((row.peer, "peer"), {})[density] = row.peer_seconds
    for (name, variant), points in lines.items():
        peer, whole = variant == "peer", variant == "whole call"
        colour = PEERS if peer else colour_of(name)
        x, y = np.transpose(sorted(points.items()))
        axis.loglog(
            x, 1e3 * y, color=colour, linewidth=1.2 if whole else 1.8, marker="o", markersize=3.5,
            linestyle=":" if whole else "-",
        )  # fmt: skip
        if not whole:
            label = label_of(name) if peer else label_of(f"structarr {name}".strip())
            axis.annotate(
                label, (x[-1], 1e3 * y[-1]), xytext=(6, 0), textcoords="offset points",
                va="center", color=colour,
            )  # fmt: skip
    _meeting(axis, rows)
    axis.set(xlabel="elements stored, %", ylabel="milliseconds")
    axis.set_title("masked 11 x 11 convolution; dotted: the whole call")
    axis.xaxis.set_major_formatter(lambda value, _: f"{value:g}")
    axis.yaxis.set_major_formatter(lambda value, _: f"{value:g}")
    axis.grid(True, which="major", linewidth=0.5, color="#e6e6e6")
    axis.margins(x=0.12)


def _meeting(axis: Any, rows: Sequence[Row]) -> None:
    """Say where OpenCV becomes the faster one."""
    beside = [row for row in rows if row.peer == "opencv" and row.variant == "kernel"]
    points = {float(case_of("convolution", row.case).group.rstrip("%")): row for row in beside}
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


def bars(experiment: str) -> Callable[[Any, Sequence[Row]], None]:
    """Return what draws bars of speed-ups over OpenCV: a panel for each collection of images."""

    def picture(plt: Any, rows: Sequence[Row]) -> None:
        found = _beside_opencv(experiment, rows)
        columns = 1 if len(found) == 1 else 2
        lines = ceil(len(found) / columns)
        height = 0.7 + lines * (0.6 + 0.22 * max(map(len, found.values())))
        figure, axes = plt.subplots(
            lines, columns, figsize=(4.8 * columns, height), sharex=True, squeeze=False,
            layout="constrained",
        )  # fmt: skip
        for axis, (collection, ways) in zip(axes.flat, found.items(), strict=False):
            _panel(axis, ways, experiment, collection)
        for axis in axes.flat[len(found) :]:
            axis.set_visible(False)
        low, high = axes[0, 0].get_xlim()
        room = (high / low) ** 0.12  # there are numbers beside the bars
        axes[0, 0].set_xlim(low / room, high * room)
        for axis in axes.flat:
            ratio_axis(axis)
        axes[-1, 0].set_xlabel("times as fast as OpenCV; dark: kernel, light: whole call")
        _legend(figure)

    return picture


def _panel(axis: Any, ways: Mapping[str, Ratios], experiment: str, collection: str) -> None:
    places = {way: -float(k) for k, way in enumerate(ways)}
    for way, ratios in ways.items():
        _bar(axis, places[way], ratios, colour_of(way))
    _aims(axis, places, experiment, collection)
    axis.set_title(label_of(collection))
    axis.set_xscale("log")
    axis.set_yticks(list(places.values()), [label_of(way) for way in places])
    axis.set_ylim(0.6 - len(ways), 0.6)
    axis.axvline(1, color=INK, linewidth=0.9)


def _bar(axis: Any, place: float, ratios: Ratios, colour: str) -> None:
    """A thick bar from 1 to the kernel's ratio, with a thin one to that of the whole call."""
    lower = 0.13 if len(ratios) > 1 else 0.0
    thick = (ratios[0], 0.5, lower, 1.0)
    for ratio, height, offset, alpha in (thick, *((one, 0.26, -0.27, 0.45) for one in ratios[1:])):
        left, width = min(1.0, ratio), abs(ratio - 1.0)
        axis.barh(place + offset, width, height, left, color=colour, alpha=alpha, linewidth=0)
        above = ratio >= 1
        axis.annotate(
            short(ratio), (ratio, place + offset), xytext=(4 if above else -4, 0), color=colour,
            textcoords="offset points", va="center", ha="left" if above else "right",
            fontsize=8 if alpha == 1 else 6, alpha=0.5 + alpha / 2,
        )  # fmt: skip


def _beside_opencv(experiment: str, rows: Iterable[Row]) -> dict[str, dict[str, Ratios]]:
    """The ratios over OpenCV of kernel and whole call, by collection and way; then of peers."""
    every = list(rows)
    opencv = {row.case: row.peer_seconds for row in every if row.peer == "opencv"}
    ours: dict[str, dict[str, dict[str, float]]] = {}
    theirs: dict[str, dict[str, Ratios]] = {}
    for row in every:
        if row.case not in opencv:
            continue
        case = case_of(experiment, row.case)
        found = ours.setdefault(case.group, {}).setdefault(case.way or "structarr", {})
        found[row.variant] = opencv[row.case] / row.seconds
        if row.peer != "opencv" and not row.peer.startswith("hand"):
            theirs.setdefault(case.group, {})[row.peer] = [opencv[row.case] / row.peer_seconds]
    return {
        group: {way: list(found.values()) for way, found in ways.items()} | theirs.get(group, {})
        for group, ways in ours.items()
    }


FIGURES: Final[Mapping[str, Callable[[Any, Sequence[Row]], None]]] = {
    "spmspv": products,
    "triangles": graphs,
    "convolution": curves,
    "alpha": bars("alpha"),
    "similarity": bars("similarity"),
}
