"""Reductions of all elements, by the vector of what is stored and the fill beside it."""

from itertools import product
from typing import Any

import numpy as np
import pytest

import structarr as sa

FORMATS = ("coo", "bsr", "dcsr", "vbl", "hash", "dia", "csr")
RNG = np.random.default_rng(0)
SPARSE = np.where(RNG.random((6, 8)) < 0.3, RNG.standard_normal((6, 8)), 0)
MATRICES = {
    "sparse": SPARSE,
    "full": RNG.standard_normal((6, 8)),
    "negative": -abs(SPARSE),
    "zeros": np.zeros((6, 8)),
    "with nan": np.where(SPARSE > 0.5, np.nan, SPARSE),
    "upper": np.triu(SPARSE),
}
TEXTS = (
    *("a.sum()", "a.max()", "a.min()", "np.abs(a).max()", "(a > 0).sum()", "np.isnan(a).any()"),
    *("np.count_nonzero(a)", "np.nanmax(a)", "(a + 1.0).max()", "(a + 1.0).sum()", "a.prod()"),
    *("(a == 0).all()", "(a - a).sum()", "a.max(initial=5.0)", "np.linalg.norm(a)", "a.mean()"),
)


@pytest.mark.parametrize(
    ("format", "values"), [*product(FORMATS, MATRICES), ("triu", "upper"), ("triu", "zeros")]
)
def test_what_is_not_stored_counts(format: str, values: str) -> None:
    dense = MATRICES[values]
    with sa.options(tier="interpreted"):
        a: Any = sa.asarray(dense).asformat(format)
        for text in TEXTS:
            found, wanted = (eval(text, {"np": np, "a": one}) for one in (a, dense))
            np.testing.assert_allclose(np.asarray(found), wanted, err_msg=text)


def test_fills_that_numbers_make_are_those_of_the_call() -> None:
    """Equal expressions but for their numbers, of which the second is replayed."""
    with sa.options(tier="interpreted"):
        a = sa.asarray(SPARSE, format="coo").compute()
        for one, other in ((2.0, -2.0), (3.0, -5.0), (-4.0, 2.5)):
            for name in ("sum", "max", "min"):
                found = getattr((a + one) + other, name)()
                wanted = getattr((SPARSE + one) + other, name)()
                np.testing.assert_allclose(np.asarray(found), wanted)


def test_replays_take_matrices_of_other_counts() -> None:
    with sa.options(tier="interpreted"):
        for count in (8, 9, 10, 48):
            dense = np.zeros(48)
            dense[:count] = -np.arange(1.0, count + 1)
            a = sa.asarray(dense.reshape(6, 8), format="coo").compute()
            assert float(a.max()) == dense.max()
            assert float(a.sum()) == dense.sum()
