"""Random steps by functions that are called less often: choices, pieces, solutions, labels."""

from __future__ import annotations

from math import prod
from typing import Final

from structarr._testing.fuzz.draft import Draft
from structarr._testing.fuzz.words import words


def choice(d: Draft) -> str | None:
    """One of several arrays, by conditions or by numbers."""
    x = d.var()
    if x is None:
        return None
    shape = d.shape(x)
    y = d.mate_of_shape(shape)
    kind = d.number(0, 3)
    if kind == 0:
        m, n = d.operand(d.smaller(shape), "bool"), d.operand(shape, "bool")
        default = f", {d.scalar()}" if d.chance(0.5) else ""
        return f"np.select([{m}, {n}], [{x}, {y}]{default})"
    if kind == 1:
        return f"np.choose({d.operand(shape, 'bool')}.astype(int), [{x}, {y}])"
    if kind == 2:
        return f"np.piecewise({x}, [{x} != 0, {d.operand(shape, 'bool')}], [1, {d.number(0, 3)}])"
    return f"np.where({d.operand(shape, 'bool')}, {x}, {d.scalar()})"


def along(d: Draft) -> str | None:
    """A function along an axis, or over several."""
    x = d.var(least=1, most=3)
    if x is None or not prod(d.shape(x)):
        return None
    axis = d.axis(x)
    kind = d.number(0, 4)
    if kind == 0:
        return f"np.apply_along_axis(np.{d.one(('sum', 'max', 'sort', 'cumsum'))}, {axis}, {x})"
    if kind == 1:
        return f"np.apply_over_axes(np.{d.one(('sum', 'max'))}, {x}, [{axis}])"
    if kind == 2:
        at = d.number(0, d.shape(x)[axis] - 1) if -len(d.shape(x)) <= axis < len(d.shape(x)) else 0
        return f"np.sort(np.partition({x}, {at}, axis={axis}), axis={axis})"
    if kind == 3:
        places = f"np.argsort({x}, axis={axis}, kind='stable')"
        return f"@@ = np.copy({x})\nnp.put_along_axis(@@, {places}, {d.number(-1, 2)}, axis={axis})"
    return f"np.unique({x}, axis={axis})"


def cut(d: Draft) -> str | None:
    """Elements left out or put in by several places, and parts of what is split."""
    x = d.var(least=1, most=3)
    if x is None:
        return None
    shape = d.shape(x)
    axis = d.number(0, len(shape) - 1)
    length = shape[axis]
    kind = d.number(0, 4)
    if kind == 0 and length:
        flags = (d.rng.random(length) < 0.5).tolist()
        return f"np.delete({x}, np.array({flags}), axis={axis})"
    if kind == 1:
        places = sorted(d.number(0, length) for _ in range(2))
        value = d.partner((*shape[:axis], 2, *shape[axis + 1 :]))
        return f"np.insert({x}, {places}, {value}, axis={axis})"
    if kind == 2:
        return f"np.insert({x}, {d.number(0, prod(shape))}, [{d.number(-2, 2)}, 1])"
    if kind == 3:
        return f"np.{d.one(('hsplit', 'vsplit', 'dsplit'))}({x}, [{d.number(0, 2)}])[-1]"
    return f"np.delete({x}, [{d.number(0, 2)}, {d.number(-2, 0)}])"


def counted(d: Draft) -> str | None:
    """Numbers of elements in bins of one, two or weighted ones."""
    x = d.var(least=1, most=2, kinds="biuf")
    if x is None:
        return None
    finite = f"np.nan_to_num(np.ravel({x}), nan=0, posinf=9, neginf=-9)"
    kind = d.number(0, 3)
    if kind == 0:
        return f"np.histogram2d({finite}, {finite}, bins=[3, [-9, 0, 1, 9]])[0]"
    if kind == 1:
        # NumPy takes differences of running sums, in which what is not finite goes on.
        weights = f"np.nan_to_num({d.partner((prod(d.shape(x)),))}, posinf=9, neginf=-9)"
        return f"np.histogram({finite}, [-1, 0, 1, 2], weights={weights})[0]"
    if kind == 2:
        weights = d.partner((prod(d.shape(x)),))
        return f"np.bincount(np.clip({finite}, 0, 5).astype(int), weights=np.real({weights}))"
    return f"np.histogram_bin_edges({finite}, 4)"


def contraction(d: Draft) -> str | None:
    """A product of vectors, matrices or several of them, by its own function."""
    x = d.var(least=1, most=3)
    if x is None:
        return None
    shape = d.shape(x)
    kind = d.number(0, 7)
    if kind == 0:
        return f"np.vecdot({x}, {d.partner(shape)}, axis={d.axis(x)})"
    if kind == 1 and len(shape) > 1:
        return f"np.matvec({x}, {d.partner(shape[-1:])})"
    if kind == 2 and len(shape) > 1:
        return f"np.vecmat({d.partner((shape[-2],))}, {x})"
    if kind == 3 and len(shape) == 2:
        y = d.partner((shape[1], d.number(1, 3)))
        return f"np.linalg.multi_dot([{x}, {y}, {d.partner((d.shape(y)[1],))}])"
    if kind == 4:
        y = d.partner(shape)
        text = "...i,...i->..." if d.chance(0.5) else "...i,...j->...ij"
        return f"np.einsum('{text}', {x}, {y})"
    if kind == 5:
        more = d.one(("", ", optimize=True", ", dtype='complex128'"))
        labels = "ijk"[: len(shape)] + ("->" if more.endswith("'") else "")  # else NumPy has a view
        return f"np.einsum('{labels}', {x}{more})"
    if kind == 6 and len(shape) > 1:
        return f"np.einsum('...ij->...ji', {x})"
    return f"np.tensordot({x}, {d.partner((d.number(0, 3),))}, axes=0)"


WHOLE: Final = words("cholesky inv slogdet eigvalsh svdvals matrix_rank cond pinv qr")


def factors(d: Draft) -> str | None:
    """A factor of a matrix, or what is told of one."""
    x = d.var(least=2, most=3)
    if x is None:
        return None
    shape = d.shape(x)
    kind = d.number(0, 4)
    if kind == 0:
        return f"np.linalg.{d.one(('trace', 'diagonal'))}({x}, offset={d.number(-2, 2)})"
    if kind == 1:
        order = d.one(("'fro'", "1", "np.inf", "-1"))
        return f"np.linalg.matrix_norm({x}, ord={order})"
    if kind == 2:
        order = d.one(("1", "2", "np.inf", "0", "3"))
        return f"np.linalg.vector_norm({x}, ord={order}, axis={d.axes(x)})"
    if shape[-1] != shape[-2] or not prod(shape):
        return None
    small = f"np.clip(np.real(np.nan_to_num({x})), -1, 1)"
    well = f"{small} + np.matrix_transpose({small}) + 9 * {shape[-1]} * np.eye({shape[-1]})"
    name = d.one(WHOLE)
    if name in ("slogdet", "qr"):
        return f"np.abs(np.linalg.{name}({well})[1])"
    if kind == 3 and len(shape) == 2:
        return f"np.linalg.solve({well}, {d.partner((shape[-1], d.number(0, 3)))})"
    return f"np.linalg.{name}({well})"


def places_told(d: Draft) -> str | None:
    """Places of a shape, of a triangle, of conditions, or of sorted values."""
    x = d.var(least=1, most=3)
    if x is None:
        return None
    shape = d.shape(x)
    kind = d.number(0, 4)
    if kind == 0:
        return f"np.where({x})[{d.number(0, len(shape) - 1)}]"
    if kind == 1 and len(shape) == 2:
        return f"{x}[np.{d.one(('tril', 'triu'))}_indices_from({x}, {d.number(-1, 1)})]"
    if kind == 2 and len(set(shape)) == 1 and len(shape) > 1:
        return f"{x}[np.diag_indices_from({x})]"
    if kind == 3:
        return f"np.nanpercentile({x}, [10, {d.number(0, 100)}], axis={d.axis(x)})"
    if kind == 4 and len(shape) == 1:
        return f"np.vander({x}, {d.number(0, 3)})"
    return f"np.unravel_index(np.argmax({x}), {x}.shape)[0]" if prod(shape) else None


STEPS: Final = {
    "choice": (2, choice),
    "along": (1.5, along),
    "cut": (2, cut),
    "counted": (0.8, counted),
    "contraction": (3, contraction),
    "factors": (1.2, factors),
    "places_told": (1.2, places_told),
}
