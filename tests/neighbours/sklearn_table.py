"""What scikit-learn does with our arrays, beside array_api_strict's, as tables for the docs.

python tests/neighbours/sklearn_table.py [--data DIR] writes the tables of docs/sklearn.md, in
minutes.
With a folder of matrices in SciPy's .npz files, pipelines on them are compared, too.
"""

import argparse
import os
import sys
import warnings
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from inspect import Parameter, signature
from pathlib import Path
from typing import Any

os.environ["SCIPY_ARRAY_API"] = "1"

import numpy as np
import scipy.sparse
import sklearn
from sklearn.cluster import KMeans
from sklearn.decomposition import NMF, TruncatedSVD
from sklearn.experimental import enable_halving_search_cv  # noqa: F401  (lists them)
from sklearn.feature_selection import SelectKBest, chi2
from sklearn.linear_model import LogisticRegression, Ridge, SGDClassifier
from sklearn.naive_bayes import MultinomialNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import MaxAbsScaler
from sklearn.svm import SVR, LinearSVC
from sklearn.tree import DecisionTreeClassifier
from sklearn.utils import all_estimators, get_tags
from sklearn_cases import ESTIMATORS, OTHERS, Check, array_api_metrics, compliant

import structarr as sa
from structarr.sklearn import ToScipy, as_scipy

PAGE = Path(__file__).parents[2] / "docs" / "sklearn.md"
MARK = "<!-- What follows is written by tests/neighbours/sklearn_table.py -->"
COLUMNS = (("structarr", None), ("structarr", "list"), ("array_api_strict", None))
COPIED = ("BisectingKMeans", "KMeans", "MiniBatchKMeans", "PolynomialFeatures")
MODELS = {
    "TruncatedSVD": TruncatedSVD(5, random_state=0),
    "LogisticRegression": LogisticRegression(max_iter=200),
    "MultinomialNB": MultinomialNB(),
    "KMeans": KMeans(4, random_state=0, n_init=1),
    "nearest neighbours": KNeighborsClassifier(),
    "chi2": SelectKBest(chi2, k=10),
    "MaxAbsScaler, SGD": make_pipeline(MaxAbsScaler(), SGDClassifier(random_state=0)),
    "LinearSVC": LinearSVC(random_state=0),
    "tree": DecisionTreeClassifier(max_depth=5, random_state=0),
    "NMF": NMF(3, random_state=0, max_iter=20),
}

CLASSIFIERS = [("one", LogisticRegression()), ("other", MultinomialNB())]
REGRESSORS = [("one", Ridge()), ("other", SVR())]
ARGUMENTS: dict[str, dict[str, Any]] = {
    "ColumnTransformer": {"transformers": [("scaled", MaxAbsScaler(), [0, 3, 5])]},
    "FeatureUnion": {
        "transformer_list": [("all", MaxAbsScaler()), ("some", MODELS["TruncatedSVD"])]
    },
    "GaussianRandomProjection": {"n_components": 3},
    "GridSearchCV": {"param_grid": {"alpha": [0.1, 1.0]}, "cv": 2},
    "HalvingGridSearchCV": {"param_grid": {"alpha": [0.1, 1.0]}, "cv": 2},
    "HalvingRandomSearchCV": {"param_distributions": {"alpha": [0.1, 1.0]}, "cv": 2},
    "Pipeline": {"steps": [("scaled", MaxAbsScaler()), ("model", LogisticRegression())]},
    "RandomizedSearchCV": {"param_distributions": {"alpha": [0.1, 1.0]}, "n_iter": 2, "cv": 2},
    "SelfTrainingClassifier": {"estimator": LogisticRegression()},
    "SequentialFeatureSelector": {"n_features_to_select": 2, "cv": 2},
    "SparseCoder": {"dictionary": np.eye(4, 20)},
    "SparseRandomProjection": {"n_components": 3},
    "StackingClassifier": {"estimators": CLASSIFIERS},
    "StackingRegressor": {"estimators": REGRESSORS},
    "VotingClassifier": {"estimators": CLASSIFIERS},
    "VotingRegressor": {"estimators": REGRESSORS},
}
"""What estimators are made with that need arguments, beside those of `made`."""


def outcome(check: Callable[[], None]) -> str:
    """Whether a check passes, or why not."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            check()
    except Exception as error:
        text = " ".join(str(error).split()).replace("|", "/")
        return f"no: {type(error).__name__}: {text[:80]}"
    return "yes"


def cell(check: Check, namespace: str, format: str | None) -> str:
    """The outcome with arrays of a namespace, ours stored in a format."""
    with sa.options(default_format=format, strict_ieee=format is not None):
        return outcome(partial(check, namespace))


def compared(title: str, checks: Iterable[tuple[str, Check]]) -> Iterator[str]:
    """A table of checks by namespaces, with counts."""
    yield from ("", f"## {title}", "")
    yield from (
        "| what | structarr, dense | structarr, lists | array_api_strict |",
        "|---|---|---|---|",
    )
    counts, total = [0, 0, 0], 0
    for name, check in checks:
        cells = [cell(check, *column) for column in COLUMNS]
        counts = [n + (one == "yes") for n, one in zip(counts, cells, strict=True)]
        total += 1
        print(name, cells, file=sys.stderr)
        yield f"| `{' '.join(name.split())}` | " + " | ".join(cells) + " |"
    yield f"| **yes, of {total}** | " + " | ".join(map(str, counts)) + " |"


def made(kind: Any) -> Any:
    """An estimator of a class; one of others, if it needs one."""
    needed = signature(kind).parameters
    arguments = dict(ARGUMENTS.get(kind.__name__, {}))
    if "estimator" in needed and needed["estimator"].default is Parameter.empty:
        regresses = "Regressor" in kind.__name__ or "alpha" in str(arguments)
        arguments["estimator"] = Ridge() if regresses else LogisticRegression()
    return kind(**arguments)


def adapted() -> Iterator[str]:
    """The estimators for sparse matrices that give the same by the adapter, and the others."""
    matrix = scipy.sparse.random_array((60, 20), density=0.2, format="csr", random_state=0)
    matrix.data = np.abs(matrix.data) + 0.1
    y = 1 + np.arange(60) % 2
    same, others = [], []
    for name, kind in all_estimators():
        several = name in ("ClassifierChain", "RegressorChain") or name.startswith("MultiOutput")
        wished = np.stack([y, 3 - y], axis=1) if several else y
        try:
            estimator = made(kind)
            if not get_tags(estimator).input_tags.sparse:
                continue
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                wanted = fitted(estimator, matrix, matrix, wished)
        except Exception as error:  # it needs other data
            print(name, "takes no such matrix:", str(error)[:80], file=sys.stderr)
            continue
        ours = as_scipy(sa.asarray(matrix), copy=name in COPIED)
        found = outcome(partial(check_fitted, estimator, ours, ours, wished, wanted))
        if found == "yes":
            same.append(f"`{name}`")
        else:
            others.append(f"`{name}` ({found})")
    yield from ("", "## Estimators for sparse matrices", "")
    yield f"Of those that take a small matrix of SciPy's, these {len(same)} give the same through"
    yield f"`as_scipy` (with `copy=True`: {', '.join(COPIED)}): {', '.join(same)}."
    yield f"These do not: {', '.join(others) or 'none'}."


def fitted(estimator: object, given: object, asked: object, y: object) -> list[object]:
    """What an estimator says after fitting."""
    random = {"random_state": 0} if "random_state" in estimator.get_params() else {}
    model = sklearn.clone(estimator).set_params(**random).fit(given, y)
    names = ("predict", "transform", "predict_proba")
    return [getattr(model, name)(asked) for name in names if hasattr(model, name)]


def check_fitted(
    estimator: object, given: object, asked: object, y: object, wanted: list[object]
) -> None:
    """Raise unless an estimator says the same, to the bit."""
    for one, other in zip(fitted(estimator, given, asked, y), wanted, strict=True):
        dense = [x.toarray() if scipy.sparse.issparse(x) else np.asarray(x) for x in (one, other)]
        np.testing.assert_array_equal(*dense)


def tables(folder: Path) -> Iterator[str]:
    """Pipelines on real tables, by the adapter, against SciPy's arrays."""
    yield from ("", "## Real tables", "")
    yield "Pipelines with `ToScipy` as first step, against the same on SciPy's arrays without it:"
    yield "predictions, probabilities and transformations are equal to the bit. At most 5000 rows."
    yield from (
        "",
        "| table | shape | " + " | ".join(MODELS) + " |",
        "|---" * (len(MODELS) + 2) + "|",
    )
    for path in sorted(folder.glob("*.npz")):
        try:
            matrix = scipy.sparse.csr_array(scipy.sparse.load_npz(path))[:5000].astype(float)
        except (ValueError, OSError):  # no matrix of SciPy's
            continue
        y = (matrix @ np.random.default_rng(0).standard_normal(matrix.shape[1]) > 0).astype(int)
        ours, cells = sa.asarray(matrix), []
        for name, model in MODELS.items():
            pipeline = make_pipeline(ToScipy(copy=name in COPIED), sklearn.clone(model))
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                wanted = fitted(make_pipeline(sklearn.clone(model)), matrix, matrix, y)
            cells.append(
                outcome(partial(check_fitted, pipeline, ours, ours, sa.asarray(y), wanted))
            )
            print(path.stem, name, cells[-1], file=sys.stderr)
        yield f"| {path.stem} | {matrix.shape[0]} x {matrix.shape[1]} | " + " | ".join(cells) + " |"


def main() -> None:
    """Write the tables below the mark."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, help="a folder of SciPy's .npz files")
    data = parser.parse_args().data
    estimators = [(" ".join(repr(one).split()), compliant(one)) for one in ESTIMATORS]
    lines = [f"With scikit-learn {sklearn.__version__}, structarr {sa.__version__}:"]
    lines += compared("Estimators", estimators)
    lines += compared("Metrics", array_api_metrics())
    lines += compared("Others: splitters, encoders, meta-estimators, mixtures", OTHERS.items())
    lines += adapted()
    lines += tables(data) if data else []
    above = PAGE.read_text().split(MARK)[0]
    PAGE.write_text(above + MARK + "\n\n" + "\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
