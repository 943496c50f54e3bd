"""Matrices of graphs, by SciPy's functions on what our arrays store."""

from __future__ import annotations

from typing import Any, Final, Literal

from structarr._api.core.dense import densified
from structarr._api.linalg.graphs import called, edges_of, graph_of
from structarr._array import Array
from structarr._support.array_types import ArrayLike, DTypeLike, NumPyArray
from structarr._support.docstrings import documented
from structarr.formats import name_of

_KEPT: Final = ("bsr", "coo", "csc", "dia")


@documented
def laplacian(
    csgraph: ArrayLike,
    normed: bool = False,
    return_diag: bool = False,
    use_out_degree: bool = False,
    *,
    copy: bool = True,
    form: Literal["array", "function", "lo"] = "array",
    dtype: DTypeLike | None = None,
    symmetrized: bool = False,
) -> Any:
    """
    Laplacian of a graph.

    Parameters
    ----------
    $csgraph:csgraph
    normed : bool, optional
        Whether it is divided by degrees.
    return_diag : bool, optional
        Whether to return the degrees, or their roots, too.
    use_out_degree : bool, optional
        Whether edges count where they begin.
    copy : bool, optional
        Accepted, and ignored: arrays are values.
    form : {"array", "function", "lo"}, optional
        Whether to return a matrix, a function that applies it, or a linear operator.
    $dtype
    symmetrized : bool, optional
        Whether the graph and its transpose are added first.

    Returns
    -------
    matrix of SciPy or NumPy, function or LinearOperator
        As `form` says; of an array that stores every element dense. With `return_diag` a tuple of
        it and a vector.

    Raises
    ------
    $square_graph

    See Also
    --------
    scipy.sparse.csgraph.laplacian : The function that is called.
    connected_components : Components.

    Examples
    --------
    >>> import structarr as sa
    >>> sa.csgraph.laplacian(sa.diags([1.0], 1), symmetrized=True).toarray().tolist()
    [[1.0, -1.0], [-1.0, 1.0]]
    """
    return called(
        _matrix_of,
        "laplacian",
        csgraph,
        normed=normed,
        return_diag=return_diag,
        use_out_degree=use_out_degree,
        copy=copy,
        form=form,
        dtype=dtype,
        symmetrized=symmetrized,
    )


def _matrix_of(array: Array, name: str) -> Any:
    """A graph in the format that it has, if SciPy has it, as any is a list of entries in one pass.

    What is made of diagonals is diagonals, too.
    """
    keeps = name_of(array.format) in _KEPT and array.fill_value == 0
    return array.to_scipy() if keeps else graph_of(array, name)


@documented
def structural_rank(graph: ArrayLike) -> int:
    """
    Greatest rank of matrices of one structure.

    Parameters
    ----------
    $csgraph:graph

    Returns
    -------
    int
        At most the number of rows, or of columns.

    Raises
    ------
    TypeError
        If it is no matrix.

    See Also
    --------
    scipy.sparse.csgraph.structural_rank : The function that is called.
    structarr.linalg.matrix_rank : The rank itself.

    Examples
    --------
    >>> import structarr as sa
    >>> int(sa.csgraph.structural_rank(sa.diags([1.0, 2.0], 1)))
    2
    """
    return called(edges_of, "structural_rank", graph)  # type: ignore[no-any-return]


@documented
def reverse_cuthill_mckee(graph: ArrayLike, symmetric_mode: bool = False) -> NumPyArray:
    """
    Permutation that brings a matrix to a narrow band.

    Parameters
    ----------
    $csgraph:graph
    symmetric_mode : bool, optional
        Whether the matrix is symmetric.

    Returns
    -------
    numpy.ndarray
        Dense vector of the rows in their new order, in time proportional to what is stored.

    Raises
    ------
    TypeError
        If it is no matrix.

    See Also
    --------
    scipy.sparse.csgraph.reverse_cuthill_mckee : The function that is called.
    structarr.linalg.solve : Factors bands within the band.

    Examples
    --------
    >>> import structarr as sa
    >>> sa.csgraph.reverse_cuthill_mckee(sa.diags([1.0, 2.0], 1)).tolist()
    [2, 1, 0]
    """
    return called(edges_of, "reverse_cuthill_mckee", graph, symmetric_mode=symmetric_mode)  # type: ignore[no-any-return]


@documented
def csgraph_from_dense(
    graph: ArrayLike, null_value: float = 0, nan_null: bool = True, infinity_null: bool = True
) -> Any:
    """
    Sparse graph of a dense matrix.

    Parameters
    ----------
    $csgraph:graph
    $nulls

    Returns
    -------
    $scipys

    Raises
    ------
    $densification

    See Also
    --------
    scipy.sparse.csgraph.csgraph_from_dense : The function that is called.
    csgraph_to_dense : The inverse.

    Examples
    --------
    >>> import structarr as sa
    >>> sa.csgraph.csgraph_from_dense(sa.asarray([[0.0, 2.0], [0.0, 0.0]])).nnz
    1
    """
    return called(
        densified,
        "csgraph_from_dense",
        graph,
        null_value=null_value,
        nan_null=nan_null,
        infinity_null=infinity_null,
    )


@documented
def csgraph_from_masked(graph: ArrayLike) -> Any:
    """
    Sparse graph of a masked array of NumPy.

    Parameters
    ----------
    $csgraph:graph

    Returns
    -------
    $scipys

    Raises
    ------
    $densification

    See Also
    --------
    scipy.sparse.csgraph.csgraph_from_masked : The function that is called.
    csgraph_to_masked : The inverse.

    Examples
    --------
    >>> import numpy as np
    >>> import structarr as sa
    >>> sa.csgraph.csgraph_from_masked(np.ma.masked_equal([[0.0, 2.0], [0.0, 0.0]], 0)).nnz
    1
    """
    return called(densified, "csgraph_from_masked", graph)


@documented
def csgraph_masked_from_dense(
    graph: ArrayLike,
    null_value: float = 0,
    nan_null: bool = True,
    infinity_null: bool = True,
    copy: bool = True,
) -> Any:
    """
    Masked array of NumPy of a dense matrix.

    Parameters
    ----------
    $csgraph:graph
    $nulls
    copy : bool, optional
        Accepted, and ignored: arrays are values.

    Returns
    -------
    numpy.ma.MaskedArray
        The weights, masked where there is no edge.

    Raises
    ------
    $densification

    See Also
    --------
    scipy.sparse.csgraph.csgraph_masked_from_dense : The function that is called.
    csgraph_from_dense : A sparse graph.

    Examples
    --------
    >>> import structarr as sa
    >>> int(sa.csgraph.csgraph_masked_from_dense(sa.asarray([[0.0, 2.0], [0.0, 0.0]])).count())
    1
    """
    return called(
        densified,
        "csgraph_masked_from_dense",
        graph,
        null_value=null_value,
        nan_null=nan_null,
        infinity_null=infinity_null,
        copy=copy,
    )


@documented
def csgraph_to_dense(csgraph: ArrayLike, null_value: float = 0) -> NumPyArray:
    """
    Dense matrix of a sparse graph.

    Parameters
    ----------
    $csgraph:csgraph
    null_value : float, optional
        What stands where there is no edge.

    Returns
    -------
    numpy.ndarray
        Dense matrix of the weights, in time proportional to its size.

    Raises
    ------
    $square_graph

    See Also
    --------
    scipy.sparse.csgraph.csgraph_to_dense : The function that is called.
    csgraph_from_dense : The inverse.

    Examples
    --------
    >>> import structarr as sa
    >>> sa.csgraph.csgraph_to_dense(sa.diags([2.0], 1), -1).tolist()
    [[-1.0, 2.0], [-1.0, -1.0]]
    """
    return called(edges_of, "csgraph_to_dense", csgraph, null_value=null_value)  # type: ignore[no-any-return]


@documented
def csgraph_to_masked(csgraph: ArrayLike) -> Any:
    """
    Masked array of NumPy of a sparse graph.

    Parameters
    ----------
    $csgraph:csgraph

    Returns
    -------
    numpy.ma.MaskedArray
        The weights, masked where there is no edge.

    Raises
    ------
    $square_graph

    See Also
    --------
    scipy.sparse.csgraph.csgraph_to_masked : The function that is called.
    csgraph_from_masked : The inverse.

    Examples
    --------
    >>> import structarr as sa
    >>> int(sa.csgraph.csgraph_to_masked(sa.diags([2.0], 1)).count())
    1
    """
    return called(edges_of, "csgraph_to_masked", csgraph)
