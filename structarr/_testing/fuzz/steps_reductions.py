"""Random steps that add up, multiply, or otherwise gather elements."""

from __future__ import annotations

from math import prod
from typing import Final

import numpy as np

from structarr._testing.fuzz.draft import MOST, Draft

SUMS: Final = ("sum", "sum", "prod", "max", "min", "any", "all", "mean", "count_nonzero")


def reduce(d: Draft) -> str | None:
    """A reduction over axes."""
    x = d.var()
    if x is None:
        return None
    name = d.one(SUMS)
    more = ", keepdims=True" if d.chance(0.25) else ""
    if name in ("sum", "prod") and d.chance(0.15):
        more += f", dtype='{d.one(('float64', 'int64', 'complex128', 'float32'))}'"
    if name in ("sum", "prod", "max", "min") and d.chance(0.08):
        more += f", initial={d.number(-1, 3)}"
    if name in ("sum", "prod", "any", "mean") and d.chance(0.06):
        more += f", where={d.operand(d.shape(x), 'bool')}"
    axes = d.axes(x)
    if d.chance(0.3) and name != "count_nonzero":
        return f"{x}.{name}(axis={axes}{more})"
    return f"np.{name}({x}, axis={axes}{more})"


def place(d: Draft) -> str | None:
    """Where the extremes are."""
    x = d.var()
    if x is None:
        return None
    name = d.one(("argmax", "argmin", "argmax", "nanargmax", "nanargmin"))
    axis = None if d.chance(0.3) else d.axis(x)
    keep = ", keepdims=True" if d.chance(0.2) else ""
    return f"np.{name}({x}, axis={axis}{keep})"


def without_nan(d: Draft) -> str | None:
    """A reduction that leaves NaN out."""
    x = d.var()
    if x is None:
        return None
    names = ("nansum", "nanprod", "nanmax", "nanmin", "nanmean", "nanvar", "nanstd")
    return f"np.{d.one(names)}({x}, axis={d.axes(x)})"


def statistic(d: Draft) -> str | None:
    """Averages, spreads and quantiles."""
    x = d.var(most=3)
    if x is None:
        return None
    kind = d.number(0, 6)
    axis = None if d.chance(0.3) else d.axis(x)
    if kind <= 2:
        return f"np.{d.one(('var', 'std'))}({x}, axis={d.axes(x)}, ddof={d.number(0, 1)})"
    if kind == 3:
        return f"np.{d.one(('median', 'nanmedian', 'ptp'))}({x}, axis={axis})"
    if kind == 4:
        share = d.one(("0.5", "[0.25, 0.75]", "0", "1", "[0.1]"))
        return f"np.{d.one(('quantile', 'nanquantile'))}({x}, {share}, axis={axis})"
    if kind == 5:
        return f"np.percentile({x}, {d.number(0, 100)}, axis={axis})"
    if d.shape(x) and d.chance(0.5):
        return f"np.average({x}, axis={axis}, weights={d.partner(d.shape(x))})"
    return f"np.average({x}, axis={axis})"


def covariance(d: Draft) -> str | None:
    """Covariances of rows or columns."""
    x = d.var(least=1, most=2)
    rowvar = d.one(("True", "False"))
    return x and f"np.{d.one(('cov', 'cov', 'corrcoef'))}({x}, rowvar={rowvar})"


def scan(d: Draft) -> str | None:
    """Cumulative sums and differences."""
    x = d.var()
    if x is None:
        return None
    axis = None if d.chance(0.2) or not d.shape(x) else d.axis(x)
    kind = d.number(0, 5)
    if kind <= 1:
        names = ("cumsum", "cumsum", "cumprod", "nancumsum", "nancumprod")
        return f"np.{d.one(names)}({x}, axis={axis})"
    if kind == 2:
        return f"np.diff({x}, {d.number(0, 2)}, axis={-1 if axis is None else axis})"
    if kind == 3:
        return f"np.ediff1d({x})"
    if kind == 4:
        more = ", include_initial=True" if d.chance(0.5) else ""
        return f"np.cumulative_sum({x}, axis={axis}{more})"
    name = d.one(("add", "maximum", "multiply", "logical_or"))
    return f"np.{name}.{d.one(('accumulate', 'reduce'))}({x}, axis={0 if axis is None else axis})"


def into(d: Draft) -> str | None:
    """A reduction or a scan that is written into an array of doubles."""
    x = d.var(kinds="biuf")
    if x is None:
        return None
    name = d.one(("sum", "prod", "max", "mean", "cumsum", "cumprod", "nansum"))
    axis = d.axis(x) if d.shape(x) and (name.startswith("cum") or d.chance(0.6)) else None
    try:
        shape = np.shape(getattr(np, name)(np.zeros(d.shape(x)), axis=axis))
    except ValueError:
        return None
    return f"np.{name}({x}, axis={axis}, out=np.zeros({shape}))"


def product(d: Draft) -> str | None:
    """Products of matrices and vectors."""
    x = d.var(least=1, most=4)
    if x is None:
        return None
    shape = d.shape(x)
    kind = d.number(0, 8)
    if kind == 0:
        return f"{x} @ {x}" if len(shape) < 2 else f"{x} @ np.matrix_transpose({x})"
    if kind <= 3:
        width = d.number(0, 5)
        vector = d.chance(0.4)
        y = d.partner((shape[-1],) if vector else (*shape[:-2], shape[-1], width))
        return f"{x} @ {y}" if d.chance(0.7) else f"np.matmul({x}, {y})"
    if kind == 4:
        y = d.partner((d.number(0, 4), shape[0])) if len(shape) < 3 else d.partner(shape)
        return f"np.dot({y}, {x})"
    if kind == 5:
        return f"np.{d.one(('inner', 'vdot', 'vecdot'))}({x}, {d.partner(shape)})"
    if kind == 6:
        y = d.partner((shape[-1], d.number(1, 3)))
        return f"np.tensordot({x}, {y}, axes=1)"
    if kind == 7:
        axes = d.number(0, len(shape) - 1)
        return f"np.tensordot({x}, {d.partner(shape)}, axes=([{axes}], [{axes}]))"
    return f"np.{d.one(('outer', 'kron'))}({x}, {d.var(least=1, most=2)})"


def einsum(d: Draft) -> str | None:
    """A sum over products by labels, repeated ones among them."""
    x = d.var(least=1, most=3)
    if x is None:
        return None
    lengths: dict[str, int] = {}
    operands, labels = [x], [_labels(d, d.shape(x), lengths)]
    for _ in range(d.number(0, 2)):
        used = list(lengths)
        own = [str(d.one(used)) for _ in range(d.number(1, 3))]
        if d.chance(0.4):
            fresh = next(one for one in "uvwxyz" if one not in lengths)
            lengths[fresh] = d.number(0, 4)
            own.append(fresh)
        shape = tuple(lengths[one] for one in own)
        if prod(max(length, 1) for length in shape) > MOST:
            return None
        operands.append(d.partner(shape))
        labels.append("".join(own))
    kept = [one for one in dict.fromkeys("".join(labels)) if d.chance(0.4)]
    order = [str(kept[int(k)]) for k in d.rng.permutation(len(kept))]
    if int(np.prod([max(one, 1) for one in lengths.values()])) > 30000:
        return None
    call = f"np.einsum('{','.join(labels)}->{''.join(order)}', {', '.join(operands)}"
    if d.chance(0.1):
        shape = tuple(lengths[one] for one in order)
        dtype = d.one(("float64", "int64", "complex128", "float32"))
        return f"{call}, out=np.full({shape}, 3, '{dtype}'))"
    return call + ")"


def _labels(d: Draft, shape: tuple[int, ...], lengths: dict[str, int]) -> str:
    found = ""
    for length in shape:
        same = [name for name, own in lengths.items() if own == length]
        if same and d.chance(0.25):
            found += str(d.one(same))
        else:
            name = "ijklm"[len(lengths)]
            lengths[name] = length
            found += name
    return found


def chain(d: Draft) -> str | None:
    """Sums of products in a row, which may be reordered, or masked."""
    x = d.var(least=2, most=2)
    if x is None:
        return None
    m, n = d.shape(x)
    y = d.partner((n, d.number(1, 4)))
    k = d.shape(y)[1]
    kind = d.number(0, 4)
    if kind == 0:
        return f"{x} @ {y} @ {d.partner((k,))}"
    if kind == 1:
        return f"({x} @ {y}) * {d.partner((m, k))}"
    if kind == 2:
        return f"({x} @ {y}).sum(axis={d.one((None, 0, 1))})"
    if kind == 3:
        return f"{x} @ ({x}.T @ {d.partner((m,))})"
    return f"{d.partner((m,))} @ {x} @ {y}"


STEPS: Final = {
    "reduce": (12, reduce),
    "place": (2, place),
    "without_nan": (2, without_nan),
    "statistic": (4, statistic),
    "covariance": (0.7, covariance),
    "scan": (4, scan),
    "into": (1.5, into),
    "product": (7, product),
    "einsum": (5, einsum),
    "chain": (3, chain),
}
