"""Calls of NumPy's functions on arrays of few elements along very long axes, by name."""

import numpy as np

import structarr as sa
from structarr._array import of_tensor
from structarr._storage.coordinates import from_coordinates
from structarr.formats import parse

N, LONG = 100_000, 10**12
ROWS, COLUMNS = np.array([3, 500, 777, N - 1]), np.array([7, 20, N - 1000, N - 2])
PLACES = np.array([5, 10**6, 7 * 10**9, LONG - 1])
VALUES = np.array([1.0, 2.0, 3.0, 4.0])


def stored(axes, shape, format, values=VALUES):
    fill = values.dtype.type(0)
    return of_tensor(from_coordinates(axes, values, shape, fill, parse(format, len(shape))))


def vector(values=VALUES):
    return stored((PLACES,), (LONG,), "list", values)


def matrix():
    return stored((ROWS, COLUMNS), (N, N), "csr")


def hypersparse():
    return stored((ROWS * 10, COLUMNS * 10), (10 * N, 10 * N), "csf")


def _put(array):
    np.put_along_axis(array, np.zeros((1,) * array.ndim, int), 9.0, axis=0)
    return array


def plain(name):
    """One of NumPy's functions of the array alone."""
    function = np
    for part in name.split("."):
        function = getattr(function, part)
    return lambda x: function(x)


ALONE = """
all amax amin angle any argmax argmin argsort argwhere around array2string array_repr array_str
atleast_1d atleast_2d atleast_3d copy corrcoef count_nonzero cov cumprod cumsum diag
diag_indices_from diagonal diff ediff1d empty_like fix flatnonzero flip fliplr flipud gradient
histogram histogram_bin_edges histogramdd i0 imag iscomplex iscomplexobj isneginf isposinf isreal
isrealobj mean matrix_transpose max median min min_scalar_type nan_to_num nanargmax nanargmin
nancumprod nancumsum nanmax nanmean nanmedian nanmin nanprod nanstd nansum nanvar ndim nonzero
ones_like prod ptp ravel real rot90 round shape sinc size sort sort_complex squeeze std
sum trace transpose trapezoid tril tril_indices_from triu triu_indices_from unique unique_all
unique_counts unique_inverse unique_values unwrap var zeros_like
linalg.cholesky linalg.cond linalg.det linalg.diagonal linalg.eig linalg.eigh linalg.eigvals
linalg.eigvalsh linalg.inv linalg.matrix_norm linalg.matrix_rank linalg.matrix_transpose
linalg.norm linalg.pinv linalg.qr linalg.slogdet linalg.svd linalg.svdvals linalg.tensorinv
linalg.trace linalg.vector_norm
fft.fft fft.fft2 fft.fftn fft.fftshift fft.hfft fft.ifft fft.ifft2 fft.ifftn fft.ifftshift
fft.ihfft fft.irfft fft.irfft2 fft.irfftn fft.rfft fft.rfft2 fft.rfftn
"""
CALLS = {name: plain(name) for name in ALONE.split()}
ALONG = "all any argmax argmin cumprod cumsum max mean median min nanmax nanmean sum nansum prod"
for _name in ALONG.split():
    CALLS[f"{_name} along"] = lambda x, name=_name: getattr(np, name)(x, axis=0)


def _triple(x):
    return x[:, :3] if x.ndim == 2 else x[:3]


def _ints(x):
    return x.astype("int64")


# fmt: off
CALLS |= {
    "allclose": lambda x: np.allclose(x, x),
    "append": lambda x: np.append(x, x),
    "append along": lambda x: np.append(x, x, axis=0),
    "apply_along_axis": lambda x: np.apply_along_axis(np.sum, 0, x),
    "apply_over_axes": lambda x: np.apply_over_axes(np.sum, x, 0),
    "argpartition": lambda x: np.argpartition(x, 3),
    "array_equal": lambda x: np.array_equal(x, x),
    "array_equiv": lambda x: np.array_equiv(x, x),
    "array_split": lambda x: np.array_split(x, 3),
    "astype": lambda x: np.astype(x, "float32"),
    "average": lambda x: np.average(x, axis=0),
    "bincount": lambda x: np.bincount(_ints(x.ravel())),
    "block": lambda x: np.block([x, x]),
    "broadcast_arrays": lambda x: np.broadcast_arrays(x, 1.0),
    "broadcast_to": lambda x: np.broadcast_to(x, (2, *x.shape)),
    "can_cast": lambda x: np.can_cast(x.dtype, float),
    "choose": lambda x: np.choose(_ints(x) * 0, [x, x]),
    "clip": lambda x: np.clip(x, 0, 2),
    "column_stack": lambda x: np.column_stack([x, x]),
    "common_type": lambda x: np.common_type(x, x),
    "compress": lambda x: np.compress([True, False], x, axis=0),
    "concat": lambda x: np.concat([x, x]),
    "concatenate": lambda x: np.concatenate([x, x]),
    "convolve": lambda x: np.convolve(x.ravel(), [1.0, 2.0]),
    "copyto": lambda x: np.copyto(np.zeros(3), x.ravel()[:3]),
    "correlate": lambda x: np.correlate(x.ravel(), [1.0, 2.0]),
    "cross": lambda x: np.cross(_triple(x), _triple(x)),
    "cumulative_prod": lambda x: np.cumulative_prod(x, axis=0),
    "cumulative_sum": lambda x: np.cumulative_sum(x, axis=0),
    "delete": lambda x: np.delete(x, [1, 2]),
    "delete along": lambda x: np.delete(x, slice(1, 9, 3), 0),
    "diagflat": lambda x: np.diagflat(x[0]),
    "digitize": lambda x: np.digitize(x, [0.5, 2]),
    "dot": lambda x: np.dot(x, x),
    "dsplit": lambda x: np.dsplit(x.reshape((1, 1, -1)), 2),
    "dstack": lambda x: np.dstack([x, x]),
    "einsum": lambda x: np.einsum("i,i->", x.ravel(), x.ravel()),
    "einsum_path": lambda x: np.einsum_path("i,i->", x.ravel(), x.ravel()),
    "expand_dims": lambda x: np.expand_dims(x, 0),
    "extract": lambda x: np.extract(x != 0, x),
    "full_like": lambda x: np.full_like(x, 3),
    "geomspace": lambda x: np.geomspace(x + 1, x + 2, 3),
    "histogram2d": lambda x: np.histogram2d(x.ravel(), x.ravel()),
    "hsplit": lambda x: np.hsplit(x, 2),
    "hstack": lambda x: np.hstack([x, x]),
    "inner": lambda x: np.inner(x, x),
    "insert": lambda x: np.insert(x, [3, 3, 0], 9.0),
    "insert along": lambda x: np.insert(x, 3, 9.0, axis=0),
    "interp": lambda x: np.interp(x, [0, 1], [0, 2]),
    "intersect1d": lambda x: np.intersect1d(x, x),
    "isclose": lambda x: np.isclose(x, x),
    "isin": lambda x: np.isin(x, [1.0, 2.0]),
    "ix_": lambda x: np.ix_(x.ravel()),
    "kron": lambda x: np.kron(x, np.ones((1, 2)[2 - x.ndim:])),
    "lexsort": lambda x: np.lexsort((x, x)),
    "linspace": lambda x: np.linspace(x, x + 1, 3),
    "logspace": lambda x: np.logspace(x, x + 1, 3),
    "may_share_memory": lambda x: np.may_share_memory(x, x),
    "meshgrid": lambda x: np.meshgrid(x.ravel(), [1, 2]),
    "moveaxis": lambda x: np.moveaxis(x, 0, -1),
    "nanpercentile": lambda x: np.nanpercentile(x, 30),
    "nanquantile": lambda x: np.nanquantile(x, 0.3),
    "outer": lambda x: np.outer(x, x),
    "pad": lambda x: np.pad(x, 2),
    "pad by edges": lambda x: np.pad(x, 2, "edge"),
    "pad by copies": lambda x: np.pad(x, 2, "reflect"),
    "pad far": lambda x: np.pad(x, [(0, 3 * x.shape[0]), *[(0, 0)] * (x.ndim - 1)], "wrap"),
    "partition": lambda x: np.partition(x, 3),
    "percentile": lambda x: np.percentile(x, 30),
    "permute_dims": lambda x: np.permute_dims(x, tuple(range(x.ndim))[::-1]),
    "piecewise": lambda x: np.piecewise(x, [x > 1], [7.0, lambda part: part * 2]),
    # Of a matrix NumPy itself goes through the rows.
    "poly": lambda x: np.poly(x.ravel()),
    "roots": lambda x: np.roots(x.ravel()),
    "polyadd": lambda x: np.polyadd(x.ravel(), x.ravel()),
    "polyder": lambda x: np.polyder(x.ravel()),
    "polydiv": lambda x: np.polydiv(x.ravel(), x.ravel()),
    "polyfit": lambda x: np.polyfit(x.ravel(), x.ravel(), 2),
    "polyint": lambda x: np.polyint(x.ravel()),
    "polymul": lambda x: np.polymul(x.ravel(), x.ravel()),
    "polysub": lambda x: np.polysub(x.ravel(), x.ravel()),
    "polyval": lambda x: np.polyval([1.0, 2.0, 0.0], x),
    "quantile": lambda x: np.quantile(x, 0.3),
    "ravel_multi_index": lambda x: np.ravel_multi_index((_ints(x), _ints(x)), (10, 10)),
    "real_if_close": lambda x: np.real_if_close(x + 0j),
    "repeat": lambda x: np.repeat(x, 2),
    "repeat along": lambda x: np.repeat(x, 3, axis=0),
    "reshape": lambda x: np.reshape(x, (2, -1)),
    "resize": lambda x: np.resize(x, (3, x.size)),
    "result_type": lambda x: np.result_type(x, 1),
    "roll": lambda x: np.roll(x, 3),
    "roll along": lambda x: np.roll(x, 3, axis=0),
    "rollaxis": lambda x: np.rollaxis(x, x.ndim - 1),
    "save": lambda x: np.save("never", x),
    "savetxt": lambda x: np.savetxt("never", x),
    "savez": lambda x: np.savez("never", x),
    "savez_compressed": lambda x: np.savez_compressed("never", x),
    "searchsorted": lambda x: np.searchsorted(np.array([0.0, 1.0]), x),
    "select": lambda x: np.select([x > 1, x < 1], [x, x * 2]),
    "setdiff1d": lambda x: np.setdiff1d(x, [1.0, 2.0]),
    "setxor1d": lambda x: np.setxor1d(x, [1.0, 2.0]),
    "shares_memory": lambda x: np.shares_memory(x, x),
    "split": lambda x: np.split(x, 2),
    "stack": lambda x: np.stack([x, x]),
    "swapaxes": lambda x: np.swapaxes(x, 0, -1),
    "take": lambda x: np.take(x, [1, 2]),
    "put_along_axis": lambda x: _put(x + 0),
    "take_along_axis": lambda x: np.take_along_axis(x, np.zeros((1,) * x.ndim, int), axis=0),
    "tensordot": lambda x: np.tensordot(x, x, 1),
    "tile": lambda x: np.tile(x, 2),
    "trim_zeros": lambda x: np.trim_zeros(x.ravel()),
    "union1d": lambda x: np.union1d(x, x),
    "unique along": lambda x: np.unique(x, axis=0),
    "unravel_index": lambda x: np.unravel_index(_ints(x), (10,)),
    "unstack": lambda x: np.unstack(x[:3]),
    "vander": lambda x: np.vander(x.ravel(), 3),
    "vdot": lambda x: np.vdot(x, x),
    "vsplit": lambda x: np.vsplit(x, 2),
    "vstack": lambda x: np.vstack([x, x]),
    "where": lambda x: np.where(x > 1, x, 0.0),
    "linalg.cross": lambda x: np.linalg.cross(_triple(x), _triple(x)),
    "linalg.lstsq": lambda x: np.linalg.lstsq(x, x),
    "linalg.matmul": lambda x: np.linalg.matmul(x, x),
    "linalg.matrix_power": lambda x: np.linalg.matrix_power(x, 3),
    "linalg.multi_dot": lambda x: np.linalg.multi_dot([x, x, x]),
    "linalg.outer": lambda x: np.linalg.outer(x[0], x[0]),
    "linalg.solve": lambda x: np.linalg.solve(x, x),
    "linalg.tensordot": lambda x: np.linalg.tensordot(x, x, axes=1),
    "linalg.tensorsolve": lambda x: np.linalg.tensorsolve(x, x[0]),
    "linalg.vecdot": lambda x: np.linalg.vecdot(x, x),
}
# fmt: on


def ufunc(name):
    """One of NumPy's ufuncs, of as many operands as it takes and of a dtype that it takes."""
    function = getattr(np, name)
    whole = not any(one[0] in "fd" for one in function.types)

    def call(x):
        operands = [_ints(x) if whole else x] * function.nin
        if name == "ldexp":
            operands[1] = x.astype("int32")
        if name in ("matvec", "vecmat"):
            operands[name == "matvec"] = x[0]
        return function(*operands)

    return call


def computed(result):
    """The value of whatever a call returns."""
    if isinstance(result, tuple | list):
        for one in result:
            computed(one)
    elif isinstance(result, sa.Array):
        result.compute()
