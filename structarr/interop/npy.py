"""The headers of .npy files."""

from __future__ import annotations

from collections.abc import Callable
from tokenize import TokenError
from typing import IO, Any, Final, NamedTuple

import numpy as np

from structarr._support.syntax_trees import undisturbed

# Readers of the headers of .npy files of numbers, by version.
_HEADERS: Final[dict[tuple[int, int], Callable[..., Any]]] = {
    (1, 0): np.lib.format.read_array_header_1_0,
    (2, 0): np.lib.format.read_array_header_2_0,
}


class Header(NamedTuple):
    """The header of a .npy file: dtype and shape of its content, and the header's length."""

    shape: tuple[int, ...]
    by_columns: bool
    dtype: np.dtype[Any]
    length: int


MOST: Final = 1 << 14
"""The most bytes of a header that are read."""


def header_of(file: IO[bytes], name: str) -> Header:
    """The header with which a file begins.

    Raises
    ------
    ValueError
        If it is damaged, or of a version or a dtype that is not read.
    """
    version = np.lib.format.read_magic(file)
    if version not in _HEADERS:
        raise ValueError(f"{name} is of an unknown version {version}")
    start = file.tell()

    def read() -> tuple[tuple[int, ...], bool, np.dtype[Any]]:
        file.seek(start)
        try:
            return _HEADERS[version](file)  # type: ignore[no-any-return]
        except (SyntaxError, TokenError) as error:  # NumPy reads headers as texts of Python
            raise ValueError(f"{name} has no header that can be read: {error}") from error

    shape, by_columns, dtype = undisturbed(read)
    if dtype.hasobject:
        raise ValueError(f"{name} holds Python objects, which take allow_pickle=True to read")
    return Header(shape, by_columns, dtype, file.tell())
