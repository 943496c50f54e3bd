"""Elements chosen from several arrays by conditions or numbers."""

from __future__ import annotations

import operator
from collections.abc import Sequence
from functools import reduce
from typing import Any

import numpy as np

from structarr._api.core.expressions import apply
from structarr._api.core.gathering import scattered
from structarr._api.core.operands import as_array, lift
from structarr._api.core.out import Out, deliver
from structarr._api.core.publish import publish
from structarr._api.creation.full import zeros_like
from structarr._api.elementwise.combined import where
from structarr._api.elementwise.elementwise import equal, logical_not
from structarr._api.indexing.indexing import getitem, setitem
from structarr._api.reductions.reductions import count_nonzero, max as greatest, min as least
from structarr._api.shape.manipulation import broadcast_to
from structarr._array import WEAK, Array, of_tensor, stored
from structarr._support import dtypes
from structarr._support.array_types import ArrayLike, Bounds


@publish(np.select)
def select(condlist: Sequence[Any], choicelist: Sequence[Any], default: ArrayLike = 0) -> Array:
    """
    Choose elements from several arrays: each from the first one whose condition holds.

    Parameters
    ----------
    condlist : sequence of array_like
        Conditions, of booleans.
    choicelist : sequence of array_like
        As many choices.
    default : scalar or array_like
        Value where no condition holds.

    Returns
    -------
    Array
        Lazy, of the common shape and the promoted dtype, in the format that nested calls of
        `where` give. Computing takes time proportional to what the operands store.

    Raises
    ------
    ValueError
        If there are not as many choices as conditions, or none.
    TypeError
        If a condition is not boolean.

    Examples
    --------
    >>> import structarr as sa
    >>> x = sa.asarray([0, 1, 2, 3])
    >>> sa.select([x < 1, x > 2], [10, x], -1).tolist()
    [10, -1, -1, 3]
    """
    if len(condlist) != len(choicelist):
        raise ValueError("list of cases must be same length as list of conditions")
    if not len(condlist):
        raise ValueError("select with an empty condition list is not possible")
    conditions = [as_array(one) for one in condlist]
    for number, one in enumerate(conditions):
        if one.dtype != bool:
            raise TypeError(f"invalid entry {number} in condlist: should be boolean ndarray")
    choices = [lift(one) for one in (*choicelist, default)]
    kind = np.dtype(dtypes.common([_operand(one) for one in choices]))
    result = as_array(choices.pop()).astype(kind)
    for number, choice in enumerate(choices):
        own = as_array(choice).dtype
        if not np.can_cast(own, kind, "same_kind"):
            raise TypeError(
                f"Cannot cast array data from {own!r} to {kind!r} according to the rule "
                f"'same_kind': give choice {number} as an array of {kind!r}"
            )
    for condition, choice in zip(reversed(conditions), reversed(choices), strict=True):
        result = where(condition, as_array(choice).astype(kind), result)
    return broadcast_to(
        result, np.broadcast_shapes(*[one.shape for one in conditions], result.shape)
    )


def _operand(value: Any) -> Any:
    return type(value) if type(value) in WEAK else value.dtype


@publish(np.choose)
def choose(a: ArrayLike, choices: Any, out: Out | None = None, mode: Bounds = "raise") -> Out:
    """
    Choose elements from several arrays by an array of their numbers.

    Parameters
    ----------
    a : array_like
        Number of the choice for each element.
    choices : sequence of array_like
        They are broadcast against the numbers.
    out : numpy.ndarray, optional
        NumPy array that takes the result and is returned.
    mode : {"raise", "wrap", "clip"}
        How numbers out of bounds are treated.

    Returns
    -------
    Array
        Lazy, of the common shape; `out` if it is given. The numbers are computed with `mode`
        "raise".

    Raises
    ------
    ValueError
        If a number is out of bounds and `mode` is "raise", or there is no such mode.
    TypeError
        If the numbers are not integers.
    $broadcast_error

    Examples
    --------
    >>> import structarr as sa
    >>> sa.choose([1, 0, 1], [[1, 2, 3], 0]).tolist()
    [0, 2, 0]
    """
    number, lifted = as_array(a), [lift(one) for one in choices]
    given = [as_array(one) for one in lifted]
    if not given:
        raise ValueError("need at least one array to choose from")
    if not np.can_cast(number.dtype, np.int64):
        raise TypeError(
            f"Cannot cast array data from {number.dtype!r} to dtype('int64') according to the rule "
            "'safe': choose takes integers"
        )
    count = len(given)
    if mode == "wrap":
        number = number.astype(np.int64) % count
    elif mode == "clip":
        number = number.astype(np.int64).clip(0, count - 1)
    elif mode != "raise":
        raise ValueError(f'mode must be "raise", "wrap" or "clip", not {mode!r}')
    elif number.size and not 0 <= int(least(number)) <= int(greatest(number)) < count:
        raise ValueError("invalid entry in choice array")
    kind = np.dtype(dtypes.common([_operand(one) for one in lifted]))
    shape = np.broadcast_shapes(number.shape, *[one.shape for one in given])
    result = given[-1].astype(kind)
    for place in reversed(range(count - 1)):
        result = apply("where", (equal(number, place), given[place].astype(kind), result))
    return deliver(broadcast_to(result, shape), out, "unsafe")


@publish(np.piecewise)
def piecewise(x: ArrayLike, condlist: Any, funclist: Sequence[Any], *args: Any, **kw: Any) -> Array:
    """
    Apply a function to the elements where its condition holds.

    Parameters
    ----------
    x : array_like
        The elements.
    condlist : sequence of array_like
        Conditions, of the shape of `x`.
    funclist : sequence of callable or scalar
        A function, or a value, for each condition; one more is for the other elements.
    *args, **kw
        Go to the functions.

    Returns
    -------
    Array
        Lazy, of the shape and dtype of `x`, in the format and the time of `where`.

    Raises
    ------
    ValueError
        If there are neither as many functions as conditions, nor one more.

    Examples
    --------
    >>> import structarr as sa
    >>> x = sa.asarray([-2.0, 0.0, 3.0])
    >>> sa.piecewise(x, [x < 0], [lambda part: -part, 7]).tolist()
    [2.0, 7.0, 7.0]
    """
    array = as_array(x)
    conditions = _conditions(condlist, array)
    if len(conditions) == len(funclist) - 1:
        conditions.append(logical_not(reduce(operator.or_, conditions)))
    elif len(conditions) != len(funclist):
        count = len(conditions)
        raise ValueError(
            f"with {count} condition(s), either {count} or {count + 1} functions are expected"
        )
    result = zeros_like(array)
    for condition, function in zip(conditions, funclist, strict=True):
        value = _applied(function, array, condition, args, kw)
        if value is not None:
            result = _replaced(result, condition, value)
    return result


def _replaced(array: Array, condition: Array, value: Any) -> Array:
    """Another array with values, one or as many as are asked for, where a condition holds."""
    given = as_array(value, array.dtype).astype(array.dtype)
    if condition.shape != array.shape or given.ndim > 1:
        return setitem(array, condition, given)
    if given.ndim:
        count = int(count_nonzero(condition))
        values = stored(broadcast_to(given, (count,)))
        given = of_tensor(scattered(stored(condition), values))
    return where(condition, given, array)


def _conditions(condlist: Any, array: Array) -> list[Array]:
    """Conditions as arrays; a single one may stand without a list."""
    several = isinstance(condlist, list | tuple) or np.ndim(condlist) > 0
    single = not several or (array.ndim > 0 and np.ndim(condlist[0]) == 0)
    return [as_array(one).astype(bool) for one in ([condlist] if single else condlist)]


def _applied(function: Any, array: Array, condition: Array, args: Any, kw: Any) -> Any:
    """The value to assign where a condition holds; None leaves the elements as they are."""
    if not callable(function):
        return function
    chosen = getitem(array, condition)
    return function(chosen, *args, **kw) if chosen.size else None
