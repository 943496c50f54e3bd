"""Checks of places in buffers, which `STRUCTARR_DEBUG=check` asks for.

A kernel that is about to read or write where a buffer has no element ends by an error instead, so
that any function may end by one. LLVM is not told that the computation of places never wraps
around: it might leave out a check that finds that it did.
"""

from __future__ import annotations

from typing import Final

from structarr._compiler.backend.llvm.writer import FAILED, Writer
from structarr._compiler.backend.text.kinds import Array
from structarr._compiler.runtime._mark import BEYOND
from structarr._support.debug import debug

CHECKED: Final = debug("check")
"""Whether places are checked."""

_REFUSE: Final = """\
@outside.says = private constant [{length} x i8] c"{says}\\00"
declare ptr @PyErr_Format(ptr, ptr, ...)

define internal void @outside(i64 %index, i64 %length) nounwind cold noinline {{
  %lock = call i32 @PyGILState_Ensure()
  call ptr (ptr, ptr, ...) @PyErr_Format(\
ptr @structarr_index_error, ptr @outside.says, i64 %length, i64 %index)
  call void @PyGILState_Release(i32 %lock)
  ret void
}}"""


def check(writer: Writer, buffer: Array, index: str) -> None:
    """End the kernel unless a buffer has an element at an index; one below zero is none."""
    if not CHECKED:
        return
    _declare(writer)
    outside, within = writer.label("outside"), writer.label("within")
    beyond = writer.set(f"icmp uge i64 {index}, {buffer.length}")
    # Not told how seldom, for then LLVM makes two loops of one for each check, which takes minutes.
    writer.fork(beyond, outside, within)
    writer.open(outside)
    writer.line(f"call void @outside(i64 {index}, i64 {buffer.length})")
    writer.goto(FAILED)
    writer.open(within)


def check_stretch(writer: Writer, buffer: Array, lo: str, hi: str) -> None:
    """The same for all places from one to before another; there may be none."""
    if not CHECKED:
        return
    some, within = writer.label("some"), writer.label("none")
    writer.fork(writer.set(f"icmp slt i64 {lo}, {hi}"), some, within)
    writer.open(some)
    check(writer, buffer, lo)
    check(writer, buffer, writer.set(f"sub i64 {hi}, 1"))
    writer.goto(within)
    writer.open(within)


def _declare(writer: Writer) -> None:
    """Make known what refuses an index."""
    writer.declare("PyGILState_Ensure", "i32", ())
    writer.declare("PyGILState_Release", "void", ["i32"])
    writer.declare_variable("structarr_index_error", "i8")
    says = f"{BEYOND} of %zd elements at %zd"
    writer.declared.setdefault("outside", _REFUSE.format(length=len(says) + 1, says=says))
