"""Stretches of states, computed element by element: `a[i, lo:hi] = b[j, lo:hi] & c[lo:hi]`.

What does not change from element to element is computed before, once, as NumPy does: bounds, the
elements of arrays that are read one by one, and divisors.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import count
from typing import Final, NamedTuple

from structarr._language.read.source import Source
from structarr._language.runs.kinds import length, spelled
from structarr._language.runs.number_text import EXTREMES, FLOATS, Value

OF_ELEMENTS: Final = frozenset({"abs", *EXTREMES, *FLOATS})
"""The functions that NumPy applies to each element."""


@dataclass
class Stretches:
    """
    The stretches of one statement.

    Attributes
    ----------
    number : int
        Its own.
    lines : list of str
        What comes before its loop.
    written : tuple of str, optional
        The array that is written, and where its stretch begins.
    elements : dict
        The elements that are computed of, by what the stretches are called. One that is named twice
        has one place, which tells that no other element is read where one is written.
    """

    number: int
    lines: list[str] = field(default_factory=list)
    written: tuple[str, str] | None = None
    elements: dict[str, str] = field(default_factory=dict)

    @property
    def at(self) -> str:
        """How many elements of each stretch come before the one that is computed."""
        return f"j__{self.number}"

    @property
    def size(self) -> str:
        """How many elements are computed."""
        return f"size__{self.number}"

    def placed(
        self,
        name: str,
        ndim: int,
        row: str,
        bounds: tuple[str, str],
        sites: tuple[int, int, int],
        numbers: count[int],
    ) -> str:
        """
        The element of a stretch that is computed; the first stretch is that which is written.

        Parameters
        ----------
        name, ndim : str, int
            The array.
        row : str
            How many rows come before that of the stretch.
        bounds : tuple of str
            Of the stretch.
        sites : tuple of int
            What is told where it is out of bounds, of another length, or read behind where it is
            written.
        numbers : iterator of int
            What numbers names.
        """
        own, dim = next(numbers), length(name, ndim - 1)
        size, at = f"size__{own}" if self.written else self.size, f"at__{own}"
        self.lines += [
            f"lo__{own} = {bounds[0]}",
            f"{size} = max({bounds[1]} - lo__{own}, 0)",
            f"{at} = stretch_at(({row}) * {dim}, lo__{own}, {size}, {dim}, {sites[0]})",
        ]
        if self.written is None:
            self.written = name, at
        else:
            self.lines.append(f"same_length({self.size}, {size}, {sites[1]})")
            if name == self.written[0]:
                self.lines.append(f"not_behind({at}, {self.written[1]}, {size}, {sites[2]})")
        return f"{spelled(name)}[u({at} + {self.at})]"

    def once(self, value: Value, numbers: count[int]) -> Value:
        """A number that is the same for all elements."""
        name = f"t__{next(numbers)}"
        self.lines.append(f"{name} = {value.text}")
        return Value(name, value.kind)

    def loop(self, text: str) -> list[str]:
        """The lines of the statement, which stores what a text computes."""
        assert self.written is not None
        name, at = self.written
        place = f"{spelled(name)}[u({at} + {self.at})]"
        return [*self.lines, f"for {self.at} in range({self.size}):", f"    {place} = {text}"]


class Part(NamedTuple):
    """
    Elements of an array, each as far from the one before.

    Attributes
    ----------
    name : str
        The array.
    at : str
        Where the first one is.
    step : int
        How far each is from the one before.
    size : str
        How many there are.
    """

    name: str
    at: str
    step: int
    size: str


def slice_of(index: ast.expr) -> ast.Slice | None:
    """The stretch within the index of an array, if there is one."""
    parts = index.elts if isinstance(index, ast.Tuple) else [index]
    return next((one for one in parts if isinstance(one, ast.Slice)), None)


def has_parts(bounds: ast.Slice) -> bool:
    """Whether the bounds of a stretch are stretches themselves."""
    return any(one is not None and has_stretch(one) for one in (bounds.lower, bounds.upper))


def has_stretch(node: ast.AST) -> bool:
    """Whether there is a stretch in an expression."""
    return any(isinstance(one, ast.Slice) for one in ast.walk(node))


def check_elementwise(node: ast.expr, source: Source) -> None:
    """Refuse what NumPy would not do, or not element by element, with stretches within it."""
    for one in ast.walk(node):
        if _is_refused(one):
            raise source.error(
                "stretches are combined element by element: by operators, comparisons of two, "
                f"{', '.join(sorted(OF_ELEMENTS))}",
                one,
            )


def _is_refused(node: ast.AST) -> bool:
    match node:
        case ast.Subscript(_, index):
            return any(has_stretch(one) for one in _within(index))
        case ast.BoolOp() | ast.IfExp() | ast.UnaryOp(ast.Not()):
            return has_stretch(node)
        case ast.Compare(ops=signs):
            return len(signs) > 1 and has_stretch(node)
        case ast.Call(function):
            name = function.attr if isinstance(function, ast.Attribute) else ""
            own = function.id if isinstance(function, ast.Name) else name
            return own not in OF_ELEMENTS and has_stretch(node)
    return False


def _within(index: ast.expr) -> Sequence[ast.expr]:
    """The expressions of an index, and of the bounds of its stretch."""
    found: list[ast.expr] = []
    for one in index.elts if isinstance(index, ast.Tuple) else [index]:
        parts = (one.lower, one.upper, one.step) if isinstance(one, ast.Slice) else (one,)
        found += [part for part in parts if part is not None]
    return found
