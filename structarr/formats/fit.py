"""Checks of trees of levels: the demands of each level on its neighbours."""

from __future__ import annotations

from structarr.errors import FormatError
from structarr.formats.base import Level


def check_tree(levels: tuple[Level, ...]) -> None:
    """Raise FormatError if a level stands where it cannot."""
    for depth, level in enumerate(levels):
        name = type(level).__name__
        _ = level.kind.result  # refused where no level holds results of the kind
        above = type(levels[depth - 1]).__name__ if depth else None
        if level.below and above not in level.below:
            raise FormatError(
                f"level {name} must stand directly below {' or '.join(level.below)}, not "
                + (f"below {above}" if above else "outermost")
            )
        varying = sum(not one.kind.is_constant for one in levels[:depth])
        if level.at_depth is not None and varying != level.at_depth:
            raise FormatError(
                f"level {name} must be level {level.at_depth}, counted from 0 and without "
                f"Constant levels, not level {varying}"
            )
        if level.leafy and not level.child.leaf:
            raise FormatError(
                f"level {name} must be the last above the leaf, not above "
                f"{type(level.child).__name__}"
            )
        grouped = level.starts_group or level.continues_group
        if grouped and not (level.child.leaf or level.child.continues_group):
            raise FormatError(
                f"level {name} takes Singleton or the leaf below, not {type(level.child).__name__}"
            )
        listed = next((one for one in levels[depth + 1 :] if one.writing.appends), None)
        if not level.ordered and listed is not None:
            raise FormatError(
                f"level {name} has the children of a row apart: {type(listed).__name__}, which is "
                "written row by row, cannot stand below it"
            )
        whole = next((one for one in levels if not one.writing.drops_fill), None)
        if level.kind.vacant and whole is not None:
            raise FormatError(
                f"level {name} has children that are never written: {type(whole).__name__}, "
                "which stores every element, cannot stand in the same tree"
            )
    leaf = levels[-1]
    if not hasattr(leaf.reading, "read"):
        raise FormatError(f"level {type(leaf).__name__} cannot be the leaf")
