"""Divisions of integers of 128 bits, to which machine code may refer where C's library has none.

LLVM counts the turns of a loop that appends seven elements a turn by such a division, and calls a
function for it that compilers of C bring. The process has it by chance, or ends where it lacks it.
"""

from __future__ import annotations

import sys
from functools import cache
from typing import Any, Final

from llvmlite import binding

NAMES: Final = {
    "__udivti3": (False, False),
    "__umodti3": (False, True),
    "__divti3": (True, False),
    "__modti3": (True, True),
}
"""The functions by their names: whether they have signs, and whether they are what is left."""

_UNSIGNED: Final = """
define internal {i128, i128} @divide(i128 %n, i128 %d) {
begin:
  %both = or i128 %n, %d
  %high = lshr i128 %both, 64
  %short = icmp eq i128 %high, 0
  br i1 %short, label %words, label %bits
words:
  %nw = trunc i128 %n to i64
  %dw = trunc i128 %d to i64
  %qw = udiv i64 %nw, %dw
  %rw = urem i64 %nw, %dw
  %qs = zext i64 %qw to i128
  %rs = zext i64 %rw to i128
  br label %end
bits:
  %k = phi i32 [ 0, %begin ], [ %next, %bits ]
  %left = phi i128 [ %n, %begin ], [ %left.next, %bits ]
  %r = phi i128 [ 0, %begin ], [ %r.next, %bits ]
  %q = phi i128 [ 0, %begin ], [ %q.next, %bits ]
  %top = lshr i128 %left, 127
  %left.next = shl i128 %left, 1
  %over = icmp slt i128 %r, 0
  %r.shifted = shl i128 %r, 1
  %r.more = or i128 %r.shifted, %top
  %fits.plain = icmp uge i128 %r.more, %d
  %fits = or i1 %over, %fits.plain
  %r.less = sub i128 %r.more, %d
  %r.next = select i1 %fits, i128 %r.less, i128 %r.more
  %bit = zext i1 %fits to i128
  %q.shifted = shl i128 %q, 1
  %q.next = or i128 %q.shifted, %bit
  %next = add i32 %k, 1
  %done = icmp eq i32 %next, 128
  br i1 %done, label %end, label %bits
end:
  %quotient = phi i128 [ %qs, %words ], [ %q.next, %bits ]
  %rest = phi i128 [ %rs, %words ], [ %r.next, %bits ]
  %one = insertvalue {i128, i128} undef, i128 %quotient, 0
  %two = insertvalue {i128, i128} %one, i128 %rest, 1
  ret {i128, i128} %two
}
"""

_SIGNED: Final = """
  %n.below = icmp slt i128 %n.given, 0
  %n.other = sub i128 0, %n.given
  %n = select i1 %n.below, i128 %n.other, i128 %n.given
  %d.below = icmp slt i128 %d.given, 0
  %d.other = sub i128 0, %d.given
  %d = select i1 %d.below, i128 %d.other, i128 %d.given
  %apart = xor i1 %n.below, %d.below
"""


def address(name: str) -> int:
    """Where one of the functions is, for as long as the process lives."""
    found: int = _engine().get_function_address(_own(name))
    return found


def _own(name: str) -> str:
    return f"structarr{name}"


@cache
def _engine() -> Any:
    """The machine code of all of them."""
    binding.initialize_native_target()
    binding.initialize_native_asmprinter()
    machine = binding.Target.from_default_triple().create_target_machine(opt=2, jit=True)
    module = binding.parse_assembly(f'target triple = "{machine.triple}"\n{_text()}')
    module.verify()
    engine = binding.create_mcjit_compiler(module, machine)
    engine.finalize_object()
    return engine


def _text() -> str:
    return _UNSIGNED + "".join([_function(name, *one) for name, one in NAMES.items()])


def _function(name: str, signed: bool, rest: bool) -> str:
    """A function that C's library would have, in LLVM's language."""
    head, given, tail = _CALL_OF_WINDOWS if sys.platform == "win32" else _CALL
    lines = [f"define {head.format(name=_own(name))} {{", given]
    number = int(rest)
    if signed:
        lines.append(_SIGNED)
    else:
        lines += [f"  %{k} = add i128 %{k}.given, 0" for k in "nd"]
    lines.append("  %both = call {i128, i128} @divide(i128 %n, i128 %d)")
    lines.append(f"  %plain = extractvalue {{i128, i128}} %both, {number}")
    if signed:
        lines.append("  %turned = sub i128 0, %plain")
        sign = "%n.below" if rest else "%apart"
        lines.append(f"  %found = select i1 {sign}, i128 %turned, i128 %plain")
    else:
        lines.append("  %found = add i128 %plain, 0")
    return "\n".join([*lines, tail, "}\n"])


_CALL: Final = (
    "i128 @{name}(i128 %n.given, i128 %d.given)",
    "",
    "  ret i128 %found",
)
# There LLVM hands over pointers, and takes the result from a vector's register.
_CALL_OF_WINDOWS: Final = (
    "<2 x i64> @{name}(ptr %n.place, ptr %d.place)",
    "  %n.given = load i128, ptr %n.place\n  %d.given = load i128, ptr %d.place",
    "  %words = bitcast i128 %found to <2 x i64>\n  ret <2 x i64> %words",
)
