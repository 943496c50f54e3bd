"""OneBit: flags and other elements of two values, a bit each."""

from __future__ import annotations

from typing import ClassVar

from structarr.formats.coded import Coded


class OneBit(Coded):
    """Every element is the fill or one other value, eight to a byte."""

    bits: ClassVar[int] = 1
