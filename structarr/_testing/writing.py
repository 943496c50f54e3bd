"""Results computed directly into a format."""

from __future__ import annotations

from typing import Final

from structarr._testing.case import Case, operand

KEEPING: Final = ("a * 2", "a + a", "np.where(a != 0, a, 0)", "np.maximum(a, a) * a")
"""What fits wherever the operand does, if its fill is zero."""

ANY: Final = (
    *("a + b", "a * b", "a * b + c", "np.where(a > 1, b, c)", "np.concatenate([a, b])"),
    *("b.sum(axis=0) * a", "(a + b) * locate(c)", "a.T.T + b * 0"),
)


def write(case: Case, few: bool) -> None:
    """Check results written into the format that is checked, and their buffers."""
    if few:
        case.computed(KEEPING[0], case.format)
        return
    for text in KEEPING:
        case.computed(text, case.format)
    for name in ("dense", "list", "rle", "bitmap", "band"):
        same = operand(case.own.data, case.tensor.fill, name)
        case.computed("b * 2", case.format, b=same)
    if any(level.is_partial for level in case.format.levels):
        return  # what else is computed need not fit
    for text in ANY:
        case.computed(text, case.format, b=case.others["list"], c=case.others["rle"])
