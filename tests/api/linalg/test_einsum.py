"""Einstein's summation: NumPy's syntax and errors, structure, fusion, semirings."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import structarr as sa
from structarr._api.core import operands
from structarr._api.linalg import einsum as einsum_of

A = np.array([[0.0, 2.0, 0.0], [3.0, 0.0, 4.0], [0.0, 0.0, 5.0]])
CUBE = np.arange(24).reshape(2, 3, 4) % 5

SUBSCRIPTS = [
    ("ij->ji", "ij"),
    ("ij", "ij"),
    ("ba", "ij"),
    ("ii", "ii"),
    ("ii->i", "ii"),
    ("ij->", "ij"),
    ("ij->j", "ij"),
    ("ij,jk", "ij ij"),
    ("ij,jk->ik", "ij ij"),
    ("ij,ij->", "ij ij"),
    ("ij,ji->i", "ij ij"),
    ("ii,jj->ij", "ii ii"),
    (" i j , j k -> i k ", "ij ij"),
    ("ij,jk,kl->il", "ij ij ij"),
    ("...i,...i", "ij ij"),
    ("...,j->j...", "ij i"),
    ("i...->...", "ij"),
    ("ij->i...", "ij"),
    ("i,j", "i i"),
    ("i,i", "i i"),
    ("i,->i", "i -"),
]


def _operands(kinds: str) -> list[Any]:
    table = {"ij": A, "ii": A, "i": np.array([1.0, 0.0, 2.0]), "-": np.array(3.0)}
    return [table[kind] for kind in kinds.split()]


@pytest.mark.parametrize("format", ["dense", "csr", "dcsr", "coo", "bitmap"])
@pytest.mark.parametrize(("subscripts", "kinds"), SUBSCRIPTS)
def test_subscripts_mean_what_they_mean_in_numpy(subscripts: str, kinds: str, format: str) -> None:
    given = _operands(kinds)
    ours = [sa.asarray(x, format=format) if x.ndim == 2 else sa.asarray(x) for x in given]
    want = np.einsum(subscripts, *given)
    for optimize in (False, True):
        got = np.einsum(subscripts, *ours, optimize=optimize)
        assert isinstance(got, sa.Array)
        assert (got.shape, got.dtype) == (want.shape, want.dtype)
        np.testing.assert_array_equal(got.todense(), want)


def test_operands_as_lists_of_subscripts() -> None:
    a, cube = sa.asarray(A, format="csr"), sa.asarray(CUBE, format="csf")
    np.testing.assert_array_equal(sa.einsum(a, [0, 1], a, [1, 2]).todense(), A @ A)
    np.testing.assert_array_equal(sa.einsum(a, [1, 0], [0, 1]).todense(), A.T)
    got = sa.einsum(cube, [Ellipsis, 1], [Ellipsis])
    np.testing.assert_array_equal(got.todense(), CUBE.sum(-1))


@pytest.mark.parametrize("shapes", [((0, 3), (3, 2)), ((2, 0), (0, 3)), ((1, 1), (1, 4))])
def test_empty_and_short_axes(shapes: tuple[tuple[int, int], tuple[int, int]]) -> None:
    given = [np.ones(shape) for shape in shapes]
    got = sa.einsum("ij,jk->ik", *[sa.asarray(x, format="csr") for x in given])
    np.testing.assert_array_equal(got.todense(), np.einsum("ij,jk->ik", *given))


def test_axes_of_length_one_broadcast() -> None:
    row = sa.asarray(np.array([[1.0, 2.0, 3.0]]), format="csr")
    want = np.einsum("ij,ij->ij", np.array([[1.0, 2.0, 3.0]]), A)
    np.testing.assert_array_equal(sa.einsum("ij,ij->ij", row, sa.asarray(A)).todense(), want)
    assert float(sa.einsum("i,i", [2.0], sa.asarray([1.0, 0.0, 3.0], format="list"))) == 8.0


KEPT = [
    ("ij,jk->ik", "csr csr", "csr"),
    ("ij,jk->ik", "csc csc", "csc"),
    ("ij,jk,kl->il", "csr csr csr", "csr"),
    ("ij->ji", "csr", "csc"),
    ("ii->i", "csr", "list"),
    ("ii->i", "dense", "dense"),
    ("ii->i", "rle", "dense"),
    ("ii->i", "bitmap", "bitmap"),
    ("ii,jj->ij", "csr csr", "dcsr"),
    ("ij,ij->ij", "csr dense", "csr"),
    ("ik,jk,ij->ij", "dense dense csr", "csr"),
]


@pytest.mark.parametrize(("subscripts", "formats", "result"), KEPT)
def test_structure_is_kept(subscripts: str, formats: str, result: str) -> None:
    got = sa.einsum(subscripts, *[sa.asarray(A, format=one) for one in formats.split()])
    assert str(got.format) == result


def test_a_sampled_product_is_one_loop_nest() -> None:
    """The dense product below a mask is computed where the mask is stored, and nowhere else."""
    mask = sa.asarray(A, format="csr")
    left, right = sa.asarray(A + 1), sa.asarray(A - 2)
    told = sa.explain(sa.einsum("ij,ik,jk->ij", mask, left + 1, right))
    assert str(told.cin).count("for ") == 3
    assert "A[i, j]" in str(told.cin)


def test_operands_are_fused() -> None:
    a, b = sa.asarray(A, format="csr"), sa.asarray(A.T, format="csr")
    cin = str(sa.explain(sa.einsum("ij,ij->", a + 2 * b, a)).cin)
    assert cin.count("+=") == 1
    assert float(sa.einsum("ij,ij->", a + 2 * b, a)) == np.einsum("ij,ij->", A + 2 * A.T, A)


@pytest.mark.parametrize("dtype", ["bool", "int8", "uint8", "float32", "complex64"])
def test_sums_stay_in_the_dtype_of_the_operands(dtype: str) -> None:
    a = (100 * A).astype(np.int64).astype(dtype)
    for subscripts in ("ij,jk->ik", "ij->"):
        count = subscripts.count(",") + 1
        want = np.einsum(subscripts, *[a] * count)
        got = sa.einsum(subscripts, *[sa.asarray(a, format="csr")] * count)
        assert got.dtype == want.dtype
        np.testing.assert_array_equal(got.todense(), want)


def test_operands_are_cast_before_they_are_multiplied() -> None:
    small, wide = np.array([100, 100], np.int8), np.array([1.5, 2.0])
    ours = [sa.asarray(small, format="list"), small, wide]
    want = np.einsum("i,i,i->i", small, small, wide)
    np.testing.assert_array_equal(sa.einsum("i,i,i->i", *ours).todense(), want)
    got = sa.einsum("i->", ours[0], dtype=np.float32)
    assert (got.dtype, float(got)) == (np.float32, 200.0)
    with pytest.raises(TypeError, match="casting rule 'safe'"):
        sa.einsum("i->", wide, dtype=np.float32)
    assert sa.einsum("i->", wide, dtype=np.float32, casting="same_kind").dtype == np.float32


@pytest.mark.parametrize(
    "optimize", [False, True, "greedy", "optimal", ["einsum_path", (0, 2), (0, 1)]]
)
def test_paths_give_the_same(optimize: Any) -> None:
    a = sa.asarray(A, format="csr")
    got = sa.einsum("ij,jk,kl->il", a, a, a, optimize=optimize)
    np.testing.assert_array_equal(got.todense(), A @ A @ A)
    assert str(got.format) == "csr"


def test_a_semiring_adds_and_multiplies() -> None:
    inf = np.inf
    lengths = np.array([[inf, 1.0, 5.0], [inf, inf, 2.0], [inf, inf, inf]])
    a = sa.asarray(lengths, format="csr", fill_value=inf)
    got = sa.einsum("ij,jk->ik", a, a, semiring=sa.semirings.min_plus)
    want = (lengths[:, :, None] + lengths[None, :, :]).min(axis=1)
    np.testing.assert_array_equal(got.todense(), want)
    assert str(got.format) == "csr"
    with pytest.raises(TypeError, match="semiring must be"):
        sa.einsum("ij,jk->ik", a, a, semiring="min_plus")  # type: ignore[arg-type]


def test_results_are_lazy_and_operands_may_change() -> None:
    x = np.ones(3)
    y = sa.einsum("ij,j->i", sa.asarray(A, format="csr"), x)
    x[:] = 100
    np.testing.assert_array_equal(y.todense(), A.sum(1))


BAD = [
    (("ij", np.ones(3)), "operand 0 has 1 axes"),
    (("i", np.ones((3, 3))), "operand 0 has 2 axes"),
    (("i,j", np.ones(3)), "2 operands in the subscripts, and 1"),
    (("i", np.ones(3), np.ones(3)), "1 operands in the subscripts, and 2"),
    (("i$", np.ones(3)), "invalid subscript"),
    (("i.", np.ones(3)), "invalid subscript"),
    (("i->->", np.ones(3)), "invalid subscript"),
    (("i-i", np.ones(3)), "invalid subscript"),
    (("......", np.ones(3)), "once, not 2"),
    (("i->ii", np.ones(3)), "multiple times"),
    (("i->j", np.ones(3)), "is in no operand"),
    (("...i->i", np.ones((2, 3))), "no '...'"),
    (("ii", np.ones((2, 3))), "collapsing index 'i'"),
    (("ii", np.ones((1, 3))), "collapsing index 'i'"),
    (("i,i", np.ones(2), np.ones(3)), "length 2 in operand 0 and 3 in operand 1"),
    ((np.ones(3), [60]), r"within \[0, 52\)"),
    ((), "takes subscripts and operands"),
]


@pytest.mark.parametrize(("args", "says"), BAD)
def test_wrong_subscripts_are_told(args: tuple[Any, ...], says: str) -> None:
    with pytest.raises(ValueError, match=r"."):
        np.einsum(*args)  # NumPy refuses them too
    with pytest.raises(ValueError, match=says):
        sa.einsum(*args)


def test_other_bad_arguments() -> None:
    with pytest.raises(TypeError, match="integer or an ellipsis"):
        sa.einsum(np.ones(3), ["a"])
    with pytest.raises(ValueError, match="order must be"):
        sa.einsum("i", np.ones(3), order="Z")


@pytest.mark.parametrize("child", [sa.formats.Dense, sa.formats.Bitmap, sa.formats.RunList])
def test_the_diagonal_below_a_bitmap(child: Any) -> None:
    a = sa.asarray(A, format=sa.formats.Bitmap(child()))
    np.testing.assert_array_equal(sa.einsum("ii->i", a).todense(), np.diag(A))


@pytest.mark.parametrize("dtype", ["int8", "int64", "float32", "float64", "complex128"])
@pytest.mark.parametrize("subscripts", ["ij,jk->ik", "ij,ij->", "ij,ij->j", "ij,j->i"])
@pytest.mark.parametrize("format", ["csr", "rle", "dense"])
def test_results_go_into_arrays_of_numpy(subscripts: str, dtype: str, format: str) -> None:
    a = np.array([[90, 0, 3], [0, 0, 7], [100, 2, 0]], np.int8)
    b = a if subscripts.partition("->")[0] != "ij,j" else a[0]
    wanted = np.einsum(subscripts, a, b, out=np.zeros(np.einsum(subscripts, a, b).shape, dtype))
    out = np.full(wanted.shape, 55, dtype)
    assert np.einsum(subscripts, sa.asarray(a, format=format), b, out=out) is out
    np.testing.assert_array_equal(out, wanted)  # products do not wrap around where `out` is wider


def test_a_result_goes_into_an_operand() -> None:
    a, b = A.astype(float), np.arange(float(A.size)).reshape(A.shape)
    wanted = np.einsum("ij,jk->ik", a, b)
    sa.einsum("ij,jk->ik", a, sa.asarray(b), out=a)
    np.testing.assert_array_equal(a, wanted)


def test_a_result_goes_into_an_array_along_an_order() -> None:
    wanted, out = np.einsum("ij,jk,kl->il", A, A, A), np.zeros(A.shape)
    sa.einsum("ij,jk,kl->il", *[sa.asarray(A, format="csr")] * 3, out=out, optimize=True)
    np.testing.assert_array_equal(out, wanted)


@pytest.mark.parametrize(
    ("out", "options", "error"),
    [
        (np.zeros(3, np.int64), {}, TypeError),
        (np.zeros(3, np.float32), {}, TypeError),
        (np.zeros((1, 3)), {}, ValueError),
        (np.zeros(2), {}, ValueError),
        (np.zeros(3, np.float32), {"dtype": np.float64}, TypeError),
        (np.zeros(3, np.complex128), {"dtype": np.float64}, TypeError),
    ],
)
def test_arrays_that_do_not_take_a_result(
    out: Any, options: dict[str, Any], error: type[Exception]
) -> None:
    x = np.array([0.0, 1.5, 2.0])
    for module in (np, sa):
        with pytest.raises(error):
            module.einsum("i,i->i", x, x, out=out, **options)
    sa.einsum("i,i->i", x, x, out=(taken := np.zeros(3, np.int64)), casting="unsafe")
    assert taken.tolist() == [0, 2, 4]
    with pytest.raises(TypeError, match="must be a NumPy array"):
        sa.einsum("i,i->i", x, x, out=sa.asarray(x))


def test_what_was_asked_for_before_has_the_values_and_errors_of_now() -> None:
    for seed in range(3):
        x = np.random.default_rng(seed).random(3)
        a = sa.asarray(A * (seed + 1), format="csr")
        for text, given in (("ij,j->i", (a, x)), ("ij,ij->", (a, a)), ("ij,jk->ik", (a @ a, a))):
            dense = [
                np.asarray(one.todense() if isinstance(one, sa.Array) else one) for one in given
            ]
            found = np.einsum(text, *given)
            np.testing.assert_allclose(np.asarray(found), np.einsum(text, *dense))
        with pytest.raises(ValueError, match="length"):
            np.einsum("ij,j->i", a, x[:2])
        single = np.einsum("ij,j->i", a.astype("float32"), x)  # cast to one dtype before
        assert single.dtype == "float64"
        assert np.einsum("ij,j->i", a, x, dtype="complex128").dtype == "complex128"


def test_long_arrays_that_others_write_are_copied_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """The second call looks up what the first one noted, and has the values of its own time."""
    random = np.random.default_rng(0)
    dense = np.where(random.random((1500, 1500)) < 0.02, random.random((1500, 1500)), 0.0)
    a, y = sa.asarray(dense, format="csr"), random.random((1500, 16))
    assert y.nbytes > operands.COPY_LIMIT
    looked: list[str] = []
    resolved = einsum_of.resolved
    monkeypatch.setattr(
        einsum_of, "resolved", lambda *args: looked.append(args[1]) or resolved(*args)
    )
    for text in ("ij,jr->ir", "ij,rj->ir"):
        for turn in range(3):
            y[:] = random.random(y.shape)
            given, now = y if text == "ij,jr->ir" else y.T, y.copy()
            found = np.einsum(text, a, given)
            y[3] = np.nan
            np.testing.assert_allclose(np.asarray(found), dense @ now)
            y[3] = 0.0
            assert len(looked) == 1, (text, turn)
        looked.clear()
        both = np.einsum("ij,jr,js->rs", a, y, y)
        scaled = dense.sum(axis=0)[:, None] * y
        np.testing.assert_allclose(np.asarray(both), scaled.T @ y)
        looked.clear()
