"""Programs over runs by targets: as C, to the bit, and by those that know nothing of texts."""

from __future__ import annotations

import numpy as np
import pytest

import structarr as sa
from structarr import runs, trailing_zeros
from structarr._compiler.backend.c.module import translated
from structarr._compiler.backend.python.interpret import Interpreted
from structarr._testing.beside_python import Beside, DifferentBits
from structarr._testing.c_target import CTarget, Library, compiler
from structarr.errors import ProgramError
from structarr.targets import PYTHON, Param

compiles = pytest.mark.skipif(compiler() is None, reason="needs a C compiler")


@sa.kernel
def doubled(A):
    found = sa.zeros(A.shape, dtype=np.int64)
    for i in range(A.shape[0]):
        for start, stop, value in runs(A[i]):
            found[i, start:stop] = 2 * value
    return found


@sa.kernel
def root(parents, at):
    while parents[at] != at:
        at = parents[at]
    return at


@sa.kernel
def states(a, b, words, n):
    """Stretches, extremes, bits, and elements that are read under a condition."""
    count = 0
    for i in range(n):
        a[i, 0:4] = np.minimum(a[i, 0:4], np.maximum(a[i, 1:5], b[0:4]))
        a[i, b[0] & 3 : 5] ^= -1
        if (a[i, 0] > 0 and b[a[i, 0] & 3] != 0) or b[i] == 7:
            count += b[i + 1] if count < 9 else a[i, count & 3]
        rest = words[i]
        while rest != 0 and b[trailing_zeros(rest) & 3] < 1000:
            count += trailing_zeros(rest)
            rest = rest & (rest - 1)
    return a, count


def _states():
    rng = np.random.default_rng(0)
    return rng.integers(-99, 99, (3, 6)), rng.integers(-9, 9, 9), rng.integers(0, 1 << 40, 3)


@compiles
def test_loops_over_runs_as_c_leave_the_same_bits():
    target = CTarget()
    a = np.random.default_rng(1).integers(0, 3, (5, 70))
    given = [one.copy() for one in _states()]
    with sa.options(tier=Beside(target)):
        np.testing.assert_array_equal(doubled(sa.asarray(a, format="sparse-rle")).todense(), 2 * a)
        assert root(np.array([0, 0, 1, 2]), 3) == 0
        found, count = states(*given, 3)
    wanted, plain = states.py_func(*_states(), 3)
    np.testing.assert_array_equal(found, wanted)
    assert count == plain
    assert target.built >= 3  # that of a dense value, too
    assert target.left == 0


@compiles
def test_loops_as_c_name_what_is_out_of_bounds():
    with sa.options(tier=CTarget()), pytest.raises((IndexError, ProgramError), match="parents"):
        root(np.array([0, 9]), 1)


@compiles
def test_effects_under_a_condition_come_only_where_it_holds():
    """`put` may end the kernel, and each of its calls needs lines of its own in C."""
    text = """
def both(x, at, n):
    put(x, 0, at)
    if at > 3 and put(x, 1, at) > 0 and put(x, 2, at) > 5 or put(x, 3, at) == 1:
        put(x, 4, at)
    k = put(x, 5, at) if at > 4 else put(x, 6, at)
    while n < 3 and put(x, 7, n) < 2:
        n += 1
    return k + n

def put(x, at, value):
    x[u(at)] = value
    inside(at, len(x), 0)
    return value
"""
    params = (Param("int64", True, True, True), *[Param("int64", False, False, True)] * 2)
    own, python = Library().kernel(translated(text, params), params), Interpreted(text, params)
    for at in range(8):
        one, other = np.full(8, -1), np.full(8, -1)
        assert own(one, at, 0) == python(other, at, 0)
        np.testing.assert_array_equal(one, other)


def test_targets_without_a_method_for_texts_leave_these_interpreted():
    class Plain:
        def build(self, functions, params):
            assert functions
            return PYTHON.build(functions, params)

    a = np.array([[0, 1, 1, 2]])
    with sa.options(tier=Plain()):
        np.testing.assert_array_equal(doubled(sa.asarray(a, format="sparse-rle")).todense(), 2 * a)


def test_texts_that_leave_other_bits_are_seen():
    class Wrong:
        def build(self, functions, params):
            return PYTHON.build(functions, params)

        def build_text(self, text, params):
            return PYTHON.build_text(text.replace("2 *", "3 *"), params)

    a = sa.asarray([[0, 1, 1, 2]], format="sparse-rle")
    with sa.options(tier=Beside(Wrong())), pytest.raises(DifferentBits):
        doubled(a)
