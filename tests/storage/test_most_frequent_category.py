"""How often the most frequent category is there: bounds that tell whether that is enough."""

import numpy as np
import pytest

import structarr as sa
from structarr._storage.statistics import fullest

random = np.random.default_rng(0)


def _codes() -> dict[str, np.ndarray]:
    n = 6_000
    turned = np.where(np.arange(n) < 700, 3, random.integers(0, 9, n))
    return {
        "one": np.zeros(n, np.int32),
        "none": np.full(n, -1, np.int32),
        "mostly one": np.where(random.random(n) < 0.97, 2, random.integers(-1, 5, n)),
        "half": np.where(random.random(n) < 0.52, 2, random.integers(-1, 5, n)),
        "even": random.integers(0, 300, n),
        "first one, then others": turned,
        "first one, then another": np.where(np.arange(n) < 900, 1, 4),
        "first one, then never": np.where(np.arange(n) < 900, 1, -1),
        "few": np.array([0, 1, 1]),
        "one block": np.where(np.arange(512) < 300, 1, 0),
    }


@pytest.mark.parametrize("tier", ["compiled", "interpreted"])
@pytest.mark.parametrize("name", _codes())
def test_bounds_hold(name: str, tier: str) -> None:
    codes = _codes()[name]
    exact = np.bincount(codes[codes >= 0], minlength=1).max() / len(codes)
    with sa.options(tier=tier):
        for enough in (None, 0.0, 0.1, 0.4, 0.5, 0.75, 15 / 16, 0.999, 1.0):
            tensor = sa.one_hot(codes, 301).compute()._tensor
            found = fullest(tensor, 0, enough)
            if enough is None:
                assert found == pytest.approx(exact)
            else:
                assert (found <= enough) == (int(exact * len(codes) + 0.5) <= enough * len(codes))


def test_bounds_of_many_at_random() -> None:
    for seed in range(60):
        of = np.random.default_rng(seed)
        n = int(of.integers(1, 4_000))
        start = of.integers(0, n + 1)
        codes = np.where(np.arange(n) < start, of.integers(0, 2), of.integers(-1, 4, n))
        share = np.bincount(codes[codes >= 0], minlength=1).max() / n
        enough = float(of.random())
        tensor = sa.one_hot(codes, 4).compute()._tensor
        found = fullest(tensor, 0, enough)
        assert (found <= enough) == (share <= enough) or abs(share - enough) < 1 / n
