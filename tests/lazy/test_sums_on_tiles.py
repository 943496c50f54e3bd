"""Sums of products with matrices in tiles: computed by tiles."""

from typing import Any

import numpy as np
import pytest

import structarr as sa
from structarr.formats import Dense, Tiles

RNG = np.random.default_rng(0)


def tiled(shape: tuple[int, int], height: int, width: int) -> Any:
    places = RNG.random((shape[0] // height, shape[1] // width)) < 0.4
    return np.kron(places, np.ones((height, width))) * RNG.standard_normal(shape)


MATRICES = {
    "a": (tiled((6, 8), 3, 2), 3, 2),
    "b": (tiled((6, 8), 3, 2), 3, 2),
    "c": (tiled((6, 8), 2, 4), 2, 4),
    "one": (tiled((6, 8), 1, 1), 1, 1),
}
DENSE = {
    "x": RNG.random(8),
    "y": RNG.random(6),
    "Y": RNG.random((8, 5)),
    "F": np.asfortranarray(RNG.random((8, 5))),
    "Z": RNG.random((6, 4)),
    "W": RNG.random((4, 6)),
    "D": RNG.random((6, 8)),
    "C": RNG.random((8, 1)),
}
TEXTS = """
a @ x | y @ a | a.T @ y | a @ Y | a @ F | a.T @ Z | W @ a | a @ x + y | a @ (a.T @ Z)
(a @ Y).sum(axis=0) | a.sum(axis=0) | a.sum(axis=1) | (a * x).sum(axis=1)
(a * b).sum(axis=1) | a.max(axis=1)
a.min(axis=0) | abs(a).sum(axis=0) | (a != 0).any(axis=1) | (a - x) @ Y | y @ a @ x
a.mean(axis=0) | a.var(axis=1)
(a - D) @ x | (a - D) @ Y | (a * D + 1) @ C | C.T @ (a - D).T
((a - D)[:, :, None] * C).sum(axis=1)
one @ x | (a * c).sum(axis=1) | (a * c).sum(axis=0) | a @ c.T @ y | c.T @ (a @ x)
"""


@pytest.mark.parametrize("text", TEXTS.strip().replace("\n", " | ").split(" | "))
def test_sums(text: str) -> None:
    plain = {name: one[0] for name, one in MATRICES.items()}
    wanted = eval(text, {**plain, **DENSE})
    with sa.options(tier="interpreted"):
        for _ in range(2):  # the second time its steps are replayed
            ours = {
                name: sa.asarray(one).asformat(Dense(Tiles(height=height, width=width))).compute()
                for name, (one, height, width) in MATRICES.items()
            }
            found = eval(text, {**ours, **DENSE})
            np.testing.assert_allclose(np.asarray(found), wanted)


def test_loops_within_a_tile_have_a_known_number_of_turns() -> None:
    dense, height, width = MATRICES["a"]
    with sa.options(tier="interpreted"):
        a = sa.asarray(dense).asformat(Dense(Tiles(height=height, width=width)))
        kernel = str(sa.explain(a @ DENSE["x"]).kernel)
    assert "range(3)" in kernel
    assert "range(2)" in kernel
