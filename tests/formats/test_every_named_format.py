"""Named formats of matrices: what levels tell, how they are read, how results are written."""

from __future__ import annotations

import numpy as np
import pytest
from structure import values

import structarr as sa
from structarr._testing.storing import _levels
from structarr.errors import FormatError, ProgramError
from structarr.formats import names_for

NAMES = tuple(name for name in names_for(2) if name != "constant")


@pytest.mark.parametrize("name", NAMES)
def test_levels_tell_of_their_children(name: str) -> None:
    _levels(sa.asarray(values(name), format=name)._tensor)


@pytest.mark.parametrize("name", NAMES)
def test_elements_beside_lists_from_either_end(name: str) -> None:
    dense = values(name)
    array = sa.asarray(dense, format=name)
    lists = np.where(np.random.default_rng(3).random(dense.shape) < 0.4, 2, 0).astype(dense.dtype)
    with sa.options(tier="interpreted"):
        for other in (sa.asarray(lists, format="csr"), sa.asarray(lists)):
            for ours, plain in ((array, dense), (array[::-1, ::-1], dense[::-1, ::-1])):
                np.testing.assert_array_equal((ours * other).todense(), plain * lists)
                np.testing.assert_array_equal((other + ours).todense(), lists + plain)
            rows = np.array([2, 0])
            np.testing.assert_array_equal(
                (array[rows][:, 1] * other[:2, 1]).todense(), dense[rows][:, 1] * lists[:2, 1]
            )


@pytest.mark.parametrize("name", NAMES)
def test_results_are_written_in_each_format(name: str) -> None:
    dense = values(name)
    array = sa.asarray(dense, format=name)
    with sa.options(tier="interpreted"):
        for given in (array, sa.asarray(dense), sa.asarray(dense, format="csr")):
            found = (given * 2).asformat(name)
            _levels(found._tensor)
            np.testing.assert_array_equal(found.todense(), dense * 2)


@pytest.mark.parametrize("name", NAMES)
def test_programs_write_each_format_or_refuse_it(name: str) -> None:
    dense = values(name)
    for given in ("dense", "csr"):
        with sa.options(tier="interpreted"):
            try:
                a = sa.asarray(dense, format=given)
                found = sa.loops("c[i, j] = a[i, j] * 2", a=a, out=name).compute()
            except (FormatError, ProgramError):
                continue
            _levels(found._tensor)
            np.testing.assert_array_equal(found.todense(), dense * 2)
