"""Calls of functions in LLVM's language."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from structarr._compiler.backend.llvm.writer import Writer
from structarr._compiler.backend.text.kinds import Array, Kind, Number, Several, Value


class Written(NamedTuple):
    """A function in LLVM's language.

    Attributes
    ----------
    name : str
        Its name.
    whole : str
        LLVM's type of what it returns.
    results : tuple of Kind
        The types of the numbers that it returns.
    is_tuple : bool
        Whether they are a tuple.
    fails : bool
        Whether it returns before them whether it has set an error.
    ends : bool
        Whether it always has.
    """

    name: str
    whole: str
    results: tuple[Kind, ...]
    is_tuple: bool
    fails: bool
    ends: bool = False


def call_of(writer: Writer, written: Written, given: Sequence[Value]) -> str:
    """The call of a function, as a register; empty if it returns nothing."""
    args = ", ".join(
        [
            f"ptr {one.data}, i64 {one.length}"
            if isinstance(one, Array)
            else f"{one.kind.text} {one.text}"
            for one in given
            if isinstance(one, Array | Number)
        ]
    )
    text = f"call {written.whole} @{written.name}({args})"
    if written.whole != "void":
        return writer.set(text)
    writer.line(text)
    return ""


def parts_of(writer: Writer, written: Written, found: str) -> list[str]:
    """The registers of what a function has returned."""
    count = written.fails + len(written.results)
    if count < 2:
        return [found] * count
    return [writer.set(f"extractvalue {written.whole} {found}, {k}") for k in range(count)]


def results_of(writer: Writer, written: Written, found: str) -> Value:
    """The results of a called function; a failure ends the caller, too."""
    parts = parts_of(writer, written, found)
    if written.fails:
        failed = parts.pop(0)
        if written.ends:  # said here: LLVM learns it too late to leave out the test after a check
            writer.fail()
        else:
            writer.fail_if(failed)
    values = tuple([Number(*both) for both in zip(written.results, parts, strict=True)])
    if written.is_tuple:
        return Several(values)
    return values[0] if values else None
