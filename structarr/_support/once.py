"""A property that is computed at the first look, by threads that wait for nobody."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic, TypeVar, overload

T = TypeVar("T")


class once(Generic[T]):
    """
    A method as an attribute, which keeps its value.

    Before Python 3.12 `functools.cached_property` has a lock that all instances of a class share,
    so threads that ask different ones for what takes long do it one after the other. Here two
    threads that ask the same one at once may both compute it.

    Parameters
    ----------
    function : callable
        The method; it has the same value for both of two threads.

    Examples
    --------
    >>> class Square:
    ...     def __init__(self, side):
    ...         self.side = side
    ...     @once
    ...     def area(self):
    ...         print("computed")
    ...         return self.side**2
    >>> square = Square(3)
    >>> square.area, square.area
    computed
    (9, 9)
    """

    def __init__(self, function: Callable[[Any], T]) -> None:
        self._function = function
        self.__doc__ = function.__doc__

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = name

    @overload
    def __get__(self, instance: None, owner: type) -> once[T]: ...

    @overload
    def __get__(self, instance: object, owner: type) -> T: ...

    def __get__(self, instance: object | None, owner: type) -> once[T] | T:
        if instance is None:
            return self
        return instance.__dict__.setdefault(self._name, self._function(instance))  # type: ignore[no-any-return]
