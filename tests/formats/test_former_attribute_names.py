"""Formats and looplets that use attributes by former names work, and are warned."""

from __future__ import annotations

from typing import ClassVar

import numpy as np
import pytest

import structarr as sa
from structarr.cin import INDEX, Lit, Var
from structarr.formats import Dense, Element, Level, SparseList
from structarr.formats.base import RENAMED
from structarr.formats.kinds import COMPUTED
from structarr.formats.writing import Writing
from structarr.looplets import Looplet, Motion, Run, Stepper, function


def test_a_former_name_in_a_class_sets_the_present_one_with_a_warning() -> None:
    with pytest.warns(DeprecationWarning, match=r"Former.word is deprecated: .* 'kind' now"):

        class Former(Dense):
            word: ClassVar[str] = "computed"

    assert Former.kind is COMPUTED


def test_a_property_under_a_former_name_is_the_present_one() -> None:
    with pytest.warns(DeprecationWarning, match=r"Sided.alike"):

        class Sided(SparseList):
            @property
            def alike(self) -> bool:
                return self.child.leaf

    assert Sided(Element()).uniform


@pytest.mark.parametrize("former", RENAMED)
def test_a_level_is_read_by_a_former_name_with_a_warning(former: str) -> None:
    level = SparseList(Element())
    with pytest.warns(DeprecationWarning, match=f"SparseList.{former} is deprecated"):
        assert getattr(level, former) == getattr(level, RENAMED[former])


def test_former_names_are_not_attributes_any_more() -> None:
    assert not RENAMED.keys() & set(dir(Level))
    assert set(RENAMED.values()) <= {*dir(Level), *dir(Writing)}
    with pytest.raises(AttributeError, match="no attribute 'wurd'"):
        _ = Dense(Element()).wurd


def test_a_format_with_former_names_computes() -> None:
    with pytest.warns(DeprecationWarning):

        class Old(SparseList):
            word: ClassVar[str] = "list"
            omits: ClassVar[bool] = True
            tallies: ClassVar[tuple[str, ...]] = ("n",)

    dense = np.array([[0.0, 1.0, 2.0], [3.0, 0.0, 0.0]])
    with sa.options(tier="interpreted"):
        a = sa.asarray(dense, format=Dense(Old(Element())))
        np.testing.assert_array_equal((a * 2).asformat(Dense(Old(Element()))).todense(), dense * 2)


def test_a_looplet_from_outside_may_have_its_former_method_and_flag() -> None:
    with pytest.warns(DeprecationWarning, match=r"Old(Run|Jumper).(bent|leads)"):

        class OldRun(Run):
            def bent(self, by: object, end: object, ctx: object) -> Looplet:
                return self

        class OldJumper(Stepper):
            leads: ClassVar[bool] = True

    run = OldRun(Lit("float64", 0.0))
    assert run.reindexed(None, None, None) is run  # type: ignore[arg-type]
    assert OldJumper.is_leader
    assert not Stepper.is_leader


def test_a_stepper_from_outside_may_say_by_former_names_how_its_cursor_moves() -> None:
    given = _steps_of()
    origin = Lit(INDEX, 3)
    with pytest.warns(DeprecationWarning, match="is deprecated: .* 'motion.") as seen:
        former = Stepper(**given, origin=origin, next=origin)
    assert [one.filename for one in seen.list] == [__file__] * 2
    assert former is Stepper(**given, motion=Motion(origin=origin, next=origin))
    with pytest.warns(DeprecationWarning, match=r"Stepper.next is deprecated"):
        assert former.next is origin  # type: ignore[attr-defined]
    with pytest.warns(DeprecationWarning):
        assert former.replace(next=None).motion is Motion(origin=origin)
    with pytest.raises(AttributeError, match="no attribute 'nexd'"):
        _ = former.nexd  # type: ignore[attr-defined]
    with pytest.raises(TypeError, match="Stepper takes the fields cursor"):
        Stepper(**given, nexd=origin)


def _steps_of() -> dict[str, object]:
    zero, same = Lit(INDEX, 0), function("i", lambda i: i)
    run = Run(Lit("float64", 0.0))
    names = ("end", "stop", "first", "last")
    return {
        "cursor": Var(INDEX, "q"),
        "loads": (),
        "body": run,
        "rest": run,
        "seek": same,
        "clamp": same,
        "past": None,
        **dict.fromkeys(names, zero),
    }
