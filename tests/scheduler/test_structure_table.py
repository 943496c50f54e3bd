"""docs/structure.md says which formats come out; the library gives these."""

from collections.abc import Callable, Iterator
from itertools import combinations_with_replacement

import numpy as np
import pytest
from structure import SIZE, matrix, named, planning, table, values

import structarr as sa
from structarr import formats
from structarr._array import Array
from structarr._compiler.ir.expr import Index
from structarr._scheduler.structure_algebra import SCALAR, intersect, unite
from structarr.formats import name_table
from structarr.formats.kind import ModeStructure
from structarr.formats.kinds import KINDS

Plan = Callable[[Array], str]

SAME = ("list", "csf")  # of two axes, csr and dcsr
NAMES = tuple(name for name in name_table.NAMES if name not in SAME)
OPERATIONS = {
    "multiply": np.multiply,
    "add": np.add,
    "minimum": np.minimum,
    "greater": np.greater,
    "a * b + a": lambda a, b: a * b + a,
    "a * b + b": lambda a, b: a * b + b,
}
PAIRS = table("| operands |")
ABOVE = Index("i")
DETAILS = {"upper": (0,), "lower": (0,), "diagonals": ((-1, 0, 1),)}


@pytest.fixture
def format_of() -> Iterator[Plan]:
    for name in NAMES:
        matrix(name)  # by kernels, which there are none of while planning
    with planning() as plan:
        yield plan


def structure(kind: str) -> ModeStructure:
    if kind == "scalar":
        return SCALAR
    above = ABOVE if KINDS[kind].relates else None
    return ModeStructure(KINDS[kind], DETAILS.get(kind, ()), above)


def cells(head: str) -> Iterator[tuple[str, str, str]]:
    """The cells of a table: row, column and what stands there."""
    (_, *columns), *rows = table(head)
    for row, *found in rows:
        yield from ((row, column, cell) for column, cell in zip(columns, found, strict=True))


def test_kinds() -> None:
    rows = table("| kind |")[1:]
    assert [row[0] for row in rows] == list(KINDS)
    for kind, _, support, repeat, levels in rows:
        found = KINDS[kind]
        assert (found.name, found.support.value, found.repeat.name.lower()) == (
            kind,
            support,
            repeat,
        )
        for level in levels.split(", "):
            own = getattr(formats, level)
            own = own(formats.Element(), kind) if level == "Triangular" else own
            assert own.kind is found, level


@pytest.mark.parametrize("head", ["| union | const", "| union | bitmap"])
def test_union(head: str) -> None:
    for row, column, kind in cells(head):
        assert unite([structure(row), structure(column)]).kind is KINDS[kind], (row, column)
        assert unite([structure(column), structure(row)]).kind is KINDS[kind], (column, row)


def test_unions_with_relations_are_told_the_widest() -> None:
    wider = ModeStructure(KINDS["upper"], (-2,), ABOVE)
    assert unite([structure("upper"), wider]) is wider
    assert (
        unite([structure("upper"), ModeStructure(KINDS["upper"], (0,), Index("k"))]).kind
        is KINDS["band"]
    )
    assert unite([ModeStructure(KINDS["upper"], (1,), ABOVE), structure("diagonals")]).details == (
        -1,
    )
    assert unite([structure("symmetric"), structure("symmetric")]).kind is KINDS["symmetric"]
    assert (
        unite([structure("symmetric"), ModeStructure(KINDS["diagonals"], ((0,),), ABOVE)]).kind
        is KINDS["symmetric"]
    )
    assert (
        unite([structure("symmetric"), ModeStructure(KINDS["symmetric"], (), Index("k"))]).kind
        is KINDS["dense"]
    )


def test_intersection() -> None:
    for row, column, kind in cells("| intersection |"):
        assert intersect([structure(row), structure(column)], []).kind is KINDS[kind], (row, column)
    for row, column, kind in cells("| kept within |"):
        assert intersect([structure(row)], [structure(column)]).kind is KINDS[kind], (row, column)


def test_intersections_with_relations_are_told_the_narrowest() -> None:
    lower = ModeStructure(KINDS["lower"], (2,), ABOVE)
    assert intersect([structure("upper"), lower], []).details == ((0, 1, 2),)
    assert (
        intersect([structure("upper"), ModeStructure(KINDS["lower"], (64,), ABOVE)], []).kind
        is KINDS["band"]
    )
    assert (
        intersect([structure("upper"), ModeStructure(KINDS["upper"], (0,), Index("k"))], []).kind
        is KINDS["band"]
    )
    assert intersect([structure("diagonals"), structure("upper")], []).details == ((0, 1),)


@pytest.mark.parametrize("kind", [name for name, kind in KINDS.items() if kind.is_sparse])
def test_others_are_read_where_they_store_nothing(kind: str) -> None:
    """One value beside an operand with gaps is several values."""
    assert intersect([structure("interval")], [structure(kind)]).kind.name != "interval"


def test_table_has_every_pair_once() -> None:
    pairs = [tuple(row[0].split(", ")) for row in PAIRS[1:]]
    known = {frozenset(pair) for pair in combinations_with_replacement(NAMES, 2)}
    assert len(pairs) == len(known)
    assert {frozenset(pair) for pair in pairs} == known
    assert PAIRS[0][1:] == list(OPERATIONS)


@pytest.mark.long  # each operation of each pair: the next test has one of each pair
def test_formats_of_pairs(format_of: Plan) -> None:
    for left, right in combinations_with_replacement(NAMES, 2):
        expected = dict(_row(left, right))
        for name, function in OPERATIONS.items():
            got = format_of(function(matrix(left), matrix(right)))
            assert got == expected[name], (left, right, name)
            if "b" not in name.split():  # the order of the operands does not matter
                got = format_of(function(matrix(right), matrix(left)))
                assert got == expected[name], (right, left, name)


def _row(left: str, right: str) -> Iterator[tuple[str, str]]:
    found = {row[0]: row[1:] for row in PAIRS[1:]}
    if f"{left}, {right}" in found:
        return zip(OPERATIONS, found[f"{left}, {right}"], strict=True)
    row = found[f"{right}, {left}"]
    return zip(OPERATIONS, [*row[:4], row[5], row[4]], strict=True)


@pytest.mark.parametrize("left", NAMES)
def test_values_of_pairs(left: str) -> None:
    """Every pair of formats by one operation, in such turns that each format has them all."""
    place = NAMES.index(left)
    for k, right in enumerate(NAMES[place:]):
        name = list(OPERATIONS)[(k + 3 * place) % len(OPERATIONS)]
        function = OPERATIONS[name]
        with sa.options(tier="interpreted"):
            result = function(matrix(left), matrix(right)).compute()
        np.testing.assert_array_equal(
            result.todense(), function(values(left), values(right)), str((left, right, name))
        )
        assert named(result._tensor.format) == dict(_row(left, right))[name]


REDUCTIONS = {
    "sum(axis=0)": lambda a: a.sum(axis=0),
    "sum(axis=1)": lambda a: a.sum(axis=1),
    "max(axis=0)": lambda a: a.max(axis=0),
    "max(axis=1)": lambda a: a.max(axis=1),
    "a @ x": lambda a: a @ np.arange(1.0, SIZE + 1),
    "x @ a": lambda a: np.arange(1.0, SIZE + 1) @ a,
}


def test_reductions(format_of: Plan) -> None:
    assert {row for row, _, _ in cells("| reduction |")} == set(NAMES)
    for row, column, expected in cells("| reduction |"):
        assert format_of(REDUCTIONS[column](matrix(row))) == expected, (row, column)


@pytest.mark.parametrize("name", NAMES)
def test_values_of_reductions(name: str) -> None:
    with sa.options(tier="interpreted"):
        for text, function in REDUCTIONS.items():
            result = function(matrix(name)).todense()
            np.testing.assert_array_equal(result, function(values(name)), text)


def test_matrix_products(format_of: Plan) -> None:
    assert {row for row, _, _ in cells("| `a @ b` |")} == set(NAMES)
    for row, column, expected in cells("| `a @ b` |"):
        assert format_of(matrix(row) @ matrix(column)) == expected, (row, column)


CONTRACTIONS: dict[str, Callable[[Array, Array], Array]] = {
    "ii->i": lambda a, x: sa.einsum("ii->i", a),
    "ij,ik,jk->ij": lambda a, x: sa.einsum("ij,ik,jk->ij", a, x, x),
    "convolve(a, x)": sa.convolve,
    "convolve(a, a)": lambda a, x: sa.convolve(a, a),
}


def test_contractions_and_windows(format_of: Plan) -> None:
    assert {row for row, _, _ in cells("| contraction |")} == set(NAMES)
    for row, column, expected in cells("| contraction |"):
        found = CONTRACTIONS[column](matrix(row), matrix("dense"))
        assert format_of(found) == expected, (row, column)


@pytest.mark.parametrize("left", NAMES)
def test_values_of_matrix_products(left: str) -> None:
    """Each format with every fifth from its own on."""
    place = NAMES.index(left)
    with sa.options(tier="interpreted"):
        for right in (*NAMES[place::5], *NAMES[:place:5]):
            result = (matrix(left) @ matrix(right)).todense()
            np.testing.assert_array_equal(result, values(left) @ values(right), right)


@pytest.mark.parametrize("kind", ["upper", "lower"])
def test_triangles_of_one_value_are_runs_beside_runs_alone(kind: str) -> None:
    own = structure(kind)
    ones = ModeStructure(own.kind, own.details, own.beside, True)
    for modes in ([own, ones], [ones, own]):
        assert unite(modes) == own
    assert unite([ones, structure("packbits")]).kind is KINDS["dense"]
    assert unite([ones, structure("runs")]).kind is KINDS["runs"]
    assert unite([ones, structure("intervals")]).kind is KINDS["intervals"]
