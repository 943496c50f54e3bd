"""Random steps as they are written by methods, by Python's own functions, and in place."""

from __future__ import annotations

from typing import Final

import numpy as np

from structarr._testing.fuzz.draft import Draft
from structarr._testing.fuzz.words import words

INPLACE: Final = ("+=", "-=", "*=", "/=", "//=", "%=", "**=", "&=", "|=", "^=", "<<=", ">>=")
BARE: Final = words("ravel flatten squeeze conj conjugate transpose copy")
PROPERTIES: Final = words("T real imag")
BY_AXIS: Final = words("sum prod max min any all mean std var argmax argmin cumsum cumprod")


def method(d: Draft) -> str | None:
    """A method of an array."""
    x = d.var()
    if x is None or not isinstance(d.values[x], np.ndarray):
        return None
    kind = d.number(0, 9)
    ndim = len(d.shape(x))
    if kind <= 1:
        return f"{x}.{d.one(BARE)}()"
    if kind == 2:
        name = d.one((*PROPERTIES, "mT") if ndim > 1 else PROPERTIES)
        return f"{x}.{name}"
    if kind <= 4:
        name = d.one(BY_AXIS)
        single = name.startswith(("arg", "cum"))
        axis = d.one((None, d.axis(x))) if single else d.axes(x)
        more = ", keepdims=True" if not name.startswith("cum") and d.chance(0.3) else ""
        more += f", ddof={d.number(0, 2)}" if name in ("std", "var") and d.chance(0.3) else ""
        return f"{x}.{name}(axis={axis}{more})"
    if kind == 5:
        return f"{x}.{d.one(('round(1)', 'clip(0, 2)', 'clip(max=1)', 'clip(min=0)', 'round()'))}"
    if ndim == 0:
        return f"{x}.{d.one(('item()', 'reshape(1, 1)', 'repeat(3)', 'tolist()', 'nonzero()'))}"
    return _along(d, x, ndim)


def _along(d: Draft, x: str, ndim: int) -> str:
    """A method that takes an axis, or several."""
    axis, length = d.axis(x), max(d.shape(x))
    kind = d.number(0, 6)
    if kind == 0:
        return f"{x}.repeat({d.number(0, 3)}, axis={axis})"
    if kind == 1:
        return f"{x}.take([{d.number(-2, 3)}, {d.number(0, 1)}], axis={axis}, mode='clip')"
    if kind == 2 and ndim > 1:
        k = d.number(-length, length)
        return f"{x}.{d.one(('trace', 'diagonal'))}({k}, {d.number(-ndim, 1)}, {axis})"
    if kind == 3:
        return f"{x}.swapaxes({axis}, {d.axis(x)})"
    if kind == 4:
        return f"{x}.dot({d.partner((d.shape(x)[-1], d.number(0, 3)))})"
    if kind == 5:
        return f"np.array({x}.tolist(), {x}.dtype).reshape({x}.shape)"
    return f"{x}.nonzero()[{axis % ndim}]"


def python(d: Draft) -> str | None:
    """A function or a statement of Python's own."""
    x = d.var()
    if x is None or not isinstance(d.values[x], np.ndarray):
        return None
    kind = d.number(0, 9)
    if kind == 0:
        return f"{d.one(('abs({})', '-{}', '+{}', '~{}')).format(x)}"
    if kind == 1:
        return f"divmod({x}, {d.mate(x)})[{d.number(0, 1)}]"
    if kind == 2:
        return f"divmod({d.one((2, 7.5, -3))}, {x})[{d.number(0, 1)}]"
    if kind == 3:
        return f"{x} ** {d.one((0, 1, 2, 3, 0.5, -1, 2.0))}"
    if kind == 4:
        return f"{d.one((0, 1, 2, -1, 0.5))} ** {x}"
    if not d.shape(x):
        return f"{d.one(('float({})', 'bool({})', 'complex({})', 'int({})', 'str({})')).format(x)}"
    if kind == 5:
        return f"np.array([one for one in {x}], {x}.dtype).reshape({x}.shape)"
    if kind == 6:
        return f"sum({x})"
    if kind == 7:
        return f"np.array({d.one((0, 1, 2))} in {x})"
    if kind == 8:
        return f"np.array(len({x}))"
    return f"[*{x}][-1]"


def in_place(d: Draft) -> str | None:
    """An operator that gives a name another value, of the same dtype."""
    x = d.var()
    if x is None or not isinstance(d.values[x], np.ndarray):
        return None
    op = d.one(INPLACE)
    return f"@@ = np.copy({x})\n@@ {op} {d.mate(x)}"


STEPS: Final = {
    "method": (5, method),
    "python": (3, python),
    "in_place": (2, in_place),
}
