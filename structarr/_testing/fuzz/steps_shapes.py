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
    "join": (6, join),
    "split": (2, split),
    "pad": (2.5, pad),
    "repeat": (3, repeat),
    "insert": (2, insert),
    "triangle": (4, triangle),
}
