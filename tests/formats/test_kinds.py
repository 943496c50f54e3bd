"""Records of kinds: what they must say, and how levels name them."""

from __future__ import annotations

import warnings
from dataclasses import replace
from typing import Any, ClassVar

import numpy as np
import pytest
from structure import matrix, values

import structarr as sa
from structarr._array import of_tensor
from structarr._scheduler.structure_algebra import intersect, unite
from structarr._storage.tensor import Tensor
from structarr.errors import FormatError
from structarr.formats import (
    Bitmap,
    Dense,
    Element,
    Format,
    Hermitian,
    Level,
    RunList,
    SparseBand,
    SparseInterval,
    SparseList,
    SparseVBL,
    Symmetric,
    Uniform,
)
from structarr.formats.kind import Children, Kind, ModeStructure, Repeat, Support
from structarr.formats.kind_contract import STAND_INS
from structarr.formats.kinds import BAND, COMPUTED, DENSE, INTERVAL, KINDS, LIST, POINT, UPPER

SINGLE, FULL, STRETCH = Support.SINGLE, Support.FULL, Support.STRETCH
BROKEN: dict[str, dict[str, Any]] = {
    "`name` is of the class str": {"name": 3},
    "`support` is of the class Support": {"support": "list"},
    "`repeat` is of the class Repeat": {"repeat": "runs"},
    "`looser` is a kind": {"looser": "list"},
    "`meets` is a function": {"meets": LIST},
    "`step` is a number of at least 0": {"step": -1.0},
    "`lookup` is a number of at least 0": {"lookup": None},
    "`scatter` is a number of at least 0": {"scatter": float("inf")},
    "`share` is at most 1": {"share": 5.0},
    "runs are of stretches": {"children": Children.RUNS, "each": LIST},
    "values beside gaps differ": {"beside_full": Repeat.CONST},
    "`several` is its own `several`": {"several": POINT},
    "`partial` takes any further element": {"partial": POINT},
    "`relates` is True or False": {"relates": "upper"},
    "a kind of runs or of a rule needs `each`": {"children": Children.RUNS},
    "`each` stores elements one by one": {"each": INTERVAL},
    "values in runs repeat": {
        **{"support": STRETCH, "children": Children.RUNS, "repeat": Repeat.EACH, "each": LIST}
    },
    "`plain` is its own `plain`": {"plain": UPPER},
    "a kind that relates two modes needs `plain`": {"relates": True},
    "mirrored children relate two modes": {"children": Children.MIRRORED},
    "`conjugates` is asked of mirrored children": {"conjugates": True},
    "`vacant` is asked of single elements": {"vacant": True, "support": STRETCH},
    "`in_runs` is asked of stretches": {"in_runs": True},
    "`from_start` is asked of one stretch": {"from_start": True},
    "an arithmetic kind stores every element": {"arithmetic": True},
    "what leaps takes steps": {"leaps": True, "step": None},
}


@pytest.mark.parametrize("clause", BROKEN)
def test_a_kind_that_contradicts_itself_is_told_the_clause(clause: str) -> None:
    fields: dict[str, Any] = {"name": "odd", "support": SINGLE, "repeat": Repeat.RUNS}
    with pytest.raises(FormatError, match=f"kind .*: {clause}"):
        Kind(**{**fields, **BROKEN[clause]})


@pytest.mark.parametrize("kind", KINDS.values(), ids=repr)
def test_results_of_every_kind_have_a_level(kind: Kind) -> None:
    for one in (kind, *(getattr(kind, field) for field in STAND_INS)):
        assert one.result.level is not None
        assert one.result is one or one is COMPUTED


def test_a_kind_has_one_level_and_one_at_least() -> None:
    with pytest.raises(FormatError, match=r"kind 'band': results are held by .*SparseBand"):
        BAND.holds(SparseList)
    with pytest.raises(FormatError, match="kind 'new': no level holds results of it; decorate"):
        _ = Kind("new", SINGLE, Repeat.RUNS).result
    kind = Kind("new", SINGLE, Repeat.RUNS, each=LIST)
    assert kind.made(Element(), "details of its own") is SparseList(Element())


def test_a_format_of_a_kind_without_a_level_is_refused_at_once() -> None:
    class Homeless(SparseList):
        kind: ClassVar[Kind] = Kind("homeless", SINGLE, Repeat.RUNS)

    with pytest.raises(FormatError, match="kind 'homeless': no level holds results of it"):
        sa.asarray([0.0, 1.0], format=Homeless())


def test_what_a_kind_does_not_say_is_that_it_stays_itself() -> None:
    kind = Kind("new", STRETCH, Repeat.EACH)
    assert {getattr(kind, field) for field in STAND_INS} == {kind}
    related = Kind("new", STRETCH, Repeat.EACH, plain=BAND, relates=True)
    assert (related.looser, related.partial, related.above) == (BAND, BAND, related)
    assert replace(BAND, name="other") is not BAND


def test_a_level_may_name_a_kind_of_the_package() -> None:
    class Named(SparseList):
        kind: ClassVar[Any] = "computed"

    class Asked(SparseList):
        @property
        def kind(self) -> Any:
            return "list" if self.child.leaf else DENSE

    assert Named.kind is COMPUTED
    assert Asked(Element()).kind is LIST
    assert Asked(Dense()).kind is DENSE


def test_a_kind_is_compared_with_a_text_as_before_with_a_warning() -> None:
    with pytest.warns(DeprecationWarning, match=r"record of structarr.formats.kinds, not with"):
        assert SparseList(Element()).kind == "list"
    with pytest.warns(DeprecationWarning):
        assert DENSE != "list"
    assert DENSE == DENSE != LIST


@pytest.mark.parametrize("told", ["spiral", 3, None, {}])
def test_what_is_no_kind_is_refused_with_the_class(told: Any) -> None:
    with pytest.raises(FormatError, match=r"level Odd: .* is no kind; .*\(const, .*, or make one"):
        type("Odd", (SparseList,), {"kind": told})


def test_one_value_is_kept_by_a_union_of_operands_of_one_value_alone() -> None:
    whole, part = np.full((4, 4), 2.0), np.add.outer(np.arange(4.0), np.arange(4.0))
    held = Tensor.checked(Format(Dense(Symmetric(Uniform())), (0, 1)), (4, 4), 0.0, ([2.0],))
    one, other = of_tensor(held), sa.asarray(part, format="symmetric")
    main = sa.diag(np.full(4, 3.0))
    y = np.array([[0, 3, 3, 0], [0, 0, 0, 0], [1, 1, 1, 0], [0, 0, 0, 0]]) * 1.0
    runs = sa.asarray(y, format="interval")
    with sa.options(tier="interpreted"):
        for added, dense in ((other, part), (main, 3 * np.eye(4))):
            for total in (one + added, added + one):
                np.testing.assert_array_equal((total * runs).todense(), (whole + dense) * y)
        assert ((one + one) * runs).format == "interval"


def test_one_value_and_its_conjugate_are_two() -> None:
    held = Tensor.checked(Format(Dense(Hermitian(Uniform())), (0, 1)), (4, 4), 0j, ([2 + 1j],))
    one, y = of_tensor(held), np.array([[0, 3, 3, 0]] * 4) * 1.0
    runs = sa.asarray(y, format="interval")
    with sa.options(tier="interpreted"):
        for total in (one, one + one, one * 2):
            np.testing.assert_array_equal((runs * total).todense(), y * total.todense())


def of_its_own(base: type[Level], *told: Any, **fields: Any) -> type[Level]:
    """A level that is written and read as another, with a kind that says as little as it may."""
    kind = Kind("own", *told, **fields)
    return kind.holds(type("Own", (base,), {"kind": kind}))


OWN = {
    "list": of_its_own(SparseList, SINGLE, Repeat.RUNS),
    "band": of_its_own(SparseBand, STRETCH, Repeat.EACH),
    "vbl": of_its_own(SparseVBL, Support.STRETCHES, Repeat.EACH),
    "bitmap": of_its_own(Bitmap, Support.MARKED, Repeat.EACH),
    "dense": of_its_own(Dense, FULL, Repeat.EACH),
    "rle": of_its_own(RunList, FULL, Repeat.RUNS, Children.RUNS, each=DENSE),
    "interval": of_its_own(
        *(SparseInterval, STRETCH, Repeat.CONST, Children.RUNS), each=BAND, above=BAND
    ),
}


@pytest.mark.parametrize(
    "name",
    [pytest.param(name, marks=[] if name == "interval" else pytest.mark.long) for name in OWN],
)
def test_a_kind_that_says_what_it_must_and_no_more_computes(name: str) -> None:
    x, own = values("interval"), OWN[name]
    a = sa.asarray(x, format=Dense(own()))
    with sa.options(tier="interpreted"):
        for other in ("rle", "band", "interval", "csr", "triu"):
            y, b = values(other), matrix(other)
            for found, want in (
                (a * b, x * y),
                (a + b, x + y),
                (np.maximum(a * 2, b).sum(axis=0), np.maximum(x * 2, y).sum(axis=0)),
            ):
                np.testing.assert_array_equal(found.todense(), want, other)
        np.testing.assert_array_equal((a * a + a).asformat(Dense(own())).todense(), x * x + x)


def test_what_appends_is_not_written_out_of_order() -> None:
    kind = Kind("odd", SINGLE, Repeat.RUNS, scatter=0.5)
    with pytest.raises(FormatError, match=r"kind 'odd': `scatter` .* but .*SparseList.* appends"):
        kind.holds(SparseList)


@pytest.mark.parametrize("rule", ["joins", "meets"])
@pytest.mark.parametrize(
    ("answer", "problem"), [(lambda: "list", "gave 'list'"), (lambda: 1 / 0, "raised ZeroDivision")]
)
def test_a_pairing_that_is_no_structure_is_named_where_it_is_asked(
    rule: str, answer: Any, problem: str
) -> None:
    kind = Kind("odd", SINGLE, Repeat.RUNS, each=LIST, **{rule: lambda own, other: answer()})
    one, other = ModeStructure(kind), ModeStructure(LIST)
    with pytest.raises(FormatError, match=f"kind 'odd': `{rule}` with kind 'list' {problem}"):
        unite([one, other]) if rule == "joins" else intersect([other, one], [])


def test_a_kind_is_no_other_object_and_nothing_is_said_of_it() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert LIST != 3
        assert object() != LIST
