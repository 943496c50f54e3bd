"""Former names of attributes, which classes from outside may still use for a version."""

from __future__ import annotations

import warnings
from collections.abc import Mapping


def adopt(cls: type, renamed: Mapping[str, str]) -> None:
    """Give a class under the present names what it defines under former ones, with a warning."""
    for former in renamed.keys() & vars(cls).keys():
        _warn(cls, former, renamed[former], 5)  # the class statement, past the metaclass
        setattr(cls, renamed[former], vars(cls)[former])


def read(instance: object, name: str, renamed: Mapping[str, str]) -> object:
    """An attribute asked for by its former name, with a warning."""
    cls = type(instance)
    if name not in renamed:
        raise AttributeError(f"{cls.__name__!r} object has no attribute {name!r}")
    _warn(cls, name, renamed[name], 4)
    return getattr(instance, renamed[name])


def _warn(cls: type, former: str, present: str, stacklevel: int) -> None:
    message = f"{cls.__name__}.{former} is deprecated: the attribute is {present!r} now"
    warnings.warn(message, DeprecationWarning, stacklevel=stacklevel)
