"""Arrays as HTML: facts, a drawing of the structure, the tree of levels, and values."""

from __future__ import annotations

from html import escape
from math import prod
from typing import Final

from structarr._explain.drawing import STRUCTURES, drawing, structure_of
from structarr._explain.style import STYLE
from structarr._lazy.node import Node
from structarr._lazy.told import told
from structarr._storage.display import rows_of_tree, values_of
from structarr._storage.tensor import Tensor
from structarr.formats import name_of

UNITS: Final = ("kB", "MB", "GB", "TB", "PB", "EB")
BAR: Final = 180
"""The width of the longer of two bars, in pixels."""


def card(tensor: Tensor) -> str:
    """
    Return a tensor as an HTML element with its style, that needs nothing from elsewhere.

    Examples
    --------
    >>> from structarr import formats
    >>> rle = formats.parse("sparse-rle", ndim=1)
    >>> html = card(Tensor.checked(rle, (8,), 0, ([0, 1], [2], [5], [7])))
    >>> "1 stored" in html, "<svg" in html
    (True, True)
    """
    facts = f"{tensor.nstored:,} stored, {tensor.fill} elsewhere"
    if tensor.format.is_dense:
        facts = f"{tensor.nstored:,} stored"
    head = head_of(tensor.shape, str(tensor.dtype), name_of(tensor.format), facts)
    if not tensor.ndim:
        return framed(head + f"<pre>{escape(values_of(tensor)[0])}</pre>")
    picture, values = drawing(tensor), "\n".join(values_of(tensor))
    parts = [picture and f"<div>{picture}{legend(tensor)}</div>", _levels(tensor)]
    parts += [f"<pre>{escape(values)}</pre>" if values else ""]
    return framed(f'{head}<div class="parts">{"".join(filter(None, parts))}</div>')


def lazy_card(node: Node) -> str:
    """Return an expression that is not computed as an HTML element."""
    says = "lazy: .compute() or print() computes it"
    head = head_of(node.shape, str(node.dtype), "not computed", says)
    return framed(f"{head}<pre>{escape(told(node))}</pre>")


def framed(content: str) -> str:
    """An element with the style of all that is shown."""
    return f'<div class="structarr card">{STYLE}{content}</div>'


def head_of(shape: tuple[int, ...], dtype: str, format: str, facts: str) -> str:
    """The line with which an array is introduced."""
    said = escape(f"{shape or 'scalar'} {dtype}; {facts}")
    return f'<div class="head">{escape(format)} <span class="soft">{said}</span></div>'


def legend(tensor: Tensor) -> str:
    """The legend of a drawing's colours."""
    style = structure_of(tensor)
    text = STRUCTURES[style] + (", outer axes over one another" if tensor.ndim > 2 else "")
    swatch = f'<span class="swatch" style="background: var(--{style})"></span>'
    return f'<div class="soft">{swatch}{text}</div>'


def _levels(tensor: Tensor) -> str:
    """The tree of levels, and the bytes beside those of a dense array."""
    rows = [
        "<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in row) + "</tr>"
        for row in rows_of_tree(tensor)
    ]
    head = "<tr><th>axis</th><th>level</th><th>fibers and what they store</th></tr>"
    return f"<div><table>{head}{''.join(rows)}</table>{_bars(tensor)}</div>"


def _bars(tensor: Tensor) -> str:
    own, dense = tensor.nbytes, prod(tensor.shape) * tensor.dtype.itemsize
    longest = max(own, dense, 1)
    lines = []
    for number, (name, size, style) in enumerate(
        (("here", own, structure_of(tensor)), ("dense", dense, "full pale"))
    ):
        y = 4 + 18 * number
        width = max(size / longest * BAR, 1)
        lines.append(
            f'<text x="0" y="{y + 10}">{name}</text>'
            f'<rect class="{style}" x="44" y="{y}" width="{width:.1f}" height="12" rx="2"/>'
            f'<text class="soft" x="{50 + width:.0f}" y="{y + 10}">{bytes_text(size)}</text>'
        )
    view = f'viewBox="0 0 {BAR + 130} 42" width="{BAR + 130}" height="42"'
    return f'<svg {view} role="img"><title>bytes</title>{"".join(lines)}</svg>'


def bytes_text(size: int) -> str:
    """
    A number of bytes with its unit.

    Examples
    --------
    >>> bytes_text(40), bytes_text(2_500_000)
    ('40 bytes', '2.5 MB')
    """
    for unit, scale in (
        ("EB", 1e18),
        ("PB", 1e15),
        ("TB", 1e12),
        ("GB", 1e9),
        ("MB", 1e6),
        ("kB", 1e3),
    ):
        if size >= scale:
            return f"{size / scale:.3g} {unit}"
    return f"{size} bytes"
