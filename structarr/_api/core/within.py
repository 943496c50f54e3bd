"""Whether operations are steps of a function whose expression is one composite."""

from __future__ import annotations

from contextvars import ContextVar
from typing import Final

WITHIN: Final[ContextVar[bool]] = ContextVar("within", default=False)
"""Whether a function of arrays is called whose expression is one composite: no part is computed."""
