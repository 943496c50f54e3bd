"""The meaning of programs: plain Python on NumPy's arrays, never read outside.

But that a choice has the dtype which promotion gives to both sides, as it has in `np.where`.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping
from typing import Any, ClassVar, Final

import numpy as np

import structarr as sa
from structarr._support import syntax_trees
from structarr.formats.entries import Array


class Permitted(int):
    """An index that may be outside."""


class Padded(int):
    """An index that finds something outside, by a mode of `numpy.pad`."""

    mode: str


class Absent:
    """A missing value, read outside: whatever is computed of it is missing too, with a dtype."""

    __array_ufunc__ = None  # NumPy's scalars leave it to what follows

    def __init__(self, like: Any) -> None:
        self.like = like  # a number of what would be there

    def __abs__(self) -> Absent:
        return self

    __neg__ = __abs__


def _absent(name: str) -> Callable[[Absent, Any], Absent]:
    """An operator of what is missing and another."""

    def method(one: Absent, other: Any) -> Absent:
        like = other.like if isinstance(other, Absent) else other
        with np.errstate(all="ignore"):
            return Absent(getattr(np.asarray(one.like), name)(like))

    return method


for _sign in ("add", "sub", "mul", "truediv", "floordiv", "mod", "and", "or", "xor"):
    for _name in (f"__{_sign}__", f"__r{_sign}__"):
        setattr(Absent, _name, _absent(_name))


class Strict:
    """An array that is never indexed from its end, and where a permitted index is missing."""

    outside: ClassVar[bool] = False  # whether only dtypes are asked for, also outside

    def __init__(self, data: Array) -> None:
        self.data, self.shape = data, data.shape

    def __len__(self) -> int:
        return len(self.data)

    def __getitem__(self, indices: Any) -> Any:
        every = indices if isinstance(indices, tuple) else (indices,)
        if Strict.outside:
            return self.data.dtype.type(1)
        place = [_place(i, n) for i, n in zip(every, self.shape, strict=True)]
        return Absent(self.data.dtype.type(1)) if None in place else self.data[tuple(place)]

    def __setitem__(self, indices: Any, value: Any) -> None:
        every = indices if isinstance(indices, tuple) else (indices,)
        place = [_place(i, n) for i, n in zip(every, self.shape, strict=True)]
        if None not in place and not isinstance(value, Absent):
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
        for one, other in ((left, right), (right, left)):
            if isinstance(one, Absent):
                return one + other
        return plain(left, right) if type(left) is type(right) is int else ufunc(left, right)

    return chosen


def _promoted(chosen: Any, others: tuple[Any, ...]) -> Any:
    """The chosen value, in the dtype of all that it is chosen from."""
    every = [one.like if isinstance(one, Absent) else one for one in (chosen, *others)]
    if all(type(one) in (bool, int, float, complex) for one in every):
        return chosen
    dtype = np.result_type(*every)
    if isinstance(chosen, Absent):
        return Absent(dtype.type(1))
    return dtype.type(chosen)


def _coalesce(*args: Any) -> Any:
    found = next((one for one in args if not isinstance(one, Absent)), args[-1])
    return _promoted(found, args)


def _choice(cond: Any, left: Callable[[], Any], right: Callable[[], Any]) -> Any:
    """One of two sides; the other, which may read outside, says its dtype."""
    chosen, other = (left, right) if cond else (right, left)
    value = chosen()
    before, Strict.outside = Strict.outside, True
    try:
        with np.errstate(all="ignore"):
            beside = other()
    except (ZeroDivisionError, OverflowError, TypeError):
        return value
    finally:
        Strict.outside = before
    return _promoted(value, (beside,))


def _added(total: Any, term: Any) -> Any:
    """A sum, of which booleans are counted as `numpy.sum` counts them."""
    both = all(isinstance(one, bool | np.bool) for one in (total, term))
    return np.int64(total) + np.int64(term) if both else total + term


class _Words(ast.NodeTransformer):
    """`a if c else b` as a call of `_choice`, and `a += b` of a scalar of `_added`."""

    def visit_AugAssign(self, node: ast.AugAssign) -> ast.stmt:
        """The scalar and the term."""
        self.generic_visit(node)
        if not isinstance(node.target, ast.Name) or not isinstance(node.op, ast.Add):
            return node
        total = ast.Name(node.target.id, ast.Load())
        value = ast.Call(ast.Name("_added", ast.Load()), [total, node.value], [])
        return ast.Assign([node.target], value)

    def visit_IfExp(self, node: ast.IfExp) -> ast.Call:
        """Both sides as functions."""
        self.generic_visit(node)
        nothing = ast.arguments([], [], None, [], [], None, [])
        sides = [ast.Lambda(nothing, side) for side in (node.body, node.orelse)]
        return ast.Call(ast.Name("_choice", ast.Load()), [node.test, *sides], [])


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
    "coalesce": _coalesce,
    "_choice": _choice,
    "_added": _added,
    "offset": sa.offset,
    "window": sa.window,
    **{mode: _padded(mode) for mode in ("edge", "circular", "reflect", "symmetric")},
    **dict.fromkeys(("walk", "gallop", "locate"), lambda index: index),
}
"""What the words of the language are in plain Python."""


def results_of(text: str, arguments: Mapping[str, Any]) -> tuple[Any, ...]:
    """The results of a function `program`, by its text, as Python runs it."""
    names: dict[str, Any] = dict(NAMES)
    tree = ast.fix_missing_locations(_Words().visit(syntax_trees.module(text)))
    exec(compile(tree, "program", "exec"), names)
    found = names["program"](**{name: _strict(value) for name, value in arguments.items()})
    found = found if isinstance(found, tuple) else (found,)
    return tuple(one.data if isinstance(one, Strict) else one for one in found)


def _strict(value: Any) -> Any:
    return Strict(value) if isinstance(value, np.ndarray) and value.ndim else value
