"""The variables of a function that is translated: which numbers and buffers names stand for."""

from __future__ import annotations

import ast
import builtins
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any

from structarr._compiler.backend.text.kinds import INT, Kind, Number, Untranslated, Value, joined

Kinds = dict[str, Kind | None]
"""The types of variables; None stands for several that have one name."""


class Scope(ABC):
    """
    The scope of a function: the variables that names stand for.

    A name may stand for variables of types that have none in common, one after the other: which,
    is known where no two ways meet since it was set.

    Attributes
    ----------
    is_outdated : bool
        Whether a variable turned out to be of another type than lines before took it for.
    """

    def __init__(self, known: Mapping[str, Any], kinds: Kinds) -> None:
        self.is_outdated = False
        self._kinds = kinds
        self._known = known
        self._places: dict[tuple[str, Kind], str] = {}
        self._last: dict[str, Kind] = {}
        self._bound: dict[str, Value] = {}

    @abstractmethod
    def _room(self, name: str, kind: Kind) -> str:
        """Make a variable, and return what it is called."""

    @abstractmethod
    def _read(self, place: str, kind: Kind) -> Number:
        """The value of a variable."""

    @abstractmethod
    def _write(self, place: str, kind: Kind, value: Number) -> None:
        """Set a variable."""

    def _buffer(self, name: str, value: Value) -> Value:
        """What a name is bound to that is given a buffer."""
        return value

    def bind(self, name: str, value: Value) -> None:
        """Have a name stand for a value for good."""
        self._bound[name] = value

    def has(self, name: str) -> bool:
        """Whether there is a variable of a name."""
        return name in self._bound or name in self._kinds

    def read(self, name: str) -> Value:
        """The value of a variable."""
        if name in self._bound:
            return self._bound[name]
        kind = self._kinds[name] or self._last.get(name)
        if kind is None or (name, kind) not in self._places:
            raise Untranslated(f"the variable {name}, which is perhaps of another type")
        return self._read(self._places[name, kind], kind)

    def known(self, name: str) -> Any:
        """The object that a global name, or one of Python's own, stands for."""
        if name in self._known:
            return self._known[name]
        if hasattr(builtins, name):
            return getattr(builtins, name)
        raise Untranslated(f"the name {name}")

    def assign(self, name: str, value: Value) -> None:
        """Set a variable; buffers have one value each."""
        if not isinstance(value, Number):
            if name in self._kinds or value is None:
                raise Untranslated(f"the variable {name} of no number")
            self._bound[name] = self._buffer(name, value)
            return
        self._write(*self.place(name, value.kind), value)

    def place(self, name: str, kind: Kind) -> tuple[str, Kind]:
        """The variable that a name stands for once it is set to a value of a type."""
        kind = self._widened(name, kind)
        self._last[name] = kind
        place = self._places.get((name, kind))
        if place is None:
            place = self._places[name, kind] = self._room(name, kind)
        return place, kind

    def _widened(self, name: str, kind: Kind) -> Kind:
        """The type of a variable that holds values of one more type."""
        own = INT if kind.code == "i" else kind
        before = self._kinds.setdefault(name, own)
        if before is None or before == own:
            return own
        after = joined(before, own)
        if after is None or not (before.is_whole and own.is_whole):
            self._kinds[name] = None
            self.is_outdated = True
            return own
        self._kinds[name] = after
        self.is_outdated |= after != before
        return after

    # ------------------------------------------------------------ where ways meet

    def last(self) -> dict[str, Kind]:
        """The variables that names stand for here."""
        return dict(self._last)

    def begin(self, last: dict[str, Kind]) -> None:
        """Begin a way at which names stand for some variables."""
        self._last = dict(last)

    def forget(self, *blocks: Sequence[ast.stmt]) -> None:
        """Say that some lines may have run or not: what they set stands for nothing known."""
        if all(self._kinds.values()):
            return
        for block in blocks:
            for line in block:
                for one in ast.walk(line):
                    if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Store):
                        self._last.pop(one.id, None)
