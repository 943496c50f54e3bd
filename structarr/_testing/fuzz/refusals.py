"""Errors that are documented refusals, told from errors that are bugs."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

import numpy as np

from structarr._api.core.publish import REFUSED
from structarr._testing.fuzz.case import Refused
from structarr.errors import DensificationError, FormatError

# Parts of the messages by which the library refuses what NumPy does, and says what to do instead.
_SAID: Final = (
    "cannot be stored as",
    "is not supported for structarr arrays",
    "is not supported; use",
    "takes real numbers: give",
    "cross takes vectors of three elements",
    "float16",
)


def reason(error: BaseException) -> str | None:
    """Why something was refused, or None if the error is a bug."""
    text = str(error)
    if isinstance(error, DensificationError | FormatError):
        return f"{type(error).__name__}: {text}"
    if isinstance(error, TypeError | ValueError | NotImplementedError) and (
        any(part in text for part in _SAID) or any(why in text for why in REFUSED.values())
    ):
        return f"{type(error).__name__}: {text}"
    return None


@contextmanager
def refusing() -> Iterator[None]:
    """Within, documented refusals are told as such."""
    try:
        yield
    except Exception as error:
        why = reason(error)
        if why is None:
            raise
        raise Refused(why) from error


_MEANT: Final = (TypeError, ValueError, IndexError, OverflowError, ZeroDivisionError)


def comparable(own: BaseException, numpys: BaseException) -> bool:
    """Whether two errors say the same kind of thing to who called: what is given is wrong."""
    if isinstance(own, np.linalg.LinAlgError) or isinstance(numpys, np.linalg.LinAlgError):
        return isinstance(own, ValueError) and isinstance(numpys, ValueError)
    if isinstance(own, AttributeError):  # of what is no array for either, such as a truth value
        return isinstance(numpys, AttributeError) and str(own) == str(numpys)
    return isinstance(own, _MEANT) and isinstance(numpys, (*_MEANT, AttributeError, MemoryError))


def is_taken(error: BaseException) -> bool:
    """Whether the documents say that the library takes what NumPy refuses so."""
    if isinstance(error, ZeroDivisionError):  # of averages that are no elements
        return True
    return "negative integer powers" in str(error)
