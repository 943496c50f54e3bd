"""The function by which machine code calls a kernel, with arguments that lie in memory.

Each argument has two words: the address and the length of an array, or the bytes of a number. What
the kernel returns is written a word each; the function tells whether it has set an error.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from structarr._compiler.backend.llvm.called import Written, call_of, parts_of
from structarr._compiler.backend.llvm.writer import Writer
from structarr._compiler.backend.params import Param
from structarr._compiler.backend.text.kinds import Array, Kind, Number, Value

ENDING: Final = ".piece"
"""What its name has behind that of the function by which Python calls the kernel."""

BYTES: Final = 16
"""The bytes of an argument."""


def piece_entry(name: str, kernel: Written, params: Sequence[Param], kinds: Sequence[Kind]) -> str:
    """The text of the function."""
    writer = Writer({})

    def given(place: int) -> Value:
        at = writer.set(f"getelementptr i8, ptr %given, i64 {BYTES * place}")
        kind = kinds[place]
        if params[place].array:
            behind = writer.set(f"getelementptr i8, ptr {at}, i64 8")
            data = writer.set(f"load ptr, ptr {at}")
            return Array(kind, data, writer.set(f"load i64, ptr {behind}"))
        found = writer.set(f"load {kind.stored}, ptr {at}")
        return Number(kind, writer.set(f"trunc i8 {found} to i1") if kind.code == "b" else found)

    args = [given(place) for place in range(len(params))]
    parts = parts_of(writer, kernel, call_of(writer, kernel, args))
    failed = parts.pop(0) if kernel.fails else "false"
    for place, (kind, part) in enumerate(zip(kernel.results, parts, strict=True)):
        at = writer.set(f"getelementptr i64, ptr %written, i64 {place}")
        writer.line(f"store {kind.text} {part}, ptr {at}")
    writer.end(f"ret i1 {failed}")
    head = f'define i1 @"{name}{ENDING}"(ptr %given, ptr %written) nounwind noinline optnone'
    return f"{head} {{\n{writer.text()}\n}}"
