"""Formats in the style of former versions: methods and flags of reading and writing on the level.

They work for one version more, by parts that ask the level, with a `DeprecationWarning`.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping
from typing import Any, ClassVar

from structarr.cin import Expr, Fiber, Line
from structarr.formats.appending import Appending
from structarr.formats.reading import LeafReading, Reading
from structarr.formats.writing import LeafWriting, ReadOnly, Writing
from structarr.looplets import Context


class _Flagged(Appending):
    """Writing of a level that tells by flags alone how it is written."""

    __slots__ = ()

    appends: ClassVar[bool] = False
    ends: ClassVar[str] = ""
    counters: ClassVar[tuple[str, ...]] = ()

    def open_region(self, fiber: Fiber, lo: Expr, hi: Expr, ctx: Context) -> tuple[Expr, ...]:
        """Nothing to note of a region."""
        return ()

    def close_region(self, fiber: Fiber, lo: Expr, hi: Expr, ctx: Context) -> None:
        """Nothing to do after a region."""

    def close(self, fiber: Fiber, ctx: Context) -> None:
        """Note where the fiber ends, where the level appends."""
        if self.ends:
            super().close(fiber, ctx)

    def finish(self, fiber: Fiber, fibers: Expr, skipped: bool) -> tuple[Line, ...]:
        """Fibers that were never opened end where they begin, where the level appends."""
        return super().finish(fiber, fibers, skipped and self.appends)


def _public(*classes: type) -> tuple[str, ...]:
    found = dict.fromkeys(name for cls in classes for name in dir(cls) if name[0] != "_")
    return tuple(found)


PARTS: Mapping[str, tuple[str, ...]] = {
    "reading": _public(Reading, LeafReading),
    "writing": _public(Writing, _Flagged, LeafWriting),
}
"""The attributes of each part, which were attributes of the level."""

FORMER = frozenset(name for names in PARTS.values() for name in names)


def adapt(cls: type) -> None:
    """Make parts of what a class defines on the level itself, with a warning."""
    for part, names in PARTS.items():
        own = [name for name in names if name in vars(cls)]
        if not own or part in vars(cls):
            continue
        message = f"{cls.__name__}: {', '.join(own)} of a level are deprecated; give it a {part}"
        warnings.warn(message, DeprecationWarning, stacklevel=4)
        kind = type(getattr(cls, part))
        extra = [name for name in vars(cls).get("protocols", ()) if name in vars(cls)]
        body = {name: _asked(name, vars(cls)[name]) for name in (*own, *extra)}
        body |= {"__slots__": (), "is_former": True}
        bases = (_Flagged if kind is ReadOnly else kind,)
        setattr(cls, part, type(cls.__name__, bases, body)())


def former(level: Any, name: str) -> Any:
    """An attribute of a level that is one of its part's now, with a warning."""
    part = next(part for part, names in PARTS.items() if name in names)
    message = f"{type(level).__name__}.{name} is deprecated: it is {part}.{name} now"
    warnings.warn(message, DeprecationWarning, stacklevel=3)
    return getattr(getattr(level, part), name)


def _asked(name: str, value: Any) -> Any:
    """A flag, or a method of a part that calls the level's."""
    if not callable(value):
        return value

    def method(_: object, fiber: Fiber, *args: Any) -> Any:
        return getattr(fiber.level, name)(fiber, *args)

    return method


def _inherited(part: str, name: str) -> Callable[..., Any]:
    """A method of a level that calls the one of its part that is not made of the level's."""

    def method(self: object, fiber: Fiber, *args: Any) -> Any:
        whole = getattr(self, part)
        kind = next(one for one in type(whole).__mro__ if "is_former" not in vars(one))
        return getattr(kind, name)(whole, fiber, *args)

    return method


class FormerMethods:
    """The methods of a level's parts, which classes in the former style reach by `super()`."""

    __slots__ = ()

    protocols: ClassVar[tuple[str, ...]] = Reading.protocols


for _part, _kinds in (("reading", (Reading, LeafReading)), ("writing", (_Flagged, LeafWriting))):
    for _name in _public(*_kinds):
        if any(callable(getattr(kind, _name, None)) for kind in _kinds):
            setattr(FormerMethods, _name, _inherited(_part, _name))
