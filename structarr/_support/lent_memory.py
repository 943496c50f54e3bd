"""Memory that is lent to the system: it stays with the process unless memory is short.

Pages that are lent are taken back by writing to them, which costs nothing unless they are gone. To
ask the system for new ones takes as long as several kernels do.
"""

from __future__ import annotations

import ctypes
import mmap
import sys
from collections.abc import Callable
from functools import cache

PAGE = 1 << 21
"""The bytes of the largest pages; one that is lent in part would be made small ones."""


def lend(address: int, nbytes: int) -> bool:
    """
    Lend what some memory holds whole pages of, with any content from then on.

    Parameters
    ----------
    address : int
        Where it begins.
    nbytes : int
        Its bytes.

    Returns
    -------
    bool
        Whether the system takes memory in this way, as Linux does.
    """
    advise = _advise()
    begin, end = -(-address // PAGE) * PAGE, (address + nbytes) // PAGE * PAGE
    return advise is not None and begin < end and not advise(begin, end - begin, mmap.MADV_FREE)


@cache
def _advise() -> Callable[[int, int, int], int] | None:
    """The function of the system; None where there is none."""
    if sys.platform != "linux" or not hasattr(mmap, "MADV_FREE"):
        return None
    function = ctypes.CDLL(None).madvise
    function.argtypes = ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int
    return function
