"""What scikit-learn can do with arrays: estimators, metrics and splitters, each with its check.

A check takes the name of a namespace, and raises unless the results are those of NumPy's arrays.
SCIPY_ARRAY_API=1 must be in the environment before SciPy is imported.
"""

from collections.abc import Callable, Iterator

import numpy as np
import sklearn
from sklearn.calibration import CalibratedClassifierCV
from sklearn.datasets import make_classification
from sklearn.decomposition import PCA
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.kernel_approximation import Nystroem
from sklearn.linear_model import (
    LogisticRegression,
    PoissonRegressor,
    Ridge,
    RidgeClassifier,
    RidgeClassifierCV,
    RidgeCV,
)
from sklearn.mixture import GaussianMixture
from sklearn.model_selection import (
    GridSearchCV,
    GroupKFold,
    KFold,
    RandomizedSearchCV,
    ShuffleSplit,
    StratifiedKFold,
    cross_val_predict,
    cross_val_score,
    cross_validate,
    train_test_split,
)
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline, make_union
from sklearn.preprocessing import (
    Binarizer,
    KernelCenterer,
    LabelBinarizer,
    LabelEncoder,
    MaxAbsScaler,
    MinMaxScaler,
    Normalizer,
    PolynomialFeatures,
    StandardScaler,
)
from sklearn.utils.estimator_checks import check_array_api_input

Check = Callable[[str], None]

ESTIMATORS = [
    Binarizer(),
    GaussianNB(),
    GridSearchCV(Ridge(), {"alpha": [0.1, 1.0]}, cv=2),
    KernelCenterer(),
    LinearDiscriminantAnalysis(),
    LogisticRegression(),
    MaxAbsScaler(),
    MinMaxScaler(),
    *(Normalizer(norm=norm) for norm in ("l1", "l2", "max")),
    *(Nystroem(kernel=kernel, n_components=5, random_state=0) for kernel in ("rbf", "linear")),
    PCA(n_components=2, svd_solver="full"),
    PCA(n_components=2, svd_solver="full", whiten=True),
    PCA(n_components=2, svd_solver="covariance_eigh"),
    PCA(n_components=2, svd_solver="randomized", power_iteration_normalizer="QR", random_state=0),
    PoissonRegressor(),
    *(PolynomialFeatures(2, interaction_only=only) for only in (False, True)),
    RandomizedSearchCV(Ridge(), {"alpha": [0.1, 1.0]}, n_iter=2, cv=2, random_state=0),
    Ridge(solver="svd"),
    RidgeCV(),
    RidgeClassifier(solver="svd"),
    RidgeClassifierCV(),
    StandardScaler(),
    make_pipeline(StandardScaler(), LogisticRegression()),
    make_union(StandardScaler(), MinMaxScaler()),
]


def _made() -> tuple[np.ndarray, np.ndarray]:
    return make_classification(n_samples=60, n_features=8, random_state=0)


def compliant(estimator: object, dtypes: tuple[str, ...] = ("float64", "float32")) -> Check:
    """scikit-learn's own check of an estimator."""

    def check(namespace: str) -> None:
        device = "CPU_DEVICE" if namespace == "array_api_strict" else None
        for dtype in dtypes:
            check_array_api_input(
                type(estimator).__name__,
                estimator,
                array_namespace=namespace,
                device_name=device,
                dtype_name=dtype,
                check_values=True,
            )

    return check


def agreeing(call: Callable[..., object]) -> Check:
    """A call with X and y as arrays of a namespace, compared with the same of NumPy's."""

    def check(namespace: str) -> None:
        xp = __import__(namespace)
        X, y = _made()
        wanted = call(X, y)
        with sklearn.config_context(array_api_dispatch=True):
            found = call(xp.asarray(X), xp.asarray(y))
        _same(found, wanted)

    return check


def _same(found: object, wanted: object) -> None:
    if isinstance(wanted, dict):
        for name in wanted:
            if "time" not in name:
                _same(found[name], wanted[name])
    elif isinstance(wanted, (list, tuple)):
        assert len(found) == len(wanted)
        for one, other in zip(found, wanted, strict=True):
            _same(one, other)
    else:
        plain = found if isinstance(found, (float, int)) else np.from_dlpack(found)
        np.testing.assert_allclose(plain, wanted, rtol=1e-6, atol=1e-10)


def array_api_metrics() -> Iterator[tuple[str, Check]]:
    """scikit-learn's own checks of metrics, by name."""
    from sklearn.metrics.tests.test_common import array_api_metric_checkers

    for metric, checkers in array_api_metric_checkers.items():
        keywords = getattr(metric, "keywords", {})
        given = ", ".join(f"{key}={value}" for key, value in keywords.items())
        name = getattr(metric, "func", metric).__name__ + (f"({given})" if given else "")
        yield name, _metric(metric, checkers)


def _metric(metric: object, checkers: list[Callable[..., None]]) -> Check:
    def check(namespace: str) -> None:
        device = "CPU_DEVICE" if namespace == "array_api_strict" else None
        for checker in checkers:
            checker(metric, namespace, device, "float64")

    return check


def _split(splitter: object) -> Check:
    grouped = {"groups": np.arange(60) // 6} if isinstance(splitter, GroupKFold) else {}
    return agreeing(
        lambda X, y: [part for pair in splitter.split(X, y, **grouped) for part in pair]
    )


def _mixture(kind: str) -> Check:
    model = GaussianMixture(
        2, covariance_type=kind, init_params="random_from_data", random_state=0, reg_covar=1e-3
    )
    return agreeing(lambda X, y: sklearn.clone(model).fit(X).predict_proba(X))


RIDGE = Ridge(solver="svd")
CALIBRATED = CalibratedClassifierCV(LinearDiscriminantAnalysis(), method="temperature", cv=3)
OTHERS: dict[str, Check] = {
    "CalibratedClassifierCV(method='temperature')": agreeing(
        lambda X, y: sklearn.clone(CALIBRATED).fit(X, y).predict_proba(X)
    ),
    **{
        f"GaussianMixture(covariance_type={kind!r})": _mixture(kind)
        for kind in ("full", "tied", "diag", "spherical")
    },
    "LabelEncoder()": agreeing(lambda X, y: LabelEncoder().fit_transform(y)),
    "LabelBinarizer()": agreeing(lambda X, y: LabelBinarizer().fit_transform(y)),
    "train_test_split": agreeing(lambda X, y: train_test_split(X, y, random_state=0)),
    "train_test_split(stratify=y)": agreeing(
        lambda X, y: train_test_split(X, y, random_state=0, stratify=y)
    ),
    "KFold(5)": _split(KFold(5)),
    "StratifiedKFold(5)": _split(StratifiedKFold(5)),
    "ShuffleSplit(3)": _split(ShuffleSplit(3, random_state=0)),
    "GroupKFold(3)": _split(GroupKFold(3)),
    "cross_val_score": agreeing(lambda X, y: cross_val_score(RIDGE, X, y, cv=3)),
    "cross_val_predict": agreeing(lambda X, y: cross_val_predict(RIDGE, X, y, cv=3)),
    "cross_validate": agreeing(lambda X, y: cross_validate(RIDGE, X, y, cv=3)),
}
