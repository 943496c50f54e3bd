"""Adapters for scikit-learn's estimators of sparse matrices.

Estimators that support the array API need none of it: see ``docs/sklearn.md``.
"""

from __future__ import annotations

from math import prod
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, OneToOneFeatureMixin, TransformerMixin

from structarr._array import Array
from structarr._methods.lists_of_joins import listed
from structarr._value import seen
from structarr.interop.scipy import narrowed, to_scipy


def as_scipy(x: Any, *, copy: bool = False) -> Any:
    """
    Return an array as scikit-learn takes it, and anything else as it is.

    Parameters
    ----------
    x : Array or object
        A matrix that leaves something out becomes a scipy.sparse array in format "csc" if it is
        stored so, else in "csr", with int32 indices if they fit. So does a matrix of parts side by
        side, such as numbers beside categories, if its lists take half the bytes of all its
        elements. What is dense, or no matrix, becomes a NumPy array. Buffers that fit are shared,
        as read-only views: those of a matrix in format "csr" or "csc" with int32 indices, as
        `structarr.asarray` makes of SciPy's, all fit.
    copy : bool
        Whether to copy the values, to memory that can be written: `KMeans`, its kin, and
        `PolynomialFeatures` ask for that, though they do not write to it.

    Raises
    ------
    FormatError
        If the fill value is not zero.

    Examples
    --------
    >>> import structarr as sa
    >>> from structarr.sklearn import as_scipy
    >>> a = sa.asarray([[0.0, 2.0], [0.0, 0.0]], format="csr")
    >>> as_scipy(a).format, as_scipy(a).indices.dtype
    ('csr', dtype('int32'))
    """
    if not isinstance(x, Array):
        return x
    lists = listed(x, "csr")
    is_short = lists is not None and 2 * lists.nbytes <= prod(x.shape) * x.dtype.itemsize
    tensor = lists if lists is not None and is_short else seen(x)
    if x.ndim != 2 or tensor.format.is_dense:
        return np.array(x, copy=copy or (False if tensor.format.is_dense else None))
    made = narrowed(to_scipy(tensor, "csc" if tensor.format.order == (1, 0) else "csr"))
    return made.copy() if copy else made


class ToScipy(OneToOneFeatureMixin, TransformerMixin, BaseEstimator):  # type: ignore[misc]
    """
    A step of a pipeline that gives the next ones scipy.sparse arrays, by `as_scipy`.

    Parameters
    ----------
    copy : bool
        Whether to copy the values, as `KMeans` and `PolynomialFeatures` need it.

    Examples
    --------
    >>> import structarr as sa
    >>> from sklearn.naive_bayes import MultinomialNB
    >>> from sklearn.pipeline import make_pipeline
    >>> from structarr.sklearn import ToScipy
    >>> counts = sa.asarray([[0, 2, 0], [3, 0, 0], [0, 1, 0]], format="csr")
    >>> model = make_pipeline(ToScipy(), MultinomialNB()).fit(counts, [0, 1, 0])
    >>> model.predict(counts).tolist()
    [0, 1, 0]
    """

    def __init__(self, *, copy: bool = False) -> None:
        self.copy = copy

    def fit(self, X: Any, y: Any = None) -> ToScipy:
        """Learn nothing but the number of columns."""
        self.n_features_in_ = X.shape[1]
        return self

    def transform(self, X: Any) -> Any:
        """Return the matrix as `as_scipy` does."""
        return as_scipy(X, copy=self.copy)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.array_api_support = tags.input_tags.sparse = True
        return tags
