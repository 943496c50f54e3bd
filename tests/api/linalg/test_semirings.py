"""Products in semirings, against loops over all and SciPy's paths; fills that make them sparse."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import scipy.sparse as sparse
from scipy.sparse.csgraph import bellman_ford, connected_components

import structarr as sa
from structarr.errors import FormatError

TIERS = pytest.mark.parametrize("tier", ["interpreted", "compiled"])
ADD = {"min": np.min, "max": np.max, "plus": np.sum, "or": np.any, "xor": np.logical_xor.reduce}
TIMES = {
    "plus": np.add,
    "times": np.multiply,
    "max": np.maximum,
    "min": np.minimum,
    "and": np.logical_and,
}
ZERO = {"min_plus": np.inf, "max_plus": -np.inf, "min_max": np.inf, "max_min": -np.inf}
NAMES = ("plus_times", "min_plus", "max_plus", "max_times", "min_max", "max_min")


def graph(n: int = 25, m: int = 25, seed: int = 0) -> Any:
    rng = np.random.default_rng(seed)
    found = sparse.random_array((n, m), density=0.15, rng=rng, format="csr")
    found.data = rng.integers(1, 20, len(found.data)).astype(float)
    return found


def product(name: str, left: Any, right: Any) -> Any:
    add, times = name.split("_")
    with np.errstate(invalid="ignore"):
        return ADD[add](TIMES[times](left[:, :, None], right[None]), axis=1)


FORMATS = [("csr", "csr"), ("csr", "dense"), ("dense", "csc"), ("dcsr",) * 2]
CASES = [("interpreted", formats) for formats in FORMATS] + [
    pytest.param("compiled", formats, marks=pytest.mark.long if number else [])
    for number, formats in enumerate(FORMATS)
]


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(("tier", "formats"), CASES)
def test_products(tier: str, name: str, formats: tuple[str, str]) -> None:
    zero, ring = ZERO.get(name, 0.0), getattr(sa.semirings, name)
    pair = []
    for seed, format in enumerate(formats):
        dense = graph(9, 9, seed).toarray()
        dense[dense == 0] = zero
        pair.append((dense, sa.asarray(dense, format=format, fill_value=zero)))
    with sa.options(tier=tier):
        found = sa.matmul(pair[0][1], pair[1][1], semiring=ring)
        assert found.fill_value == zero
        assert np.array_equal(found.todense(), product(name, pair[0][0], pair[1][0]))
        assert found.fill_value == zero
    if "dense" not in formats:
        assert "SparseList" in str(found.format) or found.format in ("csr", "dcsr")


@TIERS
@pytest.mark.parametrize("name", ["or_and", "xor_and"])
def test_boolean_products(tier: str, name: str) -> None:
    dense = graph().toarray()
    with sa.options(tier=tier):
        for a in (sa.asarray(dense, format="csr"), sa.asarray(dense, format="csr") != 0):
            found = sa.matmul(a, a, semiring=getattr(sa.semirings, name))
            assert found.dtype == bool
            assert found.format == "csr"
            assert np.array_equal(found.todense(), product(name, dense, dense))


@pytest.mark.parametrize(
    ("tier", "dtype"),
    [
        *(("interpreted", dtype) for dtype in ("int8", "int32", "int64", "uint16")),
        ("compiled", "int8"),
        *(
            pytest.param("compiled", dtype, marks=pytest.mark.long)
            for dtype in ("int32", "int64", "uint16")
        ),
    ],
)
def test_a_whole_number_s_infinity_is_its_bound(tier: str, dtype: str) -> None:
    top = np.iinfo(dtype).max
    costs = graph().astype(dtype)
    a = sa.with_fill(costs, top)
    with sa.options(tier=tier):
        found = sa.matmul(a, a, semiring=sa.semirings.min_plus)
        assert found.dtype == dtype
        assert found.format == "csr"
        floats = costs.toarray().astype(float)
        floats[floats == 0] = np.inf
        wanted = product("min_plus", floats, floats)
        assert np.array_equal(found.todense(), np.where(np.isinf(wanted), top, wanted))
        dense = sa.matmul(a.todense(), a.todense(), semiring=sa.semirings.min_plus)
        assert np.array_equal(dense.todense(), found.todense())


@TIERS
def test_bellman_ford(tier: str) -> None:
    edges = graph()
    a = sa.with_fill(edges, np.inf)
    far = np.full(25, np.inf)
    far[0] = 0
    with sa.options(tier=tier):
        paths = sa.asarray(far)
        for _ in range(25):
            paths = sa.minimum(paths, sa.matmul(paths, a, semiring=sa.semirings.min_plus))
        assert np.array_equal(paths.todense(), bellman_ford(edges, indices=0))


def test_what_is_reached() -> None:
    edges = graph(30, 30, seed=3) + graph(30, 30, seed=3).T
    seen = sa.asarray(np.arange(30) == 0)
    for _ in range(30):
        seen = seen | sa.matmul(seen, sa.asarray(edges) != 0, semiring=sa.semirings.or_and)
    _, labels = connected_components(edges)
    assert np.array_equal(seen.todense(), labels == labels[0])


def test_fills_are_values() -> None:
    """A fill of 0 is an edge of no cost everywhere; only `with_fill` says otherwise."""
    costs = graph()
    by_value = sa.matmul(costs, costs, semiring=sa.semirings.min_plus)
    assert by_value.format == "dense"
    assert np.array_equal(by_value.todense(), product("min_plus", costs.toarray(), costs.toarray()))


def test_stored_entries_stay_and_nothing_is_copied() -> None:
    held = sparse.csr_array((np.array([0.0, 2.0]), np.array([0, 2]), np.array([0, 2])), (1, 3))
    a = sa.asarray(held)
    b = sa.with_fill(a, np.inf)
    assert b.tolist() == [[0.0, np.inf, 2.0]]
    assert a.tolist() == [[0.0, 0.0, 2.0]]
    assert sa.shares_memory(a, b)
    assert sa.with_fill(b, 0).tolist() == a.tolist()


@pytest.mark.parametrize("format", ["csr", "coo", "dcsr", "hash", "band", "rle", "bitmap", "vbl"])
def test_every_format_takes_another_fill(format: str) -> None:
    a = sa.asarray(graph(6, 6).toarray(), format=format)
    b = sa.with_fill(a, np.inf)
    assert b.fill_value == np.inf
    dense = b.todense()
    assert np.array_equal(np.where(np.isinf(dense), 0, dense), a.todense())
    assert float(sa.min(b)) == dense.min()


def test_fills_that_a_dtype_does_not_hold() -> None:
    whole = sa.asarray(np.array([1, 0]), format="list")
    for value in (np.inf, 0.5, 2**70, 1j):
        with pytest.raises(ValueError, match="int64 holds no"):
            sa.with_fill(whole, value)
    with pytest.raises(TypeError, match="must be a number"):
        sa.with_fill(whole, "many")
    marks = sa.asarray(np.arange(3) > 1, format=sa.formats.SparseList(sa.formats.Pattern()))
    with pytest.raises(FormatError, match="stores no values"):
        sa.with_fill(marks, True)


def test_semirings_of_users() -> None:
    facts = {"associative": True, "commutative": True}
    either = sa.operator(lambda a, b: a + b - a * b, name="either", identity=0, **facts)
    ring = sa.semiring(either, "multiply", name="independent")
    chances = graph() / 20
    a = sa.asarray(chances)
    found = sa.matmul(a, a, semiring=ring)
    assert found.format == "csr"
    wanted = 1 - np.prod(1 - chances.toarray()[:, :, None] * chances.toarray()[None], axis=1)
    assert np.allclose(found.todense(), wanted)
    assert repr(ring) == "<structarr semiring independent>"


def test_what_is_no_semiring() -> None:
    with pytest.raises(TypeError, match="must be declared associative and commutative"):
        sa.semiring("subtract", "multiply")
    with pytest.raises(TypeError, match="two operands"):
        sa.semiring("add", "sqrt")
    with pytest.raises(TypeError, match=r"one of structarr\.semirings"):
        sa.matmul([[1]], [[1]], semiring="min_plus")
    loose = sa.operator(lambda a, b: max(a, b), name="loose", associative=True, commutative=True)
    with pytest.raises(TypeError, match="no identity"):
        sa.matmul([[1]], [[1]], semiring=sa.semiring(loose, "add"))
    with pytest.raises(TypeError, match="not defined for bool"):
        sa.matmul([[True]], [[True]], semiring=sa.semirings.min_plus)


@pytest.mark.parametrize("name", ["min_plus", "max_plus"])
def test_zeros_that_are_added_to_negative_zeros_are_positive_where_strict(name: str) -> None:
    left, right = sa.asarray([[-0.0]]), sa.asarray(np.zeros((1, 1)), format="csr")
    with sa.options(tier="interpreted", strict_ieee=True):
        found = sa.matmul(left, right, semiring=getattr(sa.semirings, name)).todense()
    assert not np.signbit(found).any()
