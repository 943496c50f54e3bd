"""Registration of NumPy's twins: what NumPy calls when it is given one of our arrays."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, Literal, TypeAlias, TypeVar

from structarr._array import FUNCTIONS, UFUNC_METHODS

F = TypeVar("F", bound=Callable[..., Any])

How: TypeAlias = Literal["structured", "dense"]

HOW: Final[dict[Any, How]] = {}
"""NumPy's functions that are published, to what they do with structure."""

NOTES: Final[dict[Any, str]] = {}
"""NumPy's functions that are dense for some operands, to which."""

REFUSED: Final[dict[Any, str]] = {}
"""NumPy's functions that have no meaning here, to the reason."""


def publish(*twins: Any, how: How = "structured", note: str = "") -> Callable[[F], F]:
    """
    Make NumPy's functions `twins` lead to the decorated one, which takes their arguments.

    Parameters
    ----------
    *twins : function
        Of NumPy.
    how : {"structured", "dense"}
        Whether structure is used, or arrays are made dense as long as ``densify_limit`` allows.
    note : str, optional
        When a structured function is dense, or what a dense one makes dense.

    Examples
    --------
    >>> import numpy as np
    >>> import structarr as sa
    >>> np.sum(sa.asarray([1, 2, 3]))
    <structarr.Array shape=() dtype=int64 lazy: .compute() or print() computes it>
    """

    def register(function: F) -> F:
        FUNCTIONS.update(dict.fromkeys(twins, function))
        HOW.update(dict.fromkeys(twins, how))
        if note:
            NOTES.update(dict.fromkeys(twins, note))
        return function

    return register


def refuse(twin: Any, why: str) -> None:
    """Make one of NumPy's functions raise TypeError, which says why."""

    def refused(*args: Any, **kwargs: Any) -> Any:
        raise TypeError(f"{title(twin)} is not supported for structarr arrays: {why}")

    FUNCTIONS[twin] = refused
    REFUSED[twin] = why


def title(twin: Any) -> str:
    """Return the name by which NumPy's users call a function."""
    module = getattr(twin, "__module__", None) or "numpy"
    return f"{module}.{twin.__name__}"


def publish_method(name: str) -> Callable[[F], F]:
    """Make a method that all ufuncs have lead to the decorated function."""

    def register(function: F) -> F:
        UFUNC_METHODS[name] = function
        return function

    return register
