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


class Promotion:
    """The dtypes that an operator's operands are cast to, and its result's."""

    def __init__(self, function: Function, declared: Any) -> None:
        self._function = function
        self._declared = declared

    def __call__(self, dtypes: Sequence[Any]) -> tuple[str, ...]:
        """Promote operands together, and find the dtype of the result."""
        operand = _dtypes.common(dtypes)
        return (operand,) * len(dtypes) + (self._result(np.dtype(operand)).name,)

    def _result(self, operand: np.dtype[Any]) -> np.dtype[Any]:
        declared = self._declared
        if declared is None:
            wide = np.dtype(widened(operand.name))
            self._function.ranks[wide.name] = RANKS[self._inferred(wide).kind]
            return self._inferred(operand)
        return _dtypes.check(declared(operand) if is_rule(declared) else declared)

    def _inferred(self, operand: np.dtype[Any]) -> np.dtype[Any]:
        arity = OPS[self._function.name].arity
        found: list[Any] = []
        for values in product(_SAMPLES, repeat=arity):
            try:
                with np.errstate(all="ignore"):
                    result = self._function.python(*map(operand.type, values))
            except Exception as error:
                if found:
                    continue
                title = self._function.title
                raise OperatorError(
                    f"operator {title} fails for ones of dtype {operand}: "
                    f"{type(error).__name__}: {error}"
                ) from error
            found.append(self._kind(result))
        return _dtypes.check(_dtypes.common(found))

    def _kind(self, result: Any) -> Any:
        """The dtype of a result, or the type of a weak one."""
        if type(result) in (bool, int, float, complex):
            return type(result)
        if isinstance(result, np.generic) and result.dtype.kind in RANKS:
            return result.dtype
        raise OperatorError(
            f"operator {self._function.title} returns {result!r}; it must return a number"
        )
