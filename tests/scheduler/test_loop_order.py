"""The orders of the loops that are tried: each index once, whatever labels the operands repeat."""

import numpy as np
import pytest

import structarr as sa
from structarr.formats import Dense, Element, Format, Hash, Ragged, RunList, SparseList

# More than five loops; an operand with a label twice would order two loops over it.
REPEATED = (
    "abc,ad,iji->d",
    "abc,ad,iji->di",
    "baa,dcf,af,cde->be",
    "ijij,kll,mn->n",
    "abcdabef,f->e",
)
RNG = np.random.default_rng(0)


def operands(subscripts: str) -> list[np.ndarray]:
    """Small arrays, a third of them zeros, whose lengths differ from label to label."""
    terms = subscripts.split("->")[0].split(",")
    lengths = {label: 2 + k % 2 for k, label in enumerate(sorted({*"".join(terms)}))}
    shapes = [[lengths[label] for label in term] for term in terms]
    return [RNG.integers(0, 3, shape).astype(float) for shape in shapes]


@pytest.mark.parametrize("format", ["dense", "list", "coo"])
@pytest.mark.parametrize("subscripts", REPEATED)
def test_einsum_with_repeated_labels(subscripts: str, format: str) -> None:
    given = operands(subscripts)
    with sa.options(tier="interpreted"):
        result = sa.einsum(subscripts, *(sa.asarray(one, format=format) for one in given))
        np.testing.assert_array_equal(np.asarray(result), np.einsum(subscripts, *given))


@pytest.mark.parametrize("format", ["dense", "csf"])
def test_free_loops_with_repeated_indices(format: str) -> None:
    A, B, C = operands("abc,ad,iji->d")
    read = {
        name: sa.asarray(one, format=format) for name, one in zip("ABC", (A, B, C), strict=True)
    }
    with sa.options(tier="interpreted"):
        result = sa.loops("y[d] += A[a, b, c] * B[a, d] * C[i, j, i]", **read)
        np.testing.assert_array_equal(np.asarray(result), np.einsum("abc,ad,iji->d", A, B, C))


@pytest.mark.parametrize(
    "order", [(5, 4, 3, 2, 1, 0), pytest.param((2, 0, 5, 4, 1, 3), marks=pytest.mark.long)]
)
def test_any_order_of_six_axes_can_be_asked_for(order: tuple[int, ...]) -> None:
    dense = np.random.default_rng(0).integers(0, 2, (2, 2, 1, 2, 2, 2))
    tree = Dense(RunList(Dense(SparseList(Hash(Ragged(Element()))))))
    asked = Format(tree, order, "int64")
    with sa.options(tier="interpreted"):
        listed = sa.asarray(dense, format="list")
        for result in (listed, listed * listed, sa.einsum("abcdef,fg->abcdeg", listed, np.eye(2))):
            found = result.asformat(asked)
            assert found.format == asked
            np.testing.assert_array_equal(found.todense(), dense)


def test_a_number_that_is_asked_for_has_no_loop() -> None:
    format = Format(Element(), (), "int32")
    condition, number = (sa.asarray(np.array(one)).asformat(format) for one in (1.0, 2.0))
    with sa.options(tier="interpreted"):
        assert np.where(condition, number, number).compute().item() == 2.0


@pytest.mark.parametrize(
    ("text", "others"),
    [("y[j] += A[i, j]", {}), ("y[j, k] += A[i, j] + b[k]", {"b": np.arange(5.0)})],
)
def test_fills_that_count_are_summed_at_once(text: str, others: dict[str, np.ndarray]) -> None:
    """Row after row they would be added to one element after the other."""
    dense = np.where(RNG.random((30, 40)) < 0.1, 2.0, 1.0)
    A = sa.asarray(dense, format="csr", fill_value=1.0)
    assert "A is transposed first" in str(sa.explain(text, A=A, **others))
    sums = np.add.outer(dense.sum(axis=0), 30 * others["b"]) if others else dense.sum(axis=0)
    np.testing.assert_array_equal(sa.loops(text, A=A, **others).todense(), sums)
