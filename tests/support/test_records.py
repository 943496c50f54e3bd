"""Records do what frozen dataclasses do."""

import copy
import pickle
from dataclasses import FrozenInstanceError, asdict, dataclass, field, fields, is_dataclass, replace
from typing import Any

import pytest

from structarr._support.records import record


@record
class Plain:
    a: int
    b: tuple[int, ...] = ()
    c: list[int] = field(default_factory=list)
    d: int = field(default=3, init=False)
    e: Any = field(default=None, compare=False, repr=False)


@record(slots=True)
class Slotted:
    a: int
    b: tuple[int, ...] = ()
    c: list[int] = field(default_factory=list)
    d: int = field(default=3, init=False)
    e: Any = field(default=None, compare=False, repr=False)


@dataclass(frozen=True)
class Reference:
    a: int
    b: tuple[int, ...] = ()
    c: list[int] = field(default_factory=list)
    d: int = field(default=3, init=False)
    e: Any = field(default=None, compare=False, repr=False)


@record(slots=True)
class Below(Slotted):
    f: str = "f"

    def __post_init__(self) -> None:
        object.__setattr__(self, "f", self.f.upper())


@record(slots=True, eq=False)
class Apart:
    a: int


@record
class Alone:
    a: Any


@record(slots=True)
class Empty:
    pass


KINDS = pytest.mark.parametrize("kind", [Plain, Slotted, Reference])


@KINDS
def test_fields_and_text(kind: Any) -> None:
    one = kind(1, c=[2], e=5)
    assert is_dataclass(one)
    assert [part.name for part in fields(one)] == ["a", "b", "c", "d", "e"]
    assert repr(one) == f"{kind.__name__}(a=1, b=(), c=[2], d=3)"
    assert asdict(one) == {"a": 1, "b": (), "c": [2], "d": 3, "e": 5}
    assert kind(1).c is not kind(1).c
    match one:
        case kind(a, b):
            assert (a, b) == (1, ())


@KINDS
def test_equality_is_that_of_fields(kind: Any) -> None:
    assert kind(1) == kind(1, e=7) != kind(2)
    assert kind(1) != (1, (), [], 3)
    assert replace(kind(1), a=2) == kind(2)
    with pytest.raises(TypeError, match="unhashable"):
        hash(kind(1))  # of its list
    assert {Alone(1): 2}[Alone(1)] == 2
    assert Alone(nan := float("nan")) == Alone(nan)
    assert Empty() == Empty() and hash(Empty()) == hash(Empty())
    assert Apart(1) != Apart(1) and len({Apart(1), Apart(1)}) == 2


@KINDS
def test_nobody_writes_to_it(kind: Any) -> None:
    one = kind(1)
    with pytest.raises(FrozenInstanceError, match="cannot assign to field 'a'"):
        one.a = 2
    with pytest.raises(FrozenInstanceError, match="cannot delete field 'a'"):
        del one.a
    with pytest.raises(TypeError):
        kind(1, d=4)
    with pytest.raises(TypeError):
        kind()


@KINDS
def test_copies_and_pickles(kind: Any) -> None:
    one = kind(1, (2,), [3], e=4)
    for other in (copy.copy(one), copy.deepcopy(one), pickle.loads(pickle.dumps(one))):
        assert other == one and other.e == 4 and other.d == 3


def test_classes_below() -> None:
    assert Below(1, f="g") == replace(Below(1), f="g")
    assert Below(1, f="g").f == "G"
    assert Below(1) != Slotted(1)
    assert not hasattr(Below(1), "__dict__")


def test_fields_by_keyword_alone_are_refused() -> None:
    with pytest.raises(TypeError, match="by keyword alone"):

        @record
        class Refused:
            a: int = field(kw_only=True)
