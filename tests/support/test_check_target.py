"""Targets are proved, and told which clause of their contract they break."""

from __future__ import annotations

import ast
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import structarr as sa
from structarr._support import syntax_trees
from structarr._testing import counting, target_contract
from structarr.targets import PYTHON, While, every_line

FEW = {"STEP": 120, "DTYPES": ("bool", "int8", "float64")}


@pytest.fixture
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in FEW.items():
        monkeypatch.setattr(target_contract, name, value)


class Made:
    """A target of a function that makes each kernel."""

    def __init__(self, make: Callable[..., Any]) -> None:
        self.build = make


def test_a_target_that_keeps_the_contract(few: None) -> None:
    sa.testing.check_target(counting.CountingTarget())


@pytest.mark.long
def test_a_target_that_keeps_the_contract_in_full() -> None:
    sa.testing.check_target(counting.CountingTarget())


def test_a_target_from_outside_needs_public_names_alone() -> None:
    assert counting.__file__ is not None
    tree = syntax_trees.module(Path(counting.__file__).read_text())
    named = [n.module or "" for n in ast.walk(tree) if isinstance(n, ast.ImportFrom)]
    assert {one for one in named if "structarr" in one} == {"structarr", "structarr.targets"}


def _writes_to_operands(functions: Any, params: Any) -> Any:
    def kernel(*args: Any) -> Any:
        args[0][:1] = 1
        return PYTHON.build(functions, params)(*args)

    return kernel


def _wraps_nothing(functions: Any, params: Any) -> Any:
    made = PYTHON.build(functions, params)

    def kernel(*args: Any) -> Any:
        result = made(*args)
        if args and getattr(args[-2], "dtype", None) == np.int8:
            args[-2][:] = np.maximum(args[-2], 0)
        return result

    return kernel


def _has_while(functions: Any) -> bool:
    lines = [line for one in functions for line in every_line(one.block)]
    return any(isinstance(line, While) for line in lines)


def _without_while(functions: Any, params: Any) -> Any:
    if _has_while(functions):
        functions = [one._replace(block=()) for one in functions]
    return PYTHON.build(functions, params)


def _adds_after_while(functions: Any, params: Any) -> Any:
    made = PYTHON.build(functions, params)

    def kernel(*args: Any) -> Any:
        result = made(*args)
        for param, arg in zip(params, args, strict=True):
            if param.array and param.writable and not param.counts and _has_while(functions):
                arg[:] += 1
        return result

    return kernel


WRONG: dict[str, Any] = {
    "build": Made(lambda functions, params: None),
    "operands": Made(_writes_to_operands),
    "operators": Made(_wraps_nothing),
    "runs": Made(_without_while),
    "values": Made(_adds_after_while),
}


@pytest.mark.parametrize("clause", WRONG)
def test_the_clause_that_is_broken_is_named(clause: str, few: None) -> None:
    with pytest.raises(AssertionError, match=f"breaks clause '{clause}'"):
        sa.testing.check_target(WRONG[clause])


def test_what_has_no_build_is_refused() -> None:
    with pytest.raises(AssertionError, match="clause 'build'"):
        sa.testing.check_target(object())  # type: ignore[arg-type]
    with pytest.raises(TypeError, match=r"structarr\.targets"):
        sa.options(tier=object())
    with pytest.raises(ValueError, match="no tier 'fast'; the tiers are auto"):
        sa.options(tier="fast")


def test_a_target_runs_what_was_compiled_before_and_is_asked_once() -> None:
    built: list[Any] = []

    def make(functions: Any, params: Any) -> Any:
        built.append(functions)
        return PYTHON.build(functions, params)

    a, target = sa.asarray([0.0, 2.0, 1.0], format="list"), Made(make)
    for _ in range(2):
        with sa.options(tier=target):
            assert (a * 5.0).sum().item() == 15.0
    assert len(built) == 1
    with sa.options(tier="interpreted"):
        assert (a * 5.0).sum().item() == 15.0
    assert len(built) == 1
