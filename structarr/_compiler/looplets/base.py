"""The base class of looplets, and the operations on loops that their lowerings share.

A looplet describes the values of one mode over the loop's region `[lo, hi)`. It stands in the
program as the object of an access whose first index is the loop's: `Access(looplet, (i, ...))`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import ClassVar

from structarr._compiler.context import Context
from structarr._compiler.ir.cin import Access, Assign, Loop, Pass, Stmt
from structarr._compiler.ir.expr import INDEX, Expr, Index
from structarr._compiler.ir.node import Node, substitute
from structarr._compiler.ir.variables import Opaque, Var
from structarr._compiler.looplets.affine import Affine
from structarr._compiler.rules.algebra import may_miss
from structarr._compiler.rules.engine import value_of
from structarr._compiler.rules.written import unopened
from structarr._support.renamed import adopt

RENAMED = {"bent": "reindexed", "leads": "is_leader"}
"""Former names of a looplet's attributes, which looplets from outside may still use."""


class Looplet(Node):
    """
    Base class of looplets: the values of one mode over the region ``[lo, hi)`` of a loop.

    `docs/conventions.md` has a table of what each means, and the page on looplets a picture of
    each. Subclasses declare their fields, a `priority`, and the methods below; `check_looplet`
    tests them.

    See Also
    --------
    structarr.testing.check_looplet : The tests of a looplet.
    structarr.formats.Reading : The part of a level that returns looplets.

    Examples
    --------
    >>> from structarr.cin import INDEX, Lit
    >>> from structarr.looplets import Run, Spike
    >>> Spike(Lit(INDEX, 0), Lit(INDEX, 1)).priority > Run(Lit(INDEX, 0)).priority
    True
    """

    priority: ClassVar[int] = 0  # the largest in a loop is lowered first
    writes: ClassVar[bool] = False  # stands in the target of an assignment

    immediate: ClassVar[bool] = False  # lowered before any loop is entered, by `lower_stmt`

    def __init_subclass__(cls) -> None:
        adopt(cls, RENAMED)

    def truncate(self, ctx: Context, old_hi: Expr, hi: Expr) -> Looplet:
        """
        Return the looplet of the part of the region that ends at `hi` instead of `old_hi`.

        It may emit lines into `ctx`, and ask it which conditions hold.
        """
        return self

    @property
    def repeated(self) -> Node | None:
        """The value at every index, if it is one."""
        return None

    @property
    def reversible(self) -> bool:
        """Whether `reindexed` takes negative factors: whether this can be read from its end."""
        return False

    def reindexed(self, by: Affine, end: Expr, ctx: Context) -> Looplet:
        """
        Return the looplet of the values that an affine index reads, by the map `by`.

        `end` is where the region ended, in the indices that are read; `ctx` takes lines.
        """
        raise TypeError(
            f"looplet {type(self).__name__} has no `reindexed`, which affine indices need"
        )

    def at(self, index: Expr) -> Node:
        """Return the value at one `index`; looplets that `locate` returns have this method."""
        raise NotImplementedError

    @classmethod
    def lower(cls, loop: Loop, ctx: Context) -> None:
        """
        Lower a `loop` in which this class comes first, to lines of `ctx` or simpler loops.
        """
        cls.lower_stmt(loop, ctx)

    @classmethod
    def lower_stmt(cls, stmt: Stmt, ctx: Context) -> None:
        """
        Lower a statement, `stmt`, that reads an immediate looplet, whatever its index, in `ctx`.
        """
        raise NotImplementedError


class Lambda(Node):
    """
    Function of one variable, `param`, as an expression, `body`; calling it replaces the variable.
    """

    param: Var
    body: Node

    def __call__(self, value: Expr) -> Node:
        return substitute(self.body, {self.param: value})


def function(hint: str, body: Callable[[Expr], Node]) -> Lambda:
    """
    Return a Python function of one index, `body`, as an expression; `hint` is the variable's name.

    Examples
    --------
    >>> from structarr.cin import INDEX, Lit
    >>> function("i", lambda i: i * 2)(Lit(INDEX, 3))
    Lit('int64', 6, False)
    """
    param = Opaque(INDEX, hint, False, 1)
    return Lambda(param, body(param))


Change = Callable[[Access], Node | None]


def rewrite(stmt: Stmt, change: Change) -> Stmt:
    """Replace accesses: `change` gives a new access or value, or None to look inside."""
    memo: dict[Node, Node] = {}
    kinds = Access._bits

    def visit(node: Node) -> Node:
        if not node.kinds & kinds:
            return node
        done = memo.get(node)
        if done is None:
            done = memo[node] = _visited(node)
        return done

    def _visited(node: Node) -> Node:
        if isinstance(node, Access):
            new = change(node)
            found = node if new is None else new
            return _indexed(found, visit) if isinstance(found, Access) else found
        if isinstance(node, Assign):
            target = _indexed(change(node.target) or node.target, visit)  # type: ignore[arg-type]
            return Assign(target, node.op, visit(node.value))  # type: ignore[arg-type]
        return node.rebuild(visit)

    return visit(stmt)  # type: ignore[return-value]


def _indexed(target: Access, change: Callable[[Node], Node]) -> Access:
    """An access with its indices changed, which may read arrays themselves."""
    if not any([i.has(Access) for i in target.indices]):
        return target
    return Access(target.dtype, target.obj, tuple(change(i) for i in target.indices))  # type: ignore[misc]


def standing(stmt: Node) -> tuple[Access, ...]:
    """The accesses of a statement, but for those inside of what others access, as in a case.

    These are `rewrite`'s, and are met when what is around them is opened.
    """
    found = stmt.every(Access)
    inside = {inner for one in found if one.obj.has(Access) for inner in one.obj.every(Access)}
    return tuple([one for one in found if one not in inside]) if inside else found


def accesses(stmt: Node, index: Index) -> tuple[Access, ...]:
    """The accesses of looplets by an index, each once."""
    return tuple(
        node
        for node in stmt.every(Access)
        if isinstance(node.obj, Looplet) and node.indices and node.indices[0] is index
    )


def looplets(loop: Loop) -> tuple[Looplet, ...]:
    """Return the looplets that a `loop` meets, each once."""
    found = (access.obj for access in accesses(loop.body, loop.index))
    return tuple(dict.fromkeys(found))  # type: ignore[arg-type]


def exchange(loop: Loop, change: Callable[[Looplet], Looplet]) -> Loop:
    """
    Return `loop` with each looplet replaced by what `change` makes of it; a run becomes its value.
    """

    def swap(access: Access, looplet: Looplet) -> Node | None:
        new = change(looplet)
        if new is looplet:
            return access
        if not isinstance(new, Looplet):
            raise TypeError(
                f"{new!r} takes the place of looplet {type(looplet).__name__} in a loop"
            )
        if new.repeated is not None:
            return applied(access, new.repeated)
        return Access(access.dtype, new, access.indices)

    return Loop(loop.index, loop.lo, loop.hi, _replaced(loop, swap))


def consume(loop: Loop, change: Callable[[Looplet], Node | None]) -> Stmt:
    """Replace looplets by what they are at an index: the access loses its first index."""

    def take(access: Access, looplet: Looplet) -> Node | None:
        new = change(looplet)
        return None if new is None else applied(access, new)

    return _replaced(loop, take)


def _replaced(loop: Loop, change: Callable[[Access, Looplet], Node | None]) -> Stmt:
    """The body of a loop, the accesses of looplets by its index changed."""

    def met(access: Access) -> Node | None:
        looplet, indices = access.obj, access.indices
        here = isinstance(looplet, Looplet) and indices and indices[0] is loop.index
        return change(access, looplet) if here else None  # type: ignore[arg-type]

    return rewrite(loop.body, met)


def opened(stmt: Stmt, change: Callable[[Node], Node | None]) -> Stmt:
    """Replace what is accessed by something else, and by its value where all indices are used."""

    def unwrap(access: Access) -> Node | None:
        body = change(access.obj)
        return None if body is None else value_of(body, access.indices, access.dtype)

    return rewrite(stmt, unwrap)


def applied(access: Access, obj: Node) -> Node:
    """`access` with its first index used up by becoming `obj`."""
    if isinstance(access.obj, Looplet) and access.obj.writes:
        return Access(access.dtype, obj, access.indices[1:])
    return value_of(obj, access.indices[1:], access.dtype)


def narrow(
    loop: Loop,
    lo: Expr,
    hi: Expr,
    ctx: Context,
    change: Callable[[Looplet], Looplet | None] = lambda looplet: None,
) -> Loop:
    """
    Return `loop` over a part of its region, ``[lo, hi)``.

    A looplet becomes what `change` makes of it; where that is None, it is truncated, which may emit
    lines into `ctx`.
    """

    def part(looplet: Looplet) -> Looplet:
        new = change(looplet)
        if new is not None:
            return new
        return looplet if hi is loop.hi else looplet.truncate(ctx, loop.hi, hi)

    return exchange(Loop(loop.index, lo, hi, loop.body), part)


def annihilates(loop: Loop, looplet: Looplet, value: Node, ctx: Context) -> bool:
    """
    Return whether a `loop` does nothing where a `looplet` has a `value`, by the rules of `ctx`.

    The other looplets may have any values there.
    """
    return annihilate(loop, {looplet: value}, ctx)


def annihilate(loop: Loop, values: Mapping[Looplet, Node], ctx: Context) -> bool:
    """Whether the program does nothing where some looplets have values, as `annihilates`.

    Who learns that need not lower those regions, so what they leave unopened is noted here.
    """
    known = consume(loop, values.get)
    count = 0

    def hide(access: Access) -> Node | None:
        nonlocal count
        if not isinstance(access.obj, Looplet) or access.obj.writes or may_miss(access):
            return None
        count += 1
        return Opaque(access.dtype, f"read{count}", False, 1)

    if not isinstance(ctx.simplify(rewrite(known, hide)), Pass):
        return False
    ctx.skipped |= unopened(loop.body)
    return True
