"""Names in the text of a kernel: one for each variable and buffer, whatever those are called."""

import keyword

import structarr as sa
from structarr._compiler.backend.names import Names
from structarr._compiler.ir.cin import Tensor
from structarr._compiler.ir.expr import INDEX, Buffer, Call, Index, Lit
from structarr._compiler.ir.given import bounds, dim, extent, length, size
from structarr._compiler.ir.kernel import Function
from structarr._compiler.ir.variables import LevelVar, Var, unused
from structarr._compiler.runtime import HELPERS
from structarr.formats import parse

ALIKE = (
    Var(INDEX, "q"),
    Var("float64", "q"),
    Var(INDEX, "q", True),
    Var(INDEX, "q", version=2),
    Var(INDEX, "q_2"),
    Buffer("q", INDEX),
    Buffer("q", "float64"),
)


def test_what_is_called_the_same_has_names_of_its_own() -> None:
    names = Names()
    assert [names[one] for one in ALIKE] == ["q", "q_2", "q_3", "q_2_2", "q_2_3", "q_4", "q_5"]
    assert [names[one] for one in ALIKE] == [names[one] for one in ALIKE]


def test_levels_and_lengths_do_not_meet() -> None:
    """`A1_n` is a count of level 1 of A, of level 0 of A1, and more."""
    a = Tensor("A", parse("csr", 2), "float64", Lit("float64", 0.0), (), "out").root()
    nodes = (
        LevelVar(INDEX, "A1_n", True, 1, "A", 1),
        LevelVar(INDEX, "A1_n", True, 1, "A1", 0),
        a.child(a.pos).variable("n"),
        a.child(a.pos).buffer("ptr"),
        Buffer("ptr", INDEX, True, "A1"),
        extent(Index("A_1")),
        length("A", 1),
        dim(1, 1),
        size(1),
        *bounds(Index("A_1")),
        Var(INDEX, "size1"),
    )
    names = Names()
    distinct = {*nodes}
    assert len(distinct) == len(nodes) - 1  # the counter by its fiber is the first
    assert len({names[one] for one in distinct}) == len(distinct)


def test_names_are_pythons_and_mean_nothing_else() -> None:
    doubled = sa.operator(lambda x: x + x, name="doubled_in_names")
    function = Function("part1", (), (), Call(INDEX, doubled.op, (Lit(INDEX, 1),)))
    names = Names((function,))
    for label in ("é", "x'", "2x", "", "for", "range", "np", "u", "part1", "float64", *HELPERS):
        found = names[Var(INDEX, label)]
        assert found.isidentifier()
        assert found.isascii()
        assert found not in {*keyword.kwlist, *HELPERS, "range", "np", "u", "part1", "float64"}
    assert names[Var(INDEX, doubled.op.function.name)] != doubled.op.function.name


def test_versions_count_up() -> None:
    taken = {Var(INDEX, "i"), Var(INDEX, "i", version=2)}
    assert unused(Var(INDEX, "i"), taken) == Var(INDEX, "i", version=3)
    assert unused(Var("float64", "i"), taken) == Var("float64", "i")
