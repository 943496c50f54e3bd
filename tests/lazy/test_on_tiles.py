"""Elementwise expressions of matrices in tiles: computed by tiles, and stored in tiles."""

import operator
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import structarr as sa
from structarr.formats import Dense, Tiles

Array = Any


def tiled(shape: tuple[int, int], sides: tuple[int, int], seed: int) -> Array:
    """A random matrix of which a third of the tiles hold something."""
    rng = np.random.default_rng(seed)
    places = rng.random((shape[0] // sides[0], shape[1] // sides[1])) < 0.35
    return np.kron(places, np.ones(sides)) * rng.standard_normal(shape)


SIDES = {"a": (3, 2), "b": (3, 2), "c": (1, 1), "d": (2, 3), "s": (2, 2)}
SHAPES = {"s": (12, 12)}
VALUES = {
    name: tiled(SHAPES.get(name, (12, 18)), sides, seed)
    for seed, (name, sides) in enumerate(SIDES.items())
}
DENSE = {
    "x": np.arange(1.0, 19),
    "y": np.arange(1.0, 13),
    "D": np.arange(216.0).reshape(12, 18),
    "F": np.asfortranarray(np.arange(216.0).reshape(12, 18)),
}


def evaluated(text: str, names: dict[str, Any]) -> Any:
    """The value of an expression of names."""
    function: Callable[..., Any] = eval(f"lambda np, {', '.join(names)}: {text}")
    return function(np, **names)


def ours() -> dict[str, Any]:
    """The matrices in tiles, and the dense arrays."""
    with sa.options(tier="interpreted"):
        made = {
            name: sa.asarray(VALUES[name]).asformat(Dense(Tiles(height=height, width=width)))
            for name, (height, width) in SIDES.items()
        }
    return made | DENSE


IN_TILES = """
-a | a * 2.0 | a + 1.0 | a > 1.0 | abs(a) | a / (1.0 + abs(a)) | a.astype("float32") | a * (a > 0)
a + b | a * b | (a - b) ** 2 | np.maximum(a, b) | np.where(a > 0, b, 0.0) | a * x | a * y[:, None]
a * D | F * a | a * x * y[:, None] + b | a + c | c * a | c * x + b | s + s.T | (s * 2.0).T * s
s.T * 2.0 | s.T + s.T | abs(a) / abs(a).sum(axis=1, keepdims=True).clip(1.0)
"""


@pytest.mark.parametrize(
    "text", [one.strip() for one in IN_TILES.strip().replace("\n", "|").split("|")]
)
def test_results_are_in_tiles(text: str) -> None:
    with sa.options(tier="interpreted"):
        for _ in range(2):  # the second time its steps are replayed
            found = evaluated(text, ours()).compute()
            assert found.format == "bsr"
            np.testing.assert_allclose(found.todense(), evaluated(text, VALUES | DENSE))


@pytest.mark.parametrize("shape", [(1, 6), (4, 1), (1, 1)])
@pytest.mark.parametrize("sides", [(1, 1), (1, 3), (2, 1)])
def test_matrices_in_tiles_of_one_row_or_column_are_broadcast(
    shape: tuple[int, int], sides: tuple[int, int]
) -> None:
    if shape[0] % sides[0] or shape[1] % sides[1]:
        return
    wide = np.zeros((4, 6))
    wide[:2, 3:] = np.arange(1.0, 7).reshape(2, 3)
    wide[2:, :3] = -1
    thin = np.where(np.arange(shape[0] * shape[1]).reshape(shape) % 4 < 3, 2.0, 0.0)
    with sa.options(tier="interpreted"):
        matrix = sa.asarray(wide).asformat(Dense(Tiles(height=2, width=3)))
        other = sa.asarray(thin).asformat(Dense(Tiles(height=sides[0], width=sides[1])))
        for text in (
            "a * b",
            "b * a",
            "a + b",
            "np.maximum(a, b)",
            "(a * b).sum(axis=0)",
            "(a * b).sum(axis=1)",
            "(a * b).sum()",
        ):
            found = evaluated(text, {"a": matrix, "b": other})
            wanted = evaluated(text, {"a": wide, "b": thin})
            np.testing.assert_allclose(np.asarray(found), wanted)


@pytest.mark.parametrize(("text", "format"), [("a + d", "vbl"), ("a + D", "dense")])
def test_other_results_are_not(text: str, format: str) -> None:
    with sa.options(tier="interpreted"):
        found = evaluated(text, ours()).compute()
        assert found.format == format
        np.testing.assert_allclose(found.todense(), evaluated(text, VALUES | DENSE))


def test_functions_of_tiles_share_their_places() -> None:
    a = ours()["a"].compute()
    with sa.options(tier="interpreted"):
        found = (a * 2.0 - a).compute()
    assert all(map(operator.is_, found._tensor.buffers[:-1], a._tensor.buffers))


def test_tiles_are_copied_without_a_fill_before() -> None:
    with sa.options(tier="interpreted"):
        named = ours()
        kernel = str(sa.explain(named["a"] * named["x"]).kernel)
    assert "range(3)" in kernel
    assert "fill_range" not in kernel


@pytest.mark.parametrize("shape", [(0, 4), (4, 0), (2, 2), (1, 4), (4, 1)])
def test_few_tiles(shape: tuple[int, int]) -> None:
    dense = np.arange(1.0, shape[0] * shape[1] + 1).reshape(shape)
    sides = tuple(min(n, 2) or 2 for n in shape)
    with sa.options(tier="interpreted"):
        a = sa.asarray(dense).asformat(Dense(Tiles(height=sides[0], width=sides[1])))
        for found, wanted in (
            (a + a, dense + dense),
            (a * dense, dense * dense),
            (a * dense.sum(axis=0), dense * dense.sum(axis=0)),
            (a * 2.0, dense * 2.0),
        ):
            np.testing.assert_array_equal(found.todense(), wanted)


REPEATED: dict[str, Callable[..., Any]] = {
    "a row": lambda a, b: np.broadcast_to(a[0], (6, 6)) * b,
    "a column": lambda a, b: np.broadcast_to(a[:, :1], (6, 6)) * b,
    "a sum": lambda a, b: (np.broadcast_to(a[0], (6, 6)) + np.broadcast_to(a[:, 1:2], (6, 6))) * b,
    "a slice": lambda a, b: np.broadcast_to(a[0], (6, 6))[::-1] * b,
    "a view": lambda a, b: np.broadcast_to(a[0], (6, 6)).T * b,
    "sums": lambda a, b: np.broadcast_to(a[0], (3, 6, 6)).sum(axis=0) * b,
    "with others": lambda a, b: np.broadcast_to(a[0] * 2, (6, 6)) * b * a,
    "added": lambda a, b: b + np.broadcast_to(a[0], (6, 6)),
}


@pytest.mark.parametrize("name", REPEATED)
@pytest.mark.parametrize("format", ["bsr", "csr", "dia", "vbl", "rle"])
def test_what_repeats_a_dense_vector_is_not_read_as_a_matrix(name: str, format: str) -> None:
    """Its buffer has one row, however many there are."""
    random = np.random.default_rng(0)
    one = random.integers(1, 9, (6, 6)).astype(float)
    other = np.kron(np.array([[0, 1, 0], [2, 0, 0], [0, 3, 4]]), np.ones((2, 2))) * one
    a, b = sa.asarray(one), sa.asarray(other, format=format)
    with sa.options(tier="interpreted"):
        found = REPEATED[name](a, b)
        np.testing.assert_array_equal(found.todense(), REPEATED[name](one, other))
