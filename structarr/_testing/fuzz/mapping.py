"""Arrays whose buffers are mapped from a file."""

from __future__ import annotations

import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import structarr as sa


def mapped(value: Any) -> Any:
    """An array of ours as a file has it, mapped; anything else as it is."""
    if not isinstance(value, sa.Array) or sys.platform == "win32":  # where mapped files stay
        return value
    with TemporaryDirectory() as folder:
        path = Path(folder) / "array.sa"
        sa.save(path, value)
        return sa.load(path, mmap=True)
