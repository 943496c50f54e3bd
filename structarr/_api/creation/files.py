"""Arrays in files."""

from __future__ import annotations

import os
from typing import Any

from structarr._api.core.operands import as_array
from structarr._array import Array, of_tensor, stored


def save(path: str | os.PathLike[str], a: Any, /) -> None:
    """
    Save an array in a file, with its format; `load` reads it.

    The file is a zip archive: a description in JSON, and NumPy's .npy for each buffer. A file that
    is there already is replaced when the new one is complete, so that none is ever half written.

    Parameters
    ----------
    path : str or path-like
        Where to write. The name is taken as it is; ".npz" suits it.
    a : array_like
        What to write; a lazy array is computed.

    Raises
    ------
    FormatError
        If the format has a level that is defined inside a function.
    OSError
        If the file cannot be written.

    See Also
    --------
    load

    Examples
    --------
    >>> import tempfile
    >>> import structarr as sa
    >>> a = sa.asarray([[0.0, 2.0], [0.0, 0.0]], format="csr")
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     sa.save(f"{folder}/a.npz", a)
    ...     sa.load(f"{folder}/a.npz")
    <structarr.Array shape=(2, 2) dtype=float64 format=csr nstored=1 fill=0.0
       .  2.
       .   .>
    """
    from structarr.interop import files  # archives take 10 ms to import

    files.save(path, stored(as_array(a)))


def load(path: str | os.PathLike[str], /, *, mmap: bool = False, trusted: bool = False) -> Array:
    """
    Load an array from a file that `save` wrote.

    The content is checked before it is used, and nothing in it is executed. A level of another
    package is found if that package is imported.

    Parameters
    ----------
    path : str or path-like
        The file.
    mmap : bool
        Whether the buffers are mapped into memory: then the file opens at once, whatever its size,
        and of its values only what a computation touches is read. Coordinates are checked when they
        are first read. Buffers that are compressed, not aligned or in another byte order are copied
        (`save` writes none). Before each call the file's size, time and inode are compared. A file
        that is cut short while a kernel runs ends the process, as with `numpy.memmap`.
    trusted : bool
        Whether the coordinates are taken to be valid, and not checked: of files of your own alone,
        as kernels read and write memory where they say.

    Returns
    -------
    Array
        Of the format, shape, dtype and fill that the saved one had.

    Raises
    ------
    FormatError
        If the file is damaged, was not written by `save`, or by a newer version.
    OSError
        If the file cannot be read; when a mapped array is computed with, if it has changed.

    See Also
    --------
    save

    Examples
    --------
    >>> import tempfile
    >>> import structarr as sa
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     sa.save(f"{folder}/a.npz", sa.asarray([0, 3, 0], format="list"))
    ...     sa.load(f"{folder}/a.npz").tolist()
    [0, 3, 0]
    """
    from structarr.interop import files

    return of_tensor(files.load(path, mmap, trusted))
