"""The state of a lowering: fresh names, emitted lines, known bounds, rules."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager

from structarr._compiler.effects import decides, effects, share_first_lines
from structarr._compiler.ir.cin import Fiber, Stmt, Tensor
from structarr._compiler.ir.conditions import TRUE
from structarr._compiler.ir.expr import INDEX, Buffer, Expr, FloorDiv, Helper, Lit, Max, Min, affine
from structarr._compiler.ir.kernel import Break, Check, Do, For, If, Line, Make, Set, Store, While
from structarr._compiler.ir.node import Node
from structarr._compiler.ir.variables import Local, Var, unused
from structarr._compiler.options import current
from structarr._compiler.rules.bounds import Facts
from structarr._compiler.rules.engine import RuleSet, simplifier

QUESTIONS = 40  # the questions about bounds that take as long as lowering a statement


class Context:
    """
    State of one lowering: the lines so far, names in scope, facts about bounds, and the rules.

    Methods of formats and looplets are given one. Its `rules` simplify statements, which `lower`
    lowers, at most `budget` of them; if it is `checked`, the kernel checks the facts that are
    assumed.
    """

    def __init__(
        self,
        rules: RuleSet,
        lower: Callable[[Stmt, Context], None],
        budget: int | None = None,
        checked: bool = False,
    ) -> None:
        self._budget = budget
        self._statements = 0  # the number lowered so far
        self.facts = Facts()
        self.lines: list[Line] = []
        self.skipped: set[Tensor] = set()  # outputs some of whose fibers may not be visited
        self.counters: dict[tuple[Tensor, int, str], Var] = {}
        self.sharing: dict[Tensor, Tensor] = {}  # outputs, and the operands with their coordinates
        self.listener: Callable[[str, Node], None] | None = None
        self._simplifier = simplifier(rules)
        self._lower = lower
        self._asking = False  # whether anything is written, which the first store tells
        self._answered = False
        self.is_spent = False  # more was lowered than the budget has: what is emitted is in part
        self._changes: dict[Line, frozenset[Node]] = {}
        self._live: set[Var] = set()
        self._checked = checked or current().checked

    def fresh(
        self, hint: str, dtype: str = INDEX, result: bool = False, kind: type[Var] = Local
    ) -> Var:
        """
        Return a variable of a `dtype` and class, `kind`, that nothing in scope uses.

        `hint` is its name, and `result` says that to set it is an effect. Siblings may share one.
        """
        var = unused(kind(dtype, hint, result, 1), self._live)
        self._live.add(var)
        return var

    def emit(self, *lines: Line) -> None:
        """Append lines to the block at hand; nothing is known any more of what they change."""
        for line in lines:
            self._answered |= self._asking and isinstance(line, Store | Do)
            self.lines.append(line)
        self.facts.forget(self._changed_by(lines))

    def _changed(self, line: Line) -> frozenset[Node]:
        """The variables and buffers that a line changes."""
        found = self._changes.get(line)
        if found is None:
            found = frozenset()
            match line:
                case Set(var) | Make(var):
                    found = frozenset((var,))
                case Store(buffer):
                    found = frozenset((buffer,))
                case Do(call):
                    found = frozenset(call.every(Buffer))
                case If(arms):
                    found = self._changed_by([one for _, body in arms for one in body])
                case For(var, _, _, body):
                    found = self._changed_by(body) | {var}
                case While(body):
                    found = self._changed_by(body)
            self._changes[line] = found
        return found

    def _changed_by(self, lines: Sequence[Line]) -> frozenset[Node]:
        if len(lines) == 1:
            return self._changed(lines[0])
        return frozenset().union(*map(self._changed, lines))

    def set(self, var: Var, value: Expr) -> None:
        """Emit `var = value` for a variable that changes."""
        self.emit(Set(var, value))

    def let(self, hint: str, value: Expr) -> Expr:
        """
        Return a name for a `value` that does not change in its scope, so that it is computed once.

        `hint` is the name, for people.
        """
        if isinstance(value, Var | Lit):
            return value
        var = self.fresh(hint, value.dtype)
        self.emit(Set(var, value))
        self.facts.define(var, value)
        return var

    def bound(self, hint: str, value: Expr) -> Expr:
        """Name a bound that takes a computation; sums of names stay as they are."""
        quotient = any(isinstance(atom, FloorDiv) for atom in affine(value)[0])
        computed = quotient or isinstance(value, Min | Max | Helper)
        return self.let(hint, value) if computed else value

    def counter(self, fiber: Fiber, tally: str = "n") -> Var:
        """
        Return the variable that counts the children of the level of an output's `fiber`.

        `tally` is another one of the level's `counters`.
        """
        key = (fiber.tensor, fiber.depth, tally)
        if key not in self.counters:
            self.counters[key] = fiber.variable(tally)
        return self.counters[key]

    @contextmanager
    def block(self, *facts: Expr) -> Iterator[list[Line]]:
        """Collect the lines of a nested block, under further facts."""
        lines, live, saved = self.lines, set(self._live), self.facts.save()
        self.lines = []
        self.assume(*facts)
        try:
            yield self.lines
        finally:
            self.lines, self._live = lines, live
            self.facts.restore(saved)

    @contextmanager
    def after(self, lines: Sequence[Line], *facts: Expr) -> Iterator[list[Line]]:
        """Collect the lines of a block before which others are run that are not emitted yet."""
        with self.block() as block:
            self.facts.forget(self._changed_by(lines))
            self.assume(*facts)
            yield block

    @contextmanager
    def turn(self, changing: Iterable[Var], *facts: Expr) -> Iterator[list[Line]]:
        """Collect the lines of a loop's body, under facts that hold whenever it begins.

        Parameters
        ----------
        changing : iterable of Var
            The variables that a turn changes, of which nothing is known when the next begins.
        *facts : Expr
            What holds nevertheless.

        Raises
        ------
        AssertionError
            If the body changes another variable of which something is known before the loop.
        """
        told = frozenset(changing)
        with self.block() as block:
            self.facts.forget(told)
            known = self.facts.known()
            self.assume(*facts)
            yield block
            others = self._changed_by(block) & known
            assert not others, f"a loop changes {others}, of which it is not told"

    @contextmanager
    def under(self, cond: Expr) -> Iterator[None]:
        """Emit the lines of a nested block under a condition."""
        with self.block(cond) as lines:
            yield
        self.when(cond, lines)

    @contextmanager
    def if_effective(self) -> Iterator[None]:
        """Emit the lines of a nested block, unless they do nothing."""
        with self.block() as lines:
            yield
        if effects(lines):
            self.emit(*lines)

    def branch(self, arms: list[tuple[Expr, list[Line]]]) -> None:
        """Emit if/elif/else; what all arms begin with is emitted once, before the test."""
        if not arms:
            return
        if arms[0][0] is TRUE:
            self.emit(*arms[0][1])
            return
        if arms[-1][0] is TRUE:
            while all(body for _, body in arms) and len({body[0] for _, body in arms}) == 1:
                first = arms[0][1][0]
                if isinstance(first, Break) or decides((first,), [cond for cond, _ in arms]):
                    break
                self.emit(first)
                for _, body in arms:
                    body.pop(0)
        while arms and not arms[-1][1]:
            arms.pop()
        share_first_lines(arms)
        if arms:
            self.emit(If(tuple((cond, tuple(body)) for cond, body in arms)))

    def when(self, cond: Expr, body: list[Line]) -> None:
        """Emit `body` under a condition, bare where the condition is proved."""
        cond = self.facts.decide(cond)
        if self.facts.proves(cond):
            self.emit(*body)
        elif body:
            self.emit(If(((cond, tuple(body)),)))

    def assume(self, *facts: Expr) -> None:
        """Take `facts` as true from here on; ``STRUCTARR_DEBUG=facts`` has kernels check them."""
        for fact in facts:
            self.facts.assume(fact)
            if self._checked and fact is not TRUE:
                self.lines.append(Check(fact))

    def proves(self, cond: Expr) -> bool:
        """Return whether a condition, `cond`, is certain here."""
        return self.facts.proves(cond)

    def simplify(self, stmt: Stmt) -> Stmt:
        """Apply the rules."""
        return self._simplifier(stmt)  # type: ignore[no-any-return]

    def value(self, expr: Expr) -> Expr:
        """Apply the rules to an expression."""
        return self._simplifier(expr)  # type: ignore[no-any-return]

    def differ(self, one: Expr, other: Expr) -> Expr:
        """Whether two values are to be told apart where they are stored."""
        return self.value(Helper("bool", "differ", (one, other)))

    def lower(self, stmt: Stmt) -> None:
        """Lower a statement into the block at hand."""
        self._lower(stmt, self)

    def writes(self, stmt: Stmt) -> bool:
        """Whether a statement does anything here: it is lowered as far as that takes, on trial.

        A trial leaves nothing behind but its share of the budget, which bounds the time.
        """
        around = self._asking, self._answered
        self._asking, self._answered = True, False
        saved = set(self.skipped), dict(self.counters)
        with self.block() as lines:
            self.lower(stmt)
        found = self._answered or effects(lines)
        self._asking, self._answered = around
        self.skipped, self.counters = saved
        return found

    def goes_on(self) -> bool:
        """Count one statement; tell whether there is use in lowering it.

        There is none beyond the budget, nor in a trial whose answer is known.
        """
        self._statements += 1
        self.is_spent |= self._budget is not None and self.spent > self._budget
        return not (self.is_spent or self._answered)

    @property
    def spent(self) -> int:
        """The statements that lowering has emitted so far."""
        return self._statements + self.facts.questions // QUESTIONS

    def say(self, stage: str, what: Node) -> None:
        """Tell whoever watches this lowering."""
        if self.listener is not None:
            self.listener(stage, what)
