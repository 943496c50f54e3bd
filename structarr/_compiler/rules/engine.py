"""The rewrite engine: a set of rules applied to a node bottom-up, to a fixed point.

A rule is a function from a node to its replacement, None meaning unchanged: one of `algebra`, which
reads the facts of an `Op`, one of `statements`, or one that `patterns` makes of two expressions.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from functools import lru_cache, wraps
from typing import Any, TypeVar

from structarr._compiler.ir.cin import Access, Assign, Fiber, Permit
from structarr._compiler.ir.expr import Expr
from structarr._compiler.ir.missing import MISSING
from structarr._compiler.ir.node import Node
from structarr._compiler.ir.ruleset import Rule as Rule, RuleSet as RuleSet, endless, rule as rule
from structarr._support.caches import cleared, room
from structarr.errors import RuleError

Found = TypeVar("Found")


MOST = 1 << 15  # the most nodes that a set of rules remembers


class Simplifier:
    """Applies a rule set bottom-up, remembering every node it has seen; `simplifier` gives one.

    Attributes
    ----------
    found : dict
        What else follows from the rules alone, for those who ask again; see `remembered`.
    """

    def __init__(self, rules: RuleSet) -> None:
        self.found: dict[Any, Any] = {}
        self._rules = rules
        self._memo: dict[Node, Node] = {}
        self._applied: deque[str] = deque(maxlen=3)

    def __call__(self, node: Any) -> Any:
        done = self._memo.get(node)
        if done is None:
            if len(self._memo) > MOST:
                self._memo.clear()
                self.found.clear()
            try:
                done = self._memo[node] = self._simplified(node)
            except RecursionError:
                raise RuleError(endless(self._applied, node)) from None
        return done

    def _simplified(self, node: Node) -> Node:
        if isinstance(node, Assign):  # the target is a place, not a value; its indices are values
            target = node.target
            place = Access(target.dtype, target.obj, tuple(self(i) for i in target.indices))
            new: Node = Assign(place, node.op, self(node.value))
        elif isinstance(node, Fiber):
            return node
        else:
            new = node.rebuild(self)
        done = self._rules.apply(new, self._applied)
        return done if done is node or done is new else self(done)


@cleared
@lru_cache(8)
def simplifier(rules: RuleSet) -> Simplifier:
    """The simplifier of a set of rules: what one pass found serves the next, and the next program.

    Rules are functions of a node alone, so their results are remembered.
    """
    return Simplifier(rules)


def remembered(function: Callable[..., Found]) -> Callable[..., Found]:
    """Make a function of nodes, and a simplifier at last, remember what it returns."""

    @wraps(function)
    def known(*args: Any) -> Found:
        table, key = args[-1].found, (function, args[:-1])
        found = table.get(key)  # one look-up: another thread may empty the table
        if found is None:
            found = function(*args)
            room(table, MOST)[key] = found
        return found  # type: ignore[no-any-return]

    return known


def value_of(obj: Node, indices: tuple[Expr, ...], dtype: str) -> Expr:
    """`obj[indices]` as a value: constants ignore indices, elements are read.

    A constant behind a permitted index is still missing out of range; what is missing is so
    wherever it is read.
    """
    if obj is MISSING:
        return MISSING
    if isinstance(obj, Expr):
        permitted = tuple(i for i in indices if i.has(Permit))
        return Access(dtype, obj, permitted) if permitted else obj
    if not indices and isinstance(obj, Fiber) and obj.level.leaf:
        return obj.level.reading.read(obj)  # type: ignore[no-any-return]
    return Access(dtype, obj, indices)
