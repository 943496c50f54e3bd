"""Targets of kernels: how kernel IR becomes something callable."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Protocol, runtime_checkable

from structarr._compiler.backend.params import Param
from structarr._compiler.ir.kernel import Function


class Target(Protocol):
    """
    Target of kernels: whatever has a method `build` that makes one callable.

    A kernel is its functions, of which the first is called from outside, and the types of that
    one's parameters. Nothing else is told: what a kernel depends on reaches it as an argument. The
    nodes that may stand in it are those of `ir.kernel`, the expressions of `ir.expr` but for
    indices, and the conditions. A target has to know

    - every operator of `ir.ops.OPS` on operands of its loops' dtypes; `Op.function` computes those
      from outside;
    - every helper of `runtime.HELPERS` by its name; the function there is its meaning;
    - that elements and variables have the dtypes of their nodes, arithmetic of which wraps around
      or rounds as NumPy's does, and that index expressions are of 64 bits.

    See Also
    --------
    structarr.testing.check_target : The tests of a target.
    structarr.options : Has a target run kernels, by `tier=`.

    Examples
    --------
    >>> import structarr as sa
    >>> class Counting:
    ...     kernels = 0
    ...
    ...     def build(self, functions, params):
    ...         self.kernels += 1
    ...         return sa.targets.PYTHON.build(functions, params)
    >>> target = Counting()
    >>> with sa.options(tier=target):
    ...     (sa.asarray([1.0, 2.0], format="list") * 3).sum().item()
    9.0
    >>> target.kernels > 0
    True
    """

    def build(self, functions: Sequence[Function], params: tuple[Param, ...]) -> Callable[..., Any]:
        """
        Return the kernel as a callable.

        It takes one-dimensional C-contiguous arrays and scalars, as `params` declares them, writes
        to the arrays that are writable, and returns what its first function does.
        """
        ...


@runtime_checkable
class TextTarget(Target, Protocol):
    """
    Target that takes kernels as Python's texts, too, by a method `build_text`.

    Programs over runs (`structarr.runs`) have kernels that are texts and no nodes. Other targets
    leave these to the interpreted tier.

    Examples
    --------
    >>> import structarr as sa
    >>> @sa.kernel
    ... def total(A):
    ...     found = 0
    ...     for start, stop, value in sa.runs(A):
    ...         found += (stop - start) * value
    ...     return found
    >>> class Reading:
    ...     texts = ()
    ...
    ...     def build(self, functions, params):
    ...         return sa.targets.PYTHON.build(functions, params)
    ...
    ...     def build_text(self, text, params):
    ...         self.texts += (text,)
    ...         return sa.targets.PYTHON.build_text(text, params)
    >>> target = Reading()
    >>> with sa.options(tier=target):
    ...     total(sa.asarray([2, 2, 0, 3], format="sparse-rle"))
    7
    >>> target.texts[0].startswith("def over_runs(")
    True
    """

    def build_text(self, text: str, params: tuple[Param, ...]) -> Callable[..., Any]:
        """
        Return the kernel of a text as a callable.

        Its first function is called from outside, and those after it by that one. Its names are
        helpers of `runtime.HELPERS`, and NumPy's functions and dtypes as `np`.
        """
        ...
