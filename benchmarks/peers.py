"""What may be missing: a library to compare with, or a file. A line says what was left out."""

from __future__ import annotations

import sys
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

INSTALL = 'pip install "structarr[{}]"'


@cache
def library(module: str, extra: str = "bench") -> Any:
    """
    Return a module, or None if it cannot be imported, which a line on stderr says once.

    Parameters
    ----------
    module : str
        Its name, as in `import`.
    extra : str
        That of structarr which brings it.
    """
    try:
        return import_module(module)
    except ImportError as error:
        left_out(f"{module} ({error})", INSTALL.format(extra))
        return None


@cache
def opencv() -> Any:
    """Return OpenCV on a single thread, as ours is, or None if it is not installed."""
    cv2 = library("cv2")
    if cv2 is not None:
        cv2.setNumThreads(1)
    return cv2


@cache
def graphblas() -> Any:
    """Return SuiteSparse:GraphBLAS on a single thread, or None if it is not installed."""
    graphblas = library("graphblas")
    if graphblas is not None:
        graphblas.ss.config["nthreads"] = 1
    return graphblas


def file(path: Path) -> Path | None:
    """Return a file of data, or None if it is not there, which a line on stderr says."""
    if path.exists():
        return path
    left_out(f"{path.name} (not in {path.parent})", "see data/README.md, and give --data DIR")
    return None


def left_out(what: str, remedy: str) -> None:
    """Say on stderr what is not measured, and how to get it."""
    print(f"left out: {what}; to have it: {remedy}", file=sys.stderr, flush=True)
