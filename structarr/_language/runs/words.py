"""What programs over runs know of the bits of numbers."""

from __future__ import annotations


def trailing_zeros(word: int) -> int:
    """
    Return how many of the lowest bits of a number are not set before one is.

    Parameters
    ----------
    word : int
        Of 64 bits, of which the highest is the sign.

    Returns
    -------
    int
        The place of its lowest bit that is set, counted from 0; 64 if none is.

    See Also
    --------
    runs : What programs over runs go over.

    Notes
    -----
    In a function under `kernel` it is one instruction. Images of two values are packed 64 elements
    to a number there, for what is done to all of them at once.

    Examples
    --------
    >>> import structarr as sa
    >>> sa.trailing_zeros(40), sa.trailing_zeros(-1), sa.trailing_zeros(0)
    (3, 0, 64)
    """
    own = int(word)
    return (own & -own).bit_length() - 1 if own else 64
