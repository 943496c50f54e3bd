"""Calls of other libraries given arrays as they are: ``python .../run_probes.py [LIBRARY ...]``.

Each probe calls a library with arrays of structarr, of pydata/sparse or of SciPy, and with NumPy's;
it succeeds if what comes back is equal. A table has how many succeed, by library, and a list each
miss of ours with its reason, from `missed.txt`: lines ``library: probe`` below ``# reason``. A miss
that is not listed is an error, and so is a listed one that succeeds.
"""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
from given import MAKERS, dense, given

MODULES = ("scipy_calls", "learning_calls", "frame_calls", "other_calls")


def plain(found: Any) -> Any:
    """What came back, as NumPy's arrays, in lists if there are several."""
    if isinstance(found, (tuple, list)):
        return [plain(one) for one in found]
    if hasattr(found, "compute"):
        found = found.compute()
    for name in ("data", "_data") if type(found).__module__.startswith("xarray") else ():
        found = getattr(found, name, found)
    for name in ("todense", "toarray", "to_numpy"):
        if hasattr(found, name) and not isinstance(found, np.ndarray):
            return plain(np.asarray(getattr(found, name)()))
    return np.asarray(found)


def equal(found: Any, wanted: Any) -> bool:
    """Whether two results agree, but for rounding."""
    if isinstance(wanted, list):
        if not isinstance(found, list) or len(found) != len(wanted):
            return False
        return all(map(equal, found, wanted))
    if isinstance(found, list) or found.shape != wanted.shape:
        return False
    if wanted.dtype.kind in "biufc" and found.dtype.kind in "biufc":
        return bool(np.allclose(found, wanted, rtol=1e-5, atol=1e-7, equal_nan=True))
    missing = wanted != wanted
    return bool(((found == wanted) | (missing & (found != found))).all())


def outcome(call: Callable[[Any], Any], wanted: Any, make: Callable[[Any], Any]) -> str:
    """An empty text for a success, else what went wrong."""
    try:
        return "" if equal(plain(call(given(make))), wanted) else "another result"
    except Exception as error:  # of whatever kind a library raises
        return f"{type(error).__name__}: {error}".replace("\n", " ")[:150]


def reasons() -> dict[str, str]:
    """The reason of each probe that is listed."""
    found, reason = {}, ""
    for line in (Path(__file__).parent / "missed.txt").read_text().splitlines():
        if line.startswith("# "):
            reason = line.removeprefix("# ")
        elif line:
            found[line] = reason
    return found


def probes() -> dict[str, dict[str, Any]]:
    """The probes of each library."""
    found: dict[str, dict[str, Any]] = {}
    for module in MODULES:
        found.update(import_module(module).PROBES)
    return found


def tried(names: tuple[str, ...]) -> dict[str, dict[str, dict[str, str]]]:
    """By library and probe, what went wrong with each maker's arrays."""
    results: dict[str, dict[str, dict[str, str]]] = {}
    for library, calls in probes().items():
        if names and library not in names:
            continue
        results[library] = {}
        for name, call in calls.items():
            call, expected = call if isinstance(call, tuple) else (call, call)
            try:
                wanted = plain(expected(dense()))
            except Exception as error:
                raise RuntimeError(f"{library}: {name} fails with NumPy's arrays") from error
            results[library][name] = {
                maker: outcome(call, wanted, make) for maker, make in MAKERS.items()
            }
    return results


def main(*names: str) -> int:
    """Print the table and the misses; 1 if one is not listed, or is listed and succeeds."""
    warnings.simplefilter("ignore")
    results, listed = tried(names), reasons()
    print(f"{'':24}{'probes':>8}" + "".join(f"{maker:>15}" for maker in MAKERS))
    total = dict.fromkeys(MAKERS, 0)
    for library, found in results.items():
        counts = {maker: sum(not one[maker] for one in found.values()) for maker in MAKERS}
        total = {maker: total[maker] + counts[maker] for maker in MAKERS}
        print(f"{library:24}{len(found):8}" + "".join(f"{counts[one]:15}" for one in MAKERS))
    count = sum(map(len, results.values()))
    print(f"{'all':24}{count:8}" + "".join(f"{total[one]:15}" for one in MAKERS))
    wrong = 0
    for library, found in results.items():
        for name, one in found.items():
            key = f"{library}: {name}"
            others = [maker for maker in MAKERS if maker != "structarr" and not one[maker]]
            if one["structarr"]:
                told = listed.get(key, f"NOT LISTED, {one['structarr']}")
                wrong += key not in listed
                print(f"miss  {key} ({', '.join(others) or 'nobody'} succeeds): {told}")
            elif key in listed:
                wrong += 1
                print(f"listed, but succeeds: {key}")
    return int(wrong > 0)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
