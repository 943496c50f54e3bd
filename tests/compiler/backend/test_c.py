"""Kernels as C: what they look like, and that compiled they compute what Python does."""

from __future__ import annotations

import linecache
import math
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import structarr as sa
from structarr._compiler.backend.c.module import translated
from structarr._compiler.backend.params import Param
from structarr._compiler.backend.python.interpret import Interpreted
from structarr._compiler.backend.text.kinds import Untranslated
from structarr._compiler.backend.text.user_sources import Own, of_user
from structarr._compiler.backend.user_functions import Function as Operator
from structarr._testing.beside_python import Beside, DifferentBits, same_bits
from structarr._testing.c_command import by_target
from structarr._testing.c_target import CTarget, Library, compiler, preloaded
from structarr._testing.fuzz.case import Settings
from structarr._testing.fuzz.families import numbered
from structarr._testing.fuzz.outcome import outcome
from structarr._testing.target_contract import _check_operator, _Watched
from structarr.targets import OPS, PYTHON

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


def test_unknown_languages_and_what_c_has_not_are_refused() -> None:
    a = sa.asarray([0.0, 1.0], format="list")
    with pytest.raises(ValueError, match="python, c, llvm"):
        sa.explain(a + 1).source("fortran")
    own = sa.operator(lambda x, y: x // y, name="own")
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


def test_calls_that_fail_stand_under_no_second_condition() -> None:
    text = """
def kernel(n):
    if n > 5:
        return 1
    elif new_fingers(n)[0] > 0:
        return 2
    return 3
"""
    with pytest.raises(Untranslated, match="under a condition"):
        translated(text, (PLACE,))


@compiles
@pytest.mark.parametrize("number", range(6))
def test_random_programs_by_c(number: int, target: CTarget) -> None:
    found = outcome(by_target(numbered(Settings(seed=28, steps=3), number), Beside(target)))
    assert not found.failed, found.message


@compiles
def test_floats_beyond_the_bounds_of_integers_are_the_least_one() -> None:
    made = both("def kernel(x):\n    return np.int64(x)\n", Param("float64", False, False))[0]
    least = -(1 << 63)
    given = (3.9, -3.9, 2.0**63, -(2.0**63), 2.0**62, np.inf, np.nan)
    assert [made(one) for one in given] == [3, -3, least, least, 1 << 62, least, least]


# ------------------------------------------------------------------- complex numbers


@compiles
@pytest.mark.parametrize("dtype", ["complex64", "complex128"])
def test_complex_numbers_leave_the_bits_that_numpy_has(dtype: str) -> None:
    """Products with infinities, too, for which C has rules of its own."""
    text = """def kernel(x, y, C_val):
    C_val[0] = x * y
    C_val[1] = x - y
    C_val[2] = -x
    C_val[3] += x
    C_val[4] *= y
    return (x == y, C_val[0])
"""
    number = Param(dtype, False, False)
    made, plain = both(text, number, number, array(dtype))
    parts = (0.0, -0.0, 1.5, -2.25, np.inf, np.nan)
    every = [complex(re, im) for re in parts for im in parts]
    kind = np.dtype(dtype).type
    with np.errstate(all="ignore"):
        for x in every:
            for y in every[::5]:
                ours, theirs = np.full(5, 1 + 2j, dtype), np.full(5, 1 + 2j, dtype)
                found, wanted = made(x, y, ours), plain(kind(x), kind(y), theirs)
                assert same_bits(found, wanted) and same_bits(ours, theirs)


@compiles
@pytest.mark.parametrize("dtype", ["complex64", "complex128"])
@pytest.mark.parametrize("name", ["multiply", "divide", "power", "sign", "maximum", "less", "exp2"])
def test_operators_of_complex_numbers(name: str, dtype: str, target: CTarget) -> None:
    _check_operator(_Watched(target), OPS[name], dtype)
    assert target.left == 0


# ----------------------------------------------------------------- users' functions

SCALE = 3


def shifted(v: Any, w: Any) -> Any:
    return v * w + SCALE


def overflow(v: Any) -> Any:  # as a helper of kernels is called, too
    return v + 100


def branching(x: Any, y: Any) -> Any:
    """A function with a loop, conditions and calls."""
    total = 0.0
    for k in range(4):
        if x > y and k != 2:
            total += shifted(x, k)
        elif not (x < 0 or y < 0):
            total = total - max(y, 0.5)
    return overflow(total) if total > 3 else math.sqrt(abs(total)) + y**2


def of_closure(factor: Any) -> Callable[..., Any]:
    return lambda x, y: x * factor - y


@compiles
@pytest.mark.parametrize(
    "function",
    [branching, of_closure(2.5), of_closure(3), lambda x, y: x if x > y else y * 1j],
    ids=["branching", "of_a_float", "of_an_integer", "one_of_two"],
)
def test_functions_of_users_are_written_with_the_kernel(
    function: Callable[..., Any], target: CTarget
) -> None:
    own = sa.operator(function, name="own", dtype=complex if "one_of" in str(function) else None)
    x, y = np.array([0.0, 2.0, -1.0, 0.0, 5.5]), np.array([1.0, 0.0, -3.0, 0.0, 5.5])
    a, b = (sa.asarray(one, format="list") for one in (x, y))
    with sa.options(tier="interpreted"):
        wanted = own(a, b).todense()
    built, left = target.built, target.left
    with sa.options(tier=Beside(target)):
        assert same_bits(own(a, b).todense(), wanted)
    assert target.built > built and target.left == left


def nothing_where(x: Any, y: Any) -> Any:
    if x > y:
        return x
    return None


def with_default(x: Any, y: Any, z: float = 1.0) -> Any:
    return x + y * z


@pytest.mark.parametrize(
    ("function", "says"),
    [
        (lambda x, y: x or y, "several numbers that need not be conditions"),
        (lambda x, y: (x > 0) + (y > 0), "arithmetic of conditions"),
        (nothing_where, "which may return no number"),
        (with_default, "whose arguments may be left out"),
        (eval("lambda x, y: x + y"), "whose text is not there"),
        (lambda x, y: np.heaviside(x, y), "a call of"),
    ],
)
def test_functions_of_users_that_mean_something_else_in_c_are_refused(
    function: Callable[..., Any], says: str
) -> None:
    operator = Operator("own_1", "own", function, True, 2)
    text = "def kernel(a, b):\n    return float64(own_1(a, b))\n"
    number = Param("float64", False, False)
    with pytest.raises(Untranslated, match=says):
        translated(text, (number, number), users=(operator,))


def test_a_text_that_was_changed_is_not_taken_for_a_function(tmp_path: Path) -> None:
    path = tmp_path / "own.py"
    path.write_text("def own(x, y):\n    return x + y\n")
    known: dict[str, Any] = {}
    exec(compile(path.read_text(), str(path), "exec"), known)
    assert of_user(Own("own", known["own"], True)).params == ("x", "y")
    path.write_text("def own(x, y):\n    return x - y\n")
    linecache.clearcache()
    with pytest.raises(Untranslated, match="whose text is not there"):
        of_user(Own("own", known["own"], True))


# -------------------------------------------------------------------------- to the bit


def test_a_kernel_that_leaves_other_bits_is_seen() -> None:
    class Wrong:
        def build(self, functions: Any, params: Any) -> Callable[..., Any]:
            made = PYTHON.build(functions, params)

            def kernel(*args: Any) -> Any:
                found = made(*args)
                for one, param in zip(args, params, strict=True):
                    if param.array and param.writable and one.dtype.kind == "f":
                        one *= 1 + 2**-52
                return found

            return kernel

    a = sa.asarray([0.0, 1.0, 3.0], format="list")
    with sa.options(tier=Beside(Wrong())), pytest.raises(DifferentBits, match="interpreted"):
        (a * 3.0).compute()


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


@pytest.mark.parametrize("name", ["scalar_exp", "scalar_power", "vector_log", "vector_power"])
def test_functions_that_may_be_rounded_otherwise_are_not_compared_to_the_bit(name: str) -> None:
    beside = Beside(PYTHON)
    beside.build_text(f"def kernel(x, n):\n    return {name}(x, n)\n", (PLACE, PLACE))
    assert (beside.compared, beside.rounded) == (0, 1)
