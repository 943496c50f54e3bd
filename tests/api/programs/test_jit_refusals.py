"""What functions under `jit` may not do: each refusal names the line, and what to do instead."""

from __future__ import annotations

import random
import re
import time
import types
from collections import OrderedDict
from collections.abc import Callable, Iterator
from random import gauss
from typing import Any

import numpy as np
import pytest
from numpy.random import rand

import structarr as sa
from structarr.errors import TraceError

GENERATOR = np.random.default_rng(1)
draw = GENERATOR.normal
count = 0
seen: list[int] = []


@pytest.fixture(autouse=True)
def interpreted() -> Iterator[None]:
    with sa.options(tier="interpreted"):
        yield


def imports(x: Any) -> Any:
    import random as numbers  # refused here

    return x * numbers.random()


def fresh(x: Any) -> Any:
    rng = np.random.default_rng(2)  # refused here
    return x + rng.normal()


def counting(x: Any) -> Any:
    global count
    count += 1  # refused here
    return x


def halving(x: Any) -> Any:
    while abs(x).max() > 1:  # refused here
        x = x / 2
    return x


def deciding(x: Any) -> Any:
    y = x * 2
    if y.sum() > 0:  # refused here
        return y
    return x


def writing(x: Any) -> Any:
    x[0] = 1  # refused here
    return x


def adding(x: Any) -> Any:
    x += 1  # refused here
    return x


def helper(x: Any) -> Any:
    return float(x.sum())  # refused here


def calling(x: Any) -> Any:
    return x * helper(x)


REFUSED: dict[str, tuple[Callable[..., Any], str]] = {
    "if": (deciding, "structarr.where"),
    "while": (halving, "structarr.where"),
    "in": (lambda x: 1.0 in x, "structarr.where"),
    "and": (lambda x: x.any() and x, "structarr.where"),
    "float": (calling, "compute with the array itself"),
    "item": (lambda x: x * x[0].item(), "compute with the array itself"),
    "numpy": (lambda x: np.asarray(x) + 1, "compute with the array itself"),
    "iteration": (lambda x: [one + 1 for one in x], "compute with the array itself"),
    "text": (lambda x: f"{x.sum():.3f}", "compute with the array itself"),
    "nonzero": (lambda x: np.nonzero(x), "the shape of its result depends on values"),
    "unique": (lambda x: sa.unique(x), "the shape of its result depends on values"),
    "mask": (lambda x: x[x > 0], "by a mask the shape depends"),
    "index": (lambda x: x[x.astype(int)], "index outside"),
    "nnz": (lambda x: (x * 2).nnz, "how it is stored depends on values"),
    "loops": (lambda x: sa.loops("y[i] += x[i]", x=x), "loops: it looks at values at once"),
    "setitem": (writing, "structarr.where"),
    "inplace": (adding, "x = x \\+ 1"),
    "module": (lambda x: x * np.random.rand(3), "draw outside"),
    "function": (lambda x: x + rand(3), "draw outside"),
    "python": (lambda x: x + gauss(0, 1), "draw outside"),
    "python's module": (lambda x: x + random.random(), "draw outside"),
    "generator": (lambda x: x + GENERATOR.normal(), "draw outside"),
    "method": (lambda x: x + draw(), "draw outside"),
    "import": (imports, "draw outside"),
    "fresh generator": (fresh, "draw outside"),
    "time": (lambda x: x * time.time(), "draw outside"),
    "global": (counting, "return the value"),
}


@pytest.mark.parametrize("case", REFUSED)
@pytest.mark.parametrize("again", [False, True])
def test_refusals_name_the_line(case: str, again: bool) -> None:
    function, advice = REFUSED[case]
    traced = sa.jit(function)
    for _ in range(1 + again):  # a second call is refused as the first
        with pytest.raises(TraceError, match=advice) as error:
            traced(np.arange(3.0))
    place = re.match(rf"{re.escape(__file__)}:(\d+): `(.*?)` in ", str(error.value))
    assert place
    with open(__file__, encoding="utf-8") as file:
        line = file.read().splitlines()[int(place[1]) - 1]
    assert line.strip() == place[2]
    assert "lambda" in line or "refused here" in line
    assert count == 0


def test_what_is_around_a_function_is_not_changed() -> None:
    total = 0

    def nonlocally(x: Any) -> Any:
        nonlocal total
        total += 1
        return x

    def appending(x: Any) -> Any:
        seen.append(1)
        return x

    with pytest.raises(TraceError, match="return the value"):
        sa.jit(nonlocally)(np.ones(2))
    with pytest.raises(TraceError, match="changes what it reads from around it"):
        sa.jit(appending)(np.ones(2))
    assert total == 0


def test_containers_among_the_arguments_are_not_changed() -> None:
    def store(x: Any, found: dict[str, Any]) -> Any:
        found["x"] = x
        return x

    given: dict[str, Any] = {}
    with pytest.raises(TraceError, match="changes a container among its arguments"):
        sa.jit(store)(np.ones(2), given)
    assert given == {}
    with pytest.raises(TypeError, match="out must be a NumPy array"):
        sa.jit(lambda x, out: np.add(x, 1, out=out))(np.ones(2), np.ones(2))


def test_generators_as_arguments_are_refused() -> None:
    with pytest.raises(TraceError, match="draw outside"):
        sa.jit(lambda x, rng: x + rng.normal())(np.ones(2), np.random.default_rng(1))


def test_errors_of_the_function_are_its_own() -> None:
    def failing(x: Any) -> Any:
        return x + np.ones(5)

    for _ in range(2):
        with pytest.raises(ValueError, match="broadcast"):
            sa.jit(failing)(np.ones(2))
    assert (sa.asarray([1.0]) + 1).tolist() == [2]  # nothing is watched any more


def test_a_refusal_that_the_function_catches_is_one() -> None:
    def hiding(x: Any) -> Any:
        try:
            return x * float(x.sum())
        except TypeError:
            return x

    for _ in range(2):
        with pytest.raises(TraceError, match="compute with the array itself"):
            sa.jit(hiding)(np.ones(2))


def test_a_function_that_catches_everything_is_computed_for_each_number() -> None:
    def hiding(x: Any, n: int) -> Any:
        try:
            return x + int(n)
        except BaseException:
            return x

    traced = sa.jit(hiding)
    for n in (3, 4, 3):
        assert traced(sa.asarray([1.0, 2.0]), n).tolist() == [1.0 + n, 2.0 + n]


def test_what_nests_deeply_around_a_function_is_seen_at_each_call() -> None:
    around: list[Any] = [1.0]
    for _ in range(60):
        around = [around]
    inner = around
    while isinstance(inner[0], list):
        inner = inner[0]

    def adding(x: Any) -> Any:
        one = around
        while isinstance(one[0], list):
            one = one[0]
        return x + one[0]

    traced = sa.jit(adding)
    for value in (1.0, 5.0):
        inner[0] = value
        assert traced(sa.asarray([1.0, 2.0])).tolist() == [1.0 + value, 2.0 + value]


@pytest.mark.parametrize(
    "returned",
    [
        lambda x: types.SimpleNamespace(y=x * 2),
        lambda x: lambda: x * 2,
        lambda x: {x.shape[0]},
        lambda x: (one for one in (x, x)),
        lambda x: OrderedDict(y=x),
    ],
)
def test_what_may_hold_arrays_unseen_is_not_returned(returned: Any) -> None:
    with pytest.raises(TraceError, match="return arrays, numbers, and tuples"):
        sa.jit(returned)(np.ones(2))


@pytest.mark.parametrize("form", ["csr", "list", "coo", "dense"])
@pytest.mark.parametrize("name", ["nonzero", "flatnonzero", "argwhere"])
def test_places_of_what_is_true_are_refused_in_every_format(form: str, name: str) -> None:
    """A replay would give those of the first call."""
    function = sa.jit(lambda x: getattr(np, name)(x))
    with pytest.raises(TraceError, match="values"):
        function(sa.asarray([[0.0, 2.0], [1.0, 0.0]], format=form))
