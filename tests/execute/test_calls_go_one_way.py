"""The way from a call to its kernel: how often it climbs back to a module that it left."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import Any

import numpy as np
import pytest
import scipy.sparse

import structarr as sa

HOME = str(Path(sa.__file__).parent)
ASIDE = (
    "_lazy/graph.py",
    "_lazy/node.py",
    "_storage/tensor.py",
    "_execute/steps.py",
    "_scheduler/operands.py",
)
"""Where nodes, tensors and records are defined, whose accessors are not stations of a way."""
COMPILER = ("_compiler/", "formats/", "_scheduler/structure.py")
"""Simplifying and lowering go down and up a tree by nature: they are one station."""
ARRAYS = ("_array.py", "_methods/attributes.py", "_value.py")
ACCESSORS = ("__init__", "dtype", "ndim", "shape")
MOST = 3

WAYS: dict[str, Callable[[Any, Any, Any], object]] = {
    "np.multiply(a, b).compute()": lambda a, b, x: np.multiply(a, b).compute(),
    "(a * b).sum(axis=1)": lambda a, b, x: (a * b).sum(axis=1).compute(),
    "a @ x": lambda a, b, x: (a @ x).compute(),
    "a.asformat": lambda a, b, x: a.asformat("csc"),
}


def climbs(way: Callable[[], object]) -> list[str]:
    """Calls from one module into another that waits for it further up."""
    found: list[str] = []
    waiting: list[str] = []

    def profile(frame: FrameType, event: str, arg: object) -> None:
        code = frame.f_code
        if not code.co_filename.startswith(HOME):
            return
        module = Path(code.co_filename).relative_to(HOME).as_posix()
        if event == "call":
            if module in waiting and waiting[-1] != module:
                accessor = module in ARRAYS and code.co_name in ACCESSORS
                compiling = any(one.startswith(COMPILER) for one in (module, waiting[-1]))
                if not (accessor or compiling or module in ASIDE):
                    found.append(f"{waiting[-1]} -> {module} {code.co_name}")
            waiting.append(module)
        elif event == "return":
            waiting.pop()

    sys.setprofile(profile)
    try:
        way()
    finally:
        sys.setprofile(None)
    return found


@pytest.mark.parametrize("name", WAYS)
def test_a_way_climbs_back_at_most_three_times(name: str) -> None:
    with sa.options(tier="interpreted"):
        for density in (0.1, 0.11):  # the second finds what the first left to be remembered
            a, b = (
                sa.asarray(scipy.sparse.random_array((30, 30), density=density, rng=k).tocsr())
                for k in (0, 1)
            )
            seen = climbs(lambda a=a, b=b: WAYS[name](a, b, np.ones(30)))  # type: ignore[misc]
            assert len(seen) <= MOST, seen
