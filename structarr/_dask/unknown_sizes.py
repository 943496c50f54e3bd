"""Chunks whose sizes are not known before they are computed, such as those of a chosen part."""

from __future__ import annotations

from collections.abc import Iterable
from math import isnan
from typing import Any, Final

GUESSED: Final = 2.0**20
"""For how long an axis of unknown length is taken, where costs are compared."""


def is_known(x: Any, axes: Iterable[int]) -> bool:
    """Whether the sizes of a Dask array's chunks along some axes are known."""
    return not any(isnan(n) for axis in axes for n in x.chunks[axis])


def length_or_guess(length: float) -> float:
    """A length, or a guess where it is not known."""
    return GUESSED if isnan(length) else float(length)


def may_be_equal(one: float, other: float) -> bool:
    """Whether two lengths are the same, as far as they are known.

    Examples
    --------
    >>> may_be_equal(3, float("nan")), may_be_equal(3, 4)
    (True, False)
    """
    return one == other or isnan(one) or isnan(other)


def can_be_joined(x: Any, axes: Iterable[int]) -> bool:
    """Whether the chunks along axes are one each, or can be joined to one."""
    return all(x.numblocks[axis] == 1 or is_known(x, [axis]) for axis in axes if axis < x.ndim)


def joined(x: Any, axes: Iterable[int]) -> Any:
    """The array with one chunk along axes."""
    return x.rechunk({axis: -1 for axis in axes if x.numblocks[axis] > 1})


def check_joined(x: Any, axes: Iterable[int], what: str) -> None:
    """Raise ValueError where chunks of unknown sizes would have to be joined."""
    if not can_be_joined(x, axes):
        raise ValueError(told(what, x))


def check_known(x: Any, what: str) -> None:
    """Raise ValueError where the size of a chunk is not known."""
    if not is_known(x, range(x.ndim)):
        raise ValueError(told(what, x))


def cut_as(x: Any, chunks: tuple[tuple[float, ...], ...], what: str) -> Any:
    """
    The array in given chunks.

    Along an axis where sizes are not known nothing is cut: there must be as many chunks as asked,
    which are taken to be alike, as Dask takes them.
    """
    lengths: dict[int, Any] = {}
    for axis, sizes in enumerate(chunks):
        if not any(map(isnan, (*sizes, *x.chunks[axis]))):
            lengths[axis] = sizes
        elif len(sizes) != x.numblocks[axis]:
            raise ValueError(told(what, x))
    return x.rechunk(lengths) if lengths else x


def told(what: str, x: Any) -> str:
    """What is said of an array that cannot be cut anew."""
    return (
        f"{what} has chunks of unknown sizes (its shape is {x.shape}), and has to be cut anew for "
        "this: compute them first, by x.compute_chunk_sizes()"
    )
