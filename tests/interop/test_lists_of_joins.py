"""Lists of numbers beside categories, for SciPy and scikit-learn: the dense whole is not formed."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp

import structarr as sa
from structarr.errors import FormatError

ROWS = 400
RANDOM = np.random.default_rng(0)
NUMBERS = RANDOM.integers(0, 3, (ROWS, 2)).astype(float)
CODES = RANDOM.integers(-1, 90, ROWS)
WEIGHTS = RANDOM.random(ROWS)
DENSE = np.hstack([NUMBERS, CODES[:, None] == np.arange(90)])


def design() -> sa.Array:
    return sa.concatenate([NUMBERS, sa.one_hot(CODES, 90)], axis=1)


@pytest.fixture(autouse=True)
def no_room_for_the_whole() -> Iterator[None]:
    with sa.options(densify_limit=DENSE.nbytes // 8):
        yield


@pytest.mark.parametrize("layout", ["csr", "csc", "coo", "lil", None])
def test_layouts_of_a_design(layout: Any) -> None:
    made = design().to_scipy(layout)
    assert made.format == layout or (layout is None and made.format == "csr")
    assert made.nnz == np.count_nonzero(DENSE)
    assert np.array_equal(made.toarray(), DENSE)


MADE: dict[str, tuple[Callable[[Any], Any], Callable[[Any], Any]]] = {
    "scaled": (lambda x: x * WEIGHTS[:, None], lambda x: x * WEIGHTS[:, None]),
    "rows": (lambda x: x[np.arange(0, ROWS, 2)], lambda x: x[::2]),
    "mask": (lambda x: x[WEIGHTS > 0.3], lambda x: x[WEIGHTS > 0.3]),
    "columns": (lambda x: x[:, 1:], lambda x: x[:, 1:]),
    "below": (lambda x: sa.concatenate([x, 2 * x]), lambda x: np.concatenate([x, 2 * x])),
    "beside": (
        lambda x: sa.concatenate([sa.concatenate([x, x]), sa.concatenate([x, x])], axis=1),
        lambda x: np.block([[x, x], [x, x]]),
    ),
}


@pytest.mark.parametrize("name", MADE)
def test_what_is_made_of_a_design(name: str) -> None:
    ours, numpys = MADE[name]
    made = ours(design())
    assert np.array_equal(made.to_scipy("csr").toarray(), numpys(DENSE))
    assert np.array_equal(made.asformat("csc").to_scipy().toarray(), numpys(DENSE))


def test_other_fills_are_refused_by_name() -> None:
    with (
        sa.options(densify_limit=1 << 30),
        pytest.raises(FormatError, match="subtract the fill"),
    ):
        sa.concatenate(
            [sa.full((3, 2), 1.0, format="list"), sa.one_hot([0, 1, 2], 3)], axis=1
        ).to_scipy()


def test_scikit_learn_is_given_lists() -> None:
    pytest.importorskip("sklearn")
    from structarr.sklearn import as_scipy

    x = design()
    made = as_scipy(x)
    assert sp.issparse(made) and made.format == "csr" and made.indices.dtype == np.int32
    assert np.array_equal(made.toarray(), DENSE)
    assert np.array_equal(as_scipy(x[WEIGHTS > 0.3]).toarray(), DENSE[WEIGHTS > 0.3])
    assert np.allclose(np.asarray(x @ np.ones(92)), DENSE.sum(axis=1))  # which is parts still


def test_what_lists_would_not_shorten_is_given_dense() -> None:
    pytest.importorskip("sklearn")
    from structarr.sklearn import as_scipy

    few = sa.concatenate([np.ones((10, 5)), sa.one_hot(np.arange(10) % 3, 3)], axis=1)
    made = as_scipy(few)
    assert isinstance(made, np.ndarray) and made.shape == (10, 8)
