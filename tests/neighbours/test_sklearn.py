"""scikit-learn on our arrays: by the array API, and by the adapter for sparse matrices."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pytest
import scipy.sparse
import sklearn
from sklearn.base import clone
from sklearn.cluster import KMeans
from sklearn.decomposition import TruncatedSVD
from sklearn.feature_selection import SelectKBest, chi2
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import cross_val_score, train_test_split
from sklearn.naive_bayes import MultinomialNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn_cases import ESTIMATORS, OTHERS, agreeing, compliant

import structarr as sa
from structarr.errors import FormatError
from structarr.sklearn import ToScipy, as_scipy

COUNTS = scipy.sparse.random_array((40, 12), density=0.3, format="csr", random_state=0)
COUNTS.data = np.ceil(5 * COUNTS.data)
LABELS = np.arange(40) % 3
MODELS = [
    KMeans(3, random_state=0, n_init=1),
    KNeighborsClassifier(),
    LogisticRegression(),
    MultinomialNB(),
    SelectKBest(chi2, k=3),
    TruncatedSVD(3, random_state=0),
]


QUICK = ("GaussianNB", "LinearDiscriminantAnalysis", "LogisticRegression", "MinMaxScaler")
QUICK += ("Normalizer", "PCA", "PolynomialFeatures", "Ridge", "StandardScaler")


@pytest.mark.parametrize(
    "estimator",
    [one for one in ESTIMATORS if type(one).__name__ in QUICK],
    ids=lambda one: type(one).__name__,
)
def test_estimators_learn_what_they_learn_of_numpys(estimator: Any) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        compliant(estimator, ("float64",))("structarr")


# GaussianMixture adds to a part of an array, expecting the whole to change: docs/sklearn.md.
@pytest.mark.parametrize("format", [None, "list", "rle"])
@pytest.mark.parametrize("name", [name for name in OTHERS if not name.startswith("Gauss")])
def test_splitters_and_encoders(name: str, format: str | None) -> None:
    with sa.options(default_format=format):
        OTHERS[name]("structarr")


@pytest.mark.parametrize("format", [None, "list", "rle"])
@pytest.mark.parametrize(
    "name",
    ["accuracy_score", "f1_score", "confusion_matrix", "log_loss", "r2_score"],
)
def test_metrics(name: str, format: str | None) -> None:
    metric = getattr(sklearn.metrics, name)
    continuous = name in ("log_loss", "r2_score")

    def call(X: Any, y: Any) -> Any:
        return metric(y, abs(X[:, 0]) / 10 if continuous else (y + (X[:, 0] > 0)) // 2)

    with sa.options(default_format=format):
        agreeing(call)("structarr")


def test_splits_keep_the_format() -> None:
    ours = sa.asarray(COUNTS)
    for part in train_test_split(ours, random_state=0):
        assert part.format == "csr"


@pytest.mark.parametrize("layout", ["csr", "csc"])
def test_the_adapter_copies_nothing(layout: str) -> None:
    matrix = COUNTS.asformat(layout).copy()
    for part in (matrix.indices, matrix.indptr):  # coordinates that nobody can write are shared
        while part is not None:
            part.flags.writeable, part = False, part.base
    found = as_scipy(sa.asarray(matrix))
    assert found.format == layout and found.indices.dtype == np.int32
    for name in ("data", "indices", "indptr"):
        assert np.shares_memory(getattr(found, name), getattr(matrix, name))
    assert not np.shares_memory(as_scipy(sa.asarray(matrix), copy=True).data, matrix.data)
    dense = np.eye(3)
    assert np.shares_memory(as_scipy(sa.asarray(dense)), dense)
    assert as_scipy(sa.asarray(dense), copy=True).flags.writeable
    assert as_scipy(dense) is dense and as_scipy(matrix) is matrix


@pytest.mark.parametrize("format", ["csr", "csc", "coo", "dcsr", "vbl", "rle", "bitmap", "band"])
def test_the_adapter_takes_any_format(format: str) -> None:
    ours = sa.asarray(COUNTS.toarray(), format=format)
    found = as_scipy(ours)
    assert found.format == ("csc" if format == "csc" else "csr")
    assert found.indices.dtype == found.indptr.dtype == np.int32
    np.testing.assert_array_equal(found.toarray(), COUNTS.toarray())
    assert as_scipy(ours[:, 0]).shape == (40,)


def test_the_adapter_refuses_other_fills() -> None:
    with pytest.raises(FormatError, match="fill"):
        as_scipy(sa.with_fill(sa.asarray(COUNTS), 1.0))


@pytest.mark.parametrize("model", MODELS, ids=lambda model: type(model).__name__)
def test_pipelines_say_the_same_as_of_scipys(model: Any) -> None:
    plain = make_pipeline(clone(model)).fit(COUNTS, LABELS)
    ours = sa.asarray(COUNTS)
    adapter = ToScipy(copy=isinstance(model, KMeans))
    adapted = make_pipeline(adapter, clone(model)).fit(ours, sa.asarray(LABELS))
    for name in ("predict", "transform", "predict_proba"):
        if hasattr(plain, name):
            found, wanted = getattr(adapted, name)(ours), getattr(plain, name)(COUNTS)
            if scipy.sparse.issparse(wanted):
                found, wanted = found.toarray(), wanted.toarray()
            np.testing.assert_array_equal(found, wanted)


def test_cross_validation_and_parameters() -> None:
    ours = sa.asarray(COUNTS)
    found = cross_val_score(make_pipeline(ToScipy(), MultinomialNB()), ours, LABELS, cv=3)
    assert found.tolist() == cross_val_score(MultinomialNB(), COUNTS, LABELS, cv=3).tolist()
    step = clone(ToScipy(copy=True)).fit(ours)
    assert step.get_params() == {"copy": True} and step.n_features_in_ == 12
    assert list(step.get_feature_names_out()) == [f"x{k}" for k in range(12)]


@pytest.mark.long
def test_every_estimator_for_sparse_matrices_says_the_same(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("SCIPY_ARRAY_API", "1")  # which the module sets for good
    from sklearn_table import adapted

    text = "\n".join(adapted())
    assert "These do not: none." in text
    assert int(text.split("these ")[1].split()[0]) >= 119
