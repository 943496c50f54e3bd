"""Graph algorithms of SciPy on our arrays, whose stored elements are edges, zeros too."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from importlib import import_module
from typing import Any, Final, Literal

import numpy as np

from structarr._api.core.dense import densified
from structarr._api.creation.with_fill import with_fill
from structarr._array import Array, stored
from structarr._storage.coordinates import is_listed
from structarr.formats import name_of

Taker = Callable[[Array, str], Any]

_UNFIT: Final = ("read-only", "dtype mismatch")
"""What the errors of compiled functions say of buffers that they do not take."""


@cache
def _module() -> Any:
    return import_module("scipy.sparse.csgraph")  # its import takes some tenths of a second


def graph_of(array: Array, name: str) -> Any:
    """A graph for a function of both kinds: an array that stores every element stays dense.

    One by columns stays so, as functions of undirected graphs need not put it in order by rows.
    """
    if not is_listed(stored(array)):
        return densified(array, name)
    return edges_of(array, name, "csc" if name_of(array.format) == "csc" else "csr")


def edges_of(array: Array, name: str, layout: Literal["csc", "csr"] = "csr") -> Any:
    """A graph as a matrix of SciPy's, with an edge for each element that is stored.

    Its values are those of the array, read-only.
    """
    tensor = stored(array)
    if tensor.fill != 0:
        if np.isfinite(tensor.fill):
            raise ValueError(
                f"{name}: a fill of 0, inf or NaN means that there is no edge where nothing is "
                f"stored; this one is {tensor.fill}; see structarr.with_fill"
            )
        array = with_fill(array, 0)
    return array.to_scipy(layout)


def called(taken: Taker, name: str, graph: Any, **others: Any) -> Any:
    """Call one of SciPy's functions with a graph as it takes it, and the rest as NumPy's arrays.

    Few of them work on the graph in place, or take int32 indices alone: they get a copy that fits.
    """
    plain = {
        key: densified(value, name) if isinstance(value, Array) else value
        for key, value in others.items()
    }
    function = getattr(_module(), name)
    if not isinstance(graph, Array):
        return function(graph, **plain)
    given = taken(graph, name)
    try:
        return function(given, **plain)
    except ValueError as error:
        if not any(problem in str(error) for problem in _UNFIT):
            raise
    own = given.copy()
    if getattr(own, "format", None) in ("csr", "csc"):
        from structarr.interop.scipy import narrow  # SciPy takes 0.2 s to import

        own = narrow(own)
    return function(own, **plain)
