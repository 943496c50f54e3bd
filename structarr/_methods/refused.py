"""Methods that would change an array or look at its memory: refused, with what to do instead."""

from __future__ import annotations

from collections.abc import Callable
from typing import NoReturn


def _refused(name: str, why: str) -> Callable[..., NoReturn]:
    def method(self: object, *args: object, **kwargs: object) -> NoReturn:
        raise TypeError(f"an array of structarr has no .{name}(): arrays are values, and {why}")

    method.__name__, method.__qualname__ = name, f"Refused.{name}"
    method.__doc__ = _TEXT.format(name=name, why=why)
    return method


_TEXT = """Refuse the call, as arrays are values: {why}.

Parameters
----------
*args, **kwargs
    As NumPy's method has them.

Raises
------
TypeError
    Always.

See Also
--------
structarr.Array : What arrays do.

Examples
--------
>>> import structarr as sa
>>> sa.asarray([2, 1]).{name}()
Traceback (most recent call last):
...
TypeError: an array of structarr has no .{name}(): arrays are values, and {why}
"""


class Refused:
    """The methods of NumPy's arrays that arrays of values cannot have."""

    __slots__ = ()

    sort = _refused("sort", "it would change the array; use structarr.sort(a)")
    partition = _refused("partition", "it would change the array; use structarr.partition(a)")
    fill = _refused("fill", "it would change the array; bind the name to structarr.full(...)")
    put = _refused("put", "it would change the array; use a[indices] = values")
    resize = _refused("resize", "it would change the array; use structarr.resize")
    view = _refused("view", "its buffers are not those of a dense array; use a.astype(dtype)")
    setflags = _refused("setflags", "nobody writes to it")
