"""Checks, before an expression is computed, that a format can hold its value."""

from __future__ import annotations

from typing import Any

from structarr._compiler.backend.call import call
from structarr._lazy.graph import Node
from structarr._scheduler.array_expression import scans_of
from structarr._scheduler.operands import Prepared
from structarr._storage.conform import prepared_rows
from structarr.errors import FormatError
from structarr.formats import Format, name_of


def is_known_to_fit(node: Node, fmt: Format) -> bool:
    """Whether a kernel may write a value in a format at once.

    A partial format needs the elements that differ from the fill first. So does a format without
    values, for results of sums: whether a sum equals the fill is known only when it is complete.

    Raises
    ------
    FormatError
        If no kernel writes the format, or if it does not hold such values.
    """
    _check_writable(node, fmt)
    demanding = [level for level in fmt.levels if level.is_partial]
    known = not demanding or (all(level.writing.regions for level in demanding) and _is_exact(node))
    return known and bool(fmt.levels[-1].buffers or not node.sums)


def prepared_buffers(node: Node, fmt: Format) -> Prepared:
    """The buffers of a matrix's inner level that are known before its values are written."""
    made: dict[int, tuple[Any, ...]] = {}
    for depth, level in enumerate(fmt.levels):
        if level.prepares:
            found = level.prepare(prepared_rows(node.data, fmt), call)
            made[depth] = tuple(buffer.astype(fmt.index, copy=False) for buffer in found)
    return made


def _check_writable(node: Node, fmt: Format) -> None:
    refused = next((level for level in fmt.levels if not level.writing.writable), None)
    if refused is not None:
        raise FormatError(f"format {name_of(fmt)}: {type(refused).__name__} cannot be written")
    if not fmt.levels[-1].buffers:
        leaf_name = type(fmt.levels[-1]).__name__
        if node.dtype != bool or node.fill:
            raise FormatError(
                f"format {name_of(fmt)}: {leaf_name} holds bool arrays of fill False, not "
                f"{node.dtype} of fill {node.fill}; compare it with a number first"
            )
        if not (fmt.ndim and fmt.levels[-2].stores_nonfill_only and fmt.drops_fill):
            raise FormatError(
                f"format {name_of(fmt)}: {leaf_name} can be written below levels that store "
                "exactly what is not fill, such as SparseList, and no runs above"
            )


def _is_exact(node: Node) -> bool:
    """Whether the operands store (nearly) those elements alone that differ from the fill."""
    if node.kind == "leaf":
        return any(
            level.stores_nonfill_only or level.writing.regions or level.kind.is_stretch
            for level in node.data.format.levels[:-1]
        )
    return any(_is_exact(arg) for arg in node.args)


def are_any_order(node: Node, fmt: Format) -> bool:
    """Whether loops can compute an expression in the order in which a format stores its axes."""
    if node.kind in ("slide", "take"):
        return False
    scans = scans_of(node)
    if not scans:
        return True
    behind = node.ndim - 1 - fmt.order.index(scans[0].data[1])
    return behind == 0 or (behind == 1 and fmt.is_dense)
