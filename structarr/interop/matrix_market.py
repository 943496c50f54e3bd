"""Matrix Market files, by SciPy's reader; what a header announces is checked before that."""

from __future__ import annotations

import gzip
from pathlib import Path
from typing import IO, Any, Final

import numpy as np
from scipy.sparse import csr_array

from structarr._storage.dense import from_dense
from structarr._storage.tensor import Tensor
from structarr.errors import FormatError
from structarr.interop.files import replacing
from structarr.interop.foreign import AsStored
from structarr.interop.foreign_files import check_announced, check_there, longest, opened
from structarr.interop.scipy import fixed, from_scipy, to_scipy

_LONGEST_LINE: Final = 1 << 16
_AT_ONCE: Final = 1 << 20  # bytes
_LEAST: Final = {"coordinate": 4, "array": 2}
"""The least bytes of a line: "1 1" and its end, or a digit and its end."""


def read(path: Path) -> Tensor:
    """
    Return a sparse file as "csr", with each value of a symmetric one; a dense file as dense.

    Raises
    ------
    FormatError
        If the header is none, or announces more than the file can hold, or a byte is zero.
    """
    from scipy.io import mmread

    _check_header(path)
    if path.suffix == ".mtx" and _ends_its_lines(path):  # in as many threads as SciPy has
        found = mmread(path, spmatrix=False)
    else:
        with opened(path) as file:
            found = mmread(_Lines(file), spmatrix=False)
    return from_scipy(_by_rows(found)) if hasattr(found, "tocsr") else from_dense(found)


def _by_rows(entries: Any) -> Any:
    """SciPy's compressed rows of its coordinates, which are not moved if the file has them so."""
    row, column = entries.coords
    steps = row[1:] - row[:-1]
    # Of two entries at the same place the values are added up, by SciPy.
    if ((steps > 0) | ((steps == 0) & (column[1:] > column[:-1]))).all():
        starts = np.searchsorted(row, np.arange(entries.shape[0] + 1, dtype=row.dtype))
        made = csr_array((entries.data, column, starts), shape=entries.shape)
        made.has_canonical_format = True
    else:
        made = entries.tocsr()
    for places in (made.indices, made.indptr):
        fixed(places)  # nobody else has them, so that they need not be copied
    return made


def _ends_its_lines(path: Path) -> bool:
    """Whether each line of a file has an end, and no byte is zero."""
    last = b""
    with open(path, "rb") as file:
        while content := file.read(_AT_ONCE):
            if b"\0" in content:
                return False
            last = content[-1:]
    return last == b"\n"


class _Lines:
    """
    The content of a file, each line of which has an end, and no zero within.

    SciPy's reader looks for the end of a line after the last number in it, and finds that of other
    memory, or ends the process, where there is none (SciPy 1.17).
    """

    def __init__(self, file: IO[bytes]) -> None:
        self._file, self._is_over = file, False

    def read(self, size: int = -1) -> bytes:
        """Read on."""
        content = self._file.read(size)
        if b"\0" in content:
            raise FormatError("it is no text: a byte is zero")
        if content or self._is_over:
            return content
        self._is_over = True
        return b"\n"


def _check_header(path: Path) -> None:
    with opened(path) as file:
        banner = file.readline(_LONGEST_LINE).decode("ascii", "replace").lower().split()
        if len(banner) != 5 or banner[:2] != ["%%matrixmarket", "matrix"]:
            raise FormatError("it does not begin with %%MatrixMarket matrix ...")
        line = file.readline(_LONGEST_LINE)
        while line.startswith(b"%") or (line and not line.strip()):
            line = file.readline(_LONGEST_LINE)
    layout, sizes = banner[2], [int(word) for word in line.split()]
    if layout not in _LEAST or len(sizes) != (3 if layout == "coordinate" else 2):
        raise FormatError(f"its line of sizes is {line[:80]!r}, for layout {layout!r}")
    if min(sizes) < 0 or max(sizes) > 2**63 - 1:
        raise FormatError(f"its sizes are {sizes}")
    count = sizes[2] if layout == "coordinate" else sizes[0] * sizes[1]
    if layout == "array" and banner[4] != "general":
        count //= 2
    check_there(_LEAST[layout] * count, longest(path) + 1, f"an {layout} of {count} lines")
    check_announced(32.0 * count if layout == "coordinate" else 8.0 * count, "its header")
    if layout == "coordinate":
        check_announced(8.0 * sizes[0], "its number of rows")


def write(path: Path, stored: AsStored) -> None:
    """
    Write the entries that SciPy's COO would have; of a dense array all elements.

    Raises
    ------
    FormatError
        If there are not two axes, or the fill is not 0.
    """
    from scipy.io import mmwrite

    tensor = stored(None)
    if tensor.ndim != 2:
        raise FormatError(f"Matrix Market has matrices, not {tensor.ndim} axes: write .npz")
    content: Any = to_scipy(tensor, "coo")
    if tensor.format.is_dense:
        content = stored("dense").buffers[-1].reshape(tensor.shape)
    with replacing(path) as file:
        if path.suffix == ".gz":
            with gzip.open(file, "wb") as packed:
                mmwrite(packed, content)
        else:
            mmwrite(file, content)
