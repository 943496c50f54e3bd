"""What the figures share: colours, names and marks, axes of ratios, and how they are saved."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from fnmatch import fnmatch
from pathlib import Path
from typing import Any, Final

from benchmarks.targets import TARGETS

INK, FAINT = "#333333", "#b8b8b8"
MERGES, BLOCKS, LOOKUPS, PEERS = "#3b6fb6", "#2a8f7f", "#d9772b", "#8a8a8a"
LIBRARIES: Final = ("TACO's", "scipy", "pydata/sparse", "graphblas", "opencv", "numpy")
# The colour of a way is that of the first of these which its name contains.
COLOURS: Final = {
    "picked": LOOKUPS, "lower": LOOKUPS, "bytemap": LOOKUPS, "bitmap": LOOKUPS,
    "vbl": BLOCKS, "band": BLOCKS, "symmetric": BLOCKS, "rle": BLOCKS, "packbits": BLOCKS,
}  # fmt: skip
LABELS: Final = {
    "lead": "A leads", "follow": "x leads", "vbl": "VBL", "vbl lead": "VBL, A leads",
    "masked": "structarr", "rle": "RLE", "csc": "by columns", "picked": "picked (plain NumPy)",
    "scipy": "SciPy", "scipy, dense x": "SciPy, x dense", "graphblas": "GraphBLAS",
    "graphblas, csc": "GraphBLAS, by columns", "opencv": "OpenCV",
    "opencv, no calls": "OpenCV, no calls",
    "humansketches_1111": "sketches 1111", "humansketches_150": "sketches 150",
    "omniglot stack": "stack of Omniglot", "omniglot": "Omniglot", "mnist": "MNIST",
    "quickdraw28": "Quick, Draw!", "numpy": "NumPy", "handwritten": "by hand",
}  # fmt: skip
STYLE: Final = {
    "font.size": 9, "axes.edgecolor": FAINT, "axes.labelcolor": INK, "text.color": INK,
    "xtick.color": INK, "ytick.color": INK, "axes.spines.top": False, "axes.spines.right": False,
    "axes.titlesize": 10, "axes.titlelocation": "left", "svg.fonttype": "none",
    "svg.hashsalt": "structarr", "figure.facecolor": "white",
}  # fmt: skip
STEPS: Final = tuple(step * 10**power for power in range(-4, 4) for step in (1, 2, 5))
# The marks of targets, and of what the paper's Finch reached.
AIM: Final = {"marker": "|", "markersize": 13, "color": INK, "markeredgewidth": 1.6, "zorder": 6}
FINCH: Final = {
    "marker": "D", "markersize": 5, "color": INK, "markerfacecolor": "white",
    "markeredgewidth": 1.1, "zorder": 6,
}  # fmt: skip


@contextmanager
def saved(path: Path) -> Iterator[Any]:
    """Lend matplotlib's pyplot to what draws a figure, and save that."""
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    with plt.rc_context(STYLE):
        yield plt
        # A date would change the file though nothing else did.
        metadata = {"Date": None} if path.suffix == ".svg" else {}
        plt.savefig(path, dpi=110, metadata=metadata)
        plt.close("all")


def short(value: float) -> str:
    """
    Return a ratio with as many digits as matter.

    Examples
    --------
    >>> short(123.4), short(12.34), short(0.1234)
    ('123', '12.3', '0.12')
    """
    return f"{value:.0f}" if value >= 100 else f"{value:.2g}" if value < 1 else f"{value:.3g}"


def ratio_axis(axis: Any) -> None:
    """Make an axis read ratios from left to right: plain numbers, thin lines, names alone."""
    axis.xaxis.set_major_formatter(lambda value, _: f"{value:g}")
    axis.grid(True, axis="x", which="major", linewidth=0.5, color="#e6e6e6")
    axis.set_axisbelow(True)
    axis.minorticks_off()
    low, high = axis.get_xlim()
    if high < 1000 * low:
        axis.set_xticks([tick for tick in STEPS if low <= tick <= high])
    axis.tick_params(axis="y", length=0)
    axis.spines["left"].set_visible(False)


def is_peer(name: str) -> bool:
    """Return whether a name is that of another library, called in whatever way."""
    return name.partition(",")[0].partition(" ")[0] in LIBRARIES


def colour_of(name: str) -> str:
    """Return the colour of a way, by its family, or of a library."""
    if is_peer(name):
        return PEERS
    return next((colour for part, colour in COLOURS.items() if part in name), MERGES)


def label_of(name: str) -> str:
    """Return what a figure calls a way, a library or a collection."""
    first, _, rest = name.partition(" ")
    if first == "picked" and rest and name not in LABELS:
        return f"picked, {label_of(rest)}"
    return LABELS.get(name, name)


def aims(axis: Any, places: Mapping[str, float], experiment: str, group: str) -> None:
    """Mark the targets, and what the paper's Finch reached, as means of the same kind."""
    for target in TARGETS:
        if (target.experiment, target.group, target.kind) != (experiment, group, "mean"):
            continue
        fitting = [name for name in places if fnmatch(name, target.ways[-1])]
        if not fitting:
            continue
        axis.plot(target.target, places[fitting[0]], **AIM)
        if target.paper is not None:
            axis.plot(target.paper, places[fitting[0]], **FINCH)


def legend(figure: Any) -> None:
    """Say below a figure what its marks are."""
    from matplotlib.lines import Line2D

    marks = {"target (mean)": AIM, "the paper's Finch (mean)": FINCH}
    handles = [Line2D([], [], linestyle="", label=label, **mark) for label, mark in marks.items()]
    figure.legend(handles=handles, loc="outside lower center", ncols=2, frameon=False, fontsize=8)
