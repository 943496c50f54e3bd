"""The reports of one kernel, and of the kernels of a program."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from structarr._compiler.ir.cin import Loop, Multi, Sieve, Stmt, Where
from structarr._compiler.ir.node import Node
from structarr._compiler.ir.show import show
from structarr._compiler.rules.engine import RuleSet, simplifier
from structarr._execute.plan import Plan
from structarr._explain.candidates import Candidate, table
from structarr._explain.languages import COMMENTS, in_language
from structarr._explain.page import details
from structarr._explain.readable import WithKernel
from structarr._scheduler.assemble import Program
from structarr._scheduler.cost_model import Cost, cost
from structarr._scheduler.operands import Operands
from structarr._scheduler.pipeline import lower_program
from structarr.formats.names import name_of

MOST = 1000  # the most steps of lowering that are kept as text


@dataclass(frozen=True)
class Refused:
    """
    A program that computes the same and was not picked; printing it says why.

    Attributes
    ----------
    cin : str
        The program in concrete index notation.
    cost : Cost
        Its expected steps and seconds.
    picked : float
        The expected seconds of the program that was picked.
    """

    cin: str
    cost: Cost
    picked: float

    def __str__(self) -> str:
        times = self.cost.seconds / self.picked if self.picked else 1.0
        return (
            f"{head_of(self.cin)}: {self.cost.steps:,} steps, {times:.2g} times the expected time"
        )


def head_of(cin: str) -> str:
    """The line of a program that tells it from others of the same expression."""
    assignment = " ".join(cin.split()).rpartition(":")[2].strip()
    return next((line.strip() for line in cin.splitlines() if "+=" in line), assignment)


class Estimate(int):
    """
    The expected steps of a kernel, as a number.

    Attributes
    ----------
    seconds : float
        The expected time of one call, compiled.
    refused : tuple of Refused
        The other programs.
    """

    seconds: float
    refused: tuple[Refused, ...]

    def __new__(cls, own: Cost, refused: tuple[Refused, ...] = ()) -> Estimate:
        made = super().__new__(cls, own.steps)
        made.seconds, made.refused = own.seconds, refused
        return made


@dataclass(frozen=True, repr=False)
class Explanation(WithKernel):
    """
    One kernel, from its program to its source; printing it shows the stages.

    Attributes
    ----------
    inputs : dict of str to str
        The formats of the operands, by their names in `cin`.
    results : dict of str to str
        The formats of the results, by their names in `cin`.
    plan : Plan
        The kernel as the library calls it.
    moved : dict of str to tuple of int
        The operands that are stored in another order first: their axes in that order.
    programs : tuple of Program
        All that the kernel might have been compiled from; empty where there was no choice.
    candidates : tuple of Candidate
        The ways to compute the expression, with their prices and times, that which was picked
        first; `str` of the explanation ends with the table of them, if there are several.
    made : str
        The format of the array that is made of the kernel's result, such as the matrix of which
        that is the diagonal; empty where it is the result itself.
    """

    plan: Plan
    given: Operands
    rules: RuleSet
    moved: Mapping[str, tuple[int, ...]]
    programs: tuple[Program, ...] = ()
    candidates: tuple[Candidate, ...] = ()
    made: str = ""

    @property
    def inputs(self) -> dict[str, str]:
        sources = self.plan.compiled.program.inputs
        return {name: name_of(source.format) for name, source in sources.items()}

    @property
    def results(self) -> dict[str, str]:
        outputs = self.plan.compiled.program.outputs
        return {output.tensor.name: name_of(output.format) for output in outputs}

    @property
    def format(self) -> str:
        """The format of the result; of several, with commas between."""
        return self.made or ", ".join(self.results.values())

    @property
    def cin(self) -> str:
        """The program in concrete index notation."""
        return show(self.plan.compiled.program.stmt)

    @property
    def order(self) -> tuple[str, ...]:
        """The loops, outer ones first."""
        return tuple(dict.fromkeys(_loops(self.plan.compiled.program.stmt)))

    @property
    def kernel(self) -> str:
        """The Python source of the kernel, which is interpreted or compiled."""
        return self.plan.kernel.source

    def source(self, language: str = "python") -> str:
        """The source of the kernel in a language, as `Explanation.source` has it."""
        return in_language(self.plan.kernel, language)

    @cached_property
    def looplets(self) -> str:
        """Every loop with the looplets that its accesses unfurl into, in the order of lowering."""
        return "\n\n".join(show(what) for what in self.told_loops)

    @cached_property
    def steps(self) -> tuple[str, ...]:
        """The statement before each looplet's lowering and after each simplification.

        In the order of lowering; steps beyond the first thousand are only counted.
        """
        # Looplets are told again with the next stage, which says what lowers them.
        told = [one for one in self._lowering if one[0] != "looplets"]
        said = tuple(f"{stage}:\n{show(what)}" for stage, what in told[:MOST])
        return (*said, f"... and {len(told) - MOST} more") if len(told) > MOST else said

    @cached_property
    def cost(self) -> Estimate:
        """The expected iterations of all loops of the kernel together.

        The estimate uses the counts of the operands' levels and the extents of the loops. It
        supposes that the elements of each operand are spread evenly and independently of the
        others. Searches and transposing copies are not counted. `seconds` is the expected time of
        the compiled kernel. `refused` are the other programs of the same result, each with its
        estimate and the reason.
        """
        simplify, own = simplifier(self.rules), self.plan.compiled.program
        mine = cost(own, self.given, simplify)
        refused = [
            Refused(show(other.stmt), cost(other, self.given, simplify), mine.seconds)
            for other in self.programs
            if other is not own
        ]
        return Estimate(mine, tuple(refused))

    def __str__(self) -> str:
        stages = f"{self.summary}\n\n{self.cin}\n\n{self.kernel}"
        return f"{stages}\n{table(self.candidates)}" if len(self.candidates) > 1 else stages

    @property
    def summary(self) -> str:
        """Formats in and out, the order of the loops, what is transposed, and the cost."""
        named = [", ".join(f"{n}: {f}" for n, f in x.items()) for x in (self.inputs, self.results)]
        lines = [" -> ".join(part for part in named if part)]
        loops = f"loops over {', '.join(self.order)}; " if self.order else ""
        lines.append(f"{loops}about {self.cost:,} steps")
        lines += [f"refused: {other}" for other in self.cost.refused]
        lines += [
            f"{name} is transposed first, to the order {axes} of its axes"
            for name, axes in self.moved.items()
        ]
        if self.made:
            lines.append(f"stored as {self.made}, made of the result")
        return "\n".join(lines)

    @property
    def told_loops(self) -> list[Node]:
        """The loops with their looplets, in the order of lowering."""
        return [what for stage, what in self._lowering if stage == "looplets"]

    @property
    def _details(self) -> str:
        return details((self,))

    @cached_property
    def _lowering(self) -> list[tuple[str, Node]]:
        """The stages of lowering that are told: the name of each, and what it is about."""
        program, told = self.plan.compiled.program, list[tuple[str, Node]]()
        outs = tuple(output.tensor for output in program.outputs)
        lower_program(
            program.stmt, outs, program.temps, self.rules, None, lambda *one: told.append(one)
        )
        return told


@dataclass(frozen=True, repr=False)
class ProgramExplanation(WithKernel):
    """
    The explanation of a program: a kernel for each stage.

    Attributes
    ----------
    stages : tuple of Explanation
        The kernels in the order in which they run. The texts here are theirs, one after the other.
    """

    stages: tuple[Explanation, ...]

    @property
    def inputs(self) -> dict[str, str]:
        """The formats of the operands of all stages, by name."""
        return {name: fmt for stage in self.stages for name, fmt in stage.inputs.items()}

    @property
    def results(self) -> dict[str, str]:
        """The formats of the results of all stages, by name."""
        return {name: fmt for stage in self.stages for name, fmt in stage.results.items()}

    @property
    def format(self) -> str:
        """The format of the last stage's result; of several, with commas between."""
        return self.stages[-1].format

    @property
    def cin(self) -> str:
        """The program in concrete index notation."""
        return self._joined(lambda stage: stage.cin)

    @property
    def looplets(self) -> str:
        """Every loop with the looplets that its accesses unfurl into, in the order of lowering."""
        return self._joined(lambda stage: stage.looplets)

    @property
    def steps(self) -> tuple[str, ...]:
        """The steps of lowering all stages, as `Explanation.steps` has them."""
        return tuple(step for stage in self.stages for step in stage.steps)

    @property
    def kernel(self) -> str:
        """The Python source of the kernel, which is interpreted or compiled."""
        return self._joined(lambda stage: stage.kernel)

    def source(self, language: str = "python") -> str:
        """The sources of the kernels in a language, as `Explanation.source` has them."""
        sign = COMMENTS.get(language, "#")
        return self._joined(lambda stage: stage.source(language), sign)

    @property
    def cost(self) -> int:
        """The expected iterations of all loops of all kernels; an estimate, as of each stage."""
        return sum(stage.cost for stage in self.stages)

    @property
    def summary(self) -> str:
        """The stages' summaries, one after the other."""
        return self._joined(lambda stage: stage.summary)

    @property
    def plan(self) -> Plan:
        """The last stage's kernel as the library calls it."""
        return self.stages[-1].plan

    def __str__(self) -> str:
        return self._joined(str)

    @property
    def _details(self) -> str:
        return details(self.stages)

    def _joined(self, text: Callable[[Explanation], str], sign: str = "#") -> str:
        if len(self.stages) == 1:
            return text(self.stages[0])
        count = len(self.stages)
        return "\n\n".join(
            f"{sign} stage {k} of {count}\n{text(stage)}" for k, stage in enumerate(self.stages, 1)
        )


def _loops(stmt: Stmt) -> Iterator[str]:
    match stmt:
        case Loop(index, _, _, body):
            yield index.name
            yield from _loops(body)
        case Sieve(_, body):
            yield from _loops(body)
        case Where(consumer, producer):
            yield from _loops(producer)
            yield from _loops(consumer)
        case Multi(stmts):
            for one in stmts:
                yield from _loops(one)
