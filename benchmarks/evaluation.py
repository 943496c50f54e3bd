"""The paper's five experiments together: their figures, the targets, and the page about them."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Final

from benchmarks import figures, report, targets
from benchmarks.machine import machine
from benchmarks.peers import left_out
from benchmarks.report import Row
from benchmarks.ways import Mean, means

MACHINE: Final = "machine.json"
TITLES: Final = {
    "spmspv": "Speed-ups of matrix times sparse vector over TACO's merge",
    "triangles": "Speed-ups of counting triangles over TACO's merge",
    "convolution": "Time of masked convolution against density",
    "alpha": "Speed-ups of alpha blending over OpenCV",
    "similarity": "Speed-ups of all-pairs similarity over OpenCV",
}

EXPERIMENTS: Final = tuple(TITLES)

Rows = Mapping[str, Sequence[Row]]
Measure = Callable[[Iterable[Row]], list[Row]]


def collected(folder: Path, data: Path, quick: bool, measure: Measure) -> dict[str, list[Row]]:
    """
    Return the rows of all experiments: those kept in a folder, the others measured and kept.

    Parameters
    ----------
    folder : Path
        Holds `NAME.json` for what has been measured, and what it was measured on.
    data : Path
        The data of the experiments.
    quick : bool
        Whether to measure fewer and smaller cases.
    measure : callable
        Takes the rows as they come; returns them all.
    """
    folder.mkdir(parents=True, exist_ok=True)
    rows = {}
    for name in EXPERIMENTS:
        kept = folder / f"{name}.json"
        if kept.exists():
            rows[name] = report.read(kept)
        elif find_spec(f"benchmarks.{name}"):
            rows[name] = measure(import_module(f"benchmarks.{name}").run(data, quick))
            report.write(kept, rows[name])
    if not (folder / MACHINE).exists():
        (folder / MACHINE).write_text(json.dumps(machine(), indent=1) + "\n")
    return rows


def write(rows: Rows, folder: Path, out: Path, page: Path | None) -> str:
    """
    Draw the figures, bring the page up to date, and return the targets as text.

    Parameters
    ----------
    rows : mapping of str to sequence of Row
        The rows of each experiment.
    folder : Path
        Where they are kept, with what they were measured on.
    out : Path
        Where the figures go.
    page : Path or None
        A page of Markdown, of which the parts between `<!-- measured: NAME -->` and
        `<!-- end -->` are written anew.
    """
    drawn = []
    if find_spec("matplotlib"):
        drawn = figures.draw(rows, out)
    else:
        left_out("the figures", 'pip install "structarr[plot]"')
    found = list(targets.reached(rows))
    if page is not None:
        parts = dict(_parts(rows, json.loads((folder / MACHINE).read_text()), found))
        for file in drawn:
            picture = Path(os.path.relpath(file, page.parent)).as_posix()
            parts[file.stem] = f"![{TITLES[file.stem]}]({picture})\n\n{parts[file.stem]}"
        page.write_text(filled(page.read_text(), parts))
    return targets.text(found)


def filled(page: str, parts: Mapping[str, str]) -> str:
    """
    Return a page whose measured parts are written anew.

    Examples
    --------
    >>> filled("<!-- measured: a --> old <!-- end -->", {"a": "new"})
    '<!-- measured: a -->\\n\\nnew\\n\\n<!-- end -->'
    """

    def part(found: re.Match[str]) -> str:
        text = parts.get(found[1], "Not measured.")
        return f"<!-- measured: {found[1]} -->\n\n{text}\n\n<!-- end -->"

    return re.sub(r"<!-- measured: (\w+) -->.*?<!-- end -->", part, page, flags=re.DOTALL)


def _parts(
    rows: Rows, on: Mapping[str, str], found: Sequence[targets.Reached]
) -> Iterator[tuple[str, str]]:
    yield "machine", "; ".join(f"{name} {value}" for name, value in on.items()) + "."
    yield "targets", table(targets.HEADER, map(targets.cells, found))
    for name in EXPERIMENTS:
        if rows.get(name):
            yield name, "\n\n".join(_ratios(name, rows[name]))


def _ratios(experiment: str, rows: Sequence[Row]) -> Iterator[str]:
    """Tables of geometric means, of kernels alone and of whole calls."""
    for variant, title in (("kernel", "Kernel alone"), ("whole call", "Whole call")):
        found = means(experiment, rows, variant)
        peers = list(dict.fromkeys(peer for beside in found.values() for peer in beside))
        groups = list(dict.fromkeys(group for group, _ in found))  # as they were measured
        lines = (
            (group, way, *(_ratio(beside.get(peer)) for peer in peers))
            for (group, way), beside in sorted(found.items(), key=lambda at: groups.index(at[0][0]))
        )
        yield f"{title}:\n\n{table(('of', 'way', *peers), lines)}"


def _ratio(mean: Mean | None) -> str:
    """A mean with three digits; in italics where it is below 1, where the peer is faster."""
    if mean is None:
        return ""
    text = f"{mean.mean:.0f}" if mean.mean >= 100 else f"{mean.mean:.3g}"
    return text if mean.mean >= 1 else f"*{text}*"


def table(header: Sequence[str], lines: Iterable[Sequence[str]]) -> str:
    """
    Return a table of Markdown, without columns that are empty.

    Examples
    --------
    >>> print(table(("a", "b"), [("1", "")]))
    | a |
    |---|
    | 1 |
    """
    every = [tuple(line) for line in lines]
    kept = [k for k in range(len(header)) if any(line[k] for line in every)]
    cells = [[line[k] for k in kept] for line in (tuple(header), *every)]
    shown = [f"| {' | '.join(line)} |" for line in cells]
    return "\n".join([shown[0], "|" + "---|" * len(kept), *shown[1:]])
