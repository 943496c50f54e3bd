"""The figures of the paper's evaluation, drawn from rows: boxes, curves and bars of ratios."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

import numpy as np

from benchmarks.report import Row
from benchmarks.targets import TACO, TARGETS
from benchmarks.ways import break_even, case_of, geometric

Boxes = dict[str, list[float]]

APART: Final = ("lower",)  # ways that are beside a merge of their own

INK, FAINT = "#333333", "#b8b8b8"
MERGES, BLOCKS, LOOKUPS, PEERS = "#3b6fb6", "#2a8f7f", "#d9772b", "#8a8a8a"
# The colour of a way is that of the first of these which its name contains.
COLOURS: Final = {
    "picked": LOOKUPS, "lower": LOOKUPS, "bytemap": LOOKUPS, "bitmap": LOOKUPS,
    "vbl": BLOCKS, "band": BLOCKS, "symmetric": BLOCKS, "rle": BLOCKS, "packbits": BLOCKS,
}  # fmt: skip
LABELS: Final = {
    "lead": "A leads", "follow": "x leads", "vbl": "VBL", "vbl lead": "VBL, A leads",
    "picked": "picked: a @ x", "picked csc": "picked, by columns", "picked vbl": "picked, VBL",
    "scipy": "SciPy", "scipy, dense x": "SciPy, x dense", "graphblas": "GraphBLAS",
    "graphblas, csc": "GraphBLAS, by columns", "opencv": "OpenCV",
    "humansketches_1111": "sketches 1111", "humansketches_150": "sketches 150",
    "bilevel_scans": "scans", "omniglot": "Omniglot", "mnist": "MNIST",
    "quickdraw28": "Quick, Draw!", "numpy": "NumPy", "handwritten": "by hand",
}  # fmt: skip
STYLE: Final = {
    "font.size": 9, "axes.edgecolor": FAINT, "axes.labelcolor": INK, "text.color": INK,
    "xtick.color": INK, "ytick.color": INK, "axes.spines.top": False, "axes.spines.right": False,
    "axes.titlesize": 10, "axes.titlelocation": "left", "svg.fonttype": "none",
    "svg.hashsalt": "structarr", "figure.facecolor": "white",
}  # fmt: skip


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
            with _figure(drawn[-1]) as pyplot:
                picture(pyplot, rows[name])
    return drawn


@contextmanager
def _figure(path: Path) -> Iterator[Any]:
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    with plt.rc_context(STYLE):
        yield plt
        # A date would change the file though nothing else did.
        metadata = {"Date": None} if path.suffix == ".svg" else {}
        plt.savefig(path, dpi=110, metadata=metadata)
        plt.close("all")


def products(plt: Any, rows: Sequence[Row]) -> None:
    """Boxes of the speed-ups over TACO's merge: a panel for either density of the vector."""
    panels = {"10%": "x is filled to 10%", "10": "x stores 10 elements"}
    every = {group: boxes("spmspv", rows, group) for group in panels}
    height = 1.1 + 0.24 * max(map(len, every.values()))
    _, axes = plt.subplots(1, 2, figsize=(9.6, height), layout="constrained", sharey=False)
    for axis, (group, title) in zip(axes, panels.items(), strict=True):
        _boxes(axis, every[group], "spmspv", group)
        axis.set_title(title)


def graphs(plt: Any, rows: Sequence[Row]) -> None:
    """Boxes of the speed-ups over TACO's merge."""
    found = boxes("triangles", rows, "")
    _, axis = plt.subplots(figsize=(6.4, 1.1 + 0.27 * len(found)), layout="constrained")
    _boxes(axis, found, "triangles", "")


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


def _boxes(axis: Any, found: Boxes, experiment: str, group: str) -> None:
    names = list(found)[::-1]
    ours = [name for name in names if not _is_peer(name)]
    drawn = axis.boxplot(
        [found[name] for name in names], orientation="horizontal", whis=(0, 100), widths=0.56,
        patch_artist=True, showcaps=False, manage_ticks=False,
    )  # fmt: skip
    for place, name in enumerate(names):
        colour = _colour(name)
        drawn["boxes"][place].set(facecolor=colour, alpha=0.85, linewidth=0)
        drawn["medians"][place].set(color="white", linewidth=1.4)
        for whisker in drawn["whiskers"][2 * place : 2 * place + 2]:
            whisker.set(color=colour, linewidth=1.1)
    axis.set_xscale("log")
    axis.set_yticks(range(1, len(names) + 1), [_label(name) for name in names])
    for tick, name in zip(axis.get_yticklabels(), names, strict=True):
        tick.set_color(INK if name in ours else PEERS)
    axis.axvline(1, color=INK, linewidth=0.8, zorder=0)
    _means(axis, found, names)
    _aims(axis, names, experiment, group)
    _ratios(axis)
    axis.set_xlabel("times as fast as TACO's merge; at the right the geometric mean")
    axis.tick_params(axis="y", length=0)
    axis.spines["left"].set_visible(False)


def _means(axis: Any, found: Boxes, names: Sequence[str]) -> None:
    for place, name in enumerate(names, 1):
        mean = geometric(found[name]).mean
        axis.text(
            1.01, place, f"{mean:.3g}", transform=axis.get_yaxis_transform(), va="center",
            fontsize=8, color=_colour(name),
        )  # fmt: skip


def _aims(axis: Any, names: Sequence[str], experiment: str, group: str) -> None:
    """Mark the targets, and what the paper's Finch reached, as means of the same kind."""
    for target in TARGETS:
        if (target.experiment, target.group, target.kind) != (experiment, group, "mean"):
            continue
        way = target.ways[0].strip("*")
        if way not in names:
            continue
        place = names.index(way) + 1
        aims = {"|": target.target} | ({"D": target.paper} if target.paper else {})
        for marker, value in aims.items():
            axis.plot(
                value, place, marker=marker, markersize=11 if marker == "|" else 4.5,
                markerfacecolor="white", color=INK, markeredgewidth=1.1, zorder=5,
            )  # fmt: skip


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
        colour = PEERS if peer else _colour(name)
        x, y = np.transpose(sorted(points.items()))
        axis.loglog(
            x, 1e3 * y, color=colour, linewidth=1.2 if whole else 1.8, marker="o", markersize=3.5,
            linestyle=":" if whole else "-",
        )  # fmt: skip
        if not whole:
            label = _label(name) if peer else _label(f"structarr {name}".strip())
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
    """Return what draws bars of speed-ups over OpenCV: collections of images, ways in each."""

    def picture(plt: Any, rows: Sequence[Row]) -> None:
        found = _beside_opencv(experiment, rows)
        count = sum(map(len, found.values())) + len(found)
        _, axis = plt.subplots(figsize=(6.8, 1.0 + 0.23 * count), layout="constrained")
        ticks, place = {}, 0.0
        for collection, ways in found.items():
            axis.text(
                0.0, place, _label(collection), weight="bold", va="center", ha="right",
                transform=axis.get_yaxis_transform(),
            )  # fmt: skip
            for way, (kernel, whole) in ways.items():
                place -= 1
                ticks[place] = _label(way)
                _bar(axis, place, kernel, whole, _colour(way))
            place -= 1.4
        axis.set_xscale("log")
        axis.set_yticks(list(ticks), list(ticks.values()))
        axis.axvline(1, color=INK, linewidth=0.8)
        axis.set_ylim(place + 0.8, 0.8)
        axis.margins(x=0.14)
        _ratios(axis)
        axis.set_xlabel("times as fast as OpenCV; dark: kernel, light: whole call")
        axis.tick_params(axis="y", length=0)
        axis.spines["left"].set_visible(False)

    return picture


def _bar(axis: Any, place: float, kernel: float | None, whole: float | None, colour: str) -> None:
    """A thick bar from 1 to the kernel's ratio, with a thin one to that of the whole call."""
    for ratio, height, offset, alpha in ((kernel, 0.5, 0.14, 1.0), (whole, 0.24, -0.27, 0.45)):
        if ratio is not None:
            left, width = min(1.0, ratio), abs(ratio - 1.0)
            axis.barh(place + offset, width, height, left, color=colour, alpha=alpha, linewidth=0)
    if kernel is not None:
        axis.annotate(
            f"{kernel:.2g}", (kernel, place + 0.14), xytext=(4 if kernel >= 1 else -4, 0),
            textcoords="offset points", va="center", ha="left" if kernel >= 1 else "right",
            fontsize=8, color=colour,
        )  # fmt: skip


def _beside_opencv(
    experiment: str, rows: Iterable[Row]
) -> dict[str, dict[str, tuple[float | None, float | None]]]:
    """The ratios over OpenCV of kernel and whole call, by collection and way; peers likewise."""
    every = list(rows)
    opencv = {row.case: row.peer_seconds for row in every if row.peer == "opencv"}
    ours: dict[str, dict[str, list[float | None]]] = {}
    theirs: dict[str, dict[str, list[float | None]]] = {}
    for row in every:
        if row.case not in opencv:
            continue
        case = case_of(experiment, row.case)
        pair = ours.setdefault(case.group, {}).setdefault(case.way or "structarr", [None, None])
        pair[row.variant == "whole call"] = opencv[row.case] / row.seconds
        if row.peer != "opencv" and not row.peer.startswith("hand"):
            ratio = opencv[row.case] / row.peer_seconds
            theirs.setdefault(case.group, {})[row.peer] = [ratio, None]
    return {
        group: {way: (pair[0], pair[1]) for way, pair in (ways | theirs.get(group, {})).items()}
        for group, ways in ours.items()
    }


def _ratios(axis: Any) -> None:
    axis.xaxis.set_major_formatter(lambda value, _: f"{value:g}")
    axis.grid(True, axis="x", which="major", linewidth=0.5, color="#e6e6e6")
    axis.set_axisbelow(True)
    axis.minorticks_off()


def _is_peer(name: str) -> bool:
    return name.partition(",")[0].partition(" ")[0] in PEER_NAMES


PEER_NAMES: Final = ("scipy", "pydata/sparse", "graphblas", "opencv", "numpy", "sklearn")


def _colour(name: str) -> str:
    if _is_peer(name):
        return PEERS
    return next((colour for part, colour in COLOURS.items() if part in name), MERGES)


def _label(name: str) -> str:
    return LABELS.get(name, name)


FIGURES: Final[Mapping[str, Callable[[Any, Sequence[Row]], None]]] = {
    "spmspv": products,
    "triangles": graphs,
    "convolution": curves,
    "alpha": bars("alpha"),
    "similarity": bars("similarity"),
}
