"""Explanations of traces: the steps of a replay, and its kernels."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from structarr._compiler.ir.show import show
from structarr._compiler.rules.defaults import rules_in_force
from structarr._execute.steps import Call
from structarr._explain.page import details
from structarr._explain.readable import WithKernel
from structarr._explain.report import Explanation, ProgramExplanation, head_of


@dataclass(frozen=True, repr=False)
class TraceExplanation(WithKernel):
    """
    The explanation of a function under `jit`; printing it shows the steps and the kernels.

    Attributes
    ----------
    replay : str
        The lines of Python that a call runs, from the values of its arguments on; beside each call
        of a kernel the heart of its program.
    stages : tuple of Explanation
        The kernels, in the order of their calls.
    why : str
        Why there is no replay, and the function itself is called each time; empty if there is.
    """

    replay: str
    stages: tuple[Explanation, ...]
    why: str = ""

    @property
    def cin(self) -> str:
        """The programs in concrete index notation."""
        return ProgramExplanation(self.stages).cin if self.stages else ""

    @property
    def kernel(self) -> str:
        """The Python sources of the kernels, which are interpreted or compiled."""
        return ProgramExplanation(self.stages).kernel if self.stages else ""

    def source(self, language: str = "python") -> str:
        """The sources of the kernels in a language, as `Explanation.source` has them."""
        return ProgramExplanation(self.stages).source(language) if self.stages else ""

    def __str__(self) -> str:
        head = self.summary
        return f"{head}\n\n{ProgramExplanation(self.stages)}" if self.stages else head

    @property
    def _details(self) -> str:
        return details(self.stages)

    @property
    def summary(self) -> str:
        """The lines that a call runs, or why there are none."""
        return f"not replayed: {self.why}" if self.why else f"replayed:\n{self.replay}"


def explain_trace(written: tuple[list[str], Mapping[str, Call]], why: str) -> TraceExplanation:
    """Tell the lines of a replay, with the calls of kernels by the names of their results."""
    lines, calls = written
    told = []
    for line in lines:
        call = calls.get(line.partition(" = ")[0])
        if "is None: return" in line or line.endswith("= None"):
            continue
        text = line.replace(", )", ")")
        if call is not None:
            text += f"  # {head_of(show(call.pick.plan.compiled.program.stmt))}"
        told.append(text)
    rules = rules_in_force()
    stages = [
        Explanation(one.pick.plan, one.given, rules, {}, one.choice.programs)
        for one in calls.values()
    ]
    return TraceExplanation("\n".join(told), tuple(stages), why)
