"""Kernels are declared to take what they are called with: machine code depends on it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest

import structarr as sa
from structarr.targets import PYTHON, Function, Param

COUNTS = np.array([[0, 2, 3], [0, 0, 1], [4, 4, 4]])


class Declared:
    """A target of kernels that are called with what they are declared to take."""

    def build(self, functions: Sequence[Function], params: tuple[Param, ...]) -> Callable[..., Any]:
        made = PYTHON.build(functions, params)

        def kernel(*args: Any) -> Any:
            for one, param, buffer in zip(args, params, functions[0].params, strict=True):
                if param.array:
                    assert one.dtype == param.dtype, buffer
            return made(*args)

        return kernel


@pytest.mark.parametrize("format", ["csr", "coo", "dense", "rle"])
@pytest.mark.parametrize(
    "apply",
    [
        lambda a, lib: lib.sqrt(a.sum(axis=1)),
        lambda a, lib: a.sum(axis=1) > 5,
        lambda a, lib: lib.sqrt(a @ np.array([1, 2, 3])),
        lambda a, lib: a.mean(axis=0),
        lambda a, lib: lib.argmax(a, axis=1),
        lambda a, lib: lib.any(a, axis=0),
        lambda a, lib: a / 2,
        lambda a, lib: a == 4,
    ],
)
def test_buffers_have_the_dtypes_that_are_declared(apply: Callable[..., Any], format: str) -> None:
    """Results of another type than the sum that they are made of, above all."""
    with sa.options(tier=Declared()):
        found = apply(sa.asarray(COUNTS, format=format), sa).todense()
    wanted = apply(COUNTS, np)
    assert found.dtype == wanted.dtype
    np.testing.assert_array_equal(found, wanted)
