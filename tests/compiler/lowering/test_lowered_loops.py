"""Loops as they come out: what is read once, known, hoisted or left out."""

from __future__ import annotations

import re
import sys

import numpy as np
import pytest
from handmade import (
    FILL,
    FLOAT,
    ZERO,
    Made,
    assigned,
    check_windows,
    computed,
    lookup,
    product,
    run,
    runs,
    steps,
    text,
    total,
)

import structarr
from structarr._compiler.ir.expr import Lit
from structarr._compiler.ir.variables import Var
from structarr._compiler.looplets.run import Run


@pytest.mark.parametrize("n", [0, 1])
def test_extents_may_be_empty(n: int) -> None:
    made = runs("a", [n] * n, n), steps("b", list(range(n)), n)
    stmt, out = total(product(*made), "minimum", 5.0)
    assert computed(stmt, out, made, n) == min([5.0] + [1.0] * n)
    stmt, out = total(Made(Run(Var(FLOAT, "x")), np.zeros(n), {"x": np.inf}).at())
    assert computed(stmt, out, (Made(Run(ZERO), np.zeros(n), {"x": np.inf}),), n) == (
        np.inf if n else 0
    )


def test_an_access_read_twice_is_unfurled_once() -> None:
    made = steps("a", [1, 4], 9)
    check_windows(product(made, made), made.values**2, made)
    assert text(*total(product(made, made))).count("while") == 0


def test_what_is_bound_out_of_order_is_read_at_random() -> None:
    column = np.array([[0.0], [2.0], [0.0], [3.0]])  # its one entry a row is read in every column
    array = structarr.asarray(column).asformat("csr")
    product = array * np.arange(12.0).reshape(4, 3)
    np.testing.assert_array_equal(product.todense(), column * np.arange(12.0).reshape(4, 3))


def test_repeated_updates_keep_the_guard() -> None:
    for n in (0, 3):
        made = run("a", np.inf, n)
        assert computed(*total(made.at()), (made,), n) == (np.inf if n else 0)
        assert computed(*total(made.at(), "maximum", 1.0), (made,), n) == (np.inf if n else 1)


def test_scalars_with_a_meaning_are_known() -> None:
    zero = Made(Run(FILL), np.zeros(9))
    assert "for" not in text(*total(product(zero, lookup("b", np.zeros(0)))))
    assert "2.5" in text(*total(product(Made(Run(Lit(FLOAT, 2.5)), np.zeros(0)))))


def test_what_is_read_is_named_once() -> None:
    kernel = text(*total(product(steps("a", [], 0), steps("b", [], 0))))
    assert kernel.count("a_val[") == kernel.count("b_val[") == 1


def test_reductions_are_kept_in_a_local() -> None:
    kernel = text(*total(product(steps("a", [], 0), lookup("b", np.zeros(0)))))
    assert kernel.count("C_val") == 2  # read before the loop, stored after it


@pytest.mark.usefixtures("as_shipped")
def test_plain_lookups_are_one_loop() -> None:
    kernel = text(*assigned(product(lookup("a", np.zeros(0)), lookup("b", np.zeros(0)))))
    assert len(kernel.split("\n")) == 2


@pytest.mark.usefixtures("as_shipped")
def test_the_innermost_loop_of_dense_arrays_is_vectorized() -> None:
    from structarr._compiler.backend.numba import compiled

    dense = structarr.asarray(np.ones((8, 9)))
    plan = structarr.explain(dense + dense * 2.0).plan
    assert plan is not None
    source, params = plan.kernel.source, plan.kernel.params
    signature = tuple(compiled._numba_type(param) for param in params)
    name = compiled.identify(source, params)
    dispatcher = compiled._in_memory(name, source, signature, ())
    del sys.modules[name]  # as `compile_kernel` does
    assert re.search(r"<\d+ x double>", dispatcher.inspect_llvm(signature))


@pytest.mark.parametrize(("leader", "other"), ["ab", "ba"])
def test_the_cursor_that_leads_is_set_last(leader: str, other: str) -> None:
    by = {leader: "gallop", other: "walk"}
    a, b = (structarr.asarray(np.arange(40) % k == 0, format="list") for k in (3, 7))
    kernel = structarr.explain(f"n += a[{by['a']}(i)] and b[{by['b']}(i)]", a=a, b=b).kernel
    assert f"{other}_q = search(" in kernel
    assert kernel.index(f"{other}_q = ") < kernel.index(f"{leader}_q = ")


@pytest.mark.parametrize("format", ["list", "hash", "coo", "vbl", "band", "rle", "sparse-rle"])
def test_loops_from_one_on_leave_out_what_is_stored_before(format: str) -> None:
    a = structarr.asarray([8.0, 4.0, 2.0, 1.0], format=format)
    assert structarr.loops("s += a[i] if i > 0 else 0", a=a).todense() == 7


CHOICES = {
    "y[i] = a[i - 1] if x[i] > 0 else 7.0": [7, 1, 2, 7],
    "y[i] = 7.0 if x[i] == 0 else a[i - 1]": [7, 1, 2, 7],
    "y[i] = x[i] > 0 and a[i - 1] > 1": [0, 0, 1, 0],
    "y[i] = x[i] == 0 or a[i - 1] > 1": [1, 0, 1, 1],
}


@pytest.mark.parametrize("program", CHOICES)
def test_of_a_choice_one_side_is_read_alone(program: str) -> None:
    a, x = np.array([1.0, 2.0, 3.0]), np.array([0.0, 1.0, 1.0, 0.0])
    given = {"a": a, "x": x, "extents": {"i": 4}}
    with structarr.options(tier="interpreted"):
        found = structarr.loops(program, **given)
        np.testing.assert_array_equal(found.todense(), CHOICES[program])
        with pytest.raises(IndexError):
            structarr.loops("y[i] = 1.0 if a[i - 1] > x[i] else 2.0", **given).compute()
