"""Boxes of speed-ups over TACO's merge, as in the paper's figures 7 and 8."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Final

from benchmarks.drawing import (
    BLOCKS,
    INK,
    LOOKUPS,
    MERGES,
    PEERS,
    aims,
    colour_of,
    is_peer,
    label_of,
    legend,
    ratio_axis,
    short,
)
from benchmarks.report import Row
from benchmarks.targets import TACO
from benchmarks.ways import case_of, geometric

Boxes = dict[str, list[float]]

APART: Final = ("lower",)  # ways that are beside a merge of their own


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
    legend(figure)


def graphs(plt: Any, rows: Sequence[Row]) -> None:
    """Boxes of the speed-ups over TACO's merge."""
    found = boxes("triangles", rows, "")
    height = 1.4 + 0.27 * len(found)
    figure, axis = plt.subplots(figsize=(6.8, height), layout="constrained")
    _boxes(axis, found, _in_order(found), "triangles", "")
    legend(figure)


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
    aims(axis, places, experiment, group)
    axis.set_xscale("log")
    axis.set_yticks(list(places.values()), [label_of(name) for name in places])
    for tick, name in zip(axis.get_yticklabels(), places, strict=True):
        tick.set_color(PEERS if is_peer(name) else INK)
    axis.set_ylim(place - 0.7, -0.3)
    axis.axvline(1, color=INK, linewidth=0.9, zorder=1)
    ratio_axis(axis)
    axis.set_xlabel("times as fast as TACO's merge")
