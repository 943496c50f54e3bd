"""The errors that structarr raises where NumPy has none of its own."""

from __future__ import annotations

import os
import traceback


class StructarrError(Exception):
    """
    The base of structarr's own errors.

    Notebooks show their tracebacks without the frames of the package, unless the environment has
    `STRUCTARR_DEBUG`.
    """

    def _render_traceback_(self) -> list[str]:
        """The lines that IPython shows."""
        frames = traceback.extract_tb(self.__traceback__)
        own = os.path.dirname(__file__)
        shown = [one for one in frames if not one.filename.startswith((own, "<structarr"))]
        if os.environ.get("STRUCTARR_DEBUG") or not shown:
            shown = list(frames)
        told = traceback.format_exception_only(type(self), self)
        lines = ["Traceback (most recent call last):\n", *traceback.format_list(shown), *told]
        return "".join(lines).splitlines()


class FormatError(StructarrError, ValueError):
    """Buffers that do not make a tensor of the format, or a format that cannot do what is asked."""


class DensificationError(StructarrError, MemoryError):
    """A dense array nobody asked for, larger than `options(densify_limit=...)` allows."""


class ProgramError(StructarrError, ValueError):
    """A program that breaks a rule of the language."""


class OperatorError(StructarrError, TypeError):
    """An operator of the user's that cannot be computed as it is declared."""


class RuleError(StructarrError, RuntimeError):
    """A rewrite rule that fails, does not come to an end, or changes what is computed."""


class TraceError(StructarrError, TypeError):
    """A function under `structarr.jit` that does what no trace of it can repeat."""
