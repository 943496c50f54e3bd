"""Every legal tree of levels, and data that fits it, as strategies of Hypothesis."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from hypothesis import strategies as st

from structarr._testing.fuzz.fitting import fits, fitted
from structarr._testing.fuzz.trees import OFFSETS, choices
from structarr.errors import FormatError
from structarr.formats import Diagonals, Element, Format, Level, Pattern, Tiles, Triangular
from structarr.formats.fit import check_tree

__all__ = ["fits", "fitted", "formats_for", "is_refused"]

Draw = Callable[..., Any]


@st.composite
def formats_for(draw: Draw, shape: tuple[int, ...], dtype: Any = "float64") -> Format:
    """A legal format for arrays of a shape and a dtype: levels in any order over any axes."""
    ndim = len(shape)
    order = tuple(draw(st.permutations(range(ndim))))
    square = ndim > 1 and shape[order[0]] == shape[order[1]]
    kinds: list[type[Level]] = []
    for depth in range(ndim):
        kinds.append(draw(st.sampled_from(choices(kinds, depth, ndim, square))))
    drops = all(kind.writing.drops_fill for kind in kinds)
    exact = bool(kinds) and kinds[-1].stores_nonfill_only and drops
    patterned = exact and np.dtype(dtype) == bool and draw(st.booleans())
    root: Level = Pattern() if patterned else Element()
    for kind in reversed(kinds):
        root = kind(root, *draw(_details(kind, [shape[axis] for axis in order[:2]])))
    check_tree(Format(root, order).levels)
    return Format(root, order, draw(st.sampled_from(["int64", "int32"])))


def _details(kind: type[Level], dims: list[int]) -> st.SearchStrategy[tuple[Any, ...]]:
    if kind is Triangular:
        return st.tuples(st.sampled_from(["upper", "lower"]), st.integers(-2, 2))
    if kind is Diagonals:
        return st.tuples(st.sampled_from(OFFSETS))
    if kind is Tiles:
        height, width = (2 if dim % 2 == 0 else 1 for dim in dims)
        return st.sampled_from([(None, None), (height, width), (1, width)])
    return st.just(())


def is_refused(build: Callable[[], object]) -> bool:
    """Whether storing something is refused because it does not fit."""
    try:
        build()
    except FormatError as error:
        assert "cannot be stored as" in str(error) or "holds bool arrays" in str(error), error
        return True
    return False
