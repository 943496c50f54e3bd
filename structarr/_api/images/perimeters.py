"""The lengths of the borders of regions."""

from __future__ import annotations

from typing import Any

import numpy as np

from structarr._api.images.boundaries import boundaries
from structarr._api.images.rows import as_runs
from structarr._api.programs.loops import kernel
from structarr._api.programs.over_runs import runs
from structarr._array import Array


def perimeters(labels: Array, count: int) -> Any:
    """
    The perimeter of each label of a plane.

    A region's border are the elements with one of another region, or outside, above, below or
    beside them. Its line goes through their centers: an element counts 1 where it goes straight
    on, the root of 2 where it turns twice across corners, and their mean where it turns once.
    """
    own = labels * boundaries(labels, True, True)
    border = as_runs(np.pad(own, ((1, 1), (0, 0))))  # type: ignore[arg-type]
    found = np.zeros(count + 1)
    _add_lengths(border, _weights(), found)
    return found[1:]


def _weights() -> Any:
    """What an element counts by its neighbours on the border: 2 for one beside, 10 for a corner."""
    weights = np.zeros(50)
    weights[[5, 7, 15, 17, 25, 27]] = 1
    weights[[21, 33]] = np.sqrt(2)
    weights[[13, 23]] = (1 + np.sqrt(2)) / 2
    return weights


def _same(a: Any, b: Any) -> Any:
    """1 for equal labels, else 0."""
    return 1 if a == b else 0


def _add(found: Any, weights: Any, times: Any, m: Any, beside: Any, corners: Any) -> None:
    """Add what elements count that have so many neighbours."""
    if m != 0:
        found[m] += times * weights[1 + 2 * beside + 10 * corners]


@kernel
def _add_lengths(border: Any, weights: Any, found: Any) -> None:
    """Visit each piece of three rows: its first element, those within, and its last.

    The last one waits for what comes behind it: `beside` and `corners` of its neighbours are known.
    """
    for y in range(1, border.shape[0] - 1):
        a = 0
        m = 0
        b = 0  # the column before: labels above, here and below
        beside = 0
        corners = 0
        end = 0
        for start, stop, over, here, under in runs(border[y - 1], border[y], border[y + 1]):
            if start > end:
                _add(found, weights, 1, m, beside, corners)
                a = 0
                m = 0
                b = 0
            else:
                right = _same(over, m) + _same(under, m)
                _add(found, weights, 1, m, beside + _same(here, m), corners + right)
            own = _same(over, here) + _same(under, here)
            beside = own + _same(m, here)
            corners = _same(a, here) + _same(b, here)
            if stop - start > 1:
                _add(found, weights, 1, here, beside + 1, corners + own)
                _add(found, weights, stop - start - 2, here, own + 2, 2 * own)
                beside = own + 1
                corners = own
            a = over
            m = here
            b = under
            end = stop
        _add(found, weights, 1, m, beside, corners)
