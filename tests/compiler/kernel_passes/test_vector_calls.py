"""Functions of NumPy in straight loops: applied to blocks of the result, with NumPy's values."""

import numpy as np
import pytest

import structarr as sa
from structarr._compiler.ir.expr import INDEX, Buffer, Call
from structarr._compiler.ir.kernel import Do, For, Store, every_line
from structarr._compiler.ir.ops import OPS
from structarr._compiler.ir.variables import Var
from structarr._compiler.kernel_passes.vector_calls import BLOCK, VECTORS, vector_calls
from structarr._testing.forcing import witnessed

K = Var(INDEX, "i")
N = Var(INDEX, "n")
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


def test_what_needs_two_places_for_one_element_keeps_a_call_for_each():
    value = of("add", of("exp", A[K]), of("log", A[K]))
    assert len(helpers(Store(C, K, value))) == 1


@pytest.mark.parametrize(
    "line",
    [
        Store(C, K * 2, of("exp", A[K])),
        Store(C, N, of("exp", A[K])),
        Store(C, K, of("exp", C[K + 1])),
        Store(Buffer("D_val", "float32"), K, of("exp", A[K])),
        Store(C, K, of("power", A[K], A[K])),
        Store(C, K, of("negative", A[K])),
    ],
    ids=["apart", "one place", "read again", "another dtype", "powers that differ", "no function"],
)
def test_other_loops_stay(line):
    loop = (For(K, N * 0, N, (line,)),)
    assert vector_calls(loop) is loop or vector_calls(loop) == loop


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("name", sorted({*VECTORS} - {"power"}))
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
def test_powers_are_numpys(exponent):
    values = np.linspace(-3, 3, BLOCK + 5)
    array = sa.asarray(values)
    with np.errstate(all="ignore"):
        expected = values**exponent
    for tier in ("interpreted", "compiled"):
        with sa.options(tier=tier):
            np.testing.assert_allclose(np.asarray(array**exponent), expected, rtol=1e-15)


def test_machine_code_gives_numpys_bits(as_shipped):
    values = np.linspace(0.1, 9, 2 * BLOCK + 7)
    array = sa.asarray(values)
    calls = []
    with sa.options(tier="compiled"), witnessed(calls.append):
        found = np.asarray(np.tanh(np.log1p(array)) * 2)
    assert len(calls) == 1
    np.testing.assert_array_equal(found, np.tanh(np.log1p(values)) * 2)
