"""NumPy's functions beyond the array API: huge lists, bad input, what is refused and why."""

from __future__ import annotations

import copy
import pickle
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import structarr as sa
from structarr._testing.numpy_table import document
from structarr.errors import DensificationError

ROOT = Path(__file__).resolve().parents[3]
HUGE = 10**12


@pytest.fixture(scope="module")
def huge() -> sa.Array:
    return sa.from_coordinates(([1, 5, 7], [3, 10**11, 2]), [1.0, 2.0, -3.0], (HUGE, HUGE))


@pytest.fixture
def csr() -> sa.Array:
    return sa.asarray([[0.0, 2.0, 0.0], [1.0, 0.0, 3.0]], format="csr")


def test_the_page_says_what_the_registrations_say() -> None:
    rows = (ROOT / "docs/numpy.md").read_text(encoding="utf-8").splitlines(keepends=True)
    gone = [row for row in rows if _is_gone(row)]  # from a NumPy that is newer than the page's
    page = "".join(row for row in rows if row not in gone)
    again = "python -m structarr._testing.numpy_table docs/numpy.md"
    assert page == document(), f"write the page anew: {again}"


def _is_gone(row: str) -> bool:
    named = re.match(r"\| `(\w+)` \| absent", row)
    return named is not None and not hasattr(np, named[1])


def test_order_statistics_of_a_huge_list(huge: sa.Array) -> None:
    assert float(np.median(huge)) == 0
    assert np.quantile(huge, [0.0, 0.5, 1.0]).tolist() == [-3, 0, 2]
    rows = sa.asarray(huge.asformat("csf"))
    greatest = np.quantile(rows, 1.0, axis=1)
    assert (str(greatest.format), greatest.nstored) == ("list", 3)
    assert [float(greatest[row]) for row in (0, 1, 5, 7)] == [0, 1, 2, 0]
    assert float(np.nanmax(huge)) == 2 and float(np.nansum(huge)) == 0
    assert float(np.ptp(huge)) == 5 and float(np.nanmean(huge)) == 0
    assert float(np.nanmean(huge + 1)) == 1


def test_counts_of_a_huge_list() -> None:
    vector = sa.from_coordinates(([5],), [3], (HUGE,))
    assert np.bincount(vector).tolist() == [HUGE - 1, 0, 0, 1]
    counts, edges = np.histogram(vector, 3)
    assert counts.tolist() == [HUGE - 1, 0, 1] and edges.tolist() == [0, 1, 2, 3]


def test_formats_of_results(csr: sa.Array) -> None:
    assert str(np.quantile(csr, 0.5, axis=1).format) == "dense"
    assert str(np.quantile(csr, 0.5, axis=0).format) == "list"
    assert str(np.nan_to_num(csr).format) == str(np.sinc(csr).format) == "csr"
    assert float(np.sinc(csr).fill_value) == 1
    assert str(np.gradient(csr, axis=1).format) == "csr"
    assert str(np.select([csr > 1], [csr]).format) == "csr"


def test_a_fill_of_nan() -> None:
    a = sa.asarray([np.nan, 3.0, np.nan, 1.0], format="list", fill_value=np.nan)
    assert np.isnan(float(np.median(a))) and float(np.nanmedian(a)) == 2
    assert float(np.nanvar(a)) == 1 and float(np.nanquantile(a, 0.0)) == 1
    assert np.isnan(float(np.nanmean(sa.asarray([np.nan, np.nan], format="list"))))


BAD: list[tuple[Callable[[Any], Any], type[Exception]]] = [
    (lambda a: np.quantile(a, 1.5), ValueError),
    (lambda a: np.quantile(a, 0.5, method="middle"), ValueError),
    (lambda a: np.quantile(a > 0, 0.5), TypeError),
    (lambda a: np.quantile(a * 1j, 0.5), TypeError),
    (lambda a: np.median(a, axis=2), np.exceptions.AxisError),
    (lambda a: np.average(a, weights=[0, 0]), TypeError),
    (lambda a: np.average(a, axis=0, weights=[0, 0]), ZeroDivisionError),
    (lambda a: np.var(a, ddof=1, correction=1), ValueError),
    (lambda a: np.bincount(a), ValueError),
    (lambda a: np.histogram(a, 0), ValueError),
    (lambda a: np.histogram(a, [2, 1]), ValueError),
    (lambda a: np.gradient(a, 1, 2, 3), TypeError),
    (lambda a: np.gradient(a, edge_order=3), ValueError),
    (lambda a: np.gradient(a, [0, 1], axis=1), ValueError),
    (lambda a: np.cov(a, ddof=0.5), ValueError),
    (lambda a: np.cov(a, fweights=[1, -1, 1]), ValueError),
    (lambda a: np.select([a], [a]), TypeError),
    (lambda a: np.select([], []), ValueError),
    (lambda a: np.choose(a, [1, 2]), TypeError),
    (lambda a: np.choose(a.astype(int), [1, 2]), ValueError),
    (lambda a: np.choose(a.astype(int), [1, 2], mode="other"), ValueError),
    (lambda a: np.piecewise(a, [a > 0], []), ValueError),
    (lambda a: np.rollaxis(a, 0, 5), np.exceptions.AxisError),
    (lambda a: np.apply_over_axes(lambda x, axis: x[0, 0], a, 0), ValueError),
    (lambda a: np.real_if_close(a, out=1), TypeError),
    (lambda a: np.trapezoid(a, axis=3), np.exceptions.AxisError),
]


@pytest.mark.parametrize("number", range(len(BAD)))
def test_bad_input_raises_what_numpy_raises(number: int, csr: sa.Array) -> None:
    call, error = BAD[number]
    with pytest.raises(error):
        call(csr)


WRITERS: list[tuple[str, Callable[[Any], Any]]] = [
    ("copyto", lambda a: np.copyto(a, 0)),
    ("fill_diagonal", lambda a: np.fill_diagonal(a, 1)),
    ("place", lambda a: np.place(a, [True], 1)),
    ("put", lambda a: np.put(a, [0], 1)),
    ("putmask", lambda a: np.putmask(a, [True], 1)),
    (r"add\.at", lambda a: np.add.at(a, [0], 1)),
    ("fill", lambda a: a.fill(0)),
    ("put", lambda a: a.put([0], 1)),
    ("resize", lambda a: a.resize((3, 2))),
    ("view", lambda a: a.view("int64")),
    ("setflags", lambda a: a.setflags(write=True)),
]


@pytest.mark.parametrize("number", range(len(WRITERS)))
def test_arrays_are_values(number: int, csr: sa.Array) -> None:
    name, call = WRITERS[number]
    with pytest.raises(TypeError, match=rf"{name}\b.*values"):
        call(csr)
    assert csr.sum().item() == 6


def test_numpys_arrays_are_written(csr: sa.Array) -> None:
    target = np.zeros((2, 3))
    np.copyto(target, csr)
    assert target.tolist() == csr.tolist()
    np.putmask(target, csr > 1, 9)
    assert target.tolist() == [[0, 9, 0], [1, 0, 9]]
    np.add.at(target, (sa.asarray([0, 0]), sa.asarray([0, 0])), 1)
    assert target[0, 0] == 2


def test_what_is_refused_says_why(csr: sa.Array) -> None:
    with pytest.raises(TypeError, match=r"numpy\.packbits is not supported.*todense"):
        np.packbits(csr)
    with pytest.raises(TypeError, match="dates"):
        np.isnat(csr)


def test_dense_functions_refuse_huge_arrays_by_name(huge: sa.Array) -> None:
    calls: dict[str, Callable[[], Any]] = {
        "unwrap": lambda: np.unwrap(huge),
        "subtract.accumulate": lambda: np.subtract.accumulate(huge),
        "save": lambda: np.save("never-written.npy", huge),
    }
    for name, call in calls.items():
        with pytest.raises(
            DensificationError, match=rf"{name.split('.')[-1]} works on dense.*limit"
        ):
            call()


def test_like(csr: sa.Array) -> None:
    for made in (
        np.zeros((2, 2), like=csr),
        np.ones(3, "int8", like=csr),
        np.full((2,), 7, like=csr),
        np.empty(3, like=csr),
        np.eye(3, k=1, like=csr),
        np.identity(2, like=csr),
        np.tri(3, like=csr),
        np.arange(3, like=csr),
        np.arange(1, 9, 2, like=csr),
        np.array([[1, 2]], like=csr),
        np.asarray([1.5], like=csr),
        np.array(3, ndmin=2, like=csr),
        np.fromfunction(lambda i, j: i + j, (2, 2), like=csr),
        np.frombuffer(b"ab", "u1", like=csr),
        np.fromiter([1, 2], int, like=csr),
        np.require([1], like=csr),
    ):
        assert isinstance(made, sa.Array)
    assert np.eye(2, like=csr).tolist() == [[1, 0], [0, 1]]
    assert np.zeros((HUGE, HUGE), like=csr).shape == (HUGE, HUGE)
    assert np.array(3, ndmin=2, like=csr).shape == (1, 1)


def test_files_and_text(csr: sa.Array, tmp_path: Path) -> None:
    np.save(tmp_path / "a.npy", csr)
    np.savez(tmp_path / "a.npz", a=csr)
    np.savetxt(tmp_path / "a.txt", csr)
    assert np.load(tmp_path / "a.npy").tolist() == csr.tolist()
    assert np.load(tmp_path / "a.npz")["a"].tolist() == csr.tolist()
    assert np.loadtxt(tmp_path / "a.txt").tolist() == csr.tolist()
    assert np.array_repr(csr) == repr(csr) and np.array_str(csr) == str(csr)
    assert np.array2string(csr) == np.array2string(csr.todense())


def test_questions(csr: sa.Array) -> None:
    assert np.common_type(csr, np.float32(1)[None]) is np.float64
    assert np.min_scalar_type(csr) == np.float64 and np.min_scalar_type(csr[0, 1]) == np.float16
    assert np.array_equiv(csr, csr[None]) and not np.array_equiv(csr, csr[:, :2])
    assert np.einsum_path("ij,ij", csr, csr)[0] == ["einsum_path", (0, 1)]
    assert [axis.tolist() for axis in np.tril_indices_from(csr[:, :2])] == [[0, 1, 1], [0, 0, 1]]


def test_the_object(csr: sa.Array, huge: sa.Array) -> None:
    assert huge.item(5, 10**11) == 2 and huge.item(7 * HUGE + 2) == -3 and huge.item(-1) == 0
    with pytest.raises(IndexError, match="out of bounds"):
        huge.item(HUGE**2)
    with pytest.raises(ValueError, match="incorrect number of indices"):
        csr.item(1, 2, 3)
    assert [str(row.format) for row in csr] == ["list", "list"]
    assert csr.ravel().tolist() == csr.flatten().tolist() == csr.flat.tolist()
    assert csr.flatten("F").tolist() == csr.todense().flatten("F").tolist()
    assert csr.reshape(3, 2, order="F").tolist() == csr.todense().reshape(3, 2, order="F").tolist()
    assert csr.take([1], axis=0).tolist() == [[1, 0, 3]] and csr.repeat(2, 0).shape == (4, 3)
    assert csr.compress([True], axis=0).tolist() == [[0, 2, 0]]
    assert csr.diagonal().tolist() == [0, 0] and csr.tobytes() == csr.todense().tobytes()
    assert csr.astype(int).choose([1, 2, 3, 4]).tolist() == [[1, 3, 1], [2, 1, 4]]
    assert f"{csr.sum():.3f}" == "6.000" and 3.0 in csr and 4.0 not in csr
    assert pickle.loads(pickle.dumps(csr)).tolist() == copy.copy(csr).tolist() == csr.tolist()
    square = sa.asarray(np.eye(2), format="csr")
    square @= square
    assert square.tolist() == [[1, 0], [0, 1]]
    with pytest.raises(ValueError, match="in-place"):
        csr @= sa.asarray(np.ones((3, 2)))
    with pytest.raises(TypeError, match="unsupported format"):
        f"{csr:.3f}"
    with pytest.raises(TypeError):
        iter(csr[0, 0])
    assert complex(csr[0, 1]) == 2 and [10, 20, 30][sa.asarray(1)] == 20


@pytest.mark.parametrize("other", [0, 300, 0.5, True, 1j])
@pytest.mark.parametrize("dtype", ["int8", "int32", "float32", "bool"])
def test_a_python_number_among_choices_is_weak(dtype: str, other: complex) -> None:
    numbers, choice = np.array([0, 1, 1]), np.array([1, 0, 1]).astype(dtype)
    expected = np.choose(numbers, [choice, other])
    found = np.choose(sa.asarray(numbers), [choice, other])
    assert found.dtype == expected.dtype
    np.testing.assert_array_equal(found, expected)


def test_keywords_by_numpys_names(csr: sa.Array) -> None:
    dense = csr.todense()
    assert float(np.sum(a=csr)) == 6 and np.tile(A=csr, reps=2).shape == (2, 6)
    assert np.moveaxis(csr, source=0, destination=1).shape == (3, 2)
    out = np.zeros(2)
    assert np.quantile(csr, 0.5, axis=1, out=out) is out and out.tolist() == [0, 1]
    assert np.round(csr, out=np.zeros((2, 3))).tolist() == dense.tolist()
    assert np.concatenate([csr, csr], out=np.zeros((4, 3))).shape == (4, 3)
    assert [x.shape for x in np.atleast_3d(csr, 1)] == [(2, 3, 1), (1, 1, 1)]
    assert [x.shape for x in np.meshgrid(csr[0], csr[0], sparse=True)] == [(1, 3), (3, 1)]
