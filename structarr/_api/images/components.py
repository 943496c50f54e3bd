"""Connected components of runs, by union and find from row to row.

Each run is a node, numbered in the order of rows. Runs of two rows that touch are united under the
one that comes first, so that the components are numbered by their first elements. A cursor of the
other row finds them: it passes the runs that end before a run begins, so that there is a step for
each pair that touches, not for each piece into which the runs of the rows cut each other.
"""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np

from structarr._api.images.rows import as_volume, labelled, truth, with_values
from structarr._api.programs.loops import kernel
from structarr._array import Array, stored
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
    volume = stored(as_volume(own))
    depth, height = volume.shape[:2]
    ptr, starts, stops, values = volume.buffers
    dtype = LEAST if len(values) < np.iinfo(LEAST).max else np.int64
    parent = np.arange(len(values) + 1, dtype=dtype)
    for planes, rows, reach in directions(connectivity):
        if planes < depth and abs(rows) < height:
            _unite(
                np.asarray(ptr), np.asarray(starts), np.asarray(stops), np.asarray(values), parent,
                depth, height, planes, rows, reach, by_value,
            )  # fmt: skip
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
    """Unite two components under the node that comes first, which both nodes are under then."""
    one = parent[a]
    other = parent[b]
    if one != other:
        one = _root(parent, one)
        other = _root(parent, other)
        least = min(one, other)
        parent[max(one, other)] = least
        parent[a] = least
        parent[b] = least


@kernel
def _unite(
    ptr: Any,
    starts: Any,
    stops: Any,
    values: Any,
    parent: Any,
    depth: int,
    height: int,
    planes: int,
    rows: int,
    reach: int,
    by_value: bool,
) -> None:
    """Unite the runs that touch, of all pairs of rows so many planes and rows apart."""
    for z in range(planes, depth):
        for y in range(max(rows, 0), height + min(rows, 0)):
            row = z * height + y
            other = (z - planes) * height + y - rows
            q = ptr[other]
            end = ptr[other + 1]
            for p in range(ptr[row], ptr[row + 1]):
                start = starts[p]
                stop = stops[p] + reach
                while q < end and stops[q] + reach <= start:
                    q += 1
                k = q
                while k < end and starts[k] < stop:
                    if not by_value or values[p] == values[k]:
                        _join(parent, p + 1, k + 1)
                    k += 1
                q = max(q, k - 1 - reach)  # the last may touch the next run, at a corner two may


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
