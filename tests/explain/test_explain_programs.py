"""What explain tells of programs: a part for each stage, and what each kernel costs."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp

import structarr as sa
from structarr._explain import report
from structarr._testing.counted_calls import counting

N = 60
SPMV = "y[i] += A[i, j] * x[j]"


def matrix(density: float, format: str = "csr", shape: tuple[int, int] = (N, N)) -> Any:
    entries = sp.random_array(shape, density=density, rng=np.random.default_rng(int(density * 99)))
    return sa.asarray(entries.toarray(), format=format).compute()


def vector(density: float, format: str = "list") -> Any:
    return sa.asarray(matrix(density, shape=(1, N)).todense()[0], format=format)


def image(format: str = "rle") -> Any:
    return sa.asarray(np.repeat(np.arange(1.0, 6.0), N // 5), format=format)


@sa.kernel
def spmv(A, x):  # type: ignore[no-untyped-def]
    y = np.zeros(A.shape[0])
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            y[i] += A[i, j] * x[j]
    return y


@sa.kernel
def normalized(A):  # type: ignore[no-untyped-def]
    total = np.zeros(A.shape[0])
    B = np.zeros(A.shape)
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            total[i] += A[i, j]
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            B[i, j] = A[i, j] / total[i]
    return B


@pytest.mark.parametrize(
    "explained",
    [
        lambda A, x: sa.explain(SPMV, A=A, x=x),
        lambda A, x: sa.explain(spmv, A, x),
        lambda A, x: sa.explain(spmv, A, x=x),
    ],
)
def test_texts_and_kernels_are_explained(explained: Callable[..., Any]) -> None:
    told = explained(matrix(0.1), np.ones(N))
    (stage,) = told.stages
    assert stage.inputs == told.inputs == {"A": "csr", "x": "dense"}
    assert stage.results == told.results == {"y": "dense"}
    assert told.format == "dense"
    assert told.cin.endswith("y[i] += A[i, j] * x[j]")
    assert "A1 = Stepper:" in told.looplets
    assert told.kernel.startswith("def kernel(A1_idx, A1_ptr")
    assert told.plan.kernel.source == told.kernel
    assert str(told).splitlines()[:2] == [
        "A: csr, x: dense -> y: dense",
        "loops over i, j; about 420 steps",
    ]
    assert told.cin in str(told) and told.kernel in str(told)


def test_every_step_of_lowering_is_told_in_order() -> None:
    told = sa.explain("s += a[i] * b[i]", a=vector(0.2), b=vector(0.3, "band"))
    assert told.steps[0].startswith("Pipeline lowers:\nfor i in [0, i_n):")
    assert "simplified:\npass" in told.steps
    who = [step.partition(" lowers:")[0] for step in told.steps if " lowers:" in step]
    assert {"Pipeline", "Stepper", "Spike", "Lookup"} <= set(who)  # a run is its value at once


def test_steps_beyond_a_bound_are_counted_only(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(report, "MOST", 5)
    told = sa.explain("s += a[i] * b[i] * c[i]", a=vector(0.2), b=vector(0.3), c=vector(0.1))
    assert len(told.steps) == 6
    assert told.steps[-1].startswith("... and ")


def test_a_program_of_several_stages_has_a_part_for_each() -> None:
    told = sa.explain(normalized, matrix(0.1))
    first, second = told.stages
    assert (first.results, second.results) == ({"total": "dense"}, {"B": "csr"})
    assert second.inputs == {"A": "csr", "total": "dense"}
    assert told.cost == first.cost + second.cost
    assert told.steps == first.steps + second.steps
    assert str(told).count("# stage ") == 2
    assert str(told).startswith("# stage 1 of 2\nA: csr -> total: dense")


def test_the_order_of_loops_and_transposed_operands_are_named() -> None:
    x = np.ones(N)
    (told,) = sa.explain("y[j] += A[i, j] * x[i]", A=A, x=x, order="ji").stages
    assert told.order == ("j", "i")
    assert told.moved == {"A": (1, 0)}
    assert "A is transposed first, to the order (1, 0) of its axes" in str(told)
    (told,) = sa.explain("y[j] += A[i, j] * x[i]", A=A, x=x, order=("i", "j")).stages
    assert told.order == ("i", "j")
    assert not told.moved


def test_transposed_operands_of_expressions_are_named() -> None:
    told = sa.explain(matrix(0.1, "csc") * matrix(0.2))
    assert list(told.moved.values()) in ([(0, 1)], [(1, 0)])
    assert "is transposed first" in str(told)


def test_few_rows_beyond_the_first_cache_are_transposed() -> None:
    """Each would be updated at places that no near cache has, by every entry."""
    rows = np.repeat(np.arange(10_000), 10)
    columns = np.arange(100_000) * 7919 % 10_000
    a = sa.from_coordinates((rows, columns), np.ones(100_000), (10_000, 10_000), format="csr")
    told = str(sa.explain(sa.asarray(np.ones((8, 10_000))) @ a))
    assert "A is transposed first, to the order (1, 0) of its axes" in told


def test_formats_that_are_asked_for_are_told() -> None:
    told = sa.explain("B[i, j] = A[i, j] * 2", A=matrix(0.1), out="dcsr")
    assert told.format == "dcsr"


def test_a_program_is_not_run_to_explain_it() -> None:
    with counting() as ran:
        str(sa.explain(spmv, A, np.ones(N)))
        assert ran == []
        str(sa.explain(normalized, A))
        assert len(ran) == 1  # the stage that a later one reads


A, B, D = matrix(0.1), matrix(0.3), np.ones((N, N))
COSTS: dict[str, tuple[str, dict[str, Any]]] = {
    "vector": (SPMV, {"A": A, "x": np.ones(N)}),
    "dense": (SPMV, {"A": D, "x": np.ones(N)}),
    "product of lists": ("C[i, j] = A[i, j] * B[i, j]", {"A": A, "B": B}),
    "sum of lists": ("C[i, j] = A[i, j] + B[i, j]", {"A": A, "B": B}),
    "beside dense": ("C[i, j] = A[i, j] + D[i, j]", {"A": A, "D": D}),
    "gustavson": ("C[i, j] += A[i, k] * B[k, j]", {"A": A, "B": B}),
    "galloping": ("s += a[gallop(i)] * b[gallop(i)]", {"a": vector(0.1), "b": vector(0.9)}),
    "locating": ("s += a[i] * b[locate(i)]", {"a": vector(0.1), "b": vector(0.9)}),
    "runs": ("y[i] = a[i] + b[i]", {"a": image(), "b": image()}),
    "runs into dense": ("y[i] += a[i] + x[i]", {"a": image(), "x": np.ones(N)}),
    "a list beside runs": ("y[i] = a[i] * b[i]", {"a": vector(0.3), "b": image()}),
    "band": ("s += a[i] * b[i]", {"a": vector(0.3, "band"), "b": np.ones(N)}),
    "broadcast": ("C[i, j] = a[i] * b[j]", {"a": vector(0.3), "b": vector(0.3)}),
    "triangle of indices": ("s += D[i, j] * (i < j)", {"D": D}),
    "two conditions": ("n += 1 if A[i, j] > 0 and D[i, j] > 0 else 0", {"A": A, "D": D}),
    "a masked convolution": (
        "C[i] += (a[i] != 0) * coalesce(a[permit(i + j - 2)], 0) * x[j]",
        {"a": vector(0.3), "x": np.ones(5)},
    ),
    "a triangle": ("C[i, j] = A[i, j] if i < j else 0", {"A": B}),
    "a band of indices": ("s += D[i, j] if i - 1 <= j <= i + 1 else 0", {"D": np.ones((8, 8))}),
    "a diagonal": ("s += D[i, j] if i == j else 0", {"D": D}),
    "a condition": ("n += 1 if A[i, j] > 0 else 0", {"A": B}),
    "a window": ("y[i] = x[i + 10]", {"x": vector(0.5), "extents": {"i": 40}}),
    "sddmm": ("C[i, j] += A[i, j] * D[i, k] * E[k, j]", {"A": A, "D": D, "E": D}),
    "doubly compressed": (SPMV, {"A": matrix(0.01, "dcsr"), "x": np.ones(N)}),
    "coordinates": (SPMV, {"A": matrix(0.1, "coo"), "x": np.ones(N)}),
}


@pytest.mark.parametrize("name", COSTS)
def test_the_cost_is_near_what_kernels_take(name: str) -> None:
    text, operands = COSTS[name]
    told = sa.explain(text, **operands)
    with counting() as taken:
        sa.loops(text, **operands).compute()
    steps = sum(counts.iterations for counts in taken)
    assert steps / 2 <= told.cost <= 2 * steps, (told.cost, steps)


@pytest.mark.parametrize(
    "expression",
    [lambda: A @ B, lambda: A * B + A, lambda: (A * B).sum(), lambda: A.T @ np.ones(N)],
)
def test_array_expressions_have_a_cost(expression: Callable[[], Any]) -> None:
    told = sa.explain(expression())
    with counting() as taken:
        np.asarray(expression())
    steps = sum(counts.iterations for counts in taken)
    assert steps / 2 <= told.cost <= 2 * steps, (told.cost, steps)


def test_stored_arrays_have_no_kernel() -> None:
    told = sa.explain(A)
    assert (told.cin, told.kernel, told.steps, told.cost, told.plan) == ("", "", (), 0, None)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: sa.explain(np.ones(3)), "not ndarray"),
        (lambda: sa.explain(spmv.py_func, A, A), "not function"),
        (lambda: sa.explain(SPMV, A, np.ones(N)), "by name"),
        (lambda: sa.explain(A, A), "alone"),
        (lambda: sa.explain(spmv, A), "lacks the arguments x"),
    ],
)
def test_what_cannot_be_explained_is_refused(call: Callable[[], Any], message: str) -> None:
    with pytest.raises(TypeError, match=message):
        call()
