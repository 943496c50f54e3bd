"""Guesses of what a name was meant to be, for messages."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches


def meant(name: str, known: Iterable[str]) -> str:
    """
    Return a question for a message, with a semicolon after it; "" where nothing is alike.

    Examples
    --------
    >>> meant("crs", ["csr", "csc", "dense"])
    'did you mean csr?; '
    >>> meant("frobnicate", ["csr"])
    ''
    """
    among = list(known)
    lower = name.lower()
    mixed = [one for one in among if sorted(one) == sorted(lower)]
    found = mixed or get_close_matches(lower, among, n=1, cutoff=0.7)
    return f"did you mean {found[0]}?; " if found else ""
