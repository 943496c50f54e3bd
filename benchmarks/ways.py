"""What the case of a row names: a group, a way of computing it, and a member of a collection."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from itertools import pairwise
from math import exp, log
from typing import Final

from benchmarks.report import Row

# A word of these says which images, any other word of a case how they are stored or compared.
COLLECTIONS: Final = (
    "humansketches_1111",
    "humansketches_150",
    "mnist",
    "omniglot",
    "quickdraw28",
    "stack",
)


@dataclass(frozen=True)
class Case:
    """What a case is about: in `walk 10% west1505` the way, the group, and the member."""

    group: str
    way: str
    member: str


@dataclass(frozen=True)
class Mean:
    """A geometric mean of ratios, beside the least, the greatest, and how many there are."""

    mean: float
    least: float
    most: float
    count: int


def _products(words: list[str]) -> Case:
    *way, group, member = words
    return Case(group, " ".join(way), member)


def _graphs(words: list[str]) -> Case:
    *way, member = words
    return Case("", " ".join(way), member)


def _grids(words: list[str]) -> Case:
    way, *group = words
    return Case(" ".join(group), way, "")


def _images(words: list[str]) -> Case:
    if "scan" in words:  # each page is a member of the collection
        at = words.index("scan")
        return Case("scans", " ".join(words[:at]), " ".join(words[at + 1 :]))
    group = [word for word in words if word in COLLECTIONS]
    return Case(" ".join(group), " ".join(word for word in words if word not in group), "")


READ: Final[Mapping[str, Callable[[list[str]], Case]]] = {
    "spmspv": _products,
    "triangles": _graphs,
    "convolution": _grids,
    "alpha": _images,
    "similarity": _images,
}


def case_of(experiment: str, case: str) -> Case:
    """
    Return what a case of an experiment names.

    Examples
    --------
    >>> case_of("spmspv", "picked csc 10% west1505")
    Case(group='10%', way='picked csc', member='west1505')
    >>> case_of("convolution", "masked 0.3%")
    Case(group='0.3%', way='masked', member='')
    """
    return READ[experiment](case.split())


def geometric(ratios: Iterable[float]) -> Mean:
    """
    Return the geometric mean of ratios.

    Examples
    --------
    >>> geometric([1.0, 4.0])
    Mean(mean=2.0, least=1.0, most=4.0, count=2)
    """
    every = list(ratios)
    mean = exp(sum(map(log, every)) / len(every))
    return Mean(mean, min(every), max(every), len(every))


def means(
    experiment: str, rows: Iterable[Row], variant: str
) -> dict[tuple[str, str], dict[str, Mean]]:
    """Return the geometric means of the ratios of each group and way, over each peer."""
    ratios: dict[tuple[str, str], dict[str, list[float]]] = {}
    for row in rows:
        if row.variant == variant:
            case = case_of(experiment, row.case)
            peers = ratios.setdefault((case.group, case.way), {})
            peers.setdefault(row.peer, []).append(row.ratio)
    return {
        key: {peer: geometric(found) for peer, found in peers.items()}
        for key, peers in ratios.items()
    }


def density_of(group: str) -> float | None:
    """
    Return the density in percent that a group of random grids names; None for other grids.

    Examples
    --------
    >>> density_of("0.3%"), density_of("omniglot 12%")
    (0.3, None)
    """
    return None if " " in group or not group.endswith("%") else float(group[:-1])


def break_even(points: Iterable[tuple[float, float]]) -> float | None:
    """
    Return where a ratio that falls with the density is 1, by logarithms between neighbours.

    Parameters
    ----------
    points : iterable of (float, float)
        Densities and ratios.

    Returns
    -------
    float or None
        None where it is above 1 everywhere, or below.

    Examples
    --------
    >>> break_even([(1.0, 10.0), (10.0, 0.1)])
    3.1622776601683795
    """
    every = sorted(points)
    for (before, high), (after, low) in pairwise(every):
        if high >= 1 > low:
            part = log(high) / (log(high) - log(low))
            return exp(log(before) + part * (log(after) - log(before)))
    return None
