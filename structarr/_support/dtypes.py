"""Dtypes: those that are stored, of scalars, and of reductions."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, lru_cache, partial
from typing import Any

import numpy as np

from structarr._support.caches import MOST
from structarr._support.promotion import (
    Operand as Operand,
    Scalar as Scalar,
    common as common,
    declare as declare,
    outside as outside,
    resolve as resolve,
)

_STORED = "?bhilqBHILQfdFD"
_REMEDIES = {
    "e": "use float32 (Numba has no float16)",
    "g": "use float64",
    "G": "use complex128",
    "M": "store .view('int64')",
    "m": "store .view('int64')",
    "S": "store codes, as numpy.unique(x, return_inverse=True) gives",
    "U": "store codes, as numpy.unique(x, return_inverse=True) gives",
    "T": "store codes, as numpy.unique(x, return_inverse=True) gives",
    "O": "convert with .astype(...) to a number or boolean dtype",
    "V": "store each field as an array of its own",
}


def check(dtype: Any) -> np.dtype[Any]:
    """Return the native form of a dtype that can be stored.

    Raises
    ------
    TypeError
        If the dtype is not a boolean, 8 to 64 bit integer, or single or double precision number.
    """
    return _native(np.dtype(dtype))


@cache
def _native(asked: np.dtype[Any]) -> np.dtype[Any]:
    if asked.char not in _STORED:
        remedy = _REMEDIES.get(asked.char, "convert it to a number or boolean dtype")
        raise TypeError(f"dtype {asked} is not supported: {remedy}")
    # By name, so that C's long and long long are one dtype where they have one width.
    native: np.dtype[Any] = np.dtype(asked.name)
    return native


@cache
def largest(dtype: Any) -> int:
    """Return the largest integer of a dtype."""
    return int(np.iinfo(dtype).max)


@cache
def zero(dtype: np.dtype[Any]) -> Any:
    """Return the zero of a dtype: always the same object, by which it is known at once."""
    return dtype.type(0)


def scalar(value: Any, dtype: Any) -> Any:
    """Return a Python or NumPy scalar as a NumPy scalar of a dtype, as NumPy's operators take it.

    Raises
    ------
    OverflowError
        If a Python integer is out of the bounds of an integer dtype.
    """
    stored, bounds = _bounded(dtype)
    if bounds is not None and isinstance(value, int) and not isinstance(value, bool):
        least, most = bounds
        if not least <= value <= most:
            raise OverflowError(f"Python integer {value} out of bounds for {stored}")
    return stored.type(value)


def same(one: Any, other: Any) -> bool:
    """
    Return whether two numbers are the same, NaN being the same as NaN in each part.

    Examples
    --------
    >>> same(float("nan"), complex("nan")), same(complex("nan+1j"), complex("nan"))
    (True, False)
    """
    a, b, c, d = one.real, other.real, one.imag, other.imag
    return bool((a == b or (a != a and b != b)) and (c == d or (c != c and d != d)))


@cache
def taker(dtype: Any) -> Callable[[Any], Any]:
    """Return the conversion to NumPy scalars of a dtype; see `scalar`."""
    stored, bounds = _bounded(dtype)
    return stored.type if bounds is None else partial(scalar, dtype=stored)


@cache
def _bounded(dtype: Any) -> tuple[np.dtype[Any], tuple[int, int] | None]:
    """The native form of a dtype, and its bounds if it is one of integers."""
    stored = check(dtype)
    if stored.kind not in "iu":
        return stored, None
    bounds = np.iinfo(stored)
    return stored, (int(bounds.min), int(bounds.max))


def wrapped(value: Any, dtype: Any) -> Any:
    """Return a scalar as one of a dtype as NumPy converts arrays: an integer wraps around.

    Raises
    ------
    OverflowError
        If a Python integer is out of the bounds of all integer dtypes.
    """
    array = np.asarray(value)
    if array.dtype.kind not in "biufc":
        return scalar(value, dtype)
    with np.errstate(all="ignore"):
        return array.astype(check(dtype))[()]


def reduction(op_name: str, dtype: Any, requested: Any = None) -> str:
    """Return the dtype in which an operator reduces an array, and of the result.

    Sums and products of integers narrower than 64 bits are computed in 64 bits; logical operators
    return booleans.

    Raises
    ------
    TypeError
        If NumPy does not reduce such arrays with the operator.
    """
    if requested is not None:
        return check(requested).name
    return _reduction(op_name, check(dtype))


@lru_cache(MOST)
def _reduction(op_name: str, given: np.dtype[Any]) -> str:
    if op_name in ("logical_and", "logical_or", "logical_xor"):
        return "bool"
    if op_name in ("add", "multiply") and given.kind in "biu":
        return "uint64" if given.kind == "u" else "int64"
    (left, right), result = resolve(op_name, (given, given))
    if not left == right == result:
        raise TypeError(
            f"{op_name} does not reduce {given}, as its results are {result}: cast first"
        )
    return result


_IDENTITIES: dict[str, Scalar] = {
    "add": 0,
    "multiply": 1,
    "logical_and": True,
    "logical_or": False,
    "logical_xor": False,
    "bitwise_or": 0,
    "bitwise_xor": 0,
    "hypot": 0.0,
    "logaddexp": -np.inf,
    "logaddexp2": -np.inf,
    "gcd": 0,
    "lcm": 1,
    "max_times_add": 0,
}


def identity_of(op_name: str, dtype: Any) -> Scalar | None:
    """Return the start of a reduction in a dtype, as a Python scalar; None if there is none."""
    given = check(dtype)
    if op_name in ("maximum", "minimum", "fmax", "fmin", "bitwise_and"):
        return _extreme(op_name, given)
    function = outside(op_name)
    value = _IDENTITIES.get(op_name) if function is None else function.identity
    return None if value is None else _read(value, given)


def _read(value: Scalar, dtype: np.dtype[Any]) -> Scalar:
    """A constant in a dtype; an infinity is a bound of whole numbers."""
    if dtype.kind in "biu" and value in (np.inf, -np.inf):
        return _extreme("fmin" if value == np.inf else "fmax", dtype)
    return dtype.type(value).item()  # type: ignore[no-any-return]


def _extreme(op_name: str, dtype: np.dtype[Any]) -> Scalar:
    least = op_name in ("maximum", "fmax")
    match dtype.kind:
        case "b":
            return not least
        case "i" | "u" if op_name == "bitwise_and":
            return -1 if dtype.kind == "i" else int(np.iinfo(dtype).max)
        case "i" | "u":
            bounds = np.iinfo(dtype)
            return int(bounds.min if least else bounds.max)
        case kind:
            # fmax and fmin take the other operand of NaN, so NaN remains for arrays of NaN alone.
            bound = np.nan if op_name in ("fmax", "fmin") else -np.inf if least else np.inf
            return complex(bound, bound) if kind == "c" else bound
