"""Drawings of structure as SVG: what a tensor stores, and where."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape
from itertools import pairwise
from typing import Final

import numpy as np

from structarr._storage.binned import Binned, binned
from structarr._storage.pieces import Finder, Pieces
from structarr._storage.tensor import Tensor
from structarr.formats.entries import differ

CELLS: Final = (192, 48)
"""The most elements drawn one by one along an axis, and the most cells: of one axis, of two."""

DARK: Final = 6
"""How many shades there are of cells that store something."""

PIECES: Final = 2048
"""The most stored values that are drawn one by one."""

SAMPLE: Final = 1 << 14
"""The most stored values that are looked at for a drawing by cells."""

WIDTH: Final = 320
HEIGHT: Final = 200
STRIP: Final = 24.0
"""The size of a drawing, and the height of one of a single axis, in pixels."""

STRUCTURES: Final = {
    "runs": "runs of equal values",
    "blocks": "stretches of neighbours",
    "single": "elements one by one",
    "rule": "elements by a rule",
    "full": "every element",
}
"""What the pieces of a drawing may be, as classes of CSS, with their legends."""


def structure_of(tensor: Tensor) -> str:
    """The structure of a tensor's stored values, as one of `STRUCTURES`."""
    kinds = [level.kind for level in tensor.format.levels[:-1]]
    last = kinds[-1]
    if last.is_rule:
        return "rule"
    if any(kind.has_runs or kind.is_constant for kind in kinds):
        return "runs"
    if last.is_sparse:
        return "blocks" if last.is_stretch or last.in_runs else "single"
    return "blocks" if any(kind.is_sparse for kind in kinds) else "full"


def drawing(tensor: Tensor) -> str:
    """
    Return a drawing of what a tensor stores, as an SVG element; empty where there is nothing.

    Short axes show each stored run, block or element; long ones cells, the darker the more they
    store. Of very many stored values some are looked at, at even distances. Outer axes are drawn
    over one another.

    Examples
    --------
    >>> from structarr import formats
    >>> rle = formats.parse("sparse-rle", ndim=1)
    >>> svg = drawing(Tensor.checked(rle, (8,), 0, ([0, 1], [2], [5], [7])))
    >>> svg.count("<rect"), '<title>[2:5] 7</title>' in svg
    (2, True)
    """
    if not tensor.ndim or 0 in tensor.shape:
        return ""
    finder, most = Finder(tensor), CELLS[tensor.ndim > 1]
    short = tensor.ndim <= 2 and max(tensor.shape) <= most and finder.count <= PIECES
    if short and finder.knows:
        return _exact(tensor, finder.spread(PIECES))
    # Where every element is stored, those that equal the fill are left pale.
    cells = binned(tensor, most, most, SAMPLE, chosen=_is_full(tensor))
    return "" if cells is None else _shaded(tensor, cells)


def _is_full(tensor: Tensor) -> bool:
    return not any(level.kind.is_sparse for level in tensor.format.levels)


def _exact(tensor: Tensor, pieces: Pieces) -> str:
    shape = (1, *tensor.shape)[-2:]
    side = min(22.0, WIDTH / shape[1], HEIGHT / shape[0])
    tall = max(side, STRIP) if tensor.ndim == 1 else side
    style = structure_of(tensor)
    inner = tensor.format.order[-1]
    gap = 0.0 if side < 6 else 0.6
    parts = []
    for start, stop, value in _merged(pieces, inner, style):
        (top, left), (bottom, right) = (0, *start)[-2:], (1, *stop)[-2:]
        box = (left * side + gap, top * tall + gap)
        size = ((right - left) * side - 2 * gap, (bottom - top) * tall - 2 * gap)
        name = style if differ(np.asarray(value[0]), tensor.fill).any() else f"{style} pale"
        parts.append(_rect(box, size, name, _title(start, stop, value), min(side / 4, 3.0)))
    return _frame(shape[1] * side, shape[0] * tall, parts)


def _merged(
    pieces: Pieces, inner: int, style: str
) -> Iterator[tuple[list[int], list[int], list[object]]]:
    """Boxes with their values; the neighbours of a block are one box."""
    last: tuple[list[int], list[int], list[object]] | None = None
    each = zip(pieces.starts.tolist(), pieces.stops.tolist(), pieces.values, strict=True)
    for start, stop, value in each:
        if last is not None and style == "blocks" and _continues(last, start, inner):
            last[1][inner] = stop[inner]
            last[2].append(value)
            continue
        if last is not None:
            yield last
        last = start, stop, [value]
    if last is not None:
        yield last


def _continues(
    last: tuple[list[int], list[int], list[object]], start: list[int], inner: int
) -> bool:
    """Whether a piece is the next after a box along the innermost axis."""
    same = all(
        a == b for axis, (a, b) in enumerate(zip(last[0], start, strict=True)) if axis != inner
    )
    return same and last[1][inner] == start[inner]


def _title(start: list[int], stop: list[int], values: list[object]) -> str:
    where = ", ".join(
        str(a) if b == a + 1 else f"{a}:{b}" for a, b in zip(start, stop, strict=True)
    )
    shown = " ".join(str(one) for one in values[:6])
    return f"[{where}] {shown}{' ...' if len(values) > 6 else ''}"


def _shaded(tensor: Tensor, cells: Binned) -> str:
    """Cells, as dark as the share of them that is stored."""
    rows, columns = cells.share.shape
    tall, wide = cells.row_edges[-1], cells.column_edges[-1]
    width = float(WIDTH) if tensor.ndim == 1 else min(WIDTH, max(HEIGHT * wide / tall, 60.0))
    height = STRIP if tensor.ndim == 1 else min(max(width * tall / wide, 40.0), float(HEIGHT))
    style = structure_of(tensor)
    # Thin matrices would be blank: the lightest shade is well seen.
    shades = np.ceil(np.sqrt(cells.share) * DARK)
    parts = [_rect((0, 0), (width, height), f"{style} pale", "", 0.0)] if _is_full(tensor) else []
    for row, line in enumerate(shades):
        ends = np.flatnonzero(np.diff(line, prepend=-1, append=-1))
        for left, right in pairwise(ends.tolist()):
            if line[left]:
                box = (left * width / columns, row * height / rows)
                size = ((right - left) * width / columns, height / rows)
                opacity = 0.25 + 0.75 * line[left] / DARK
                parts.append(_rect(box, size, style, "", 0.0, opacity))
    return _frame(width, height, parts)


def _rect(
    box: tuple[float, float],
    size: tuple[float, float],
    name: str,
    title: str,
    radius: float,
    opacity: float = 1.0,
) -> str:
    (x, y), (width, height) = box, size
    extra = f' rx="{radius:.1f}"' if radius else ""
    extra += f' opacity="{opacity:.2f}"' if opacity < 1 else ""
    if radius == 0.0:
        extra += ' shape-rendering="crispEdges"'
    head = f'<rect class="{name}" x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{height:.1f}"'
    return f"{head}{extra}><title>{escape(title)}</title></rect>" if title else f"{head}{extra}/>"


def _frame(width: float, height: float, parts: list[str]) -> str:
    box = f"-1 -1 {width + 2:.1f} {height + 2:.1f}"
    head = f'<svg viewBox="{box}" width="{width + 2:.0f}" height="{height + 2:.0f}" role="img">'
    ground = _rect((0, 0), (width, height), "ground", "", 0.0)
    return f"{head}{ground}{''.join(parts)}</svg>"
