"""Operators on scalars: NumPy's ufuncs, users' plain functions, and what neither has."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

import numpy as np

from structarr._compiler.ir.ops import Op


def converted(value: Any, dtype: str) -> Any:
    """A scalar of another dtype, as `astype` makes it."""
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore", np.exceptions.ComplexWarning)
        return np.asarray(value).astype(dtype)[()]


def applied(op: Op, args: Sequence[Any], dtype: str) -> Any:
    """An operator's value for scalars of the dtypes in which it takes them."""
    function = OWN.get(op.name)
    with np.errstate(all="ignore"):
        if op.function is not None:
            found = op.function.python(*map(_widened, args))  # type: ignore[attr-defined]
        elif function is not None:
            found = function(*args)
        else:
            found = getattr(np, op.name)(*args)
    return converted(found, dtype)


def _widened(value: Any) -> Any:
    """A scalar of 64 bits, or a boolean: users' functions see no other."""
    return value if value.dtype == np.uint64 else converted(value, _WIDE[value.dtype.kind])


_WIDE: Final = {"b": "bool", "i": "int64", "u": "int64", "f": "float64", "c": "complex128"}


def _counted(value: Any, count: Any) -> Any:
    return type(value)(complex(value.real * count, value.imag * count))


def _divided(value: Any, divisor: Any) -> Any:
    return type(value)(complex(value.real / divisor, value.imag / divisor))


def _plus_unless(bound: str) -> Callable[[Any, Any], Any]:
    """The sum of two numbers; an integer's bound, which stands for an infinity, stays."""

    def plus(left: Any, right: Any) -> Any:
        if left.dtype.kind == "f":
            return left + right
        infinite = getattr(np.iinfo(left.dtype), bound)
        return infinite if infinite in (left, right) else left + right

    return plus


OWN: Final[Mapping[str, Callable[..., Any]]] = {
    "round": np.round,
    "real": np.real,
    "imag": np.imag,
    "angle": np.angle,
    "where": lambda chosen, left, right: left if chosen else right,
    "counted": _counted,
    "divide_parts": _divided,
    "min_plus_multiply": _plus_unless("max"),
    "max_plus_multiply": _plus_unless("min"),
    "max_times_add": np.maximum,
}
"""The operators that are no ufuncs of NumPy."""
