"""NumPy's functions that structure does not help: on dense arrays, or refused with a reason."""

from __future__ import annotations

from typing import Any

import numpy as np

from structarr._api.core.dense_fallback import published, through
from structarr._api.core.publish import REFUSED, publish, refuse, title
from structarr._array import Array

# fmt: off
apply_along_axis = published(np.apply_along_axis, "Apply a function to the vectors along an axis")
array2string = published(np.array2string, "Write an array as text")
diag_indices_from = published(np.diag_indices_from, "Indices of the main diagonal of an array")
geomspace = published(np.geomspace, "Evenly spaced values on a logarithmic scale, by their ends")
i0 = published(np.i0, "Modified Bessel function of the first kind, order 0")
interp = published(np.interp, "Linear interpolation of a function that is known at some points")
ix_ = published(np.ix_, "Open mesh of vectors of indices")
logspace = published(np.logspace, "Evenly spaced values on a logarithmic scale")
poly = published(np.poly, "Polynomial of given roots")
polyadd = published(np.polyadd, "Sum of polynomials")
polyder = published(np.polyder, "Derivative of a polynomial")
polydiv = published(np.polydiv, "Quotient and remainder of polynomials")
polyfit = published(np.polyfit, "Polynomial of least squares through points")
polyint = published(np.polyint, "Antiderivative of a polynomial")
polymul = published(np.polymul, "Product of polynomials")
polysub = published(np.polysub, "Difference of polynomials")
ravel_multi_index = published(np.ravel_multi_index, "Places in C order of tuples of coordinates")
roots = published(np.roots, "Roots of a polynomial")
savetxt = published(np.savetxt, "Write a matrix to a file of text")
savez = published(np.savez, "Write dense arrays to one file of NumPy's format")
savez_compressed = published(np.savez_compressed, "Write dense arrays to one compressed file")
sort_complex = published(np.sort_complex, "Complex numbers in order")
tril_indices_from = published(np.tril_indices_from, "Indices of the lower triangle of a matrix")
triu_indices_from = published(np.triu_indices_from, "Indices of the upper triangle of a matrix")
unravel_index = published(np.unravel_index, "Coordinates of places in C order")
unwrap = published(np.unwrap, "Angles without jumps of more than half a period")
vander = published(np.vander, "Matrix of the powers of a vector")
frexp = published(np.frexp, "Mantissas and exponents of base two")
# fmt: on

# `structarr.save` and `structarr.linspace` take other arguments than NumPy's.
published(np.save, "Write a dense array to a file of NumPy's format")
published(np.linspace, "Evenly spaced values, by their ends")


@publish(np.array_repr)
def array_repr(arr: Any, *args: Any, **kwargs: Any) -> str:
    """
    Return the text by which the interpreter shows an array; nothing is computed.

    Examples
    --------
    >>> import structarr as sa
    >>> sa.array_repr(sa.asarray([1, 2]) * 2)
    '<structarr.Array shape=(2,) dtype=int64 format=dense nstored=2 fill=0\\n  2  4>'
    """
    return repr(arr)


@publish(np.array_str)
def array_str(a: Any, *args: Any, **kwargs: Any) -> str:
    """
    Return the text that `print` writes of an array.

    Examples
    --------
    >>> import structarr as sa
    >>> sa.array_str(sa.sum([1, 2]))
    '3'
    """
    return str(a)


_WRITERS: dict[Any, str] = {
    np.copyto: "bind the name to the other array, or use structarr.where",
    np.fill_diagonal: "use a[i, i] = value with i = numpy.arange(n), or a sum with structarr.diag",
    np.place: "use a[mask] = values, or structarr.where",
    np.put: "use a[indices] = values",
    np.put_along_axis: "use a[indices] = values",
    np.putmask: "use a[mask] = values, or structarr.where",
}


def _writer(twin: Any, instead: str) -> None:
    """Publish a function that writes into its first argument: NumPy's array, but not ours."""

    def write(target: Any, *args: Any, **kwargs: Any) -> Any:
        if isinstance(target, Array):
            raise TypeError(
                f"{title(twin)} writes into its first argument, and structarr arrays are values: "
                f"{instead}"
            )
        return through(twin, target, *args, **kwargs)

    publish(twin, how="dense")(write)
    REFUSED[twin] = f"arrays are values: {instead}"


for _twin, _instead in _WRITERS.items():
    _writer(_twin, _instead)

_DATES = "dates are not stored: give NumPy's arrays"
_BITS = "its bits are those of dense bytes: call it on a.todense()"
_REFUSED: dict[Any, str] = {
    np.busday_count: _DATES,
    np.busday_offset: _DATES,
    np.datetime_as_string: _DATES,
    np.is_busday: _DATES,
    np.isnat: _DATES,
    np.packbits: _BITS,
    np.unpackbits: _BITS,
}
for _twin, _why in _REFUSED.items():
    refuse(_twin, _why)
