"""Maps of sums as one call: where that is expected to take no longer than two."""

from __future__ import annotations

from collections.abc import Callable
from math import prod

from structarr._execute.call_size import is_small
from structarr._execute.choices import choice_for
from structarr._execute.program_choice import Choice
from structarr._execute.steps import Unpicked
from structarr._lazy.graph import Node
from structarr._lazy.rewrite.other_part import with_other
from structarr._scheduler.array_expression import Builder
from structarr._scheduler.hoist import STORE
from structarr._scheduler.machine import times
from structarr._storage.tensor import Tensor


def joined(
    node: Node, total: Node, sums: Unpicked, value: Callable[[Node], Tensor]
) -> Unpicked | None:
    """The call that maps sums where it computes them; None where two calls take less time.

    Parameters
    ----------
    node : Node
        An expression that maps a sum.
    total : Node
        The sum in it.
    sums : Unpicked
        The call of the sum alone.
    value : callable
        Computes the operands.
    """
    whole = with_other(node, total, sums.node)
    builder = Builder(value, sums.node)
    choice = choice_for(builder, whole, None, sums.transposed, True, False)
    if not (isinstance(choice, Choice) and choice.is_possible):
        return None
    given = builder.operands(whole, {})
    if not node.shape and not is_small(given):
        return None  # pieces add up one number, and none of them maps it
    apart = sums.choice.least(sums.given) + prod(node.shape) * STORE * 1e-9 + times().call * 1e-9
    if choice.least(given) > apart:
        return None
    made = (choice, given, tuple(builder.constants), node.shape, sums.counted)
    return Unpicked(*made, whole, None, True, sums.transposed)
