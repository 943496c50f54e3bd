"""Random steps that move elements: shapes, subscripts, joins."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from structarr._testing.fuzz.draft import Draft


def transpose(d: Draft) -> str | None:
    """Another order of axes."""
    x = d.var(least=1)
    if x is None:
        return None
    ndim = len(d.shape(x))
    kind = d.number(0, 4)
    if kind == 0:
        return f"{x}.T"
    if kind == 1:
        return f"np.transpose({x}, {tuple(int(k) for k in d.rng.permutation(ndim))})"
    if kind == 2:
        return f"np.swapaxes({x}, {d.axis(x)}, {d.axis(x)})"
    if kind == 3:
        return f"np.moveaxis({x}, {d.axis(x)}, {d.axis(x)})"
    return f"np.matrix_transpose({x})" if ndim > 1 else f"np.rollaxis({x}, {d.axis(x)})"


def reshape(d: Draft) -> str | None:
    """Another shape of the same elements."""
    x = d.var()
    if x is None:
        return None
    size = int(np.prod(d.shape(x)))
    if d.chance(0.2):
        return f"{d.one(('np.ravel({})', '{}.reshape(-1)', '{}.flatten()')).format(x)}"
    factors = _factors(d, size)
    if d.chance(0.3) and factors and size:
        factors[d.number(0, len(factors) - 1)] = -1
    order = ", order='F'" if d.chance(0.1) else ""
    return f"np.reshape({x}, {tuple(factors)}{order})"


def _factors(d: Draft, size: int) -> list[int]:
    if size == 0:
        return [0] + [d.number(0, 3) for _ in range(d.number(0, 2))]
    found, rest = [], size
    for _ in range(d.number(0, 3)):
        choices = [k for k in range(1, rest + 1) if rest % k == 0]
        found.append(int(d.one(choices)))
        rest //= found[-1]
    found.insert(d.number(0, len(found)), rest)
    return found


def lengths_of_one(d: Draft) -> str | None:
    """Axes of length one, made or left out; broadcasts."""
    x = d.var(most=4)
    if x is None:
        return None
    kind = d.number(0, 4)
    if kind == 0:
        return f"np.squeeze({x})"
    if kind == 1:
        return f"np.expand_dims({x}, {d.number(-len(d.shape(x)) - 1, len(d.shape(x)))})"
    if kind == 2:
        return f"np.atleast_{d.number(1, 3)}d({x})"
    if kind == 3:
        return f"np.broadcast_to({x}, {(d.number(0, 3), *d.shape(x))})"
    return f"np.broadcast_arrays({x}, {d.mate(x)})[{d.number(0, 1)}]"


def flip(d: Draft) -> str | None:
    """Elements in another order along axes."""
    x = d.var(least=1)
    if x is None:
        return None
    kind = d.number(0, 4)
    if kind == 0:
        return f"np.flip({x}, {d.axes(x)})"
    if kind == 1 and len(d.shape(x)) > 1:
        return f"np.rot90({x}, {d.number(-1, 3)})"
    if kind == 2:
        return f"np.{d.one(('fliplr', 'flipud'))}({x})"
    return f"np.roll({x}, {d.number(-3, 9)}, {d.axes(x) if d.chance(0.3) else d.axis(x)})"


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
    count = d.number(0, 4) if length else 0
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
        return f"np.take({x}, {[d.number(-5, 9) for _ in range(3)]}, axis={axis}, mode='{mode}')"
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
    return f"@@ = np.copy({x})\n@@[{where}] {op} {value}"


def join(d: Draft) -> str | None:
    """Several arrays beside one another."""
    x = d.var(least=1, most=4)
    if x is None:
        return None
    parts = [x, d.partner(d.shape(x))] + ([x] if d.chance(0.2) else [])
    text = ", ".join(parts)
    kind = d.number(0, 5)
    if kind <= 1:
        axis = None if d.chance(0.1) else d.axis(x)
        return f"np.{d.one(('concatenate', 'concat'))}([{text}], axis={axis})"
    if kind == 2:
        return f"np.stack([{text}], axis={d.number(-1, len(d.shape(x)))})"
    if kind == 3:
        return f"np.{d.one(('vstack', 'hstack', 'dstack', 'column_stack'))}([{text}])"
    if kind == 4:
        return f"np.block([[{parts[0]}, {parts[1]}], [{parts[1]}, {parts[0]}]])"
    return f"np.append({parts[0]}, {parts[1]}, axis={d.axis(x)})"


def split(d: Draft) -> str | None:
    """One of the parts of an array."""
    x = d.var(least=1)
    if x is None:
        return None
    axis = d.axis(x)
    if d.chance(0.3):
        return f"np.unstack({x}, axis={axis})[0]"
    if d.chance(0.5):
        return f"np.array_split({x}, {d.number(1, 3)}, axis={axis})[-1]"
    return f"np.split({x}, [{d.number(0, 2)}, {d.number(2, 4)}], axis={axis})[1]"


def pad(d: Draft) -> str | None:
    """More elements around an array."""
    x = d.var(least=1, most=3)
    if x is None:
        return None
    widths: Any = d.number(0, 2)
    if d.chance(0.5):
        widths = tuple((d.number(0, 2), d.number(0, 3)) for _ in d.shape(x))
    modes = ("constant", "constant", "edge", "reflect", "symmetric", "wrap", "empty", "linear_ramp")
    mode = d.one([one for one in modes if one != "empty"] + ["maximum", "mean"])
    value = f", constant_values={d.number(0, 2)}" if mode == "constant" and d.chance(0.4) else ""
    return f"np.pad({x}, {widths}, '{mode}'{value})"


def repeat(d: Draft) -> str | None:
    """Elements several times."""
    x = d.var()
    if x is None:
        return None
    shape = d.shape(x)
    kind = d.number(0, 3)
    if kind == 0:
        return f"np.tile({x}, {tuple(d.number(0, 3) for _ in range(d.number(1, 3)))})"
    if kind == 1:
        return f"np.resize({x}, {tuple(d.number(0, 5) for _ in range(d.number(1, 2)))})"
    axis = None if d.chance(0.2) or not shape else d.axis(x)
    if kind == 2 and axis is not None and -len(shape) <= axis < len(shape):
        counts = [d.number(0, 3) for _ in range(shape[axis])]
        return f"np.repeat({x}, np.array({counts}, int), axis={axis})"
    return f"np.repeat({x}, {d.number(0, 3)}, axis={axis})"


def insert(d: Draft) -> str | None:
    """Elements put in, or left out."""
    x = d.var(least=1, most=3)
    if x is None:
        return None
    axis = d.axis(x)
    shape = d.shape(x)
    length = shape[axis] if -len(shape) <= axis < len(shape) else 1
    if d.chance(0.5):
        if not length:
            return None
        one, several = d.number(-length, length - 1), [d.number(0, length - 1)] * 2
        where = d.one((str(one), f"{several}", "slice(1, 3)"))
        return f"np.delete({x}, {where}, axis={axis})"
    return f"np.insert({x}, {d.number(-length, length)}, {d.number(-2, 2)}, axis={axis})"


def triangle(d: Draft) -> str | None:
    """A triangle, or a diagonal."""
    x = d.var(least=1, most=3)
    if x is None:
        return None
    k = d.number(-3, 3)
    ndim = len(d.shape(x))
    if ndim == 1:
        return f"np.{d.one(('diag', 'diagflat'))}({x}, {k})"
    kind = d.number(0, 4)
    if kind <= 1:
        return f"np.{d.one(('tril', 'triu'))}({x}, {k})"
    if kind == 2:
        return f"np.diagonal({x}, {k})"
    if kind == 3 and ndim == 2:
        return f"np.diag({x}, {k})"
    return f"np.trace({x}, {k})"


STEPS: Final = {
    "transpose": (6, transpose),
    "reshape": (5, reshape),
    "lengths_of_one": (4, lengths_of_one),
    "flip": (4, flip),
    "subscript": (12, subscript),
    "mask": (2.5, mask),
    "take": (3, take),
    "assign": (4, assign),
    "join": (6, join),
    "split": (2, split),
    "pad": (2.5, pad),
    "repeat": (3, repeat),
    "insert": (2, insert),
    "triangle": (4, triangle),
}
