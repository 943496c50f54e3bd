"""TwoBit: elements of at most four values, two bits each, such as genotypes with a missing code."""

from __future__ import annotations

from typing import ClassVar

from structarr.formats.coded import Coded


class TwoBit(Coded):
    """
    Packed level of four values: every element is the fill or one of at most three other values.

    Parameters
    ----------
    child : Level, optional
        The leaf; `Element` by default.
    others : tuple of str, optional
        The other values, as text; None stands for those that an array turns out to have.

    See Also
    --------
    OneBit : Two values, eight to a byte.

    Examples
    --------
    >>> import structarr as sa
    >>> a = sa.asarray([0.0, 3.0, 1.5, 0.0] * 25, format=sa.formats.TwoBit())
    >>> a[:4].tolist(), a.nbytes < 100
    ([0.0, 3.0, 1.5, 0.0], True)
    """

    bits: ClassVar[int] = 2
