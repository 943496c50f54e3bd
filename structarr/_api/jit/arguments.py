"""Arguments of calls: arrays, and what is the same for all calls of a trace."""

from __future__ import annotations

import functools
from collections.abc import Hashable, Sequence
from enum import Enum
from inspect import signature
from types import BuiltinFunctionType
from typing import Any

import numpy as np

from structarr._api.core.operands import as_array
from structarr._api.jit.states import SCALARS, scalar_key, state
from structarr._array import Array, is_scipy, stored
from structarr._execute.lengths import pattern_of
from structarr._lazy import structure
from structarr._lazy.dense_kinds import dense_kind
from structarr._storage.dense import from_dense
from structarr._storage.tensor import Tensor
from structarr.interop.pandas import is_pandas


def tensor_of(value: Any) -> Tensor | None:
    """The value of an argument that is an array; None of another."""
    if isinstance(value, Tensor):  # a part of an array
        return value
    if isinstance(value, Array):
        return stored(value)
    if type(value) is np.ndarray and value.ndim:
        return from_dense(value)
    if is_scipy(value) or is_pandas(value) or (isinstance(value, np.ndarray) and value.ndim):
        return stored(as_array(value))
    return None


def dense_operand(array: Any) -> tuple[Tensor, int]:
    """The value of an array of NumPy's, and its number: less than that of one of ours."""
    kind, flags = dense_kind(array), array.flags
    if kind is None or not (flags.c_contiguous and flags.aligned and array.size):
        tensor = from_dense(array)
        return tensor, -structure.of_tensor(tensor)
    return kind.tensor(array.view() if array.ndim == 1 else array.reshape(-1)), -kind.number


def general_key(key: Sequence[Any], given: Sequence[Tensor]) -> Hashable:
    """The key that arguments share which differ in the lengths of their arrays alone.

    `key` has the numbers of arrays, less than zero of NumPy's, and what else tells arguments apart.
    None where an array's structure has no general one.
    """
    parts: list[Any] = []
    for one in key:
        if type(one) is int:
            number = structure.general_of(abs(one))
            if number == structure.NONE:
                return None
            one = number if one > 0 else -number
        parts.append(one)
    return tuple(parts), pattern_of(tuple(given))


def number_of(tensor: Tensor) -> int:
    """The number of what a trace depends on of an argument."""
    number = structure.of_tensor(tensor)
    if number != structure.NONE:
        return number
    parts = tensor.fill.tobytes(), np.asarray(tensor.constant).tobytes()
    return structure.number_of(tensor.format, tensor.shape, tensor.dtype, *parts)


def static_key(value: Any) -> Hashable:
    """The key of a static value, which all calls of a trace share.

    None stands for an object that may change.
    """
    if type(value) in SCALARS or isinstance(value, np.generic):
        return scalar_key(value)
    if isinstance(value, (np.dtype, Enum, type, BuiltinFunctionType, np.ufunc)):
        return value
    if type(value) in (slice, range, set, frozenset):
        return state(value)
    return None


@functools.cache
def positions(function: Any) -> dict[int, str]:
    """The names of a function's parameters, by position."""
    kinds = signature(function).parameters.values()
    places = [one for one in kinds if one.kind in (one.POSITIONAL_ONLY, one.POSITIONAL_OR_KEYWORD)]
    return {place: one.name for place, one in enumerate(places)}
