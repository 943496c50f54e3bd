"""The times of a machine by which plans are priced: guesses, or what `calibrate` measured."""

from __future__ import annotations

import json
import os
import platform
from contextlib import suppress
from functools import lru_cache
from math import isfinite
from pathlib import Path
from typing import Final, NamedTuple

from structarr._compiler.backend.disk.folder import directory
from structarr._support.caches import cleared


class Times(NamedTuple):
    """Nanoseconds, of which the defaults are right within a factor of two on common processors.

    Attributes
    ----------
    follow, enter : float
        A turn of a loop over a list, and the start of such a loop, whose end is mispredicted.
    sweep, blas : float
        A turn of a dense loop, and a multiplication in a product of dense matrices.
    append, gather, move : float
        An element of a result that is appended in order, or by way of a workspace, or stored once
        more in another order.
    call : float
        One more call of a kernel in a plan.
    copy : float
        A byte that is copied.
    function, vector : float
        A function of the mathematical library, of one number, and of each one of a vector.
    """

    follow: float = 0.5
    enter: float = 0.8
    sweep: float = 0.2
    blas: float = 0.04
    append: float = 0.1
    gather: float = 8.0
    move: float = 3.0
    call: float = 1_800.0
    copy: float = 0.1
    function: float = 25.0
    vector: float = 1.5


FILE: Final = "times.json"
"""The name of the file beside the kernels that has measured times."""

RANGE: Final = 20.0
"""How many times more or less than the default a measured time may be."""


def times() -> Times:
    """The times of this machine."""
    return _read(directory())


def keep(measured: Times) -> Path:
    """
    Keep measured times beside the kernels, for this processor.

    Raises
    ------
    OSError
        If there is no folder that is the user's alone, or it cannot be written.
    """
    folder = directory()
    if folder is None:
        raise OSError("there is no folder for measured times; set STRUCTARR_CACHE_DIR")
    place = folder / FILE
    draft = place.with_suffix(f".{os.getpid()}")
    draft.write_text(json.dumps({"processor": processor(), **measured._asdict()}, indent=1))
    draft.replace(place)
    _read.cache_clear()
    return place


@cleared
@lru_cache(8)
def _read(folder: Path | None) -> Times:
    """The times in a folder; the defaults where there are none of this processor."""
    found: object = None
    if folder is not None:
        with (
            suppress(OSError, ValueError),
            open(str(folder / FILE), "rb", buffering=0) as file,
        ):  # as files of kernels are read
            found = json.loads(file.read())
    if not isinstance(found, dict) or found.get("processor") != processor():
        return Times()
    return limited({name: found.get(name) for name in Times._fields})


def limited(measured: dict[str, object]) -> Times:
    """
    Measured times, and defaults for those that cannot be right.

    Examples
    --------
    >>> limited({"follow": 1.0, "call": -3.0, "copy": None}).follow
    1.0
    """
    own = {
        name: float(value)
        for name, value in measured.items()
        if isinstance(value, int | float) and _is_likely(float(value), name)
    }
    return Times()._replace(**own)


def _is_likely(value: float, name: str) -> bool:
    default = getattr(Times(), name)
    return isfinite(value) and default / RANGE <= value <= default * RANGE


def processor() -> str:
    """The name of this machine's processor."""
    with suppress(OSError):
        for line in Path("/proc/cpuinfo").read_text().splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.processor() or platform.machine()
