"""What was measured on, by the names that matter to a reader: processor, Python, libraries."""

from __future__ import annotations

import platform
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Final

LIBRARIES: Final = {
    "NumPy": "numpy",
    "Numba": "numba",
    "SciPy": "scipy",
    "pydata/sparse": "sparse",
    "OpenCV": "opencv-python-headless",
    "SuiteSparse:GraphBLAS": "suitesparse-graphblas",
}


def machine() -> dict[str, str]:
    """Return what to say of this machine: its processor, and versions of what is installed."""
    found = {"Processor": _processor(), "Python": platform.python_version()}
    for name, package in LIBRARIES.items():
        try:
            found[name] = version(package)
        except PackageNotFoundError:
            found[name] = "not installed"
    return found


def _processor() -> str:
    cpuinfo = Path("/proc/cpuinfo")
    if not cpuinfo.exists():
        return platform.processor() or platform.machine()
    pairs = (line.partition(":") for line in cpuinfo.read_text().splitlines())
    # The first processor: all of them are the same.
    fields: dict[str, str] = {}
    for key, _, value in pairs:
        fields.setdefault(key.strip(), value.strip())
    name = fields.get("model name", platform.machine())
    numbers = [fields[key] for key in ("cpu family", "model") if key in fields]
    return f"{name}, family {numbers[0]}, model {numbers[1]}" if len(numbers) == 2 else name
