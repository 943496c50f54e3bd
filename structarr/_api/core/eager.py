"""Functions that look at the values of arrays at once, as steps of a trace."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, ParamSpec, TypeVar

from structarr._array import WATCHER, Array

P = ParamSpec("P")
R = TypeVar("R")


def eager(function: Callable[P, R]) -> Callable[P, R]:
    """
    Make a function of arrays a single step where it is traced.

    It returns an array whose format, shape, dtype and fill follow from those of its operands, and
    all arrays of ours among its arguments are given as such.
    """

    @wraps(function)
    def step(*args: P.args, **kwargs: P.kwargs) -> R:
        watcher = WATCHER.get()
        if watcher is None:
            return function(*args, **kwargs)
        given = [*args, *kwargs.values()]
        if not any([isinstance(one, Array) and watcher.watches(one) for one in given]):
            return function(*args, **kwargs)

        def call(values: list[Any]) -> Any:
            own, named = values[: len(args)], values[len(args) :]
            return function(*own, **dict(zip(kwargs, named, strict=True)))

        return watcher.applied(call, given)  # type: ignore[no-any-return]

    return step
