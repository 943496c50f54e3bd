"""Lists along axes that are so long that pointers to each of their lists fill no memory."""

import pytest

import structarr as sa
from structarr.errors import DensificationError

LONG = 10**13
ROWS, COLUMNS, VALUES = [0, 1, 2, 2], [5, 10**11, 5, 7], [1.0, 2.0, 3.0, 4.0]


@pytest.fixture
def wide():
    return sa.from_coordinates((ROWS, COLUMNS), VALUES, (4, LONG), format="csr")


@pytest.mark.parametrize("format", ["csr", "bsr", "dia"])
def test_formats_of_each_row_are_refused_with_the_bytes_they_take(wide, format):
    with pytest.raises(DensificationError, match=r"pointers to \d+ lists takes \d+ bytes"):
        wide.T.asformat(format)


def test_columns_of_coordinates_are_refused():
    with pytest.raises(DensificationError, match=f"pointers to {LONG} lists"):
        sa.from_coordinates((ROWS, COLUMNS), VALUES, (4, LONG), format="csc")


def test_operands_are_put_in_order_by_sorting_entries(wide):
    with sa.options(tier="interpreted"):
        rows, narrow = wide.asformat("coo"), wide[:, [5, 7, 10**11]].todense()
        assert (wide @ wide.T).tolist() == (narrow @ narrow.T).tolist()
        gram = wide.T @ wide
        assert gram[5, 5] == 10.0
        assert gram[7, 5] == 12.0
        assert [axis.tolist() for axis in wide.T.nonzero()] == [[5, 5, 7, 10**11], [0, 2, 2, 1]]
        assert sa.array_equal(sa.cumsum(wide, axis=0)[2:3], wide[0:1] + wide[1:2] + wide[2:3])
        assert sa.array_equal(rows.T.T, wide)


def test_kronecker_products_beyond_int64_are_refused(wide):
    with pytest.raises(ValueError, match="more places on an axis than int64 counts"):
        sa.kron(wide, wide)
