"""Checks of programs and of kernels name the clause that is broken."""

from __future__ import annotations

import pytest
from handmade import FLOAT, INDEX, ZERO, I, N, floats, output

from structarr._compiler.ir.cin import Access, Assign, Loop, Sieve, Stmt, Tensor, Where
from structarr._compiler.ir.conditions import TRUE, lt
from structarr._compiler.ir.expr import Cast, Expr, Index, Lit, Load
from structarr._compiler.ir.kernel import Break, For, If, Line, Set, Store, While
from structarr._compiler.ir.missing import MISSING
from structarr._compiler.ir.node import Node
from structarr._compiler.ir.spec import CinError, KernelError, check_cin, check_kernel
from structarr._compiler.ir.variables import Var

OUT = output()
ONE = Lit(FLOAT, 1.0)
J = Index("j")
X, Y = Var(FLOAT, "x"), Var(INDEX, "y")
A, C = floats("a"), floats("C")


def tensor(role: str, start: float | None = 0.0) -> Tensor:
    first = None if start is None else Lit(FLOAT, start)
    dims = () if role == "temp" else (N,)
    return Tensor("T", OUT.format, FLOAT, ONE, dims, role, first)


def stored(value: Expr, *indices: Expr, into: Node = OUT) -> Stmt:
    return Assign(Access(FLOAT, into, indices), None, value)


def loop(body: Stmt, index: Index = I) -> Stmt:
    return Loop(index, ZERO, N, body)


def at(node: Node, *indices: Expr, dtype: str = FLOAT) -> Access:
    return Access(dtype, node, indices)


PROGRAMS: dict[str, Stmt] = {
    "no loop binds i": stored(ONE, I),
    "i is bound by a loop around this one": loop(loop(stored(ONE, I))),
    "its bounds are not indices": Loop(I, ZERO, ONE, stored(ONE, I)),
    "its condition is float64": Sieve(ONE, loop(stored(ONE, I))),
    "its target is not a tensor": stored(ONE, into=Var(FLOAT, "total")),
    "T is an operand": loop(stored(ONE, I, into=tensor("in"))),
    "T may not be written here": stored(ONE, into=tensor("temp")),
    "T has the role 'in'": Where(stored(ONE), stored(ONE), (tensor("in"),)),
    "T starts at nothing": Where(stored(ONE), stored(ONE), (tensor("temp", None),)),
    "a int64 is stored in C": loop(stored(N, I)),
    "C has 1 modes": loop(loop(stored(ONE, I, J)), J),
    "an index is no integer": stored(ONE, ONE),
    "may not be read here": loop(stored(at(tensor("temp")), I)),
    "an output is read": loop(stored(at(OUT, I), I)),
    "T is float64": loop(stored(Cast(FLOAT, at(tensor("in"), I, dtype="int8")), I)),
    "not a statement": loop(ONE),
}


@pytest.mark.parametrize("problem", PROGRAMS)
def test_a_program_that_breaks_a_rule_is_shown(problem: str) -> None:
    with pytest.raises(CinError, match=problem):
        check_cin(PROGRAMS[problem])


KERNELS: dict[str, tuple[Line, ...]] = {
    "x may not be set yet": (Store(C, ZERO, X),),
    "y is int64": (Set(Y, ONE),),
    "b is no argument": (Store(C, ZERO, Load(floats("b"), ZERO)),),
    "a is not to be written": (Store(A, ZERO, ONE),),
    "a int64 goes where float64 belongs": (Store(C, ZERO, ZERO),),
    "an index is no integer": (Store(C, ONE, ONE),),
    "a condition is float64": (If(((ONE, ()),)),),
    "its bounds are not indices": (For(Y, ZERO, ONE, ()),),
    "leaves no loop": (Break(),),
    "never ends": (While((Set(Y, ZERO),)),),
    "missing is left in": (Store(C, ZERO, Cast(FLOAT, MISSING)),),
    "not a line of a kernel": (ONE,),
}


@pytest.mark.parametrize("problem", KERNELS)
def test_a_kernel_that_breaks_a_rule_is_shown(problem: str) -> None:
    with pytest.raises(KernelError, match=problem):
        check_kernel(KERNELS[problem], frozenset({A, C, N}), frozenset({C}))


def test_what_is_set_before_the_way_out_of_a_loop_is_known_after_it() -> None:
    leave = If(((lt(Y, N), (Break(),)),))
    after = Store(C, ZERO, X)
    params = frozenset({C, N})
    check_kernel((While((Set(Y, ZERO), Set(X, ONE), leave)), after), params, params)
    with pytest.raises(KernelError, match="x may not be set yet"):
        check_kernel((While((Set(Y, ZERO), leave, Set(X, ONE))), after), params, params)


def test_what_one_branch_leaves_need_be_set_by_the_others_alone() -> None:
    branches = If(((lt(ZERO, N), (Set(X, ONE),)), (TRUE, (Break(),))))
    params = frozenset({C, N})
    check_kernel((While((branches, Store(C, ZERO, X))),), params, params)
