"""Object files of other systems, as LLVM makes them: which symbols they lack."""

from __future__ import annotations

import pytest
from llvmlite import binding

from structarr._compiler.backend.native.object_symbols import undefined

MODULE = """
target triple = "{triple}"
@structarr_none = external global i8
declare double @exp(double)
declare ptr @_PyLong_New(i64)
define internal double @inner(double %x) noinline {{
  %y = call double @exp(double %x)
  ret double %y
}}
define ptr @k_entry(double %x, i64 %n) {{
  %y = call double @inner(double %x)
  %small = fcmp olt double %y, 1.5
  br i1 %small, label %none, label %made
none:
  ret ptr @structarr_none
made:
  %z = call ptr @_PyLong_New(i64 %n)
  ret ptr %z
}}
"""


def code_for(triple: str) -> bytes:
    """The object file of the module for a system."""
    binding.initialize_all_targets()
    binding.initialize_all_asmprinters()
    machine = binding.Target.from_triple(triple).create_target_machine(codemodel="default")
    module = binding.parse_assembly(MODULE.format(triple=triple))
    code: bytes = machine.emit_object(module)
    return code


@pytest.mark.parametrize(
    "triple",
    [
        *("x86_64-unknown-linux-gnu", "aarch64-unknown-linux-gnu"),
        *("x86_64-apple-darwin", "aarch64-apple-darwin"),
        "x86_64-pc-windows-msvc-elf",
    ],
)
def test_symbols_of_files_that_are_loaded_are_found(triple: str) -> None:
    found = undefined(code_for(triple))
    assert found is not None
    assert sorted(found) == ["_PyLong_New", "exp", "structarr_none"]


def test_other_files_are_not_loaded() -> None:
    assert undefined(code_for("x86_64-pc-windows-msvc")) is None
    assert undefined(b"MZ and so on") is None
