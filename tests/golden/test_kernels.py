"""Whole kernels of NumPy calls on formats, as they are compiled."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from structarr._compiler.backend.kernel import Kernel
from structarr._compiler.options import options
from structarr._execute import choices, compute as _compute
from structarr._lazy import graph
from structarr._scheduler import pipeline
from structarr._storage.dense import from_dense
from structarr._storage.tensor import Tensor
from structarr.formats import parse

Golden = Callable[[str], None]


def stored(shape: tuple[int, ...], fmt: str) -> graph.Node:
    made = _compute.in_format(graph.leaf(from_dense(np.ones(shape))), parse(fmt, len(shape)))
    return graph.leaf(made)


@pytest.fixture
def kernels(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The texts of the kernels that the test makes."""
    texts: list[str] = []
    build = pipeline.build

    def noting(*asked: Any) -> Kernel:
        texts.append(build(*asked).source)
        return build(*asked)

    monkeypatch.setattr(pipeline, "build", noting)
    monkeypatch.setattr(choices, "_choices", {})
    return texts


def compute(node: graph.Node) -> Tensor:
    with options(tier="interpreted"):
        return _compute.value(node)


def product(left: graph.Node, right: graph.Node) -> graph.Node:
    """left[i, k] * right[k, j], summed over k."""
    pairs = graph.elementwise(
        "multiply", [graph.expand_dims(left, (2,)), graph.expand_dims(right, (0,))]
    )
    return graph.reduce("add", pairs, (1,), False, np.dtype(float))


def test_csr_times_csr_is_gustavsons(golden: Golden, kernels: list[str]) -> None:
    left, right = stored((2, 3), "csr"), stored((3, 4), "csr")
    kernels.clear()
    compute(product(left, right))
    golden(kernels[-1].rstrip())


def test_csr_times_vector(golden: Golden, kernels: list[str]) -> None:
    matrix, vector = stored((2, 3), "csr"), stored((3,), "dense")
    pairs = graph.elementwise("multiply", [matrix, vector])
    kernels.clear()
    compute(graph.reduce("add", pairs, (1,), False, np.dtype(float)))
    golden(kernels[-1].rstrip())


def test_list_plus_list(golden: Golden, kernels: list[str]) -> None:
    left, right = stored((3,), "list"), stored((3,), "list")
    kernels.clear()
    compute(graph.elementwise("add", [left, right]))
    golden(kernels[-1].rstrip())


def test_csr_times_band(golden: Golden, kernels: list[str]) -> None:
    left, right = stored((2, 3), "csr"), stored((2, 3), "band")
    kernels.clear()
    compute(graph.elementwise("multiply", [left, right]))
    golden(kernels[-1].rstrip())


def test_alpha_blending_of_runs(golden: Golden, kernels: list[str]) -> None:
    left, right = stored((2, 3), "rle"), stored((2, 3), "rle")
    halves = [graph.elementwise("multiply", [one, 0.25]) for one in (left, right)]
    kernels.clear()
    compute(graph.elementwise("add", halves))
    golden(kernels[-1].rstrip())
