"""The declaration of helper functions of kernels."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar

Function = TypeVar("Function", bound=Callable[..., Any])


@dataclass(frozen=True)
class Traits:
    """The treatment of a helper by the two tiers, where it is not taken as it stands."""

    fastmath: frozenset[str] = frozenset()
    intrinsic: str = ""
    interpreted: Callable[..., Any] | None = None


def helper(
    fastmath: frozenset[str] = frozenset(),
    intrinsic: str = "",
    interpreted: Callable[..., Any] | None = None,
) -> Callable[[Function], Function]:
    """
    Declare how a helper is compiled or interpreted.

    Parameters
    ----------
    fastmath : frozenset of str
        LLVM's fast-math flags for this function alone.
    intrinsic : str
        LLVM's intrinsic that does the same with a word or two floats: a machine's instruction.
    interpreted : callable or None
        What the interpreted tier calls instead, where that is faster and means the same.
    """

    def mark(function: Function) -> Function:
        vars(function)["traits"] = Traits(fastmath, intrinsic, interpreted)
        return function

    return mark


def traits(function: Callable[..., Any]) -> Traits:
    """Return what `helper` declared, or the defaults."""
    return vars(function).get("traits", Traits())  # type: ignore[no-any-return]


def u(position: int) -> int:
    """Mark a subscript known to be non-negative: the compiled tier makes it `np.uintp`."""
    return position
