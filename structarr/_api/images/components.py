"""Connected components of runs, by union and find from row to row.

Each run is a node, numbered in the order of rows. Runs of two rows that touch are united under the
one that comes first, so that the components are numbered by their first elements.
"""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np

from structarr._api.images.rows import as_volume, labelled, truth, values_of, with_values
from structarr._api.programs.loops import kernel
from structarr._api.programs.over_runs import runs
from structarr._array import Array
from structarr._support.array_types import ArrayLike

LEAST = np.int32


def label(
    image: ArrayLike, /, connectivity: int = 1, *, by_value: bool = False
) -> tuple[Array, int]:
    """
    Number the connected components of an image, as `scipy.ndimage.label` does.

    Parameters
    ----------
    image : array_like
        Of one to three axes; what is not 0 is inside.
    connectivity : int
        Along how many axes neighbours may differ at once, at most: 1 for neighbours across faces
        (4 in a plane, 6 in space), up to the number of axes for all (8 in a plane, 26 in space).
    by_value : bool
        Whether elements are connected only if they are equal, as `skimage.measure.label` has it.

    Returns
    -------
    labels : Array
        Integers, in format "sparse-rle", computed at the call: 0 outside, and the components from
        1 on, in the order of their first elements.
    count : int
        The number of components.

    Raises
    ------
    ValueError
        If the connectivity is not from 1 to the number of axes, or there are more than three axes.
    TypeError
        If `by_value` is set and the image is not of integers.

    See Also
    --------
    regions : Properties of components.
    remove_small_objects : Leaves out small components.

    Notes
    -----
    It takes time for each run, not for each element, about the same for each of the directions
    from row to row: one in a plane, two to four in space.

    Examples
    --------
    >>> import numpy as np
    >>> from structarr import ndimage
    >>> labels, count = ndimage.label(np.array([[1, 1, 0, 1], [0, 0, 0, 1], [1, 0, 1, 0]]))
    >>> labels.todense()
    array([[1, 1, 0, 2],
           [0, 0, 0, 2],
           [3, 0, 4, 0]], dtype=int32)
    >>> ndimage.label(np.array([[1, 0], [0, 1]]), connectivity=2)[1]
    1
    """
    own = labelled(image) if by_value else truth(image)
    if not 1 <= connectivity <= own.ndim:
        raise ValueError(f"connectivity is from 1 to {own.ndim} here, not {connectivity}")
    count = len(values_of(own))
    dtype = LEAST if count < np.iinfo(LEAST).max else np.int64
    numbers = np.arange(1, count + 1, dtype=dtype)
    volume, parent = as_volume(with_values(own, numbers)), np.arange(count + 1, dtype=dtype)
    values = values_of(own)
    for planes, rows, reach in directions(connectivity):
        if planes < volume.shape[0] and abs(rows) < volume.shape[1]:
            if by_value:
                _unite_equal(volume, values, parent, planes, rows)
            else:
                _unite(volume, parent, planes, rows)
            if reach:
                _unite_corners(volume, values, parent, planes, rows, by_value)
    found = _numbered(parent)
    return with_values(own, parent[1:]), found


def directions(connectivity: int) -> list[tuple[int, int, int]]:
    """The rows before a row whose runs may touch its own: planes back, rows back, and reach.

    A reach of 1 means that runs touch, too, where one ends at the element before the other.
    """
    steps = product((0, 1), (-1, 0, 1))
    found = []
    for planes, rows in steps:
        differ = abs(planes) + abs(rows)
        if (planes, rows) > (0, 0) and differ <= connectivity:
            found.append((planes, rows, int(differ < connectivity)))
    return found


def _root(parent: Any, node: Any) -> Any:
    """The node under which another stands; ways that are taken become shorter."""
    while parent[node] != node:
        parent[node] = parent[parent[node]]
        node = parent[node]
    return node


def _join(parent: Any, a: Any, b: Any) -> None:
    """Unite two components under the node that comes first."""
    if parent[a] != parent[b]:
        a = _root(parent, a)
        b = _root(parent, b)
        parent[max(a, b)] = min(a, b)


@kernel
def _unite(numbers: Any, parent: Any, planes: int, rows: int) -> None:
    """Unite the runs that overlap, of all pairs of rows so many planes and rows apart."""
    for z in range(planes, numbers.shape[0]):
        for y in range(max(rows, 0), numbers.shape[1] + min(rows, 0)):
            for _start, _stop, a, b in runs(numbers[z, y], numbers[z - planes, y - rows]):
                if a != 0 and b != 0:
                    _join(parent, a, b)


@kernel
def _unite_equal(numbers: Any, values: Any, parent: Any, planes: int, rows: int) -> None:
    """The same of runs of equal values."""
    for z in range(planes, numbers.shape[0]):
        for y in range(max(rows, 0), numbers.shape[1] + min(rows, 0)):
            for _start, _stop, a, b in runs(numbers[z, y], numbers[z - planes, y - rows]):
                if a != 0 and b != 0 and values[a - 1] == values[b - 1]:
                    _join(parent, a, b)


@kernel
def _unite_corners(
    numbers: Any, values: Any, parent: Any, planes: int, rows: int, by_value: bool
) -> None:
    """Unite runs of which one ends where the other begins, in so distant rows."""
    for z in range(planes, numbers.shape[0]):
        for y in range(max(rows, 0), numbers.shape[1] + min(rows, 0)):
            a = 0
            b = 0
            end = -1
            for start, stop, c, d in runs(numbers[z, y], numbers[z - planes, y - rows]):
                if start == end:
                    new = c != a and c != 0 and b != 0
                    if new and (not by_value or values[c - 1] == values[b - 1]):
                        _join(parent, c, b)
                    new = d != b and d != 0 and a != 0
                    if new and (not by_value or values[d - 1] == values[a - 1]):
                        _join(parent, d, a)
                a = c
                b = d
                end = stop


@kernel
def _numbered(parent: Any) -> Any:
    """Number the components; return how many there are."""
    count = 0
    k = 1
    while k < parent.shape[0]:
        if parent[k] == k:
            count += 1
            parent[k] = count
        else:
            parent[k] = parent[parent[k]]
        k += 1
    return count
