"""An array in the format that is checked, beside NumPy's; what is reported when they differ."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import numpy as np

import structarr as sa
from structarr._array import Array, stored
from structarr._storage.tensor import Tensor
from structarr.formats import Format, Layout, Level, entries as _entries

NumPyArray = _entries.Array


@dataclass(frozen=True)
class Operand:
    """An array, NumPy's of the same elements, and Python text that makes it."""

    array: Array
    data: NumPyArray
    made: str

    @property
    def tensor(self) -> Tensor:
        """The array's buffers."""
        return stored(self.array)


@dataclass(frozen=True)
class Case:
    """An operand in the format that is checked, with others of its shape."""

    label: str
    own: Operand
    format: Format
    others: Mapping[str, Operand] = field(default_factory=dict)

    @property
    def tensor(self) -> Tensor:
        """The buffers of the array that is checked."""
        return self.own.tensor

    def check(self, text: str, **operands: Operand) -> None:
        """Evaluate an expression on arrays and on NumPy's: they must agree."""
        given = {"a": self.own, **operands}
        with np.errstate(all="ignore"):
            want = evaluate(text, {name: one.data for name, one in given.items()}, _PLAIN)
        with self.reporting(text, given):
            got = evaluate(text, {name: one.array for name, one in given.items()}, _OURS)
            same(got, want)

    def computed(self, text: str, format: Format, **operands: Operand) -> None:
        """Evaluate an expression into a format, and check what was written."""
        given = {"a": self.own, **operands}
        with np.errstate(all="ignore"):
            want = evaluate(text, {name: one.data for name, one in given.items()}, _PLAIN)
        with self.reporting(f"({text}).asformat({spelled(format)})", given):
            lazy = evaluate(text, {name: one.array for name, one in given.items()}, _OURS)
            got = lazy.asformat(format)
            sound(stored(got))
            same(got, want)
            assert got.format == Layout(format), f"the format is {got.format}"

    @contextmanager
    def reporting(self, text: str, operands: Mapping[str, Operand] | None = None) -> Iterator[None]:
        """Raise what fails in a block as an AssertionError that says how to see it again."""
        try:
            with np.errstate(all="ignore"):
                yield
        except Exception as error:
            given = {"a": self.own} if operands is None else operands
            raise AssertionError(self._report(text, given, error)) from error

    def _report(self, text: str, operands: Mapping[str, Operand], error: Exception) -> str:
        own = isinstance(error, AssertionError)
        problem = str(error) if own else f"raised {type(error).__name__}: {error}"
        kinds = {type(level) for level in self.format.levels}
        outside = sorted(
            f"from {kind.__module__} import {kind.__name__}"
            for kind in kinds
            if kind.__module__.partition(".")[0] != "structarr"
        )
        lines = [
            f"format {Layout(self.format)}, {self.label}: {text}: {problem}",
            "To see it again:",
            "    import numpy as np, structarr as sa",
            "    from numpy import inf, nan",
            "    from structarr.protocols import by, gallop, locate, walk",
            "    from structarr.formats import *",
            *(f"    {line}" for line in outside),
            *(f"    {name} = {one.made}" for name, one in operands.items()),
            f"    print({text})",
        ]
        return "\n".join(lines)


def operand(data: NumPyArray, fill: Any, format: Any) -> Operand:
    """An array made of NumPy's, in a format."""
    spec = spelled(format) if isinstance(format, Format) else repr(format)
    made = (
        f"sa.asarray(np.reshape({data.reshape(-1).tolist()}, {data.shape})"
        f".astype('{data.dtype}'), fill_value={fill.item()!r}).asformat({spec})"
    )
    array = sa.asarray(data, fill_value=fill).asformat(format)
    return Operand(array.compute(), data, made)


def spelled(format: Format | Level) -> str:
    """Python text that makes a format."""
    return repr(format)


def same(got: Any, want: Any) -> None:
    """The shape, dtype and elements are NumPy's."""
    want = np.asarray(want)
    assert got.shape == want.shape, f"the shape is {got.shape}, not {want.shape}"
    assert got.dtype == want.dtype, f"the dtype is {got.dtype}, not {want.dtype}"
    differ(got.todense() if isinstance(got, Array) else np.asarray(got), want)


def differ(got: NumPyArray, want: NumPyArray) -> None:
    """All elements are equal, NaN among them."""
    bad = np.argwhere(~((got == want) | ((got != got) & (want != want))))
    if len(bad):
        at = tuple(int(k) for k in bad[0])
        more = f", as are {len(bad) - 1} others" if len(bad) > 1 else ""
        raise AssertionError(f"element {at} is {got[at]}, not {want[at]}{more}")


def sound(tensor: Tensor) -> None:
    """The buffers pass the format's own checks."""
    Tensor.checked(tensor.format, tensor.shape, tensor.fill, tensor.buffers, tensor.dtype)


def evaluate(text: str, names: Mapping[str, Any], rest: Mapping[str, Any]) -> Any:
    """The value of Python text."""
    return eval(text, {**rest, **names})


def _itself(array: Any) -> Any:
    return array


_PLAIN: dict[str, Any] = {
    "np": np,
    "by": lambda array, protocol: array,
    "walk": _itself,
    "gallop": _itself,
    "locate": _itself,
}
_OURS: dict[str, Callable[..., Any]] = {
    "np": np,  # type: ignore[dict-item]
    "walk": sa.walk,
    "by": sa.protocols.by,
    "gallop": sa.gallop,
    "locate": sa.locate,
}
