"""The code of lengths: what a level's functions of numbers compute, as text for a line of Python.

`sizes` and `used` of most levels add numbers to numbers. Written into the lines that allocate a
result, they take no call.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NoReturn


def length_code(function: Callable[..., Any], *args: Any) -> Any:
    """
    Return what a function of numbers returns, as texts; None where it has more than sums.

    Parameters
    ----------
    function : callable
        A level's, of numbers and tuples of these.
    *args : str or tuple of str
        The texts of the numbers.

    Examples
    --------
    >>> length_code(lambda fibers, counts: ((fibers + 1, 2 * counts[0]), 3), "f0", ("W[0]",))
    (('f0 + 1', '2 * W[0]'), '3')
    >>> length_code(lambda fibers: max(fibers, 1), "f0")
    """
    try:
        return _texts(function(*map(_number, args)))
    except TypeError:
        return None


def _number(text: Any) -> Any:
    return tuple(map(_number, text)) if isinstance(text, tuple) else _Number(text)


def _texts(made: Any) -> Any:
    if isinstance(made, tuple):
        return tuple(map(_texts, made))
    if type(made) not in (_Number, int):
        raise TypeError(f"{made!r} is no length")
    return str(made)


class _Number:
    """A number of which the text is known and no more: what asks for its value is refused."""

    __slots__ = ("text",)

    def __init__(self, text: str) -> None:
        self.text = text

    def __str__(self) -> str:
        return self.text

    def __add__(self, other: Any) -> _Number:
        return _Number(f"{self.text} + {_texts(other)}")

    def __radd__(self, other: Any) -> _Number:
        return _Number(f"{_texts(other)} + {self.text}")

    def __mul__(self, other: Any) -> _Number:
        return _Number(f"{_factor(self)} * {_factor(other)}")

    def __rmul__(self, other: Any) -> _Number:
        return _Number(f"{_factor(other)} * {_factor(self)}")

    def _refused(self, *_: object) -> NoReturn:
        raise TypeError("a length that depends on the value of a number is no text")

    __bool__ = __eq__ = __ne__ = __hash__ = __getattr__ = _refused
    __lt__ = __le__ = __gt__ = __ge__ = _refused


def _factor(value: Any) -> str:
    text = _texts(value)
    return f"({text})" if " + " in text else str(text)
