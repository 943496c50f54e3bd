"""Arrays in files."""

from __future__ import annotations

import os

from structarr._api.core.operands import as_array
from structarr._api.creation.rows_to_files import is_in_rows, save_by_rows
from structarr._array import Array, of_tensor, stored
from structarr._compiler.options import current
from structarr._support.array_types import ArrayLike


def save(path: str | os.PathLike[str], a: ArrayLike, /) -> None:
    """
    Save an array in a file, with its format; `load` reads it.

    The file is a zip archive: a description in JSON, and NumPy's .npy for each buffer. A file that
    is there already is replaced when the new one is complete, so that none is ever half written.

    Under the option `memory_limit`, an array that is not computed yet is computed and written some
    rows at a time (columns, where these are stored), so that the whole need not fit in memory; the
    disk takes it twice meanwhile. Formats whose rows do not lie one after the other, such as lists
    of coordinates, are computed as a whole.

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
    MemoryLimitError
        If even a single row needs more memory than `memory_limit`.
    OSError
        If the file cannot be written; what was there before is unchanged.

    See Also
    --------
    load : Reads the file.

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

    array = as_array(a)
    if current().memory_limit is None or not is_in_rows(array):
        files.save(path, stored(array))
    else:
        save_by_rows(path, array)


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
        are first read, of slices along the outermost level no more than their rows. Buffers that
        are compressed, not aligned or in another byte order are copied (`save` writes none). Before
        each call the file's size, time and inode are compared. A file that is cut short while a
        kernel runs ends the process, as with `numpy.memmap`.
    trusted : bool
        Whether the coordinates are taken to be valid, and not checked: of files of your own alone,
        as kernels read and write memory where they say.

    Returns
    -------
    Array
        Of the format, shape, dtype and fill value of the saved one; with `mmap` in constant time.

    Raises
    ------
    FormatError
        If the file is damaged, was not written by `save`, or by a newer version.
    OSError
        If the file cannot be read; when a mapped array is computed with, if it has changed.

    See Also
    --------
    save : Writes such a file.

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
