"""Former names of a level's class attributes, which formats from outside may still use."""

from __future__ import annotations

import warnings

RENAMED = {
    "word": "kind",
    "alike": "uniform",
    "omits": "optional_children",
    "raw": "uninitialized",
    "tallies": "counters",
    "exact": "stores_nonfill_only",
    "demands": "is_partial",
    "spans": "starts_group",
    "joins": "continues_group",
    "apart": "slicing",
}


def adopt(kind: type) -> None:
    """Give a class under the present names what it defines under former ones, with a warning."""
    for former in RENAMED.keys() & vars(kind).keys():
        _warn(kind, former, stacklevel=5)
        setattr(kind, RENAMED[former], vars(kind)[former])


def read(level: object, name: str) -> object:
    """An attribute of a level asked for by its former name, with a warning."""
    if name not in RENAMED:
        raise AttributeError(f"{type(level).__name__!r} object has no attribute {name!r}")
    _warn(type(level), name, stacklevel=4)
    return getattr(level, RENAMED[name])


def _warn(kind: type, former: str, stacklevel: int) -> None:
    message = f"{kind.__name__}.{former} is deprecated: the attribute is {RENAMED[former]!r} now"
    warnings.warn(message, DeprecationWarning, stacklevel=stacklevel)
