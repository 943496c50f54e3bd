"""Index modifiers that continue an array beyond its ends, on every format, as NumPy's pad."""

from __future__ import annotations

import numpy as np
import pytest

import structarr as sa

MODES = {"edge": "edge", "circular": "wrap", "reflect": "reflect", "symmetric": "symmetric"}
FORMATS = (
    *("dense", "list", "rle", "band", "vbl", "point", "interval", "sparse-rle", "packbits"),
    *("bitmap", "hash", "coo", "ragged"),
)


def vector(format: str, n: int) -> np.ndarray:
    if format == "point":
        return np.where(np.arange(n) == n // 2, 3.0, 0.0)
    if format == "interval":
        return np.where((np.arange(n) >= n // 3) & (np.arange(n) < n // 3 * 2 + 1), 2.0, 0.0)
    return np.array([0.0, 1.5, 1.5, 0.0, -2.0, 0.0, 4.0])[:n]


@pytest.mark.sampled(3)
@pytest.mark.parametrize("n", [1, 2, 6, 7])
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("format", FORMATS)
def test_a_padded_read_is_numpys_pad(format: str, mode: str, n: int) -> None:
    values = vector(format, n)
    reach = min(3, n - 1 if mode == "reflect" else n)
    found = sa.loops(
        f"y[i] = A[{mode}(i - k)]",
        A=sa.asarray(values, format=format),
        k=reach,
        extents={"i": n + 2 * reach},
    )
    expected = np.pad(values, reach, mode=MODES[mode])
    np.testing.assert_array_equal(found.todense(), expected)


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("format", FORMATS)
def test_a_padded_window_slides(format: str, mode: str) -> None:
    values, weights = vector(format, 6), np.array([1.0, 2.0, 3.0])
    found = sa.loops(
        f"y[i] += A[{mode}(i + j - 1)] * F[j]",
        A=sa.asarray(values, format=format),
        F=weights,
        extents={"i": 6},
    )
    expected = np.correlate(np.pad(values, 1, mode=MODES[mode]), weights, "valid")
    np.testing.assert_allclose(found.todense(), expected)


@pytest.mark.parametrize(
    ("format", "mode", "result"),
    [
        ("list", "circular", "list"),
        ("list", "reflect", "list"),
        ("rle", "edge", "rle"),
        ("rle", "symmetric", "rle"),
        ("band", "circular", "vbl"),
        ("list", "edge", "dense"),  # the edge may be anything, and is repeated
    ],
)
def test_structure_goes_on_beyond_the_ends(format: str, mode: str, result: str) -> None:
    found = sa.loops(
        f"y[i] = A[{mode}(i - 2)]", A=sa.asarray(vector(format, 7), format=format), extents={"i": 9}
    )
    assert found.format == result


def test_axes_are_padded_each_in_its_way() -> None:
    values = np.arange(6.0).reshape(2, 3)
    found = sa.loops("B[i, j] = A[edge(i - 1), reflect(j - 1)]", A=values, extents={"i": 4, "j": 5})
    expected = np.pad(np.pad(values, ((1, 1), (0, 0)), mode="edge"), ((0, 0), (1, 1)), "reflect")
    np.testing.assert_array_equal(found.todense(), expected)


@pytest.mark.parametrize("n", [1, 2, 5])
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("format", ["dense", "list", "rle", "band", "coo", "bitmap"])
def test_any_distance_beyond_the_ends_is_numpys_pad(format: str, mode: str, n: int) -> None:
    values = vector("interval" if format == "band" else format, n)
    expected = np.pad(values, (3 * n + 1, 4 * n), mode=MODES[mode])
    with sa.options(tier="interpreted"):
        found = sa.loops(
            f"y[i] = A[{mode}(i - k)]",
            A=sa.asarray(values, format=format),
            k=3 * n + 1,
            extents={"i": len(expected)},
        )
    np.testing.assert_array_equal(found.todense(), expected)


def test_far_beyond_both_ends_of_a_matrix() -> None:
    values = np.array([[0, 1.0, 0], [2, 0, 0]])
    found = sa.loops(
        "y[i] += A[reflect(i - 5), symmetric(j + 4)] * z[j]",
        A=sa.asarray(values, format="csr"),
        z=np.arange(9.0),
        extents={"i": 9},
    )
    around = np.pad(values, ((0, 0), (0, 10)), mode="symmetric")[:, 4:13]
    around = np.pad(around, ((5, 2), (0, 0)), mode="reflect")
    np.testing.assert_array_equal(found.todense(), around @ np.arange(9.0))


@pytest.mark.parametrize("mode", MODES)
def test_an_array_without_elements_has_no_edge(mode: str) -> None:
    with pytest.raises(IndexError, match="of length 0"):
        sa.loops(f"y[i] = A[{mode}(i)]", A=np.zeros(0), extents={"i": 2})


def test_one_region_of_runs_read_from_two_sides() -> None:
    x = np.array([1.0, 1.0, 0.0, 2.0, 2.0])
    found = sa.loops(
        "y[i] = c[symmetric(0 - i)] * c[circular(2 * i + 2)]",
        c=sa.asarray(x, format="rle"),
        extents={"i": 2},
    )
    assert found.tolist() == [x[0] * x[2], x[0] * x[4]]


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("format", ["csr", "dcsr", "coo", "band", "rle"])
def test_an_index_that_is_bound_already_is_continued(format: str, mode: str) -> None:
    x = np.arange(12.0).reshape(4, 3) * (np.arange(12).reshape(4, 3) % 4 > 0)
    found = sa.loops(
        f"y[i] = a[permit(i), {mode}(i)]", a=sa.asarray(x, format=format), extents={"i": 4}
    )
    fourth = np.pad(x, ((0, 0), (0, 1)), mode=MODES[mode])[3, 3]
    assert found.tolist() == [x[0, 0], x[1, 1], x[2, 2], fourth]


@pytest.mark.parametrize(
    ("line", "loops"),
    [("y[i] += a[k, permit(i)]", "ik"), ("y[i, j] += a[permit(i + k), permit(i)]", "ijk")],
)
def test_sums_of_what_is_constant_within_its_range(line: str, loops: str) -> None:
    columns = sa.formats.Format(sa.formats.Constant(sa.formats.Dense(sa.formats.Element())), (1, 0))
    a = sa.asarray(np.array([[2.0]]), format=columns)
    found = sa.loops(line, a=a, extents={n: 1 if n == "k" else 3 for n in loops})
    wanted = np.zeros((3, 3)[: len(loops) - 1])
    wanted[0] = 2.0
    np.testing.assert_array_equal(found.todense(), wanted)
