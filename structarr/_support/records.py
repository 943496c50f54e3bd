"""Records: frozen dataclasses whose methods are shared, so that their classes are made quickly.

`dataclasses` writes and compiles six methods for each frozen class, in a third of a millisecond: of
fifty classes that was an eighth of the package's import. One is written for a record, when it is
first asked for.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import MISSING, Field, FrozenInstanceError, dataclass, field, fields
from operator import attrgetter
from reprlib import recursive_repr
from typing import Any, TypeVar, dataclass_transform, overload

K = TypeVar("K", bound=type)


@overload
def record(kind: K, /) -> K: ...
@overload
def record(*, slots: bool = False, weak: bool = False, eq: bool = True) -> Callable[[K], K]: ...


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
def record(kind: Any = None, /, *, slots: bool = False, weak: bool = False, eq: bool = True) -> Any:
    """
    Make a class a frozen dataclass, as ``dataclass(frozen=True)`` does.

    Parameters
    ----------
    kind : type
        The class; without it, a decorator is returned.
    slots : bool
        Whether instances have slots alone.
    weak : bool
        Whether there may be weak references to instances that have slots.
    eq : bool
        Whether they are compared by their fields; else by identity.

    Examples
    --------
    >>> from dataclasses import replace
    >>> @record(slots=True)
    ... class Point:
    ...     x: int
    ...     y: int = 0
    >>> Point(1), replace(Point(1), y=2), Point(1) == Point(1, 0)
    (Point(x=1, y=0), Point(x=1, y=2), True)
    """
    if kind is None:
        return lambda one: _made(one, slots, weak, eq)
    return _made(kind, slots, weak, eq)


def _made(given: Any, slots: bool, weak: bool, eq: bool) -> Any:
    made = dataclass(init=False, repr=False, eq=False, slots=slots, weakref_slot=weak)
    kind: Any = made(given)
    every = fields(kind)
    names = [one.name for one in every if one.compare] or ["__class__"]
    kind._compared = attrgetter(*names, *names[:1])  # of one name there would be no tuple
    own = vars(kind)
    kind.__init__ = _Initializer(kind, every)
    kind.__setattr__, kind.__delattr__ = _set, _delete
    if "__repr__" not in own:
        kind.__repr__ = _shown
    if eq and "__eq__" not in own:
        kind.__eq__ = _equal
        if own.get("__hash__") is None:
            kind.__hash__ = _hashed
    if slots:
        kind.__getstate__, kind.__setstate__ = _state, _set_state
    return kind


class _Initializer:
    """The method ``__init__`` of a record, which is written when it is first asked for."""

    def __init__(self, kind: Any, every: tuple[Field[Any], ...]) -> None:
        self._kind = kind
        self._every = every
        _refuse_keywords(every)

    def __get__(self, one: Any, kind: Any) -> Any:
        made = _initializer(self._every, "__post_init__" in dir(self._kind))
        self._kind.__init__ = made
        return made.__get__(one, kind)


def _refuse_keywords(every: tuple[Field[Any], ...]) -> None:
    for one in every:
        if one.kw_only:
            raise TypeError(f"field {one.name!r} of a record cannot be by keyword alone")


def _initializer(every: tuple[Field[Any], ...], more: bool) -> Any:
    """The method that sets the fields of a new instance; the one that is written for a class."""
    names: dict[str, Any] = {"put": object.__setattr__, "made": _MADE}
    params, lines = ["self"], []
    for k, one in enumerate(every):
        value = one.name
        if one.default_factory is not MISSING:
            names[f"factory{k}"] = one.default_factory
            value = f"factory{k}()"
            if one.init:
                params.append(f"{one.name}=made")
                value += f" if {one.name} is made else {one.name}"
        elif one.default is not MISSING:
            names[f"default{k}"] = one.default
            params += [f"{one.name}=default{k}"] if one.init else []
            value = value if one.init else f"default{k}"
        elif one.init:
            params.append(one.name)
        else:
            continue
        lines.append(f"put(self, {one.name!r}, {value})")
    lines += ["self.__post_init__()"] if more else []
    body = "".join([f"\n  {line}" for line in lines or ["pass"]])
    exec(f"def __init__({', '.join(params)}):{body}", names)
    return names["__init__"]


_MADE = object()
"""In the place of an argument, that a factory makes the value."""


def _set(one: Any, name: str, value: object) -> None:
    raise FrozenInstanceError(f"cannot assign to field {name!r}")


def _delete(one: Any, name: str) -> None:
    raise FrozenInstanceError(f"cannot delete field {name!r}")


def _equal(one: Any, other: Any) -> Any:
    if one.__class__ is not other.__class__:
        return NotImplemented
    return one._compared(one) == one._compared(other)


def _hashed(one: Any) -> int:
    return hash(one._compared(one))


@recursive_repr()
def _shown(one: Any) -> str:
    parts = [f"{part.name}={getattr(one, part.name)!r}" for part in fields(one) if part.repr]
    return f"{type(one).__qualname__}({', '.join(parts)})"


def _state(one: Any) -> list[Any]:
    return [getattr(one, part.name) for part in fields(one)]


def _set_state(one: Any, state: list[Any]) -> None:
    for part, value in zip(fields(one), state, strict=True):
        object.__setattr__(one, part.name, value)
