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
from scipy import ndimage, spatial

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


def triangles(figure: Any) -> None:
    """Show the neighbours of an edge's two ends, as a graph and as two sorted lists."""
    graph, i, j = sp.load_npz(DATA / "graphs" / "web-edu.npz"), 2962, 3012
    near = {end: graph.indices[graph.indptr[end] : graph.indptr[end + 1]] for end in (i, j)}
    both = np.intersect1d(near[i], near[j])
    left, right = figure.subplots(1, 2, width_ratios=(1, 1.7))
    places = {i: (-1.0, 0.0), j: (1.0, 0.0)}
    places |= {k: (0.0, y) for k, y in zip(both, (1.5, 0.75, -0.75, -1.5), strict=True)}
    for end, side in ((i, -1), (j, 1)):
        alone = np.setdiff1d(near[end], [i, j, *both])
        turns = np.linspace(-1.15, 1.15, len(alone))
        around = zip(side * (1 + 0.95 * np.cos(turns)), 1.5 * turns, strict=True)
        places |= dict(zip(alone, around, strict=True))
    for k in both:
        left.fill(*zip(places[i], places[j], places[k], strict=True), color=BOTH, alpha=0.18)
    for end, others in near.items():
        for k in others:
            left.plot(*zip(places[end], places[k], strict=True), color=FAINT, linewidth=1, zorder=1)
    left.plot(*zip(places[i], places[j], strict=True), color=INK, linewidth=2.5, zorder=1)
    for node, (x, y) in places.items():
        colour = FIRST if node == i else SECOND if node == j else BOTH if node in both else "white"
        edge = FAINT if colour == "white" else colour
        left.plot(x, y, "o", markersize=19, color=colour, markeredgecolor=edge)
        ink = INK if colour == "white" else "white"
        left.text(x, y, str(node), ha="center", va="center", fontsize=6.2, color=ink)
    left.set(xlim=(-2.2, 2.2), ylim=(-1.95, 1.95), title=f"an edge ({i}, {j}) and its neighbours")
    left.set_axis_off()

    for end, y, colour in ((i, 1.0, FIRST), (j, 0.0, SECOND)):
        for k, node in enumerate(near[end]):
            fill = BOTH if node in both else "white"
            box = plt.Rectangle((k, y), 1, 0.36, facecolor=fill, edgecolor=colour, linewidth=1.2)
            right.add_patch(box)
            ink = "white" if node in both else INK
            right.text(k + 0.5, y + 0.18, node, ha="center", va="center", fontsize=6.2, color=ink)
        right.text(-0.2, y + 0.18, f"row {end}", ha="right", va="center")
    for node in both:
        above, below = (np.searchsorted(near[end], node) + 0.5 for end in (i, j))
        right.plot([above, below], [1.0, 0.36], color=BOTH, linewidth=1.5)
    right.set(xlim=(-2.2, 14.2), ylim=(-0.5, 1.8), title="the same as two sorted lists of columns")
    right.set_axis_off()


def convolution(figure: Any) -> None:
    """Show an image with the window around a pixel, the window's rows, and the result."""
    ink = _images("omniglot")[0] == 0
    i, k, half = 54, 47, 5
    counts = ndimage.correlate(ink.astype(float), np.ones((11, 11)), mode="constant") * ink
    left, middle, right = figure.subplots(1, 3, width_ratios=(1, 1.55, 1.12))
    left.imshow(ink, cmap=ListedColormap(["white", FIRST]))
    corner = (k - half - 0.5, i - half - 0.5)
    left.add_patch(plt.Rectangle(corner, 11, 11, facecolor="none", edgecolor=BOTH, linewidth=1.5))
    left.set_title("A, and the window of a pixel")
    for row in range(i - half, i + half + 1):
        columns = np.flatnonzero(ink[row])
        near = abs(columns - k) <= half
        middle.axhline(row, color=PALE, linewidth=1, zorder=0)
        for places, colour in ((columns[~near], FIRST), (columns[near], BOTH)):
            spans = [(place - 0.5, 1) for place in places]
            middle.broken_barh(spans, (row - 0.36, 0.72), facecolor=colour, edgecolor="white")
    middle.axvspan(k - half - 0.5, k + half + 0.5, color=BOTH, alpha=0.12, linewidth=0)
    middle.plot(k, i, "o", markersize=3.5, color="white")
    middle.set(xlim=(18, 82), ylim=(i + half + 0.7, i - half - 0.7), xlabel="column")
    middle.set_yticks([i - half, i, i + half])
    middle.spines["left"].set_visible(False)
    middle.tick_params(axis="y", length=0)
    middle.set_title("the window's rows, as lists; orange is read")
    shown = right.imshow(np.where(ink, counts, np.nan), cmap="YlGnBu", vmin=0)
    right.set_title("C, where A has ink")
    bar = figure.colorbar(shown, ax=right, shrink=0.85)
    bar.outline.set_visible(False)
    for panel in (left, right):
        panel.set(xticks=[], yticks=[])
        panel.spines[:].set_visible(True)


def alpha(figure: Any) -> None:
    """Show two images and their blend, and the runs of a row of each."""
    b, c = _images("omniglot")[:2]
    blend = np.rint(0.7 * b + 0.3 * c).astype(np.uint8)
    row = int(np.argmax([np.count_nonzero(np.diff(one)) for one in blend.astype(int)]))
    *images, right = figure.subplots(1, 4, width_ratios=(1, 1, 1, 2.1))
    for panel, name, image in zip(images, ("B", "C", "A"), (b, c, blend), strict=True):
        panel.imshow(image, cmap="gray", vmin=0, vmax=255)
        panel.axhspan(row - 1, row + 1, facecolor="none", edgecolor=BOTH, linewidth=1.2)
        panel.set(xticks=[], yticks=[], title="A = 0.7 B + 0.3 C" if name == "A" else name)
        panel.spines[:].set_visible(True)
    for place, image in enumerate((b[row], c[row], blend[row])):
        stops = np.append(np.flatnonzero(np.diff(image.astype(int))) + 1, len(image))
        starts = np.append(0, stops[:-1])
        for start, stop in zip(starts, stops, strict=True):
            shade = str(image[start] / 255)
            box = plt.Rectangle((start, place - 0.28), stop - start, 0.56)
            box.set(facecolor=shade, edgecolor=FAINT, linewidth=0.7)
            right.add_patch(box)
        for stop in stops[:-1] if place < 2 else ():
            colour = (FIRST, SECOND)[place]
            right.plot([stop, stop], [place + 0.28, 1.72], color=colour, linewidth=1, zorder=0)
    right.set(xlim=(0, 105), ylim=(2.5, -0.5), xlabel="column", xticks=[0, 25, 50, 75, 105])
    right.set_yticks(range(3), ["B", "C", "A"])
    right.tick_params(axis="y", length=0)
    right.spines["left"].set_visible(False)
    right.set_title(f"runs of row {row}: those of A end where others do")


def similarity(figure: Any) -> None:
    """Show a row of two digits and of two characters: blocks, runs, and where they overlap."""
    upper, lower = figure.subplots(2, 4, width_ratios=(1, 1, 3.4, 1.3))
    for axes, name, (k, m), row, count in (
        (upper, "mnist", (2, 6), 13, 8),
        (lower, "omniglot", (0, 1), 56, 8),
    ):
        images = _images(name)
        ink = images.astype(float) - np.bincount(images.ravel()).argmax()
        for panel, one in zip(axes, (k, m), strict=False):
            panel.imshow(-abs(ink[one]), cmap="gray")
            panel.axhspan(row - 0.7, row + 0.7, facecolor="none", edgecolor=BOTH, linewidth=1.2)
            panel.set(xticks=[], yticks=[], title=f"{name} {one}")
            panel.spines[:].set_visible(True)
        tracks = [
            (str(k), FIRST, _stretches(np.flatnonzero(ink[k, row]))),
            (str(m), SECOND, _stretches(np.flatnonzero(ink[m, row]))),
            ("both", BOTH, _stretches(np.flatnonzero(ink[k, row] * ink[m, row]))),
        ]
        _tracks(axes[2], tracks, 0.55)
        axes[2].set(xlim=(0, ink.shape[2]), title=f"where row {row} of each has ink")
        rows = ink[:count].reshape(count, -1)
        far = spatial.distance.cdist(rows, rows)
        far[np.diag_indices(count)] = np.nan
        axes[3].imshow(far, cmap="YlGnBu")
        axes[3].set(xticks=[], yticks=[], title=f"D of {count} images")
    lower[2].set_xlabel("column")


# ------------------------------------------------------------------ what they share


def _images(name: str) -> Any:
    with np.load(DATA / "images" / f"{name}.npz") as stored:
        return stored["images"]


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


SIZES: Final[dict[Callable[[Any], None], tuple[float, float]]] = {
    spmspv: (8.6, 3.2),
    triangles: (9.0, 3.1),
    convolution: (9.0, 2.7),
    alpha: (9.0, 2.2),
    similarity: (9.0, 3.6),
}


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
            print(path)


if __name__ == "__main__":
    main(sys.argv[1:])
