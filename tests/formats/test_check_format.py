"""Every format of the package proves itself as one from outside would; broken ones do not."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
import pytest
from structure import values

import structarr as sa
from structarr import formats
from structarr._array import of_tensor
from structarr._storage.tensor import Tensor
from structarr.errors import FormatError
from structarr.formats import Format, Level, SparseBand, SparseList
from structarr.formats.kind import Kind, Repeat, Support
from structarr.formats.kinds import DENSE, LIST, POINT
from structarr.formats.listed import ListedWriting
from structarr.formats.support import Children
from structarr.testing import check_format

NDIM = {"list": 1, "csf": 3}


# These are made of levels that others have, or of what is much like them.
ALIKE = ("csc", "dcsr", "dcsc", "csf", "list", "tril", "triu", "hermitian", "symmetric", "ragged")
ALIKE += (
    "coo",
    "sparse-rle",
    "constant",
    "interval",
    "point",
    "vbl",
    "bsr",
    "hash",
    "bitmap",
    "rle",
    "dia",
)


@pytest.mark.parametrize("name", [name for name in formats.names_for(2) if name not in ALIKE])
def test_named_formats(name: str) -> None:
    """One array in each, of which the next test tries many."""
    check_format(name, ndim=2, fits=[values(name)])


@pytest.mark.long
@pytest.mark.parametrize("name", formats.names_for(2))
def test_arrays_of_all_kinds_in_named_formats(name: str) -> None:
    check_format(name, ndim=NDIM.get(name, 2))


@pytest.mark.parametrize(
    "tree",
    [
        SparseList(formats.Pattern()),
        pytest.param(formats.Bitmap(formats.RunList()), marks=pytest.mark.long),
        pytest.param(Format(SparseList(formats.Dense()), (1, 0), "int32"), marks=pytest.mark.long),
    ],
    ids=repr,
)
def test_trees(tree: Level | Format) -> None:
    check_format(tree)


@pytest.mark.parametrize(
    ("tree", "buffers"),
    [
        (formats.Range(), ([2.0, 0.5],)),
        (formats.Function(op="add", count=1), ([3.0],)),
        (SparseList(formats.Uniform()), ([0, 3], [1, 4, 6], [2.5])),
    ],
    ids=["range", "function", "uniform"],
)
def test_formats_that_cannot_be_written(tree: Level, buffers: tuple[Any, ...]) -> None:
    array = of_tensor(Tensor.checked(formats.parse(tree, 1), (7,), 0.0, buffers))
    check_format(tree, fits=[array])


class Forgetful(type(SparseList.reading)):  # type: ignore[misc]
    """Galloping, the last child is missed."""

    def gallop(self, fiber: Any, ctx: Any) -> Any:
        stepper = super().gallop(fiber, ctx)
        return stepper.replace(end=stepper.end - 1)


class LeavesOut(SparseList):
    """A list that is read so."""

    reading = Forgetful()


class Believes(SparseList):
    """Any buffers are taken."""

    def validate(self, fibers: int, dim: int, buffers: Any) -> int:
        return len(buffers[1])


class Narrow(SparseList):
    """The hulls are too narrow."""

    def hulls(self, fibers: int, dim: int, buffers: Any) -> Any:
        begin, end = super().hulls(fibers, dim, buffers)
        return begin, end - 1


class Homeless(SparseList):
    """No level holds results of the kind that several of it have."""

    kind: ClassVar[Kind] = Kind(
        *("first", Support.SINGLE, Repeat.RUNS),
        each=LIST,
        several=Kind("second", Support.SINGLE, Repeat.RUNS),
    )


class OneSided(SparseList):
    """It meets a point differently from how a point meets it."""

    kind: ClassVar[Kind] = Kind(
        *("one-sided", Support.SINGLE, Repeat.RUNS),
        each=LIST,
        meets=lambda own, other: own if other.kind is POINT else None,
    )


class Elsewhere(ListedWriting):
    """It appends, but does not say where fibers end."""

    ends: ClassVar[str] = "end"


class Endless(SparseList):
    """A list that is written so."""

    writing = Elsewhere()


class Unread(Level):
    """It has no reading."""


class Unplaced(formats.Dense):
    """It is written, but does not say where."""

    writing = formats.InPlace()


class Gaps(SparseList):
    """It has several stretches."""

    kind: ClassVar[Kind] = Kind("gaps", Support.STRETCH, Repeat.EACH, each=LIST)


class Late(SparseBand):
    """Its stretch may begin anywhere."""

    kind: ClassVar[Kind] = Kind("late", Support.STRETCH, Repeat.EACH, each=LIST, from_start=True)


class Shared(formats.RunList):
    """Its children are runs."""

    kind: ClassVar[Kind] = Kind("shared", Support.FULL, Repeat.RUNS, each=DENSE)


class Some(SparseList):
    """It leaves elements out."""

    kind: ClassVar[Kind] = Kind("all", Support.FULL, Repeat.EACH, each=DENSE)


class Unmirrored(SparseList):
    """Its children stand for one element each."""

    kind: ClassVar[Kind] = Kind(
        *("mirrored", Support.FULL, Repeat.EACH, Children.MIRRORED),
        relates=True,
        plain=DENSE,
        each=DENSE,
    )


class Unasked(SparseList):
    """It cannot say how it joins another."""

    kind: ClassVar[Kind] = Kind(
        *("unasked", Support.SINGLE, Repeat.RUNS), each=LIST, joins=lambda own, other: "list"
    )


@pytest.mark.parametrize(
    ("tree", "message"),
    [
        (Some(), "kind 'all' says that every element is stored; "),
        (
            formats.Dense(Unmirrored()),
            "'mirrored' says that children off the diagonal stand",
        ),
        (Unasked(), "level Unasked: kind 'unasked': `joins` with kind '.*' gave 'list'"),
        (Unread(), "Unread must name a `reading` whose `locate`"),
        (Unplaced(), "Unplaced is written, .* must tell in `place` where"),
        (LeavesOut(), r"\(gallop\(a\) \* b\).sum\(\): element \(\) is"),
        (Believes(), r"(in its buffer 0|let `validate` refuse it|raised \w+Error)"),
        (Narrow(), "Narrow.hulls leaves out index"),
        (Homeless(), "level Homeless: kind 'second': no level holds results of it; decorate"),
        (Gaps(), "kind 'gaps' says that a fiber has one stretch, without gaps"),
        (Late(), "kind 'late' says that it begins at 0, not"),
        (Shared(), "kind 'shared' says that children stand for an element each"),
        (OneSided(), "`meets` of kind 'one-sided' with 'point' is .*, the other way round"),
        (Endless(), "`ends` must name the buffer .* not 'end'"),
    ],
    ids=lambda value: value.__class__.__name__,
)
def test_what_is_wrong_with_a_format_is_told(tree: Level, message: str) -> None:
    with pytest.raises(AssertionError, match=message):
        check_format(tree)


def test_a_report_can_be_run() -> None:
    with pytest.raises(AssertionError) as caught:
        check_format(LeavesOut())
    program = str(caught.value).split("To see it again:\n")[1].replace("    ", "")
    assert "from test_check_format import LeavesOut" in program.replace("tests.unit.", "")
    lines = [line for line in program.splitlines() if "LeavesOut" not in line or "=" in line]
    names: dict[str, Any] = {"LeavesOut": LeavesOut}
    exec("\n".join(lines[:-1]), names)
    assert isinstance(names["a"], sa.Array)


def test_arrays_that_should_fit_must() -> None:
    with pytest.raises(AssertionError, match=r"refuses what fits it, array 0 of fits: "):
        check_format("point", ndim=1, fits=[np.ones(3)])


def test_something_must_fit() -> None:
    with pytest.raises(FormatError, match=r"nothing was found .* as fits="):
        check_format("rle", ndim=1, fits=[np.zeros(3)])
    with pytest.raises(FormatError, match="'nonsense' is unknown"):
        check_format("nonsense")
