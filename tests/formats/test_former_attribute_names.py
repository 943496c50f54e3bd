"""Formats and looplets that use attributes by former names work, and are warned."""

from __future__ import annotations

from typing import ClassVar

import numpy as np
import pytest

import structarr as sa
from structarr.cin import Lit
from structarr.formats import Dense, Element, Level, SparseList
from structarr.formats.base import RENAMED
from structarr.formats.writing import Writing
from structarr.looplets import Looplet, Run, Stepper


def test_a_former_name_in_a_class_sets_the_present_one_with_a_warning() -> None:
    with pytest.warns(DeprecationWarning, match=r"Former.word is deprecated: .* 'kind' now"):

        class Former(Dense):
            word: ClassVar[str] = "computed"

    assert Former.kind == "computed"


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
