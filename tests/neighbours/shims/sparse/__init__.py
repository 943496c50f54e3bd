"""The names of pydata/sparse on structarr's arrays, for public suites that are written against it.

`python tests/neighbours/shims/run_suite.py pydata` runs pydata/sparse's own tests so, and `xarray`
that library's tests of sparse arrays.
"""

from __future__ import annotations

import builtins
from importlib import import_module
from typing import Any

import numpy as np
import scipy.sparse

import structarr as sa
from structarr import *  # noqa: F403

__version__ = "0.19.3"
SparseArray = sa.Array

# That library computes its functions of fills as NumPy does: here that is asked for.
sa.set_options(strict_ieee=True)


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
        if data is None and isinstance(coords, (dict, list)):
            return cls.from_iter(coords, shape, fill_value)
        if data is None and isinstance(coords, tuple):
            data, coords = coords
        if data is None:
            if shape is not None and tuple(shape) != np.shape(coords):
                raise ValueError(f"{np.shape(coords)} is not the shape {shape}")
            return _stored(coords, cls.format, fill_value)
        places = np.atleast_2d(np.asarray(coords)) if np.ndim(coords) < 2 else np.asarray(coords)
        values = np.asarray(data)
        if isinstance(shape, tuple) and not shape:
            return sa.asarray(values.sum())
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
        if shape is None and isinstance(x, dict):
            raise TypeError("entries by their places need a shape")
        entries = list(x.items() if isinstance(x, dict) else x)
        if isinstance(x, tuple) and len(x) == 2:
            entries = list(
                zip(zip(*x[1], strict=True) if x[1] else ((),) * len(x[0]), x[0], strict=True)
            )
        if shape == () and entries:
            given = np.asarray([value for _, value in entries], dtype)
            return sa.asarray(given.sum(dtype=given.dtype))
        if not entries:
            lengths = tuple(np.atleast_1d(shape).tolist())
            none = np.zeros((len(lengths), 0), int), np.zeros(0, dtype)
            return cls(*none, lengths, fill_value=fill_value)
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
        if cls.format in ("csr", "csc") and not isinstance(arg, sa.Array) and np.ndim(arg) != 2:
            raise ValueError(f"an array of shape {np.shape(arg)} is {np.ndim(arg)}-d, not 2-d")
        return _stored(arg, cls.format, fill_value)

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
        given = [np.asarray(element).dtype for element in (data or {}).values()]
        kind = np.dtype(dtype or (np.result_type(*given) if given else np.float64))
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


default_rng = np.random.default_rng(20230217)
"""What draws for the suite, which has the same arrays in each run."""


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
    if nnz is not None and density is not None:
        raise ValueError("give a density or a number of entries")
    count = int(size * share) if nnz is None else nnz
    if not 0 <= count <= size:
        raise ValueError(f"cannot generate {count} elements")
    known = random_state is not None and not hasattr(random_state, "bit_generator")
    rng = np.random.default_rng(random_state) if known else default_rng
    places = np.sort(rng.choice(size, count, replace=False))
    values = rng.random(count) if data_rvs is None else np.asarray(data_rvs(count))
    fill = values.dtype.type(0) if fill_value is None else fill_value
    if not lengths:
        return sa.asarray(values[0] if count else fill)
    made = sa.from_coordinates(np.unravel_index(places, lengths), values, lengths, fill_value=fill)
    return _stored(made, format if isinstance(format, str) else format.format)


def as_coo(x: Any, shape: Any = None, fill_value: Any = None, idx_dtype: Any = None) -> Any:
    """An array as coordinates."""
    if isinstance(x, sa.Array) and fill_value is not None:
        raise ValueError("an array has its fill")
    return COO(x, shape=shape, fill_value=fill_value)


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
    """Conversion to SciPy, by pydata's name; of another fill if that is accepted."""
    accepted = np.atleast_1d([0 if accept_fv is None else accept_fv])
    if not builtins.any(np.array_equal(self.fill_value, one, equal_nan=True) for one in accepted):
        raise ValueError(f"fill_value={self.fill_value} but should be in {accept_fv}.")
    return sa.with_fill(self, 0).to_scipy()


def _coords(self: Any) -> Any:
    """Where elements are stored, which nobody can write."""
    if not self.ndim:
        return _fixed(np.zeros((0, self.nnz), np.intp))
    return _fixed(np.array(np.nonzero(sa.stored(self).todense())))


def _data(self: Any) -> Any:
    """What is stored, which nobody can write."""
    return _fixed(np.atleast_1d(self.todense()[tuple(_coords(self))]))


def _fixed(made: Any) -> Any:
    made.flags.writeable = False
    return made


sa.Array.asformat = _asformat  # type: ignore[method-assign]
for _method, _does in {
    "to_scipy_sparse": _to_scipy_sparse,
    "to_coo": lambda self: self.asformat("coo"),
    "change_compressed_axes": lambda self, axes: None,
    "broadcast_to": sa.broadcast_to,
    "isinf": sa.isinf,
    "isnan": sa.isnan,
    "density": property(lambda self: self.nnz / self.size),
    "coords": property(_coords),
    "data": property(_data),
}.items():
    setattr(sa.Array, _method, _does)


def repeat(a: Any, repeats: Any, axis: Any = None) -> Any:
    """Elements several times, by one number for all."""
    if not isinstance(a, sa.Array):
        raise TypeError("`a` must be a SparseArray")
    if np.ndim(repeats):
        raise ValueError("`repeats` must be an integer")
    return sa.repeat(a, repeats, axis=axis)


def _of_ours(name: str) -> Any:
    """A function that refuses NumPy's arrays, and takes an axis by its place."""
    own = getattr(sa, name)

    def function(x: Any, axis: Any = None, **kwargs: Any) -> Any:
        if not isinstance(x, sa.Array):
            raise TypeError("the array must be a SparseArray")
        return own(x, **({} if axis is None else {"axis": axis}), **kwargs)

    return function


unstack, diff = map(_of_ours, ("unstack", "diff"))


def _unique(name: str) -> Any:
    """A function that returns distinct values as NumPy's arrays."""
    own = getattr(sa, name)

    def function(x: Any) -> Any:
        if not isinstance(x, sa.Array):
            raise ValueError("Input must be an instance of SparseArray")
        found = own(x)
        if isinstance(found, tuple):
            return type(found)(*(part.todense() for part in found))
        return found.todense()

    return function


unique_values, unique_counts = map(_unique, ("unique_values", "unique_counts"))


def interp(x: Any, xp: Any, fp: Any, **kwargs: Any) -> Any:
    """Interpolated values, as NumPy's array of one."""
    found = sa.interp(x, xp, fp, **kwargs)
    return found if isinstance(x, sa.Array) else found.todense()


def where(condition: Any, *choices: Any) -> Any:
    """Elements of one array or of another; indices, of ours alone."""
    if not choices and not isinstance(condition, sa.Array):
        raise ValueError("the array must be a SparseArray")
    return sa.where(condition, *choices)


def diagonalize(a: Any, axis: int = 0) -> Any:
    """A new last axis, along which elements are on the diagonal of it and another."""
    array = sa.moveaxis(sa.asarray(a), axis, -1)
    return sa.moveaxis(array[..., None] * sa.eye(array.shape[-1]), -2, axis)


def eye(N: int, M: Any = None, k: int = 0, **kwargs: Any) -> Any:
    """Ones on a diagonal."""
    return _stored(sa.eye(N, M, k=k, **_kept(kwargs)), kwargs.get("format", "coo"))


def _kept(options: dict[str, Any]) -> dict[str, Any]:
    return {name: options[name] for name in ("dtype", "device") if name in options}


def asnumpy(a: Any, dtype: Any = None, order: Any = None) -> Any:
    """The elements."""
    return np.asarray(a.todense() if isinstance(a, sa.Array) else a, dtype=dtype, order=order)


def elemwise(func: Any, *args: Any, **kwargs: Any) -> Any:
    """A function of NumPy's of each element."""
    kwargs.pop("dtype", None)
    if not builtins.any(isinstance(arg, sa.Array) or scipy.sparse.issparse(arg) for arg in args):
        raise ValueError(f"None of the args is sparse: {args}")
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

    function.__name__ = name
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
