"""A third target, which counts: it computes what the tiers do, and its counts are right."""

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import structarr as sa
from structarr._compiler.backend.kernel import Kernel, build
from structarr._compiler.backend.params import Param
from structarr._compiler.ir.conditions import TRUE, lt
from structarr._compiler.ir.expr import INDEX, Buffer, Call, Helper, Lit
from structarr._compiler.ir.kernel import Break, For, Function, If, Invoke, Set, Store, While
from structarr._compiler.ir.ops import OPS
from structarr._compiler.ir.variables import Var
from structarr._testing.counted_calls import counted, counting
from structarr._testing.forcing import witnessed

A, C = Buffer("A", "float64"), Buffer("C", "float64")
PLACE, AT, N = Var(INDEX, "p"), Var(INDEX, "q"), Var(INDEX, "n")
ZERO = Lit(INDEX, 0)


def kernel(*functions: Function) -> Kernel:
    arrays = [Param("float64", True, False), Param("float64", True, True)]
    return build(functions, (*arrays, Param(INDEX, False, False, True)))


def test_operations_and_bytes_of_a_loop_are_counted() -> None:
    doubled = Call("float64", OPS["multiply"], (A[PLACE], Lit("float64", 2.0)))
    body = For(PLACE, ZERO, N, (Store(C, PLACE, doubled),))
    made = kernel(Function("kernel", (A, C, N), (body,)))
    out = np.zeros(5)
    result, counts = counted(made, (np.arange(5.0), out, 3))
    assert result is None
    assert out.tolist() == [0, 2, 4, 0, 0]
    assert counts.iterations == counts.operations["multiply"] == 3
    assert counts.read == counts.written == 24


def test_every_turn_of_a_loop_counts_that_is_left_inside() -> None:
    inner = While((If(((lt(AT, PLACE), (Set(AT, AT + 1),)), (TRUE, (Break(),)))),))
    outer = For(PLACE, ZERO, N, (Set(AT, ZERO), inner))
    made = kernel(Function("kernel", (A, C, N), (Set(AT, ZERO), outer), AT))
    result, counts = counted(made, (np.zeros(0), np.zeros(0), 4))
    assert result == made.interpret((np.zeros(0), np.zeros(0), 4)) == 3
    assert counts.iterations == 4 + (1 + 2 + 3 + 4)


def test_helpers_and_functions_of_a_kernel_count() -> None:
    found = Helper(INDEX, "bisect", (A, Lit("float64", 2.0), ZERO, N))
    part = Function("part1", (A, N), (Set(AT, found),), AT)
    whole = Function("kernel", (A, C, N), (Invoke("part1", (A, N), (AT,)),), (AT,))
    made = kernel(whole, part)
    result, counts = counted(made, (np.arange(8.0), np.zeros(0), 8))
    assert result == made.interpret((np.arange(8.0), np.zeros(0), 8)) == (2,)
    assert counts.operations["bisect"] == 1
    assert counts.read == 8 * 5  # by halving four times, and one that is left


EXPRESSIONS: dict[str, Any] = {
    "product": lambda a: a @ a,
    "union": lambda a: a + a.T * 2,
    "sum": lambda a: a.sum(axis=1),
    "narrow": lambda a: (a.astype("int8") * 100).sum(axis=0, dtype="int8"),
    "mask": lambda a: sa.where(a > 1, a, -1),
    "complex": lambda a: np.absolute(a.astype("complex64") * 1j),
    "sampled": lambda a: a[1:, ::2] - a[1:, 1::2],
}


@pytest.mark.parametrize("expression", EXPRESSIONS)
@pytest.mark.parametrize("format", ["csr", "rle", "vbl", "hash"])
def test_it_computes_what_the_interpreted_tier_does(expression: str, format: str) -> None:
    data = np.random.default_rng(0).integers(0, 3, (6, 6)).astype(float)
    with sa.options(tier="interpreted"):
        wanted = EXPRESSIONS[expression](sa.asarray(data, format=format)).todense()
    with counting() as calls:
        found = EXPRESSIONS[expression](sa.asarray(data, format=format)).todense()
    assert sum(counts.read for counts in calls) > 0
    assert found.tobytes() == wanted.tobytes()


# Where the interpreted tier calls Python's library instead of a helper: here it runs as written.


@pytest.fixture
def interpreted() -> Iterator[None]:
    with sa.options(tier="interpreted"):
        yield


@pytest.mark.usefixtures("interpreted")
@pytest.mark.parametrize(("program", "helper"), [(0, "list_marked"), (1, "sort_range")])
@pytest.mark.parametrize("columns", [150, 700])  # rows of the result are full, or not
def test_columns_of_a_product_are_put_in_order(program: int, helper: str, columns: int) -> None:
    rng = np.random.default_rng(0)
    a = np.where(rng.random((3, 60)) < [[0.02], [0.1], [0.6]], 1.0, 0)
    b = np.where(rng.random((60, columns)) < 0.02, rng.integers(1, 9, (60, columns)), 0.0)
    rows, others = sa.asarray(a, format="csr").compute(), sa.asarray(b, format="csr").compute()
    with witnessed(lambda call: None, program), counting() as calls:
        found = (rows @ others).compute()
    assert any(counts.operations[helper] for counts in calls)
    np.testing.assert_array_equal(found.todense(), a @ b)


@pytest.mark.usefixtures("interpreted")
@pytest.mark.parametrize("last", [3, 20, 99])
@pytest.mark.parametrize("stored", [1, 40, 100])
def test_entries_are_sought_from_the_end(last: int, stored: int) -> None:
    data = np.where(np.arange(100) < stored, np.arange(1.0, 101), 0)
    entries = sa.asarray(data, format="list").compute()
    with counting() as calls:
        found = entries[last::-1].compute()
    assert any(counts.operations["search_back"] for counts in calls)
    np.testing.assert_array_equal(found.todense(), data[last::-1])
