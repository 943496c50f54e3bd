"""The models of `examples/` on arrays of mixed structure, beside scikit-learn and statsmodels."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import statsmodels.api as sm
from sklearn.linear_model import ElasticNet, Lasso, PoissonRegressor

import structarr as sa

ROWS = 800
EXAMPLES = Path(__file__).resolve().parents[2] / "examples"


@pytest.fixture(autouse=True)
def examples() -> Iterator[None]:
    sys.path.insert(0, str(EXAMPLES))
    yield
    sys.path.remove(str(EXAMPLES))


def design(*extra: Any) -> sa.Array:
    """An intercept, two numbers, a sparse number, and two categories without their first."""
    random = np.random.default_rng(1)
    numbers = np.column_stack([np.ones(ROWS), random.standard_normal((ROWS, 2))])
    rare = sa.asarray(np.where(random.random((ROWS, 1)) < 0.1, 2.0, 0), format="csc")
    kinds = [sa.one_hot(random.integers(0, n, ROWS) - 1, n - 1) for n in (4, 7)]
    return sa.concatenate([numbers, rare, *kinds, *extra], axis=1)


def counts(X: Any) -> Any:
    random = np.random.default_rng(2)
    eta = X @ random.uniform(-0.4, 0.4, X.shape[1])
    return random.poisson(np.exp(np.asarray(eta))).astype(float)


@pytest.mark.parametrize("weighted", [False, True])
def test_glm_is_that_of_statsmodels(weighted: bool) -> None:
    import glm

    X = design()
    y = counts(X)
    weights = np.random.default_rng(3).integers(0, 3, ROWS).astype(float)  # zeros among them
    given = weights if weighted else None
    dense = X.asformat("dense").todense()
    kept = weights > 0 if weighted else slice(None)
    model = sm.GLM(
        y[kept],
        dense[kept],
        sm.families.Poisson(),
        freq_weights=weights[kept] if weighted else None,
    )
    np.testing.assert_allclose(glm.fit(X, y, given), model.fit(tol=1e-12).params, atol=1e-7)


def test_glm_is_that_of_scikit_learn() -> None:
    import glm

    X = design()
    y = counts(X)
    dense = X.asformat("dense").todense()
    theirs = PoissonRegressor(alpha=0, fit_intercept=False, tol=1e-10, solver="newton-cholesky")
    np.testing.assert_allclose(glm.fit(X, y), theirs.fit(dense, y).coef_, atol=1e-5)


def test_glm_of_collinear_and_constant_columns_has_the_same_means() -> None:
    import glm

    every = sa.one_hot(np.arange(ROWS) % 3, 3)  # with the intercept, collinear
    X = design(every, np.zeros((ROWS, 1)))
    y = counts(X)
    dense = X.asformat("dense").todense()
    theirs = sm.GLM(y, dense[:, [*range(13), 14, 15]], sm.families.Poisson()).fit(tol=1e-12)
    np.testing.assert_allclose(np.exp(X @ glm.fit(X, y)), theirs.fittedvalues, rtol=1e-7)


def test_glm_of_separated_counts_is_refused() -> None:
    import glm

    X = sa.one_hot(np.arange(ROWS) % 2, 2).astype(float)
    with pytest.raises(ValueError, match="separate"):
        glm.fit(X, (np.arange(ROWS) % 2).astype(float))


@pytest.mark.parametrize(("alpha", "l1_ratio"), [(0.01, 1.0), (0.1, 1.0), (0.05, 0.3)])
def test_elastic_net_is_that_of_scikit_learn(alpha: float, l1_ratio: float) -> None:
    import elastic_net

    X = design()
    random = np.random.default_rng(4)
    y = np.asarray(X @ random.standard_normal(X.shape[1])) + random.standard_normal(ROWS)
    dense = X.asformat("dense").todense()
    kind = Lasso if l1_ratio == 1 else ElasticNet
    ratio = {} if l1_ratio == 1 else {"l1_ratio": l1_ratio}
    theirs = kind(alpha=alpha, tol=1e-12, max_iter=100_000, **ratio).fit(dense, y)
    found = elastic_net.fit(X, y, alpha, l1_ratio)
    np.testing.assert_allclose(found[:-1], theirs.coef_, atol=1e-7)
    assert found[-1] == pytest.approx(theirs.intercept_, abs=1e-7)


@pytest.mark.parametrize("weighted", [False, True])
def test_fixed_effects_are_those_of_dummies(weighted: bool) -> None:
    import fixed_effects

    random = np.random.default_rng(5)
    codes = [random.integers(0, n, ROWS) for n in (30, 12)]
    groups = [sa.one_hot(one, one.max() + 2) for one in codes]  # one that no row is of
    X = random.standard_normal((ROWS, 3)) + codes[0][:, None] / 10
    y = X @ [1.0, -2.0, 0.5] + codes[1] + random.standard_normal(ROWS)
    weights = random.integers(0, 3, ROWS).astype(float) if weighted else np.ones(ROWS)
    dummies = np.asarray(sa.concatenate([X, *groups], axis=1).asformat("dense"))
    theirs = sm.WLS(y, dummies, weights=weights).fit(method="pinv").params[:3]
    found = fixed_effects.fit(X, y, groups, weights if weighted else None)
    np.testing.assert_allclose(found, theirs, atol=1e-7)


def test_elastic_net_of_constant_columns_and_values() -> None:
    import elastic_net

    X = design(np.full((ROWS, 1), 3.0))
    y = np.asarray(X @ np.arange(1.0, X.shape[1] + 1))
    dense = X.asformat("dense").todense()
    theirs = Lasso(alpha=0.1, tol=1e-12, max_iter=100_000).fit(dense, y)
    found = elastic_net.fit(X, y, 0.1)
    np.testing.assert_allclose(found[:-1], theirs.coef_, atol=1e-6)
    np.testing.assert_array_equal(elastic_net.fit(X, np.ones(ROWS), 0.1), [0.0] * X.shape[1] + [1])


EMPTY, Y = np.zeros(0), np.ones(ROWS)
BROKEN = np.where(np.arange(ROWS) == 3, np.nan, 1.0)


@pytest.mark.parametrize(
    ("y", "weights"),
    [(Y, 0 * Y), (Y, -Y), (-Y, Y), (BROKEN, Y), (Y, BROKEN), (np.full(ROWS, np.inf), Y)],
)
def test_glm_of_what_are_no_counts_is_refused(y: Any, weights: Any) -> None:
    import glm

    with pytest.raises(ValueError, match="give counts and weights that are finite"):
        glm.fit(design(), y, weights)


def test_no_rows_and_columns_that_are_not_finite_are_refused() -> None:
    import elastic_net
    import fixed_effects
    import glm

    none, broken = design()[:0], design(BROKEN[:, None])
    groups = [sa.one_hot(np.arange(ROWS) % 3, 3)]
    with pytest.raises(ValueError, match="give counts"):
        glm.fit(none, EMPTY)
    with pytest.raises(ValueError, match="the columns have to be finite"):
        glm.fit(broken, Y)
    for X, y in ((none, EMPTY), (broken, Y), (design(), BROKEN)):
        with np.errstate(all="ignore"), pytest.raises(ValueError, match="rows of finite numbers"):
            elastic_net.fit(X, y, 0.1)
    for X, y in ((np.zeros((0, 2)), EMPTY), (BROKEN[:, None], Y)):
        with pytest.raises(ValueError, match="give rows of finite numbers"):
            fixed_effects.fit(X, y, [groups[0][: len(y)]])


@pytest.mark.parametrize("unit", [1e-7, 1e8])
def test_models_of_columns_in_other_units(unit: float) -> None:
    import elastic_net
    import fixed_effects
    import glm

    X = design()
    y = counts(X)
    units = np.ones(X.shape[1])
    units[1] = unit
    np.testing.assert_allclose(glm.fit(X * units, y) * units, glm.fit(X, y), atol=1e-7)
    dense = np.asarray(X * units)
    theirs = Lasso(alpha=0.01, tol=1e-12, max_iter=100_000).fit(dense, y)
    found = elastic_net.fit(X * units, y, 0.01)[:-1]
    np.testing.assert_allclose(found * units, theirs.coef_ * units, atol=1e-6)
    groups = [sa.one_hot(np.arange(ROWS) % 7, 7)]
    numbers = dense[:, 1:3]
    slopes = [fixed_effects.fit(one, y, groups) for one in (numbers, numbers / units[1:3])]
    np.testing.assert_allclose(slopes[0] * units[1:3], slopes[1], atol=1e-9)


@pytest.mark.parametrize("weights", [0 * Y, -Y, BROKEN, np.full(ROWS, np.inf)])
def test_fixed_effects_of_what_are_no_weights_are_refused(weights: Any) -> None:
    import fixed_effects

    numbers = np.random.default_rng(6).random((ROWS, 2))
    with pytest.raises(ValueError, match="give weights that are finite, not negative"):
        fixed_effects.fit(numbers, Y, [sa.one_hot(np.arange(ROWS) % 3, 3)], weights)
