"""Names of formats, trees that users write, and layouts that equal both."""

import copy
import pickle

import pytest

from structarr import formats
from structarr.errors import FormatError
from structarr.formats import (
    Bitmap,
    Dense,
    Element,
    Format,
    Layout,
    RunList,
    SparseBand,
    SparseList,
    name_of,
    name_table,
    names,
    parse,
)
from structarr.formats.name_table import matches
from structarr.formats.names import tree_of


@pytest.mark.parametrize(
    ("name", "ndim", "tree", "order"),
    [
        ("csr", 2, Dense(SparseList()), (0, 1)),
        ("csc", 2, Dense(SparseList()), (1, 0)),
        ("dcsr", 2, SparseList(SparseList()), (0, 1)),
        ("dcsc", 2, SparseList(SparseList()), (1, 0)),
        ("csf", 3, SparseList(SparseList(SparseList())), (0, 1, 2)),
        ("list", 1, SparseList(), (0,)),
        ("list", 3, Dense(Dense(SparseList())), (0, 1, 2)),
        ("dense", 2, Dense(Dense()), (0, 1)),
        ("band", 2, Dense(SparseBand()), (0, 1)),
        ("rle", 2, Dense(RunList()), (0, 1)),
        ("bitmap", 1, Bitmap(), (0,)),
    ],
)
def test_each_name_is_a_tree_and_is_printed(
    name: str, ndim: int, tree: formats.Level, order: tuple[int, ...]
) -> None:
    format = parse(name, ndim)
    assert format is Format(tree, order)
    assert name_of(format) == name


@pytest.mark.parametrize("name", ["dense", "list", "csf", "band", "rle", "bitmap"])
def test_of_no_axes_all_names_mean_one_element(name: str) -> None:
    assert parse(name, 0) is Format(Element(), ())


def test_two_names_of_one_tree() -> None:
    assert parse("csf", 2) is parse("dcsr", 2)
    assert parse("LIST", 2) is parse("csr", 2)


@pytest.mark.parametrize("ndim", [0, 1, 2, 3])
def test_compressed_is_another_name_of_list(ndim: int) -> None:
    assert parse("Compressed", ndim) is parse("list", ndim)
    assert Layout(parse("list", ndim)) == "compressed"
    assert name_of(parse("compressed", 1)) == "list"
    names.register("compressed", SparseList)
    with pytest.raises(FormatError, match="'compressed' is taken, by SparseList for 1 axis"):
        names.register("compressed", RunList)


def test_trees_without_a_name_print_as_they_are_written() -> None:
    assert name_of(parse(SparseList(Dense()), 2)) == "SparseList(Dense)"
    assert name_of(Format(Dense(Dense()), (1, 0))) == "Dense(Dense), order (1, 0)"
    assert tree_of(Element()) == "Element"


def test_a_format_passes_through() -> None:
    csc = parse("csc", 2, "int32")
    assert parse(csc, 2) is csc
    assert parse(Layout(csc), 2) is csc
    assert parse(Dense(SparseList()), 2, "int32").index == "int32"


@pytest.mark.parametrize(
    ("spec", "ndim", "message"),
    [
        ("crs", 2, "'crs' is unknown; did you mean csr\\?; there are .*csr.*bitmap"),
        ("csr", 3, "'csr' is for 2 axes, not 3; for 3 there are dense, list, csf"),
        (Dense(), 2, "1 levels above its leaf for 2 axes"),
        (Format(Dense(Dense()), (0, 0)), 2, "must be a permutation"),
        (Format(Dense(), (0,), "int16"), 1, "index must be one of int32, int64"),
    ],
)
def test_bad_formats_are_refused(spec: str | Format, ndim: int, message: str) -> None:
    with pytest.raises(FormatError, match=message):
        parse(spec, ndim)


class Mine(SparseList):
    """A level from outside."""


def test_a_name_for_a_level_from_outside(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(name_table, "NAMES", dict(name_table.NAMES))
    formats.register("mine", Mine)
    formats.register("mine", Mine)
    assert parse("mine", 2) is Format(Dense(Mine()), (0, 1))
    assert name_of(Format(Dense(Mine()), (0, 1))) == "mine"
    assert "mine" in formats.names_for(3)
    with pytest.raises(FormatError, match=r"'mine' is taken, by Mine for 1 axis; choose another"):
        formats.register("mine", Bitmap)


@pytest.mark.parametrize("name", ["", "auto", "Mine"])
def test_names_that_cannot_be_given(name: str) -> None:
    with pytest.raises(FormatError, match="must be in lower case, and not 'auto'"):
        formats.register(name, Mine)


def test_bad_types_and_index_dtypes_are_refused() -> None:
    with pytest.raises(TypeError, match="a format is a name, a tree of levels or a Format"):
        parse(5, 2)  # type: ignore[arg-type]
    with pytest.raises(FormatError, match="index must be one of"):
        parse("csr", 2, "uint8")


def test_a_layout_equals_its_names_tree_and_format() -> None:
    layout = Layout(parse("csr", 2, "int32"))
    assert layout == "csr"
    assert layout == "list"
    assert layout == parse("csr", 2, "int32")
    assert layout == Layout(parse("list", 2, "int32"))
    assert layout == Dense(SparseList())
    assert layout != "csc"
    assert layout != "no such name"
    assert layout != parse("csr", 2)  # the index dtype differs
    assert layout != 5
    assert layout in {"csr", "csc"}
    assert len({layout, Layout(parse("csr", 2, "int32"))}) == 1


def test_a_layout_shows_what_it_is() -> None:
    layout = Layout(parse("csc", 2))
    assert (str(layout), repr(layout)) == ("csc", "Layout('csc')")
    assert (layout.order, layout.index, layout.ndim) == ((1, 0), "int64", 2)
    assert [type(level) for level in layout.levels] == [Dense, SparseList, Element]
    assert pickle.loads(pickle.dumps(layout)) == layout
    assert copy.deepcopy(layout) == layout
    with pytest.raises(AttributeError):
        layout.format = parse("csr", 2)  # type: ignore[misc]


def test_formats_of_other_levels_do_not_match() -> None:
    """As a format that is asked for does, if it leaves something open."""
    coo, csr = (parse(name, 2, "int32") for name in ("coo", "csr"))
    assert coo.order == csr.order
    assert not matches(coo, csr)
    assert not matches(csr, coo)
    assert matches(csr, parse("csr", 2, "int32"))
