"""Each example runs, checks itself and prints its line; long arrays cost what they store."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path

import numpy as np
import pytest

import structarr as sa

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
MAIN_JOB = {"job", "kernels", "main_job", "picture"}  # test_main_job.py runs it
PROGRAMS = sorted(path.stem for path in EXAMPLES.glob("*.py") if path.stem not in MAIN_JOB)
LONG = 10**9  # a loop over all of it would not end


@pytest.fixture
def example(monkeypatch):
    def load(name):
        spec = importlib.util.spec_from_file_location(f"example_{name}", EXAMPLES / f"{name}.py")
        module = importlib.util.module_from_spec(spec)
        monkeypatch.setitem(sys.modules, spec.name, module)
        spec.loader.exec_module(module)
        return module

    with sa.options(tier="interpreted"):
        yield load


@pytest.mark.parametrize("name", PROGRAMS)
def test_example(name, example, capsys):
    example(name).main()
    assert capsys.readouterr().out.count("\n") == 1


def test_there_are_examples():
    assert len(PROGRAMS) >= 15


def listed(seed, count=20):
    rng = np.random.default_rng(seed)
    places = np.unique(rng.integers(0, LONG, count))
    return sa.from_coordinates((places,), rng.random(len(places)), (LONG,), format="list")


def test_long_lists_are_not_scanned(example):
    a, b = listed(1), listed(2)
    assert float(sa.loops("c += A[i] * B[i]", A=a, B=b)) == 0
    assert float(sa.loops("c += A[gallop(i)] * A[gallop(i)]", A=a)) > 0
    joined = example("index_modifiers").concatenate(a, b)
    assert joined.shape == (2 * LONG,)
    assert joined.nstored == a.nstored + b.nstored
    part = sa.loops("S[k] = A[window(1000, 900_000_000, k)]", A=a)
    assert part.nstored <= a.nstored
    f = np.array([3, LONG - 1, 500])
    assert not example("scatter").gather_in_order(a, f).todense().any()


def test_long_rows_are_not_scanned(example):
    rng = np.random.default_rng(3)
    rows, columns = np.arange(10), np.sort(rng.integers(0, LONG, 10))
    matrix = sa.from_coordinates((rows, columns), np.ones(10), (10, LONG), format="csr")
    below, above = example("notation").split(matrix)
    assert below.nstored == 0
    assert above.nstored == 10
    np.testing.assert_allclose(example("notation").variances(matrix).todense(), 1 / LONG, rtol=1e-6)
