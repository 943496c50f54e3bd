"""Parameters of kernels."""

from __future__ import annotations

from structarr._support.records import record


@record(slots=True)
class Param:
    """
    Parameter of a kernel.

    Parameters
    ----------
    dtype : str
        NumPy's name of the type: "float64", "int32", "bool", ...
    array : bool
        Whether it is a one-dimensional C-contiguous array, rather than a scalar.
    writable : bool
        Whether the kernel writes to the array.
    counts : bool
        Whether an array holds coordinates or positions, which the interpreted tier may take as
        Python's integers; values keep their dtype's arithmetic.
    """

    dtype: str
    array: bool
    writable: bool
    counts: bool = False
