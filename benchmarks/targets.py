"""What was aimed at, beside what was measured and what the paper's Finch reached."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatch
from typing import Final

from benchmarks.report import Row
from benchmarks.ways import Mean, break_even, case_of, density_of, means

TACO: Final = "as TACO merges"
TACO_C: Final = "TACO's C"


@dataclass(frozen=True)
class Target:
    """
    A figure to reach, in time of the kernel alone.

    `ways` are patterns of names; the first that is met counts, and of several ways that meet it
    the fastest. `paper` is what the paper's Finch reached.
    """

    experiment: str
    label: str
    group: str
    ways: tuple[str, ...]
    peer: str
    target: float
    paper: float | None = None
    kind: str = "mean"  # or "most", or "break-even": a density in percent


TARGETS: Final = (
    Target("spmspv", "walk, x 10%", "10%", ("walk",), TACO, 3.3, 1.6),
    Target("spmspv", "gallop, x 10%", "10%", ("gallop",), TACO, 6.5, 3.8),
    Target("spmspv", "VBL, x 10%", "10%", ("*vbl*",), TACO, 8.0, 4.0),
    Target("spmspv", "picked, x 10%", "10%", ("picked",), TACO, 30.0),
    Target("spmspv", "walk, x of 10", "10", ("walk",), TACO, 3.3),
    Target("spmspv", "gallop, x of 10", "10", ("gallop",), TACO, 3.5, 1.3),
    Target("spmspv", "VBL, x of 10", "10", ("*vbl*",), TACO, 4.5, 1.7),
    Target("spmspv", "picked, x of 10", "10", ("picked",), TACO, 8.0),
    Target("triangles", "walk", "", ("walk",), TACO, 1.7, 0.8),
    Target("triangles", "gallop", "", ("gallop",), TACO, 1.8, 1.25),
    Target("triangles", "gallop, greatest", "", ("gallop",), TACO, 15.0, 3.8, "most"),
    Target("triangles", "picked", "", ("picked",), TACO, 7.0),
    Target("convolution", "at 1%", "1%", ("*",), "opencv", 12.0, 9.5),
    Target("convolution", "break-even, % filled", "", ("*",), "opencv", 8.0, 5.0, "break-even"),
    Target("alpha", "sketches of 1111 x 1111", "humansketches_1111", ("*",), "opencv", 3.0, 1.4),
    Target("alpha", "stack of Omniglot", "omniglot stack", ("*",), "opencv", 1.5, 0.43),
    Target("alpha", "scans", "scans", ("*",), "opencv", 30.0),
    Target("similarity", "MNIST, picked", "mnist", ("picked*",), "opencv", 2.0),
    Target("similarity", "Omniglot, picked", "omniglot", ("picked*",), "opencv", 2.0),
    Target("similarity", "MNIST, VBL", "mnist", ("vbl*", "*vbl*"), "opencv", 0.4, 0.38),
    Target("similarity", "Omniglot, runs", "omniglot", ("rle*", "*rle*"), "opencv", 0.55, 0.55),
)


@dataclass(frozen=True)
class Reached:
    """
    What was measured for a target, and by which way; None where nothing was.

    `over_c` is what the same way reached over TACO's own C.
    """

    target: Target
    way: str = ""
    figure: float | None = None
    spread: Mean | None = None
    over_c: float | None = None


def reached(rows: Mapping[str, Sequence[Row]]) -> Iterator[Reached]:
    """
    Yield each target with what the rows say of it.

    Parameters
    ----------
    rows : mapping of str to sequence of Row
        The rows of each experiment.
    """
    for target in TARGETS:
        every = rows.get(target.experiment, ())
        if target.kind == "break-even":
            yield Reached(target, figure=_broken_even(target, every))
            continue
        way, spread = _best(target, _over(target, every, target.peer))
        c = _over(target, every, TACO_C).get(way)
        over_c = None if c is None else _figure(target, c)
        figure = None if spread is None else _figure(target, spread)
        yield Reached(target, way, figure, spread, over_c)


def _figure(target: Target, spread: Mean) -> float:
    return spread.most if target.kind == "most" else spread.mean


def _over(target: Target, rows: Sequence[Row], peer: str) -> dict[str, Mean]:
    """The means over a peer of each way in the target's group."""
    return {
        way: peers[peer]
        for (group, way), peers in means(target.experiment, rows, "kernel").items()
        if group == target.group and peer in peers
    }


def _best(target: Target, found: Mapping[str, Mean]) -> tuple[str, Mean | None]:
    for pattern in target.ways:
        fitting = [way for way in found if fnmatch(way, pattern)]
        if fitting:
            best = max(fitting, key=lambda way: found[way].mean)
            return best, found[best]
    return "", None


def _broken_even(target: Target, rows: Sequence[Row]) -> float | None:
    """The greatest density at which any way is as fast as the peer."""
    ways: dict[str, list[tuple[float, float]]] = {}
    for row in rows:
        if row.variant == "kernel" and row.peer == target.peer:
            case = case_of(target.experiment, row.case)
            if (density := density_of(case.group)) is not None:
                ways.setdefault(case.way, []).append((density, row.ratio))
    found = [break_even(points) for points in ways.values()]
    return max((density for density in found if density is not None), default=None)


HEADER: Final = (
    "experiment", "what", "by", "target", "measured", "least-most", "of", "over TACO's C",
    "paper's",
)  # fmt: skip


def cells(one: Reached) -> tuple[str, ...]:
    """Return a target as the cells of a table, under `HEADER`."""
    target, spread = one.target, one.spread
    several = spread is not None and spread.count > 1
    return (
        target.experiment,
        target.label,
        one.way,
        f"{target.target:g}",
        "not measured" if one.figure is None else f"{one.figure:.2f}",
        f"{spread.least:.2f}-{spread.most:.1f}" if spread is not None and several else "",
        str(spread.count) if spread is not None and several else "",
        "" if one.over_c is None else f"{one.over_c:.2f}",
        "" if target.paper is None else f"{target.paper:g}",
    )


def text(found: Sequence[Reached]) -> str:
    """Return the targets as a table of plain text."""
    table = [HEADER, *map(cells, found)]
    widths = [max(map(len, column)) for column in zip(*table, strict=True)]
    lines = (
        "  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True))
        for line in table
    )
    return "\n".join(line.rstrip() for line in lines)
