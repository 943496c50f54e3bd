"""A trace: expressions of some tensors, computed while the steps to their values are noted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterator, Sequence
from copy import deepcopy
from typing import Any, Final, NamedTuple

from structarr._compiler.backend.python.host import straight
from structarr._compiler.ir.ops import Op
from structarr._execute.executor import Executor
from structarr._execute.expression_key import maps_of, pattern
from structarr._execute.replay import Record
from structarr._execute.replay_table import Replay
from structarr._execute.steps import Call
from structarr._lazy import structure
from structarr._lazy.graph import Node, constant_of, leaf
from structarr._lazy.node import args_of, remade
from structarr._lazy.rewrite.common_subexpressions import APART
from structarr._lazy.rewrite.on_stored_values import places_of
from structarr._scheduler.expected_entries import all_dense, expected_entries
from structarr._scheduler.inputs import operators_of
from structarr._scheduler.push_masks import may_mask
from structarr._storage.buffers import writable
from structarr._storage.memo import OWN
from structarr._storage.tensor import Tensor

LARGER: Final = 2.0  # times what it is made of, up to which a sum that is used again is stored


class Trace:
    """
    Expressions that share operands, and the steps by which their values are computed for others.

    Parameters
    ----------
    given : sequence of Tensor
        The operands, which are others at each replay.
    fixed : sequence of Tensor
        Operands that are the same at each replay, and whose values are read then.
    more : bool
        Whether numbers are given after the operands.
    """

    def __init__(
        self, given: Sequence[Tensor], fixed: Sequence[Tensor], more: bool = False
    ) -> None:
        self._record = Record(tuple(given), fixed=True, more=more)
        self._executor = Executor(self._record)
        self._varying: set[Any] = {*given}  # tensors, and identities of scalars
        self._fixed = {*fixed}
        self._given, self._constants = list(given), list[Tensor]()
        self._depends: dict[Node, bool] = {}  # nodes are kept, as others may get their identity
        self._made: dict[Node, Node] = {}
        self.constants: list[Any] = []  # scalars that are the same at each replay
        self.operators: set[Op] = set()
        self.is_masked = False  # whether the values of scalars may decide how a sum is made
        self._is_general = True  # whether no expression has lengths but those of its arrays

    def depends(self, node: Node) -> bool:
        """Whether a node's value is another at each replay."""
        found = self._depends.get(node)
        if found is None:
            if args := args_of(node):
                found = any([self.depends(arg) for arg in args])
            elif node.definition is not None:
                found = False
            else:
                of_tensor = node.kind == "leaf"
                found = (node.data if of_tensor else id(node.data)) in self._varying
            self._depends[node] = found
        return found

    def scalar(self, value: Any, place: int) -> None:
        """Note a scalar that is given at each replay, in a place after the operands."""
        self._varying.add(id(value))
        self._record.scalar(value, place)

    def values(self, nodes: Sequence[Node]) -> list[Tensor]:
        """The values of nodes; sums that several of them use are computed once."""
        for node in self._used_again(nodes):
            self.hold(node, self._value(node))
        found = []
        for node in nodes:
            stands = _is_sum(node) or all_dense(self._rebuilt(node))
            found.append(self._value(node))
            if stands:
                self.hold(node, found[-1])
        return found

    def of_sums(self, node: Node) -> Node:
        """A node of one number, whose sums are computed as steps of their own."""
        if _is_sum(node):
            self.hold(node, self._value(node))
        for arg in () if _is_sum(node) else args_of(node):
            self.of_sums(arg)
        return self._rebuilt(node)

    def hold(self, node: Node, value: Tensor) -> None:
        """Have a value stand for its node, unless it is one number, which expressions read anew.

        As a leaf that number would be a constant, the same at each replay.
        """
        if not value.is_constant:
            self._made[node] = leaf(value)

    def applied(self, compute: Callable[..., Tensor], nodes: Sequence[Node]) -> Tensor:
        """The tensor of a function of the values of nodes."""
        given = self.values(nodes)
        tensor = compute(*given)
        kind = _kind(tensor)

        def again(*others: Tensor) -> Tensor | None:
            found = compute(*others)
            return found if _kind(found) == kind else None

        self._record.applied(again, given, tensor)
        self._varying.add(tensor)
        return tensor

    def coordinates(self) -> Coordinates | None:
        """The operands with the same coordinates; None where no two could have them."""
        return Coordinates.of(self._given, self._constants)

    def written(self, results: Sequence[Tensor]) -> tuple[list[str], dict[str, Call]]:
        """The lines of a replay, and the calls of kernels by the names of their results."""
        found = self._record.text(results)
        return ([] if found is None else found.lines), self._record.kernels

    def replay(self, results: Sequence[Tensor]) -> Replay | None:
        """The replay of values; None where they took more than the steps that are noted."""
        return self._record.replay(*results)

    def general(self, results: Sequence[Tensor]) -> Replay | None:
        """The replay of values for operands of any lengths; None where there is none.

        Which lengths are equal, and the magnitude of each, are as here.
        """
        return self._record.general(*results) if self._is_general else None

    def _value(self, node: Node) -> Tensor:
        node = self._made.get(node) or self._rebuilt(node)
        if node.definition is None and node.kind == "leaf" and self._record.knows(node.data):
            return node.data  # type: ignore[no-any-return]
        self._is_general &= structure.general_of(node.number) != structure.NONE
        self._note_constants(node)
        self.operators |= {*operators_of(node)}
        self.is_masked |= bool(node.sums) and any(map(may_mask, maps_of(node)))
        tensor = self._executor.planner.value(node)
        self._varying.add(tensor)
        return tensor

    def _used_again(self, nodes: Sequence[Node]) -> Iterator[Node]:
        """The nodes that are computed once for several uses, operands first.

        Sums are computed before what they are part of anyway. What else a result is part of may
        have another format without it, unless all of it is dense.
        """
        uses: Counter[Node] = Counter()
        order: list[Node] = []

        def visit(node: Node) -> None:
            uses[node] += 1
            if uses[node] == 1 and node not in self._made:
                for arg in args_of(node):
                    visit(arg)
                order.append(node)
            elif uses[node] == 2 and node.sums and not _is_sum(node):
                for arg in args_of(node):  # part of each use
                    visit(arg)

        for node in nodes:
            visit(node)
        roots = {*nodes}
        for node in order:
            if uses[node] < 2 or not args_of(node):
                continue
            asked = node in roots
            if _is_sum(node):
                asked = asked or _is_shared(node)
            else:
                asked = asked and all_dense(self._rebuilt(node))
            if asked:
                yield node

    def _rebuilt(self, node: Node) -> Node:
        """A node with the values of what was computed before."""
        made = self._made.get(node)
        if made is not None:
            return made
        return remade(node, [self._rebuilt(arg) for arg in args_of(node)])

    def _note_constants(self, node: Node) -> None:
        """Note what is the same at each replay among the operands of a node."""
        seen: set[Node] = set()
        left = [node]
        while left:
            one = left.pop()
            if one in seen:
                continue
            seen.add(one)
            if args := args_of(one):
                left += args
            elif one.definition is not None:
                continue
            elif one.kind == "constant":
                self._note_scalar(one.data)
            else:
                self._note_tensor(one.data)

    def _note_tensor(self, tensor: Tensor) -> None:
        # A step that was not noted may have given one that varies: no replay knows it then.
        if tensor not in self._varying and not self._record.knows(tensor):
            kept = tensor if tensor in self._fixed else settled(tensor)
            self._record.constant(tensor, kept)
            self._constants.append(tensor)
        if tensor.is_constant:
            self._note_scalar(constant_of(tensor).data)

    def _note_scalar(self, value: Any) -> None:
        if id(value) not in self._varying:
            self.constants.append(value)
            self._record.scalar(value)


class Coordinates(NamedTuple):
    """The operands of a replay with the same coordinates, on which its plan may depend."""

    hold: Callable[[Sequence[Tensor]], bool]
    """Whether others of the given operands do."""

    @classmethod
    def of(cls, given: Sequence[Tensor], constants: Sequence[Tensor]) -> Coordinates | None:
        """The operands of a trace that may have the same coordinates."""
        kinds = Counter((one.format, one.shape) for one in (*given, *constants))
        places = [place for place, one in enumerate(given) if _may_agree(one, kinds)]
        if not places:
            return None
        fixed = [one for one in constants if _may_agree(one, kinds)]  # kept, as identities are
        names: dict[str, Any] = {f"c{k}": places_of(one) for k, one in enumerate(fixed)}
        known = [f"g[{k}].memo.get('places') or places_of(g[{k}])" for k in places]
        found = ", ".join([*names, *known])
        wanted = pattern([*names.values(), *[places_of(given[place]) for place in places]])
        code = f"pattern([{found}]) == wanted"
        if wanted is None:
            code = f"len({{{found}}}) == {len(names) + len(known)}"
        names |= {"places_of": places_of, "pattern": pattern, "wanted": wanted, "kept": fixed}
        return cls(straight("g", (), code, names))


def _may_agree(tensor: Tensor, kinds: Counter[Any]) -> bool:
    return len(tensor.buffers) > 1 and kinds[tensor.format, tensor.shape] > 1


def leaves_of(node: Node) -> set[Tensor]:
    """The tensors that a node is made of."""
    if args := args_of(node):
        return set[Tensor]().union(*map(leaves_of, args))
    return {node.data} if node.definition is None and node.kind == "leaf" else set()


def settled(tensor: Tensor) -> Tensor:
    """A tensor as it is now: a copy, unless nobody can write to its values."""
    own = OWN in tensor.memo or not any(map(writable, tensor.buffers[-1:]))
    return tensor if own else deepcopy(tensor)


def _kind(tensor: Tensor) -> Hashable:
    """The key of a tensor, as far as steps that read it depend on it."""
    return tensor.format, tensor.shape, tensor.dtype, tensor.fill.tobytes()


def _is_sum(node: Node) -> bool:
    """Whether a node is computed by a kernel of its own."""
    return bool(node.sums) and (node.definition is not None or node.kind in APART)


def _is_shared(node: Node) -> bool:
    """Whether a sum that is used several times is computed for itself.

    That takes memory, but no more than what it is made of; a large product may be needed in part.
    """
    parts = sum([expected_entries(arg) for arg in args_of(node)])
    return expected_entries(node) <= LARGER * max(parts, 1)
