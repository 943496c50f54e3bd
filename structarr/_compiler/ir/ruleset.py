"""Rules and sets of rules: rewrites of nodes, indexed by the class that they rewrite."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import field
from typing import Any

from structarr._compiler.ir.expr import Call, Expr
from structarr._compiler.ir.missing import Missing
from structarr._compiler.ir.node import Node
from structarr._support.caches import room
from structarr._support.records import record
from structarr.errors import RuleError, StructarrError

Rewrite = Callable[[Any], Node | None]


@record
class Rule:
    """
    Rewrite rule: a function from nodes of one class to nodes that stand in their place.

    `rule` makes one of a function, `structarr.rules.pair` one of two expressions.

    Parameters
    ----------
    name : str
        The name by which errors call it.
    head : type of Node
        The class of the nodes that it looks at.
    rewrite : callable
        Given a node, returns the new one, or None if the rule does not apply.
    op : str, optional
        For calls: the one operator that it looks at.
    of : type of Node
        For calls: the class that one of their arguments is of.
    constants : frozenset
        The constants that it mentions, which kernels are to know where it applies.
    left : pattern, optional
        The left side of a rule of two expressions.

    See Also
    --------
    RuleSet : Several rules.
    structarr.testing.check_rules : The tests of rules.

    Examples
    --------
    >>> import structarr as sa
    >>> sa.rules.pair("log(exp(x))", "x").head.__name__
    'Call'
    """

    name: str
    head: type[Node]
    rewrite: Rewrite
    op: str | None = None
    of: type[Node] = Node
    constants: frozenset[Any] = frozenset()
    left: Any = field(default=None, compare=False)

    def __repr__(self) -> str:
        return f"Rule({self.name})"


def rule(
    head: type[Node], op: str | None = None, of: type[Node] = Node
) -> Callable[[Rewrite], Rule]:
    """
    Make a rule of a function; its name is the function's.

    Parameters
    ----------
    head : type of Node
        The class of the nodes that the function is given.
    op : str, optional
        For calls: the one operator whose calls it is given.
    of : type of Node, optional
        For calls: the class that one of their arguments is of.

    Returns
    -------
    callable
        A decorator of functions from a node to the new one, or None, which returns a `Rule`.

    See Also
    --------
    structarr.rules.pair : A rule of two expressions.

    Examples
    --------
    >>> from structarr.cin import Call
    >>> @rule(Call, op="negative")
    ... def twice_negative(node):
    ...     inner = node.args[0]
    ...     same = isinstance(inner, Call) and inner.op is node.op
    ...     return inner.args[0] if same else None
    >>> twice_negative
    Rule(twice_negative)
    """
    return lambda function: Rule(function.__name__, head, function, op, of)


@record
class RuleSet:
    """
    Immutable set of rules; ``a + b`` applies those of `a` first.

    Parameters
    ----------
    rules : tuple of Rule
        The rules, in the order in which they are tried.

    See Also
    --------
    Rule : One of them.
    structarr.options : Has rules applied, by `rules=`.

    Examples
    --------
    >>> import structarr as sa
    >>> mine = RuleSet((sa.rules.pair("log(exp(x))", "x"),))
    >>> len((mine + mine).rules)
    2
    """

    rules: tuple[Rule, ...] = ()
    _found: dict[Any, tuple[Rule, ...]] = field(default_factory=dict, compare=False, repr=False)
    _hash: int = field(default=0, init=False, compare=False, repr=False)
    constants: frozenset[Any] = field(default=frozenset(), init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_hash", hash(self.rules))  # tables are keyed by it
        constants = frozenset().union(*[one.constants for one in self.rules])
        object.__setattr__(self, "constants", constants)

    def __add__(self, other: RuleSet | Iterable[Rule]) -> RuleSet:
        more = other.rules if isinstance(other, RuleSet) else tuple(other)
        return RuleSet(self.rules + more)

    def __hash__(self) -> int:
        return self._hash

    def candidates(self, node: Node) -> tuple[Rule, ...]:
        """The rules whose head is the node's; those of its operator come first."""
        if not isinstance(node, Call):
            return self._of(type(node), None, 0)
        kinds = 0
        for arg in node.args:
            kinds |= type(arg)._bit
        return self._of(Call, node.op.name, kinds)

    def _of(self, head: type[Node], op: str | None, kinds: int) -> tuple[Rule, ...]:
        """The rules of a head, an operator and the classes of its arguments."""
        key = head, op, kinds
        found = self._found.get(key)
        if found is None:
            fits = [one for one in self.rules if one.head is head]
            if op is not None:
                fits = [one for one in fits if one.of is Node or one.of._bits & kinds]
            own = [one for one in fits if one.op is not None and one.op == op]
            found = room(self._found)[key] = (*own, *[one for one in fits if one.op is None])
        return found

    def apply(self, node: Node, applied: deque[str] | None = None) -> Node:
        """The node with its own head rewritten until no rule applies; parts are left alone.

        The names of the rules that are applied are added to `applied`.
        """
        names: deque[str] = deque(maxlen=3) if applied is None else applied
        for _ in range(100):
            new = self._rewritten(node, names)
            if new is None:
                return node
            node = new
        raise RuleError(endless(names, node))

    def _rewritten(self, node: Node, applied: deque[str]) -> Node | None:
        """The node rewritten once; None if no rule applies."""
        for one in self.candidates(node):
            try:
                new = one.rewrite(node)
            except (StructarrError, RecursionError, MemoryError):
                raise
            except Exception as error:
                said = f"{type(error).__name__}: {error}"
                raise RuleError(f"rule {one.name!r} failed on {brief(node)}: {said}") from error
            if new is not None and new is not node:
                _check(one, node, new)
                applied.append(one.name)
                return new
        return None


def as_rules(given: Any) -> RuleSet | None:
    """A rule set of what a user may give for one: None, a rule, a set, or an iterable of those."""
    if given is None or isinstance(given, RuleSet):
        return given
    if isinstance(given, Rule):
        return RuleSet((given,))
    if not isinstance(given, Iterable) or isinstance(given, str):
        raise TypeError(f"rules must be a RuleSet or an iterable of rules, not {given!r}")
    found = RuleSet()
    for one in given:
        if not isinstance(one, Rule | RuleSet):
            raise TypeError(
                f"{one!r} is no rule: make one by structarr.rules.pair or @structarr.rules.rule"
            )
        found += as_rules(one) or ()
    return found


def _check(one: Rule, node: Node, new: object) -> None:
    """Refuse what would make another kind of program."""
    if not isinstance(new, Node):
        raise RuleError(f"rule {one.name!r} must return a node or None, not {new!r}")
    if isinstance(node, Expr) != isinstance(new, Expr):
        kinds = ("statement", "value")
        made, given = (kinds[isinstance(each, Expr)] for each in (new, node))
        raise RuleError(f"rule {one.name!r} makes a {made} of a {given}, of {brief(node)}")
    if not (isinstance(node, Expr) and isinstance(new, Expr)):
        return
    if new.dtype not in (node.dtype, Missing.dtype):
        raise RuleError(
            f"rule {one.name!r} makes {new.dtype} of {node.dtype}, of {brief(node)}; "
            "cast what it returns"
        )


def endless(names: Iterable[str], node: Node) -> str:
    last = ", ".join(dict.fromkeys(repr(name) for name in names))
    return f"the rules do not come to an end on {brief(node)}; applied last: {last}"


def brief(node: Node) -> str:
    shown = repr(node)
    return shown if len(shown) < 200 else f"{shown[:200]}..."
