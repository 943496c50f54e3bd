"""Dtypes of users' operators: declared, or inferred from results for small numbers."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from typing import Any

import numpy as np

from structarr._compiler.backend.user_functions import RANKS, Function, widened
from structarr._compiler.ir.ops import OPS
from structarr._support import dtypes as _dtypes
from structarr.errors import OperatorError

_SAMPLES = (1, 0, 2, 3)  # ones first: they must be in every function's domain


def is_rule(dtype: Any) -> bool:
    """Whether a declared dtype is a function of dtypes; NumPy's types can be called, too."""
    return callable(dtype) and not isinstance(dtype, type)


def promotion(function: Function, declared: Any, dtypes: Sequence[Any]) -> tuple[str, ...]:
    """The dtype to which an operator's operands are promoted together, and its result's."""
    operand = _dtypes.common(dtypes)
    return (operand,) * len(dtypes) + (_result(function, declared, np.dtype(operand)).name,)


def _result(function: Function, declared: Any, operand: np.dtype[Any]) -> np.dtype[Any]:
    if declared is None:
        wide = np.dtype(widened(operand.name))
        function.ranks[wide.name] = RANKS[_inferred(function, wide).kind]
        return _inferred(function, operand)
    return _dtypes.check(declared(operand) if is_rule(declared) else declared)


def _inferred(function: Function, operand: np.dtype[Any]) -> np.dtype[Any]:
    """The dtype of results, by those for small numbers."""
    found: list[Any] = []
    for values in product(_SAMPLES, repeat=OPS[function.name].arity):
        try:
            with np.errstate(all="ignore"):
                result = function.python(*map(operand.type, values))
        except Exception as error:
            if found:
                continue
            raise OperatorError(
                f"operator {function.title} fails for ones of dtype {operand}: "
                f"{type(error).__name__}: {error}; declare dtype= for it"
            ) from error
        found.append(_kind(function, result))
    return _dtypes.check(_dtypes.common(found))


def _kind(function: Function, result: Any) -> Any:
    """The dtype of a result, or the type of a weak one."""
    if type(result) in (bool, int, float, complex):
        return type(result)
    if isinstance(result, np.generic) and result.dtype.kind in RANKS:
        return result.dtype
    raise OperatorError(f"operator {function.title} returns {result!r}; it must return a number")
