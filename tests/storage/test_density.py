"""The limit on memory that nobody asked for."""

import numpy as np
import pytest

import structarr as sa
from structarr._storage.dense import from_dense
from structarr._storage.density import check_density, check_size
from structarr.errors import DensificationError


def test_refusal_says_what_takes_how_much_and_what_to_do() -> None:
    with sa.options(densify_limit=10), pytest.raises(DensificationError) as refusal:
        check_size(11, "the thing", "make it smaller", 10)
    assert str(refusal.value) == (
        "the thing takes 11 bytes, more than densify_limit=10: make it smaller, or allow it with "
        "structarr.options(densify_limit=11)"
    )


@pytest.mark.parametrize(("limit", "announced"), [(10, 0), (0, 10), (10, 10)])
def test_as_much_as_allowed_or_announced_is_taken(limit: int, announced: int) -> None:
    with sa.options(densify_limit=limit):
        check_size(10, "the thing", "make it smaller", announced)


def test_dense_copy_is_refused_when_it_is_larger_than_the_tensor() -> None:
    tensor = from_dense(np.zeros((4, 4), np.int32))
    with sa.options(densify_limit=0):
        check_density(tensor)
        with pytest.raises(DensificationError, match=r"shape \(4, 4\) and dtype int64 takes 128"):
            check_density(tensor, np.dtype(np.int64))


def test_dense_results_that_no_operand_announces_are_refused() -> None:
    column = sa.asarray(np.eye(20, 1), format="csr")
    with (
        sa.options(densify_limit=100, tier="interpreted"),
        pytest.raises(DensificationError, match=r"the result of shape \(20, 20\) takes 3200"),
    ):
        (column @ column.T).asformat("dense").compute()


def test_dense_copy_that_was_asked_for_is_refused_where_memory_has_no_room() -> None:
    a = sa.from_coordinates(([1], [2]), [3.0], shape=(10**6, 10**7))
    with pytest.raises(DensificationError, match=r"80000000000000 bytes.*copy a part"):
        a.todense()
    assert a[:2, :4].todense().tolist() == [[0.0] * 4, [0.0, 0.0, 3.0, 0.0]]


def test_lengths_that_are_no_numbers_are_refused() -> None:
    with pytest.raises(ValueError, match="cannot compute length"):
        sa.arange(np.nan)
    with pytest.raises(DensificationError, match="infinitely many"):
        sa.arange(np.inf)
