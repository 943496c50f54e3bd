"""The declaration of helper functions of kernels."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, TypeVar

from structarr._support.debug import debug
from structarr._support.records import record

Function = TypeVar("Function", bound=Callable[..., Any])


@record
class Traits:
    """
    The traits of a helper that passes ask for: none of them goes by names.

    Attributes
    ----------
    relaxes : str
        The operator whose update of a float it is, in whatever order.
    sums : bool
        Whether it adds a term to a running sum.
    tests_gap : bool
        Whether it says that there is a value, which may be read in any case.
    differs : bool
        Whether it says that its two values are not the same.
    exactly : str
        The helper that tells zeros of different signs, too.
    near : str
        The helper that finds the same, quicker where it is a few steps away.
    fills : int
        Which of its arguments is the end of what it fills in the first one; 0 if it fills nothing.
    computes : bool
        Whether it takes as long as some operations: it has neither a loop nor a branch.
    applies : str
        The operator that it applies to a stretch of its first argument, in place.
    pairs : bool
        Whether it applies it to pairs, the second ones of which are a buffer's first elements.
    ends : bool
        Whether it ends the kernel by an error, so that machine code keeps it apart.
    """

    relaxes: str = ""
    sums: bool = False
    tests_gap: bool = False
    differs: bool = False
    exactly: str = ""
    near: str = ""
    fills: int = 0
    computes: bool = False
    applies: str = ""
    pairs: bool = False
    ends: bool = False


def helper(traits: Traits) -> Callable[[Function], Function]:
    """Declare what a helper does."""

    def mark(function: Function) -> Function:
        vars(function)["traits"] = traits
        return function

    return mark


BEYOND: Final = "a kernel indexes a buffer"
"""How the error begins of a subscript that is refused under `STRUCTARR_DEBUG=check`."""

if debug("check"):

    def u(position: int) -> int:
        """Mark a subscript; one that is negative is refused, as Python would count from the end."""
        if position < 0:
            raise IndexError(f"{BEYOND} at {position}, before its beginning")
        return position

else:

    def u(position: int) -> int:
        """Mark a subscript known to be non-negative: the compiled tier makes it `np.uintp`."""
        return position
