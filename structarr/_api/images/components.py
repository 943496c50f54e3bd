"""Connected components of runs, by union and find from row to row.

Each run is a node, numbered in the order of rows. Runs of two rows that touch are united under the
one that comes first, so that the components are numbered by their first elements. A cursor of the
other row finds them: it passes the runs that end before a run begins, so that there is a step for
each pair that touches, not for each piece into which the runs of the rows cut each other. A row is
united with all rows at its sides before the next one is: a run that is new needs no search for the
node under which it stands.
"""

from __future__ import annotations

from functools import cache
from itertools import product
from typing import Any, Final

import numpy as np

from structarr._api.images.rows import labelled, planes_and_rows, truth, with_values
from structarr._api.programs.loops import kernel
from structarr._array import Array, stored
from structarr._support.array_types import ArrayLike

MOST: Final = int(np.iinfo(np.int32).max)
"""So many runs at most are numbered by 32 bits."""


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
    depth, height = planes_and_rows(own)
    ptr, starts, stops, values = map(np.asarray, stored(own).buffers)
    dtype = np.int32 if len(values) < MOST else np.int64
    parent = np.arange(len(values), dtype=dtype)
    sides = directions(connectivity)
    found = _number(ptr, starts, stops, values, parent, sides, depth, height, by_value)
    return with_values(own, parent), found


@cache
def directions(connectivity: int) -> Any:
    """The rows before a row whose runs may touch its own: planes back, rows back, and reach.

    A reach of 1 means that runs touch, too, where one ends at the element before the other.
    """
    steps = product((0, 1), (-1, 0, 1))
    found = []
    for planes, rows in steps:
        differ = abs(planes) + abs(rows)
        if (planes, rows) > (0, 0) and differ <= connectivity:
            found.append((planes, rows, int(differ < connectivity)))
    return np.array(found, np.int64)


def _root(parent: Any, node: Any) -> Any:
    """The node under which another stands; ways that are taken become shorter."""
    while parent[node] != node:
        parent[node] = parent[parent[node]]
        node = parent[node]
    return node


def _join(parent: Any, own: Any, other: Any, same: Any) -> None:
    """Put a run, most often a new one, and one of a row before under the first node of theirs.

    Runs that are not of one component stay apart. Whether they are is not foreseen, so that nothing
    but the rare union of two nodes hangs on it.
    """
    a = parent[own]
    b = parent[other]
    b = b if same else a
    if a != b and a != own:
        a = _root(parent, a)
        b = _root(parent, b)
        parent[max(a, b)] = min(a, b)
    parent[own] = min(a, b)


def _count(parent: Any) -> Any:
    """Number the components, from 1 on, in the place of the nodes; return how many there are."""
    count = 0
    for k in range(parent.shape[0]):
        if parent[k] == k:
            count += 1
            parent[k] = count
        else:
            parent[k] = parent[parent[k]]
    return count


@kernel
def _number(
    ptr: Any,
    starts: Any,
    stops: Any,
    values: Any,
    parent: Any,
    sides: Any,
    depth: int,
    height: int,
    by_value: bool,
) -> Any:
    """Unite the runs that touch, each row with those at its sides, and number the components."""
    count = 0
    for z in range(depth):
        for y in range(height):
            row = z * height + y
            for k in range(sides.shape[0]):
                before = y - sides[k, 1]
                if z >= sides[k, 0] and 0 <= before < height:
                    other = (z - sides[k, 0]) * height + before
                    reach = sides[k, 2]
                    q = ptr[other]
                    end = ptr[other + 1]
                    for p in range(ptr[row], ptr[row + 1]):
                        start = starts[p]
                        stop = stops[p] + reach
                        value = values[p]
                        while q < end and stops[q] + reach <= start:
                            q += 1
                        m = q
                        while m < end and starts[m] < stop:
                            _join(parent, p, m, not by_value or values[m] == value)
                            m += 1
                        # The last may touch the next run, at a corner two may.
                        q = max(q, m - 1 - reach)
        if z + 1 == depth:
            count = _count(parent)
    return count
