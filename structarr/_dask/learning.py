"""Estimators of scikit-learn that learn chunk by chunk, where the chunks are."""

from __future__ import annotations

from collections.abc import Sequence
from copy import deepcopy
from typing import Any

import dask.array as da
import numpy as np
from dask.base import tokenize
from dask.delayed import Delayed
from dask.highlevelgraph import HighLevelGraph

from structarr._dask.united import as_dask
from structarr._dask.unknown_sizes import check_known, cut_as, may_be_equal


def partial_fit(
    model: Any, x: Any, y: Any = None, /, *, dense: bool = False, **options: Any
) -> Delayed:
    """
    Fit an estimator by its `partial_fit`, one chunk of rows after the other.

    Parameters
    ----------
    model : estimator
        With a method `partial_fit`, such as `MiniBatchKMeans`, `SGDClassifier`, `MultinomialNB` or
        `IncrementalPCA`. It is not changed.
    x : dask.array.Array or array_like
        The samples, a row each; chunks of ours are given as scikit-learn takes them, by
        `structarr.sklearn.as_scipy`.
    y : dask.array.Array or array_like, optional
        The targets, cut as the rows are.
    dense : bool
        Whether chunks are given as dense arrays, which `IncrementalPCA` needs: then the dense size
        of a chunk has to fit in a worker.
    **options
        For each call, such as ``classes=[0, 1]``.

    Returns
    -------
    dask.delayed.Delayed
        The fitted model. The model travels to the chunks, which stay where they are.

    Raises
    ------
    TypeError
        If the model cannot learn chunk by chunk.
    ValueError
        If there are not as many targets as rows, or it is not known how many rows each chunk has.

    Examples
    --------
    >>> import structarr as sa
    >>> from sklearn.naive_bayes import MultinomialNB
    >>> counts = sa.asarray([[0, 2, 0], [3, 0, 0], [0, 1, 0]], format="csr")
    >>> x = sa.dask.from_array(counts, nbytes=40)
    >>> model = sa.dask.partial_fit(MultinomialNB(), x, [0, 1, 0], classes=[0, 1]).compute()
    >>> model.predict(counts.to_scipy()).tolist()
    [0, 1, 0]
    """
    if not hasattr(model, "partial_fit"):
        raise TypeError(f"{type(model).__name__} has no partial_fit; give an incremental estimator")
    rows = as_dask(x).rechunk({1: -1})
    targets, above = _targets(y, rows)
    name = f"partial_fit-{tokenize(model, rows.name, targets, dense, options)}"
    graph: dict[Any, Any] = {(name, -1): model}
    for at in range(rows.numblocks[0]):
        given = ((rows.name, at, 0), targets[at], dense, options)
        graph[(name, at)] = (_step, (name, at - 1), *given)
    graph[name] = (name, rows.numblocks[0] - 1)
    layers = HighLevelGraph.from_collections(name, graph, dependencies=[rows, *above])
    return Delayed(name, layers)


def _targets(y: Any, rows: Any) -> tuple[Sequence[Any], list[Any]]:
    """The targets of each chunk of rows: values, or keys of a Dask array, which is given too."""
    if y is None:
        return [None] * rows.numblocks[0], []
    length = y.shape[0] if isinstance(y, da.Array) else len(y)
    if not may_be_equal(length, rows.shape[0]):
        raise ValueError(f"there are {length} targets for {rows.shape[0]} rows")
    if isinstance(y, da.Array):
        cut = cut_as(y, (rows.chunks[0],), "y")
        return [(cut.name, at) for at in range(cut.numblocks[0])], [cut]
    check_known(rows, "x")
    return np.split(np.asarray(y), np.cumsum(rows.chunks[0])[:-1]), []


def _step(model: Any, block: Any, targets: Any, dense: bool, options: dict[str, Any]) -> Any:
    """The model after one chunk more: another one, as tasks may run again."""
    from structarr.sklearn import as_scipy

    if not len(block):
        return model  # as a chosen part of the rows may leave a chunk none
    learnt = deepcopy(model)
    labels = {} if targets is None else {"y": np.asarray(targets)}
    learnt.partial_fit(
        np.asarray(block) if dense else as_scipy(block, copy=True), **labels, **options
    )
    return learnt
