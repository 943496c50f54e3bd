"""The benchmark of reading formats: that kernels by hand are right, and rows are as promised."""

from __future__ import annotations

import numpy as np
import pytest

import structarr as sa
from benchmarks import formats, programs, structures
from benchmarks.handwritten_formats import KERNELS, OPERATIONS
from benchmarks.timing import kernels_alone

LONG = [pytest.param(name, marks=pytest.mark.long) for name in ("dcsr", "sparse-rle")]


@pytest.mark.parametrize("name", ["symmetric", *LONG])
def test_every_kernel_by_hand_is_right(name):
    rows = list(formats.made(name, 2000, 0.01))
    assert all(row.checked for row in rows)
    assert {row.case for row in rows} == {f"{name} {operation}" for operation in OPERATIONS}
    assert {row.variant for row in rows} == {"kernel", "whole call"}


def test_a_wrong_kernel_by_hand_is_noticed(monkeypatch):
    dense, _, same = KERNELS["ragged"]
    monkeypatch.setitem(KERNELS, "ragged", (dense, _idle, same))
    verdicts = {row.case: row.checked for row in formats.made("ragged", 2000, 0.01)}
    assert verdicts == {"ragged dense": True, "ragged list": False, "ragged self": True}


def _idle(y, n, m, *buffers):
    y[:] = 0.0


@pytest.mark.parametrize("name", sorted(structures.MAKERS))
def test_pairs_fit_their_format_and_are_as_large_as_asked(name):
    for matrix in structures.pair(name, 5000):
        if name == "constant":
            assert matrix.shape == (1, 1)
            continue
        count = matrix.nnz if hasattr(matrix, "nnz") else np.count_nonzero(matrix)
        assert 0.4 * 5000 <= count <= 2.1 * 5000
        assert formats.stored(matrix, name).format == name


def test_every_format_with_a_pair_has_kernels_by_hand():
    assert set(KERNELS) == set(structures.MAKERS)


def test_a_kernel_alone_runs_with_the_arguments_of_the_call():
    a = sa.asarray(np.diag([1.0, 2.0, 3.0]), format="csr")
    x = sa.asarray(np.array([4.0, 5.0, 6.0]))
    call = kernels_alone(lambda: programs.computed(lambda: a @ x))
    (result,) = [arg for arg in call.args if isinstance(arg, np.ndarray) and arg.flags.writeable
                 and np.array_equal(arg, [4.0, 10.0, 18.0])]  # fmt: skip
    call()
    np.testing.assert_array_equal(result, [8.0, 20.0, 36.0])
