"""Arrays in files of any kind, which the suffix tells."""

from __future__ import annotations

import os
from typing import Literal

from structarr._api.core.operands import as_array
from structarr._array import Array, Spec, of_tensor
from structarr._support.array_types import ArrayLike

Kind = Literal[
    "numpy",
    "scipy-npz",
    "pydata-npz",
    "matrix-market",
    "frostt",
    "group",
    "picture",
    "coco",
    "plink",
]


def read(
    path: str | os.PathLike[str],
    /,
    *,
    kind: Kind | None = None,
    key: str | None = None,
    rows: slice | None = None,
    format: Spec | None = None,
) -> Array:
    """
    Read an array from a file, by its suffix.

    ==================================  =====================================================
    ``.npz``, ``.npy``                  of `save`, SciPy, pydata/sparse and NumPy
    ``.mtx``, ``.mtx.gz``               Matrix Market
    ``.tns``, ``.tns.gz``               tensors of FROSTT
    ``.h5``, ``.hdf5``, ``.zarr``       binsparse, AnnData's matrices, dense arrays
    ``.h5ad``                           AnnData
    ``.png``, ``.pbm``, ``.bmp``        pictures, by Pillow
    ``.tif``, ``.tiff``                 pictures, by tifffile; PackBits stays packed
    ``.json``                           masks of COCO
    ``.bed``                            genotypes of PLINK, beside .bim and .fam
    ==================================  =====================================================

    What a file announces is compared with what there is before anything large is allocated, and
    nothing in it is executed.

    Parameters
    ----------
    path : str or path-like
        The file; of Zarr the folder.
    kind : str, optional
        "numpy", "scipy-npz", "pydata-npz", "matrix-market", "frostt", "group", "picture", "coco" or
        "plink"; None stands for that of the suffix.
    key : str, optional
        Which array of a file that holds several, such as ``"layers/counts"``.
    rows : slice, optional
        The rows to read of a dense array or of AnnData's CSR: no other bytes are read.
    format : str, Level or Format, optional
        How to store the array; None keeps the structure that the file has.

    Returns
    -------
    Array
        In the format that fits the structure of the file, read at the call in time proportional to
        it.

    Raises
    ------
    FormatError
        If the file is damaged, of another kind, or of no known one, or announces too much.
    OSError
        If it cannot be read.
    ImportError
        If the package that reads such files is not installed.

    See Also
    --------
    write : The way back.
    load : Files of `save`, mapped into memory if you wish.

    Examples
    --------
    >>> import tempfile
    >>> import structarr as sa
    >>> a = sa.asarray([[0.0, 2.0], [0.0, 0.0]], format="csr")
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     sa.write(f"{folder}/a.mtx", a)
    ...     sa.read(f"{folder}/a.mtx")
    <structarr.Array shape=(2, 2) dtype=float64 format=csr nstored=1 fill=0.0
       .  2.
       .   .>
    """
    from structarr.interop import file_kinds  # not for those who read no files

    array = of_tensor(file_kinds.read(path, kind, key, rows))
    return array if format is None else array.asformat(format)


def write(path: str | os.PathLike[str], a: ArrayLike, /, *, kind: Kind | None = None) -> None:
    """
    Write an array to a file, by its suffix; a file that is there is replaced when all is written.

    Parameters
    ----------
    path : str or path-like
        Where to write. The suffixes are those of `read`; ``.npz`` is written as by `save`.
    a : array_like
        What to write; a lazy array is computed.
    kind : str, optional
        "scipy-npz" or "pydata-npz" for an .npz of theirs; None stands for that of the suffix.

    Raises
    ------
    FormatError
        If the kind has no place for the array, such as for its fill value, or is not known.
    OSError
        If the file cannot be written; what was there before is unchanged.
    ImportError
        If the package that writes such files is not installed.

    See Also
    --------
    read : The way back.
    save : Our own files, by parts if memory is limited.

    Examples
    --------
    >>> import tempfile
    >>> import structarr as sa
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     sa.write(f"{folder}/a.tns", sa.asarray([0.0, 0.0, 3.0], format="list"))
    ...     print(open(f"{folder}/a.tns").read())
    3 3
    <BLANKLINE>
    """
    from structarr.interop import file_kinds

    file_kinds.write(path, as_array(a)._as_stored, kind)
