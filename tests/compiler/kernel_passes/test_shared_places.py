"""Results that store at the places of an operand share its coordinates."""

from __future__ import annotations

import numpy as np
import pytest

import structarr as sa
from structarr._testing.forcing import witnessed
from structarr.formats import Dense, Element, SparseList

RANDOM = np.random.default_rng(0)
VALUES = np.where(RANDOM.random((7, 5)) < 0.5, RANDOM.random((7, 5)), 0)
ROW, COLUMN, WHOLE = RANDOM.random(5), RANDOM.random((7, 1)), RANDOM.random((7, 5))
LEFT, RIGHT = RANDOM.random((7, 3)), RANDOM.random((3, 5))

SHARING = {
    "times a row": lambda a: a * ROW,
    "times a column": lambda a: a * COLUMN,
    "over a column": lambda a: a / COLUMN,
    "times both": lambda a: a * ROW * COLUMN,
    "times a matrix": lambda a: a * WHOLE,
    "times a diagonal matrix": lambda a: a @ sa.diag(ROW),
    "a function of a product": lambda a: sa.sqrt(a * ROW),
    "in another dtype": lambda a: a.astype("float32") * ROW.astype("float32"),
    "a sampled product": lambda a: a * (sa.asarray(LEFT) @ RIGHT),
}


@pytest.fixture(autouse=True)
def _interpreted():
    with sa.options(tier="interpreted"):
        yield


def _shared(result, operand):
    *places, values = zip(result._tensor.buffers, operand._tensor.buffers, strict=True)
    return all(one is other for one, other in places), values[0] is values[1]


@pytest.mark.parametrize("fmt", ["csr", "csc"])
@pytest.mark.parametrize("name", SHARING)
def test_products_with_dense_arrays_share_the_coordinates_of_what_is_stored(name, fmt):
    a = sa.asarray(VALUES, format=fmt)
    result = SHARING[name](a).compute()
    assert _shared(result, a) == (True, False)
    dense = SHARING[name](sa.asarray(VALUES)).todense()
    np.testing.assert_allclose(result.todense(), dense, rtol=1e-6)


@pytest.mark.parametrize(
    "fmt", ["list", Dense(Dense(SparseList(Element())))], ids=["vector", "three axes"]
)
def test_lists_below_any_number_of_dense_axes_are_shared(fmt):
    values = RANDOM.integers(0, 2, (4,) * (1 if fmt == "list" else 3)) * 1.5
    a = sa.asarray(values, format=fmt)
    result = (a * RANDOM.random(4)).compute()
    assert _shared(result, a) == (True, False)


@pytest.mark.parametrize(
    "make",
    [
        lambda a: a[1:4] * ROW,
        lambda a: a[:4] * ROW,
        lambda a: a[::-1] * COLUMN,
        lambda a: a[:1] * COLUMN,
        lambda a: a[:, :1] * ROW,
        lambda a: a * sa.asarray(WHOLE > 0.5, format="csr"),
        lambda a: a * ROW + sa.asarray(WHOLE, format="csr"),
    ],
)
def test_other_places_are_not_shared(make):
    a = sa.asarray(VALUES, format="csr")
    result = make(a).asformat("csr")
    assert result._tensor.buffers[0] is not a._tensor.buffers[0]
    np.testing.assert_allclose(result.todense(), make(sa.asarray(VALUES)).todense())


def test_a_result_without_what_equals_the_fill_has_coordinates_of_its_own():
    a = sa.asarray(VALUES, format="csr")
    pruned = (a * sa.asarray([1.0, 0.0, 1.0, 0.0, 0.0])).asformat("csr")
    assert pruned.nstored == np.count_nonzero(VALUES[:, [0, 2]])


@pytest.mark.parametrize("pieces", [2, 7, 40])
def test_pieces_write_the_values_of_their_rows_and_parts_of_rows(pieces):
    random = np.random.default_rng(1)
    long = np.where(random.random((6, 40)) < 0.2, 1.5, 0)
    long[2] = random.random(40)
    a, row, column = sa.asarray(long, format="csr"), random.random(40), random.random((6, 1))
    for make in (lambda a: a * row, lambda a: a * column):
        with witnessed(lambda call: None, None, pieces), sa.options(threads=2):
            result = make(a).compute()
        assert result._tensor.buffers[0] is a._tensor.buffers[0]
        np.testing.assert_array_equal(result.todense(), make(long))


@pytest.mark.parametrize(
    "where", [(0, 0), (slice(None), 2), VALUES == 0], ids=["element", "column", "mask"]
)
def test_assignment_to_a_result_leaves_the_operand_as_it_is(where):
    a = sa.asarray(VALUES, format="csr")
    result, wanted = (a * ROW).compute(), VALUES * ROW
    result[where] = 3.0
    wanted[where] = 3.0
    np.testing.assert_array_equal(result.todense(), wanted)
    np.testing.assert_array_equal(a.todense(), VALUES)


def test_empty_matrices_share_nothing_worth_mention():
    for shape in ((0, 5), (7, 0)):
        result = (sa.asarray(np.zeros(shape), format="csr") * np.ones(shape[1])).compute()
        assert result.shape == shape and result.nstored == 0


def test_kernels_of_shared_coordinates_write_values_alone(as_shipped):
    a = sa.asarray(VALUES, format="csr")
    text = str(sa.explain(a * ROW).kernel)
    assert text.splitlines()[1:-1] == [
        "    a_q = A1_ptr[0]",
        "    a_end = A1_ptr[u(i_n)]",
        "    for a_q in range(a_q, a_end):",
        "        a_i = A1_idx[u(a_q)]",
        "        C_val[u(a_q)] = A_val[u(a_q)] * B_val[u(a_i)]",
    ]
