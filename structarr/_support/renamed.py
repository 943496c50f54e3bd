"""Former names of attributes, which classes from outside may still use for a version."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from operator import attrgetter
from typing import Any


def adopt(cls: type, renamed: Mapping[str, str]) -> None:
    """Give a class under the present names what it defines under former ones, with a warning."""
    for former in renamed.keys() & vars(cls).keys():
        _warn(cls, former, renamed[former], 5)  # the class statement, past the metaclass
        setattr(cls, renamed[former], vars(cls)[former])


def read(instance: object, name: str, renamed: Mapping[str, str]) -> object:
    """An attribute, or one of an attribute, asked for by its former name, with a warning."""
    cls = type(instance)
    if name not in renamed:
        raise AttributeError(f"{cls.__name__!r} object has no attribute {name!r}")
    _warn(cls, name, renamed[name], 4)
    return attrgetter(renamed[name])(instance)


def gathered(cls: type, named: Mapping[str, Any], field: str, default: Any) -> dict[str, Any]:
    """Arguments of which some are fields of one argument by now, as that one, with a warning."""
    former = {name: value for name, value in named.items() if name in default._fields}
    for name in former:
        _warn(cls, name, f"{field}.{name}", 6)  # past the metaclass, at the call
    rest = {name: value for name, value in named.items() if name not in former}
    return {**rest, field: rest.get(field, default).replace(**former)}


def _warn(cls: type, former: str, present: str, stacklevel: int) -> None:
    message = f"{cls.__name__}.{former} is deprecated: the attribute is {present!r} now"
    warnings.warn(message, DeprecationWarning, stacklevel=stacklevel)
