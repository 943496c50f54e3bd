"""The rewrite engine: rules in three tiers, indexed by head, applied bottom-up to a fixed point.

Tier 1 is operator algebra, data on `Op` that the functions of `algebra` read; tier 2 are pairs of
patterns; tier 3 are functions from a node to its replacement, None meaning unchanged.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

from structarr._compiler.ir.cin import Access, Assign, Fiber, Permit
from structarr._compiler.ir.expr import Call, Expr, Lit, Var
from structarr._compiler.ir.node import Node

Rewrite = Callable[[Any], Node | None]


@dataclass(frozen=True)
class Rule:
    """One rewrite of nodes of class `head`; for a `Call`, `op` narrows it to one operator."""

    name: str
    head: type[Node]
    rewrite: Rewrite
    op: str | None = None


def rule(head: type[Node], op: str | None = None) -> Callable[[Rewrite], Rule]:
    """Make a tier-3 rule of a function; its name is the function's."""
    return lambda function: Rule(function.__name__, head, function, op)


def pair(name: str, left: Expr, right: Expr, guard: Callable[..., bool] | None = None) -> Rule:
    """Make a tier-2 rule of two patterns; variables named `?x` match any expression."""
    if not isinstance(left, Call):
        raise TypeError(f"rule {name}: the left pattern must be a call, not {left!r}")

    def rewrite(node: Node) -> Node | None:
        found: dict[Var, Expr] = {}
        if not _match(left, node, found):
            return None
        if guard is not None and not guard(**{var.name[1:]: e for var, e in found.items()}):
            return None
        return _fill(right, found)

    return Rule(name, Call, rewrite, left.op.name)


def _match(pattern: Node, node: Node, found: dict[Var, Expr]) -> bool:
    if isinstance(pattern, Var) and pattern.name.startswith("?"):
        assert isinstance(node, Expr)
        return found.setdefault(pattern, node) is node
    if isinstance(pattern, Call) and isinstance(node, Call):
        return pattern.op is node.op and all(
            _match(p, n, found) for p, n in zip(pattern.args, node.args, strict=True)
        )
    if isinstance(pattern, Lit) and isinstance(node, Lit):
        return bool(pattern.value == node.value) and type(pattern.value) is type(node.value)
    return pattern is node


def _fill(pattern: Node, found: dict[Var, Expr]) -> Node:
    if isinstance(pattern, Var) and pattern in found:
        return found[pattern]
    return pattern.rebuild(lambda part: _fill(part, found))


@dataclass(frozen=True)
class RuleSet:
    """An immutable set of rules; `a + b` applies those of `a` first."""

    rules: tuple[Rule, ...] = ()
    _index: dict[tuple[type[Node], str | None], tuple[Rule, ...]] = field(
        default_factory=dict, compare=False, repr=False
    )

    def __post_init__(self) -> None:
        for one in self.rules:
            key = (one.head, one.op)
            self._index[key] = (*self._index.get(key, ()), one)

    def __add__(self, other: RuleSet | Iterable[Rule]) -> RuleSet:
        more = other.rules if isinstance(other, RuleSet) else tuple(other)
        return RuleSet(self.rules + more)

    def __hash__(self) -> int:
        return hash(self.rules)

    def candidates(self, node: Node) -> tuple[Rule, ...]:
        """The rules whose head is the node's."""
        general = self._index.get((type(node), None), ())
        if isinstance(node, Call):
            return self._index.get((Call, node.op.name), ()) + general
        return general

    def apply(self, node: Node) -> Node:
        """The node with its own head rewritten until no rule applies; parts are left alone."""
        for _ in range(100):
            for one in self.candidates(node):
                new = one.rewrite(node)
                if new is not None and new is not node:
                    node = new
                    break
            else:
                return node
        raise RecursionError(f"the rules do not come to an end on {node!r}")


class Simplifier:
    """Applies a rule set bottom-up, remembering every node it has seen."""

    def __init__(self, rules: RuleSet) -> None:
        self._rules = rules
        self._memo: dict[Node, Node] = {}

    def __call__(self, node: Any) -> Any:
        done = self._memo.get(node)
        if done is None:
            done = self._memo[node] = self._simplified(node)
        return done

    def _simplified(self, node: Node) -> Node:
        if isinstance(node, Assign):  # the target is a place, not a value
            new: Node = Assign(node.target, node.op, self(node.value))
        elif isinstance(node, Fiber):
            return node
        else:
            new = node.rebuild(self)
        done = self._rules.apply(new)
        return done if done is node or done is new else self(done)


def value_of(obj: Node, indices: tuple[Expr, ...], dtype: str) -> Expr:
    """`obj[indices]` as a value: constants ignore indices, elements are read.

    A constant behind a permitted index is still missing out of range.
    """
    if isinstance(obj, Expr):
        permitted = tuple(i for i in indices if any(isinstance(n, Permit) for n in i.nodes()))
        return Access(dtype, obj, permitted) if permitted else obj
    if not indices and isinstance(obj, Fiber) and obj.level.leaf:
        return obj.level.read(obj)  # type: ignore[no-any-return]
    return Access(dtype, obj, indices)
