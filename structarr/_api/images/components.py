"""Connected components of runs, by union and find from row to row.

Each run is a node, numbered in the order of rows. Runs of two rows that touch are united under the
one that comes first, so that the components are numbered by their first elements. Two cursors find
them: that on whose run ends first moves on, so that there is a step for each pair that touches, not
for each piece into which the runs of the rows cut each other. Which moves is not foreseen, and is
computed without a branch. Across corners a cursor has to go back at times. A row is united with all
rows at its sides before the next one is: a run that is new needs no search for the node under which
it stands.
"""

from __future__ import annotations

from functools import cache
from typing import Any, Final

import numpy as np

from structarr._api.images.rows import labelled_runs, planes_and_rows, truth, with_values
from structarr._api.images.structures import generate_binary_structure, neighbours
from structarr._api.programs.loops import kernel
from structarr._array import Array, stored
from structarr._support.array_types import ArrayLike, DTypeLike
from structarr._support.dtypes import largest

USUAL: Final[np.dtype[Any]] = np.dtype(np.int32)
"""Of labels, as in SciPy."""

MOST: Final = largest(USUAL)
"""So many runs at most are numbered by 32 bits."""


def label(
    input: ArrayLike,
    structure: ArrayLike | None = None,
    output: DTypeLike | None = None,
    *,
    connectivity: int = 1,
    by_value: bool = False,
) -> tuple[Array, int]:
    """
    Number the connected components of an image, as `scipy.ndimage.label` does.

    Parameters
    ----------
    input : array_like
        An image of one to three axes; what is not 0 is inside.
    structure : array_like, optional
        The neighbours of the element in the middle, of three elements along each axis; in
        the place of `connectivity`.
    output : dtype_like, optional
        The dtype of the labels, of whole numbers; int32 if left out, as in SciPy. Labels of fewer
        bits take less memory. Unlike SciPy's it is no array that the labels are put into: they are
        stored as runs.
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
        If the connectivity is not from 1 to the number of axes, there are more than three axes, or
        the structure has other extents, is not the same on opposite sides, or has no neighbours
        along the last axis, as runs have; or if there are more components than `output` holds.
    TypeError
        If `by_value` is set and the image is not of integers, or `output` is no dtype of integers.

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
    own = labelled_runs(input) if by_value else stored(truth(input))
    depth, height = planes_and_rows(own)
    sides, by_faces = _sides(own.ndim, structure, connectivity)
    number = _across_faces if by_faces else _across_corners
    ptr, starts, stops, values = map(np.asarray, own.buffers)
    enough = USUAL if len(values) < MOST else np.dtype(np.int64)
    wanted = enough if output is None else _whole(output)
    most = largest(wanted)
    is_enough = len(values) <= most  # so many components at most
    parent = np.arange(len(values), dtype=wanted if is_enough else enough)
    found = number(ptr, starts, stops, values, parent, sides, depth, height, by_value)
    if found > most:
        raise ValueError(f"{found} components do not fit into {wanted}")
    return with_values(own, parent.astype(wanted, copy=False)), found


def _whole(output: DTypeLike) -> np.dtype[Any]:
    """A dtype of whole numbers."""
    if isinstance(output, np.ndarray | Array):
        raise TypeError("labels are stored as runs, and put into no array: give output= a dtype")
    found: np.dtype[Any] = np.dtype(output)
    if found.kind not in "iu":
        raise TypeError(f"labels are integers, not {found}")
    return found


def _sides(ndim: int, structure: ArrayLike | None, connectivity: int) -> tuple[Any, bool]:
    """The rows before a row whose runs may touch its own, and whether across faces alone."""
    if structure is None:
        if not 1 <= connectivity <= ndim:
            raise ValueError(f"connectivity is from 1 to {ndim} here, not {connectivity}")
        return _directions(ndim, connectivity)
    near = neighbours(structure, ndim)
    if near.shape != (3,) * ndim or (near != np.flip(near)).any():
        raise ValueError(
            "structure has three elements along each axis, the same on opposite sides of the "
            "middle: for connectivity give a number by its name, connectivity="
        )
    return directions(near)


@cache
def _directions(ndim: int, connectivity: int) -> tuple[Any, bool]:
    return directions(generate_binary_structure(ndim, connectivity))


def directions(near: np.ndarray) -> tuple[Any, bool]:
    """Those of neighbours: planes back, rows back, and steps.

    The steps are the first and the last one along rows to a neighbour there. Runs touch across
    corners, too, where one ends at the element before the other.
    """
    space = near.reshape((1,) * (3 - near.ndim) + near.shape)
    middle = tuple([n // 2 for n in space.shape])
    if not space[middle[:-1]].sum() == 2 + space[middle]:
        raise ValueError(
            "structure has neighbours along the last axis, as the elements of runs are"
        )
    found = []
    for z, y in np.argwhere(space.any(axis=-1))[::-1].tolist():
        planes, rows = middle[0] - z, middle[1] - y
        steps = np.flatnonzero(space[z, y]) - 1
        if (planes, rows) <= (0, 0):
            continue
        if len(steps) != steps[-1] - steps[0] + 1:
            raise ValueError("structure has the neighbour between two of a row, as runs have")
        found.append((planes, rows, steps[0], steps[-1]))
    sides = np.array(found, np.int64).reshape(-1, 4)
    return sides, not sides[:, 2:].any()


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
def _across_faces(
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
    """Unite the runs that touch, each row with those at its sides, and number the components.

    Of the two runs that are met, one ends first, or both do. That there is a start, a stop, a value
    and a node for each run is asked for once for a row, so that one check of a cursor is enough.
    """
    count = 0
    size = len(parent)
    for z in range(depth):
        for y in range(height):
            row = z * height + y
            for k in range(sides.shape[0]):
                before = y - sides[k, 1]
                near = z >= sides[k, 0] and 0 <= before < height
                if near and len(starts) == size and len(stops) == size and len(values) == size:
                    other = (z - sides[k, 0]) * height + before
                    p = ptr[row]
                    last = ptr[row + 1]
                    q = ptr[other]
                    end = ptr[other + 1]
                    while p < last and q < end:
                        stop = stops[p]
                        over = stops[q]
                        if (starts[q] < stop) & (starts[p] < over):
                            same = (not by_value) | (values[p] == values[q])
                            _join(parent, p, q, same)
                        p += 1 if stop <= over else 0
                        q += 1 if over <= stop else 0
        if z + 1 == depth:
            count = _count(parent)
    return count


@kernel
def _across_corners(
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
    """The same of runs that touch by other steps, too, so that those of each run are visited.

    The last of them may touch the next run, too, and at a corner two may.
    """
    count = 0
    for z in range(depth):
        for y in range(height):
            row = z * height + y
            for k in range(sides.shape[0]):
                before = y - sides[k, 1]
                if z >= sides[k, 0] and 0 <= before < height:
                    other = (z - sides[k, 0]) * height + before
                    first = sides[k, 2]
                    last = sides[k, 3]
                    back = 2 if last - first == 2 else 1
                    q = ptr[other]
                    end = ptr[other + 1]
                    for p in range(ptr[row], ptr[row + 1]):
                        start = starts[p]
                        stop = stops[p] + last
                        value = values[p]
                        while q < end and stops[q] - first <= start:
                            q += 1
                        m = q
                        while m < end and starts[m] < stop:
                            _join(parent, p, m, not by_value or values[m] == value)
                            m += 1
                        q = max(q, m - back)
        if z + 1 == depth:
            count = _count(parent)
    return count
