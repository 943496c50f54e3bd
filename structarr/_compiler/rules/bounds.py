"""The prover: difference bounds `x - y <= c` between index expressions, under min and max.

A bound of a sum of more than two variables is remembered literally and proves only equal sums. To
prove one, each variable is bounded by itself or by one that is taken away from it, as the lengths
of several parts are. The prover may fail but never errs: an unproved condition becomes a test at
run time.
"""

from __future__ import annotations

from itertools import islice

from structarr._compiler.ir.conditions import FALSE, TRUE, All, Condition, Eq, Le, Not, both, le
from structarr._compiler.ir.expr import (
    INDEX,
    Expr,
    FloorDiv,
    Lit,
    Max,
    Min,
    Sum,
    add,
    affine,
    scale,
)
from structarr._compiler.ir.node import Node
from structarr._compiler.rules.differences import ZERO, depends, difference, mentioned, split

FAR = 1 << 62
MOST_ATOMS = 12  # of sums that are bounded by parts
NONE: dict[Expr, int] = {}
Edges = dict[Expr, dict[Expr, int]]
Saved = tuple[Edges, dict[Expr, int], frozenset[Expr], dict[Expr, Expr], bool]


class Facts:
    """The facts that hold at the statement being lowered."""

    def __init__(self) -> None:
        self._edges: Edges = {}  # edges[y][x] = c means x <= y + c
        self._own: set[Expr] = set()  # the y whose edges no saved state shares
        self._sums: dict[Expr, int] = {}  # sums[s] = c means s <= c
        self._truths: frozenset[Expr] = frozenset()
        self._defs: dict[Expr, Expr] = {}
        self._mentioned: set[Node] = set()  # the variables and buffers of all assumptions
        self._compound: set[Expr] = set()  # those of their atoms that are made of others
        self._made_of: dict[Node, list[Expr]] = {}  # by what they are made of
        self._memo: dict[tuple[Expr, Expr], bool] = {}
        self.contradictory = False
        self.questions = 0  # the number asked, with those asked by the prover itself

    def save(self) -> Saved:
        """The present knowledge, for `restore`."""
        saved = self._edges, self._sums, self._truths, self._defs, self.contradictory
        self._edges, self._sums, self._defs = dict(self._edges), dict(self._sums), dict(self._defs)
        self._own = set()
        return saved

    def restore(self, saved: Saved) -> None:
        """Forget what was learnt since `save`."""
        self._edges, self._sums, self._truths, self._defs, self.contradictory = saved
        self._own = set()
        self._memo = {}

    def _from(self, y: Expr) -> dict[Expr, int]:
        """The edges from `y`, for a change."""
        if y not in self._own:
            self._own.add(y)
            self._edges[y] = dict(self._edges.get(y, ()))
        return self._edges[y]

    def define(self, var: Expr, value: Expr) -> None:
        """`var` equals `value`, for good."""
        if isinstance(value, Min | Max):
            self._mention(var, value)
            self._defs[var] = value
            for arg in value.args:
                small, large = (var, arg) if isinstance(value, Min) else (arg, var)
                self._assume_le(small, large)
        elif value.dtype == INDEX:
            self._assume_le(var, value)
            self._assume_le(value, var)

    def assume(self, cond: Expr) -> None:
        """Take a condition as true."""
        match cond:
            case All(args):
                for arg in args:
                    self.assume(arg)
            case Le(left, right):
                self._assume_le(left, right)
            case Eq(left, right):
                self._assume_le(left, right)
                self._assume_le(right, left)
            case Not(Le(left, right)):
                self._assume_le(add(right, 1), left)
            case _:
                self._mention(cond)
                self._truths |= {cond}
        if cond is FALSE:
            self.contradictory = True

    def forget(self, changed: frozenset[Node]) -> None:
        """Drop all that is known of variables and buffers that have changed."""
        if changed.isdisjoint(self._mentioned):
            return
        stale: set[Node] = {*changed}
        for one in changed:
            stale.update(self._made_of.get(one, ()))
        for atom in stale & self._edges.keys():
            del self._edges[atom]  # type: ignore[arg-type]
            self._own.discard(atom)
        for y in [y for y, xs in self._edges.items() if not xs.keys().isdisjoint(stale)]:
            xs = self._from(y)
            for atom in stale & xs.keys():
                del xs[atom]  # type: ignore[arg-type]
        self._memo = {}
        for table in (self._sums, self._defs):
            for known in [one for one in table if depends(one, changed)]:
                del table[known]
        for var in [var for var, value in self._defs.items() if depends(value, changed)]:
            del self._defs[var]
        if any(depends(cond, changed) for cond in self._truths):
            self._truths = frozenset(one for one in self._truths if not depends(one, changed))

    def known(self) -> frozenset[Node]:
        """The variables and buffers of which something is known."""
        atoms = set(self._edges).union(*self._edges.values())
        about = [*atoms, *self._sums, *self._defs, *self._truths]
        return frozenset().union(*map(mentioned, about))

    def _mention(self, *exprs: Expr) -> None:
        for expr in exprs:
            for atom in affine(expr)[0]:
                if not atom.inner:
                    self._mentioned.add(atom)
                elif atom not in self._compound:
                    self._compound.add(atom)
                    for part in mentioned(atom):
                        self._made_of.setdefault(part, []).append(atom)
                        self._mentioned.add(part)

    def proves(self, cond: Expr) -> bool:
        """Whether a condition is certainly true."""
        match cond:
            case All(args):
                return all(self.proves(arg) for arg in args)
            case Le(left, right):
                return self.le(left, right)
            case Eq(left, right):
                return self.le(left, right) and self.le(right, left)
            case Not(Le(left, right)):
                return self.le(add(right, 1), left)
            case Not(Eq(left, right)):
                return self.le(add(right, 1), left) or self.le(add(left, 1), right)
        return cond in self._truths

    def decide(self, cond: Expr) -> Expr:
        """TRUE or FALSE where that can be proved, else the condition."""
        if self.proves(cond):
            return TRUE
        if self.proves(Not(cond)):
            return FALSE
        match cond:
            case All(args):
                return both(*[self.decide(arg) for arg in args])
            case Le(Max(args), right):
                return both(*[self.decide(le(arg, right)) for arg in args])
            case Le(left, Min(args)):
                return both(*[self.decide(le(left, arg)) for arg in args])
            case Le(Min(args), right):
                return self._any([le(arg, right) for arg in args], cond)
            case Le(left, Max(args)):
                return self._any([le(left, arg) for arg in args], cond)
        return cond

    def _any(self, conds: list[Condition], whole: Expr) -> Expr:
        """The one of some conditions that is not certainly false, if there is but one."""
        left = [cond for cond in conds if cond is not FALSE and not self.proves(Not(cond))]
        return self.decide(left[0]) if len(left) == 1 else whole

    def le(self, left: Expr, right: Expr) -> bool:
        """Whether `left <= right` is certain."""
        if left is right:
            return True
        key = (left, right)
        known = self._memo.get(key)
        if known is None:
            self.questions += 1
            self._memo[key] = False  # ends cycles of definitions
            known = self._memo[key] = self._le(left, right)
        return known

    def _le(self, left: Expr, right: Expr) -> bool:
        if isinstance(left, Max):
            return all(self.le(arg, right) for arg in left.args)
        if isinstance(right, Min):
            return all(self.le(left, arg) for arg in right.args)
        if self._reaches(left, right):
            return True
        if isinstance(left, Min) and any(self.le(arg, right) for arg in left.args):
            return True
        if isinstance(right, Max) and any(self.le(left, arg) for arg in right.args):
            return True
        return self._le_by_quotient(left, right) or self._le_by_definition(left, right)

    def _le_by_quotient(self, left: Expr, right: Expr) -> bool:
        """`a // k <= b` says that `a <= k * b + k - 1`, and `a <= b // k` that `k * a <= b`."""
        atom, const = split(left)
        if isinstance(atom, FloorDiv):
            most = add(scale(add(right, -const), atom.by), atom.by - 1)
            return self.le(atom.arg, most)
        atom, const = split(right)
        if isinstance(atom, FloorDiv):
            return self.le(scale(add(left, -const), atom.by), atom.arg)
        return False

    def _le_by_definition(self, left: Expr, right: Expr) -> bool:
        for side in (left, right):
            atom, const = split(side)
            value = self._defs.get(atom)
            if value is None:
                continue
            meaning = add(value, const)
            pair = (meaning, right) if side is left else (left, meaning)
            if self.le(*pair):
                return True
        return False

    def _reaches(self, left: Expr, right: Expr) -> bool:
        gap = add(left, scale(right, -1))
        if isinstance(gap, Lit):
            return bool(gap.value <= 0)
        parts = difference(gap)
        if parts is None:
            assert isinstance(gap, Sum)
            known = self._sums.get(add(gap, -gap.const))
            return (known is not None and known <= -gap.const) or self._sums_up(gap)
        x, y, const = parts
        return self._within(y, x, -const)

    def _sums_up(self, gap: Sum) -> bool:
        """Whether a sum is at most 0 by the bounds of its variables and of pairs of them."""
        if len(gap.atoms) > MOST_ATOMS or any([abs(factor) > 1 for factor in gap.factors]):
            return False
        terms = list(zip(gap.atoms, gap.factors, strict=True))
        taken = {atom: self._most(atom, ZERO) for atom, factor in terms if factor < 0}
        total = gap.const
        for atom in [atom for atom, factor in terms if factor > 0]:
            # What an atom comes to beside each that is taken away, less what that is by itself.
            gains = {other: self._most(other, atom) - least for other, least in taken.items()}
            best = min(gains, key=gains.__getitem__, default=ZERO)
            alone = self._most(ZERO, atom)
            if best is not ZERO and gains[best] < alone:
                total += self._most(best, atom)
                del taken[best]
            else:
                total += alone
        return total + sum(taken.values()) <= 0

    def _most(self, start: Expr, goal: Expr) -> int:
        """The most that `goal - start` is known to be; FAR if nothing is known."""
        return self._reached(start, goal, -FAR)

    def _within(self, start: Expr, goal: Expr, budget: int) -> bool:
        """Whether the shortest path start -> goal is at most `budget`."""
        return self._reached(start, goal, budget) <= budget

    def _reached(self, start: Expr, goal: Expr, enough: int) -> int:
        """The length of the shortest path start -> goal, or one that is enough (Bellman-Ford)."""
        best = {start: 0}
        queue = [start]
        for node in islice(queue, 400):  # the queue grows meanwhile
            base = best[node]
            for step, cost in self._edges.get(node, NONE).items():
                reached = base + cost
                if reached < best.get(step, FAR):
                    best[step] = reached
                    if step is goal and reached <= enough:
                        return reached
                    queue.append(step)
        return best.get(goal, FAR)

    def _assume_le(self, left: Expr, right: Expr) -> None:
        if isinstance(left, Max):
            for arg in left.args:
                self._assume_le(arg, right)
            return
        if isinstance(right, Min):
            for arg in right.args:
                self._assume_le(left, arg)
            return
        gap = add(left, scale(right, -1))
        if isinstance(gap, Lit):
            self.contradictory |= gap.value > 0
            return
        self._mention(gap)
        parts = difference(gap)
        if parts is None:
            assert isinstance(gap, Sum)
            plain = add(gap, -gap.const)
            self._sums[plain] = min(self._sums.get(plain, -gap.const), -gap.const)
            self._memo = {}
            return
        x, y, const = parts
        if self._within(x, y, const - 1):
            self.contradictory = True
        self._memo = {}
        edges = self._from(y)
        edges[x] = min(edges.get(x, FAR), -const)
        for atom in (x, y):
            if isinstance(atom, Min | Max):
                self._expand(atom)

    def _expand(self, atom: Min | Max) -> None:
        for arg in atom.args:
            small, large = (atom, arg) if isinstance(atom, Min) else (arg, atom)
            gap = add(small, scale(large, -1))
            parts = difference(gap)
            if parts is not None:
                self._mention(gap)
                x, y, const = parts
                self._from(y)[x] = -const
