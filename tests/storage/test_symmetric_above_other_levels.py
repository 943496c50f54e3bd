"""Matrices of fibers that are to be symmetric: each fiber is the mirrored one, one by one."""

import numpy as np
import pytest

import structarr as sa
from structarr.errors import FormatError
from structarr.formats import (
    Constant,
    Dense,
    Format,
    Level,
    SparseBand,
    SparseList,
    SparsePoint,
    SparseVBL,
    Symmetric,
)

BELOW: dict[str, Level] = {
    "dense": Dense(),
    "lists": SparseList(),
    "bands": SparseBand(),
    "points": SparsePoint(),
    "blocks": SparseVBL(),
}


@pytest.mark.parametrize("name", BELOW)
def test_fibers_that_differ_from_their_mirror_images_are_refused(name: str) -> None:
    format = Format(Dense(Symmetric(BELOW[name])), (1, 0, 2))
    data = np.zeros((3, 3, 4))
    data[0, 1, 2] = data[1, 0, 2] = data[2, 2, 3] = 1.0
    with sa.options(tier="interpreted"):
        np.testing.assert_array_equal(sa.asarray(data).asformat(format).todense(), data)
        for place, value in (((0, 1, 2), 2.0), ((0, 1, 2), 0.0), ((2, 0, 0), 3.0)):
            other = data.copy()
            other[place] = value
            with pytest.raises(FormatError, match="has no equal mirror image"):
                sa.asarray(other).asformat(format)
        moved = data.copy()
        moved[0, 1] = [1.0, 0.0, 0.0, 0.0]  # as many elements, elsewhere
        with pytest.raises(FormatError, match="has no equal mirror image"):
            sa.asarray(moved).asformat(format)


def test_symmetric_matrices_below_what_does_not_vary() -> None:
    data = np.repeat((np.ones((3, 3)) + np.eye(3))[None], 2, axis=0)
    format = Format(Constant(Dense(Symmetric())), (0, 1, 2))
    with sa.options(tier="interpreted"):
        np.testing.assert_array_equal(sa.asarray(data).asformat(format).todense(), data)
        data[:, 0, 1] = 5.0
        with pytest.raises(FormatError, match="has no equal mirror image"):
            sa.asarray(data).asformat(format)
