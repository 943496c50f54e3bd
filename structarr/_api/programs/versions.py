"""The versions and places that a report of a mistake should name."""

from __future__ import annotations

import os
import platform
import sys
from importlib.metadata import PackageNotFoundError, version
from typing import Final

from structarr._compiler.backend.disk.folder import directory
from structarr._compiler.options import options

NEEDED: Final = ("structarr", "numpy", "scipy", "numba", "llvmlite", "array-api-compat")
OPTIONAL: Final = ("pandas", "scikit-learn", "xarray", "dask", "zarr", "matplotlib", "sparse")


def versions() -> dict[str, str]:
    """
    Return the versions of what is installed, the machine, the cache, and the changed options.

    Packages are not imported. Optional ones that are missing are left out.

    Returns
    -------
    dict of str to str
        By name.

    See Also
    --------
    show_versions : Print them.

    Examples
    --------
    >>> from structarr._api.programs.versions import versions
    >>> {"array-api-compat", "cache"} <= {*versions()}
    True
    """
    found = {"python": platform.python_version()}
    for name in (*NEEDED, *OPTIONAL):
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            if name in NEEDED:
                found[name] = "not installed"
    found["machine"] = f"{platform.system()} {platform.machine()}, {os.cpu_count()} processors"
    found["cache"] = str(directory() or "none: there is no safe place")
    found["options"] = repr(options.current)
    debug = os.environ.get("STRUCTARR_DEBUG")
    return found | ({"STRUCTARR_DEBUG": debug} if debug else {})


def show_versions() -> None:
    """
    Print the versions of Python and of the packages, the machine, the cache and the options.

    The first thing to put into a report of a mistake.

    See Also
    --------
    options : The options, which are printed last.

    Examples
    --------
    >>> import structarr as sa
    >>> sa.show_versions()  # doctest: +SKIP
    python            3.13.1
    structarr         0.1.0
    """
    told = versions()
    width = max(map(len, told))
    for name, text in told.items():
        print(f"{name:{width}}  {text}", file=sys.stdout)
