"""Random operands in every format, for programs of loops."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from fitting import fitted, formats_for
from hypothesis import strategies as st
from strategies import stored, values

from structarr._array import of_tensor

Draw = Callable[..., Any]


@dataclass
class Operand:
    """An argument: what the program is called with, and what its oracle is."""

    name: str
    data: Any
    given: Any

    def __repr__(self) -> str:
        if not isinstance(self.data, np.ndarray):
            return f"{self.name} = {self.data!r}"
        told = getattr(self.given, "format", None)
        fill = getattr(self.given, "fill_value", None)
        return f"{self.name} = {self.data!r} as {told!r} fill {fill!r}"


@dataclass
class Case:
    """A program with its operands."""

    text: str
    operands: list[Operand] = field(default_factory=list)

    def __repr__(self) -> str:
        return "\n".join([self.text, *map(repr, self.operands)])


@st.composite
def operands(draw: Draw, name: str, shape: tuple[int, ...], dtype: str) -> Operand:
    """An array in some format."""
    fill = draw(st.sampled_from([0, 0, 0, 1]))
    fmt = draw(formats_for(shape, "float64" if fill else dtype))
    data = fitted(draw(values(shape, dtype, fill)), fmt, np.dtype(dtype).type(fill))
    return Operand(name, data, of_tensor(stored(data, fmt, fill)))
