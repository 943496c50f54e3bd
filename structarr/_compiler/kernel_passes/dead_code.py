"""Clean-up of a kernel: lines whose value nothing reads, and updates that may be reordered."""

from __future__ import annotations

from structarr._compiler.ir.expr import FALSE, TRUE, Call, Expr, Helper, Lit, Load, Var
from structarr._compiler.ir.kernel import Break, For, If, Line, Set, Store, While, used
from structarr._compiler.ir.ops import OPS

Block = tuple[Line, ...]


def drop_dead_code(block: Block) -> Block:
    """Drop what is never read, and let long float sums be reassociated."""
    while True:
        live = _live(block)
        smaller = _prune(block, live)
        if smaller == block:
            smaller = Sweep()(block)
            if smaller == block:
                return _reassociate(_flatten(block))
        block = smaller


def _live(block: Block) -> set[Var]:
    """The variables that are read other than to update themselves."""
    live: set[Var] = set()
    for line in block:
        match line:
            case Set(var, _):
                live |= {v for v in used((line,)) if isinstance(v, Var) and v is not var}
            case For(_, lo, hi, body):
                live |= {v for e in (lo, hi) for v in e.every(Var)}
                live |= _live(body)
            case While(body):
                live |= _live(body)
            case If(arms):
                for cond, body in arms:
                    live |= {*cond.every(Var)} | _live(body)
            case _:
                live |= {v for v in used((line,)) if isinstance(v, Var)}
    return live


def _prune(block: Block, live: set[Var]) -> Block:
    kept: list[Line] = []
    for line in block:
        match line:
            case Set(var, value):
                if value is var or (var not in live and not var.result):
                    continue
            case If(arms):
                arms = tuple((cond, _prune(body, live)) for cond, body in arms if cond is not FALSE)
                if not any(body for _, body in arms):
                    continue
                if arms[0][0] is TRUE:
                    kept += arms[0][1]
                    continue
                line = If(arms)
            case For(var, lo, hi, body):
                line = For(var, lo, hi, _prune(body, live))
                if not line.body:
                    continue
            case While(body):
                if not ends(body):
                    continue  # nothing comes here: facts that contradict each other left no way out
                line = While(_prune(body, live))
        kept.append(line)
    return tuple(kept)


def ends(body: Block) -> bool:
    """Whether a loop can be left."""
    return any(
        isinstance(line, Break) or (isinstance(line, If) and any(ends(arm) for _, arm in line.arms))
        for line in body
    )


Live = frozenset[Var]


class Sweep:
    """Drops what is set and not read before it is set anew, or before the end."""

    def __init__(self) -> None:
        # What is read after a turn of a loop, as far as known. It only grows, so a loop in another
        # is not begun anew each time: that would double the work with every loop around it.
        self._found: dict[int, Live] = {}

    def __call__(self, block: Block) -> Block:
        """What is left of a whole kernel."""
        return self._swept(block, frozenset(), frozenset())[0]

    def before(self, block: Block, after: Live, leaving: Live) -> Live:
        """What is read from a block's start on."""
        return self._swept(block, after, leaving)[1]

    def found(self, body: Block) -> Live:
        """What is read after a turn of a loop that was looked at."""
        return self._found[id(body)]

    def _swept(self, block: Block, after: Live, leaving: Live) -> tuple[Block, Live]:
        """What is left of a block, and what is read from its start on.

        `after` is what is read after the block, `leaving` what is read where a `break` leads to.
        """
        kept: list[Line] = []
        live = after
        anew: set[Var] = set()  # set again before the next line with lines of its own
        for line in reversed(block):
            if not isinstance(line, (Set, Store)):
                anew.clear()
            match line:
                case Set(var, value):
                    if var not in live and (var in anew or not var.result):
                        continue
                    anew.add(var)
                    live = (live - {var}) | _read(value)
                case If(arms):
                    whole = arms[-1][0] is TRUE
                    swept = [(cond, *self._swept(body, live, leaving)) for cond, body in arms]
                    live = frozenset().union(*(before for _, _, before in swept)) | (
                        frozenset() if whole else live
                    )
                    live = live.union(*(_read(cond) for cond, _ in arms))
                    line = If(tuple((cond, body) for cond, body, _ in swept))
                    if not any(body for _, body in line.arms):
                        continue
                case For(var, lo, hi, body):
                    body, inside = self._turns(body, live, live)
                    live = live | (inside - {var}) | _read(lo) | _read(hi)
                    line = For(var, lo, hi, body)
                case While(body):
                    body, live = self._turns(body, frozenset(), live)
                    line = While(body)
                case Break():
                    live = leaving
                case _:
                    live = live | {v for v in used((line,)) if isinstance(v, Var)}
            kept.append(line)
        return tuple(reversed(kept)), live

    def _turns(self, body: Block, after: Live, leaving: Live) -> tuple[Block, Live]:
        """A loop's body: what a turn begins with is read after the turn before it."""
        found = after | self._found.get(id(body), frozenset())
        while True:
            swept, before = self._swept(body, found, leaving)
            if before <= found:
                self._found[id(body)] = found
                return swept, before
            found |= before


def _read(expr: Expr) -> Live:
    return frozenset(expr.every(Var))


def _flatten(block: Block) -> Block:
    """Loops over adjacent fibers whose children know nothing of their fiber are one loop.

    Fiber p ends where p + 1 begins: `for i: for q in range(ptr[i], ptr[i + 1])` runs from
    `ptr[0]` to `ptr[n]`.
    """
    new: list[Line] = []
    for line in block:
        match line:
            case For(var, lo, hi, body):
                flat = _flat(var, lo, hi, _flatten(body))
                new += flat
                continue
            case While(body):
                line = While(_flatten(body))
            case If(arms):
                line = If(tuple((cond, _flatten(body)) for cond, body in arms))
        new.append(line)
    return tuple(new)


def _flat(var: Var, lo: Expr, hi: Expr, body: Block) -> Block:
    match body:
        case (Set() as one, Set() as other, If(((cond, (only,)),)), For(_, _, _, (turn,)) as inner):
            # What is done for the fiber may be done before, if the fibers are known after it.
            if _commute(only, turn) and not lo.mentions(var):
                whole = _flat(var, lo, hi, (one, other, inner))
                if not isinstance(whole[0], For):
                    once = (only, Break()) if _is_steady(only, (var, one, other)) else (only,)
                    asked = If(((cond, once),))
                    return (For(var, lo, hi, (one, other, asked)), *whole)
        case (Set(x, Load() as one), Set(y, Load() as other), For(q, start, stop, inner)) if {
            x,
            y,
        } == {start, stop} and q is start:
            begin, end = (one, other) if x is start else (other, one)
            adjacent = begin.buffer is end.buffer and end.index is begin.index + 1
            moved = begin.index - var
            if adjacent and not moved.mentions(var) and not _mentions(inner, (var, stop)):
                ptr = begin.buffer
                first, last = ptr[moved + lo], ptr[moved + hi]
                return (Set(q, first), Set(stop, last), For(q, q, stop, inner))  # type: ignore[arg-type]
    return (For(var, lo, hi, body),)


def _commute(one: Line, other: Line) -> bool:
    """Whether two updates of a variable are the same in any order, however often."""
    match one, other:
        case Set(x, Call(_, op, (own, _))), Set(y, Call(_, same, (mine, _))):
            return x is y is own is mine and op is same and op.idempotent and op.commutative
    return False


def _is_steady(update: Line, loop: tuple[Var, Line, Line]) -> bool:
    """Whether an update is the same in every turn of a loop, so that one of them is enough."""
    var, *lines = loop
    changed = (var, *[line.var for line in lines if isinstance(line, Set)])
    match update:
        case Set(_, Call(_, _, (_, term))):
            return not any(term.mentions(one) for one in changed)
    return False


def _mentions(block: Block, variables: tuple[Expr, ...]) -> bool:
    return not used(block).isdisjoint(variables)


def _reassociate(block: Block) -> Block:
    """In a loop without branches, accumulate floats through the helpers that vectorise."""
    new: list[Line] = []
    for line in block:
        match line:
            case For(var, lo, hi, body):
                body = tuple(map(_unguarded, body))
                straight = all(isinstance(inner, (Set, Store)) for inner in body)
                inner = tuple(map(_relaxed, body)) if straight else _reassociate(body)
                line = For(var, lo, hi, inner)
            case While(body):
                line = While(_reassociate(body))
            case If(arms):
                line = If(tuple((cond, _reassociate(body)) for cond, body in arms))
        new.append(line)
    return tuple(new)


CHEAP = ("add", "subtract", "multiply", "minimum", "maximum", "negative", "absolute", "where")


def _unguarded(line: Line) -> Line:
    """An update under masks as one of zero where they are not set: a loop without branches.

    Masks cover all children, so what they guard may be read in any case.
    """
    masks: list[Expr] = []
    inner = line
    while isinstance(inner, If):
        match inner.arms:
            case ((mask, (only,)),) if _is_mask(mask):
                masks.append(mask)
                inner = only
            case _:
                return line
    match inner:
        case Set(var, Call(dtype, op, (left, value))) if (
            masks
            and left is var
            and var.result
            and op.name == "add"
            and dtype.startswith("float")
            and all(node.op.name in CHEAP for node in value.every(Call))
            and not value.has(Helper)
        ):
            cond = masks[0]
            for mask in masks[1:]:
                cond = Call("bool", OPS["logical_and"], (cond, mask))
            chosen = Call(dtype, OPS["where"], (cond, value, Lit(dtype, 0.0)))
            return Set(var, Call(dtype, op, (left, chosen)))
    return line


def _is_mask(cond: Expr) -> bool:
    """Whether a condition says of a child that is there in any case whether it is stored."""
    return cond.dtype == "bool" and (
        isinstance(cond, Load) or (isinstance(cond, Helper) and cond.name.startswith("there_"))
    )


RELAXED = {"add": "radd", "maximum": "rmax", "minimum": "rmin"}
"""Operators on floats, and the helpers that do the same in any order."""


def _relaxed(line: Line) -> Line:
    match line:
        case Set(var, Call(dtype, op, (left, right))) if (
            left is var and var.result and op.name in RELAXED and dtype.startswith("float")
        ):
            return Set(var, Helper(dtype, RELAXED[op.name], (left, right)))
    return line
