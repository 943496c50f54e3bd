"""Products with long vectors of NumPy's: read at the call, so later writes change no result."""

import numpy as np
import pytest

import structarr as sa

N = 40_000  # so many doubles are too long to be copied for a small result


def _lists() -> tuple[np.ndarray, sa.Array]:
    random = np.random.default_rng(0)
    dense = np.where(random.random((N, 3)) < 0.01, random.random((N, 3)), 0.0)
    return dense, sa.asarray(dense, format="csc")


def _vectors() -> dict[str, np.ndarray]:
    random = np.random.default_rng(1)
    whole = random.random((N, 2))
    fixed = random.random(N)
    fixed.setflags(write=False)
    return {
        "plain": random.random(N),
        "part": random.random(2 * N)[N:],
        "strided": whole[:, 0],
        "reversed": random.random(N)[::-1],
        "read-only": fixed,
        "single": random.random(N).astype(np.float32),
        "swapped": random.random(N).astype(">f8"),
        "integers": random.integers(0, 9, N),
        "masked out": np.full(N, np.nan),
    }


@pytest.mark.parametrize("name", _vectors())
def test_products_see_the_values_of_the_call(name: str) -> None:
    dense, a = _lists()
    vector = _vectors()[name]
    for _ in range(3):  # the first one is planned, later ones are known
        products = [a.T @ vector, vector @ a]
        expected = dense.T @ vector
        for _ in range(2):
            if vector.flags.writeable:
                vector[:] = vector[::-1].copy()
        for product in products:
            np.testing.assert_allclose(np.asarray(product), expected, rtol=1e-6)


@pytest.mark.parametrize("side", [2, 3])
def test_matrices_read_at_the_call(side: int) -> None:
    dense, a = _lists()
    right = np.random.default_rng(2).random((N, side))
    for other in (right, np.asfortranarray(right), right.copy().T.copy().T):
        for _ in range(3):
            product = a.T @ other
            expected = dense.T @ other
            other[:] = 0.0
            np.testing.assert_allclose(np.asarray(product), expected)
            other[:] = right


def test_under_jit_and_eager() -> None:
    dense, a = _lists()
    r = np.random.default_rng(3).random(N)
    a.T @ r
    function = sa.jit(lambda x, y: x.T @ y)
    for _ in range(3):
        np.testing.assert_allclose(np.asarray(function(a, r)), dense.T @ r)
        r *= 2
    captured = sa.jit(lambda x: x.T @ r)
    for _ in range(3):
        np.testing.assert_allclose(np.asarray(captured(a)), dense.T @ r)
        r *= 2
    with sa.options(eager=True):
        np.testing.assert_allclose(np.asarray(a.T @ r), dense.T @ r)


def test_wrong_lengths_are_refused_as_before() -> None:
    _, a = _lists()
    a.T @ np.ones(N)
    with pytest.raises(ValueError, match="mismatch in its core dimension"):
        a.T @ np.ones(N + 1)


def test_options_and_forgotten_calls() -> None:
    dense, a = _lists()
    r = np.random.default_rng(4).random(N)
    r[np.flatnonzero(~dense[:, 0].astype(bool))[0]] = np.nan  # where the first column has nothing
    for _ in range(3):
        assert not np.isnan((a.T @ r)[0])
        assert not np.isnan((r @ a)[0])
        with sa.options(strict_ieee=True):
            assert np.isnan((a.T @ r)[0])
            assert np.isnan((r @ a)[0])
        sa.clear_cache()


def test_other_products_of_the_same_operands() -> None:
    dense, a = _lists()
    r = np.random.default_rng(5).random(N)
    short = np.arange(3.0)
    for _ in range(3):
        np.testing.assert_allclose(np.asarray(a.T @ r), dense.T @ r)
        np.testing.assert_allclose(np.asarray((a * 2.0).T @ r), 2 * (dense.T @ r))
        np.testing.assert_allclose(np.asarray(((a - short) / 2.0).T @ r), (dense - short).T @ r / 2)
        np.testing.assert_allclose(float(r @ (a @ short)), r @ (dense @ short))
        np.testing.assert_allclose(np.asarray(r @ a), r @ dense)


def test_parts_that_others_computed_are_used() -> None:
    dense, a = _lists()
    r = np.random.default_rng(6).random(N)
    part = a * np.arange(1.0, 4.0)
    for _ in range(3):
        whole = part.sum(axis=0) + part.T @ r
        np.testing.assert_allclose(
            np.asarray(whole), (dense * np.arange(1.0, 4.0)).T @ (r + 1), rtol=1e-12
        )
