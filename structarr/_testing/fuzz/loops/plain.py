"""What programs mean: run as plain Python, on NumPy's arrays that are never read outside."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

import numpy as np

import structarr as sa
from structarr.formats.entries import Array


class Permitted(int):
    """An index that may be outside."""


class Padded(int):
    """An index that finds something outside, by a mode of `numpy.pad`."""

    mode: str


class Absent:
    """What is read outside: whatever is computed of it is missing too."""

    __array_ufunc__ = None  # NumPy's scalars leave it to what follows

    def _absent(self, *others: Any) -> Absent:
        return self

    __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = _absent
    __truediv__ = __rtruediv__ = __floordiv__ = __rfloordiv__ = __mod__ = __rmod__ = _absent
    __abs__ = __neg__ = __and__ = __rand__ = __or__ = __ror__ = __xor__ = __rxor__ = _absent


ABSENT: Final = Absent()


class Strict:
    """An array that is never indexed from its end, and where a permitted index is missing."""

    def __init__(self, data: Array) -> None:
        self.data, self.shape = data, data.shape

    def __len__(self) -> int:
        return len(self.data)

    def __getitem__(self, indices: Any) -> Any:
        every = indices if isinstance(indices, tuple) else (indices,)
        place = [_place(i, n) for i, n in zip(every, self.shape, strict=True)]
        return ABSENT if None in place else self.data[tuple(place)]

    def __setitem__(self, indices: Any, value: Any) -> None:
        every = indices if isinstance(indices, tuple) else (indices,)
        place = [_place(i, n) for i, n in zip(every, self.shape, strict=True)]
        if None not in place and value is not ABSENT:
            self.data[tuple(place)] = value


def _place(index: Any, length: int) -> int | None:
    """Where an index is in an axis; None of one that is permitted to be outside."""
    if type(index) is Padded and length:
        return _continued(int(index), length, index.mode)
    if 0 <= index < length:
        return int(index)
    if type(index) is Permitted:
        return None
    raise IndexError(f"{index} is outside of {length}")


def _continued(index: int, length: int, mode: str) -> int:
    if mode == "edge":
        return min(max(index, 0), length - 1)
    if mode == "circular":
        return index % length
    turn = 2 * length - 2 if mode == "reflect" else 2 * length
    place = index % turn if turn else 0
    return place if place < length else turn - place - (mode == "symmetric")


def _padded(mode: str) -> Callable[[Any], Padded]:
    def padded(index: Any) -> Padded:
        found = Padded(index)
        found.mode = mode
        return found

    return padded


def _extreme(plain: Any, ufunc: Any) -> Any:
    def chosen(left: Any, right: Any) -> Any:
        if left is ABSENT or right is ABSENT:
            return ABSENT
        return plain(left, right) if type(left) is type(right) is int else ufunc(left, right)

    return chosen


def _made(make: Any) -> Any:
    return lambda *args: Strict(make(*args))


class _NumPy:
    """NumPy, but that the arrays which it makes are strict."""

    zeros, full = staticmethod(_made(np.zeros)), staticmethod(_made(np.full))

    def __getattr__(self, name: str) -> Any:
        return getattr(np, name)


NAMES: Final[Mapping[str, Any]] = {
    "np": _NumPy(),
    "min": _extreme(min, np.minimum),  # Python's gives one of its operands, with its own dtype
    "max": _extreme(max, np.maximum),
    "permit": Permitted,
    "coalesce": lambda *args: next(one for one in args if one is not ABSENT),
    "offset": sa.offset,
    "window": sa.window,
    **{mode: _padded(mode) for mode in ("edge", "circular", "reflect", "symmetric")},
    **dict.fromkeys(("walk", "gallop", "locate"), lambda index: index),
}
"""What the words of the language are in plain Python."""


def results_of(text: str, arguments: Mapping[str, Any]) -> tuple[Any, ...]:
    """The results of a function `program`, by its text, as Python runs it."""
    names: dict[str, Any] = dict(NAMES)
    exec(compile(text, "program", "exec"), names)
    found = names["program"](**{name: _strict(value) for name, value in arguments.items()})
    found = found if isinstance(found, tuple) else (found,)
    return tuple(one.data if isinstance(one, Strict) else one for one in found)


def _strict(value: Any) -> Any:
    return Strict(value) if isinstance(value, np.ndarray) and value.ndim else value
