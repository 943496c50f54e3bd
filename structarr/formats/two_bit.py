"""TwoBit: elements of at most four values, two bits each, such as genotypes with a missing code."""

from __future__ import annotations

from typing import ClassVar

from structarr.formats.coded import Coded


class TwoBit(Coded):
    """Every element is the fill or one of at most three other values, four to a byte."""

    bits: ClassVar[int] = 2
