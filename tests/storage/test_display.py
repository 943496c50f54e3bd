"""The printed form: the levels, the corner of the values, and that it costs little."""

import tracemalloc
from typing import Any

import numpy as np
import pytest
import scipy.sparse

import structarr as sa
from structarr._execute import compute
from structarr._storage import display, pieces
from structarr._storage.display import show
from structarr._storage.tensor import Tensor
from structarr.errors import DensificationError, FormatError
from structarr.formats import Dense, Element, Format, RunList, parse
from structarr.formats.listed import Listed


def values(text: str) -> list[str]:
    """The lines below the one that announces the values, without repeated blanks."""
    lines = text.splitlines()
    (start,) = (at for at, line in enumerate(lines) if "values" in line and line.endswith(":"))
    return [" ".join(line.split()) for line in lines[start + 1 :]]


def numbers(text: str) -> list[list[str]]:
    """The rows of values that are integers, with the fill written out."""
    return [["0" if cell == "." else cell for cell in row.split()] for row in values(text)]


def test_levels_say_their_axis_counts_and_bytes() -> None:
    csr = Tensor.checked(parse("csr", 2), (3, 4), 0, ([0, 2, 2, 3], [0, 3, 1], [1.0, 2.0, 3.0]))
    assert show(csr.transposed((1, 0))).splitlines() == [
        "csc of shape (4, 3), dtype float64, fill 0.0: 3 stored, 80 bytes",
        "axis 1  Dense       1 fiber of 3: 3 stored",
        "axis 0  SparseList  3 fibers of 4: 3 stored, ptr int64 32 bytes, idx int64 24 bytes",
        "leaf    Element     3 values, val float64 24 bytes",
        'values ("." where nothing is stored: 0.0):',
        "  1.   .   .",
        "   .   .  3.",
        "   .   .   .",
        "  2.   .   .",
    ]


def test_parameters_of_a_level_are_shown() -> None:
    class Sided(Dense):  # stands for levels that have parameters
        side: str
        k: int = 0

    assert display._label(Sided(Element(), "upper")) == "Sided(side='upper', k=0)"


@pytest.mark.parametrize("order", [(0, 1), (1, 0)])
@pytest.mark.parametrize("format", ["dense", "list", "csf", "bitmap", "band", "rle"])
@pytest.mark.parametrize("index", ["int64", "int32"])
def test_every_format_shows_its_elements(format: str, order: Any, index: str) -> None:
    rng = np.random.default_rng(1)
    dense = rng.integers(10, 100, (9, 8)) * (rng.random((9, 8)) < 0.4)
    wanted = Format(parse(format, 2).root, order, index)
    shown = numbers(str(sa.asarray(dense, format=wanted)))
    assert shown == dense.astype(str).tolist()


def test_a_large_dense_array_shows_its_corners() -> None:
    dense = np.arange(400).reshape(20, 20)
    shown = numbers(str(sa.asarray(dense).asformat(Format(parse("dense", 2).root, (1, 0)))))
    edges = [0, 1, 2, 17, 18, 19]
    corner = dense[edges][:, edges].astype(str).tolist()
    expected = [[*row[:3], "...", *row[3:]] for row in corner]
    assert shown == [*expected[:3], ["..."], *expected[3:]]


@pytest.mark.parametrize("format", ["csr", "csc", "coo", "dcsr", "bitmap", "vbl"])
def test_a_large_sparse_array_shows_its_first_and_last_values(format: str) -> None:
    dense = np.zeros((50, 60), int)
    rows, columns = np.arange(20, 32), np.arange(40, 52)
    dense[rows, columns] = np.arange(1, 13)
    lines = values(str(sa.asarray(dense, format=format)))
    told = [f"({i}, {j}) {value}" for i, j, value in zip(rows, columns, range(1, 13), strict=True)]
    assert lines == [*told[:4], "...", *told[-4:]]


def test_runs_are_shown_whole() -> None:
    lines = str(sa.asarray(np.repeat([3, 0, 5], 20), format="sparse-rle")).splitlines()
    assert lines[-3:] == ["stored values, 0 elsewhere:", "  (0:20)   3", "  (40:60)  5"]


def test_an_array_that_stores_nothing_says_so() -> None:
    text = str(sa.asarray(np.zeros((30, 30)), format="csr"))
    assert text.endswith("nothing is stored, 0.0 elsewhere")


def test_a_stored_fill_is_not_a_point() -> None:
    stored = Tensor.checked(parse("list", 1), (3,), 0, ([0, 2], [0, 2], [0, 5]))
    assert values(show(stored)) == ["0 . 5"]


def test_a_fill_other_than_zero_is_named() -> None:
    text = str(sa.asarray([np.inf, 1.5, np.inf], format="list", fill_value=np.inf))
    assert '("." where nothing is stored: inf)' in text
    assert values(text) == [". 1.5 ."]


def test_long_axes_show_their_ends() -> None:
    assert values(str(sa.asarray(np.arange(12)))) == ["0 1 2 3 4 5 6 7 8 9 10 11"]
    assert values(str(sa.asarray(np.arange(13)))) == ["0 1 2 ... 10 11 12"]


def test_more_axes_show_their_planes() -> None:
    lines = values(str(sa.asarray(np.arange(24).reshape(3, 4, 2), format="csf")))
    assert lines[:3] == ["[0, :, :]", ". 1", "2 3"]
    assert lines[5:7] == ["[1, :, :]", "8 9"]
    assert lines[10:12] == ["[2, :, :]", "16 17"]
    assert values(str(sa.asarray(np.ones((40, 3, 3)))))[-1] == "... and 38 more"


@pytest.mark.parametrize(
    ("array", "row"),
    [
        ([True, False], "True ."),
        ([1 + 2j, 0], "1.+2.j ."),
        ([1e30, 0, np.nan], "1.e+30 . nan"),
        ([0.0, 0.0], ". ."),
    ],
)
def test_dtypes(array: list[Any], row: str) -> None:
    assert values(str(sa.asarray(array, format="list"))) == [row]


def test_numpys_print_options_hold() -> None:
    with np.printoptions(precision=2):
        assert values(str(sa.asarray([np.pi, np.e]))) == ["3.14 2.72"]


@pytest.mark.parametrize("shape", [(0,), (0, 5), (5, 0), (2, 0, 3), (0, 0)])
@pytest.mark.parametrize("format", ["dense", "list", "csf", "bitmap", "band", "rle"])
def test_empty_extents(shape: tuple[int, ...], format: str) -> None:
    text = str(sa.asarray(np.zeros(shape), format=format))
    assert text.endswith(f"no values: axis {shape.index(0)} is empty")


@pytest.mark.parametrize("value", [2.5, True, 3, 1 + 2j])
def test_no_axes_print_as_the_scalar(value: Any) -> None:
    assert str(sa.asarray(value)) == str(np.asarray(value))
    assert f"{sa.asarray(2.5) + 1:.2f}" == "3.50"


def test_a_format_specification_is_for_scalars() -> None:
    with pytest.raises(TypeError, match="format string"):
        format(sa.asarray([1.0]), ".2f")


def test_str_computes_and_repr_of_a_large_array_does_not(monkeypatch: pytest.MonkeyPatch) -> None:
    total = sa.asarray(np.ones(5000)) + 1
    with monkeypatch.context() as patch:
        patch.setattr(compute, "value", None)
        assert "lazy" in repr(total)
    assert values(str(total)) == ["2. 2. 2. ... 2. 2. 2."]
    assert "lazy" not in repr(total)


def test_repr_of_a_small_array_shows_its_value() -> None:
    assert repr(sa.asarray([1.0, 2.0]).sum()) == "<structarr.Array 3.0 dtype=float64>"
    assert repr(sa.asarray([1.0, 2.0]) + 1).endswith("\n  2.  3.>")


def test_repr_of_what_fails_is_lazy(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(node: Any) -> None:
        raise DensificationError("no")

    total = sa.asarray([1.0, 2.0]) + 1
    monkeypatch.setattr(compute, "value", refuse)
    assert "lazy" in repr(total)


def huge() -> Tensor:
    n = 10**6
    coords = ([0, 2, n - 1], [1, 5, n - 1])
    matrix = scipy.sparse.csr_array(([1, 2, 3], coords), shape=(n, n))
    return sa.asarray(matrix).compute()._tensor


@pytest.mark.parametrize(
    "tensor",
    [
        huge(),
        huge().transposed((1, 0)),
        Tensor.checked(parse("rle", 1), (10**15,), 0, ([0, 2], [1, 10**15], [7, 0])),
        Tensor.checked(parse("csf", 3), (10**6,) * 3, 0, ([0, 0], [], [0], [], [0], [], [])),
        Tensor(parse("dense", 1), (10**8,), np.dtype("b"), np.int8(0), (np.zeros(10**8, "b"),)),
    ],
    ids=["csr", "csc", "rle", "csf", "dense"],
)
def test_only_what_is_shown_is_read(tensor: Tensor, monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (display, pieces):
        monkeypatch.setattr(module, "coordinates", None)
    tracemalloc.start()
    try:
        assert "values" in show(tensor) or "nothing" in show(tensor)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 2**17  # a mask of what one of these stores takes a megabyte and more


# Levels for which no quick look-up is known


@pytest.fixture
def silent(monkeypatch: pytest.MonkeyPatch) -> None:
    """No list or run tells where its children are, as a level from outside."""
    for level in (Listed, RunList):
        monkeypatch.delattr(level, "whereabouts")


@pytest.mark.usefixtures("silent")
def test_levels_that_do_not_tell_where_values_are_are_listed() -> None:
    dense = np.diag(np.arange(1, 16))
    for format in ("csr", "csc"):
        lines = values(str(sa.asarray(dense, format=format)))
        assert lines[:2] == ["(0, 0) 1", "(1, 1) 2"]
    assert values(show(huge()))[0] == "(0, 1) 1"


@pytest.mark.usefixtures("silent")
def test_long_runs_are_not_listed() -> None:
    runs = Tensor.checked(parse("rle", 1), (10**15,), 0, ([0, 1], [10**15], [7]))
    assert show(runs).endswith("values: too many to look one up in this format")


@pytest.mark.usefixtures("silent")
def test_a_level_that_cannot_be_listed_has_no_values(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(tensor: Tensor) -> None:
        raise FormatError("not listed")

    for module in (display, pieces):
        monkeypatch.setattr(module, "coordinates", refuse)
    for tensor in (huge(), sa.asarray([0, 1, 0], format="list")._tensor):
        assert tensor is not None
        assert show(tensor).endswith("in this format")
