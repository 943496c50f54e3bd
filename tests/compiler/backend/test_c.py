"""Kernels as C: what they look like, and that compiled they compute what Python does."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import structarr as sa
from structarr._compiler.backend.c.module import translated
from structarr._compiler.backend.params import Param
from structarr._compiler.backend.python.interpret import Interpreted
from structarr._compiler.backend.text.kinds import Untranslated
from structarr._testing.c_command import by_target
from structarr._testing.c_target import CTarget, Library, compiler, preloaded
from structarr._testing.fuzz.case import Settings
from structarr._testing.fuzz.families import numbered
from structarr._testing.fuzz.outcome import outcome

Golden = Callable[[str], None]

PLACE = Param("int64", False, False, True)
WORD = Param("uint64", False, False)
EDGES = [-(1 << 63), -7, -2, -1, 0, 1, 2, 7, (1 << 63) - 1]
compiles = pytest.mark.skipif(compiler() is None, reason="needs a C compiler")


@pytest.fixture(scope="module")
def target() -> CTarget:
    return CTarget()


def both(text: str, *params: Param) -> tuple[Callable[..., Any], Callable[..., Any]]:
    """A kernel of C's, and the same interpreted."""
    return Library().kernel(translated(text, params), params), Interpreted(text, params)


def array(dtype: str, writable: bool = True) -> Param:
    return Param(dtype, True, writable, dtype in ("int32", "int64"))


def test_a_kernel_is_one_function_with_all_that_it_calls(golden: Golden) -> None:
    a = sa.asarray(np.eye(3), format="csr")
    golden(sa.explain(a @ np.ones(3)).source("c").rstrip())


def test_unknown_languages_and_kernels_of_users_functions_are_refused() -> None:
    a = sa.asarray([0.0, 1.0], format="list")
    with pytest.raises(ValueError, match="python, c, llvm"):
        sa.explain(a + 1).source("fortran")
    own = sa.operator(lambda x, y: x * 2 + y, name="own")
    with pytest.raises(NotImplementedError, match="is there for every kernel"):
        sa.explain(own(a, a)).source("c")
    assert "define" in sa.explain(a + 1).source("llvm")


@compiles
@pytest.mark.parametrize("sign", ["//", "%"])
def test_division_rounds_down_whatever_the_signs(sign: str) -> None:
    made, plain = both(f"def kernel(a, b):\n    return a {sign} b\n", PLACE, PLACE)
    for a in EDGES:
        for b in EDGES:
            if b == 0 or (a, b) == (EDGES[0], -1):
                assert made(a, b) == 0
            else:
                assert made(a, b) == plain(a, b)


@compiles
@pytest.mark.parametrize("sign", ["<", "<=", "==", "!=", ">", ">="])
def test_integers_with_and_without_signs_compare_by_their_values(sign: str) -> None:
    text = f"def kernel(a, b):\n    return (1 if a {sign} b else 0) + (2 if b {sign} a else 0)\n"
    made = both(text, WORD, PLACE)[0]
    for a in (0, 5, (1 << 63) - 1, 1 << 63, (1 << 64) - 1):
        for b in EDGES:
            assert made(a, b) == eval(f"({a} {sign} {b}) + 2 * ({b} {sign} {a})")


@compiles
def test_counters_are_what_python_leaves_them_at() -> None:
    """A loop's variable keeps its last value, and its bound is looked at once."""
    text = """def kernel(n, C_val):
    k = -1
    for k in range(n):
        n = 0
    C_val[0] = k
    for k in range(3):
        k = 7
        C_val[1] = k
    for k in range(2):
        if C_val[3] == 0:
            C_val[3] = 9
        C_val[2] = k
    return k
"""
    made, plain = both(text, PLACE, array("int64"))
    for n in (0, 1, 5):
        ours, theirs = np.zeros(4, np.int64), np.zeros(4, np.int64)
        assert made(n, ours) == plain(n, theirs)
        assert ours.tolist() == theirs.tolist()


@compiles
def test_errors_end_a_kernel_by_its_status() -> None:
    text = """def kernel(n):
    f = new_fingers(n)
    f[0] = 5
    if n > 3:
        overflow()
    if n < 2:
        out_of_bounds(7, n, 2)
    return f[0]
"""
    made = both(text, PLACE)[0]
    assert made(2) == 5
    with pytest.raises(RuntimeError, match="outgrow"):
        made(4)
    with pytest.raises(IndexError, match=r"\(7, 1, 2\)"):
        made(1)


def test_names_that_c_has_are_given_away_to_no_variable() -> None:
    text = "def kernel(int, double_bits, ä):\n    exp = int + double_bits + ä\n    return exp\n"
    shown = translated(text, (PLACE, PLACE, PLACE)).text
    assert "int64_t int_2" in shown and "int64_t double_bits_2" in shown and "xe4" in shown


def test_calls_that_fail_stand_under_no_condition() -> None:
    text = "def kernel(n):\n    return 1 if n > 0 and new_fingers(n)[0] > 0 else 2\n"
    with pytest.raises(Untranslated, match="under a condition"):
        translated(text, (PLACE,))


@compiles
@pytest.mark.parametrize("number", range(6))
def test_random_programs_by_c(number: int, target: CTarget) -> None:
    found = outcome(by_target(numbered(Settings(seed=28, steps=3), number), target))
    assert not found.failed, found.message


@compiles
@pytest.mark.long
def test_targets_contract() -> None:
    sa.testing.check_target(CTarget())


@pytest.mark.long
@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="needs Linux")
@compiles
def test_checked_kernels_end_where_they_read_beyond_a_buffer() -> None:
    text = """
import numpy as np
from structarr._compiler.backend.c.module import translated
from structarr._compiler.backend.params import Param
from structarr._testing.c_target import Library
params = (Param("float64", True, True), Param("int64", False, False))
text = "def kernel(x, n):\\n    x[u(n)] = 1.0\\n"
made = Library(checked=True).kernel(translated(text, params), params)
made(np.zeros(5), 4)
print("within", flush=True)
made(np.zeros(5), 5)
"""
    own = {"LD_PRELOAD": preloaded(), "ASAN_OPTIONS": "detect_leaks=0", "PYTHONMALLOC": "malloc"}
    words = [sys.executable, "-c", text]
    run = subprocess.run(words, env=os.environ | own, capture_output=True, text=True, check=False)
    assert run.stdout == "within\n"
    assert run.returncode and "heap-buffer-overflow" in run.stderr
