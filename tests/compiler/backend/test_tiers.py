"""The interpreted and the compiled tier agree to the bit; a second process compiles nothing."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import numpy as np
import pytest

from structarr import asarray
from structarr._compiler.backend.kernel import NUMBA, PYTHON
from structarr._compiler.options import options
from structarr._execute import compute
from structarr._lazy import graph
from structarr._storage.dense import from_dense, to_dense
from structarr._storage.tensor import Tensor
from structarr.formats import Format, parse


def stored(data: np.ndarray, fmt: str) -> graph.Node:
    with options(tier="interpreted"):
        wanted: Format = parse(fmt, data.ndim)
        return graph.leaf(compute.in_format(graph.leaf(from_dense(data)), wanted))


def both(node: graph.Node) -> tuple[Tensor, Tensor]:
    found = []
    for tier in ("interpreted", "compiled"):
        with options(tier=tier):
            found.append(compute.value(node))
    return found[0], found[1]


def matrix(dtype: str, seed: int) -> np.ndarray:
    rng = np.random.default_rng(seed)
    values = rng.integers(0, 255, (9, 11)).astype(dtype)
    return np.where(rng.random((9, 11)) < 0.5, values, 0).astype(dtype)


CASES = [
    ("add", "csr", "csr", "uint8"),
    ("multiply", "csr", "rle", "int8"),
    ("divide", "dense", "dense", "float64"),
    ("remainder", "bitmap", "dense", "int16"),
    ("left_shift", "bitmap", "csr", "int16"),
    ("maximum", "rle", "band", "float32"),
    ("remainder", "bitmap", "dense", "int32"),
    ("left_shift", "band", "csr", "int64"),
]


@pytest.mark.sampled(2)
@pytest.mark.parametrize(("op", "left", "right", "dtype"), CASES)
def test_tiers_agree_to_the_bit(op: str, left: str, right: str, dtype: str) -> None:
    nodes = [stored(matrix(dtype, seed), fmt) for seed, fmt in enumerate((left, right))]
    first, second = both(graph.elementwise(op, nodes))
    assert (first.format, first.dtype) == (second.format, second.dtype)
    assert len(first.buffers) == len(second.buffers)
    for a, b in zip(first.buffers, second.buffers, strict=True):
        assert a.dtype == b.dtype
        assert a.tobytes() == b.tobytes()


def test_integers_wrap_alike() -> None:
    large = np.full((5, 7), 2**62, np.int64)
    node = stored(large, "csr")
    total = graph.reduce("add", node, (1,), False, np.dtype("int64"))
    doubled = graph.elementwise("add", [node, node])
    for program, want in ((total, large.sum(axis=1)), (doubled, large * 2)):
        first, second = both(program)
        assert first.buffers[-1].tobytes() == second.buffers[-1].tobytes()
        np.testing.assert_array_equal(to_dense(first), want)


def test_float_sums_agree_to_rounding() -> None:
    node = stored(np.random.default_rng(0).random((5, 1001)), "csr")
    first, second = both(graph.reduce("add", node, (1,), False, np.dtype(float)))
    np.testing.assert_allclose(first.buffers[-1], second.buffers[-1], rtol=1e-13)


def test_each_tier_is_a_target_like_any_other() -> None:
    data = matrix("int64", 0)
    with options(tier="interpreted"):
        rows = asarray(data, format="csr").compute()
        for target in (NUMBA, PYTHON):
            with options(tier=target):
                doubled = (rows * 2).compute()
            np.testing.assert_array_equal(doubled.todense(), data * 2)


PROGRAM = """
import json
import numpy as np
import structarr as sa
from structarr._compiler.backend.kernel import statistics

a = sa.asarray(np.eye(4)).asformat("csr")
with sa.options(tier="compiled"):
    total = float((a * np.arange(16.0).reshape(4, 4) + a).sum())
print(json.dumps([total, statistics()]))
"""


def test_a_second_process_compiles_nothing(tmp_path: object) -> None:
    environment = {**os.environ, "STRUCTARR_CACHE_DIR": str(tmp_path)}
    environment["PYTHONPATH"] = os.pathsep.join(path for path in sys.path if path)
    outcomes = []
    for _ in range(2):
        run = subprocess.run(
            [sys.executable, "-c", PROGRAM], env=environment, capture_output=True, check=True
        )
        outcomes.append(json.loads(run.stdout))
    (first, cold), (second, warm) = outcomes
    assert first == second == 34.0
    assert cold["compiled"] > 0
    assert (warm["compiled"], warm["loaded"]) == (0, cold["compiled"])
