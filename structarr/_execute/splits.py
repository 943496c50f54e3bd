"""How calls of a program are made in pieces: the first way that can be gone."""

from __future__ import annotations

from structarr._compiler.rules.engine import RuleSet
from structarr._execute.gather_split import gather_split
from structarr._execute.inner_split import with_inner
from structarr._execute.owned_split import with_owned
from structarr._execute.partial_split import partial_split
from structarr._execute.partition_split import Split, cut_split
from structarr._scheduler.assemble import Program


def split_of(program: Program, rules: RuleSet) -> Split | None:
    """The split of a program: by cutting operands, if they can be cut; None if it has none.

    Operands that are cut need no second kernel. Long rows are divided, by a further kernel where
    their operands have no windows.
    """
    cut = cut_split(program, rules) or gather_split(program, rules)
    found = cut or partial_split(program)
    return found and with_owned(with_inner(found, program), program)
