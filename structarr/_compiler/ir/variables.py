"""Variables of kernels: told apart by what they are, and called something for people."""

from __future__ import annotations

from collections.abc import Container
from itertools import count

from structarr._compiler.ir.expr import Typed
from structarr._compiler.ir.node import Node


class Var(Typed):
    """
    Variable of a kernel, of a `dtype`: an argument, a value with a name, a cursor or a `result`.

    To set a `result`, an accumulator or counter, is an effect. The `name` is for people: of
    variables that are called the same, with different `version`, targets make several names.
    """

    name: str
    result: bool = False  # whether it is an accumulator or counter, which to set is an effect
    version: int = 1  # of those that are called the same

    @property
    def label(self) -> str:
        """The name that people know it by."""
        return self.name if self.version == 1 else f"{self.name}_{self.version}"


class Local(Var):
    """A variable that a lowering has made, which no other is."""


class State(Local):
    """A variable that the turns of a loop read as well as update, one after the other."""


class Opaque(Var):
    """
    Variable of which nothing is known, or that is replaced before a kernel is printed.

    The fields `dtype`, `name`, `result` and `version` are those of `Var`.
    """


class LevelVar(Var):
    """A variable that a result's level keeps while it is written, such as a count of children."""

    tensor: str = ""
    depth: int = 0


def is_total(var: Var) -> bool:
    """Whether a variable is a result that is not read before it is complete."""
    return var.result and not isinstance(var, State)


def fresh(var: Var, taken: set[Node]) -> Var:
    """The first version of a variable that is not taken, which is taken from then on."""
    found = unused(var, taken)
    taken.add(found)
    return found


def unused(var: Var, taken: Container[Node]) -> Var:
    """The first version of a variable that is not taken."""
    if var not in taken:
        return var
    versions = (var if k == 1 else var.replace(version=k) for k in count(1))
    return next(one for one in versions if one not in taken)
