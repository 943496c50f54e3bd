"""The variables of a function as C's."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from structarr._compiler.backend.c.arithmetic import assigned
from structarr._compiler.backend.c.code import Code, type_of
from structarr._compiler.backend.text.kinds import Array, Kind, Number, Untranslated, Value
from structarr._compiler.backend.text.scope import Kinds, Scope


class CScope(Scope):
    """The scope of a function in C."""

    def __init__(self, code: Code, known: Mapping[str, Any], kinds: Kinds) -> None:
        super().__init__(known, kinds)
        self._code = code

    def _room(self, name: str, kind: Kind) -> str:
        return self._code.variable(kind, name)

    def _read(self, place: str, kind: Kind) -> Number:
        return Number(kind, place)

    def _write(self, place: str, kind: Kind, value: Number) -> None:
        self._code.line(f"{place} = {assigned(self._code, value, kind)};")

    def _buffer(self, name: str, value: Value) -> Array:
        """A pointer of its own."""
        if not isinstance(value, Array):
            raise Untranslated(f"the variable {name} of several values")
        if value.data in self._code.owned:
            return value
        pointer = self._code.declare(f"{type_of(value.kind)} *", name)
        length = self._code.declare("int64_t ", f"{name}_len")
        self._code.line(f"{pointer} = {value.data};")
        self._code.line(f"{length} = {value.length};")
        return Array(value.kind, pointer, length)
