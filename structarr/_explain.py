"""What the compiler makes of an array expression, stage by stage."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from structarr import _compute, _graph
from structarr._auto import is_vast, table
from structarr._compiler.context import Context
from structarr._compiler.ir.show import show
from structarr._compiler.lower import lower, rooted
from structarr._measure import measure
from structarr._plan import Plan
from structarr._tensor import Tensor
from structarr.formats.names import name_of


@dataclass(frozen=True)
class Explanation:
    """The stages of one expression; printing it shows them all.

    Attributes
    ----------
    format : str
        The format of the result.
    inputs : tuple of str
        The formats of the operands, in the order of their letters in `cin`.
    cin : str
        The program in concrete index notation.
    looplets : str
        Every loop with the looplets that its accesses unfurl into, in the order of lowering.
    kernel : str
        The Python source that runs, interpreted or compiled.
    sizes : str
        Of an array that is stored: the bytes that it would take in each format, a line each.
    """

    format: str
    inputs: tuple[str, ...] = ()
    plan: Plan | None = None
    tensor: Tensor | None = None

    @property
    def cin(self) -> str:
        return "" if self.plan is None else show(self.plan.compiled.program.stmt)

    @property
    def kernel(self) -> str:
        return "" if self.plan is None else self.plan.kernel.source

    @cached_property
    def looplets(self) -> str:
        if self.plan is None:
            return ""
        said: list[str] = []
        context = Context(_graph.rules_in_force(), lower)
        context.listener = lambda stage, what: said.append(show(what))
        lower(rooted(self.plan.compiled.program.stmt), context)
        return "\n\n".join(said)

    @cached_property
    def sizes(self) -> str:
        if self.tensor is None or is_vast(self.tensor):
            return ""
        return table(measure(self.tensor))

    def __str__(self) -> str:
        if self.tensor is not None:
            held = f"stored as {self.format} in {self.tensor.nbytes} bytes"
            return f"{held}\n\n{self.sizes}" if self.sizes else held
        operands = ", ".join(self.inputs)
        return f"{operands} -> {self.format}\n\n{self.cin}\n\n{self.kernel}"


def explain(node: _graph.Node) -> Explanation:
    """Compile an expression and tell its stages."""
    plan = _compute.plan_of(node)
    if plan is None:
        (tensor,) = _compute.materialize([node], [None])
        return Explanation(name_of(tensor.format), tensor=tensor)
    inputs = tuple(name_of(source.format) for source in plan.compiled.program.inputs.values())
    return Explanation(name_of(plan.compiled.format), inputs, plan)
