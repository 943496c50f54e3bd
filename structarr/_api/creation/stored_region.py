"""Where an array stores something."""

from __future__ import annotations

from typing import Any

import numpy as np

from structarr._api.core.eager import eager
from structarr._api.core.operands import as_array
from structarr._api.creation.full import full
from structarr._array import FUNCTIONS, Array, of_tensor, stored as value_of
from structarr._storage.coordinates import is_listed
from structarr._storage.tensor import Tensor
from structarr._support.array_types import ArrayLike
from structarr.formats import Format, Level, Pattern


@eager
def stored(a: ArrayLike, /) -> Array:
    """
    Return where an array stores an element: of ragged rows, all but the padding.

    It is the `where` of reductions that are to count what is there, and nothing else.

    Parameters
    ----------
    a : array_like
        An array; its value is computed.

    Returns
    -------
    Array
        Of booleans, in the format of `a` without values, whose coordinates are not copied; a
        constant True where `a` leaves nothing out.

    Raises
    ------
    DensificationError
        If the value of `a` is dense, nobody asked for that, and it is too large.

    See Also
    --------
    Array.nnz : How many elements that are.
    with_fill : Another value where nothing is stored.

    Examples
    --------
    >>> import structarr as sa
    >>> a = sa.asarray([[3.0, 1.0], [5.0]])
    >>> a.mean(axis=1).tolist(), a.mean(axis=1, where=sa.stored(a)).tolist()
    ([2.0, 2.5], [2.0, 5.0])
    """
    array = as_array(a)
    tensor = value_of(array)
    if not is_listed(tensor):
        return full(array.shape, True)
    format = tensor.format
    own = Format(_without_values(format.root), format.order, format.index)
    places = tensor.buffers[: len(tensor.buffers) - len(format.levels[-1].buffers)]
    return of_tensor(Tensor(own, tensor.shape, np.dtype(bool), np.False_, places))


def _without_values(level: Level) -> Level:
    if level.leaf:
        return Pattern()
    fields: dict[str, Any] = {name: getattr(level, name) for name in level._fields}
    return type(level)(**{**fields, "child": _without_values(level.child)})


def entries(a: Array) -> Array:
    """Where SciPy would have an entry: what is stored, or is not the fill where all is stored."""
    return stored(a) if is_listed(value_of(a)) else a != a.fill_value


FUNCTIONS["entries"] = entries
