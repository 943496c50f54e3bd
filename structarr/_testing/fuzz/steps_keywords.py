"""Random steps by the keywords and the methods of ufuncs, and into arrays of NumPy's."""

from __future__ import annotations

from typing import Final

import numpy as np

from structarr._testing.fuzz.draft import Draft
from structarr._testing.fuzz.words import words

SIMPLE: Final = words("add subtract multiply maximum minimum divide logaddexp hypot less equal")
ONE: Final = words("negative absolute exp sqrt sign square floor isnan logical_not")
SAFE: Final = words("float64 complex128 float32 int64 bool int8")
OUTER: Final = words("add subtract multiply maximum less divide logical_and arctan2 power")
ROUNDED: Final = words("exp sqrt logaddexp hypot divide")
AT: Final = words("add multiply maximum subtract")


def into(d: Draft) -> str | None:
    """An elementwise result that is written into an array, everywhere or where a mask holds."""
    x = d.var()
    if x is None:
        return None
    shape = d.shape(x)
    binary = d.chance(0.6)
    name = d.one(SIMPLE if binary else ONE)
    if name in ROUNDED and np.asarray(d.values[x]).dtype.itemsize < 4:
        return None  # NumPy computes in float16
    given = f"{x}, {d.mate_of_shape(shape)}" if binary else x
    dtype = d.one(("float64", "complex128", "float64", "float32", "int64", "bool"))
    if d.chance(0.15):
        shape = (d.number(0, 3), *shape)
    more = f", where={d.operand(d.smaller(shape), 'bool')}" if d.chance(0.6) else ""
    more += ", casting='unsafe'" if d.chance(0.3) else ""
    return f"np.{name}({given}, out=np.full({shape}, 3, '{dtype}'){more})"


def of_dtype(d: Draft) -> str | None:
    """A ufunc that computes in a dtype."""
    x = d.var()
    if x is None:
        return None
    more = ", casting='unsafe'" if d.chance(0.4) else ""
    dtype = d.one(SAFE)
    if more and np.asarray(d.values[x]).dtype.kind in "fc" and dtype.startswith(("i", "b")):
        return None  # of NaN and what is too large C does not say what becomes an integer
    if d.chance(0.4):
        return f"np.{d.one(ONE)}({x}, dtype='{dtype}'{more})"
    y = d.mate_of_shape(d.shape(x))
    if more and np.asarray(d.values[y]).dtype.kind in "fc" and dtype.startswith(("i", "b")):
        return None
    return f"np.{d.one(SIMPLE)}({x}, {y}, dtype='{dtype}'{more})"


def ufunc_method(d: Draft) -> str | None:
    """A method of a ufunc: of all pairs, of stretches, at places, of one axis."""
    x = d.var(most=3)
    if x is None:
        return None
    shape = d.shape(x)
    kind = d.number(0, 4)
    if kind == 0:
        y = d.var(most=2)
        return y and f"np.{d.one(OUTER)}.outer({x}, {y})"
    if not shape:
        return None
    axis = d.axis(x)
    name = d.one(("add", "multiply", "maximum", "minimum", "logical_or", "logical_and"))
    length = shape[axis] if -len(shape) <= axis < len(shape) else 1
    if kind == 1 and length:
        places = [d.number(0, length - 1) for _ in range(d.number(1, 4))]
        return f"np.{name}.reduceat({x}, {places}, axis={axis})"
    if kind == 2 and length:
        places = [d.number(-length, length - 1) for _ in range(d.number(1, 4))]
        value = d.mate_of_shape((len(places), *shape[1:])) if axis in (0, -len(shape)) else "2"
        if len(shape) > 1 and value == "2":
            return None
        return f"@@ = np.zeros({shape}, {x}.dtype)\nnp.{d.one(AT)}.at(@@, {places}, {value})"
    more = f", initial={d.number(-1, 2)}" if name in ("add", "multiply", "maximum") else ""
    if more and d.chance(0.5):
        more += f", where={d.operand(shape, 'bool')}"
    keep = ", keepdims=True" if d.chance(0.3) else ""
    return f"np.{name}.reduce({x}, axis={d.axes(x)}{more}{keep})"


def where_holds(d: Draft) -> str | None:
    """A reduction over the elements where a mask holds."""
    x = d.var(least=1)
    if x is None:
        return None
    mask = d.operand(d.smaller(d.shape(x)), "bool")
    name = d.one(words("sum prod max min any all mean var std nansum nanmax nanmean"))
    more = f", initial={d.number(-2, 2)}" if name in ("max", "min", "nanmax") else ""
    return f"np.{name}({x}, axis={d.axes(x)}, where={mask}{more})"


def bounds(d: Draft) -> str | None:
    """Values between bounds that are arrays, or one of which is missing."""
    x = d.var(kinds="biuf")
    if x is None:
        return None
    low, high = (d.one(("None", "0", d.mate_of_shape(d.shape(x)))) for _ in range(2))
    if d.chance(0.3):
        return f"np.clip({x}, {d.one(('min', 'max'))}={low if low != 'None' else 1})"
    return f"np.clip({x}, {low}, {high})"


def written(d: Draft) -> str | None:
    """NumPy's array in which elements are put."""
    x = d.var(least=1)
    if x is None:
        return None
    shape = d.shape(x)
    made = f"@@ = np.zeros({shape}, {x}.dtype)\n"
    kind = d.number(0, 4)
    if kind == 0:
        more = f", where={d.operand(d.smaller(shape), 'bool')}" if d.chance(0.5) else ""
        return f"{made}np.copyto(@@, {x}{more})"
    if kind == 1:
        return f"{made}@@[...] = {x}"
    if kind == 2:
        return f"{made}@@ += {x}"
    if kind == 3 and d.shape(x)[0]:
        return f"{made}@@[{d.number(0, d.shape(x)[0] - 1)}:] = {x}[{d.number(0, 1)}]"
    return f"{made}np.putmask(@@, {x} != 0, {x})"


STEPS: Final = {
    "into_array": (2, into),
    "of_dtype": (2, of_dtype),
    "ufunc_method": (2.5, ufunc_method),
    "where_holds": (2, where_holds),
    "bounds": (1, bounds),
    "written": (1.5, written),
}
