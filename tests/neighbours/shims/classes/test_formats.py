"""SciPy's class-based tests of what a sparse array does, one class for each format of ours.

The generic classes of the module `scipy.sparse.tests.test_base` make their arrays by methods of the
class that inherits them; here those make arrays of ours. Its classes for single layouts of SciPy's,
which test constructors and buffers, are left out.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.sparse
from scipy.sparse._sputils import isscalarlike
from scipy.sparse.tests import test_base

import structarr as sa

LAYOUTS = {"csr": "csr", "csc": "csc", "coo": "coo", "bsr": "bsr", "dia": "dia", "dok": "hash"}
"""SciPy's layouts, and the formats that stand for them."""


def _container(layout: str, format: str) -> Any:
    """What makes arrays of a format, by the arguments of SciPy's class for a layout."""
    kind = getattr(scipy.sparse, f"{layout}_array")

    def make(arg: Any, shape: Any = None, dtype: Any = None, copy: bool = False) -> sa.Array:
        if not isinstance(arg, sa.Array):
            made = sa.asarray(kind(arg, shape=shape, dtype=dtype))
        else:
            made = arg if dtype is None else arg.astype(dtype)
        return made.asformat(format) if made.ndim == 2 else made

    return staticmethod(make)


def _is_sparse(x: Any) -> bool:
    return isinstance(x, sa.Array) or scipy.sparse.issparse(x)


def _is_scalar(x: Any) -> bool:
    return (isinstance(x, sa.Array) and not x.ndim) or isscalarlike(x)


def _equal(actual: Any, desired: Any, *args: Any, **kwargs: Any) -> None:
    """Equality by NumPy, for which only arrays of its own may have no axes and be numbers."""
    given = (actual, desired)
    first, second = (x.todense() if isinstance(x, sa.Array) else x for x in given)
    np.testing.assert_equal(first, second, *args, **kwargs)


test_base.issparse, test_base.isscalarlike, test_base.assert_equal = _is_sparse, _is_scalar, _equal

# SciPy computes quotients and products of zeros as NumPy does: here that is asked for.
sa.set_options(strict_ieee=True)

# Of the dtypes that formats store, some: each has kernels of its own.
test_base.supported_dtypes = [np.bool_, np.int64, np.float64, np.complex128]

CONTAINERS = {
    f"{layout}_container": _container(layout, format)
    for layout, format in {**LAYOUTS, "lil": "csr"}.items()
}


class _Ours(test_base.sparse_test_class()):  # type: ignore[misc]
    """The generic tests, with what SciPy asks of the class of an array answered for ours."""

    math_dtypes = test_base.supported_dtypes
    asdense = staticmethod(np.asarray)

    @classmethod
    def init_class(cls) -> None:
        super().init_class()
        cls.is_array_test = True


def _class(layout: str, format: str) -> type:
    made = type(
        f"Test{layout.upper()}",
        (_Ours,),
        {"spcreator": _container(layout, format), **CONTAINERS},
    )
    made.init_class()  # type: ignore[attr-defined]
    return made


globals().update({f"Test{one.upper()}": _class(one, format) for one, format in LAYOUTS.items()})
