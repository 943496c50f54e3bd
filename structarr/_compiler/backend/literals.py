"""Constants as the text of kernels has them."""

from __future__ import annotations

import math
from typing import Any

from structarr._compiler.ir.dtypes import COMPLEX, FLOATS


def literal(dtype: str, value: Any) -> str:
    """The text of a constant of a dtype."""
    if dtype == "bool":
        return str(bool(value))
    if dtype == "int64":
        return str(value)
    if dtype in COMPLEX:
        real, imag = _float(value.real), _float(value.imag)
        return f"{dtype}(complex({real}, {imag}))"
    if dtype in FLOATS:
        shown = _float(value)
        return shown if dtype == "float64" else f"{dtype}({shown})"
    return f"{dtype}({value})"


def is_signed(dtype: str, value: Any) -> bool:
    """Whether the text of a constant begins with a sign."""
    if dtype not in ("int64", "float64") or math.isnan(value):
        return False
    return math.copysign(1, value) < 0


def _float(value: float) -> str:
    if math.isnan(value):
        return "np.nan"
    if math.isinf(value):
        return "np.inf" if value > 0 else "-np.inf"
    return repr(float(value))
