"""One comparison of an operation on runs with peers on pixels: time, memory, and conversion."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

import structarr as sa
from benchmarks.everyday_timing import Contender, race, warmed
from benchmarks.masks_memory import peak
from benchmarks.report import Row, row

Call = Callable[..., Any]


@dataclass(frozen=True)
class Case:
    """
    An operation, ours on runs and the peers' on pixels.

    Attributes
    ----------
    name : str
        What is done, and to what.
    pixels : tuple of numpy.ndarray
        The images.
    ours : callable
        Takes arrays that are stored as runs; computes all of its result.
    peers : mapping of str to callable
        Take the images.
    same : callable
        Takes our result and a peer's; whether they are equal.
    is_truth : bool
        Whether the images have two values, 0 and 1, which peers take as uint8.
    """

    name: str
    pixels: tuple[Any, ...]
    ours: Call
    peers: Mapping[str, Call]
    same: Callable[[Any, Any], bool]
    is_truth: bool = False


def stored(pixels: Any, is_truth: bool) -> sa.Array:
    """Return an image as runs; one of two values as booleans, of the same bytes."""
    return sa.asarray(pixels.view(np.bool_) if is_truth else pixels, format="sparse-rle")


def anew(array: Any) -> Any:
    """Return an array in memory of its own, of which nothing is remembered."""
    return array.copy()


def compared(case: Case, seconds: float) -> Iterator[Row]:
    """
    Yield rows of a case: of runs, from pixels, and of bytes.

    Variant "runs" takes operands that are stored as runs, made anew for each call; "from pixels"
    converts the same pixels to runs within the clock; "bytes peak" is the most memory of a call
    beside its operands.
    """
    kept = tuple(stored(one, case.is_truth) for one in case.pixels)
    mine = Contender(case.ours, lambda: tuple(map(anew, kept)))
    whole = Contender(
        lambda *pixels: case.ours(*[stored(one, case.is_truth) for one in pixels]),
        lambda: case.pixels,
    )
    others = {
        name: Contender(call, lambda: tuple(map(anew, case.pixels)))
        for name, call in case.peers.items()
    }
    result = warmed(mine)
    warmed(whole)
    checked = {name: case.same(result, warmed(one)) for name, one in others.items()}
    times = race({"runs": mine, "from pixels": whole, **others}, seconds)
    taken = peak(mine)
    for name, one in others.items():
        for variant in ("runs", "from pixels"):
            yield row(case.name, variant, times[variant], name, times[name], checked[name])
        yield row(case.name, "bytes peak", taken, name, peak(one), checked[name])


def equal(ours: Any, theirs: Any) -> bool:
    """Whether two images are equal."""
    return bool(np.array_equal(np.asarray(ours), np.asarray(theirs)))


def close(ours: Any, theirs: Any) -> bool:
    """Whether two images are equal but for single precision."""
    return np.allclose(np.asarray(ours), np.asarray(theirs), rtol=1e-5, atol=1e-5)


def alike(ours: Any, theirs: Any) -> bool:
    """Whether two maps of labels have the same regions, however these are numbered."""
    one, other = (np.asarray(found).reshape(-1).astype(np.int64) for found in (ours, theirs))
    pairs = np.unique(one * (other.max(initial=0) + 1) + other)
    counts = {len(pairs), len(np.unique(one)), len(np.unique(other))}
    return len(counts) == 1 and np.array_equal(one == 0, other == 0)
