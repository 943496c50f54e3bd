"""The variables of a function on the stack, from where LLVM takes them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from structarr._compiler.backend.llvm.arithmetic import converted
from structarr._compiler.backend.llvm.writer import Writer
from structarr._compiler.backend.text.kinds import Kind, Number
from structarr._compiler.backend.text.scope import Kinds, Scope


class StackScope(Scope):
    """The scope of a function in LLVM's language."""

    def __init__(self, writer: Writer, known: Mapping[str, Any], kinds: Kinds) -> None:
        super().__init__(known, kinds)
        self._writer = writer

    def _room(self, name: str, kind: Kind) -> str:
        return self._writer.room(kind.text)

    def _read(self, place: str, kind: Kind) -> Number:
        return Number(kind, self._writer.set(f"load {kind.text}, ptr {place}"))

    def _write(self, place: str, kind: Kind, value: Number) -> None:
        shown = converted(self._writer, value, kind).text
        self._writer.line(f"store {kind.text} {shown}, ptr {place}")
