"""Operators on scalars, by the text that kernels run: what constants are folded by."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias
from weakref import WeakKeyDictionary

import numpy as np

from structarr._compiler.backend.spelling import spelled
from structarr._compiler.ir.ops import Op
from structarr._compiler.runtime import HELPERS
from structarr._compiler.runtime._constructors import CONSTRUCTORS

_Functions: TypeAlias = dict[tuple[tuple[str, ...], str], Callable[..., Any]]
_known: WeakKeyDictionary[Op, _Functions] = WeakKeyDictionary()


def scalar_function(op: Op, ins: tuple[str, ...], out: str) -> Callable[..., Any]:
    """
    Return an operator as a function of NumPy's scalars.

    Parameters
    ----------
    op : Op
        The operator.
    ins : tuple of str
        The dtypes of its operands.
    out : str
        The dtype of its result; the function may return a number of Python's that stands for one.

    Examples
    --------
    >>> from structarr._compiler.ir.ops import OPS
    >>> scalar_function(OPS["floor_divide"], ("int64", "int64"), "int64")(np.int64(-7), np.int64(2))
    np.int64(-4)
    """
    known = _known.setdefault(op, {})
    if (ins, out) not in known:
        names = [f"a{k}" for k in range(len(ins))]
        text = spelled(op, ins, out).template.format(*names)
        scope = {op.name: op.function, "np": np, **CONSTRUCTORS, **HELPERS}
        known[ins, out] = eval(f"lambda {', '.join(names)}: {text}", scope)
    return known[ins, out]
