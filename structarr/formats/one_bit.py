"""OneBit: flags and other elements of two values, a bit each."""

from __future__ import annotations

from typing import ClassVar

from structarr.formats.coded import Coded


class OneBit(Coded):
    """
    Packed level of two values: every element is the fill or one other value, eight to a byte.

    Parameters
    ----------
    child : Level, optional
        The leaf; `Element` by default.
    others : tuple of str, optional
        The other values, as text; None stands for those that an array turns out to have.

    See Also
    --------
    TwoBit : Four values, four to a byte.

    Examples
    --------
    >>> import structarr as sa
    >>> a = sa.asarray([0.0, 3.0, 3.0, 0.0] * 25, format=sa.formats.OneBit())
    >>> a[:4].tolist(), a.nbytes < 100
    ([0.0, 3.0, 3.0, 0.0], True)
    """

    bits: ClassVar[int] = 1
