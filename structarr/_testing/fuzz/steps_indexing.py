"""Random steps that read or write some of the elements."""

from __future__ import annotations

from typing import Final

import numpy as np

from structarr._testing.fuzz.draft import Draft


def _slice(d: Draft, length: int) -> str:
    if d.chance(0.25):
        return ":"
    step = d.one((None, None, None, 1, 2, 3, -1, -2))
    start = None if d.chance(0.3) else d.number(-length - 1, length + 1)
    stop = None if d.chance(0.4) else d.number(-length - 1, length + 1)
    text = [("" if one is None else str(one)) for one in (start, stop, step)]
    return ":".join(text if step is not None else text[:2])


def key(d: Draft, shape: tuple[int, ...], fancy: bool) -> str:
    """The text of a subscript."""
    parts: list[str] = []
    arrays = 0
    count = len(shape) if d.chance(0.7) else d.number(0, len(shape))
    for length in shape[:count]:
        kind = d.rng.random()
        if kind < 0.25 and length:
            parts.append(str(d.number(-length, length - 1)))
        elif kind < 0.5 and fancy and arrays < 2:
            arrays += 1
            parts.append(_places(d, length))
        else:
            parts.append(_slice(d, length))
    if d.chance(0.1):
        parts.insert(d.number(0, len(parts)), "None")
    if d.chance(0.1):
        parts.insert(d.number(0, len(parts)), "...")
    if d.chance(0.01):
        parts.append("7")
    return ", ".join(parts) or "..."


def _places(d: Draft, length: int) -> str:
    if d.chance(0.25):
        flags = (d.rng.random(length) < 0.5).tolist()
        return f"np.array({flags}, bool)"
    most = d.one((4, 4, 2 * length + 1))
    count = d.number(0, most) if length else 0
    places = [d.number(-length, length - 1) for _ in range(count)]
    return f"np.array({places}, int)" if not places or d.chance(0.4) else f"{places}"


def subscript(d: Draft) -> str | None:
    """Some of the elements."""
    x = d.var(least=1)
    return x and f"{x}[{key(d, d.shape(x), fancy=d.chance(0.35))}]"


def mask(d: Draft) -> str | None:
    """The elements where something holds."""
    x = d.var(least=1)
    if x is None or not np.size(d.values[x]):  # NumPy takes other libraries' empty masks for places
        return None
    if d.chance(0.5):
        return f"{x}[{x} > {d.number(-1, 2)}]" if _real(d, x) else f"{x}[{x} != 0]"
    m = d.operand(d.shape(x), "bool")
    return f"{x}[{m}]" if d.chance(0.6) else f"np.extract({m}, {x})"


def _real(d: Draft, name: str) -> bool:
    return np.asarray(d.values[name]).dtype.kind != "c"


def take(d: Draft) -> str | None:
    """Elements by their places along an axis."""
    x = d.var(least=1)
    if x is None:
        return None
    axis = d.axis(x)
    shape = d.shape(x)
    length = shape[axis] if -len(shape) <= axis < len(shape) else 1
    kind = d.number(0, 3)
    if kind == 0:
        mode = d.one(("wrap", "clip"))
        places = [d.number(-5, 9) for _ in range(3)]
        if mode == "wrap" and not length and 0 not in shape[:axis]:
            return None  # NumPy looks without end for a place in an axis that has none
        return f"np.take({x}, {places}, axis={axis}, mode='{mode}')"
    if kind == 1:
        flags = (d.rng.random(length) < 0.5).tolist()
        return f"np.compress({flags}, {x}, axis={axis})"
    if kind == 2 and length:
        return f"np.take_along_axis({x}, np.argsort({x}, axis={axis}, kind='stable'), axis={axis})"
    if not length:
        return None
    places = [d.number(-length, length - 1) for _ in range(d.number(0, 4))]
    return f"np.take({x}, np.array({places}, int), axis={axis})"


def assign(d: Draft) -> str | None:
    """A copy of which some elements are others."""
    x = d.var(least=1)
    if x is None:
        return None
    where = key(d, d.shape(x), fancy=d.chance(0.3))
    try:
        part = eval(f"x[{where}]", {"np": np}, {"x": np.asarray(d.values[x])})
    except Exception:
        return None
    value = d.scalar() if d.chance(0.4) or not np.ndim(part) else d.mate_of_shape(np.shape(part))
    if d.chance(0.2) and _real(d, x):
        return f"@@ = np.copy({x})\n@@[@@ > 0] = {d.number(-2, 2)}"
    op = d.one(("=", "=", "=", "+=", "*="))
    # Of an element NumPy gives a number, which becomes complex in place; here it is an array.
    op = "=" if value == "1j" else op
    return f"@@ = np.copy({x})\n@@[{where}] {op} {value}"


def several_axes(d: Draft) -> str | None:
    """Elements by places or masks of several axes together, or by what the program computed."""
    x = d.var(least=1, most=4)
    if x is None:
        return None
    where = _several(d, x)
    if where is None:
        return None
    if d.chance(0.3):
        value = d.scalar()
        return f"@@ = np.copy({x})\n@@[{where}] = {'2' if value == '1j' else value}"
    return f"{x}[{where}]"


def _several(d: Draft, x: str) -> str | None:
    """A subscript of one array, or several, that stand for more than one axis or less."""
    shape = d.shape(x)
    kind = d.number(0, 8)
    if kind == 0 and shape[0]:  # an array of places of two axes
        pairs = [[d.number(-shape[0], shape[0] - 1) for _ in range(2)] for _ in range(2)]
        second = f", {_slice(d, shape[1])}" if len(shape) > 1 else ""
        more = d.one(("", ", ...", ", None", second))
        return f"np.array({pairs}){more}"
    if kind == 1 and len(shape) > 1 and shape[0] and shape[1]:
        rows, columns = ([d.number(-n, n - 1) for _ in range(d.number(1, 3))] for n in shape[:2])
        return f"np.ix_({rows}, {columns})" if d.chance(0.6) else f"np.c_[{rows}], {columns}"
    if kind == 2 and len(shape) > 1:
        mask = d.operand(shape[:2], "bool")
        return f"{mask}, {_slice(d, shape[2])}" if len(shape) > 2 else mask
    if kind == 3:
        return str(d.one(("True", "False", "None, ..., None", "(), ", "..., None, :")))
    if kind == 4 and shape[0]:
        return f"np.{d.one(('int8', 'uint64', 'int64'))}({d.number(0, shape[0] - 1)})"
    if kind == 5 and len(shape) > 2 and shape[0] and shape[2]:  # places apart go to the front
        first, last = ([d.number(0, n - 1) for _ in range(2)] for n in (shape[0], shape[2]))
        return f"{first}, {_slice(d, shape[1])}, {last}"
    if kind == 6 and shape[0]:  # places that are computed, and stored in any format
        places = d.operand((d.number(0, 4),), "int64")
        return f"{places} % {shape[0]}"
    if kind == 7 and len(shape) > 1 and shape[1]:
        return f":, {x}[0].argsort(kind='stable')[:: -1]" if len(shape) == 2 and shape[0] else None
    return f"{_slice(d, shape[0])}, None, ..."


STEPS: Final = {
    "subscript": (12, subscript),
    "several_axes": (3, several_axes),
    "mask": (2.5, mask),
    "take": (3, take),
    "assign": (4, assign),
}
