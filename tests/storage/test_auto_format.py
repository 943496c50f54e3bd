"""Bytes of candidates against a count that goes over the elements one by one; what is chosen."""

from __future__ import annotations

from itertools import groupby, pairwise, product
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given, strategies as st
from hypothesis.extra import numpy as npst

import structarr as sa
from structarr._array import stored
from structarr._storage import run_lists
from structarr._storage.auto_format import candidates, choose, refusals, table
from structarr._storage.coordinates import from_coordinates
from structarr._storage.dense import from_dense
from structarr._storage.statistics import measure
from structarr._storage.tensor import Tensor
from structarr.errors import DensificationError, FormatError
from structarr.formats import Dense, Format, RunList, parse

DTYPES = ["bool", "int8", "int64", "float32", "float64", "complex128"]


def same(a: Any, b: Any) -> bool:
    return bool(a == b or (a != a and b != b))


def fibers(array: np.ndarray, order: tuple[int, ...]) -> list[list[Any]]:
    moved = array.transpose(order)
    return [list(moved[outer]) for outer in product(*map(range, moved.shape[:-1]))]


def runs(fiber: list[Any]) -> list[tuple[int, Any]]:
    found: list[tuple[int, Any]] = []
    for value in fiber:
        if found and same(found[-1][1], value):
            found[-1] = (found[-1][0] + 1, value)
        else:
            found.append((1, value))
    return found


def blocks(fiber: list[bool]) -> int:
    return sum(key for key, _ in groupby(fiber))


def packbits(fiber: list[Any]) -> tuple[int, int]:
    segments = children = 0
    for long, group in groupby(runs(fiber), key=lambda run: run[0] >= 3):
        lengths = [length for length, _ in group]
        segments += len(lengths) if long else 1
        children += len(lengths) if long else sum(lengths)
    return segments, children


def hull(stored: list[bool]) -> int:
    places = [k for k, one in enumerate(stored) if one]
    return places[-1] - places[0] + 1 if places else 0


def reach(stored: list[bool]) -> int:
    return max((k + 1 for k, one in enumerate(stored) if one), default=0)


def along(array: np.ndarray, order: tuple[int, ...], fill: Any) -> dict[str, tuple[int, int]]:
    """Entries of index buffers and children of each last level below dense ones."""
    rows = fibers(array, order)
    stored = [[not same(value, fill) for value in row] for row in rows]
    count, entries = len(rows), sum(map(sum, stored))
    kept = [[run for run in runs(row) if not same(run[1], fill)] for row in rows]
    segments = [packbits(row) for row in rows]
    found = {
        "list": (count + 1 + entries, entries),
        "band": (2 * count + 1, sum(map(hull, stored))),
        "vbl": (count + 2 + 2 * sum(map(blocks, stored)), entries),
        "rle": (count + 1 + sum(len(runs(row)) for row in rows), sum(len(runs(r)) for r in rows)),
        "sparse-rle": (count + 1 + 2 * sum(map(len, kept)), sum(map(len, kept))),
        "packbits": (count + 2 + 2 * sum(s for s, _ in segments), sum(c for _, c in segments)),
        "ragged": (count + 1, sum(map(reach, stored))),
    }
    if all(sum(row) <= 1 for row in stored):
        found["point"] = (count, count)
    if all(len(row) <= 1 for row in kept):
        found["interval"] = (2 * count, count)
    return found


def nested(array: np.ndarray, order: tuple[int, ...], fill: Any) -> tuple[int, int]:
    """Lists at all levels."""
    moved = array.transpose(order)
    places = [place for place in np.ndindex(moved.shape) if not same(moved[place], fill)]
    prefixes = [{place[:depth] for place in places} for depth in range(1, array.ndim + 1)]
    counts = [1, *map(len, prefixes)]
    return sum(a + 1 + b for a, b in pairwise(counts)), counts[-1]


def whole(array: np.ndarray, fill: Any) -> dict[str, tuple[int, int]]:
    """Formats without an order, entries and children; of matrices, those for rows outside."""
    n, m = array.shape
    stored = np.array([[not same(value, fill) for value in row] for row in array], bool)
    stored = stored.reshape(n, m)
    places = [(int(i), int(j)) for i, j in np.argwhere(stored)]
    diagonals = len({j - i for i, j in places})
    found = {
        "dense": (0, n * m),
        "coo": (2 + 2 * len(places), len(places)),
    }
    if places:
        found["dia"] = (diagonals, min(n, m) * diagonals)
    if all(i <= j for i, j in places):
        found["triu"] = (0, sum(j >= i for i in range(n) for j in range(m)))
    if all(i >= j for i, j in places):
        found["tril"] = (0, sum(j <= i for i in range(n) for j in range(m)))
    for name, other in (("symmetric", array.T), ("hermitian", array.conj().T)):
        if n == m and all(map(same, array.ravel(), other.ravel())):
            found[name] = (0, n * (n + 1) // 2)
    for b in (2, 3, 4, 6, 8):
        if n % b == 0 and m % b == 0:
            tiles = len({(i // b, j // b) for i, j in places})
            found[f"bsr {b}x{b}"] = (min(n, m) // b + 1 + tiles, tiles * b * b)
    return found


def expected(array: np.ndarray, fill: Any = 0) -> dict[str, int]:
    """The bytes of each format whose name has no order in it, or csc, or dcsc."""
    sizes: dict[str, tuple[int, int]] = {}
    matrix = array.ndim == 2
    if matrix:
        sizes |= whole(array, fill)
        if array.dtype.kind != "c":
            sizes.pop("hermitian", None)
    natural = tuple(range(array.ndim))
    for order in {natural, natural[::-1]} if matrix else {natural}:
        names = {"list": "csr" if order == natural else "csc"} if matrix else {}
        suffix = "" if order == natural else f", order {order}"
        for name, size in along(array, order, fill).items():
            sizes[names.get(name, name + suffix)] = size
        if array.ndim > 1:
            sizes[("dcsr" if not suffix else "dcsc") if matrix else "csf"] = nested(
                array, order, fill
            )
    return {name: 4 * index + array.itemsize * held for name, (index, held) in sizes.items()}


def offered(tensor: Tensor) -> dict[str, int]:
    return {one.name: one.nbytes for one in candidates(measure(tensor))}


def check(array: np.ndarray, tensor: Tensor | None = None, fill: Any = 0) -> None:
    tensor = from_dense(array) if tensor is None else tensor
    found, wanted = offered(tensor), expected(array, fill)
    # Diagonals and tiles are measured for the order with fewer rows outside.
    plain = {name.removesuffix(", order (1, 0)"): size for name, size in found.items()}
    assert {name: found.get(name, plain.get(name)) for name in wanted} == wanted
    refused = {"point", "interval", "triu", "tril", "symmetric", "hermitian"}
    assert not refused & set(found) - set(wanted)


def arrays(shapes: Any) -> Any:
    def of(dtype: str) -> Any:
        few = [0, 0, 0, 1] if dtype == "bool" else [0, 0, 0, 1, 2]
        few += [-0.0, np.nan] if np.dtype(dtype).kind in "fc" else []
        few += [1j, -1j] if np.dtype(dtype).kind == "c" else []
        return npst.arrays(dtype, shapes, elements=st.sampled_from(few), fill=st.nothing())

    return st.sampled_from(DTYPES).flatmap(of)


@given(arrays(npst.array_shapes(min_dims=2, max_dims=2, min_side=0, max_side=8)))
def test_bytes_of_matrices(array: np.ndarray) -> None:
    check(array)


@given(arrays(npst.array_shapes(min_dims=1, max_dims=1, min_side=0, max_side=24)))
def test_bytes_of_vectors(array: np.ndarray) -> None:
    check(array)


@given(arrays(npst.array_shapes(min_dims=3, max_dims=4, min_side=0, max_side=4)))
def test_bytes_of_more_axes(array: np.ndarray) -> None:
    check(array)


@pytest.mark.parametrize("name", ["csr", "csc", "dcsr", "coo", "rle", "band", "bitmap"])
def test_what_is_stored_otherwise_measures_the_same(name: str) -> None:
    rng = np.random.default_rng(3)
    array = np.repeat(rng.integers(0, 3, (30, 10)) * (rng.random((30, 10)) < 0.2), 3, axis=1)
    array[4:9] = 0
    stored = sa.asarray(array).asformat("dcsr" if name == "coo" else name)._tensor
    assert stored is not None
    check(array, stored)
    key = lambda name: name.removesuffix(", order (1, 0)")  # noqa: E731
    dense, other = offered(from_dense(array)), offered(stored)
    assert sorted({*map(key, dense)}) == sorted({*map(key, other)})


def test_runs_are_not_expanded() -> None:
    stops, values = np.array([10**9, 10**9 + 5, 2 * 10**9]), np.array([0.0, 3.0, 0.0])
    tensor = Tensor.checked(parse("rle", 1), (2 * 10**9,), 0, ([0, 3], stops, values))
    assert (choose(tensor).name, choose(tensor).nbytes) == ("interval", 16)
    assert offered(tensor)["rle"] == 4 * 5 + 24


def test_runs_below_runs_are_measured_along_both_axes() -> None:
    array = np.repeat(np.arange(6).reshape(2, 3), 20, axis=1)
    rows = sa.asarray(array).asformat(Dense(RunList()))._tensor
    columns = sa.asarray(array).asformat(Format(Dense(RunList()), (1, 0)))._tensor
    assert rows is not None and columns is not None
    check(array, rows)
    check(array, columns)


def test_stored_fill_is_not_counted() -> None:
    tensor = Tensor.checked(parse("csr", 2), (2, 3), 0, ([0, 2, 3], [0, 2, 1], [0.0, 5.0, -0.0]))
    assert offered(tensor)["csr"] == 4 * (3 + 1) + 8
    check(np.array([[0, 0, 5.0], [0, 0, 0]]), tensor)


def test_another_fill() -> None:
    array = np.full((4, 9), 255, np.uint8)
    array[1, 2:5] = 0
    tensor = from_dense(array)
    filled = Tensor(tensor.format, tensor.shape, tensor.dtype, np.uint8(255), tensor.buffers)
    check(array, filled, fill=255)
    nothing = Tensor(
        tensor.format, (4, 9), np.dtype(float), np.float64(np.nan), (np.full(36, np.nan),)
    )
    assert offered(nothing)["csr"] == 4 * 5


def test_coordinates_beyond_int32_take_eight_bytes() -> None:
    far = from_coordinates(
        ([5, 2**40], [1, 2**40 + 1]), [1.0, 2.0], (2**41, 2**41), 0, parse("dcsr", 2)
    )
    found = {one.name: one for one in candidates(measure(far))}
    assert choose(far) == found["coo"]
    assert (found["coo"].nbytes, found["dcsr"].nbytes) == (8 * 6 + 16, 8 * 9 + 16)
    assert found["dcsr"].format is parse("dcsr", 2, "int64")


def test_chunks_make_no_difference(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(5)
    array = rng.integers(0, 3, (120, 24)) * (rng.random((120, 24)) < 0.3)
    square = array[:24] + array[:24].T
    other = [from_dense(array), from_dense(square), from_dense(array.reshape(60, 6, 8))]
    whole = [offered(tensor) for tensor in other]
    monkeypatch.setattr(run_lists, "_CHUNK", 1)
    assert [offered(tensor) for tensor in other] == whole
    assert "symmetric" in whole[1]


def test_choices() -> None:
    rng = np.random.default_rng(0)

    def scattered(n: int, m: int, density: float) -> np.ndarray:
        return rng.random((n, m)) * (rng.random((n, m)) < density)

    noise = rng.random((40, 40))
    hilly = np.where(np.abs(np.add.outer(np.arange(40) * 7 % 40, -np.arange(40))) < 3, noise, 0)
    wide = scattered(40, 400, 0.05)
    tiled = np.kron(rng.random((10, 10)) < 0.2, np.ones((4, 4))) * noise
    pages = np.repeat(rng.integers(1, 99, (40, 6)), rng.integers(5, 90, 6), axis=1)
    lines = np.zeros((40, 400), np.uint8)
    lines[::7, 30:90] = 1
    lines[::5, 130:190] = 7
    mixed = np.hstack([np.repeat(noise[:, :3], 50, axis=1), noise])
    few = np.zeros((4000, 4000))
    few[17, 5], few[1712, 9], few[3000, 1500] = 1, 2, 3
    choices = {
        "dense": noise,
        "constant": np.repeat(noise[:1], 40, axis=0),
        "symmetric": noise + noise.T,
        "triu": np.triu(noise),
        "tril": np.tril(noise),
        "dia": np.diag(noise[0]) + np.diag(noise[1, 1:], 1),
        "band": hilly,
        "ragged": np.where(np.arange(40) < rng.integers(0, 40, (40, 1)), noise, 0),
        "csr": wide,
        "csc": wide.T.copy(),
        "vbl": np.repeat(scattered(40, 40, 0.2) != 0, 10, axis=1) * rng.random((40, 400)),
        "bsr 4x4": tiled,
        "rle": pages,
        "SparseList(SparseRunList)": lines,
        "sparse-rle": np.repeat(scattered(40, 40, 0.2), 20, axis=1),
        "packbits": mixed,
        "point": np.where(np.arange(9) == rng.integers(0, 9, (40, 1)), noise[:, :9], 0),
        "coo": few,
    }
    assert {name: choose(from_dense(array)).name for name, array in choices.items()} == dict(
        zip(choices, choices, strict=True)
    )


def test_hermitian() -> None:
    noise = np.random.default_rng(0).random((9, 9)) * (1 + 1j)
    assert choose(from_dense(noise + noise.conj().T)).name == "hermitian"


def test_booleans_need_no_values() -> None:
    array = np.random.default_rng(0).random((90, 90)) < 0.02
    best, entries = choose(from_dense(array)), int(array.sum())
    assert best.name in ("csr, leaf Pattern", "csc, leaf Pattern")
    assert best.nbytes == 4 * (91 + entries)


@pytest.mark.parametrize(
    "shape", [(), (0,), (1,), (0, 3), (3, 0), (1, 1), (1, 5), (2, 0, 2), (1, 1, 1)]
)
def test_empty_and_short_extents(shape: tuple[int, ...]) -> None:
    best = choose(from_dense(np.arange(1.0, 1 + np.prod(shape)).reshape(shape)))
    assert (best.name, best.nbytes) == ("dense", 8 * int(np.prod(shape)))
    assert best.format is parse("dense", len(shape))


def test_nothing_but_fill() -> None:
    assert (choose(from_dense(np.zeros((30, 40)))).name) == "constant"
    assert offered(from_dense(np.zeros((30, 40))))["coo"] == 8


def test_equal_sizes_go_to_the_faster() -> None:
    names = list(offered(from_dense(np.arange(1, 10).reshape(3, 3))))
    assert names[0] == "dense"
    assert names.index("csr") < names.index("coo")


def test_the_own_order_wins_a_tie() -> None:
    array = np.diag([1.0, 2, 3, 4], 1) + np.diag([1.0, 2, 3, 4], -1)
    array[0, 4] = array[4, 0] = 2
    rows, columns = from_dense(array), from_dense(np.asfortranarray(array))
    names = [name for name in offered(rows) if name in ("band", "band, order (1, 0)")]
    swapped = [name for name in offered(columns) if name in ("band", "band, order (1, 0)")]
    assert names == swapped[::-1]


def test_refusals_say_why() -> None:
    array = np.array([[0, 2.0, 0, 1], [2, 0, 0, 0], [0, 0, 3, 0], [2, 0, 0, 0]])
    measures = measure(from_dense(array))
    reasons = {one.name: one.reason for one in refusals(measures)}
    assert reasons["symmetric"] == "a[0, 3] = 1.0 but a[3, 0] = 2.0"
    assert reasons["triu"] == "a[1, 0] lies below the diagonal"
    assert reasons["tril"] == "a[0, 1] lies above the diagonal"
    assert reasons["constant"] == "along no axis are all elements equal"
    text = table(measures).splitlines()
    assert all(name in line for name, line in zip(reasons, text[-len(reasons) :], strict=True))
    sparse = sa.asarray(array).asformat("csc")._tensor
    assert sparse is not None
    assert {one.name: one.reason for one in refusals(measure(sparse))}["symmetric"] == (
        "a[0, 3] = 1.0 but a[3, 0] = 2.0"
    )


def test_refusals_tell_what_no_format_of_a_kind_holds() -> None:
    wide = np.array([[1.0, 0, 1, 1], [0, 0, 0, 0], [2, 0, 1, 1]])
    reasons = {one.name: one.reason for one in refusals(measure(from_dense(wide)))}
    assert reasons["symmetric"] == "shape (3, 4) is not square"
    assert reasons["point"] == "a fiber has more than one element"
    assert reasons["interval"] == "a fiber has more than one run"


def arrays_of_every_kind(n: int, m: int) -> dict[str, np.ndarray]:
    """Matrices that each some format is made for, and others."""
    rng = np.random.default_rng(9)
    some, column = rng.integers(1, 5, (n, m)), np.arange(m)
    first, last = np.sort(rng.integers(0, m + 1, (2, n, 1)), axis=0)
    repeated = np.repeat(some * (rng.random((n, m)) < 0.3), 3, axis=1)
    found = {
        "dense": some,
        "sparse": some * (rng.random((n, m)) < 0.2),
        "empty": some * 0,
        "constant": np.repeat(some[:1], n, axis=0),
        "runs": np.repeat(some, 3, axis=1),
        "sparse runs": repeated,
        "hypersparse": repeated * (rng.random((n, 1)) < 0.3),
        "band": np.where((column >= first) & (column < last), some, 0),
        "interval": np.where((column >= first) & (column < last), 3, 0),
        "point": np.where(column == first, some, 0),
        "triangle": np.triu(some),
        "diagonals": np.triu(np.tril(some, 1), -1),
        "ragged": np.where(column < last, some, 0),
    }
    return found | ({"symmetric": some + some.T} if n == m else {})


@pytest.mark.parametrize(
    "shape", [(6, 6), (3, 8), pytest.param((8, 3), marks=pytest.mark.long), (1, 5), (0, 3)]
)
@pytest.mark.parametrize(
    "dtype",
    ["float64", *(pytest.param(d, marks=pytest.mark.long) for d in ("bool", "uint8", "complex64"))],
)
def test_conversions_take_the_bytes_foretold(dtype: str, shape: tuple[int, int]) -> None:
    for source, array in product(("dense", "csc"), arrays_of_every_kind(*shape).values()):
        given = sa.asarray(array.astype(dtype), format=source)
        for one in candidates(measure(stored(given))):
            made = given.asformat(one.format)
            assert (one.name, made.nbytes) == (one.name, one.nbytes)
            assert np.array_equal(made.todense(), array.astype(dtype))


@pytest.mark.parametrize("shape", [(30,), (4, 3, 5)])
def test_conversions_of_other_ranks_take_the_bytes_foretold(shape: tuple[int, ...]) -> None:
    rng = np.random.default_rng(3)
    array = np.repeat(rng.integers(0, 3, shape) * (rng.random(shape) < 0.3), 3, axis=-1)
    for dtype, source in [("float64", "csf"), ("bool", "dense")]:
        given = sa.asarray(array.astype(dtype), format=source)
        for one in candidates(measure(stored(given))):
            made = given.asformat(one.format)
            assert (one.name, made.nbytes) == (one.name, one.nbytes)
            assert np.array_equal(made.todense(), array.astype(dtype))


DATA = Path(__file__).resolve().parents[2] / "data"
TRIED = [
    *("csr", "csc", "dcsr", "dcsc", "coo", "band", "vbl", "ragged", "rle", "sparse-rle"),
    *("packbits", "constant", "interval"),
]
WIDE = ["dense", "bitmap", "triu", "tril", "symmetric", "dia", "bsr"]


PATHS = sorted(DATA.glob("*/*.npz"))
QUICK = ("1138_bus", "bcsstm10", "gre_1107", "mnist", "nos2", "west0479", "young3c")


def sample(path: Path) -> Any:
    """A matrix; of images two below each other."""
    if path.parent.name != "images":
        return sp.load_npz(path)
    with np.load(path) as held:
        images = held["images"][:2]
    return images.reshape(-1, images.shape[-1])


@pytest.mark.parametrize(
    "path",
    [pytest.param(p, marks=[] if p.stem in QUICK else pytest.mark.long, id=p.stem) for p in PATHS],
)
def test_auto_is_the_smallest_of_what_is_tried_by_hand(path: Path) -> None:
    array = sa.asarray(sample(path))
    chosen = array.asformat("auto")
    assert chosen.nbytes == choose(stored(array)).nbytes
    for format in TRIED + (WIDE if array.size < 10**6 else []):
        try:
            tried = array.asformat(parse(format, 2, "int32"))
        except (FormatError, DensificationError):  # it does not fit
            continue
        assert chosen.nbytes <= 1.1 * tried.nbytes, format
    assert not (chosen != array).any()


def test_auto_is_a_format_to_ask_for() -> None:
    few = np.zeros((50, 50))
    few[3, 4] = 1
    for array in (sa.asarray(few, format="auto"), (sa.asarray(few) + 0).asformat("AUTO")):
        assert array.format == "coo"
        for again in (array.asformat("auto"), sa.asarray(array, format="auto", copy=False)):
            assert again.format == "coo"  # of the same buffers
            assert stored(again).buffers[-1] is stored(array).buffers[-1]
    with pytest.raises(ValueError, match="format dense has to become coo"):
        sa.asarray(few, format="auto", copy=False)


def test_what_is_made_of_a_rule_stays_so() -> None:
    n = 10**6
    ruled = [
        sa.ones((n, n)),
        sa.eye(n),
        sa.tri(n),
        sa.arange(10**9),
        sa.broadcast_to(sa.eye(n), (n, n, n)),
    ]
    for array in ruled:
        assert array.asformat("auto").nbytes == array.nbytes
        assert str(array.format) in str(sa.explain(array.compute()))
    wide = sa.asarray(np.ones((2, 3))).asformat("interval")
    runs = Tensor(
        wide.format.format,
        (n, n),
        np.dtype(float),
        np.float64(0),
        (*[np.full(n, k) for k in (0, n)], np.ones(n)),
    )
    assert choose(runs).nbytes == runs.nbytes
    assert choose(stored(sa.arange(4))).name == "Range"


def test_explain_tells_the_sizes_of_what_is_stored() -> None:
    array = sa.asarray(np.eye(4), format="csr")
    explained = sa.explain(array)
    assert explained.sizes == table(measure(stored(array)))
    assert str(explained).startswith("stored as csr in 104 bytes\n\ndia")
