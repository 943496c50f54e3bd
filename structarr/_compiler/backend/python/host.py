"""Functions of the host, written for one kernel: what each call runs is compiled by Python once."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from types import FunctionType, MappingProxyType
from typing import Any

from structarr._compiler.backend.expression_source import Expressions
from structarr._compiler.ir.node import Node


class HostExpressions(Expressions):
    """
    Index expressions over whatever a call has at hand.

    Parameters
    ----------
    leaf : callable
        Gives the Python expression of a node, an atom; None for a node that its parts make up.
    """

    def __init__(self, leaf: Callable[[Node], str | None]) -> None:
        self._leaf = leaf

    def text(self, node: Node) -> str:
        """The text of an expression."""
        return self._leaf(node) or super().text(node)


def straight(
    params: str,
    lines: Iterable[str],
    returned: str,
    known: Mapping[str, Any] = MappingProxyType({}),
) -> Callable[..., Any]:
    """
    Return a function of straight lines.

    Parameters
    ----------
    params : str
        The names of its parameters, between commas.
    lines : iterable of str
        Its lines.
    returned : str
        The expression that it returns.
    known : mapping
        The objects that it refers to, by name.

    Examples
    --------
    >>> straight("a, b", ["c = twice(a)"], "c + b", {"twice": lambda x: 2 * x})(3, 4)
    10
    """
    names = dict(known)
    body = "".join([f"    {line}\n" for line in (*lines, f"return {returned}")])
    exec(f"def function({params}):\n{body}", names)
    return names["function"]  # type: ignore[no-any-return]


def twin(function: Callable[..., Any]) -> Callable[..., Any]:
    """Return a function of the same lines, which keeps them when the other one is rewritten."""
    return FunctionType(function.__code__, function.__globals__)


def rewrite(
    function: Callable[..., Any],
    params: str,
    lines: Iterable[str],
    returned: str,
    known: Mapping[str, Any],
) -> None:
    """
    Give a function of straight lines other ones, whoever holds it; calls that run go on.

    Parameters
    ----------
    function : callable
        As `straight` returns it.
    params, lines, returned, known
        As `straight` takes them. Names that the function knows keep what they stand for.

    Examples
    --------
    >>> twice = straight("a", ["b = a"], "b + a")
    >>> before = twin(twice)
    >>> rewrite(twice, "a", [], "n * a", {"n": 2})
    >>> twice(3), before(3)
    (6, 6)
    """
    function.__globals__.update(known)
    function.__code__ = straight(params, lines, returned).__code__
