"""Calls of NumPy's functions without warnings, in less time than `numpy.errstate` takes."""

from __future__ import annotations

from collections.abc import Callable
from contextvars import Context
from threading import local
from typing import Any

import numpy as np


class _Quiet(local):
    """The context of a thread in which NumPy warns of nothing: a context is one thread's at a time.

    Nothing else is in it, so it is for functions that read no other variables.
    """

    def __init__(self) -> None:
        context = Context()
        context.run(np.seterr, all="ignore")
        self.run = context.run


_quiet = _Quiet()


def quietly(function: Callable[..., Any], *args: Any) -> Any:
    """
    Return what a function of NumPy's comes to; it warns of nothing, and raises no RuntimeError.

    Examples
    --------
    >>> quietly(np.multiply, np.inf, 0.0)
    np.float64(nan)
    """
    try:
        return _quiet.run(function, *args)
    except RuntimeError:  # the context is entered: garbage that is collected calls this within
        with np.errstate(all="ignore"):
            return function(*args)
