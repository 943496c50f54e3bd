"""Blocks that are nothing but fill, joined with others: nothing is stored for them."""

import numpy as np
import pytest

import structarr as sa

RANDOM = np.random.default_rng(0)
DATA = np.where(RANDOM.random((5, 5)) < 0.3, RANDOM.integers(1, 9, (5, 5)), 0).astype(float)
FORMATS = {
    "csr": "csr",
    "csc": "csc",
    "coo": "dcsr",
    "band": "band",
    "vbl": "vbl",
    "dense": "dense",
}
ROWS = [["x"], ["z"], ["x", "z"], ["z", "x"], ["z", "x", "z", "z", "x"], ["z", "z"]]


@pytest.mark.parametrize("format", FORMATS)
@pytest.mark.parametrize("axis", [0, 1])
def test_zeros_beside_what_stores_no_zeros_are_not_stored(format, axis):
    operands = {"x": sa.asarray(DATA, format=format), "z": sa.zeros((5, 5))}
    with sa.options(tier="interpreted"):
        for names in ROWS[2:]:
            parts = [operands[name] for name in names]
            found = sa.concat(parts, axis)
            want = np.concatenate([np.asarray(part) for part in parts], axis)
            assert np.array_equal(found.todense(), want), names
            kind = FORMATS[format] if "x" in names else "constant"
            if kind == "band" and axis and names.count("x") > 1:
                kind = "vbl"  # two bands of a row, with a gap between
            assert found.format == kind, names


def test_a_matrix_of_blocks_stores_its_blocks():
    a, z = sa.asarray(DATA, format="csr"), sa.zeros((5, 5))
    with sa.options(tier="interpreted"):
        found = sa.block([[a, z, z * 1], [z, z, z], [z, a, z]])
        assert found.format == "csr" and found.nstored == 2 * a.nstored
    zeros = np.zeros((5, 5))
    want = np.block([[DATA, zeros, zeros], [zeros, zeros, zeros], [zeros, DATA, zeros]])
    assert np.array_equal(found.todense(), want)


def test_only_what_equals_the_fill_is_left_out():
    a = sa.asarray(DATA, format="csr")
    filled = sa.asarray(DATA, format="csr", fill_value=2.0)
    with sa.options(tier="interpreted"):
        for parts in ([a, sa.ones((5, 5))], [filled, sa.full((5, 5), 2.0), filled], [a, filled]):
            found = sa.concat([*parts, sa.zeros((5, 5))])
            want = np.concatenate([*map(np.asarray, parts), np.zeros((5, 5))])
            assert np.array_equal(found.todense(), want)
        mixed = sa.concat([a, sa.zeros((1, 5), dtype="int64"), sa.ones((1, 5), dtype="complex64")])
        assert mixed.dtype == "complex128"
        assert np.array_equal(mixed.todense()[5:], [[0] * 5, [1] * 5])
