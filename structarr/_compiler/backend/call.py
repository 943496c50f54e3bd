"""A kernel that is one call of a helper: loops over buffers that no expression stands for."""

from __future__ import annotations

from functools import cache
from typing import Any, Final

import numpy as np

from structarr._compiler.backend.kernel import Kernel, build
from structarr._compiler.backend.params import Param
from structarr._compiler.ir.expr import INDEX, Helper
from structarr._compiler.ir.kernel import Function
from structarr._compiler.ir.variables import Var
from structarr._support import uninterrupted

IN_PLACE: Final = 0x101
"""NumPy's flags of arrays that are C-contiguous and aligned, as one number."""


def call(name: str, inputs: tuple[Any, ...], outputs: tuple[Any, ...], work: float) -> Any:
    """
    Call a helper of `structarr._compiler.runtime`, compiled where that pays.

    Parameters
    ----------
    name : str
        The helper's.
    inputs, outputs : tuple of numpy.ndarray, numpy.generic or int
        Its arguments; it writes to the latter alone. Arrays have one axis, and outputs are
        C-contiguous. Inputs that kernels cannot read in place are copied.
    work : float
        An estimate of the number of innermost steps.

    Examples
    --------
    >>> call("bisect", (np.array([1, 3, 5]), 4, 0, 3), (), 3)
    2
    """
    args: list[Any] = []
    kinds: list[Any] = []
    for arg in inputs:
        # Kernels trust arrays to lie in memory: such as no view of every other element.
        if isinstance(arg, np.ndarray):
            args.append(arg if arg.flags.num & IN_PLACE == IN_PLACE else arg.copy())
            kinds.append(arg.dtype)
        else:
            args.append(arg)
            kinds.append(type(arg))
    for arg in outputs:
        args.append(arg)
        kinds.append(arg.dtype)
    kernel = _kernel(name, tuple(kinds), len(inputs))
    given = tuple(args)
    if work < uninterrupted.MANY:
        return kernel(given, work)
    return uninterrupted.heard(lambda: kernel(given, work), work)


@cache
def _kernel(name: str, kinds: tuple[np.dtype[Any] | type, ...], inputs: int) -> Kernel:
    params = [_param(kind, k >= inputs) for k, kind in enumerate(kinds)]
    args = tuple([Var(param.dtype, f"a{k}") for k, param in enumerate(params)])
    called = Function("kernel", args, (), Helper(INDEX, name, args))
    return build((called,), tuple(params))


def _param(kind: np.dtype[Any] | type, writable: bool) -> Param:
    """The parameter of an array of a dtype, or of a scalar of a type."""
    if isinstance(kind, np.dtype):
        return Param(kind.name, True, writable, kind.name in ("int32", "int64"))
    if issubclass(kind, np.generic):
        return Param(np.dtype(kind).name, False, False, False)
    return Param("int64", False, False, True)
