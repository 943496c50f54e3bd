"""Kernels of many loops in each other are compiled as several functions."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import structarr as sa
from structarr._compiler.kernel_passes import outline_loops
from structarr.errors import FormatError


def _sparse(seed: int, *shape: int) -> np.ndarray[Any, Any]:
    rng = np.random.default_rng(seed)
    return np.where(rng.random(shape) < 0.3, rng.random(shape), 0.0)


def _parts(expression: sa.Array) -> list[int]:
    """How many lines each of a kernel's functions has."""
    return [text.count("\n") for text in sa.explain(expression).kernel.split("\ndef ")]


@pytest.mark.parametrize(
    ("deep", "tier"),
    [
        (2, "interpreted"),
        (3, "interpreted"),
        (3, "compiled"),
        pytest.param(2, "compiled", marks=pytest.mark.long),
    ],
)
def test_parts_compute_what_the_whole_would(
    monkeypatch: pytest.MonkeyPatch, deep: int, tier: str
) -> None:
    monkeypatch.setattr(outline_loops, "DEEP", deep)
    x, y, z = (_sparse(seed, 5, 6, 7) for seed in range(3))
    with sa.options(tier=tier):
        a, b = (sa.asarray(part, format="csf") for part in (x, y))
        c = sa.asarray(z, format="rle")
        # Asked nowhere else, so that no kernel is known.
        found, want = (a - b) * c + np.maximum(b, a), (x - y) * z + np.maximum(y, x)
        for _ in range(deep + 2 * (tier == "compiled")):
            found, want = -found, -want
        assert len(_parts(found)) > 1
        np.testing.assert_array_equal(found.todense(), want)
        np.testing.assert_allclose(found.sum(axis=1).todense(), want.sum(axis=1))


def test_few_loops_are_one_function() -> None:
    a = sa.asarray(_sparse(0, 4, 5), format="csr")
    assert len(_parts(a * 2.5 + a)) == 1


@pytest.mark.parametrize("format", ["rle", "list"])
def test_as_many_axes_as_promised(format: str) -> None:
    most = sa.__array_namespace_info__().capabilities()["max dimensions"]
    x = np.arange(2.0).reshape((1,) * (most - 1) + (2,))
    a = sa.asarray(x, format=format)
    np.testing.assert_array_equal((a * 3 + a).todense(), x * 4)
    np.testing.assert_array_equal(np.sum(a, axis=0).todense(), x[0])
    np.testing.assert_array_equal(np.reshape(a, (2, 1)).todense(), x.reshape(2, 1))


@pytest.mark.long  # ten seconds: what few loops of a divided kernel are is tested above
def test_loops_in_loops_that_python_does_not_take_are_compiled() -> None:
    x = np.arange(2.0).reshape((1,) * 20 + (2,))
    with sa.options(tier="compiled"):
        found = sa.asarray(x, format="rle") + 1
        np.testing.assert_array_equal(found.todense(), x + 1)


def test_more_axes_are_refused() -> None:
    a = sa.asarray(np.ones((1,) * 40))
    with pytest.raises(FormatError, match="40 axes are too many for one kernel"):
        a.asformat("list")
    np.testing.assert_array_equal((a + 1).todense(), np.full((1,) * 40, 2.0))
