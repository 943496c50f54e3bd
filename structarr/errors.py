"""The errors that structarr raises where NumPy has none of its own."""

from __future__ import annotations

import os
import sys
import traceback
from types import TracebackType


class StructarrError(Exception):
    """
    The base of structarr's own errors.

    Where nobody catches them, and in notebooks, their tracebacks are shown without the frames of
    the package, unless the environment has `STRUCTARR_DEBUG`.
    """

    def _render_traceback_(self) -> list[str]:
        """The lines that IPython shows."""
        return "".join(told(self)).splitlines()


def told(error: BaseException) -> list[str]:
    """The lines of an error and of those that led to it, without the frames of the package."""
    whole = traceback.TracebackException.from_exception(error)
    one: traceback.TracebackException | None = whole
    while one is not None and not os.environ.get("STRUCTARR_DEBUG"):
        own = os.path.dirname(__file__)
        kept = [at for at in one.stack if not at.filename.startswith((own, "<structarr"))]
        one.stack = traceback.StackSummary.from_list(kept or list(one.stack))
        one = one.__cause__ or (None if one.__suppress_context__ else one.__context__)
    return list(whole.format())


def _uncaught(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
    if issubclass(kind, StructarrError) and sys.stderr is not None:
        print("".join(told(error)), end="", file=sys.stderr)
    else:
        sys.__excepthook__(kind, error, trace)


# A hook of anybody else's has reasons of its own.
if sys.excepthook is sys.__excepthook__:
    sys.excepthook = _uncaught


class FormatError(StructarrError, ValueError):
    """Buffers that do not make a tensor of the format, or a format that cannot do what is asked."""


class DensificationError(StructarrError, MemoryError):
    """A dense array nobody asked for, larger than `options(densify_limit=...)` allows."""


class MemoryLimitError(StructarrError, MemoryError):
    """A computation that would hold more memory than `options(memory_limit=...)` allows."""


class ProgramError(StructarrError, ValueError):
    """A program that breaks a rule of the language."""


class OperatorError(StructarrError, TypeError):
    """An operator of the user's that cannot be computed as it is declared."""


class RuleError(StructarrError, RuntimeError):
    """A rewrite rule that fails, does not come to an end, or changes what is computed."""


class TraceError(StructarrError, TypeError):
    """A function under `structarr.jit` that does what no trace of it can repeat."""
