"""Kernels in LLVM's language: Python's meaning to the bit, and what is left to Numba."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from typing import Any

import numpy as np
import pytest

from structarr._compiler.backend import behind
from structarr._compiler.backend.llvm.module import translated
from structarr._compiler.backend.native.direct import compiled
from structarr._compiler.backend.params import Param
from structarr._compiler.backend.python.interpret import Interpreted
from structarr._compiler.backend.text.kinds import Untranslated
from structarr._compiler.ir.dtypes import COMPLEX

PLACE = Param("int64", False, False, True)
EDGES = [-(1 << 63), -7, -2, -1, 0, 1, 2, 7, (1 << 63) - 1]


def both(text: str, *params: Param) -> tuple[Callable[..., Any], Callable[..., Any]]:
    """A kernel of LLVM's, and the same interpreted."""
    made = compiled(text, params)
    assert made is not None
    return made, Interpreted(text, params)


def alike(text: str, params: tuple[Param, ...], *calls: tuple[Any, ...]) -> None:
    """Compare what calls return and write, to the bit."""
    functions = both(text, *params)
    for args in calls:
        found = []
        for function in functions:
            own = [one.copy() if isinstance(one, np.ndarray) else one for one in args]
            returned = function(*own)
            found.append((returned, [np.asarray(one).tobytes() for one in own]))
        assert found[0] == found[1], args


def array(dtype: str, writable: bool = True) -> Param:
    return Param(dtype, True, writable, dtype in ("int32", "int64"))


@pytest.mark.parametrize("sign", ["//", "%"])
def test_division_rounds_down_whatever_the_signs(sign: str) -> None:
    pairs = [(a, b) for a in EDGES for b in EDGES if b != 0 and (a, b) != (EDGES[0], -1)]
    alike(f"def kernel(a, b):\n    return a {sign} b\n", (PLACE, PLACE), *pairs)
    function = both(f"def kernel(a, b):\n    return a {sign} b\n", PLACE, PLACE)[0]
    assert function(5, 0) == function(EDGES[0], -1) == 0  # where Python raises, or has no bound


@pytest.mark.parametrize("dtype", ["int8", "uint8", "int32", "uint32", "int64", "uint64"])
@pytest.mark.parametrize("sign", ["<", "<=", "==", "!=", ">", ">="])
def test_integers_compare_by_their_values(dtype: str, sign: str) -> None:
    bounds = np.iinfo(dtype)
    kind = np.dtype(dtype).type
    values = [kind(one) for one in (bounds.min, 0, 1, bounds.max)]
    text = f"def kernel(a, b):\n    return 1 if a {sign} b else 0\n"
    scalar = Param(dtype, False, False)
    alike(text, (scalar, scalar), *[(a, b) for a in values for b in values])


@pytest.mark.parametrize("sign", ["<", "<=", "==", "!=", ">", ">="])
def test_integers_with_and_without_signs_compare_by_their_values(sign: str) -> None:
    words = [np.uint64(one) for one in (0, 5, (1 << 63) - 1, 1 << 63, (1 << 64) - 1)]
    text = f"def kernel(a, b):\n    return (1 if a {sign} b else 0) + (2 if b {sign} a else 0)\n"
    made = both(text, Param("uint64", False, False), PLACE)[0]
    for a in words:
        for b in EDGES:
            wanted = eval(f"(int(a) {sign} b) + 2 * (b {sign} int(a))")
            assert made(a, b) == wanted


@pytest.mark.parametrize("value", [0.0, -0.0, 1.5, -2.5, np.inf, -np.inf, np.nan, 5e-324])
def test_floats_have_their_signs_and_nans(value: float) -> None:
    text = """def kernel(x, C_val):
    C_val[0] = -x
    C_val[1] = abs(x)
    C_val[2] = np.copysign(1.0, x)
    C_val[3] = 1.0 if x == x else 0.0
    C_val[4] = 1.0 if not x < 0.0 else 0.0
    C_val[5] = 1.0 if x else 0.0
    C_val[6] = np.rint(x) + np.floor(x) - np.ceil(x) * np.trunc(x)
    C_val[7] = float64(float32(x))
"""
    alike(text, (Param("float64", False, False), array("float64")), (value, np.zeros(8)))


def test_conditions_are_asked_as_far_as_necessary() -> None:
    text = """def kernel(A_idx, n, C_idx):
    at = 0
    while at < n and A_idx[u(at)] >= 0 or at == 2:
        at += 1
    C_idx[0] = at
    found = at > 0 and A_idx[u(at - 1)] == 4
    C_idx[1] = 10 if found or n == 0 else 20
    C_idx[2] = 1 if 0 <= at < n else 2
"""
    given = [np.array(one, np.int64) for one in ([4, 4, -1, 4], [4, 4, 4], [-1], [])]
    params = array("int64", False), PLACE, array("int64")
    alike(text, params, *[(one, len(one), np.zeros(3, np.int64)) for one in given])


def test_loops_end_where_they_are_left_and_keep_their_variable() -> None:
    text = """def kernel(n, C_idx):
    q = -5
    for q in range(3, n, 2):
        if q == 9:
            continue
        if q > 12:
            break
        C_idx[u(q)] += q
    for i in range(n):
        for j in range(i, n):
            if j > i + 1:
                break
            C_idx[u(i)] -= j
    return q, n
"""
    calls = [(n, np.zeros(20, np.int64)) for n in (0, 3, 4, 8, 20)]
    alike(text, (PLACE, array("int64")), *calls)


def test_a_name_may_stand_for_variables_of_several_types() -> None:
    text = """def kernel(A_idx, n, C_idx):
    for k in range(n):
        C_idx[u(k)] = k
    for q in range(n):
        k = u(A_idx[u(q)])
        C_idx[k] += 10
"""
    params = array("int32", False), PLACE, array("int64")
    given = np.array([1, 1, 0], np.int32), 3, np.zeros(4, np.int64)
    alike(text, params, given)
    merged = """def kernel(n):
    k = n
    if n > 3:
        k = u(n)
    return k + 1
"""
    with pytest.raises(Untranslated, match="variable k"):
        translated("k_entry", merged, (PLACE,))


@pytest.mark.parametrize(
    "told",
    ["x[0] + 1 > x[0]", "x[0] - 1 < x[0]", "-x[0] == x[0]", "abs(x[0]) < 0", "x[0] * 3 // 3"],
)
def test_integers_wrap_around(told: str) -> None:
    text = f"def kernel(x, y):\n    y[0] = {told}\n"
    function, out = both(text, array("int64", False), array("int64"))[0], np.zeros(1, np.int64)
    for value in EDGES:
        function(x := np.array([value]), out)
        with np.errstate(over="ignore"):
            assert out[0] == eval(told, {"x": x}), (told, value)


@pytest.mark.unchecked("they may, as they are looked at")
def test_subscripts_do_not_wrap_around() -> None:
    kernel = "def kernel(x, y, i):\n    y[u(i + 1)] = x[u(i)] * 2 + x[u(3 * i)]\n"
    text = translated("k_entry", kernel, (array("int64", False), array("int64"), PLACE))
    assert [line.split()[2:4] for line in text.splitlines() if " nsw " in line] == [
        ["mul", "nsw"],
        ["add", "nsw"],
    ]


def test_buffers_of_narrow_types_wrap_around() -> None:
    text = """def kernel(A_val, B_val, C_val, n):
    for i in range(n):
        C_val[u(i)] = {0}(A_val[u(i)] * B_val[u(i)] + A_val[u(i)])
"""
    for dtype in ("int8", "uint8", "int16", "uint16", "int32", "uint32"):
        bounds = np.iinfo(dtype)
        values = np.array([bounds.min, 3, bounds.max, 7], dtype)
        params = array(dtype, False), array(dtype, False), array(dtype), PLACE
        made = both(text.format(dtype), *params)[0]
        out = np.zeros(4, dtype)
        made(values, values[::-1].copy(), out, 4)
        np.testing.assert_array_equal(out, values * values[::-1] + values)


@pytest.mark.parametrize("dtype", ["float64", "float32"])
def test_floats_of_booleans_are_zero_and_one(dtype: str) -> None:
    text = "def kernel(flag, out, n):\n    for i in range(n):\n        "
    text += f"out[u(i)] = {dtype}(bool_(flag[u(i)]))\n    return {dtype}(n < 3)\n"
    function = both(text, array("bool", False), array(dtype), PLACE)[0]
    flags, out = np.arange(9) % 3 == 0, np.full(9, 7, dtype)
    assert [function(flags, out, n) for n in (2, 9)] == [1, 0]
    np.testing.assert_array_equal(out, flags.astype(dtype))
    assert not np.signbit(out).any()


HELPERS = {
    "search_near": "i32[] i64 i64 i64",
    "sort_range": "i64[] i64 i64",
    "list_marked": "i64[] bool[] i64 i64",
    "pack_run": "i64[] i64[] f64[] i64 i64 i64 i64 f64",
    "probe": "i64[] i32[] i64 i64 i64",
    "transpose_rows": "i32[] i32[] f32[] f32 i64[] i32[] f32[]",
    "keep_rows": "i32[] i32[] bool[] bool[] i32[] i32[] bool[]",
    "keep_entries": "i64[] i32[] f64[] bool[] i64[] i32[] f64[]",
    "find_ranges": "i32[] i32[] i64 i64 i64[] i64 i32[]",
    "sort_ranges": "i64[] i64" + 2 * " i32[] i32[] f32[]" + " i64[]",
    "unite_places": "i64 i64 i64 i32[] i32[] i64[]",
    "put_points": "i64[] i64[] f64[] f64 i64[] i64[] f64[] i64[] i64[] f64[]",
    "find_tiles": "i64[] i32[] i64[] i64 i64[] i64[] i64[]",
    "vector_power": "f64[] i64 i64 f64",
    "power_int": "u8 u8",
    "floor_divide_float": "f32 f32",
    "unsigned": "f64",
}
DTYPES = {"i": "int", "u": "uint", "f": "float"}


@pytest.mark.parametrize("name", HELPERS)
def test_helpers_are_translated(name: str) -> None:
    params = []
    for one in HELPERS[name].split():
        dtype = one.removesuffix("[]")
        known = dtype if dtype == "bool" else DTYPES[dtype[0]] + dtype[1:]
        params.append(Param(known, one != dtype, one != dtype))
    given = ", ".join([f"a{k}" for k in range(len(params))])
    assert compiled(f"def kernel({given}):\n    {name}({given})\n", tuple(params)) is not None


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("name", ["logaddexp", "logaddexp2"])
def test_sums_of_exponentials_are_numpys_without_numba(name: str, dtype: str) -> None:
    param = Param(dtype, False, False)
    made = compiled(f"def kernel(a, b):\n    return np.{name}(a, b)\n", (param, param))
    assert made is not None
    ends = [-np.inf, -745.0, -3.0, -0.0, 0.0, 1e-30, 2.5, 60.0, np.inf, np.nan]
    for a, b in product(np.array(ends, dtype), repeat=2):
        with np.errstate(all="ignore"):
            want = getattr(np, name)(a, b)
        np.testing.assert_allclose(made(a, b), want, rtol=4 * np.finfo(dtype).eps)


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("name", ["hypot", "nextafter", "spacing", "ldexp"])
def test_functions_of_c_are_numpys_without_numba(name: str, dtype: str) -> None:
    ufunc, exponents = getattr(np, name), name == "ldexp"
    kinds = [dtype, "int64" if exponents else dtype][: ufunc.nin]
    params = tuple([Param(one, False, False) for one in kinds])
    given = ", ".join("ab"[: ufunc.nin])
    made = compiled(
        f"def kernel({given}):\n    return {'' if exponents else 'np.'}{name}({given})\n", params
    )
    assert made is not None
    floats = np.array([-np.inf, -3.0, -1.0, -0.0, 0.0, 1e-45, 2.5, 1e38, np.inf, np.nan], dtype)
    whole = np.array([-(2**63), -6000, -3, 0, 1, 200, 2**40])
    for args in product(floats, *[whole if exponents else floats] * (ufunc.nin - 1)):
        clipped = [np.clip(one, -5000, 5000) for one in args[1:]] if exponents else args[1:]
        with np.errstate(all="ignore"):
            want = ufunc(args[0], *clipped)
        np.testing.assert_array_equal(np.array(made(*args), dtype), want)


@pytest.mark.parametrize("dtype", ["int8", "int64", "uint8", "uint64"])
def test_common_divisors_are_numpys_without_numba(dtype: str) -> None:
    param = Param(dtype, False, False)
    made = compiled("def kernel(a, b):\n    return np.gcd(a, b)\n", (param, param))
    assert made is not None
    bounds = np.iinfo(dtype)
    ends = np.array([bounds.min, bounds.min + 2, 0, 1, 6, 8, 15, 100, bounds.max], dtype)
    for a, b in product(ends, repeat=2):
        assert made(a, b) == np.gcd(a, b), (a, b)


PAIRS = [complex(a, b) for a, b in product([0.0, -0.0, 1.5, -3.0, 7e18, np.inf, np.nan], repeat=2)]


@pytest.mark.parametrize("dtype", sorted(COMPLEX))
@pytest.mark.parametrize(
    "text",
    [
        *("a + b", "a - b", "a * b", "-a", "np.conjugate(a)", "complex(a.imag, b.real)"),
        *("divide_complex(a, b)", "reciprocal_complex(a)", "np.rint(a)", "np.sqrt(a)"),
        *("sign_complex(a)", "scalar_exp(a)", "a if a == b else b", "abs(a)", "a.real", "2j * a"),
        *("a == b", "a != b", "not a", "np.isinf(a)", "np.less(a, b)", "np.less_equal(a, b)"),
        *("np.greater(a, b)", "np.greater_equal(a, b)", "np.maximum(a, b)", "np.minimum(a, b)"),
        *("np.fmax(a, b)", "np.fmin(a, b)", "isnan(a)", "isfinite(b)", "a + 1", "a * 0.5"),
    ],
)
def test_complex_numbers_are_numpys_without_numba(text: str, dtype: str) -> None:
    number, room = Param(dtype, False, False), Param(dtype, True, True)
    functions = both(f"def kernel(a, b, out):\n    out[0] = {text}\n", number, number, room)
    for a, b in product(np.array(PAIRS, dtype), repeat=2):
        outs = [np.zeros(1, dtype) for _ in functions]
        with np.errstate(all="ignore"):
            for function, out in zip(functions, outs, strict=True):
                function(a, b, out)
        np.testing.assert_allclose(*outs, rtol=4 * np.finfo(dtype).eps)


def test_what_complex_numbers_do_not_have_is_left_to_numba() -> None:
    number = Param("complex128", False, False)
    for text in ("a ** a", "a < a", "a // a", "float(a)", "np.floor(a)", "a.view(np.int64)"):
        assert compiled(f"def kernel(a):\n    b = {text}\n", (number,)) is None, text
    assert compiled("def kernel(a):\n    return a\n", (number,)) is None


def test_complex_arguments_are_checked() -> None:
    number, room = Param("complex64", False, False), Param("complex64", True, True)
    made = compiled("def kernel(a, out):\n    out[0] = a\n", (number, room))
    assert made is not None
    found = np.zeros(1, "complex64")
    for value in (np.complex64(1 + 2j), 3.5, np.float32(2), 7):
        made(value, found)
        assert found[0] == value
    with pytest.raises(TypeError):
        made(None, found)


def test_unknown_names_are_left_to_numba() -> None:
    assert compiled("def kernel(n):\n    return np.frexp(n)\n", (PLACE,)) is None


def test_what_nobody_waits_for_is_done_in_turn_and_fails_alone() -> None:
    done: list[int] = []

    def fails() -> None:
        raise ValueError

    for work in (lambda: done.append(1), fails, lambda: done.append(2)):
        behind.later(work)
    behind.settle()
    assert done == [1, 2]


def test_memory_of_a_kernel_is_freed_however_it_ends() -> None:
    text = """def kernel(n):
    for k in range(3):
        room = new_fingers(n)
        room[u(0)] = k
        if n > 5:
            overflow()
        last = room[u(0)]
    return last
"""
    made = compiled(text, (PLACE,))
    assert made is not None and made(2) == 2
    with pytest.raises(RuntimeError, match="outgrow"):
        made(6)


CHECKED = (
    "def kernel(a, n, k):\n"
    "    return half(a, n, k) + a[u(inside(k, n, 7))]\n\n"
    "def half(a, n, k):\n"
    "    return a[u(inside(k + 1, n, 3))] // 2\n"
)


def test_checks_are_written_where_they_are_asked_for() -> None:
    """Their functions would return whether they failed, which LLVM tests once more."""
    params = (array("int64"), PLACE, PLACE)
    text = translated("checked", CHECKED, params)
    assert "@inside" not in text and "@outside" in text
    alike(CHECKED, params, (np.arange(5), 5, 0), (np.arange(5), 5, 3))


@pytest.mark.parametrize(("k", "site", "index"), [(4, 3, 5), (-1, 7, -1), (-2, 3, -1), (9, 3, 10)])
def test_checks_end_the_kernel(k: int, site: int, index: int) -> None:
    for function in both(CHECKED, array("int64"), PLACE, PLACE):
        with pytest.raises(IndexError) as told:
            function(np.arange(5), 5, k)
        assert told.value.args == (site, index, 5)


def test_outermost_loops_around_loops_stay_rolled() -> None:
    """Two copies of an inner loop have taken twice as long; LLVM unrolls what is innermost."""
    text = """def kernel(n, a):
    for i in range(n):
        for j in range(i):
            for l in range(j):
                a[l] = a[l] + 1.0
    for k in range(n):
        a[k] = a[k] * 2.0
"""
    params = (PLACE, array("float64"))
    module = translated("kernel", text, params)
    marks = [line for line in module.splitlines() if "!llvm.loop" in line]
    assert len(marks) == 1
    (name,) = [part for part in marks[0].split() if part.startswith("!") and part != "!llvm.loop"]
    assert f"{name} = distinct !{{{name}, !1}}" in module
    assert '!1 = !{!"llvm.loop.unroll.disable"}' in module
    alike(text, params, (5, np.arange(5.0)), (0, np.zeros(1)))


@pytest.mark.parametrize(
    ("line", "is_scalar"),
    [("if b[i] == i: a[b[i]] = c[i]", True), ("if b[i] == i: a[i] = c[i]", False),
     ("if b[i] == i: a[b[i]] += c[i]", True), ("a[b[i]] = c[i]", False)],
)  # fmt: skip
def test_turns_of_which_some_write_anywhere_are_taken_one_by_one(
    line: str, is_scalar: bool
) -> None:
    """A vector of them scatters, which takes as long where it writes nothing."""
    text = f"def kernel(n, a, b, c):\n    for i in range(n):\n        {line}\n"
    params = (PLACE, array("float64"), array("int64", False), array("float64", False))
    module = translated("kernel", text, params)
    assert (
        any("br label" in line and "!llvm.loop" in line for line in module.splitlines())
        == is_scalar
    )
    assert '!2 = !{!"llvm.loop.vectorize.enable", i1 false}' in module
    places = np.array([0, 2, 1, 3, 3, 5, 0, 7, 8, 9])
    alike(text, params, (10, np.zeros(10), places, np.arange(10.0)))


STRETCH = """
def kernel(a, b, n, m):
    last = -1
    for i in range(n):
        for j in range(m, n):
            a[u(j + i * n)] = b[u(j + i * n)]
            {more}
        last = j
    return last
"""


@pytest.mark.parametrize("dtype", ["float64", "float32", "int8", "uint32", "bool", "complex128"])
def test_stretches_between_entries_are_copied_by_a_loop(dtype: str) -> None:
    """The rest stays as it is, and the loop's variable has its last value."""
    text = STRETCH.format(more="")
    params = array(dtype), array(dtype, False), PLACE, PLACE
    one, other = (np.arange(25) % 2).astype(dtype), (np.arange(25) % 3 == 0).astype(dtype)
    alike(text, params, *[(one, other, 5, first) for first in (0, 1, 4)])
    assert f"copy.{dtype}" in translated("k", text, params)


@pytest.mark.parametrize(
    ("text", "dtypes"),
    [
        (STRETCH.format(more="a[u(0)] = b[u(1)]"), ("float64", "float64")),
        (STRETCH.replace("= b[u(j + i * n)]", "= b[u(j)]").format(more=""), ("float64", "float64")),
        (STRETCH.replace("j + i * n", "j * n + i").format(more=""), ("float64", "float64")),
        (STRETCH.replace("j + i * n", "j + j * n").format(more=""), ("float64", "float64")),
        (STRETCH.replace("j + i * n", "j").format(more=""), ("float64", "float64")),
        (STRETCH.replace("= b[", "= a[").format(more=""), ("float64", "float64")),
        (STRETCH.format(more=""), ("float64", "float32")),
    ],
)
def test_other_loops_are_as_they_were(text: str, dtypes: tuple[str, str]) -> None:
    params = array(dtypes[0]), array(dtypes[1], False), PLACE, PLACE
    one, other = np.arange(25.0).astype(dtypes[0]), -np.arange(25.0).astype(dtypes[1])
    alike(text, params, (one, other, 5, 1), (one, other, 5, 4))
    assert "copy." not in translated("k", text, params)
