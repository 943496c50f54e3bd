"""Values of names while the statement of a stage is built."""

from __future__ import annotations

from dataclasses import dataclass, field

from structarr._compiler.ir.cin import Access, Tensor
from structarr._compiler.ir.expr import Expr, Index
from structarr._language.read.messages import error
from structarr._language.read.syntax import Place
from structarr._language.resolve.operand_info import Meaning, Surroundings
from structarr._language.resolve.stages import Stage
from structarr._scheduler.results_unformatted import Unformatted
from structarr._scheduler.tensor_names import unused
from structarr.errors import ProgramError


@dataclass
class Temporary:
    """A scalar or a vector that is made by inner loops and used outside of them."""

    tensor: Tensor
    starts: bool  # whether its first assignment, not reached yet, gives its start

    def access(self, indices: tuple[Expr, ...]) -> Access:
        """An element of it."""
        return Access(self.tensor.dtype, self.tensor, indices)


@dataclass
class Scope:
    """A stage, and what is there at the place in it that has been reached."""

    stage: Stage
    given: Surroundings
    out: Meaning
    taken: set[str] = field(default_factory=set)  # names of tensors
    indices: dict[str, Index] = field(default_factory=dict)
    results: dict[str, Unformatted] = field(default_factory=dict)
    temporaries: dict[str, Temporary] = field(default_factory=dict)
    finished: set[str] = field(default_factory=set)  # temporaries that are only read from now on
    handed_on: set[str] = field(default_factory=set)  # what is read after the block at hand
    typing: bool = True  # only dtypes are wanted: temporaries are not made yet

    def __post_init__(self) -> None:
        for name in self.stage.indices:
            self.indices[name] = Index(name)

    def named(self, name: str) -> str:
        """A name for a tensor, like the user's, that no other tensor of the stage has."""
        found = unused(name, self.taken)
        self.taken.add(found)
        return found

    def error(self, message: str, at: Place) -> ProgramError:
        """An error at a place of the program."""
        return error(message, at, self.stage.program)
