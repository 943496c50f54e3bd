"""The limit of dense allocations that the user did not ask for."""

from __future__ import annotations

import sys
from math import prod
from types import FrameType
from typing import Any

import numpy as np

from structarr._compiler.options import current
from structarr._storage.tensor import Tensor
from structarr._support.memory import available
from structarr.errors import DensificationError


def check_size(size: int, what: str, instead: str, announced: int = 0) -> None:
    """
    Refuse an allocation beyond `options(densify_limit=...)`, unless as much is there already.

    Parameters
    ----------
    size : int
        The number of bytes.
    what : str
        What takes them, the subject of the message.
    instead : str
        What to do instead.
    announced : int, optional
        So many bytes are allowed whatever the limit is: those of the operands, or some times them.

    Raises
    ------
    DensificationError
        If the size is above both.

    Examples
    --------
    >>> check_size(2**40, "the inverse", "call solve")
    Traceback (most recent call last):
    structarr.errors.DensificationError: the inverse takes 1099511627776 bytes, more than ...
    """
    limit = current().densify_limit
    if size > max(limit, announced):
        raise DensificationError(
            f"{what} takes {size} bytes, more than densify_limit={limit}: {instead}, or allow it "
            f"with structarr.options(densify_limit={size})"
        )


def fits(size: int) -> bool:
    """Whether the memory that is left has room for an allocation that was asked for."""
    return size <= current().densify_limit or size <= available()


def check_memory(tensor: Tensor) -> None:
    """Refuse a dense copy that was asked for, where the memory has no room for it."""
    size = prod(tensor.shape) * tensor.dtype.itemsize
    if not fits(size):
        raise DensificationError(
            f"a dense copy of shape {tensor.shape} and dtype {tensor.dtype} takes {size} bytes, "
            f"and {available()} are available: copy a part, as of a[:1000], or what is stored, as "
            "by .to_scipy() or structarr.nonzero(a)"
        )


def check_pointers(fibers: int, shape: tuple[int, ...]) -> None:
    """Refuse pointers to more lists than fit into the memory, as of very long axes."""
    if not fits(8 * fibers):
        raise DensificationError(
            f"an array of shape {shape} with pointers to {fibers} lists takes {8 * fibers} bytes, "
            f"and {available()} are available: store it as lists of lists, as by "
            '.asformat("dcsr"), or as "coo"'
        )


def check_density(tensor: Tensor, dtype: np.dtype[Any] | None = None) -> None:
    """Refuse a dense array of a tensor's shape beyond the limit, and larger than the tensor."""
    kind = tensor.dtype if dtype is None else dtype
    size = prod(tensor.shape) * kind.itemsize
    if size > current().densify_limit:  # only then is the message needed
        what = f"a dense array of shape {tensor.shape} and dtype {kind}"
        check_size(size, what, _instead(), tensor.nbytes)


def _instead() -> str:
    """What to do instead of asking for a dense array, which SciPy does where it is given ours."""
    frame: FrameType | None = sys._getframe(1)
    while frame is not None:
        if str(frame.f_globals.get("__name__")).startswith("scipy.sparse"):
            return (
                "scipy.sparse asks for it: write structarr.asarray(s) @ a, structarr.vstack, "
                "structarr.linalg and structarr.csgraph for its functions, or give it a.to_scipy()"
            )
        frame = frame.f_back
    return "call .todense() to have it"
