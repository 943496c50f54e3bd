"""Functions of NumPy in straight loops: applied to blocks of the result, with NumPy's values."""

import numpy as np
import pytest

import structarr as sa
from structarr._compiler.ir.expr import INDEX, Buffer, Call, Helper, Lit, minimum
from structarr._compiler.ir.kernel import Break, Do, For, If, Make, Set, Store, every_line
from structarr._compiler.ir.ops import OPS
from structarr._compiler.ir.variables import Var
from structarr._compiler.kernel_passes.vector_calls import (
    BLOCK,
    VECTORS,
    _Calls,
    _is_short,
    vector_calls,
)
from structarr._testing.forcing import witnessed

J, K, N = (Var(INDEX, name) for name in "jin")
X, TOTAL = Var("float64", "x"), Var("float64", "total", True)
ZERO = Lit("float64", 0.0)
A, C = Buffer("A_val", "float64"), Buffer("C_val", "float64")


def of(name: str, *args):
    return Call("float64", OPS[name], args)


def helpers(*body) -> list[str]:
    """The helpers that a loop over a body calls, in order."""
    found = vector_calls((For(K, N * 0, N, body),))
    return [line.call.name for line in every_line(found) if isinstance(line, Do)]


def test_nested_functions_are_applied_one_after_the_other():
    value = of("exp", of("negative", of("log1p", A[K])))
    assert helpers(Store(C, K + 3, value)) == ["vector_log1p", "vector_exp"]


def test_powers_of_complex_numbers_are_one_loop_of_numpys():
    base, exponent = Buffer("B_val", "complex128"), Var("complex128", "p")
    power = Call("complex128", OPS["power"], (base[K], exponent))
    assert helpers(Store(Buffer("D_val", "complex128"), K, power)) == ["vector_root"]


def test_what_needs_two_places_for_one_element_has_rooms_for_blocks():
    value = of("add", of("exp", A[K]), of("log", A[K]))
    assert helpers(Store(C, K, value)) == ["vector_exp", "vector_log"]


@pytest.mark.parametrize(
    "line",
    [
        Store(C, K * 2, of("exp", A[K])),
        Store(C, N, of("exp", A[K])),
        Store(Buffer("D_val", "float32"), K, of("exp", A[K])),
        Set(TOTAL, of("add", TOTAL, of("exp", A[K]))),
        Store(C, K, of("where", of("greater", A[K], ZERO), of("exp", A[K]), ZERO)),
    ],
    ids=["apart", "one place", "another dtype", "sum", "under a condition of what it reads"],
)
def test_loops_that_do_more_have_a_room_for_blocks(line):
    assert helpers(line) == ["vector_exp"]


def test_what_is_the_same_for_all_turns_is_computed_once_for_a_block():
    found = vector_calls((For(K, N * 0, N, (Store(C, K, of("multiply", A[K], of("exp", A[0]))),)),))
    sets = [line.value for line in every_line(found) if isinstance(line, Set)]
    assert of("exp", A[0]) in sets


def test_variables_that_are_set_before_stand_for_their_values():
    body = (Set(X, of("negative", A[K])), Set(TOTAL, of("add", TOTAL, of("exp", X))))
    found = vector_calls((For(K, N * 0, N, body),))
    assert any(
        isinstance(line, Store) and line.value is of("negative", A[K]) for line in every_line(found)
    )


def test_loops_in_loops_have_different_rooms():
    inner = For(J, N * 0, N, (Set(TOTAL, of("add", TOTAL, of("exp", A[J]))),))
    found = vector_calls((For(K, N * 0, N, (Store(C, K, of("exp", A[K])), inner)),))
    made = [line.buffer for line in every_line(found) if isinstance(line, Make)]
    assert len(made) == 2


@pytest.mark.parametrize(
    "line",
    [
        Store(C, K, of("exp", C[K + 1])),
        Store(C, K, of("power", A[K], A[K])),
        Store(C, K, of("negative", A[K])),
        Store(C, K, of("power", A[K], Lit("float64", 2.0))),
        Set(TOTAL, of("exp", TOTAL)),
        Store(C, K, of("where", of("greater", A[K], ZERO), of("exp", A[N]), ZERO)),
        Store(C, K, of("exp", Helper("float64", "search", (A, K)))),
        If(((of("greater", A[K], ZERO), (Store(C, K, of("exp", A[K])),)),)),
    ],
    ids=[
        *("read again", "powers that differ", "no function", "products", "handed on"),
        *("read under a condition", "of a helper", "under a condition"),
    ],
)
def test_other_loops_stay(line):
    loop = (For(K, N * 0, N, (line,)),)
    assert vector_calls(loop) == loop


def test_loops_that_end_early_stay():
    body = (Set(TOTAL, of("exp", A[K])), If(((of("greater", TOTAL, ZERO), (Break(),)),)))
    loop = (For(K, N * 0, N, body),)
    assert vector_calls(loop) == loop


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("name", sorted({*VECTORS} - {"power", "arctan2"}))
def test_values_are_numpys(name, dtype):
    """In both tiers: more than one block, with infinities and NaN."""
    values = np.linspace(-3, 3, BLOCK + 5, dtype=dtype)
    values[:3] = np.inf, -np.inf, np.nan
    array = sa.asarray(values, format="list")
    function = getattr(sa, name, None) or getattr(np, name)
    with np.errstate(all="ignore"):
        expected = getattr(np, name)(values)
    with sa.options(tier="interpreted"):
        found = np.asarray(function(array))
    np.testing.assert_array_equal(found, expected)


@pytest.mark.parametrize("exponent", [3.0, -1.5, 0.75])
@pytest.mark.parametrize("dtype", ["float64", "complex128"])
def test_powers_are_numpys(exponent, dtype):
    values = np.linspace(-3, 3, BLOCK + 5) * np.ones((), dtype)
    values[::2] *= 1 + 2j if dtype == "complex128" else 1
    array = sa.asarray(values)
    with np.errstate(all="ignore"):
        expected = values**exponent
    for tier in ("interpreted", "compiled"):
        with sa.options(tier=tier):
            np.testing.assert_allclose(np.asarray(array**exponent), expected, rtol=1e-15)


@pytest.mark.parametrize("tier", ["interpreted", "compiled"])
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_angles_are_numpys(dtype, tier):
    y, x = np.random.default_rng(3).normal(size=(2, BLOCK + 5)).astype(dtype)
    with sa.options(tier=tier):
        given = sa.asarray(y), sa.asarray(x)
        np.testing.assert_array_equal(np.arctan2(*given).todense(), np.arctan2(y, x))
        np.testing.assert_array_equal(np.arctan2(*given).max(), np.arctan2(y, x).max())
        pair = x + 1j * y
        np.testing.assert_array_equal(np.angle(sa.asarray(pair)).todense(), np.angle(pair))


def test_machine_code_gives_numpys_bits(as_shipped):
    values = np.linspace(0.1, 9, 2 * BLOCK + 7)
    array = sa.asarray(values)
    calls = []
    with sa.options(tier="compiled"), witnessed(calls.append):
        found = np.asarray(np.tanh(np.log1p(array)) * 2)
    assert len(calls) == 1
    np.testing.assert_array_equal(found, np.tanh(np.log1p(values)) * 2)


@pytest.mark.parametrize("tier", ["interpreted", "compiled"])
@pytest.mark.parametrize("dtype", ["float32", "float64", "complex128"])
@pytest.mark.parametrize("name", ["exp", "log1p", "tanh", "arctan"])
def test_a_value_is_the_same_wherever_it_is_computed(name, dtype, tier):
    """In maps, sums, merges, and of numbers; each part would round otherwise by functions of C."""
    rng = np.random.default_rng(5)
    values = rng.uniform(0.1, 3, (7, 60)).astype(dtype)
    if dtype == "complex128":
        values += 1j * rng.uniform(0.1, 3, values.shape)
    values[rng.random(values.shape) < 0.3] = 0
    function = getattr(np, name)
    expected = function(values)
    with sa.options(tier=tier):
        for format in ("dense", "csr"):
            array = sa.asarray(values, format=format)
            merged = sa.asarray(np.where(values.real > 1, values, 0), format=format)
            np.testing.assert_array_equal(function(array).todense(), expected)
            np.testing.assert_array_equal(
                sa.where(merged != 0, function(merged + array * 0), 0).todense(),
                np.where(values.real > 1, expected, 0),
            )
            if (
                dtype != "complex128"
            ):  # products of complex numbers, too, are rounded by NumPy alone
                found = function(array).max(axis=1).todense()
                np.testing.assert_array_equal(found, expected.max(axis=1))
        number = sa.asarray(values[0, :1]).sum()
        scaled = (function(number) * sa.asarray(values.real)).todense()
        if dtype != "complex128":
            np.testing.assert_array_equal(scaled, function(values[0, :1].sum()) * values)


@pytest.mark.parametrize("tier", ["interpreted", "compiled"])
def test_each_row_has_its_own_maximum(tier):
    values = np.random.default_rng(0).normal(size=(40, 3))
    array = np.exp(sa.asarray(values))
    with sa.options(tier=tier):
        assert (array == array.max(axis=1, keepdims=True)).any(axis=1).todense().all()


B = Buffer("B_val", "float64")


def under(cond, chosen, other=ZERO):
    return of("where", cond, chosen, other)


def test_what_is_read_under_a_condition_is_read_under_it_for_the_block():
    found = vector_calls(
        (For(K, N * 0, N, (Store(C, K, under(of("greater", A[K], ZERO), of("exp", B[K]))),)),)
    )
    filled = [line.value for line in every_line(found) if isinstance(line, Store)]
    assert filled[0] == under(of("greater", A[K], ZERO), B[K], Lit("float64", 1.0))
    assert [line.call.name for line in every_line(found) if isinstance(line, Do)] == ["vector_exp"]


@pytest.mark.parametrize(
    "value",
    [
        of(
            "add",
            under(of("greater", A[K], ZERO), of("exp", B[K])),
            under(of("less", A[K], ZERO), of("exp", B[K])),
        ),
        under(of("greater", TOTAL, ZERO), of("exp", B[K])),
    ],
    ids=["two conditions", "a condition of what changes"],
)
def test_functions_under_several_or_changing_conditions_stay(value):
    assert helpers(Set(TOTAL, value)) == []


@pytest.mark.parametrize("format", ["csr", "rle", "dense"])
@pytest.mark.parametrize("tier", ["interpreted", "compiled"])
def test_functions_under_conditions_are_numpys(format, tier):
    dense = np.random.default_rng(0).integers(-2, 3, (40, 30)) * 0.5
    other = np.random.default_rng(1).standard_normal((40, 30))

    def twice(a, b):
        inner = np.where(a > 0, np.log(np.where(a > 0, a, 1)), np.exp(b))
        return np.where(a != 0, np.tanh(b) * inner, np.where(b > 0, np.sqrt(np.abs(b)), a))

    with sa.options(tier=tier):
        got = twice(sa.asarray(dense, format=format), sa.asarray(other)).todense()
    np.testing.assert_array_equal(got, twice(dense, other))


def test_results_at_places_that_are_looked_up_hold_no_arguments():
    """The blocks of what is stored at them do not lie beside each other."""
    starts = Buffer("starts", INDEX)
    for place, fits in ((K + J, True), (K + J + starts[K], False)):
        loop = For(K, N * 0, N, (Store(C, place, of("exp", A[K])),))
        assert bool(_Calls(set())._in_place(loop)) is fits


def test_a_loop_is_short_that_ends_within_a_block_of_where_it_begins():
    for stop, short in ((N + BLOCK, True), (N + BLOCK + 1, False)):
        loop = For(K, N, minimum(stop, J), (Store(C, K, A[K]),))
        assert _is_short(loop) is short
