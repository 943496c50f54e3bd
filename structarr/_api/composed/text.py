"""Arrays as text, and dense ones in NumPy's files."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from typing import Any, BinaryIO, Literal, TextIO, TypeAlias

import numpy as np

from structarr._api.core.dense_fallback import through
from structarr._api.core.publish import publish
from structarr._array import Array
from structarr._support.array_types import ArrayLike, NumPyArray

Path: TypeAlias = str | os.PathLike[str]


@publish(np.array_repr)
def array_repr(arr: ArrayLike, *args: object, **kwargs: object) -> str:
    """
    Return the text by which the interpreter shows an array; nothing is computed.

    Parameters
    ----------
    arr : array_like
        The array.
    *args, **kwargs
        Accepted as NumPy's function has them, and ignored.

    Returns
    -------
    str
        What `repr` gives.

    See Also
    --------
    array_str : What `str` gives.

    Examples
    --------
    >>> import structarr as sa
    >>> sa.array_repr(sa.asarray([1, 2]) * 2)
    '<structarr.Array shape=(2,) dtype=int64 format=dense nstored=2 fill=0\\n  2  4>'
    """
    return repr(arr)


@publish(np.array_str)
def array_str(a: ArrayLike, *args: object, **kwargs: object) -> str:
    """
    Return the text that `print` writes of an array.

    Parameters
    ----------
    a : array_like
        The array, which is computed.
    *args, **kwargs
        Accepted as NumPy's function has them, and ignored.

    Returns
    -------
    str
        What `str` gives.

    See Also
    --------
    array_repr : What `repr` gives.

    Examples
    --------
    >>> import structarr as sa
    >>> sa.array_str(sa.sum([1, 2]))
    '3'
    """
    return str(a)


@publish(np.array2string, how="dense")
def array2string(
    a: Array | NumPyArray,
    max_line_width: int | None = None,
    precision: int | None = None,
    suppress_small: bool | None = None,
    separator: str = " ",
    prefix: str = "",
    *,
    formatter: Mapping[str, Callable[[Any], str]] | None = None,
    threshold: int | None = None,
    edgeitems: int | None = None,
    sign: Literal["-", "+", " "] | None = None,
    floatmode: Literal["fixed", "unique", "maxprec", "maxprec_equal"] | None = None,
    suffix: str = "",
    legacy: Any = None,
) -> str:
    """
    Write the dense elements as text.

    Parameters
    ----------
    a : Array or numpy.ndarray
        Of any shape; a dense copy of it is made.
    max_line_width : int, optional
        Number of characters after which lines are broken.
    precision : int, optional
        Number of digits of floats.
    suppress_small : bool, optional
        Whether what is close to zero is written as zero.
    separator : str, optional
        Text between elements.
    prefix, suffix : str, optional
        Text for which room is left at the start and at the end of lines.
    formatter : mapping of callable, optional
        How elements of a kind are written.
    threshold : int, optional
        Number of elements above which some are left out.
    edgeitems : int, optional
        Number that is shown at each end then.
    sign : {"-", "+", " "}, optional
        How the sign of positive numbers is written.
    floatmode : {"fixed", "unique", "maxprec", "maxprec_equal"}, optional
        How `precision` is meant.
    legacy : str or bool, optional
        Which older version of NumPy it is to look like.

    Returns
    -------
    str
        What `numpy.array2string` makes of a dense copy.

    Raises
    ------
    $densification

    See Also
    --------
    array_str : The format and what is stored.

    Examples
    --------
    >>> import structarr as sa
    >>> sa.array2string(sa.asarray([[1, 2], [3, 4]]), separator=", ")
    '[[1, 2],\\n [3, 4]]'
    """
    told = {"formatter": formatter, "threshold": threshold, "edgeitems": edgeitems, "sign": sign}
    return through(  # type: ignore[no-any-return]
        np.array2string,
        a,
        max_line_width,
        precision,
        suppress_small,
        separator,
        prefix,
        floatmode=floatmode,
        suffix=suffix,
        legacy=legacy,
        **told,
    )


@publish(np.savetxt, how="dense")
def savetxt(
    fname: Path | BinaryIO | TextIO,
    X: ArrayLike,
    fmt: str | tuple[str, ...] | list[str] = "%.18e",
    delimiter: str = " ",
    newline: str = "\n",
    header: str = "",
    footer: str = "",
    comments: str = "# ",
    encoding: str | None = None,
) -> None:
    """
    Write a vector or a matrix to a file of text.

    Parameters
    ----------
    fname : str, path-like or file
        Where to write.
    X : array_like
        Of one axis or two; a dense copy of it is made.
    fmt : str or sequence of str, optional
        How numbers are written, in all columns or in each.
    delimiter, newline : str, optional
        Text between columns and after rows.
    header, footer : str, optional
        Text at the start and at the end, each line after `comments`.
    comments : str, optional
        Text before each line of the header and the footer.
    encoding : str, optional
        Of the file.

    Raises
    ------
    ValueError
        If there are more axes than two.
    $densification

    See Also
    --------
    save : With the format, in a file of our own.

    Examples
    --------
    >>> import sys
    >>> import structarr as sa
    >>> sa.savetxt(sys.stdout, [[1, 2]], fmt="%d")
    1 2
    """
    through(
        np.savetxt, fname, X, fmt, delimiter, newline, header, footer, comments, encoding=encoding
    )


@publish(np.savez, how="dense")
def savez(file: Path | BinaryIO, *args: ArrayLike, **kwds: Any) -> None:
    """
    Write dense arrays to one file of NumPy's format.

    Parameters
    ----------
    file : str, path-like or file
        Where to write.
    *args : array_like
        Arrays, which are named ``arr_0``, ``arr_1`` and so on; dense copies of them are made.
    **kwds
        Arrays by their names; `allow_pickle`, as NumPy's function has it, is none.

    Raises
    ------
    $densification

    See Also
    --------
    save : With the format, in a file of our own.
    savez_compressed : A smaller file.

    Examples
    --------
    >>> import io
    >>> import numpy as np
    >>> import structarr as sa
    >>> file = io.BytesIO()
    >>> sa.savez(file, a=sa.asarray([1, 2]))
    >>> np.load(io.BytesIO(file.getvalue()))["a"].tolist()
    [1, 2]
    """
    through(np.savez, file, *args, **kwds)


@publish(np.savez_compressed, how="dense")
def savez_compressed(file: Path | BinaryIO, *args: ArrayLike, **kwds: Any) -> None:
    """
    Write dense arrays to one compressed file of NumPy's format.

    Parameters
    ----------
    file : str, path-like or file
        Where to write.
    *args : array_like
        Arrays, which are named ``arr_0``, ``arr_1`` and so on; dense copies of them are made.
    **kwds
        Arrays by their names; `allow_pickle`, as NumPy's function has it, is none.

    Raises
    ------
    $densification

    See Also
    --------
    save : With the format, in a file of our own.
    savez : Without compression.

    Examples
    --------
    >>> import io
    >>> import numpy as np
    >>> import structarr as sa
    >>> file = io.BytesIO()
    >>> sa.savez_compressed(file, a=sa.asarray([1, 2]))
    >>> np.load(io.BytesIO(file.getvalue()))["a"].tolist()
    [1, 2]
    """
    through(np.savez_compressed, file, *args, **kwds)
