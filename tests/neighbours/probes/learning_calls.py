"""Calls of scikit-learn and statsmodels, which get arrays as they are."""

from __future__ import annotations

from typing import Any

import numpy as np
import statsmodels.api as sm
from sklearn import (
    cluster,
    decomposition,
    ensemble,
    feature_selection,
    impute,
    linear_model,
    metrics,
    model_selection,
    naive_bayes,
    neighbors,
    pipeline,
    preprocessing,
    svm,
    tree,
)
from sklearn.feature_extraction.text import TfidfTransformer
from sklearn.utils import check_array, extmath, resample, shuffle
from sklearn.utils.sparsefuncs import mean_variance_axis


def _predicted(model: Any) -> Any:
    return lambda o: model.fit(o.A, o.y).predict(o.A)


def _coefficients(model: Any) -> Any:
    return lambda o: model.fit(o.A, o.w).coef_


def _made(model: Any) -> Any:
    return lambda o: model.fit_transform(o.A, o.y)


LEARNING: dict[str, Any] = {
    "Ridge": _coefficients(linear_model.Ridge(solver="lsqr", tol=1e-12)),
    "LinearRegression": _coefficients(linear_model.LinearRegression(fit_intercept=False)),
    "Lasso": _coefficients(linear_model.Lasso(0.01, tol=1e-10, max_iter=100_000)),
    "ElasticNet": _coefficients(linear_model.ElasticNet(0.01, tol=1e-10, max_iter=100_000)),
    "LogisticRegression": _predicted(linear_model.LogisticRegression()),
    "SGDClassifier": _predicted(linear_model.SGDClassifier(random_state=0)),
    "RidgeClassifier": _predicted(linear_model.RidgeClassifier()),
    "Perceptron": _predicted(linear_model.Perceptron(random_state=0)),
    "LinearSVC": _predicted(svm.LinearSVC(random_state=0)),
    "SVC": _predicted(svm.SVC()),
    "MultinomialNB": _predicted(naive_bayes.MultinomialNB()),
    "BernoulliNB": _predicted(naive_bayes.BernoulliNB()),
    "ComplementNB": _predicted(naive_bayes.ComplementNB()),
    "GaussianNB": _predicted(naive_bayes.GaussianNB()),
    "KNeighborsClassifier": _predicted(neighbors.KNeighborsClassifier()),
    "NearestNeighbors": lambda o: neighbors.NearestNeighbors().fit(o.A).kneighbors(o.A)[0],
    "DecisionTreeClassifier": _predicted(tree.DecisionTreeClassifier(random_state=0)),
    "RandomForestClassifier": _predicted(ensemble.RandomForestClassifier(5, random_state=0)),
    "GradientBoostingClassifier": _predicted(
        ensemble.GradientBoostingClassifier(n_estimators=5, random_state=0)
    ),
    "KMeans": lambda o: cluster.KMeans(2, random_state=0, n_init=1).fit(o.A).inertia_,
    "MiniBatchKMeans": lambda o: (
        cluster.MiniBatchKMeans(2, random_state=0, n_init=1).fit(o.A).inertia_
    ),
    "DBSCAN": lambda o: cluster.DBSCAN(9.0).fit(o.A).labels_,
    "TruncatedSVD": lambda o: (
        decomposition.TruncatedSVD(2, algorithm="arpack").fit(o.A).singular_values_
    ),
    "PCA": lambda o: decomposition.PCA(2, svd_solver="arpack").fit(o.A).singular_values_,
    "NMF": lambda o: decomposition.NMF(2, init="nndsvd").fit(o.A).components_,
    "LatentDirichletAllocation": lambda o: (
        decomposition.LatentDirichletAllocation(2, random_state=0).fit(o.N).components_
    ),
    "StandardScaler": _made(preprocessing.StandardScaler(with_mean=False)),
    "MaxAbsScaler": _made(preprocessing.MaxAbsScaler()),
    "MinMaxScaler": _made(preprocessing.MinMaxScaler()),
    "Normalizer": _made(preprocessing.Normalizer()),
    "Binarizer": _made(preprocessing.Binarizer()),
    "PolynomialFeatures": _made(preprocessing.PolynomialFeatures(2)),
    "OneHotEncoder": lambda o: preprocessing.OneHotEncoder().fit_transform(o.N),
    "TfidfTransformer": (
        lambda o: TfidfTransformer().fit_transform(o.A),
        lambda o: TfidfTransformer().fit_transform(__import__("scipy").sparse.csr_array(o.A)),
    ),
    "SelectKBest": _made(feature_selection.SelectKBest(feature_selection.chi2, k=3)),
    "VarianceThreshold": _made(feature_selection.VarianceThreshold(2.0)),
    "SimpleImputer": _made(impute.SimpleImputer(missing_values=np.nan)),
    "pipeline": lambda o: (
        pipeline.make_pipeline(preprocessing.MaxAbsScaler(), linear_model.LogisticRegression())
        .fit(o.A, o.y)
        .predict(o.A)
    ),
    "cross_val_score": lambda o: model_selection.cross_val_score(
        naive_bayes.MultinomialNB(), o.A, o.y, cv=2
    ),
    "train_test_split": lambda o: model_selection.train_test_split(o.A, random_state=0)[1],
    "cosine_similarity": lambda o: metrics.pairwise.cosine_similarity(o.A),
    "euclidean_distances": lambda o: metrics.pairwise.euclidean_distances(o.A),
    "rbf_kernel": lambda o: metrics.pairwise.rbf_kernel(o.A),
    "polynomial_kernel": lambda o: metrics.pairwise.polynomial_kernel(o.A),
    "manhattan_distances": lambda o: metrics.pairwise.manhattan_distances(o.A),
    "normalize": lambda o: preprocessing.normalize(o.A),
    "scale": lambda o: preprocessing.scale(o.A, with_mean=False),
    "safe_sparse_dot": lambda o: extmath.safe_sparse_dot(o.A, o.v),
    "row_norms": lambda o: extmath.row_norms(o.A),
    "randomized_svd": lambda o: extmath.randomized_svd(o.A, 2, random_state=0, n_iter=20)[1],
    "check_array": lambda o: check_array(o.A, accept_sparse=True),
    "shuffle": lambda o: shuffle(o.A, random_state=0),
    "resample": lambda o: resample(o.A, random_state=0),
    "mean_variance_axis": (
        lambda o: mean_variance_axis(o.A, axis=0),
        lambda o: (o.A.mean(0), o.A.var(0)),
    ),
    "accuracy_score of labels by columns": lambda o: metrics.accuracy_score(o.A > 0, o.A > 1),
    "f1_score of labels by columns": lambda o: metrics.f1_score(
        (o.A > 0).astype(np.int64), (o.A > 1).astype(np.int64), average="micro"
    ),
}

STATISTICS: dict[str, Any] = {
    "OLS": lambda o: sm.OLS(o.w, o.A).fit().params,
    "WLS": lambda o: sm.WLS(o.w, o.A, weights=o.w + 1).fit().params,
    "GLM": lambda o: sm.GLM(o.w, o.A).fit().params,
    "RLM": lambda o: sm.RLM(o.w, o.A).fit().params,
    "GLSAR": lambda o: sm.GLSAR(o.w, o.A).fit().params,
    "add_constant": lambda o: sm.add_constant(o.D),
    "acf": lambda o: sm.tsa.acf(o.u, nlags=4),
    "ECDF": lambda o: sm.distributions.ECDF(o.u)([1.0, 3.0]),
    "lowess": lambda o: sm.nonparametric.lowess(o.u, np.arange(30.0)),
    "DescrStatsW": lambda o: sm.stats.DescrStatsW(o.A).mean,
}

PROBES = {"scikit-learn": LEARNING, "statsmodels": STATISTICS}
