"""Registration of NumPy's twins: the functions that NumPy calls for our arrays."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import wraps
from inspect import cleandoc, signature
from typing import Any, Concatenate, Final, Literal, ParamSpec, TypeAlias, TypeVar

from structarr._array import FUNCTIONS, UFUNC_METHODS, Array
from structarr._support.docstrings import as_method, documented, with_twin

F = TypeVar("F", bound=Callable[..., Any])
R = TypeVar("R")
P = ParamSpec("P")

How: TypeAlias = Literal["structured", "dense"]

HOW: Final[dict[Any, How]] = {}
"""NumPy's published functions to their use of structure."""

NOTES: Final[dict[Any, str]] = {}
"""NumPy's functions that are dense for some operands, to a description of those."""

REFUSED: Final[dict[Any, str]] = {}
"""NumPy's functions that are refused, to the reason."""


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
    <structarr.Array 6 dtype=int64>
    """

    def register(function: F) -> F:
        FUNCTIONS.update(dict.fromkeys(twins, function))
        HOW.update(dict.fromkeys(twins, how))
        if note:
            NOTES.update(dict.fromkeys(twins, note))
        return _told(function, twins)

    return register


def _told(function: F, twins: tuple[Any, ...]) -> F:
    """A function whose docstring is complete, as is that of the method of its name."""
    text = documented(function).__doc__
    if text and twins:
        function.__doc__ = with_twin(text, title(twins[0]))
        method = getattr(Array, twins[0].__name__, None)
        if method is not None and "$function" in (method.__doc__ or ""):
            method.__doc__ = as_method(method.__doc__, function)
    return function


def member(
    family: Callable[Concatenate[Any, P], R],
    twin: Any,
    says: str,
    example: str,
    gives: str,
    *,
    how: How = "structured",
    note: str = "",
) -> Callable[P, R]:
    """
    Publish one of some functions that differ by NumPy's twin: that is the family's first argument.

    Parameters
    ----------
    family : function
        From the twin and a call's arguments to its result. All paragraphs of its docstring but the
        first are the member's too, but for the line of "See Also" that names it.
    twin : function
        Of NumPy; the member has its name.
    says : str
        The first line of the member's docstring.
    example, gives : str
        An expression with `sa`, and what it shows.
    how, note
        As `publish` takes them.
    """

    @wraps(family)
    def function(*args: P.args, **kwargs: P.kwargs) -> R:
        return family(twin, *args, **kwargs)

    whole = signature(family)
    first, *others = whole.parameters.values()
    types = family.__annotations__.items()
    function.__annotations__ = {name: kind for name, kind in types if name != first.name}
    function.__signature__ = whole.replace(parameters=others)  # type: ignore[attr-defined]
    function.__name__ = function.__qualname__ = twin.__name__
    _, _, common = cleandoc(family.__doc__ or "").partition("\n\n")
    common = re.sub(rf"^{twin.__name__} : .*\n?", "", common, flags=re.MULTILINE)
    shown = f"Examples\n--------\n>>> import structarr as sa\n>>> {example}\n{gives}"
    function.__doc__ = "\n\n".join([says, common, shown])
    return publish(twin, how=how, note=note)(function)


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
