"""Divisions of 128 bits, which LLVM makes of loops that append seven elements a turn."""

from __future__ import annotations

import ctypes
from itertools import product
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp

import structarr as sa
from structarr._compiler.backend.native import direct, engine, wide_divisions

binding = pytest.importorskip("llvmlite.binding")
NUMBERS = (0, 1, 6, 7, 2**63, 2**64 - 1, 2**64, 2**64 + 5, 3**70, 2**127 - 1)


def _divide(operator: str) -> Any:
    """A function of machine code that divides two numbers, with the engine that holds it."""
    engine.initialize()
    machine = binding.Target.from_default_triple().create_target_machine(jit=True)
    text = f"""
target triple = "{machine.triple}"
define void @divide(ptr %n, ptr %d, ptr %out) {{
  %a = load i128, ptr %n, align 8
  %b = load i128, ptr %d, align 8
  %c = {operator} i128 %a, %b
  store i128 %c, ptr %out, align 8
  ret void
}}"""
    made = binding.create_mcjit_compiler(binding.parse_assembly(text), machine)
    made.finalize_object()
    place = made.get_function_address("divide")
    return ctypes.CFUNCTYPE(None, *[ctypes.c_void_p] * 3)(place), made


@pytest.mark.parametrize("name", wide_divisions.NAMES)
def test_values(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    place = wide_divisions.address(name)
    binding.add_symbol(name, place)
    signed, rest = wide_divisions.NAMES[name]
    divide, _engine = _divide(("s" if signed else "u") + ("rem" if rest else "div"))
    signs = (1, -1) if signed else (1,)
    for n, d, s, t in product(NUMBERS, NUMBERS[1:], signs, signs):
        parts = [(x % 2**128).to_bytes(16, "little") for x in (n * s, d * t)]
        given = [ctypes.create_string_buffer(part, 16) for part in parts]
        out = ctypes.create_string_buffer(16)
        divide(given[0], given[1], out)
        quotient, left = divmod(n, d)
        wanted = left * s if rest else quotient * s * t
        assert int.from_bytes(out.raw, "little") == wanted % 2**128, (n * s, d * t)


@pytest.mark.parametrize("by", ["LLVM", "Numba"])
@pytest.mark.parametrize("count", [3, 5, 7, 9])
def test_rows_of_diagonals(count: int, by: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The process ended where a slice of seven diagonals was compiled."""
    if by == "Numba":
        monkeypatch.setattr(direct, "compiled", lambda *given: None)
    n, half = 60 + count, count // 2
    parts = [np.arange(1.0, 1 + n - abs(k)) for k in range(-half, half + 1)]
    stored = sp.diags_array(parts, offsets=range(-half, half + 1)).asformat("dia")
    with sa.options(tier="compiled"):
        found = sa.asarray(stored)[4 : n - 4].compute()
    np.testing.assert_array_equal(found.todense(), stored.toarray()[4 : n - 4])


def test_on_windows_they_take_pointers(monkeypatch: pytest.MonkeyPatch) -> None:
    """LLVM checks the text; a machine of that system has not tried it."""
    monkeypatch.setattr(wide_divisions.sys, "platform", "win32")
    module = binding.parse_assembly(wide_divisions._text())
    module.verify()
    made = module.get_function("structarr__udivti3")
    assert [str(one.type) for one in made.arguments] == ["ptr", "ptr"]
