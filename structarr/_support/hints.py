"""Hints: what to use in the place of names that other libraries have."""

from __future__ import annotations

from typing import Final

from structarr._support.numpys_own import ABSENT

ATTRIBUTES: Final = {
    **dict.fromkeys(("to_numpy", "numpy", "to_dense", "A", "values"), "use a.todense()"),
    **dict.fromkeys(("indices", "indptr", "data", "coords", "row", "col"), "a.to_scipy() has them"),
    **dict.fromkeys(("loc", "iloc", "at", "iat", "isel", "sel"), "use a[...], as in NumPy"),
    **dict.fromkeys(("chunks", "chunksize", "rechunk"), "an array is in one piece"),
    **dict.fromkeys(("persist", "load"), "use a.compute()"),
    **dict.fromkeys(("eliminate_zeros", "sum_duplicates", "prune"), "use a.asformat(a.format)"),
    **dict.fromkeys(("getrow", "row_slice"), "use a[i, :]"),
    **dict.fromkeys(("getcol", "getcolumn"), "use a[:, j]"),
    **dict.fromkeys(("strides", "flags", "ctypes"), "a.todense() has them"),
    "setdiag": "assign to a[i, i]",
    "index": "labels are not kept: a.to_pandas(index=...)",
    "columns": "labels are not kept: a.to_pandas(columns=...)",
    "apply": "declare the function by structarr.operator, or write a program of loops",
    "cpu": "the array is in the host's memory",
    "is_sparse": "a.format tells how it is stored",
    "layout": "a.format tells how it is stored",
}
"""Of arrays: what stands for an attribute that NumPy, SciPy, pandas, PyTorch or Dask has."""

ASSIGNED: Final = {
    "shape": "use a.reshape(shape)",
    "dtype": "use a.astype(dtype)",
    "format": "use a.asformat(name)",
    "fill_value": "use structarr.with_fill(a, value), or structarr.where(a == old, new, a)",
    "real": "use value + 1j * a.imag",
    "imag": "use a.real + 1j * value",
    "T": "assign to a[...]",
    "flat": "assign to a[...]",
}
"""Of arrays: what to do where programs of NumPy's assign to an attribute."""

FUNCTIONS: Final = {
    **ABSENT,
    **dict.fromkeys(("todense", "toarray", "to_numpy"), "use a.todense()"),
    "asformat": "use a.asformat(name)",
    "csr_matrix": 'use asarray(x, format="csr")',
    "csr_array": 'use asarray(x, format="csr")',
    "csc_array": 'use asarray(x, format="csc")',
    "coo_array": "use from_coordinates((i, j), values, shape)",
    "COO": "use from_coordinates((i, j), values, shape)",
    "from_numpy": "use asarray(x)",
    "random": "use asarray(scipy.sparse.random_array(...))",
    "save_npz": "use save(path, a)",
    "load_npz": "use asarray(scipy.sparse.load_npz(path)), or load(path) for our own files",
    "set_option": "use set_options(name=value)",
    "get_options": "use options.current",
}
"""Of the package: what stands for a function of NumPy, SciPy or pydata/sparse."""
