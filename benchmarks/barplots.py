"""Bars of speed-ups over OpenCV, as in the paper's figures 10 and 11."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from math import ceil
from typing import Any

from benchmarks.drawing import INK, aims, colour_of, label_of, legend, ratio_axis, short
from benchmarks.report import Row
from benchmarks.ways import case_of, geometric

Ratios = list[float]  # of a kernel alone and of its whole call, or of a library


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
        legend(figure)

    return picture


def _panel(axis: Any, ways: Mapping[str, Ratios], experiment: str, collection: str) -> None:
    places = {way: -float(k) for k, way in enumerate(ways)}
    for way, ratios in ways.items():
        _bar(axis, places[way], ratios, colour_of(way))
    aims(axis, places, experiment, collection)
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
    ours: dict[str, dict[str, dict[str, list[float]]]] = {}
    theirs: dict[str, dict[str, dict[str, float]]] = {}
    for row in every:
        if row.case not in opencv:
            continue
        case = case_of(experiment, row.case)
        found = ours.setdefault(case.group, {}).setdefault(case.way or "structarr", {})
        if row.peer == "opencv":
            found.setdefault(row.variant, []).append(row.ratio)
        elif not row.peer.startswith("hand"):
            peers = theirs.setdefault(case.group, {}).setdefault(row.peer, {})
            peers[case.member] = opencv[row.case] / row.peer_seconds
    return {
        group: {
            **{
                way: [geometric(all_).mean for all_ in found.values()]
                for way, found in ways.items()
            },
            **{
                peer: [geometric(found.values()).mean]
                for peer, found in theirs.get(group, {}).items()
            },
        }
        for group, ways in ours.items()
    }
