"""Random steps that sort, search, solve, filter; and those of the library alone."""

from __future__ import annotations

from typing import Final

from structarr._testing.fuzz.draft import Draft
from structarr._testing.fuzz.words import words

USUAL: Final = words("dense rle list bitmap")
FORMATS: Final = words("dense rle list csf coo bitmap hash vbl band sparse-rle")


def sort(d: Draft) -> str | None:
    """Sorted elements, or their order."""
    x = d.var(least=1)
    if x is None:
        return None
    axis = d.axis(x)
    kind = d.number(0, 3)
    if kind <= 1:
        return f"np.sort({x}, axis={axis})"
    if kind == 2:
        return f"np.argsort({x}, axis={axis}, kind='stable')"
    return f"np.lexsort(({x}, {d.partner(d.shape(x))}))"


def sets(d: Draft) -> str | None:
    """Distinct elements, and sets of them."""
    x = d.var(most=3)
    if x is None:
        return None
    kind = d.number(0, 5)
    if kind == 0:
        return f"np.unique({x})"
    if kind == 1:
        flag = d.one(("return_index", "return_inverse", "return_counts"))
        return f"np.unique({x}, {flag}=True)[{d.number(0, 1)}]"
    if kind == 2:
        return f"np.unique_{d.one(('counts', 'inverse', 'all'))}({x})[{d.number(0, 1)}]"
    y = d.var(most=3)
    if kind == 3:
        return f"np.isin({x}, {y})"
    return f"np.{d.one(('intersect1d', 'union1d', 'setdiff1d', 'setxor1d'))}({x}, {y})"


def search(d: Draft) -> str | None:
    """Where values belong, and where elements are not zero."""
    x = d.var(most=3)
    if x is None:
        return None
    kind = d.number(0, 6)
    if kind == 0:
        y = d.var(least=1, most=1, kinds="biuf")
        return y and f"np.searchsorted(np.sort({y}), {x}, side='{d.one(('left', 'right'))}')"
    if kind == 1:
        return f"np.digitize({x}, [-1, 0, 2])"
    if kind == 2:
        return f"np.nonzero({x})[0]"
    if kind == 3:
        return f"np.{d.one(('argwhere', 'flatnonzero'))}({x})"
    if kind == 4:
        bins = d.one(("bins=3, range=(-2, 5)", "bins=[-1, 0, 1, 3]"))
        return f"np.histogram({x}, {bins})[{d.number(0, 1)}]"
    if kind == 5:
        return f"np.trim_zeros(np.ravel({x}))"
    y = d.var(least=1, most=1, kinds="u")
    return y and f"np.bincount({y}, minlength={d.number(0, 9)})"


def signal(d: Draft) -> str | None:
    """Convolutions, derivatives and integrals."""
    x = d.var(least=1, most=1)
    kind = d.number(0, 4)
    if kind <= 2 and x is not None:
        mode = d.one(("full", "same", "valid"))
        y = d.operand((d.number(1, 4),)) if d.chance(0.5) else d.var(least=1, most=1)
        return f"np.{d.one(('convolve', 'correlate'))}({x}, {y}, '{mode}')"
    z = d.var(least=1, most=3)
    if z is None:
        return None
    if kind == 3:
        return f"np.gradient({z}, axis={d.axis(z)})"
    return f"np.trapezoid({z}, axis={d.axis(z)})"


def linalg(d: Draft) -> str | None:
    """Norms, powers and solutions."""
    x = d.var(least=1, most=3)
    if x is None:
        return None
    kind = d.number(0, 7)
    ndim = len(d.shape(x))
    if kind <= 2:
        order = (
            d.one(("None", "None", "1", "np.inf", "2", "0", "-np.inf"))
            if ndim == 1
            else d.one(("None", "'fro'", "1", "np.inf", "-1"))
        )
        axis = "" if ndim < 3 else ", axis=(0, 1)"
        return f"np.linalg.norm({x}, {order}{axis})"
    if kind == 3:
        return f"np.linalg.vector_norm({x}, axis={d.axis(x)})"
    if kind == 4:
        return f"np.cross({x}, {d.partner(d.shape(x))})"
    square = [
        name
        for name, value in d.values.items()
        if getattr(value, "ndim", 0) == 2 and value.shape[0] == value.shape[1]
    ]
    if not square:
        return None
    y = d.one(square)
    if kind == 5:
        return f"np.linalg.matrix_power({y}, {d.number(0, 3)})"
    well = f"{y} * 0 + 9 * np.eye({d.shape(y)[0]}) + np.clip(np.real(np.nan_to_num({y})), -1, 1)"
    if kind == 6:
        return f"np.linalg.{d.one(('inv', 'det'))}({well})"
    return f"np.linalg.solve({well}, np.ones({d.shape(y)[0]}))"


def polynomial(d: Draft) -> str | None:
    """Interpolation and polynomials."""
    x = d.var(most=2, kinds="biuf")
    if x is None:
        return None
    if d.chance(0.5):
        return f"np.interp({x}, [-1, 0, 2], [3.0, 1.0, 4.0])"
    return f"np.polyval([{d.number(-2, 2)}, {d.number(0, 2)}, 1], {x})"


def made(d: Draft) -> str | None:
    """An array like another, or made of nothing but its shape."""
    x = d.var(most=3)
    if x is None:
        return None
    kind = d.number(0, 5)
    if kind == 0:
        return f"np.{d.one(('zeros', 'ones'))}_like({x})"
    if kind == 1:
        return f"np.full_like({x}, {d.number(0, 3)})"
    if kind == 2:
        return f"np.eye({d.number(0, 5)}, {d.number(1, 5)}, k={d.number(-1, 1)}, like={x})"
    if kind == 3:
        return f"np.arange({d.number(0, 9)}, like={x})"
    if kind == 4:
        more = d.one(("", "", ", dtype=bool", ", dtype='int8'"))
        size = f"{d.number(0, 5)}, {d.number(1, 5)}, {d.number(-1, 1)}"
        return f"np.tri({size}{more}, like={x})"
    return (
        f"np.full({tuple(d.number(0, 4) for _ in range(d.number(0, 2)))}, {d.scalar()}, like={x})"
    )


def meshes(d: Draft) -> str | None:
    """One of the arrays of a grid."""
    x, y = d.var(most=1), d.var(most=1)
    return x and y and f"np.meshgrid({x}, {y}, indexing='{d.one(('xy', 'ij'))}')[{d.number(0, 1)}]"


def format_(d: Draft) -> str | None:
    """Stored in a format in between, computed, or led by a protocol."""
    x = d.var()
    if x is None:
        return None
    kind = d.number(0, 3)
    if kind == 0:
        return f"looked_at({x})"
    if kind == 1:
        return f"led({x}, '{d.one(('walk', 'gallop', 'locate'))}')"
    name = d.one(USUAL if d.chance(0.5) else FORMATS)
    return f"asformat({x}, '{name}')" if d.shape(x) else f"looked_at({x})"


def fourier(d: Draft) -> str | None:
    """Fourier transforms."""
    x = d.var(least=1, most=2)
    if x is None:
        return None
    if d.chance(0.4):
        return f"np.fft.{d.one(('fftshift', 'ifftshift'))}({x})"
    return f"np.fft.{d.one(('fft', 'ifft'))}({x}, axis={d.axis(x)})"


STEPS: Final = {
    "sort": (3, sort),
    "sets": (2.5, sets),
    "search": (3, search),
    "signal": (2, signal),
    "linalg": (2, linalg),
    "polynomial": (0.6, polynomial),
    "made": (1.5, made),
    "meshes": (0.4, meshes),
    "format": (5, format_),
    "fourier": (0.4, fourier),
}
