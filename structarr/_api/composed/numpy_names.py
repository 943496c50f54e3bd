"""NumPy's functions that make arrays out of nothing that has structure, as arrays of ours.

The package finds these names when they are asked for.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from structarr._api.core.publish import member, publish
from structarr._api.creation.creation import asarray
from structarr._api.creation.diagonals import eye
from structarr._api.shape.manipulation import permute_dims
from structarr._api.shape.reshaping import reshape
from structarr._array import Array, Spec
from structarr._support.array_types import ArrayLike, DTypeLike, Order


@publish(np.array)
def array(
    object: Any,
    dtype: DTypeLike | None = None,
    *,
    copy: bool | None = True,
    order: Order = "K",
    subok: bool = False,
    ndmin: int = 0,
    ndmax: int = 0,
    like: Any = None,
    format: Spec | None = None,
) -> Array:
    """
    Make an array of an array-like, with memory of its own: `asarray` with NumPy's arguments.

    Parameters
    ----------
    object : array_like, or an object of a library that `asarray` takes
        The elements.
    dtype : dtype_like, optional
        Of the result; None keeps that of the object.
    copy : bool, optional
        True copies, False raises where nothing else would do, None copies where it must.
    order, subok, ndmax, like
        Of no consequence here.
    ndmin : int, optional
        The least number of axes; new ones come in front.
    format : str, Level or Format, optional
        How to store the elements; None keeps the structure that the object has.

    Returns
    -------
    Array
        As `asarray` makes it, in its format and time; a copy of the memory.

    Raises
    ------
    TypeError
        If the dtype cannot be stored.
    ValueError
        If a copy is forbidden and nothing else would do.

    See Also
    --------
    asarray : Shares memory where it can.

    Examples
    --------
    >>> import structarr as sa
    >>> sa.array([[0, 2], [0, 0]], format="csr").nnz
    1
    """
    made = asarray(object, dtype=dtype, copy=copy, format=format)
    return reshape(made, (1,) * (ndmin - made.ndim) + made.shape) if made.ndim < ndmin else made


# Orders and requirements of memory have no meaning here.
publish(np.asanyarray, np.ascontiguousarray, np.asfortranarray, np.asarray)(
    lambda a, dtype=None, order=None, *, device=None, copy=None, format=None: asarray(
        a, dtype=dtype, copy=copy, device=device, format=format
    )
)
publish(np.require)(lambda a, dtype=None, requirements=None: asarray(a, dtype=dtype))


def transpose(a: ArrayLike, /, axes: Any = None) -> Array:
    """
    Permute axes, by default in reversed order: NumPy's name of `permute_dims`.

    Parameters
    ----------
    a : array_like
        The array, of any shape and dtype.
    axes : sequence of int, optional
        An axis of `a` for each axis of the result; None reverses them.

    Returns
    -------
    Array
        Lazy view, in the format of `a` with its axes permuted: nothing is copied.

    Raises
    ------
    ValueError
        If the axes are not those of the array, each once.
    numpy.exceptions.AxisError
        If there is no such axis.

    See Also
    --------
    permute_dims : The array API's name.

    Examples
    --------
    >>> import structarr as sa
    >>> sa.transpose(sa.zeros((2, 3))).shape
    (3, 2)
    """
    return permute_dims(a, axes)


@publish(np.identity)
def identity(n: int, dtype: DTypeLike | None = None, *, format: Spec | None = None) -> Array:
    """
    Make a square matrix with ones on the main diagonal, of which two numbers are stored.

    Parameters
    ----------
    n : int
        How many rows.
    dtype : dtype_like, optional
        Of the elements; float64 by default.
    format : str, Level or Format, optional
        How to store the array; None stands for "dia".

    Returns
    -------
    Array
        In format "dia", in constant time.

    Raises
    ------
    ValueError
        If the number is below zero.

    See Also
    --------
    eye : Other diagonals, and other shapes.

    Examples
    --------
    >>> import structarr as sa
    >>> sa.identity(2).tolist()
    [[1.0, 0.0], [0.0, 1.0]]
    """
    return eye(n, dtype=dtype, format=format)


def _numpys(twin: Any, *args: Any, format: Spec | None = None, **kwargs: Any) -> Any:
    """
    Return what a function of NumPy's makes as arrays of ours.

    Parameters
    ----------
    *args, **kwargs
        As NumPy's function has them.
    format : str, Level or Format, optional
        How to store the result.

    Returns
    -------
    Array or tuple of Array
        Of all elements, in `format` if it is given.

    Raises
    ------
    ValueError
        If NumPy's function raises it.

    See Also
    --------
    asarray : Of arrays that are there.
    """
    made = twin(*args, **kwargs)
    if isinstance(made, tuple):
        return tuple([asarray(one, format=format) for one in made])
    return asarray(made, format=format)


def _maker(twin: Any, says: str, example: str, gives: str) -> Any:
    return member(_numpys, twin, says, example, gives, how="dense")


fromfunction = _maker(
    np.fromfunction,
    "Make an array by a function of the indices.",
    "sa.fromfunction(lambda i, j: i + j, (2, 2), dtype=int).tolist()",
    "[[0, 1], [1, 2]]",
)
fromiter = _maker(
    np.fromiter,
    "Make a vector of what an iterator yields.",
    "sa.fromiter(range(3), int).tolist()",
    "[0, 1, 2]",
)
frombuffer = _maker(
    np.frombuffer,
    "Make a vector of the bytes of a buffer.",
    'sa.frombuffer(b"ab", "uint8").tolist()',
    "[97, 98]",
)
fromfile = _maker(
    np.fromfile,
    "Make a vector of the bytes or the text of a file.",
    "import os\n>>> sa.fromfile(os.devnull).shape",
    "(0,)",
)
fromstring = _maker(
    np.fromstring,
    "Make a vector of the numbers of a text.",
    'sa.fromstring("1 2", sep=" ").tolist()',
    "[1.0, 2.0]",
)
loadtxt = _maker(
    np.loadtxt,
    "Make an array of a file of text.",
    'sa.loadtxt(["1 2", "3 4"]).tolist()',
    "[[1.0, 2.0], [3.0, 4.0]]",
)
genfromtxt = _maker(
    np.genfromtxt,
    "Make an array of a file of text that may lack values.",
    'sa.genfromtxt(["1 2", "3 4"]).tolist()',
    "[[1.0, 2.0], [3.0, 4.0]]",
)
indices = _maker(
    np.indices,
    "Make the arrays of all indices of a shape.",
    "sa.indices((2,)).tolist()",
    "[[0, 1]]",
)
diag_indices = _maker(
    np.diag_indices,
    "Make the indices of the main diagonal of an array of equal axes.",
    "[one.tolist() for one in sa.diag_indices(2)]",
    "[[0, 1], [0, 1]]",
)
tril_indices = _maker(
    np.tril_indices,
    "Make the indices of a lower triangle.",
    "[one.tolist() for one in sa.tril_indices(2)]",
    "[[0, 1, 1], [0, 0, 1]]",
)
triu_indices = _maker(
    np.triu_indices,
    "Make the indices of an upper triangle.",
    "[one.tolist() for one in sa.triu_indices(2)]",
    "[[0, 0, 1], [0, 1, 1]]",
)
mask_indices = _maker(
    np.mask_indices,
    "Make the indices that a function of a matrix, such as `triu`, keeps.",
    "import numpy as np\n>>> [one.tolist() for one in sa.mask_indices(2, np.triu)]",
    "[[0, 0, 1], [0, 1, 1]]",
)
bartlett = _maker(
    np.bartlett, "Make Bartlett's window.", "sa.bartlett(3).tolist()", "[0.0, 1.0, 0.0]"
)
blackman = _maker(
    np.blackman,
    "Make Blackman's window.",
    "sa.blackman(3).shape, sa.blackman(1).item()",
    "((3,), 1.0)",
)
hamming = _maker(
    np.hamming, "Make Hamming's window.", "sa.hamming(3).round(2).tolist()", "[0.08, 1.0, 0.08]"
)
hanning = _maker(np.hanning, "Make Hann's window.", "sa.hanning(3).tolist()", "[0.0, 1.0, 0.0]")
kaiser = _maker(np.kaiser, "Make Kaiser's window.", "sa.kaiser(3, 0.0).tolist()", "[1.0, 1.0, 1.0]")
