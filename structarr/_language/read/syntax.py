"""The syntax of programs, before anything is known of their arrays.

Every node has its place in the user's text. Nodes are equal by content, whatever their place.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, fields, replace
from itertools import chain
from typing import Any


@dataclass(frozen=True)
class Place:
    """A range of the text: lines count from 1, columns from 0, `end` is past the last one."""

    line: int
    column: int
    end: int


@dataclass(frozen=True)
class Syntax:
    """A part of a program."""

    at: Place = field(compare=False, repr=False, kw_only=True)

    def parts(self) -> Iterator[Syntax]:
        """This node and all below it, parents first."""
        yield self
        for one in fields(self):
            value = getattr(self, one.name)
            for item in value if isinstance(value, tuple) else (value,):
                if isinstance(item, Syntax):
                    yield from item.parts()


@dataclass(frozen=True)
class Name(Syntax):
    """An index, a scalar, or a Python value from around the program."""

    name: str


@dataclass(frozen=True, eq=False)
class Number(Syntax):
    """A literal; True and False too."""

    value: bool | int | float | complex

    # Compared by text, since Python's `==` holds for 1, 1.0 and True, and not for NaN.
    def __eq__(self, other: object) -> bool:
        return isinstance(other, Number) and repr(self.value) == repr(other.value)

    def __hash__(self) -> int:
        return hash(repr(self.value))


@dataclass(frozen=True)
class Missing(Syntax):
    """The value `missing`."""


@dataclass(frozen=True)
class Read(Syntax):
    """`array[indices]`; `c[()]` has no indices."""

    array: str
    indices: tuple[Syntax, ...]


@dataclass(frozen=True)
class Apply(Syntax):
    """An operator, by the name of NumPy's ufunc or of a user's operator, applied to values.

    `coalesce` is an operator, too; a conditional expression is `where(cond, a, b)`.
    """

    op: str
    args: tuple[Syntax, ...]


@dataclass(frozen=True)
class Modified(Syntax):
    """An index under a protocol ("walk", "gallop", "locate"), "permit" or a way of padding.

    The ways of padding are "edge", "circular", "reflect" and "symmetric".
    """

    kind: str
    arg: Syntax


@dataclass(frozen=True)
class Length(Syntax):
    """`array.shape[axis]`, or `len(array)`."""

    array: str
    axis: int


@dataclass(frozen=True)
class Shape(Syntax):
    """`array.shape` as a whole, where an array is made."""

    array: str


@dataclass(frozen=True)
class For(Syntax):
    """`for index in range(start, stop): body`."""

    index: str
    start: Syntax | None
    stop: Syntax
    body: tuple[Syntax, ...]


@dataclass(frozen=True)
class If(Syntax):
    """`if cond: body`, else `orelse`."""

    cond: Syntax
    body: tuple[Syntax, ...]
    orelse: tuple[Syntax, ...] = ()


@dataclass(frozen=True)
class Make(Syntax):
    """`name = np.zeros(shape, dtype)`, and the like: an array of one value."""

    name: str
    shape: tuple[Syntax, ...]
    value: Syntax
    dtype: str | None = None


@dataclass(frozen=True)
class Assign(Syntax):
    """`target = value`; with `op`, `target = op(target, value)`. A scalar's target is a `Name`."""

    target: Name | Read
    op: str | None
    value: Syntax

    @property
    def name(self) -> str:
        """The name of what is assigned, or of whose element."""
        return self.target.name if isinstance(self.target, Name) else self.target.array


@dataclass(frozen=True)
class Program:
    """A whole program.

    In a program without loops, such as `loops("y[i] += A[i, j] * x[j]")`, all indices are free, and
    the scheduler orders them.
    """

    name: str
    parameters: tuple[str, ...]  # a function's, in order; a string has none
    body: tuple[Syntax, ...]
    results: tuple[str, ...] | None  # the names that a function returns; None without a `return`
    text: str  # for messages: line k of it is line `first + k - 1` of the file
    first: int = 1
    file: str = ""
    values: Any = field(default=None, compare=False)  # a function's globals and closure, by name


def parts(body: Iterable[Syntax]) -> Iterator[Syntax]:
    """Every node in some statements, parents first."""
    return chain.from_iterable(one.parts() for one in body)


def written_number(one: Syntax) -> bool | int | float | complex | None:
    """The number that an expression writes out, if it does: a literal, or the negative of one."""
    match one:
        case Number(value):
            return value
        case Apply("negative", (Number(value),)) if not isinstance(value, bool):
            return -value
    return None


def assignments(body: Iterable[Syntax]) -> Iterator[Assign]:
    """Every assignment in some statements."""
    return (part for part in parts(body) if isinstance(part, Assign))


def reads(one: Syntax) -> set[str]:
    """The names that a statement reads; an update does not read its target."""
    values = (value for part in one.parts() for value in _values(part))
    return {name for node in parts(values) if (name := accessed(node)) is not None}


def accessed(one: Syntax) -> str | None:
    """The scalar, index or array that a node reads or writes, if it does."""
    match one:
        case Name(name) | Read(name):
            return name
    return None


def _values(one: Syntax) -> tuple[Syntax, ...]:
    """The expressions that stand directly in a statement."""
    match one:
        case Assign(Read(_, indices), _, value):
            return (value, *indices)
        case Assign(_, _, value):
            return (value,)
        case If(cond):
            return (cond,)
        case For(_, start, stop):
            return (stop,) if start is None else (start, stop)
    return ()


def mapped(one: Syntax, change: Callable[[Syntax], Syntax]) -> Syntax:
    """A node with each part directly below it changed."""
    changes: dict[str, object] = {}
    for name, value in vars(one).items():
        if name == "at":
            continue
        if isinstance(value, Syntax):
            changes[name] = change(value)
        elif isinstance(value, tuple):
            changes[name] = tuple(change(v) if isinstance(v, Syntax) else v for v in value)
    return replace(one, **changes)  # type: ignore[arg-type]
