"""Every program that the scheduler may choose for an expression gives NumPy's value."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import structarr as sa
from structarr._compiler.options import Forced, current, force
from structarr._testing.forcing import by_each_program, witnessed
from structarr._testing.oracle.beside import Beside

FORMATS = ("csr", "csc", "coo", "dcsr", "vbl", "rle", "sparse-rle", "band", "dense")
FEW = ("csr", "dcsr", "vbl")
EXPRESSIONS: dict[str, Callable[..., Any]] = {
    "matrix product": lambda a, b, c, x: a @ b,
    "masked product": lambda a, b, c, x: (a @ b) * c,
    "matrix times vector": lambda a, b, c, x: a @ x,
    "vector times matrix": lambda a, b, c, x: x @ b,
    "sum of products by columns": lambda a, b, c, x: (a * c).sum(axis=0),
    "sum of products by rows": lambda a, b, c, x: (a * c).sum(axis=1),
    "products of all": lambda a, b, c, x: (a * b * c).sum(),
    "sums": lambda a, b, c, x: a + b * c,
    "transposed": lambda a, b, c, x: a.T * b,
    "greatest products": lambda a, b, c, x: (a[:, :, None] * b[None]).max(axis=1),
    "outer product": lambda a, b, c, x: a[:, 1][:, None] * b[2] + c,
    "slices": lambda a, b, c, x: a[1:] * b[:-1],
    "paths of three": lambda a, b, c, x: np.einsum("ij,jk,ik->", a, b, c),
    "triple product": lambda a, b, c, x: np.einsum("ij,j,jk->ik", a, x, b),
    "stacked products": lambda a, b, c, x: np.einsum("ij,kj,k->i", a, b, x),
}
PROGRAMS: dict[str, tuple[str, Callable[..., Any]]] = {
    "matrix product": ("C[i, j] += a[i, k] * b[k, j]", lambda a, b, c, x: a @ b),
    "triangles": (
        "s += a[i, j] * b[j, k] * c[i, k]",
        lambda a, b, c, x: ((a @ b) * c).sum(),
    ),
    "least sums": (
        "y[i] <<min>>= a[i, j] + b[i, j] * x[j]",
        lambda a, b, c, x: (a + b * x).min(axis=1),
    ),
    "two stages": (
        "y[j] += a[i, j] * x[i]; z[i] += y[j] * b[i, j]",
        lambda a, b, c, x: b @ (x @ a),
    ),
}


def operands(seed: int, n: int = 6) -> list[np.ndarray]:
    """Three matrices, with rows of nothing and of one value, and a vector."""
    rng = np.random.default_rng(seed)
    found = [np.where(rng.random((n, n)) < 0.4, rng.integers(-2, 4, (n, n)), 0.0) for _ in "abc"]
    found[0][1], found[1][2] = 0, 2
    return [*found, np.where(rng.random(n) < 0.6, rng.integers(1, 4, n), 0.0)]


def check(compute: Callable[[], Any], want: Any) -> None:
    """All candidates of a computation, against NumPy and against the oracle."""
    beside = Beside()
    with sa.options(tier="interpreted"):
        for got in by_each_program(compute, beside):
            np.testing.assert_array_equal(sa.asarray(got).todense(), want)


def check_expression(name: str, formats: tuple[str, ...], vector: str, seed: int = 0) -> None:
    given = operands(seed)
    stored = [sa.asarray(one, format=fmt) for one, fmt in zip(given, formats, strict=False)]
    x = sa.asarray(given[3], format=vector)
    check(lambda: EXPRESSIONS[name](*stored, x).compute(), EXPRESSIONS[name](*given))


def check_program(name: str, fmt: str, vector: str) -> None:
    text, plain = PROGRAMS[name]
    given = operands(1)
    named = dict(zip("abcx", given, strict=True))
    stored = {k: sa.asarray(v, format=fmt if v.ndim > 1 else vector) for k, v in named.items()}
    used = {k: v for k, v in stored.items() if f"{k}[" in text}
    check(lambda: sa.loops(text, **used), plain(*given))


@pytest.mark.sampled(3)
@pytest.mark.parametrize("fmt", FEW)
@pytest.mark.parametrize("name", EXPRESSIONS)
def test_expressions(name: str, fmt: str) -> None:
    check_expression(name, (fmt, fmt, fmt), "list")


@pytest.mark.parametrize("name", PROGRAMS)
def test_programs_of_loops(name: str) -> None:
    check_program(name, "csr", "list")


@pytest.mark.long
@pytest.mark.parametrize("vector", ["list", "dense", "bitmap"])
@pytest.mark.parametrize("fmt", FORMATS)
@pytest.mark.parametrize("name", PROGRAMS)
def test_programs_of_loops_over_all_formats(name: str, fmt: str, vector: str) -> None:
    check_program(name, fmt, vector)


@pytest.mark.long
@pytest.mark.parametrize("other", FORMATS)
@pytest.mark.parametrize("fmt", FORMATS)
@pytest.mark.parametrize("name", EXPRESSIONS)
def test_expressions_over_pairs_of_formats(name: str, fmt: str, other: str) -> None:
    for seed, vector in enumerate(("list", "dense", "rle")):
        check_expression(name, (fmt, other, "csr" if seed else fmt), vector, seed)


def numbers(calls: list[Any]) -> list[int]:
    """Which of its candidates each call took."""
    return [call.programs.index(call.program) for call in calls]


def factors(seed: int = 0) -> tuple[Any, ...]:
    """Two matrices whose product has two candidates."""
    return tuple(sa.asarray(one, format="csr").compute() for one in operands(seed)[:2])


def test_a_candidate_is_what_is_forced_and_the_plainest_again_beyond_the_last() -> None:
    calls: list[Any] = []
    with sa.options(tier="interpreted"):
        a, b = factors()
        for number in range(3):
            with witnessed(calls.append, number):
                (a @ b).compute()
    assert numbers(calls) == [0, 1, 0]


def test_what_is_forced_is_not_replayed_where_nothing_is() -> None:
    """Nor the other way round: each remembers calls of its own."""
    calls: list[Any] = []
    with sa.options(tier="interpreted"):
        a, b = factors()
        for number in (None, None, 1, 1, 0, 0, None):  # of two alike, the second is replayed
            with witnessed(calls.append, number):
                (a @ b).compute()
    free = numbers(calls)[0]
    assert numbers(calls) == [free, free, 1, 1, 0, 0, free]


def test_what_is_forced_ends_with_its_block() -> None:
    with force(Forced(program=1)):
        assert current().forced is not None
        with sa.options(tier="interpreted"):
            assert current().forced is not None
    assert current().forced is None


def test_it_is_no_option_of_users() -> None:
    with pytest.raises(TypeError, match="the options are tier, "):
        sa.options(forced=None)
    assert "forced" not in repr(current())


@pytest.mark.parametrize("fmt", ["csr", "dense", "bitmap", "dcsr"])
def test_calls_are_made_in_pieces_however_short(fmt: str) -> None:
    given = operands(2)
    a, b, c, _ = given
    x, y, z = (sa.asarray(one, format=fmt) for one in (a, b, c))
    with sa.options(tier="interpreted"), witnessed(lambda call: None, pieces=3):
        np.testing.assert_array_equal((x + y * z).todense(), a + b * c)
        np.testing.assert_array_equal((x * y).sum(axis=0).todense(), (a * b).sum(axis=0))
        np.testing.assert_array_equal((x * y).sum().todense(), (a * b).sum())
