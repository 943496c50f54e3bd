"""Operators of users on arrays, and the compiler's operators that names stand for."""

from __future__ import annotations

from collections.abc import Callable
from functools import update_wrapper
from typing import Any, TypeAlias

import numpy as np

from structarr._api.core.expressions import apply
from structarr._api.programs.check_algebra import check_facts
from structarr._array import WEAK
from structarr._compiler.ir.ops import Op, operator_named
from structarr._support.by_value import Defined

Named: TypeAlias = "Operator | np.ufunc | str"


class Operator(Defined):
    """
    Function of scalars that applies to arrays element by element; `operator` makes one.

    Called on arrays it broadcasts them, and returns a lazy array. Called on scalars alone it is the
    plain function.

    Parameters
    ----------
    function : callable
        The plain function.
    op : structarr.cin.Op
        The operator as programs have it.
    title : str
        The name by which it is printed.
    again : tuple
        What makes an equal operator of the function, as copies and pickles do.

    Attributes
    ----------
    op : structarr.cin.Op
        The operator as programs have it, named uniquely.
    py_func : function
        The plain function.

    See Also
    --------
    operator : Makes one, and says what can be declared of it.
    reduce : Reduces an array by one.

    Examples
    --------
    >>> import structarr as sa
    >>> @sa.operator
    ... def middle(a, b):
    ...     return (a + b) / 2
    >>> middle(sa.asarray([1.0, 2.0]), 4.0).tolist(), middle(1, 2)
    ([2.5, 3.0], 1.5)
    """

    __name__: str
    __qualname__: str

    def __init__(
        self, function: Callable[..., Any], op: Op, title: str, again: tuple[Any, ...]
    ) -> None:
        update_wrapper(self, function)
        self.py_func = function
        self.op = op
        self.title = title
        self._again = again  # with the function, makes an equal operator

    def __call__(self, *operands: Any) -> Any:
        if len(operands) != self.op.arity:
            raise TypeError(
                f"operator {self.title} takes {self.op.arity} operands, not {len(operands)}"
            )
        if all(type(value) in WEAK or isinstance(value, np.generic) for value in operands):
            return self.py_func(*operands)
        return apply(self.op.name, operands)

    def check(self, samples: Any) -> None:
        """
        Check the declared algebra on sample values.

        Parameters
        ----------
        samples : array_like
            Values of one dtype. All triples of the first sixteen are tried.

        Raises
        ------
        AssertionError
            With the first counterexample.

        See Also
        --------
        structarr.testing.check_operator : Checks more.

        Examples
        --------
        >>> import structarr as sa
        >>> capped = sa.operator(lambda a, b: min(a + b, 9), name="capped", identity=0)
        >>> capped.check([1, 2, 10])
        Traceback (most recent call last):
        ...
        AssertionError: capped is declared left_identity=0, but capped(0, 10) is 9
        """
        check_facts(self.op, self.title, samples)

    def __repr__(self) -> str:
        return f"<structarr operator {self.title} of {self.op.arity}>"

    def _parts(self) -> tuple[Callable[..., Any], *tuple[Any, ...]]:
        """What makes an equal operator, and of what."""
        return *self._again, self.py_func


def op_of(operator: Named) -> Op:
    """
    Return the compiler's operator for a user's, for a ufunc of NumPy's, or for its name.

    Parameters
    ----------
    operator : Operator, ufunc, str or Op
        What stands for it.

    Returns
    -------
    structarr.cin.Op
        The operator.

    Raises
    ------
    TypeError
        If there is no such operator.

    See Also
    --------
    structarr.operator : Operators of the user's.

    Examples
    --------
    >>> import numpy as np
    >>> op_of(np.add) is op_of("add")
    True
    """
    if isinstance(operator, Operator):
        return operator.op
    found = operator_named(operator.__name__ if isinstance(operator, np.ufunc) else operator)
    if found is None:
        raise TypeError(
            f"{operator!r} is no operator: give one that structarr.operator made, or an "
            "elementwise function of NumPy's"
        )
    return found
