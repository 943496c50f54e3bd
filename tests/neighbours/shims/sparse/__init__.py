"""The names of pydata/sparse on structarr's arrays, for public suites that are written against it.

`python tests/neighbours/shims/run_suite.py pydata` runs pydata/sparse's own tests so, and `xarray`
that library's tests of sparse arrays.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

import numpy as np
import scipy.sparse

import structarr as sa
from structarr import *  # noqa: F403

__version__ = "0.19.3"
SparseArray = sa.Array


class _Kind(type):
    """A class of pydata's: any array of ours is an instance."""

    def __instancecheck__(cls, value: object) -> bool:
        return isinstance(value, sa.Array)


def _stored(x: Any, format: str, fill: Any = None) -> sa.Array:
    """An array-like in lists, of another fill if it is dense."""
    if isinstance(x, sa.Array):
        made = (
            x
            if fill is None
            else sa.asarray(x.todense(), format=_name(format, x.ndim), fill_value=fill)
        )
    elif scipy.sparse.issparse(x):
        made = sa.asarray(x)
    else:
        dense = np.asarray(x)
        value = dense.dtype.type(0) if fill is None else fill
        if not dense.ndim:
            return sa.asarray(dense)
        return sa.asarray(dense, format=_name(format, dense.ndim), fill_value=value)
    return made.asformat(_name(format, made.ndim)) if made.ndim else made


def _name(format: str, ndim: int) -> str:
    """Our format for one of theirs."""
    if format in ("csr", "csc") and ndim == 2:
        return format
    if not ndim:
        return "dense"
    return {"dok": "hash", "gcxs": "csf"}.get(format, "coo")


class COO(metaclass=_Kind):
    """Arrays as lists of coordinates."""

    format = "coo"

    def __new__(
        cls,
        coords: Any,
        data: Any = None,
        shape: Any = None,
        has_duplicates: bool = True,
        sorted: bool = False,
        prune: bool = False,
        cache: bool = False,
        fill_value: Any = None,
        idx_dtype: Any = None,
    ) -> Any:
        if data is None:
            return _stored(coords, cls.format, fill_value)
        places = np.atleast_2d(np.asarray(coords)) if np.ndim(coords) < 2 else np.asarray(coords)
        values = np.asarray(data)
        if not values.ndim:
            values = np.broadcast_to(values, places.shape[1:])
        lengths = None if shape is None else tuple(np.atleast_1d(shape).tolist())
        fill = values.dtype.type(0) if fill_value is None else fill_value
        made = sa.from_coordinates(tuple(places), values, lengths, fill_value=fill)
        return _stored(made, cls.format)

    @classmethod
    def from_numpy(cls, x: Any, fill_value: Any = None, idx_dtype: Any = None) -> Any:
        return _stored(np.asarray(x), cls.format, fill_value)

    @classmethod
    def from_scipy_sparse(cls, x: Any, /, *, fill_value: Any = None) -> Any:
        made = _stored(x, cls.format)
        return made if fill_value is None else sa.with_fill(made, fill_value)

    @classmethod
    def from_coo(cls, x: Any, compressed_axes: Any = None, idx_dtype: Any = None) -> Any:
        return _stored(x, cls.format)

    @classmethod
    def from_iter(cls, x: Any, shape: Any = None, fill_value: Any = None, dtype: Any = None) -> Any:
        entries = list(x.items() if isinstance(x, dict) else x)
        if entries and not isinstance(entries[0][0], (tuple, list, int)):
            entries = [(place, value) for *place, value in entries]
        places = np.array([np.atleast_1d(place) for place, _ in entries]).T
        values = np.array([value for _, value in entries], dtype)
        return cls(places, values, shape, fill_value=fill_value)


class GCXS(COO):
    """Arrays as compressed lists."""

    format = "gcxs"

    def __new__(  # type: ignore[override]
        cls,
        arg: Any,
        shape: Any = None,
        compressed_axes: Any = None,
        prune: bool = False,
        fill_value: Any = None,
        idx_dtype: Any = None,
    ) -> Any:
        if isinstance(arg, tuple):
            data, indices, indptr = arg
            axes = compressed_axes or (0,)
            kind = scipy.sparse.csr_array if tuple(axes) == (0,) else scipy.sparse.csc_array
            return sa.asarray(kind((data, indices, indptr), shape=shape))
        return _stored(arg, "gcxs", fill_value)

    @classmethod
    def from_numpy(
        cls, x: Any, compressed_axes: Any = None, fill_value: Any = None, idx_dtype: Any = None
    ) -> Any:
        return _stored(np.asarray(x), "gcxs", fill_value)


class DOK(COO):
    """Arrays that are looked up by hashing."""

    format = "dok"

    @staticmethod
    def to_coo(x: Any) -> Any:
        return _stored(x, "coo")

    def __new__(  # type: ignore[override]
        cls, shape: Any, data: Any = None, dtype: Any = None, fill_value: Any = None
    ) -> Any:
        if isinstance(shape, (sa.Array, np.ndarray)) or scipy.sparse.issparse(shape):
            return _stored(shape, "dok", fill_value)
        lengths = tuple(np.atleast_1d(shape).tolist())
        kind = np.dtype(dtype or np.float64)
        value = kind.type(0) if fill_value is None else fill_value
        made = sa.from_coordinates(
            np.zeros((len(lengths), 0), int), np.zeros(0, kind), lengths, fill_value=value
        ).asformat(_name("dok", len(lengths)))
        for place, element in (data or {}).items():
            made[place] = element
        return made


class CSR(GCXS):
    """Matrices as compressed rows."""

    format = "csr"


class CSC(GCXS):
    """Matrices as compressed columns."""

    format = "csc"


def random(
    shape: Any,
    density: Any = None,
    nnz: Any = None,
    random_state: Any = None,
    data_rvs: Any = None,
    format: str = "coo",
    fill_value: Any = None,
    idx_dtype: Any = None,
    **options: Any,
) -> Any:
    """Random entries at random places."""
    lengths = (shape,) if np.ndim(shape) == 0 else tuple(shape)
    size = int(np.prod(lengths, dtype=np.int64))
    share = 0.01 if density is None else density
    if nnz is None and not 0 <= share <= 1:
        raise ValueError(f"density {share} is not in the unit interval")
    count = int(size * share) if nnz is None else nnz
    if not 0 <= count <= size:
        raise ValueError(f"cannot generate {count} elements")
    rng = np.random.default_rng(
        random_state if not hasattr(random_state, "bit_generator") else None
    )
    places = np.sort(rng.choice(size, count, replace=False))
    values = rng.random(count) if data_rvs is None else np.asarray(data_rvs(count))
    fill = values.dtype.type(0) if fill_value is None else fill_value
    if not lengths:
        return sa.asarray(values[0] if count else fill)
    made = sa.from_coordinates(np.unravel_index(places, lengths), values, lengths, fill_value=fill)
    return _stored(made, format if isinstance(format, str) else format.format)


def as_coo(x: Any, shape: Any = None, fill_value: Any = None, idx_dtype: Any = None) -> Any:
    """An array as coordinates."""
    return _stored(x, "coo", fill_value)


def as_gcxs(x: Any, *args: Any, fill_value: Any = None, **options: Any) -> Any:
    """An array as compressed lists."""
    return _stored(x, "gcxs", fill_value)


asCOO = as_coo


def _product(name: str) -> Any:
    """A product, which pydata returns as NumPy's array where an operand is one."""
    own = getattr(sa, name)

    def function(a: Any, b: Any, *args: Any, return_type: Any = None, **kwargs: Any) -> Any:
        found = own(a, b, *args, **kwargs)
        if return_type in (COO, GCXS):
            return _stored(found, return_type.format)
        dense = np.ndarray in (type(a), type(b), return_type)
        return found.todense() if dense else found

    return function


tensordot, matmul, dot = map(_product, ("tensordot", "matmul", "dot"))

_own_asformat = sa.Array.asformat


def _asformat(self: Any, format: Any, **options: Any) -> Any:
    """Conversion to a format by pydata's names, and by its classes."""
    name = format if isinstance(format, str) else getattr(format, "format", format)
    known = isinstance(name, str) and name in ("coo", "csr", "csc", "gcxs", "dok")
    return _own_asformat(self, _name(name, self.ndim) if known else format)


def _to_scipy_sparse(self: Any, /, *, accept_fv: Any = None) -> Any:
    """Conversion to SciPy, by pydata's name."""
    return self.to_scipy()


sa.Array.asformat = _asformat  # type: ignore[method-assign]
sa.Array.to_scipy_sparse = _to_scipy_sparse  # type: ignore[attr-defined]


def asnumpy(a: Any, dtype: Any = None, order: Any = None) -> Any:
    """The elements."""
    return np.asarray(a.todense() if isinstance(a, sa.Array) else a, dtype=dtype, order=order)


def elemwise(func: Any, *args: Any, **kwargs: Any) -> Any:
    """A function of NumPy's of each element."""
    kwargs.pop("dtype", None)
    return func(*args, **kwargs)


def _creation(name: str) -> Any:
    own = getattr(sa, name)

    def function(
        *args: Any, format: str = "coo", compressed_axes: Any = None, **kwargs: Any
    ) -> Any:
        places = 2 if name.startswith("full") else 1
        args, rest = args[:places], args[places:]
        if rest:
            kwargs["dtype"] = rest[0]
        kwargs.pop("order", None)
        made = own(*args, **kwargs)
        fill = made.todense().flat[0] if made.size and name.startswith("full") else None
        if name.startswith("ones"):
            fill = made.dtype.type(1)
        return _stored(made, format, fill)

    return function


zeros, ones, full = map(_creation, ("zeros", "ones", "full"))
zeros_like, ones_like, full_like = map(_creation, ("zeros_like", "ones_like", "full_like"))


def save_npz(filename: Any, matrix: Any, compressed: bool = True) -> None:
    """A file of ours."""
    sa.save(filename, matrix)


load_npz = sa.load


def __getattr__(name: str) -> Any:
    if name == "numba_backend":
        return import_module("sparse.numba_backend")
    if name == "_compressed":
        return import_module("sparse.numba_backend._compressed")
    return getattr(sa, name)


def __dir__() -> list[str]:
    return sorted({*globals(), *dir(sa)})
