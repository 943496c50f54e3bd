"""States of objects that a function reads from around it: what is compared at each replay."""

from __future__ import annotations

import random
from collections.abc import Hashable
from enum import Enum
from types import BuiltinFunctionType, FunctionType, ModuleType
from typing import Any, Final

import numpy as np

from structarr._array import Array, is_scipy
from structarr._storage.tensor import Tensor

SCALARS: Final = (
    bool,
    int,
    float,
    complex,
    str,
    bytes,
    type(None),
    type(Ellipsis),
    type(NotImplemented),
)
"""Types of immutable values, equal values of which are the same to a trace."""

KEPT: Final = (type, ModuleType, FunctionType, BuiltinFunctionType, np.ufunc, np.dtype, Enum)
"""Types of what is the same as long as it is the very object."""

RANDOM: Final = (np.random.Generator, np.random.RandomState, np.random.BitGenerator, random.Random)

DEPTH: Final = 12


class OpaqueError(Exception):
    """Raised for an object of which nobody can tell whether it changed."""


def same(one: Any, other: Any) -> bool:
    """Whether two scalars are the same to a trace: of one type, and equal to the bit.

    Examples
    --------
    >>> same(1, True), same(0.0, -0.0), same(float("nan"), float("nan"))
    (False, False, True)
    """
    return one is other or scalar_key(one) == scalar_key(other)


def scalar_key(value: Any) -> Hashable:
    """The key of a scalar: equal for scalars of the same type and bits."""
    kind = type(value)
    if kind is float or kind is complex:
        return kind, repr(value)
    if isinstance(value, np.generic):
        return kind, value.dtype, value.tobytes()
    return kind, value


def state(value: Any, depth: int = 0) -> Hashable:
    """The state of an object: equal as long as the object is as it was.

    Raises
    ------
    OpaqueError
        If nobody can tell.
    """
    kind = type(value)
    if depth > DEPTH:
        raise OpaqueError
    if kind in SCALARS or isinstance(value, np.generic):
        return scalar_key(value)
    if kind is tuple or kind is list or kind is frozenset or kind is set:
        parts = [state(one, depth + 1) for one in value]
        return kind, tuple(parts) if kind in (tuple, list) else frozenset(parts)
    if kind is dict:
        items = [(state(key, depth + 1), state(one, depth + 1)) for key, one in value.items()]
        return kind, tuple(items)
    if kind is slice or kind is range:
        return kind, value.start, value.stop, value.step
    if isinstance(value, np.ndarray):
        return kind, value.dtype.str, value.shape, value.tobytes()
    if isinstance(value, Array):
        return id(value), id(value._tensor)
    if isinstance(value, KEPT) or _root(kind) == "structarr":
        return id(value)
    if is_scipy(value) or _is_plain(value):
        return id(value), state(attributes(value), depth + 1)
    raise OpaqueError


def contents(tensor: Tensor) -> tuple[bytes, ...]:
    """The bytes of a tensor's values."""
    return tuple([buffer.tobytes() for buffer in tensor.buffers[-1:]])


def _is_plain(value: Any) -> bool:
    """Whether an object is what its attributes are, as instances of a user's classes are."""
    kind = type(value)
    made = all(
        base is object or "__dict__" in vars(base) or "__slots__" in vars(base)
        for base in kind.__mro__
    )
    return made and not isinstance(value, RANDOM) and not hasattr(value, "__next__")


def attributes(value: Any) -> dict[str, Any]:
    """The attributes of an object itself, by name."""
    found = dict(getattr(value, "__dict__", {}))
    for base in type(value).__mro__:
        slots = base.__dict__.get("__slots__", ())
        for name in (slots,) if isinstance(slots, str) else slots:
            if hasattr(value, name):
                found[name] = getattr(value, name)
    return found


def _root(kind: type) -> str:
    return kind.__module__.partition(".")[0]
