"""The array itself: laziness, values, conversions, conventions and refusals."""

from __future__ import annotations

import copy
import operator
import pickle
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import scipy.sparse

import structarr as sa
from structarr._execute import compute
from structarr.errors import DensificationError

DENSE = np.array([[0.0, 2.0, 0.0], [1.0, 0.0, 3.0]])


@pytest.fixture
def csr() -> sa.Array:
    return sa.asarray(scipy.sparse.csr_array(DENSE))


@pytest.fixture
def computations(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """Grows by an entry whenever something is computed."""
    seen: list[Any] = []
    value = compute.value

    def counting(node: Any) -> Any:
        seen.append(node)
        return value(node)

    monkeypatch.setattr(compute, "value", counting)
    return seen


def test_facts_are_known_without_computing(csr: sa.Array, computations: list[Any]) -> None:
    product = csr * csr.T[:, :].mT + 1
    assert (product.shape, product.dtype, product.ndim) == ((2, 3), np.float64, 2)
    assert (product.size, product.itemsize, product.device) == (6, 8, "cpu")
    assert product.fill_value == 1
    assert not computations
    large = sa.zeros((300, 300)) + 1
    assert repr(large).startswith("<structarr.Array shape=(300, 300) dtype=float64 lazy")
    assert not computations


def test_a_value_is_computed_once(csr: sa.Array, computations: list[Any]) -> None:
    product = csr * csr
    for _ in range(3):
        np.testing.assert_array_equal(np.asarray(product), DENSE * DENSE)
    assert len(computations) == 1


def test_repr_of_a_value(csr: sa.Array) -> None:
    facts, *values = repr(csr).splitlines()
    assert facts == "<structarr.Array shape=(2, 3) dtype=float64 format=csr nstored=3 fill=0.0"
    assert values == ["   .  2.   .", "  1.   .  3.>"]
    assert csr.format == "csr"
    assert csr.nbytes == 3 * 8 + 3 * 4 + 3 * 4


def test_compute_returns_the_array_itself(csr: sa.Array) -> None:
    product = csr * csr
    assert product.compute() is product
    first, second = sa.compute(product, csr + 1)
    assert first is product
    np.testing.assert_array_equal(second.todense(), DENSE + 1)
    with pytest.raises(TypeError, match="takes structarr arrays"):
        sa.compute(DENSE)  # type: ignore[arg-type]


def test_long_chains_are_computed_on_the_way(computations: list[Any]) -> None:
    x = sa.asarray([1.0, 0.0])
    for _ in range(30):
        x = x + x
    assert 2 < len(computations) < 30
    assert x.tolist() == [2.0**30, 0.0]
    y = sa.asarray([1, 2])
    for _ in range(1000):
        y = y + 1
    assert y.tolist() == [1001, 1002]


# ----------------------------------------------------------------- buffers


@pytest.mark.parametrize("size", [10, 100_000])
def test_later_writes_to_an_operand_are_not_seen(size: int) -> None:
    x = np.ones(size)
    a = sa.asarray(np.arange(size))
    results = [a * x, x + a, sa.clip(x, a, None), sa.sum(x)]
    view = sa.expand_dims(x, axis=0)
    x += 1
    np.testing.assert_array_equal(results[0].todense(), np.arange(size))
    np.testing.assert_array_equal(results[1].todense(), np.arange(size) + 1.0)
    np.testing.assert_array_equal(results[2].todense(), np.maximum(1, np.arange(size)))
    assert float(results[3]) == size
    np.testing.assert_array_equal(view.todense(), np.ones((1, size)))


@pytest.mark.parametrize("size", [10, 100_000])
def test_later_writes_through_a_base_are_not_seen(size: int) -> None:
    base = np.ones(size)
    view = base[:]
    view.flags.writeable = False
    result = sa.asarray(np.arange(size)) * view
    base += 1
    np.testing.assert_array_equal(result.todense(), np.arange(size))


def test_later_writes_to_a_scipy_operand_are_not_seen(csr: sa.Array) -> None:
    matrix = scipy.sparse.csr_array(DENSE)
    result = csr * matrix
    matrix.data[:] = 7
    np.testing.assert_array_equal(result.todense(), DENSE * DENSE)


def test_only_large_writable_operands_force_a_computation(computations: list[Any]) -> None:
    a = sa.asarray(np.arange(100_000))
    frozen = np.ones(100_000)
    frozen.flags.writeable = False
    lazy = [a * frozen, a + 1, sa.asarray(np.ones(100_000)) * a]
    assert not computations
    del lazy
    assert a.sum() + np.ones(100_000) is not None
    assert computations


def test_asarray_shares_and_copy_does_not() -> None:
    x = np.arange(4.0)
    shared, copied, again = sa.asarray(x), sa.asarray(x, copy=True), sa.asarray(x).copy()
    x[0] = 9
    assert shared.tolist()[0] == 9
    assert copied.tolist()[0] == again.tolist()[0] == 0
    assert np.shares_memory(shared, sa.asarray(x))
    assert not np.shares_memory(shared, copied)


def test_what_is_handed_out(csr: sa.Array) -> None:
    x = np.arange(4.0)
    array = sa.asarray(x)
    assert np.shares_memory(np.asarray(array, copy=False), x)
    assert not np.asarray(array, copy=False).flags.writeable
    for fresh in (np.array(array), array.todense(), np.array(csr), csr.todense()):
        assert fresh.flags.writeable
        assert not np.shares_memory(fresh, x)
    for read in (np.asarray(array), np.asarray(csr)):
        assert not read.flags.writeable
        assert not np.shares_memory(read, x)
    assert np.asarray(csr, dtype="int8").dtype == np.int8
    with pytest.raises(ValueError, match="Unable to avoid copy"):
        np.asarray(csr, copy=False)
    assert not csr.to_scipy().data.flags.writeable


def test_a_large_array_is_not_made_dense_unasked() -> None:
    wide = sa.asarray(scipy.sparse.csr_array((2000, 20_000)))
    with pytest.raises(DensificationError, match=r"\.todense\(\).*densify_limit"):
        np.asarray(wide)
    with sa.options(densify_limit=2**30):
        assert np.asarray(wide).shape == wide.shape
    with sa.options(densify_limit=10):
        assert sa.asarray(DENSE).tolist() == DENSE.tolist()
        assert sa.asarray(DENSE, format="csr").todense().shape == DENSE.shape


# -------------------------------------------------------------- conventions


def test_scalars() -> None:
    assert int(sa.asarray(3)) == 3 and float(sa.asarray([2.5])) == 2.5
    assert complex(sa.asarray(1j)) == 1j and operator.index(sa.asarray(4)) == 4
    assert bool(sa.asarray([[0.5]])) and not sa.asarray(0)
    assert sa.asarray([[7]]).item() == 7 and sa.asarray([7, 8]).item(1) == 8
    for conversion in (int, float, complex):
        with pytest.raises(TypeError, match="size 1"):
            conversion(sa.asarray([1, 2]))
    with pytest.raises(TypeError):
        float(sa.asarray(1j))
    with pytest.raises(TypeError, match="integer scalar"):
        operator.index(sa.asarray(1.0))
    with pytest.raises(ValueError, match="more than one element is ambiguous"):
        bool(sa.asarray([1, 2]))
    with pytest.raises(ValueError, match="empty array is ambiguous"):
        bool(sa.asarray([]))
    with pytest.raises(ValueError, match="size 1"):
        sa.asarray([1, 2]).item()


def test_sequences(csr: sa.Array) -> None:
    assert len(csr) == 2
    assert [row.tolist() for row in csr] == DENSE.tolist()
    assert csr.tolist() == DENSE.tolist()
    with pytest.raises(TypeError, match="unsized"):
        len(sa.asarray(1))
    with pytest.raises(TypeError, match="0-d"):
        iter(sa.asarray(1))
    with pytest.raises(TypeError, match="unhashable"):
        hash(csr)


def test_copies_and_pickles(csr: sa.Array) -> None:
    for twin in (
        pickle.loads(pickle.dumps(csr + csr)),
        copy.deepcopy(csr + csr),
        copy.copy(csr + csr),
    ):
        assert twin.format == "csr"
        np.testing.assert_array_equal(twin.todense(), 2 * DENSE)


def test_formats(csr: sa.Array) -> None:
    assert csr.asformat("csr").format == "csr"
    column = csr.asformat("csc")
    assert column.format == "csc" and column.nstored == 3
    assert (csr + csr).asformat("dense").format == "dense"
    np.testing.assert_array_equal(column.todense(), DENSE)
    with pytest.raises(ValueError, match="unknown"):
        csr.asformat("nothing")


def test_to_scipy(csr: sa.Array) -> None:
    back = csr.to_scipy()
    assert back.format == "csr"
    np.testing.assert_array_equal(back.toarray(), DENSE)
    assert csr.to_scipy("coo").format == "coo"


def test_namespace_and_device(csr: sa.Array) -> None:
    assert csr.__array_namespace__() is sa
    assert csr.__array_namespace__(api_version="2023.12") is sa
    with pytest.raises(ValueError, match=r"2025\.12"):
        csr.__array_namespace__(api_version="2999.12")
    assert csr.to_device("cpu") is csr
    with pytest.raises(ValueError, match="cpu"):
        csr.to_device("gpu")
    np.testing.assert_array_equal(np.from_dlpack(csr), DENSE)


# ---------------------------------------------------------------- operators

OPERATORS = (
    *(operator.add, operator.sub, operator.mul, operator.floordiv, operator.mod, operator.pow),
    *(operator.truediv, operator.and_, operator.or_, operator.xor, operator.lshift),
    *(operator.rshift, operator.eq, operator.ne, operator.lt, operator.le, operator.gt),
    *(operator.ge, divmod),
)


@pytest.mark.parametrize("operation", OPERATORS)
def test_operators_take_what_numpy_takes(operation: Any) -> None:
    x, y = np.array([[1, 5, 2]]), np.array([[3], [2]])
    a = sa.asarray(x)
    for other, plain in ((sa.asarray(y), y), (y, y), (2, 2), (np.int64(2), np.int64(2))):
        for mine, numpys in (
            (operation(a, other), operation(x, plain)),
            (operation(other, a), operation(plain, x)),
        ):
            for got, expected in zip(np.atleast_1d(mine), np.atleast_1d(numpys), strict=True):
                np.testing.assert_array_equal(got, expected)
            assert isinstance(mine, sa.Array if operation is not divmod else tuple)


def test_unary_operators() -> None:
    a = sa.asarray([1, -2, 0])
    assert (-a).tolist() == [-1, 2, 0] and (+a).tolist() == [1, -2, 0]
    assert abs(a).tolist() == [1, 2, 0] and (~a).tolist() == [-2, 1, -1]


def test_matmul_operator(csr: sa.Array) -> None:
    np.testing.assert_array_equal((csr @ csr.T).todense(), DENSE @ DENSE.T)
    np.testing.assert_array_equal((DENSE @ csr.T).todense(), DENSE @ DENSE.T)
    np.testing.assert_array_equal((csr @ [1, 2, 3]).todense(), DENSE @ [1, 2, 3])


def test_in_place_operators_bind_another_array(csr: sa.Array) -> None:
    before = csr
    csr += 1
    csr *= sa.asarray([1.0, 2.0, 3.0])
    np.testing.assert_array_equal(before.todense(), DENSE)
    np.testing.assert_array_equal(csr.todense(), (DENSE + 1) * [1, 2, 3])
    narrow = sa.asarray([1.0], dtype="float32")
    narrow += sa.asarray([1.5])
    assert narrow.dtype == np.float32
    whole = sa.asarray([1, 2])
    with pytest.raises(TypeError, match="casting rule 'same_kind'"):
        whole += 1.5
    with pytest.raises(ValueError, match="non-broadcastable output"):
        whole += np.ones((2, 2), int)


def test_in_place_operators_of_numpy_write() -> None:
    x = np.ones(3)
    same = x
    x += sa.asarray([1.0, 0.0, 2.0])
    assert same is x and x.tolist() == [2, 1, 3]


def test_foreign_operands_are_refused(csr: sa.Array) -> None:
    for other in ("text", None, object(), {1: 2}):
        with pytest.raises(TypeError, match="unsupported operand"):
            csr + other
        with pytest.raises(TypeError):
            np.add(csr, other)
    for other, name in (
        (np.array(["a"]), "<U1"),
        (np.array([None]), "object"),
        (np.ones(1, "M8[s]"), "datetime64"),
        (np.ones(1, np.float16), "float16"),
    ):
        with pytest.raises(TypeError, match=f"dtype {name}.* is not supported: "):
            csr + other
    with pytest.raises(TypeError, match="filled"):
        csr + np.ma.masked_array([1.0])


def test_classes_that_take_us_are_asked() -> None:
    class Other:
        __array_ufunc__ = None

        def __radd__(self, other: Any) -> str:
            return "mine"

    assert sa.asarray([1]) + Other() == "mine"


def test_shapes_that_do_not_fit(csr: sa.Array) -> None:
    for operation in (operator.add, np.multiply, sa.less):
        with pytest.raises(ValueError, match=r"\(2, ?3\).*\(2,\)|shape mismatch"):
            operation(csr, np.ones(2))


def test_python_integers_out_of_range() -> None:
    a = sa.asarray([1, 255], dtype="uint8")
    for value in (256, -1):
        with pytest.raises(OverflowError, match="out of bounds for uint8"):
            a + value
    # NumPy compares with any integer.
    for value in (300, -5):
        for operation in OPERATORS[12:18]:
            plain = np.array([1, 255], np.uint8)
            np.testing.assert_array_equal(operation(a, value), operation(plain, value))
            np.testing.assert_array_equal(operation(value, a), operation(value, plain))


# ----------------------------------------------------------------- indexing


def test_indexing_that_moves_no_data(csr: sa.Array) -> None:
    for key in (..., None, (None, ...), (..., None), slice(None), (slice(None), None), ()):
        np.testing.assert_array_equal(csr[key].todense(), DENSE[key])
    assert sa.asarray(1)[()].shape == ()


def test_indices_that_are_refused(csr: sa.Array) -> None:
    with pytest.raises(IndexError, match="too many indices"):
        csr[:, :, :]
    with pytest.raises(IndexError, match="single ellipsis"):
        csr[..., ...]


def test_methods(csr: sa.Array) -> None:
    assert float(csr.sum()) == 6 and csr.sum(0).tolist() == [1, 2, 3]
    assert csr.max(axis=1).tolist() == [2, 3] and float(csr.mean()) == 1
    assert csr.any() and not csr.all()
    assert csr.transpose(1, 0).shape == csr.transpose((1, 0)).shape == csr.transpose().shape
    assert csr.reshape(2, 1, 3).shape == csr.reshape((2, 1, -1)).shape == (2, 1, 3)
    assert csr.astype("int8").dtype == np.int8 and csr.round().tolist() == DENSE.tolist()
    assert csr.clip(1, 2).tolist() == DENSE.clip(1, 2).tolist()
    assert csr.conj().real.tolist() == DENSE.tolist() and not csr.imag.any()
    assert (csr > 1).conj().dtype == bool and (csr > 1).conj().tolist() == (DENSE > 1).tolist()
    assert csr.dot([1, 1, 1]).tolist() == [2, 4]
    assert (csr.T.shape, csr.mT.shape) == ((3, 2), (3, 2))


@pytest.mark.parametrize("make", [lambda: sa.asarray(2.0), lambda: sa.asarray([1.0, 3.0]).mean()])
def test_numpys_array_of_a_scalar_can_be_written(make: Callable[[], sa.Array]) -> None:
    plain = np.asarray(make())
    plain *= 0.5
    assert plain == 1
