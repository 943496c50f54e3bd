"""
The pictures of the tutorials, drawn from the files in data/.

``python docs/tutorials/pictures.py`` draws all of them beside this file, in SVG; arguments name
some, and ``--png`` makes PNG files of them. matplotlib is needed (``pip install structarr[plot]``).
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

import matplotlib

matplotlib.use("Agg")

import matplotlib.pyplot as plt
import numpy as np
import scipy.sparse as sp
from matplotlib.colors import ListedColormap

HERE: Final = Path(__file__).resolve().parent
DATA: Final = HERE.parent.parent / "data"
INK, FAINT, PALE = "#333333", "#b8b8b8", "#ececec"
FIRST, SECOND, BOTH = "#3b6fb6", "#2a8f7f", "#d9772b"  # two operands, and where they meet
STYLE: Final = {
    "font.size": 9, "axes.edgecolor": FAINT, "axes.labelcolor": INK, "text.color": INK,
    "xtick.color": INK, "ytick.color": INK, "axes.titlesize": 9, "axes.titlelocation": "left",
    "axes.spines.top": False, "axes.spines.right": False, "svg.fonttype": "none",
    "svg.hashsalt": "structarr", "figure.facecolor": "white", "image.interpolation": "none",
    "font.family": "sans-serif", "font.sans-serif": ["Arial", "Helvetica", "DejaVu Sans"],
}  # fmt: skip
Rows = Sequence[tuple[str, str, Iterable[tuple[float, float]]]]


# ------------------------------------------------------------------ the pictures


def spmspv(figure: Any) -> None:
    """Show a matrix below a vector, and a row of it as lists, blocks and a band have it."""
    matrix, row = sp.load_npz(DATA / "hb" / "bcsstk04.npz"), 8
    places = np.arange(6, 132, 13)
    left, right = figure.subplots(1, 2, width_ratios=(1, 1.8))
    left.vlines(places, -16, -6, color=SECOND, linewidth=2)
    left.imshow(matrix.toarray() != 0, cmap=ListedColormap(["white", FIRST]))
    left.vlines([-1, 132], -1, 132, color=FAINT, linewidth=0.8)
    left.hlines(-1, -1, 132, color=FAINT, linewidth=0.8)
    left.axhspan(row - 1.5, row + 1.5, facecolor="none", edgecolor=BOTH, linewidth=1.2)
    left.set(
        xticks=[0, 50, 100], yticks=[-11, row, 50, 100], xlabel="j", xlim=(-2, 133), ylim=(132, -17)
    )
    left.set_yticklabels(["x", f"row {row}", "50", "100"])
    left.tick_params(axis="y", length=0)
    left.spines["left"].set_visible(False)
    left.set_title("a matrix A, and above it a vector x")
    right.set_title(f"row {row} of A, in three formats, and x")

    columns = np.flatnonzero(matrix.toarray()[row])
    band = [(columns[0], columns[-1] + 1)]
    tracks = [
        ("csr: a list", FIRST, _cells(columns)),
        ("x: a list", SECOND, _cells(places)),
        ("vbl: blocks", FIRST, _stretches(columns)),
        ("band", FIRST, band),
    ]
    _tracks(right, tracks, 0.5)
    for place in np.intersect1d(columns, places):
        right.axvspan(place, place + 1, color=BOTH, alpha=0.6, linewidth=0, zorder=0.5)
    right.set(xlim=(-1, 66), xlabel="j")


# ------------------------------------------------------------------ what they share


def _tracks(panel: Any, tracks: Rows, height: float) -> None:
    """Draw stretches of an axis, a line of them for each name, from above to below."""
    for k, (_, colour, stretches) in enumerate(tracks):
        spans = [(start, stop - start) for start, stop in stretches]
        panel.axhline(k, color=PALE, linewidth=1, zorder=0)
        panel.broken_barh(
            spans, (k - height / 2, height), facecolor=colour, edgecolor="white", linewidth=0.6
        )
    panel.set_yticks(range(len(tracks)), [name for name, _, _ in tracks])
    panel.set_ylim(len(tracks) - 0.5, -0.5)
    panel.tick_params(axis="y", length=0)
    panel.spines["left"].set_visible(False)


def _cells(places: Iterable[float]) -> list[tuple[float, float]]:
    return [(place, place + 1) for place in places]


def _stretches(places: Any) -> list[tuple[float, float]]:
    """Return the stretches of neighbouring places."""
    parts = np.split(places, np.flatnonzero(np.diff(places) > 1) + 1)
    return [(part[0], part[-1] + 1) for part in parts]


SIZES: Final[dict[Callable[[Any], None], tuple[float, float]]] = {spmspv: (8.6, 3.2)}


@contextmanager
def _saved(path: Path, size: tuple[float, float]) -> Iterator[Any]:
    with plt.rc_context(STYLE):
        figure = plt.figure(figsize=size, layout="constrained")
        yield figure
        # A date would change the file though nothing else did.
        metadata = {"Date": None} if path.suffix == ".svg" else {}
        figure.savefig(path, dpi=110, metadata=metadata)
        plt.close(figure)


def main(arguments: Sequence[str]) -> None:
    """Draw the pictures that are named, or all."""
    suffix = ".png" if "--png" in arguments else ".svg"
    names = [name for name in arguments if name[0] != "-"]
    for draw, size in SIZES.items():
        if not names or draw.__name__ in names:
            path = HERE / f"{draw.__name__}{suffix}"
            with _saved(path, size) as figure:
                draw(figure)
            print(path.relative_to(Path.cwd()))


if __name__ == "__main__":
    main(sys.argv[1:])
