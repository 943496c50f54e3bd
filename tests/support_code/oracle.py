"""What programs mean: as plain Python on NumPy's arrays."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
from program_values import Case
from programs import Line
from strategies import checked

import structarr as sa
from structarr._array import stored
from structarr._config import options
from structarr.errors import ProgramError


class Wrong(AssertionError):
    """A result that is not the oracle's."""


class Permitted(int):
    """An index that may be outside."""


class Absent:
    """What is read there: whatever is computed of it is missing too."""

    def __mul__(self, other: Any) -> Absent:
        return self

    __rmul__ = __add__ = __radd__ = __sub__ = __rsub__ = __mul__


REFUSED = (
    "do not go into",  # NumPy truncates
    "would grow too large",
    "out of bounds for",  # the oracle gives integers of Python a dtype
    "is not defined for bool",  # NumPy says so only where it comes to it
)

ABSENT = Absent()


class Strict:
    """An array that is never indexed from its end, and where a permitted index is missing."""

    def __init__(self, data: np.ndarray) -> None:
        self.data, self.shape = data, data.shape

    def __len__(self) -> int:
        return len(self.data)

    def __getitem__(self, indices: Any) -> Any:
        every = indices if isinstance(indices, tuple) else (indices,)
        outside = [not 0 <= i < n for i, n in zip(every, self.shape, strict=True)]
        if any(out for out, i in zip(outside, every, strict=True) if type(i) is not Permitted):
            raise IndexError(f"{indices} is outside of {self.shape}")
        return ABSENT if any(outside) else self.data[indices]

    def __setitem__(self, indices: Any, value: Any) -> None:
        self[indices]
        self.data[indices] = value


def _extreme(plain: Any, ufunc: Any) -> Any:
    def chosen(left: Any, right: Any) -> Any:
        return plain(left, right) if type(left) is type(right) is int else ufunc(left, right)

    return chosen


def _made(make: Any) -> Any:
    return lambda *args: Strict(make(*args))


class Numpy:
    """NumPy, but the arrays that it makes are strict."""

    zeros, full = staticmethod(_made(np.zeros)), staticmethod(_made(np.full))

    def __getattr__(self, name: str) -> Any:
        return getattr(np, name)


NAMES = {
    "np": Numpy(),
    "min": _extreme(min, np.minimum),  # Python's gives one of its operands, with its own dtype
    "max": _extreme(max, np.maximum),
    "permit": Permitted,
    "coalesce": lambda *args: next(one for one in args if one is not ABSENT),
    "offset": sa.offset,
    "window": sa.window,
    **dict.fromkeys(("walk", "gallop", "locate"), lambda index: index),
}


def expected(case: Case) -> tuple[Any, ...]:
    """The results of a program as Python runs it."""
    names: dict[str, Any] = dict(NAMES)
    exec(compile(case.text, "program", "exec"), names)
    args = [_strict(np.copy(one.data)[()]) for one in case.operands]
    with np.errstate(all="ignore"):
        found = names["program"](*args)
    found = found if isinstance(found, tuple) else (found,)
    return tuple(one.data if isinstance(one, Strict) else one for one in found)


def actual(case: Case) -> tuple[Any, ...]:
    """The results of the kernel; what it was given has not changed."""
    found = sa.kernel(case.text)(*[one.given for one in case.operands])
    for one in case.operands:
        if isinstance(one.data, np.ndarray):
            now = np.asarray(one.given.todense() if hasattr(one.given, "todense") else one.given)
            np.testing.assert_array_equal(now, one.data, err_msg=f"{one.name} was changed")
    return found if isinstance(found, tuple) else (found,)


def check(case: Case) -> str | None:
    """Compare, or say why there is nothing to compare."""
    try:
        wants = expected(case)
    except (OverflowError, TypeError) as problem:
        return f"oracle: {type(problem).__name__}"
    try:
        with options(tier="interpreted"):
            gots = actual(case)
    except ProgramError as problem:
        return refusal(problem)
    assert len(gots) == len(wants)
    for got, want in zip(gots, wants, strict=True):
        checked(stored(got))
        compare(np.asarray(got.todense()), want)
    return None


def refusal(problem: ProgramError) -> str:
    """What the language refuses though Python runs it; any other error is one."""
    found = next((text for text in REFUSED if text in str(problem)), None)
    if found is None:
        raise problem
    return found


def compare(got: np.ndarray, want: Any) -> None:
    whole = isinstance(want, np.ndarray) and want.ndim
    if whole and (got.shape, got.dtype) != (want.shape, want.dtype):
        raise Wrong(f"{got.dtype}{got.shape} for {want.dtype}{want.shape}")
    want = np.asarray(want)
    with np.errstate(all="ignore"):
        if not np.allclose(got, want, rtol=1e-5, equal_nan=True):
            raise Wrong(f"got {got!r}, want {want!r}")


REDUCE = {"+": np.sum, "*": np.prod, "|": np.bitwise_or.reduce, "min": np.min, "max": np.max}


def check_line(line: Line) -> str | None:
    """Compare a program of one line with its value at every place, reduced by NumPy."""
    try:
        want = evaluated(line)
    except (OverflowError, TypeError) as problem:
        return f"oracle: {type(problem).__name__}"
    words = re.findall(r"\w+", line.text)
    given = {one.name: one.given for one in line.case.operands if one.name in words}
    try:
        with options(tier="interpreted"):
            got = sa.loops(line.text, order=line.order, extents=line.extents, **given)
    except ProgramError as problem:
        return refusal(problem)
    assert got.shape == want.shape
    checked(stored(got))
    if want.dtype != object and not np.allclose(got.todense(), want, rtol=1e-5):
        raise Wrong(f"got {got.todense()!r}, want {want!r}")
    return None


def evaluated(line: Line) -> np.ndarray:
    """The value at every place, reduced; of objects where nothing is reduced by `min` or `max`."""
    used = (*line.target, *line.reduced)
    shape = tuple(line.extents[name] for name in used)
    code = compile(line.case.text, "line", "eval")
    names = NAMES | {one.name: _strict(one.data) for one in line.case.operands}
    with np.errstate(all="ignore"):
        found = [eval(code, names | dict(zip(used, at, strict=True))) for at in np.ndindex(*shape)]
    axes = tuple(range(len(line.target), len(used)))
    if not found and line.op in ("min", "max"):
        return np.empty(shape[: len(line.target)], object)
    full = np.array(found, np.result_type(*found) if found else bool).reshape(shape)
    return full if line.op == "=" else np.asarray(REDUCE[line.op](full, axis=axes))


def _strict(data: Any) -> Any:
    return Strict(data) if isinstance(data, np.ndarray) and data.ndim else data
